#include "clinux_watch.h"

#include <errno.h>
#include <sys/vfs.h>

int clinux_filesystem_magic(int descriptor, uint32_t *magic) {
    struct statfs status;
    int result;
    do {
        result = fstatfs(descriptor, &status);
    } while (result == -1 && errno == EINTR);
    if (result == 0) *magic = (uint32_t)status.f_type;
    return result;
}
