#pragma once
#include "media_encode.h"
