#include <libavutil/avutil.h>
#include <libavutil/frame.h>
