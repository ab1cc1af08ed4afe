// The functions of fuzzer.h come with the compiler's runtime.
#include "fuzzer.h"
