#include "clinux_process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static const int deadly[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};
enum { deadly_count = sizeof deadly / sizeof deadly[0], stack_size = 64 << 10 };

static struct sigaction actions_before[deadly_count];
static int crash_file = -1;
static off_t crash_offset;
static __thread volatile int64_t reading;

/// Only calls what signal-safety(7) allows.
static void note(int signal, siginfo_t *info, void *context) {
    (void)context;
    int error = errno;
    int is_sent = info->si_code <= 0;
    int64_t what = reading;
    // Nothing can be done about a failure.
    if (what != 0 && (!is_sent || info->si_pid == getpid()))
        if (pwrite(crash_file, &what, sizeof what, crash_offset) < 0) errno = 0;
    for (int index = 0; index < deadly_count; index++)
        if (deadly[index] == signal) sigaction(signal, &actions_before[index], NULL);
    // A fault happens again on return; what was sent, and what is over on return, has to be sent again.
    if (is_sent || signal == SIGTRAP || signal == SIGSYS) raise(signal);
    errno = error;
}

static int install(void) {
    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (int index = 0; index < deadly_count; index++)
        if (sigaction(deadly[index], &action, &actions_before[index]) != 0) return errno;
    return 0;
}

int clinux_note_crashes(int file, off_t offset) {
    int copy = fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return errno;
    int before = crash_file;
    int error = before < 0 ? install() : 0;
    if (error != 0) {
        close(copy);
        return error;
    }
    crash_offset = offset;
    crash_file = copy;
    if (before >= 0) close(before);
    return 0;
}

static pthread_key_t stack_key;
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;

static void free_stack(void *stack) {
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    munmap(stack, stack_size);
}

static void make_key(void) { pthread_key_create(&stack_key, free_stack); }

static void take_stack(void) {
    stack_t present;
    if (sigaltstack(NULL, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
    pthread_once(&stack_once, make_key);
    void *memory = mmap(
        NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack = {.ss_sp = memory, .ss_size = stack_size};
    if (sigaltstack(&stack, NULL) != 0 || pthread_setspecific(stack_key, memory) != 0) {
        stack.ss_flags = SS_DISABLE;
        sigaltstack(&stack, NULL);
        munmap(memory, stack_size);
    }
}

int64_t clinux_note_reading(int64_t what) {
    int64_t before = reading;
    if (what != 0) take_stack();
    reading = what;
    return before;
}
