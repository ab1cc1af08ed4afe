#include "clinux_memory.h"

#include <malloc.h>

void clinux_share_heaps(int heaps) { mallopt(M_ARENA_MAX, heaps); }

void clinux_return_free_memory(void) { malloc_trim(0); }
