#pragma once
#include <stdint.h>

#include "surface_checks.h"
