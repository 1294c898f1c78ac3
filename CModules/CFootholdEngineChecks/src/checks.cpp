#include "CFootholdEngineChecks.h"
#include <Eigen/Core>
int fh_checks_placeholder;
