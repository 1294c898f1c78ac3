#pragma once
// Thin shims over libav for what Swift cannot import. Nothing here prints, aborts or keeps global state apart from
// libav's own log level, which is set to quiet.
#include "media_decode.h"
#include "media_encode.h"
#include "media_record.h"
