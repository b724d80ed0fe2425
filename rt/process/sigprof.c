/* SPDX-License-Identifier: MIT */
/* Owns SIGPROF until the program takes it. The constructor calls install.
   gather_unregistered is called when a file is written.

   The handler runs in any thread at any moment, with all signals blocked. It waits
   for no lock, allocates no memory, and does a bounded amount of work. This amount is
   large when a deep stack is walked for the first time (stack.h). There is one
   exception: a thread that is asked for its counts waits for a moment and needs some
   pages. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "rt/process/sigprof.h"
#include "rt/os/libc.h"
#include "rt/os/lock.h"
#include "rt/os/notes.h"
#include "rt/os/sys.h"
#include "rt/unwind/cpu.h"
#include "rt/unwind/sharedword.h"
#include "rt/samples/tags.h"
#include "rt/samples/times.h"
#include "rt/regions/regions.h"
#include "rt/sampler/sampler.h"
#include "rt/count/counts.h"
#include "rt/wait/wait.h"
#include "rt/process/gate.h"
#include "rt/process/run.h"
#include "rt/process/unregistered.h"

/* The action that SIGPROF would have without the profiler: the default action, or
   none. */
static struct sigaction previous;

_Thread_local struct ccprof_last_call ccprof_last_call = {.number = -1};

static _Atomic uintptr_t
    last_ended_start; /* start routine of the last thread that ended */

static void (*handler_fatal)(int number, const siginfo_t *info);
static void (*handler_after)(void);

/* The calling thread is in ccprof_handler_take_blocked. */
static _Thread_local volatile bool is_taking;

/* Handles a SIGPROF that the sampler did not send as if there were no profiler. If
   the program has its own handler and calls this one as the previous handler, nothing
   happens. If the program has blocked SIGPROF, the signal becomes pending again. */
static void handler_foreign(int number, siginfo_t *info, ucontext_t *context)
{
    if (is_taking) {
        ccprof_sys_put_back(number, info);
        sigaddset(&context->uc_sigmask, number);
        return;
    }
    if (previous.sa_handler == SIG_DFL && ccprof_handler_is_installed())
        handler_fatal(number, info);
}

/* The place of a sample. */
struct handler_place {
    const void *context; /* context of the interrupted code; null: use START */
    uintptr_t start;     /* start routine of a thread */
    const struct ccprof_cpu_call *call; /* interrupted system call; null: none */
    bool is_own;                        /* the interrupted code is the runtime's */
};

/* Returns the reason for kernel time: one of CCPROF_KERNEL_*. */
static uint64_t handler_kernel_reason(const struct handler_place *place,
                                      const struct ccprof_taken *taken)
{
    if (!place->call)
        return taken->interrupted ? CCPROF_KERNEL_INTERRUPTED : CCPROF_KERNEL_UNKNOWN;
    if (place->call->number < 0 || place->call->number >= CCPROF_KERNEL_CALLS_MOST)
        return CCPROF_KERNEL_UNKNOWN;
    return CCPROF_KERNEL_CALLS + (uint64_t)place->call->number;
}

/* Captures the stack that the signal interrupted. */
static void handler_capture(struct ccprof_stack_work *work,
                            const struct handler_place *place,
                            const struct ccprof_taken *kernel)
{
    /* While the program calls the runtime, its field still contains the caller's call
       site. */
    uint64_t site = place->is_own ? 0 : ccprof_field_site(place->context);

    if (site)
        ccprof_stack_stored(work, site);
    else if (ccprof_run_has_stacks())
        ccprof_stack_capture(work, place->context);
    else
        ccprof_stack_bare(work, place->context);
    if (kernel && place->call && !site)
        work->stack.address[0] = place->call->address;
    if (kernel && !place->is_own)
        ccprof_tags_put_kernel(&work->stack, handler_kernel_reason(place, kernel));
}

/* Adds WEIGHT samples. KERNEL is null unless the samples are kernel time. Call this
   between ccprof_run_add_begin and ccprof_run_add_end. */
static void handler_add(const struct handler_place *place, uint64_t weight,
                        const struct ccprof_taken *kernel)
{
    struct ccprof_memory *memory = ccprof_run.memory;
    struct ccprof_stack_work *work = ccprof_stack_take(&memory->stacks);

    if (!work) {
        ccprof_samples_lose(&memory->table, weight);
        return;
    }
    if (place->context)
        handler_capture(work, place, kernel);
    else
        ccprof_stack_stored(work, place->start);
    if (ccprof_times_are_kept())
        ccprof_times_put(&work->stack, ccprof_sys_clock(CLOCK_MONOTONIC));
    ccprof_regions_put(&work->stack);
    if (ccprof_wait_is_on())
        ccprof_wait_put_parallelism(&work->stack, ccprof_run.settings.rate);
    ccprof_tags_put(&work->stack);
    ccprof_samples_add(&memory->table, &memory->overflow, &work->stack, weight);
    ccprof_stack_give_back(&memory->stacks, work);
}

/* Call this between ccprof_run_enter and ccprof_run_leave. */
static void handler_sample(const struct handler_place *place, struct ccprof_taken taken)
{
    uint64_t weight = ccprof_gate_pass(taken.samples);
    uint64_t kernel = weight < taken.kernel ? weight : taken.kernel;

    if (weight == 0)
        return;
    if (!ccprof_run_add_begin()) {
        ccprof_samples_lose(&ccprof_run.memory->table, weight);
        return;
    }
    if (kernel != 0)
        handler_add(place, kernel, &taken);
    if (weight != kernel)
        handler_add(place, weight - kernel, NULL);
    ccprof_run_add_end();
}

void ccprof_handler_estimate(uintptr_t start, uint64_t weight)
{
    struct handler_place place = {NULL, start, NULL, false};
    struct ccprof_taken taken = {.samples = weight};

    atomic_store_explicit(&last_ended_start, start, memory_order_relaxed);
    if (weight == 0 || !ccprof_run_enter())
        return;
    if (ccprof_run.samples)
        handler_sample(&place, taken);
    ccprof_run_leave();
}

/* Not possible if samples are stored per thread: they would be added to the calling
   thread. */
void ccprof_handler_estimate_rest(uint64_t weight)
{
    struct handler_place place = {NULL, atomic_load(&last_ended_start), NULL, false};

    if (weight != 0 && place.start != 0 && ccprof_run.samples &&
        !ccprof_threadnames_are_kept())
        handler_add(&place, weight, NULL);
}

/* Returns the number of the last system call if it had these arguments, otherwise -1. */
static int handler_last_call(const uint64_t argument[2])
{
    const struct ccprof_last_call *last = &ccprof_last_call;
    return last->argument[0] == argument[0] && last->argument[1] == argument[1]
               ? (int)last->number
               : -1;
}

/* Call this between ccprof_run_enter and ccprof_run_leave. */
static void handler_take(const siginfo_t *info, const void *context)
{
    struct handler_place place = {context, 0, NULL,
                                  ccprof_own_is(ccprof_cpu_pc(context))};
    struct ccprof_cpu_call call = {0};
    struct ccprof_taken taken;

    if (ccprof_cpu_find_call(context, &call)) {
        if (call.number < 0)
            call.number = handler_last_call(call.argument);
        place.call = &call;
    }
    taken = ccprof_sampler_take(info, context, place.call);
    if (taken.samples != 0 && ccprof_run.samples)
        handler_sample(&place, taken);
}

static __attribute__((noinline)) void handler_handle(int number, siginfo_t *info,
                                                     void *context)
{
    int saved = errno;

    if (ccprof_unregistered_is_query(info)) {
        ccprof_unregistered_answer();
    } else if (!ccprof_sampler_is_ours(info)) {
        handler_foreign(number, info, context);
    } else if (ccprof_run_enter()) {
        ccprof_counts_add_unregistered(false);
        handler_take(info, context);
        ccprof_run_leave();
        if (handler_after && ccprof_signals_have_room(context, CCPROF_SIGNALS_WRITE))
            handler_after();
    }
    errno = saved;
}

/* The bytes that a sample needs on an alternate stack. Without them the time counts at
   a later sample. */
#define HANDLER_ROOM 1792

static void handler_tick(int number, siginfo_t *info, void *context)
{
    if (ccprof_signals_have_room(context, HANDLER_ROOM))
        handler_handle(number, info, context);
}

void ccprof_handler_set_fatal(void (*fatal)(int number, const siginfo_t *info))
{
    handler_fatal = fatal;
}

void ccprof_handler_set_after(void (*after)(void))
{
    handler_after = after;
}

static bool handler_is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == handler_tick;
}

static bool handler_set(bool unblocks)
{
    struct sigaction now;

    if (ccprof_libc.sigaction(SIGPROF, NULL, &now) != 0)
        return false;
    if (handler_is_ours(&now))
        return true;
    previous = now;
    if ((now.sa_flags & SA_SIGINFO) != 0 ||
        (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN) ||
        !ccprof_signals_set(SIGPROF, handler_tick))
        return false;
    if (unblocks)
        ccprof_sys_mask(SIG_UNBLOCK, CCPROF_SYS_SIGNAL(SIGPROF), NULL);
    return true;
}

/* The process inherits its signal mask, in which SIGPROF may be blocked. */
bool ccprof_handler_install(void)
{
    return handler_set(true);
}

bool ccprof_handler_install_late(void)
{
    return !(ccprof_sys_pending() & CCPROF_SYS_SIGNAL(SIGPROF)) && handler_set(false);
}

/* How often a thread takes its samples and checks the handler, in nanoseconds. */
#define TAKE_INTERVAL 1000000u

bool ccprof_handler_take_blocked(void)
{
    static _Thread_local uint64_t last;
    static _Thread_local bool is_ours;
    const ccprof_sys_signals only = CCPROF_SYS_SIGNAL(SIGPROF);
    ccprof_sys_signals mask;
    struct timespec time = {0, 0};

    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    uint64_t now = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
    if (now - last < TAKE_INTERVAL)
        return is_ours;
    last = now;
    is_ours = !ccprof_strict && ccprof_handler_is_installed();
    if (is_ours) {
        is_taking = true;
        ccprof_sys_mask(SIG_UNBLOCK, only, &mask);
        is_taking = false;
        ccprof_sys_mask(mask & only ? SIG_BLOCK : SIG_UNBLOCK, only, NULL);
    }
    return is_ours;
}

/* Stops the sampler and removes the handler. Ignoring SIGPROF for a moment discards
   pending signals. */
static void handler_remove(void)
{
    struct sigaction ignore;
    struct ccprof_blocked blocked;

    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    ccprof_blocked_begin(&blocked);
    if (ccprof_run.signal_is_ours)
        ccprof_sampler_stop();
    ccprof_libc.sigaction(SIGPROF, &ignore, NULL);
    ccprof_libc.sigaction(SIGPROF, &previous, NULL);
    ccprof_blocked_end(&blocked);
}

/* A child of vfork is excluded: it shares its parent's memory, but has its own signal
   actions. */
bool ccprof_handler_program(const struct sigaction *action, struct sigaction *old)
{
    struct sigaction before = previous;

    if (atomic_load(&ccprof_run.owner) != ccprof_sys_getpid() ||
        !ccprof_handler_is_installed())
        return false;
    if (action && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
        handler_remove();
        return false;
    }
    if (action)
        previous = *action;
    if (old)
        *old = before;
    return true;
}

void ccprof_handler_give_up(void)
{
    if (atomic_load(&ccprof_run.owner) == ccprof_sys_getpid())
        handler_remove();
}

void ccprof_handler_restart_calls(void)
{
    if (ccprof_handler_is_installed())
        ccprof_signals_set(SIGPROF, handler_tick);
}

bool ccprof_handler_is_installed(void)
{
    struct sigaction now;
    return ccprof_libc.sigaction(SIGPROF, NULL, &now) == 0 && handler_is_ours(&now);
}

uint64_t ccprof_handler_gather_unregistered(void)
{
    ccprof_sys_signals mask;

    if (!ccprof_unregistered_exist())
        return 0;
    ccprof_sys_mask(SIG_SETMASK, ~(ccprof_sys_signals)0, &mask);
    if (!ccprof_handler_is_installed())
        ccprof_handler_install();
    ccprof_sys_mask(SIG_SETMASK, mask, NULL);
    return ccprof_unregistered_gather(ccprof_handler_is_installed);
}
