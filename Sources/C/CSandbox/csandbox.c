#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Builds with a sanitizer, which are for tests alone: it keeps its notes in terabytes of addresses, and looks
// for leaks in ways that no worker may.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
const char *__asan_default_options(void) { return "detect_leaks=0"; }
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

// MARK: - Signals and the lifeline

/// Swift's own handlers would start a backtracer, which the filter forbids: a crash must keep its signal.
static void reset_signals(void) {
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT, SIGSYS};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) signal(fatal[i], SIG_DFL);
}

static int arm_lifeline(int lifeline) {
    int flags = fcntl(lifeline, F_GETFL);
    if (flags < 0 || fcntl(lifeline, F_SETOWN, getpid()) != 0 ||
        fcntl(lifeline, F_SETSIG, SIGKILL) != 0 ||
        fcntl(lifeline, F_SETFL, flags | O_ASYNC | O_NONBLOCK) != 0)
        return -1;
    char unused;
    if (read(lifeline, &unused, 1) == 0) _exit(3); // the owner ended before the line was armed
    return 0;
}

// MARK: - Privileges and limits

/// If the kernel needs memory it takes it from a worker, whose picture can be tried again.
static void offer_to_the_oom_killer(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    if (write(file, "1000", 4) < 0) { /* not offered: a service manager has set the bounds */ }
    close(file);
}

static int drop_privileges(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    // Those who change their user become dumpable or not as the machine's fs.suid_dumpable says.
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

enum { NOBODY = 65534 };

/// Root's files are readable for root even without capabilities. Where nobody has no number (a user namespace that knows
/// its root alone) uid 0 is an ordinary user outside, and stays.
static int stop_being_root(void) {
    uid_t real, effective, saved;
    if (getresuid(&real, &effective, &saved) != 0) return -1;
    if (real != 0 && effective != 0 && saved != 0) return 0;
    // A namespace may deny the groups and not the user.
    if (setgroups(0, NULL) != 0 && errno != EPERM) return -1;
    if (setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0) return 0;
    return errno == EINVAL ? 0 : -1;
}

/// Those that root has without asking are gone with its user; others may have been given by a service manager.
static int drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3], none[_LINUX_CAPABILITY_U32S_3] = {0};
    if (syscall(SYS_capget, &header, sets) != 0) return -1;
    // A service manager that leaves none may forbid the call, too.
    if (memcmp(sets, none, sizeof none) == 0) return 0;
    return (int)syscall(SYS_capset, &header, none);
}

static int set_limit(int resource, rlim_t soft, rlim_t hard) {
    struct rlimit limit = {soft, hard};
    return setrlimit(resource, &limit);
}

enum { DESCRIPTORS_MAX = 32 };

static int set_limits(const struct csandbox_limits *limits) {
    if (set_limit(RLIMIT_CORE, 0, 0) != 0) return -1;
    if (set_limit(RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes) != 0) return -1;
    // Memory files that are not mapped are no address space: their number times their size is the bound.
    if (set_limit(RLIMIT_NOFILE, DESCRIPTORS_MAX, DESCRIPTORS_MAX) != 0) return -1;
    if (set_limit(RLIMIT_CPU, limits->cpu_seconds, limits->cpu_seconds + 1) != 0) return -1;
    if (SANITIZED) return 0;
    return set_limit(RLIMIT_AS, limits->memory_bytes, limits->memory_bytes);
}

// MARK: - Landlock: no path at all, or one folder to read

/// As linux/landlock.h of ABI 6, newer than that of Debian 12.
struct ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

/// As in the same header: rights below a folder that is open.
struct path_rule {
    uint64_t allowed_access;
    int32_t parent_fd;
} __attribute__((packed));

static int allow_reading(int ruleset, int folder) {
    struct path_rule rule = {1u << 2 | 1u << 3, folder}; // READ_FILE, READ_DIR
    return (int)syscall(
        SYS_landlock_add_rule, ruleset, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0);
}

/// Every right that `abi` of the kernel knows is handled, and none is granted but those to read `folder`, which may be
/// -1.
static int deny_paths(int folder) {
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
    if (abi < 1) return -1;
    struct ruleset rules = {0x1fff, 0, 0};              // EXECUTE to MAKE_SYM
    if (abi >= 2) rules.handled_access_fs |= 1u << 13;  // REFER
    if (abi >= 3) rules.handled_access_fs |= 1u << 14;  // TRUNCATE
    if (abi >= 5) rules.handled_access_fs |= 1u << 15;  // IOCTL_DEV
    if (abi >= 4) rules.handled_access_net = 3;         // BIND_TCP, CONNECT_TCP
    if (abi >= 6) rules.scoped = 3;                     // abstract sockets, signals
    size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    int descriptor = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (descriptor < 0) return -1;
    // If the folder cannot be granted, still nothing else is.
    int granted = folder < 0 ? 0 : allow_reading(descriptor, folder);
    long result = syscall(SYS_landlock_restrict_self, descriptor, 0);
    if (granted != 0) result = -1;
    int error = errno;
    close(descriptor);
    errno = error;
    return result == 0 ? 0 : -1;
}

// MARK: - seccomp: an allow-list

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the system call filter knows x86-64 and arm64"
#endif

#define NUMBER offsetof(struct seccomp_data, nr)
#define MACHINE offsetof(struct seccomp_data, arch)
#define ARGUMENT(n) (offsetof(struct seccomp_data, args) + 8 * (n)) // the low half: little-endian
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (field))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define ALLOW(name) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), RETURN(SECCOMP_RET_ALLOW)
/// Allows a call that maps memory unless the pages could be executed; its third argument is the rights.
#define ALLOW_DATA(name)                                       \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4),    \
        LOAD(ARGUMENT(2)),                                     \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), \
        RETURN(SECCOMP_RET_KILL_PROCESS), RETURN(SECCOMP_RET_ALLOW)
/// Allows abort() its signal to the process itself, and none to others.
#define ALLOW_ABORT(self)                                         \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 6),       \
        LOAD(ARGUMENT(0)),                                        \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(self), 0, 3), \
        LOAD(ARGUMENT(2)),                                        \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SIGABRT, 0, 1),       \
        RETURN(SECCOMP_RET_ALLOW), RETURN(SECCOMP_RET_KILL_PROCESS)
/// Allows everything to be closed but the lifeline, which would be disarmed by it.
#define ALLOW_CLOSE(lifeline)                                     \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_close, 0, 4),        \
        LOAD(ARGUMENT(0)),                                        \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(lifeline), 0, 1), \
        RETURN(SECCOMP_RET_KILL_PROCESS), RETURN(SECCOMP_RET_ALLOW)

/// F_ADD_SEALS, F_GETFD and F_GETFL: nothing that arms a signal or duplicates a descriptor.
#define ALLOW_SOME_FCNTL                                          \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fcntl, 0, 6),        \
        LOAD(ARGUMENT(1)),                                        \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_ADD_SEALS, 2, 0),   \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFD, 1, 0),       \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFL, 0, 1),       \
        RETURN(SECCOMP_RET_ALLOW), RETURN(SECCOMP_RET_KILL_PROCESS)

/// Allows what starts a thread, not what starts a process. The flags of clone3 lie in memory, where a filter
/// cannot look: glibc takes its absence for an older kernel and calls clone.
#define ALLOW_THREADS                                                \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4),           \
        LOAD(ARGUMENT(0)),                                           \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),    \
        RETURN(SECCOMP_RET_ALLOW), RETURN(SECCOMP_RET_KILL_PROCESS), \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),          \
        RETURN(SECCOMP_RET_ERRNO | ENOSYS),                          \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_prctl, 0, 4),           \
        LOAD(ARGUMENT(0)),                                           \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_NAME, 0, 1),      \
        RETURN(SECCOMP_RET_ALLOW), RETURN(SECCOMP_RET_KILL_PROCESS)

/// Answers a call without making it.
#define REFUSE(name, error) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), \
        RETURN(SECCOMP_RET_ERRNO | (error))
/// Says yes without a look. Cairo asks whether it may read a font, and then opens it: that is what is decided.
#define AGREE(name) REFUSE(name, 0)
/// Allows files to be opened for reading; Landlock says which, once the path is found: the error tells whether it is.
#define ALLOW_READING                                                                       \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 4),                                 \
        LOAD(ARGUMENT(2)),                                                                  \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_ACCMODE | O_CREAT | O_TRUNC | O_PATH, 0, 1), \
        RETURN(SECCOMP_RET_ERRNO | EACCES), RETURN(SECCOMP_RET_ALLOW)

/// Allows a descriptor to be marked for exec, which there is not. Other uses of fcntl are left to the rules that
/// follow.
#define ALLOW_CLOSE_ON_EXEC                                     \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fcntl, 0, 4),      \
        LOAD(ARGUMENT(1)),                                      \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETFD, 0, 1),     \
        RETURN(SECCOMP_RET_ALLOW), LOAD(NUMBER)

/// The parts of the list, one behind the other.
struct list {
    struct sock_filter *whole;
    size_t count;
};

static void append(struct list *list, const struct sock_filter *part, size_t bytes) {
    memcpy(list->whole + list->count, part, bytes);
    list->count += bytes / sizeof *part;
}

static int filter_calls(int lifeline, const struct csandbox_limits *limits) {
    struct sock_filter start[] = {
        LOAD(MACHINE),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(NUMBER),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), // the x32 calls of x86-64
        RETURN(SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_filter filter[] = {
        // Bytes through descriptors that are open already.
        ALLOW(read), ALLOW(pread64), ALLOW(write), ALLOW(sendmsg), ALLOW_CLOSE(lifeline), ALLOW(lseek),
        ALLOW(ftruncate), ALLOW(fstat), ALLOW(memfd_create), ALLOW_SOME_FCNTL,
        // The one call of libc's fstat, and with a path the question whether it is there.
        REFUSE(newfstatat, EACCES),
        // Memory without code in it.
        ALLOW(brk), ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW_DATA(mmap),
        ALLOW_DATA(mprotect),
        // Time, chance, figures of the machine (qsort asks for its memory).
        ALLOW(clock_gettime), ALLOW(gettimeofday), ALLOW(getrandom), ALLOW(sysinfo), ALLOW(futex),
        ALLOW(sched_yield), ALLOW(getrusage),
        // Ends, good and bad: abort() sends the signal to itself.
        ALLOW(getpid), ALLOW(gettid), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn),
        ALLOW(rt_sigaction), ALLOW_ABORT(getpid()),
        ALLOW(exit), ALLOW(exit_group),
#if SANITIZED
        ALLOW(sigaltstack),
#endif
    };
    struct sock_filter thread_calls[] = {
        ALLOW_THREADS, ALLOW(set_robust_list), ALLOW(rseq), ALLOW(sched_getaffinity), ALLOW(sigaltstack),
    };
    // Fonts are read, and not looked for. GLib asks whether its log is the journal's socket, or a terminal.
    struct sock_filter folder_calls[] = {
        ALLOW_READING, ALLOW_CLOSE_ON_EXEC, ALLOW(fadvise64), AGREE(faccessat),
        REFUSE(readlinkat, EACCES), REFUSE(getcwd, ENOENT), REFUSE(getpeername, ENOTSOCK),
        REFUSE(ioctl, ENOTTY),
#if defined(__x86_64__) // the others have the calls with descriptors alone
        AGREE(access), REFUSE(readlink, EACCES),
#endif
    };
    struct sock_filter end[] = {RETURN(SECCOMP_RET_KILL_PROCESS)};
    enum {
        BYTES = sizeof start + sizeof folder_calls + sizeof filter + sizeof thread_calls + sizeof end
    };
    struct sock_filter whole[BYTES / sizeof *filter];
    struct list list = {whole, 0};
    append(&list, start, sizeof start);
    if (limits->readable_folder >= 0) append(&list, folder_calls, sizeof folder_calls);
    append(&list, filter, sizeof filter);
    if (limits->threads) append(&list, thread_calls, sizeof thread_calls);
    append(&list, end, sizeof end);
    struct sock_fprog program = {(unsigned short)list.count, whole};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

// MARK: - The lock

static int layer(int result, int bit, int *error) {
    if (result == 0) return 0;
    if (*error == 0) *error = errno;
    return 1 << bit;
}

int csandbox_lock(const struct csandbox_limits *limits, int lifeline, int *error) {
    *error = 0;
    tzset(); // lcms2 asks for the date when it makes a profile, and libc would open a file for it
    reset_signals();
    offer_to_the_oom_killer(); // while the process is dumpable; afterwards the file is root's
    int missing = layer(stop_being_root(), CSANDBOX_USER, error);
    missing |= layer(drop_capabilities(), CSANDBOX_CAPABILITIES, error);
    // The kernel sends the signal for the user who arms it, and root of a namespace may signal no other user.
    missing |= layer(arm_lifeline(lifeline), CSANDBOX_LIFELINE, error);
    missing |= layer(drop_privileges(), CSANDBOX_PRIVILEGES, error);
    missing |= layer(set_limits(limits), CSANDBOX_LIMITS, error);
    return missing | layer(deny_paths(limits->readable_folder), CSANDBOX_LANDLOCK, error);
}

int csandbox_filter(const struct csandbox_limits *limits, int lifeline, int *error) {
    *error = 0;
    return layer(filter_calls(lifeline, limits), CSANDBOX_SECCOMP, error);
}

// MARK: - fstat

/// In place of libc's, also for the libraries of a worker: that of Debian 12 asks by the call that takes paths, too.
int fstat(int descriptor, struct stat *status) {
    return (int)syscall(SYS_fstat, descriptor, status);
}

int fstat64(int descriptor, struct stat64 *status) {
    return (int)syscall(SYS_fstat, descriptor, status);
}
