/*
 * Preloaded into a program, it counts the calls that change files below one folder, over all
 * threads, and breaks one of them.
 *
 *   FAULT_ROOT      the folder, an absolute path without links
 *   FAULT_TRACE     a file that gets one line a call: number, name, bytes, path
 *   FAULT_KILL_AT   n: the process dies (SIGKILL) instead of the n-th call; of a write half is done
 *   FAULT_FAIL_AT   n,errno[,m]: the n-th call and the m - 1 calls after it fail with errno
 *   FAULT_TORN_AT   n,errno[,m]: the same, but of a write half is done
 *   FAULT_SHORT_AT  n[,m]: a write does half of what it was asked for and says so
 *   FAULT_EVERY     n: every n-th call fails, in turn with EIO, ENOSPC, EMFILE and EACCES
 *   FAULT_CUT_AT    n: the file system of FAULT_ROOT is shut down instead of the n-th call, as by a
 *                   power cut: what was not synced is gone; then the process dies
 *   FAULT_READING   set: opening and reading files counts too
 *   FAULT_POISON    a text: the process crashes once it has read bytes that contain it
 *
 * Calls of the C library itself are not seen, nor are maps. Every hook goes to the kernel directly,
 * so that none depends on another preloaded library.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static const char *root;
static size_t root_length;
static long kill_at, cut_at, every, fail_at, fail_count, short_at, short_count;
static int fail_errno, is_torn, is_reading, trace = -1;
static const char *poison;

__attribute__((constructor)) static void begin(void)
{
    const char *kill_text = getenv("FAULT_KILL_AT");
    const char *cut_text = getenv("FAULT_CUT_AT");
    const char *torn_text = getenv("FAULT_TORN_AT");
    const char *fail_text = torn_text ? torn_text : getenv("FAULT_FAIL_AT");
    const char *short_text = getenv("FAULT_SHORT_AT");
    const char *trace_path = getenv("FAULT_TRACE");
    kill_at = kill_text ? atol(kill_text) : 0;
    cut_at = cut_text ? atol(cut_text) : 0;
    every = getenv("FAULT_EVERY") ? atol(getenv("FAULT_EVERY")) : 0;
    is_torn = torn_text != NULL;
    fail_count = short_count = 1;
    if (short_text) sscanf(short_text, "%ld,%ld", &short_at, &short_count);
    if (fail_text) sscanf(fail_text, "%ld,%d,%ld", &fail_at, &fail_errno, &fail_count);
    is_reading = getenv("FAULT_READING") != NULL;
    poison = getenv("FAULT_POISON");
    if (trace_path)
        trace = syscall(SYS_openat, AT_FDCWD, trace_path,
                        O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    root_length = strlen(getenv("FAULT_ROOT") ? getenv("FAULT_ROOT") : "");
    root = root_length ? getenv("FAULT_ROOT") : NULL;
}

/* The path of an open file; empty where it has none. */
static void path_of(int file, char *path)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = 0;
}

/* The path of `name` below an open folder. */
static void path_at(int folder, const char *name, char *path)
{
    path[0] = 0;
    if (name[0] != '/' && folder != AT_FDCWD) path_of(folder, path);
    size_t length = strlen(path);
    snprintf(path + length, PATH_MAX - length, length ? "/%s" : "%s", name);
}

static int is_below_root(const char *path)
{
    return root && strncmp(path, root, root_length) == 0
        && (path[root_length] == '/' || path[root_length] == 0);
}

/* Counts one call; its number, 0 where it does not count. */
static long count(const char *name, const char *path, long bytes)
{
    char line[PATH_MAX + 128];
    if (!is_below_root(path)) return 0;
    long number = atomic_fetch_add(&calls, 1) + 1;
    int length = snprintf(line, sizeof line, "%ld %s %ld %s\n", number, name, bytes, path);
    if (trace >= 0) syscall(SYS_write, trace, line, length);
    return number;
}

static int dies(long number) { return number && number == kill_at; }

static int fails(long number)
{
    return fail_at && number >= fail_at && number < fail_at + fail_count;
}

static int is_short(long number)
{
    return short_at && number >= short_at && number < short_at + short_count;
}

/* Whether half of a write is done before it breaks. */
static int is_half_done(long number) { return dies(number) || (is_torn && fails(number)); }

static void die(void) { syscall(SYS_kill, syscall(SYS_getpid), SIGKILL); }

/* FS_IOC_SHUTDOWN without a flush of the journal; ext4 and XFS know it. */
static void cut_power(void)
{
    unsigned without_flush = 2;
    int folder = syscall(SYS_openat, AT_FDCWD, root, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    syscall(SYS_ioctl, folder, _IOR('X', 125, unsigned), &without_flush);
    die();
}

/* Whether the call is to be broken. Comes back only where the process lives on. */
static int is_broken(long number)
{
    if (number && number == cut_at) cut_power();
    if (dies(number)) die();
    if (number && every && number % every == 0) {
        static const int errors[] = {EIO, ENOSPC, EMFILE, EACCES};
        errno = errors[number / every % 4];
        return 1;
    }
    if (!fails(number)) return 0;
    errno = fail_errno;
    return 1;
}

static int is_broken_at(const char *name, int folder, const char *entry)
{
    char path[PATH_MAX + 64];
    path_at(folder, entry, path);
    return is_broken(count(name, path, 0));
}

static int is_broken_for(const char *name, int file)
{
    char path[PATH_MAX];
    path_of(file, path);
    return is_broken(count(name, path, 0));
}

static int exists(int folder, const char *name)
{
    return syscall(SYS_faccessat, folder, name, F_OK) == 0;
}

/* MARK: Content */

ssize_t write(int file, const void *bytes, size_t length)
{
    char path[PATH_MAX];
    path_of(file, path);
    long number = count("write", path, length);
    if (is_short(number) && length > 1) length /= 2;
    if (is_half_done(number)) syscall(SYS_write, file, bytes, length / 2);
    return is_broken(number) ? -1 : syscall(SYS_write, file, bytes, length);
}

ssize_t writev(int file, const struct iovec *parts, int parts_count)
{
    char path[PATH_MAX];
    path_of(file, path);
    long number = count("writev", path, 0);
    if (is_half_done(number)) syscall(SYS_writev, file, parts, parts_count / 2);
    if (is_broken(number)) return -1;
    int done = is_short(number) && parts_count > 1 ? parts_count / 2 : parts_count;
    return syscall(SYS_writev, file, parts, done);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset)
{
    char path[PATH_MAX];
    path_of(file, path);
    long number = count("pwrite", path, length);
    if (is_short(number) && length > 1) length /= 2;
    if (is_half_done(number)) syscall(SYS_pwrite64, file, bytes, length / 2, offset);
    return is_broken(number) ? -1 : syscall(SYS_pwrite64, file, bytes, length, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset)
{
    return pwrite64(file, bytes, length, offset);
}

int ftruncate64(int file, off64_t length)
{
    return is_broken_for("ftruncate", file) ? -1 : syscall(SYS_ftruncate, file, length);
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int fsync(int file) { return is_broken_for("fsync", file) ? -1 : syscall(SYS_fsync, file); }

int fdatasync(int file)
{
    return is_broken_for("fdatasync", file) ? -1 : syscall(SYS_fdatasync, file);
}

/* Runs out of stack, as a parser does that calls itself for every level of a text. */
static int descend(volatile int depth)
{
    volatile char level[4096];
    level[depth % sizeof level] = 1;
    return depth < 0 ? 0 : descend(depth + 1) + level[0];
}

static ssize_t swallowed(const void *bytes, ssize_t length)
{
    if (poison && length > 0 && memmem(bytes, length, poison, strlen(poison))) descend(0);
    return length;
}

ssize_t read(int file, void *bytes, size_t length)
{
    if (is_reading && is_broken_for("read", file)) return -1;
    return swallowed(bytes, syscall(SYS_read, file, bytes, length));
}

ssize_t pread64(int file, void *bytes, size_t length, off64_t offset)
{
    if (is_reading && is_broken_for("pread", file)) return -1;
    return swallowed(bytes, syscall(SYS_pread64, file, bytes, length, offset));
}

ssize_t pread(int file, void *bytes, size_t length, off_t offset)
{
    return pread64(file, bytes, length, offset);
}

/* MARK: Names */

static int open_at(int folder, const char *name, int flags, mode_t mode)
{
    if (((flags & O_CREAT) || is_reading) && is_broken_at("open", folder, name)) return -1;
    return syscall(SYS_openat, folder, name, flags, mode);
}

static mode_t mode_of(int flags, va_list rest)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, unsigned) : 0;
}

#define OPEN(folder, name, flags)                        \
    va_list rest;                                        \
    va_start(rest, flags);                               \
    mode_t mode = mode_of(flags, rest);                  \
    va_end(rest);                                        \
    return open_at(folder, name, flags, mode)

int open(const char *name, int flags, ...) { OPEN(AT_FDCWD, name, flags); }
int open64(const char *name, int flags, ...) { OPEN(AT_FDCWD, name, flags); }
int openat(int folder, const char *name, int flags, ...) { OPEN(folder, name, flags); }
int openat64(int folder, const char *name, int flags, ...) { OPEN(folder, name, flags); }

int renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
    if (is_broken_at("rename", to, new)) return -1;
    return syscall(SYS_renameat2, from, old, to, new, flags);
}

int renameat(int from, const char *old, int to, const char *new)
{
    return renameat2(from, old, to, new, 0);
}

int rename(const char *old, const char *new)
{
    return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0);
}

int linkat(int from, const char *old, int to, const char *new, int flags)
{
    if (is_broken_at("link", to, new)) return -1;
    return syscall(SYS_linkat, from, old, to, new, flags);
}

int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }

int unlinkat(int folder, const char *name, int flags)
{
    if (exists(folder, name) && is_broken_at("unlink", folder, name)) return -1;
    return syscall(SYS_unlinkat, folder, name, flags);
}

int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }

int mkdirat(int folder, const char *name, mode_t mode)
{
    if (!exists(folder, name) && is_broken_at("mkdir", folder, name)) return -1;
    return syscall(SYS_mkdirat, folder, name, mode);
}

int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }
