#define _GNU_SOURCE
#include "clinux_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/vfs.h>

const int CLINUX_O_PATH = O_PATH;

int clinux_filesystem_magic(int descriptor, uint32_t *magic) {
    struct statfs status;
    int result;
    do {
        result = fstatfs(descriptor, &status);
    } while (result == -1 && errno == EINTR);
    if (result == 0) *magic = (uint32_t)status.f_type;
    return result;
}
