// How much a picture repeats itself, as tiles and meshes do.
#pragma once

#include "frontend/image_pyramid.h"

namespace foothold {

/// 0…1: how alike the picture is to itself one period further on, along its rows or its columns, whichever is more; 0
/// where nothing repeats, or where there is too little to see. Looks at a few lines only.
double repetition(const ImageView &image);

}  // namespace foothold
