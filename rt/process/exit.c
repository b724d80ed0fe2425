/* SPDX-License-Identifier: MIT */
/* Ends the run: stops sampling, waits for handlers that are still running, and writes
   the profile. Owns the handlers of the signals that end the program. The
   constructor calls install. The replacements of libc's signal functions call
   sigaction and shown. The other functions are called when the program ends, in any
   thread. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "rt/process/exit.h"
#include "rt/os/libc.h"
#include "rt/os/lock.h"
#include "rt/os/memory.h"
#include "rt/os/proc.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/unwind/cpu.h"
#include "rt/sampler/engine.h"
#include "rt/sampler/sampler.h"
#include "rt/count/counts.h"
#include "rt/heap/heap.h"
#include "rt/symbolize/chain.h"
#include "rt/symbolize/trace.h"
#include "rt/process/children.h"
#include "rt/process/gate.h"
#include "rt/process/run.h"
#include "rt/process/sigprof.h"
#include "rt/process/write.h"

#define MILLISECOND 1000000

/* The space for the runtime's handlers on an alternate stack, and the most for a
   program's handlers, in bytes. */
#define EXIT_STACK      ((size_t)64 << 10)
#define EXIT_STACK_MOST ((size_t)8 << 20)

/* How long to wait while another thread writes, in milliseconds. */
#define END_PATIENCE 10000

/* Reports data that are missing in the file. */
static void end_report_missing(void)
{
    ccprof_trace_end();
    if (ccprof_run.samples && ccprof_run.signal_is_ours && !ccprof_run.signal_is_ours())
        ccprof_say_missing("the program has taken SIGPROF: samples are missing", NULL);
    if (ccprof_counts_are_switched())
        ccprof_say(
            "the program changes stacks without swapcontext, or moves fibres between "
            "threads: there are no inclusive counts",
            NULL);
}

static void end_write(bool orderly)
{
    end_report_missing();
    if (orderly)
        ccprof_run.uncounted = ccprof_handler_gather_unregistered();
    if (ccprof_run.signal_is_ours)
        ccprof_sampler_stop();
    ccprof_run_wait_for(&ccprof_run.handlers);
    ccprof_handler_estimate_rest(ccprof_remainder_missed(true));
    ccprof_gate_close();
    ccprof_write_end(orderly);
}

static bool end_is_being_written(int phase)
{
    return phase == CCPROF_PHASE_WRITING || phase == CCPROF_PHASE_HELD;
}

/* Waits until no thread writes. Returns false after a time limit, or if the calling
   thread itself was writing and a fatal signal interrupted it. */
static bool end_wait(void)
{
    for (int i = 0; i < END_PATIENCE; i++) {
        if (!end_is_being_written(atomic_load(&ccprof_run.phase)))
            return true;
        if (atomic_load(&ccprof_run.writer) == ccprof_sys_gettid())
            return false;
        ccprof_heap_hurry();
        ccprof_sys_sleep(MILLISECOND);
    }
    return false;
}

/* Makes the calling thread the one that ends the run, and returns whether this
   succeeded. Waits first until no other thread holds the run. */
static bool end_claim_run(void)
{
    int phase;

    atomic_store(&ccprof_run.ending, true);
    do {
        phase = CCPROF_PHASE_SAMPLING;
        if (atomic_compare_exchange_strong(&ccprof_run.phase, &phase,
                                           CCPROF_PHASE_WRITING))
            return true;
    } while (end_is_being_written(phase) && end_wait());
    return false;
}

/* Returns whether the run belongs to this process. A child of vfork has its parent's
   run. */
static bool end_owns_run(void)
{
    if (ccprof_strict)
        return false;

    pid_t self = ccprof_sys_getpid();
    if (self < 0 && ccprof_run_exists())
        ccprof_say("the process may not call getpid (seccomp?): nothing is written",
                   NULL);
    return atomic_load(&ccprof_run.owner) == self;
}

void ccprof_end_run(bool orderly)
{
    int saved = errno;
    struct ccprof_blocked blocked;

    if (!end_owns_run())
        return;
    ccprof_blocked_begin(&blocked);
    if (end_claim_run()) {
        atomic_store(&ccprof_run.writer, ccprof_sys_gettid());
        ccprof_blocked_write(&blocked);
        end_write(orderly);
        atomic_store(&ccprof_run.phase, CCPROF_PHASE_WRITTEN);
    }
    ccprof_blocked_end(&blocked);
    errno = saved;
}

/* Holds the run, after waiting for another thread that holds it. Returns false if
   that fails. */
static bool end_hold(void)
{
    while (ccprof_run_hold() != 0)
        if (atomic_load(&ccprof_run.phase) != CCPROF_PHASE_HELD || !end_wait())
            return false;
    return true;
}

bool ccprof_end_for_now(void)
{
    int saved = errno;
    struct ccprof_blocked blocked;
    bool held = false;

    if (!end_owns_run())
        return false;
    ccprof_blocked_begin(&blocked);
    if (end_hold()) {
        held = true;
        ccprof_blocked_write(&blocked);
        end_report_missing();
        ccprof_write_for_now();
    } else {
        ccprof_end_run(false);
    }
    ccprof_blocked_end(&blocked);
    errno = saved;
    return held;
}

void ccprof_end_resume(bool held)
{
    if (held)
        ccprof_run_release();
}

/* The signals that end a program by default, except SIGKILL, SIGPROF (which the
   runtime uses), and signals that other profilers and libraries use. */
static const int fatal[] = {SIGHUP,  SIGINT,    SIGQUIT, SIGILL,  SIGTRAP,
                            SIGABRT, SIGBUS,    SIGFPE,  SIGUSR1, SIGSEGV,
                            SIGUSR2, SIGPIPE,   SIGALRM, SIGTERM, SIGXCPU,
                            SIGXFSZ, SIGVTALRM, SIGIO,   SIGPWR,  SIGSYS};

/* The signals of this list that write a core dump by default, signal(7). */
static const int dumping[] = {SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,
                              SIGFPE,  SIGSEGV, SIGXCPU, SIGXFSZ, SIGSYS};

/* The handler's tasks: write the profile, and print the call chain. */
static volatile bool exit_writes, exit_prints;

static bool exit_uses_no_stacks;

/* Bit N is set if signal N has exit_handler instead of the default action. */
static volatile uint64_t handled_signals;

/* The default actions that the program has set for these signals: it may read the flags
   and the mask again. */
static struct sigaction visible_actions[32];

/* The alternate stack that the runtime gave to the calling thread. */
static _Thread_local struct ccprof_pages thread_stack;

static void exit_orderly(void)
{
    uint64_t registers[CCPROF_CPU_REGISTERS] = {0};

    if (!ccprof_run_exists())
        return;
    ccprof_cpu_caller(registers);
    ccprof_heap_exit(registers, ccprof_run.settings.reachable);
    ccprof_end_run(true);
}

static void exit_run(void *nothing)
{
    (void)nothing;
    exit_orderly();
}

/* The C library of an LD_AUDIT library ends without exit. */
__attribute__((destructor)) static void exit_unload(void)
{
    if (atomic_load(&ccprof_run.phase) == CCPROF_PHASE_SAMPLING)
        exit_orderly();
}

/* What atexit and at_quick_exit call, which are no functions of the shared libc. */
int __cxa_atexit(void (*function)(void *), void *argument, void *handle);
int __cxa_at_quick_exit(void (*function)(void *), void *handle);

void ccprof_exit_install(void)
{
    static bool done;

    if (done)
        return;
    done = true;
    __cxa_atexit(exit_run, NULL, NULL);
    __cxa_at_quick_exit(exit_run, NULL);
}

/* Returns whether the same instruction raises the signal again, with all its
   information, when the handler returns. */
static bool exit_is_raised_again(int number, const siginfo_t *info)
{
    return info->si_code > 0 && (number == SIGSEGV || number == SIGBUS ||
                                 number == SIGILL || number == SIGFPE);
}

/* Returns whether the process may survive the signal: process 1 of a container is not
   ended by it, and a tracer can suppress it. A signal that writes a core dump is
   normally delivered after the handler returns, so that the core shows the program's
   stack. For such a signal, returns true only for process 1 and for a traced process. */
static bool exit_may_survive(int number, const siginfo_t *info)
{
    if (exit_is_raised_again(number, info))
        return false;
    for (size_t i = 0; i < sizeof dumping / sizeof *dumping; i++)
        if (dumping[i] == number)
            return ccprof_sys_getpid() == 1 || ccprof_traced();
    return true;
}

/* Sets the signal to its default action. Stores the previous action in *BEFORE,
   unless BEFORE is null. */
static void exit_set_default(int number, struct sigaction *before)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    ccprof_libc.sigaction(number, &action, before);
}

/* Delivers the signal now instead of after the return of the handler, which blocks it.
   If the process survives, restores the signal's previous action, unless another
   thread has set a new one meanwhile. */
static void exit_deliver(int number)
{
    const ccprof_sys_signals only = CCPROF_SYS_SIGNAL(number);
    struct sigaction before, now;

    exit_set_default(number, &before);
    ccprof_sys_raise(number);
    ccprof_sys_mask(SIG_UNBLOCK, only, NULL);
    ccprof_sys_mask(SIG_BLOCK, only, NULL);
    if (ccprof_libc.sigaction(number, NULL, &now) == 0 &&
        ccprof_signals_are_default(&now))
        ccprof_libc.sigaction(number, &before, NULL);
}

static void exit_end_by_signal(int number, const siginfo_t *info, bool writes)
{
    struct sigaction before;

    if (exit_may_survive(number, info)) {
        bool held = writes && ccprof_end_for_now();
        exit_deliver(number);
        ccprof_end_resume(held);
        if (held)
            ccprof_children_open();
        return;
    }
    if (writes)
        ccprof_end_run(false);
    exit_set_default(number, &before);
    /* The signal stays pending until the handler returns. */
    if (!exit_is_raised_again(number, info))
        ccprof_sys_raise(number);
}

void ccprof_exit_signal(int number, const siginfo_t *info)
{
    exit_end_by_signal(number, info, true);
}

static void exit_handler(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    bool has_room = ccprof_signals_have_room(context, CCPROF_SIGNALS_WRITE);
    if (exit_prints && has_room && ccprof_crash_is(number))
        ccprof_crash_print(number, context);
    exit_end_by_signal(number, info, exit_writes && has_room);
    errno = saved;
}

void ccprof_exit_without_stacks(void)
{
    exit_uses_no_stacks = true;
}

/* Maps a stack above a page that cannot be accessed. Handlers of the program that use
   an alternate stack (SA_ONSTACK) run there, too, and expect the space of a normal
   stack. */
static bool exit_make_stack(size_t guard)
{
    const size_t least = EXIT_STACK + getauxval(AT_MINSIGSTKSZ);
    struct rlimit limit = {EXIT_STACK_MOST, 0};

    syscall(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit);
    size_t size = limit.rlim_cur < EXIT_STACK_MOST ? limit.rlim_cur : EXIT_STACK_MOST;
    size = (size > least ? size : least) / guard * guard + guard;
    if (!ccprof_pages_make(&thread_stack, size + guard) &&
        !ccprof_pages_make(&thread_stack, least / guard * guard + 2 * guard))
        return false;
    mprotect(thread_stack.start, guard, PROT_NONE);
    return true;
}

void ccprof_exit_thread_begin(void)
{
    const size_t guard = getauxval(AT_PAGESZ);
    stack_t now;

    if (!exit_prints || exit_uses_no_stacks || sigaltstack(NULL, &now) != 0 ||
        !(now.ss_flags & SS_DISABLE) || !exit_make_stack(guard))
        return;
    now = (stack_t){.ss_sp = thread_stack.start + guard,
                    .ss_size = thread_stack.size - guard};
    sigaltstack(&now, NULL);
}

/* The stack is freed only if it is still the thread's alternate stack and not in use:
   the program may have set another one, or may be running on this one. */
void ccprof_exit_thread_end(void)
{
    static const stack_t none = {.ss_flags = SS_DISABLE};
    stack_t now;

    if (thread_stack.start && sigaltstack(NULL, &now) == 0 &&
        now.ss_sp == thread_stack.start + getauxval(AT_PAGESZ) &&
        sigaltstack(&none, NULL) == 0)
        ccprof_pages_free(&thread_stack);
}

static bool exit_is_our_handler(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == exit_handler;
}

void (*ccprof_exit_visible_handler(void (*handler)(int)))(int)
{
    const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_SIGINFO};

    return exit_is_our_handler(&action) ? SIG_DFL : handler;
}

/* Returns whether exit_handler was installed for this signal instead of its default
   action. */
static bool exit_has_handler(int number)
{
    return number > 0 && number < 32 && (handled_signals >> number & 1);
}

int ccprof_exit_sigaction(int number, const struct sigaction *action,
                          struct sigaction *old)
{
    struct sigaction before;
    int result;
    bool is_default =
        action && ccprof_signals_are_default(action) && exit_has_handler(number);

    if (is_default)
        result = ccprof_signals_change(number, exit_handler, &before) ? 0 : -1;
    else
        result = ccprof_libc.sigaction(number, action, &before);
    if (result == 0 && exit_is_our_handler(&before) && exit_has_handler(number))
        before = visible_actions[number];
    /* A child of vfork has its own actions, but its parent's memory. */
    if (is_default && result == 0 &&
        atomic_load(&ccprof_run.owner) == ccprof_sys_getpid())
        visible_actions[number] = *action;
    if (result == 0 && old)
        *old = before;
    return result;
}

static void exit_install(void)
{
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if ((exit_writes || ccprof_crash_is(fatal[i])) &&
            ccprof_signals_take_blocked(fatal[i], exit_handler))
            handled_signals |= UINT64_C(1) << fatal[i];
    ccprof_blocked_end(&blocked);
}

void ccprof_exit_restore_defaults(void)
{
    struct sigaction now;

    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (exit_has_handler(fatal[i]) &&
            ccprof_libc.sigaction(fatal[i], NULL, &now) == 0 && exit_is_our_handler(&now))
            exit_set_default(fatal[i], NULL);
    handled_signals = 0;
}

void ccprof_exit_install_signals(void)
{
    exit_writes = true;
    exit_install();
}

void ccprof_exit_install_chain(void)
{
    exit_prints = true;
    ccprof_exit_thread_begin();
    exit_install();
}
