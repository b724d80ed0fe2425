// SPDX-License-Identifier: GPL-3.0-or-later
// stepcount [-f] [-q] [-m PATH]... OUT PROGRAM ARGS...: runs a program in single steps,
// all of its threads, and writes into OUT how often each instruction was executed. It is
// the judge of the kind instructions: it knows nothing of blocks, flow and compilers.
//
// Lines of OUT:
//     PATH ADDRESS COUNT               executions of the instruction; PATH as in
//                                      /proc/PID/maps, ADDRESS as in the ELF file
//     # iterations PATH ADDRESS COUNT  of a repeated string instruction, which counts as
//                                      executed once for all its iterations
//     # faults PATH ADDRESS COUNT      executions that a fault stopped, which are not
//                                      among the others (SIGSEGV, SIGFPE, ...)
//     # elsewhere COUNT                executions outside of all files
//     # odd COUNT                      stops that this program does not understand: 0
//
// -f: child processes are counted, too; otherwise they run as always. -m: only these
// modules are written. -q: while a process has one thread, and this is in no module of
// -m, it runs freely; the code of these modules is locked meanwhile (stepfree.h).
// Exit status: the program's, or 128 and the signal that ended it.
//
// An instruction is counted when the step that it was has ended, by the address at which
// its thread stood before. Signals reach the program as always; the kernel stops a thread
// again at the start of a handler, before the first instruction.

#define _GNU_SOURCE
#include "stepcpu.h"
#include "stepfree.h"
#include "stepmaps.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    IDS = 1 << 22,
    EXIT_SIGNAL = 128,
    OUTSIDE_STEPS = 50, // before a thread runs freely, which costs as much as a few steps
};

typedef struct Thread {
    StepSpace *space;
    uint64_t from;   // where it stood before the step
    uint64_t beyond; // stepcpu_beyond
    bool steps;      // its step has begun
    bool repeats;    // the step is an iteration
    bool begun;      // it has stopped once
    // What -q needs:
    bool called;  // its last step was a system call, which the kernel may restart
    int outside;  // steps since it was in a counted module
    bool free;    // it runs freely
    bool in_call; // and is in a system call
    long skipped; // which is skipped
} Thread;

static Thread *threads[IDS];
static StepSpace *spaces[IDS]; // by process
static uint64_t elsewhere, odd;
static bool quick;

static void *allocate(size_t size)
{
    void *memory = calloc(1, size);
    if (memory == NULL)
        err(1, "no memory");
    return memory;
}

static pid_t process_of(pid_t thread)
{
    char path[64], line[256];
    int process = thread;
    snprintf(path, sizeof path, "/proc/%d/status", thread);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return thread;
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "Tgid: %d", &process) == 1)
            break;
    fclose(file);
    return process;
}

static Thread *thread_get(pid_t id)
{
    if (threads[id] == NULL) {
        pid_t process = process_of(id);
        if (spaces[process] == NULL)
            spaces[process] = allocate(sizeof *spaces[process]);
        threads[id] = allocate(sizeof *threads[id]);
        threads[id]->space = spaces[process];
        spaces[process]->threads++;
    }
    return threads[id];
}

static void thread_drop(pid_t id)
{
    if (threads[id] != NULL)
        threads[id]->space->threads--;
    free(threads[id]);
    threads[id] = NULL;
}

// The counters of the instruction at an address, with its class.
static StepCounts *find(pid_t id, uint64_t address)
{
    StepCounts *counts = stepmaps_find(threads[id]->space, id, address);
    if (counts == NULL || counts->class != STEP_UNKNOWN)
        return counts;
    unsigned char code[STEPCPU_BYTES] = {0};
    for (size_t i = 0; i < sizeof code; i += sizeof(long)) {
        errno = 0;
        long word = ptrace(PTRACE_PEEKTEXT, id, address + i, 0);
        if (errno == 0)
            memcpy(code + i, &word, sizeof word);
    }
    counts->class = (unsigned char)stepcpu_class(code);
    counts->inside = stepmaps_is_counted(counts);
    return counts;
}

// Counts the instruction that the thread executed to come to PC. CODE: si_code, or 0.
static void count(pid_t id, uint64_t pc, int code)
{
    Thread *thread = threads[id];
    if (!thread->steps)
        return;
    thread->steps = false;
    uint64_t executed = stepcpu_executed(thread->from, pc, code);
    StepCounts *counts = find(id, executed);
    if (counts == NULL) {
        elsewhere++;
        return;
    }
    thread->called = counts->class == STEP_SYSCALL;
    if (counts->class == STEP_REPEAT) {
        counts->iterations += thread->repeats;
        counts->executed += pc != executed;
    } else
        counts->executed++;
    if (counts->class == STEP_SAVES_FLAGS)
        stepcpu_hide_step(id);
    if (counts->class == STEP_SYSCALL && stepcpu_mapped(id))
        thread->space->known = false;
    if (thread->beyond != 0 && (counts = find(id, thread->beyond)) != NULL)
        counts->executed++;
}

// The thread stands at PC, where its next step begins.
static void stand(pid_t id, uint64_t pc)
{
    Thread *thread = threads[id];
    thread->from = pc;
    thread->steps = true;
    thread->beyond = stepcpu_beyond(id, pc);
    const StepCounts *counts = find(id, pc);
    thread->repeats =
        counts != NULL && counts->class == STEP_REPEAT && stepcpu_repeats(id);
}

static bool is_fault(const siginfo_t *info)
{
    int number = info->si_signo;
    return info->si_code > 0 && (number == SIGSEGV || number == SIGBUS ||
                                 number == SIGFPE || number == SIGILL);
}

// A signal has stopped the thread. Returns the signal that it is to have.
static int take_signal(pid_t id, int number)
{
    Thread *thread = threads[id];
    siginfo_t info;
    if (ptrace(PTRACE_GETSIGINFO, id, 0, &info) != 0)
        return 0;
    uint64_t pc = stepcpu_pc(id);
    if (number == SIGTRAP) {
        StepCounts *counts = find(id, thread->from);
        bool syscall = counts != NULL && counts->class == STEP_SYSCALL;
        if (stepcpu_is_step(info.si_code, syscall)) {
            count(id, pc, info.si_code);
            number = 0;
        } else if (stepcpu_is_breakpoint(info.si_code)) {
            count(id, pc, 0);
        } else if (info.si_code == SIGTRAP) // the start of a handler
            number = 0;
    } else if (pc != thread->from)
        odd++;
    else if (is_fault(&info)) {
        StepCounts *counts = find(id, pc);
        if (counts != NULL)
            counts->faults++;
    }
    stand(id, pc);
    return number;
}

// The program of the process is another one now. The kernel has given the thread, which
// was the thread FORMER, the identifier of its process.
static void take_exec(pid_t id, pid_t former)
{
    if (threads[former] != NULL) {
        StepCounts *counts = find(former, threads[former]->from);
        if (threads[former]->steps && counts != NULL)
            counts->executed++;
    }
    if (former != id)
        thread_drop(former);
    threads[id]->steps = false;
    threads[id]->space->known = false;
}

// The thread, which has run freely, is stepped again, from PC.
static void leave_free(pid_t id, uint64_t pc)
{
    Thread *thread = threads[id];
    stepfree_lock(id, thread->from, false);
    thread->free = thread->in_call = false;
    thread->outside = 0;
    thread->space->known = false;
    stand(id, pc);
    ptrace(PTRACE_SINGLESTEP, id, 0, 0);
}

// A thread that runs freely has stopped at the start or the end of a system call.
static void take_call(pid_t id)
{
    Thread *thread = threads[id];
    thread->in_call = !thread->in_call;
    if (thread->in_call)
        thread->skipped = stepcpu_skip(id);
    else if (thread->skipped != 0) {
        leave_free(id, stepcpu_again(id, thread->skipped));
        return;
    } else if (stepcpu_mapped(id))
        stepfree_lock(id, thread->from, true);
    ptrace(PTRACE_SYSCALL, id, 0, 0);
}

// A thread that runs freely has stopped.
static void take_free(pid_t id, int status)
{
    int number = WSTOPSIG(status), event = status >> 16;
    siginfo_t info;
    if (event == PTRACE_EVENT_EXIT)
        ptrace(PTRACE_CONT, id, 0, 0);
    else if (event == PTRACE_EVENT_STOP && number != SIGTRAP)
        ptrace(PTRACE_LISTEN, id, 0, 0);
    else if (event != 0)
        ptrace(PTRACE_SYSCALL, id, 0, 0);
    else if (number == (SIGTRAP | 0x80))
        take_call(id);
    else if (number == SIGSEGV && ptrace(PTRACE_GETSIGINFO, id, 0, &info) == 0 &&
             info.si_code == SEGV_ACCERR &&
             (uint64_t)(uintptr_t)info.si_addr == stepcpu_pc(id) &&
             stepfree_inside(id, stepcpu_pc(id)))
        leave_free(id, stepcpu_pc(id));
    else
        ptrace(PTRACE_SYSCALL, id, 0, number);
}

// A step of the thread has ended. Lets the thread run freely if it has been outside of
// the counted modules for a while.
static bool enter_free(pid_t id)
{
    Thread *thread = threads[id];
    const StepCounts *counts = find(id, thread->from);
    if (counts == NULL || counts->inside || thread->space->threads != 1) {
        thread->outside = 0;
        return false;
    }
    if (++thread->outside < OUTSIDE_STEPS || thread->called)
        return false;
    stepfree_lock(id, thread->from, true);
    thread->free = true;
    thread->steps = thread->in_call = false;
    thread->skipped = 0;
    ptrace(PTRACE_SYSCALL, id, 0, 0);
    return true;
}

// A thread has stopped. Lets it go on.
static void take_stop(pid_t id, int status)
{
    Thread *thread = thread_get(id);
    if (thread->free) {
        take_free(id, status);
        return;
    }
    bool known = thread->begun;
    thread->begun = true;
    int number = WSTOPSIG(status), event = status >> 16;
    unsigned long message = 0;
    switch (event) {
    case 0:
        number = take_signal(id, number);
        if (quick && number == 0 && enter_free(id))
            return;
        break;
    case PTRACE_EVENT_EXEC:
        ptrace(PTRACE_GETEVENTMSG, id, 0, &message);
        take_exec(id, (pid_t)message);
        number = 0;
        break;
    case PTRACE_EVENT_EXIT:
        // System calls that end a thread do not return: the thread stands behind them.
        if (thread->steps) {
            uint64_t pc = stepcpu_pc(id);
            if (pc != thread->from)
                count(id, pc, 0);
        }
        ptrace(PTRACE_CONT, id, 0, 0);
        return;
    case PTRACE_EVENT_STOP:
        if (number != SIGTRAP) {
            ptrace(PTRACE_LISTEN, id, 0, 0);
            return;
        }
        number = 0;
        if (!known)
            stand(id, stepcpu_pc(id));
        break;
    default: // a clone or a fork: the system call has not ended
        ptrace(PTRACE_GETEVENTMSG, id, 0, &message);
        thread_get((pid_t)message);
        number = 0;
    }
    // A thread that was killed meanwhile reports its end.
    ptrace(PTRACE_SINGLESTEP, id, 0, number);
}

// Starts the program, which waits until this process traces it.
static pid_t start(char **arguments, bool follow)
{
    int ready[2];
    if (pipe(ready) != 0)
        err(1, "pipe");
    pid_t child = fork();
    if (child < 0)
        err(1, "fork");
    if (child == 0) {
        char byte;
        close(ready[1]);
        if (read(ready[0], &byte, 1) < 0)
            err(127, "read");
        close(ready[0]);
        execvp(arguments[0], arguments);
        err(127, "%s", arguments[0]);
    }
    long options = PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT |
                   PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD |
                   (follow ? PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK : 0);
    if (ptrace(PTRACE_SEIZE, child, 0, options) != 0)
        err(1, "ptrace");
    close(ready[0]);
    close(ready[1]);
    return child;
}

// Before the program is executed, nothing is stepped.
static int wait_for_exec(pid_t child)
{
    int status;
    for (;;) {
        if (waitpid(child, &status, __WALL) != child)
            err(1, "waitpid");
        if (!WIFSTOPPED(status))
            return status;
        if (status >> 16 == PTRACE_EVENT_EXEC) {
            thread_get(child);
            return status;
        }
        ptrace(PTRACE_CONT, child, 0, status >> 16 ? 0 : WSTOPSIG(status));
    }
}

// Steps until all that is traced has ended. Returns the exit status of CHILD.
static int step_all(pid_t child)
{
    int status = wait_for_exec(child), result = status;
    pid_t id = child;
    do {
        if (WIFSTOPPED(status)) {
            take_stop(id, status);
            continue;
        }
        thread_drop(id);
        if (id == child)
            result = status;
    } while ((id = waitpid(-1, &status, __WALL)) > 0);
    return result;
}

int main(int argument_count, char **arguments)
{
    bool follow = false;
    char **only = allocate((size_t)argument_count * sizeof *only);
    int only_count = 0, option;
    while ((option = getopt(argument_count, arguments, "+fqm:")) != -1)
        switch (option) {
        case 'f':
            follow = true;
            break;
        case 'q':
            quick = true;
            break;
        case 'm':
            if ((only[only_count++] = realpath(optarg, NULL)) == NULL)
                err(1, "%s", optarg);
            break;
        default:
            optind = argument_count;
        }
    if (argument_count - optind < 2)
        errx(1, "usage: stepcount [-f] [-q] [-m PATH]... OUT PROGRAM ARGS...");
    if (quick && (only_count == 0 || !stepcpu_can_call()))
        errx(1, "-q needs -m, and is not for this processor");
    stepmaps_count_only(only, only_count);
    FILE *file = fopen(arguments[optind], "we");
    if (file == NULL)
        err(1, "%s", arguments[optind]);
    pid_t child = start(arguments + optind + 1, follow);
    signal(SIGINT, SIG_IGN); // the program's, which has the same terminal
    signal(SIGQUIT, SIG_IGN);
    int status = step_all(child);
    stepmaps_write(file);
    fprintf(file, "# elsewhere %" PRIu64 "\n# odd %" PRIu64 "\n", elsewhere, odd);
    if (fclose(file) != 0)
        err(1, "%s", arguments[optind]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SIGNAL + WTERMSIG(status);
}
