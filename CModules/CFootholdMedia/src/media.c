#include "CFootholdMedia.h"
int fh_media_placeholder;
