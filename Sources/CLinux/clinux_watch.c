#include "clinux_watch.h"
