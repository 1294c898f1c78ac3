#include "CFootholdEngine.h"
#include <opencv2/core.hpp>
#include <opencv2/calib3d.hpp>
#include <Eigen/Core>
int fh_engine_placeholder;
