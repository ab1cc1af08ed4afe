#define _GNU_SOURCE
#include "cmisdeeds.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// MARK: - Attempts: each returns 0, or the error with which it was refused

static int result(long value) { return value < 0 ? errno : 0; }

static int opened(int descriptor) {
    if (descriptor < 0) return errno;
    close(descriptor);
    return 0;
}

static int read_file(const char *path) { return opened(open(path, O_RDONLY)); }

/// Opens what `name` leads to from the folder of fonts.
static int open_from(const char *fonts, const char *name, int flags) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", fonts, name);
    return opened(open(path, flags, 0644));
}

static int read_font(const char *fonts) { return open_from(fonts, "names.conf", O_RDONLY); }

static int read_beside_fonts(const char *fonts) {
    return open_from(fonts, "../stickerd-worker", O_RDONLY);
}

static int write_file(const char *path) { return opened(open(path, O_WRONLY)); }

static int make_file(const char *fonts) { return open_from(fonts, "new", O_WRONLY | O_CREAT); }

static int change_font(const char *fonts) { return open_from(fonts, "names.conf", O_WRONLY); }

static int find_path(const char *path) { return opened(open(path, O_PATH)); }

// libc may have other calls for these, and x86-64 has older ones.
static int stat_path(const char *path) {
    struct stat status;
    return result(syscall(SYS_newfstatat, AT_FDCWD, path, &status, 0));
}

static int statx_path(const char *path) {
    char status[256];
    return result(syscall(SYS_statx, AT_FDCWD, path, 0, 0xfff, status));
}

/// An answer that is the same for each path says nothing.
static int told_apart(long there, long absent) { return there == 0 && absent < 0 ? 0 : EACCES; }

static int access_path(const char *path) {
    long there = syscall(SYS_faccessat, AT_FDCWD, path, F_OK);
    return told_apart(there, syscall(SYS_faccessat, AT_FDCWD, "/nowhere", F_OK));
}

static int read_link(const char *path) {
    char target[16];
    return result(syscall(SYS_readlinkat, AT_FDCWD, path, target, sizeof target));
}

#if defined(__x86_64__)
static int old_stat(const char *path) {
    struct stat status;
    return result(syscall(SYS_stat, path, &status));
}

static int old_access(const char *path) {
    long there = syscall(SYS_access, path, F_OK);
    return told_apart(there, syscall(SYS_access, "/nowhere", F_OK));
}

static int old_read_link(const char *path) {
    char target[16];
    return result(syscall(SYS_readlink, path, target, sizeof target));
}
#endif

/// In a folder where everybody may look.
static int tell_whether_there_is(const char *unused) {
    return read_file("/etc/passwd") == read_file("/etc/passwd.absent") ? EACCES : 0;
}

static int remove_file(const char *path) { return result(unlink(path)); }

static int rename_file(const char *path) { return result(rename(path, path)); }

static int link_file(const char *path) { return result(link(path, path)); }

static int make_folder(const char *path) { return result(mkdir(path, 0755)); }

static int change_mode(const char *path) { return result(chmod(path, 0777)); }

static int open_socket(const char *unused) { return opened(socket(AF_INET, SOCK_STREAM, 0)); }

static int open_local_socket(const char *unused) { return opened(socket(AF_UNIX, SOCK_STREAM, 0)); }

/// Also takes files that others send it.
static int receive(const char *unused) {
    char byte;
    return result(recv(4, &byte, 1, MSG_DONTWAIT));
}

static int start_process(const char *unused) { return result(fork()); }

static int run_program(const char *unused) {
    char *const arguments[] = {"/bin/true", NULL};
    return result(execv(arguments[0], arguments));
}

static void *idle(void *unused) { return unused; }

static int start_thread(const char *unused) {
    pthread_t thread;
    return pthread_create(&thread, NULL, idle, NULL);
}

static int run_data(const char *unused) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return result(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

static int read_memory_of_owner(const char *unused) {
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    return result(process_vm_readv(getppid(), &here, 1, &there, 1, 0));
}

static int trace_owner(const char *unused) {
    return result(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
}

static int signal_owner(const char *unused) { return result(kill(getppid(), SIGTERM)); }

static int abort_owner(const char *unused) {
    return result(syscall(SYS_tgkill, getppid(), getppid(), SIGABRT));
}

static int disarm_lifeline(const char *unused) { return result(fcntl(3, F_SETFL, 0)); }

static int close_lifeline(const char *unused) { return result(close(3)); }

static int become_root(const char *unused) { return result(setuid(0)); }

static int enter_namespace(const char *unused) { return result(unshare(CLONE_NEWUSER)); }

static int raise_limits(const char *unused) {
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return result(setrlimit(RLIMIT_CPU, &limit));
}

static int make_pipe(const char *unused) {
    int ends[2];
    return result(pipe(ends));
}

static int make_memory_file(const char *unused) { return opened((int)syscall(SYS_memfd_create, "", 0)); }

static int tell_time(const char *unused) {
    struct timespec time;
    return result(clock_gettime(CLOCK_REALTIME, &time));
}

static int ask_for_load(const char *unused) {
    struct sysinfo info;
    return result(sysinfo(&info));
}

static const struct {
    const char *name;
    int (*attempt)(const char *path);
    bool takes_fonts;
} attempts[] = {
    {"read a file", read_file, false},
    {"read a font", read_font, true},
    {"read beside the fonts", read_beside_fonts, true},
    {"write a file", write_file, false},
    {"make a file", make_file, true},
    {"change a font", change_font, true},
    {"find a path", find_path, false},
    {"tell whether a file exists", tell_whether_there_is, false},
    {"stat a path", stat_path, false},
    {"statx a path", statx_path, false},
    {"access a path", access_path, false},
    {"read a link", read_link, false},
#if defined(__x86_64__)
    {"stat a path of old", old_stat, false},
    {"access a path of old", old_access, false},
    {"read a link of old", old_read_link, false},
#endif
    {"remove a file", remove_file, false},
    {"rename a file", rename_file, false},
    {"link a file", link_file, false},
    {"make a folder", make_folder, false},
    {"change a mode", change_mode, false},
    {"open a socket", open_socket, false},
    {"open a local socket", open_local_socket, false},
    {"receive", receive, false},
    {"make a pipe", make_pipe, false},
    {"start a process", start_process, false},
    {"run a program", run_program, false},
    {"start a thread", start_thread, false},
    {"run data", run_data, false},
    {"read its owner's memory", read_memory_of_owner, false},
    {"trace its owner", trace_owner, false},
    {"signal its owner", signal_owner, false},
    {"abort its owner", abort_owner, false},
    {"disarm the lifeline", disarm_lifeline, false},
    {"close the lifeline", close_lifeline, false},
    {"become root", become_root, false},
    {"enter a namespace", enter_namespace, false},
    {"raise its limits", raise_limits, false},
    {"make a memory file", make_memory_file, false},
    {"tell the time", tell_time, false},
    {"ask for the load", ask_for_load, false},
};

const char *cmisdeed_name(int number) {
    int count = sizeof attempts / sizeof *attempts;
    return number >= 0 && number < count ? attempts[number].name : NULL;
}

int cmisdeed_attempt(int number, const char *file, const char *fonts) {
    return attempts[number].attempt(attempts[number].takes_fonts ? fonts : file);
}

// MARK: - Crashes

void cmisdeed_null_pointer(void) { *(volatile int *)NULL = 1; }

int cmisdeed_depth(volatile char *below) {
    volatile char room[1 << 16];
    room[0] = *below;
    return cmisdeed_depth(room) + room[0];
}

void cmisdeed_stack_overflow(void) {
    volatile char start = 0;
    cmisdeed_depth(&start);
}

void cmisdeed_sleep(void) {
    int word = 0;
    struct timespec time = {0, 100000000};
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, &time, NULL, 0);
}

// MARK: - Kernels

int cmisdeed_lose_landlock(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// MARK: - Neighbours

/// Sends `file` `count` times in one message that is never received.
static int leave_in_flight(int file, int count) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return -1;
    char byte = 0;
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(64 * sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
        .msg_controllen = CMSG_SPACE((size_t)count * sizeof(int))};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
    for (int i = 0; i < count; i++) memcpy(CMSG_DATA(header) + (size_t)i * sizeof(int), &file, sizeof file);
    return sendmsg(ends[0], &message, 0) < 0 ? -1 : 0;
}

int cmisdeed_crowd(void) {
    int ready[2];
    if (pipe(ready) != 0) return -1;
    pid_t neighbour = fork();
    if (neighbour < 0) return -1;
    if (neighbour == 0) {
        // The user of a locked worker, who stays root where root is the only one.
        if (geteuid() == 0 && setuid(65534) != 0 && errno != EINVAL) _exit(1);
        if (leave_in_flight(ready[0], 60) != 0 || write(ready[1], "!", 1) != 1) _exit(1);
        sleep(1);
        _exit(0);
    }
    close(ready[1]);
    char byte;
    ssize_t length = read(ready[0], &byte, 1);
    close(ready[0]);
    return length == 1 ? 0 : -1;
}
