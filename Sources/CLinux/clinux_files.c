#include "clinux_files.h"
