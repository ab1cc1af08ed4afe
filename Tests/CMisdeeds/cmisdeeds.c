#define _GNU_SOURCE
#include "cmisdeeds.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

void cmisdeed_open(void) { open("/etc/passwd", O_RDONLY); }

void cmisdeed_read_memory_of_owner(void) {
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    process_vm_readv(getppid(), &here, 1, &there, 1, 0);
}

void cmisdeed_socket(void) { socket(AF_INET, SOCK_STREAM, 0); }

void cmisdeed_fork(void) { fork(); }

void cmisdeed_exec(void) {
    char *const arguments[] = {"/bin/true", NULL};
    execv(arguments[0], arguments);
}

void cmisdeed_ptrace_owner(void) { ptrace(PTRACE_ATTACH, getppid(), NULL, NULL); }

void cmisdeed_kill_owner(void) { kill(getppid(), SIGTERM); }

void cmisdeed_signal_owner(void) { tgkill(getppid(), getppid(), SIGABRT); }

static void *idle(void *unused) { return unused; }

void cmisdeed_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, idle, NULL);
}

void cmisdeed_run_data(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

void cmisdeed_disarm_lifeline(void) { fcntl(3, F_SETFL, 0); }

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

static int closed(int descriptor) {
    if (descriptor < 0) return errno;
    close(descriptor);
    return 0;
}

int cmisdeed_read(const char *path) { return closed(open(path, O_RDONLY)); }

int cmisdeed_write(const char *path) { return closed(open(path, O_WRONLY | O_CREAT, 0644)); }

int cmisdeed_read_below(const char *folder, const char *name) {
    int below = open(folder, O_RDONLY | O_DIRECTORY);
    if (below < 0) return errno;
    int result = closed(openat(below, name, O_RDONLY));
    close(below);
    return result;
}

void cmisdeed_unlink(const char *path) { unlink(path); }

void cmisdeed_link(const char *path, const char *other) {
    if (link(path, other) != 0) return;
}

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
