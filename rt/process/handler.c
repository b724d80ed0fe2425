/* SPDX-License-Identifier: MIT */
/* Owns SIGPROF, until the program takes it.  The handler runs in any thread at any
   moment, with all signals blocked.  It waits for no lock, allocates nothing, and does a
   bounded amount of work, which is large where a deep stack is walked for the first time
   (outer.h).  There is one exception: where counts are written (unregistered.h), an
   unregistered thread waits for a moment and needs some pages.  The constructor calls
   install.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "rt/process/handler.h"
#include "rt/os/libc.h"
#include "rt/os/lock.h"
#include "rt/os/last-call.h"
#include "rt/os/notes.h"
#include "rt/os/signals.h"
#include "rt/os/sys.h"
#include "rt/unwind/cpu.h"
#include "rt/unwind/field.h"
#include "rt/table/scope.h"
#include "rt/table/threadnames.h"
#include "rt/table/times.h"
#include "rt/regions/regions.h"
#include "rt/sample/sampler.h"
#include "rt/count/counts.h"
#include "rt/process/gate.h"
#include "rt/process/run.h"
#include "rt/process/unregistered.h"

/* What SIGPROF does without us: the default action, or nothing.  */
static struct sigaction previous;

static _Atomic uintptr_t last_start; /* start routine of the last thread that ended */

static void (*handler_fatal)(int number, const siginfo_t *info);
static void (*handler_after)(void);

/* Handles a SIGPROF that is not ours as if there were no profiler.  A handler of the
   program may also have called this one as the previous handler.  */
static void handler_foreign(int number, siginfo_t *info)
{
    if (previous.sa_handler == SIG_DFL && ccprof_handler_is_installed())
        handler_fatal(number, info);
}

/* Where a sample is taken.  */
struct handler_at {
    const void *context;                /* what a signal has interrupted; null: START */
    uintptr_t start;                    /* the start routine of a thread */
    const struct ccprof_cpu_call *call; /* the system call; null: none */
    bool own;                           /* the program has called the runtime */
};

/* Returns why the program was in the kernel: one of CCPROF_KERNEL_*.  */
static uint64_t handler_why(const struct handler_at *at, const struct ccprof_taken *taken)
{
    if (!at->call)
        return taken->interrupted ? CCPROF_KERNEL_INTERRUPTED : CCPROF_KERNEL_UNKNOWN;
    if (at->call->number < 0 || at->call->number >= CCPROF_KERNEL_CALLS_MOST)
        return CCPROF_KERNEL_UNKNOWN;
    return CCPROF_KERNEL_CALLS + (uint64_t)at->call->number;
}

/* Captures the stack that the signal interrupted.  */
static void handler_capture(struct ccprof_stack_work *work, const struct handler_at *at,
                            const struct ccprof_taken *kernel)
{
    /* While the program calls the runtime, its field still holds the site of the
       caller.  */
    uint64_t site = at->own ? 0 : ccprof_field_site(at->context);

    if (site)
        ccprof_stack_stored(work, site);
    else if (ccprof_run_has_stacks())
        ccprof_stack_capture(work, at->context);
    else
        ccprof_stack_bare(work, at->context);
    if (kernel && at->call && !site)
        work->stack.address[0] = at->call->at;
    if (kernel && !at->own)
        ccprof_scope_put_kernel(&work->stack, handler_why(at, kernel));
}

/* Adds WEIGHT samples.  KERNEL: they are time in the kernel.  Runs between
   ccprof_run_add_begin and ccprof_run_add_end.  */
static void handler_add(const struct handler_at *at, uint64_t weight,
                        const struct ccprof_taken *kernel)
{
    struct ccprof_memory *memory = ccprof_run.memory;
    struct ccprof_stack_work *work = ccprof_stack_take(&memory->stacks);

    if (!work) {
        ccprof_table_lose(&memory->table, weight);
        return;
    }
    if (at->context)
        handler_capture(work, at, kernel);
    else
        ccprof_stack_stored(work, at->start);
    if (ccprof_times_are_kept())
        ccprof_times_put(&work->stack, ccprof_sys_clock(CLOCK_MONOTONIC));
    ccprof_regions_put(&work->stack);
    ccprof_scope_put(&work->stack);
    ccprof_table_add(&memory->table, &memory->overflow, &work->stack, weight);
    ccprof_stack_give_back(&memory->stacks, work);
}

/* Runs between ccprof_run_enter and ccprof_run_leave.  */
static void handler_sample(const struct handler_at *at, struct ccprof_taken taken)
{
    uint64_t weight = ccprof_gate_pass(taken.samples);
    uint64_t kernel = weight < taken.kernel ? weight : taken.kernel;

    if (weight == 0)
        return;
    if (!ccprof_run_add_begin()) {
        ccprof_table_lose(&ccprof_run.memory->table, weight);
        return;
    }
    if (kernel != 0)
        handler_add(at, kernel, &taken);
    if (weight != kernel)
        handler_add(at, weight - kernel, NULL);
    ccprof_run_add_end();
}

void ccprof_handler_estimate(uintptr_t start, uint64_t weight)
{
    struct handler_at at = {NULL, start, NULL, false};
    struct ccprof_taken taken = {.samples = weight};

    atomic_store_explicit(&last_start, start, memory_order_relaxed);
    if (weight == 0 || !ccprof_run_enter())
        return;
    if (ccprof_run.samples)
        handler_sample(&at, taken);
    ccprof_run_leave();
}

/* If threads are told apart, the calling thread's number would be wrong.  */
void ccprof_handler_estimate_rest(uint64_t weight)
{
    struct handler_at at = {NULL, atomic_load(&last_start), NULL, false};

    if (weight != 0 && at.start != 0 && ccprof_run.samples &&
        !ccprof_threadnames_are_kept())
        handler_add(&at, weight, NULL);
}

/* Runs between ccprof_run_enter and ccprof_run_leave.  */
static void handler_take(const siginfo_t *info, const void *context)
{
    struct handler_at at = {context, 0, NULL, ccprof_own_is(ccprof_cpu_pc(context))};
    struct ccprof_cpu_call call = {0};
    struct ccprof_taken taken;

    if (ccprof_cpu_find_call(context, &call)) {
        if (call.number < 0)
            call.number = ccprof_last_call_number(call.argument);
        at.call = &call;
    }
    taken = ccprof_sampler_take(info, context, at.call);
    if (taken.samples != 0 && ccprof_run.samples)
        handler_sample(&at, taken);
}

static void handler_tick(int number, siginfo_t *info, void *context)
{
    int saved = errno;

    if (ccprof_unregistered_is_call(info)) {
        ccprof_unregistered_answer();
    } else if (!ccprof_sampler_is_ours(info)) {
        handler_foreign(number, info);
    } else if (ccprof_run_enter()) {
        ccprof_counts_add_unregistered(false);
        handler_take(info, context);
        ccprof_run_leave();
        if (handler_after)
            handler_after();
    }
    errno = saved;
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

bool ccprof_handler_install(void)
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
    /* The parent process may have left SIGPROF blocked.  */
    ccprof_sys_mask(SIG_UNBLOCK, CCPROF_SYS_SIGNAL(SIGPROF), NULL);
    return true;
}

/* Ignoring SIGPROF for a moment removes the pending signals.  */
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

/* A child of vfork has its parent's memory, but its own signal actions.  */
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

bool ccprof_handler_is_installed(void)
{
    struct sigaction now;
    return ccprof_libc.sigaction(SIGPROF, NULL, &now) == 0 && handler_is_ours(&now);
}
