// The made-up rooms that surface detection is measured in.
#pragma once

#include <cstdint>

#include "synthetic_room.h"

namespace foothold::checks {

/// One of `fh_check_room`; without any panel for an unknown kind.
SyntheticRoom make_room(int32_t kind, uint64_t seed, double parameter);

}  // namespace foothold::checks
