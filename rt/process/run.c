/* SPDX-License-Identifier: MIT */
/* Starts and holds the run. Owns its state. The constructor calls start, and the
   child of a fork calls start_child. Threads that write a file call hold and release.
   The SIGPROF handler calls enter and leave. */

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "rt/process/run.h"
#include "rt/format.h"
#include "rt/os/memory.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/unwind/outer.h"
#include "rt/samples/tags.h"
#include "rt/samples/times.h"
#include "rt/regions/regions.h"
#include "rt/sampler/sampler.h"
#include "rt/count/counts.h"
#include "rt/count/targets.h"
#include "rt/heap/heap.h"
#include "rt/output/datafile.h"
#include "rt/output/output.h"
#include "rt/output/slice.h"
#include "rt/process/gate.h"

#define MILLISECOND 1000000

/* How long to wait for handlers in other threads, in milliseconds. */
#define RUN_WAIT_HANDLERS 100

struct ccprof_run ccprof_run;

_Static_assert(sizeof(struct ccprof_memory) + sizeof ccprof_run <= 4 << 20,
               "the runtime's memory is at most 4 MiB");

static void run_choose_file(void)
{
    const struct ccprof_settings *settings = &ccprof_run.settings;

    ccprof_output_start(settings->output_is_set ? settings->output : NULL);
    ccprof_slice_start();
    ccprof_datafile_start(ccprof_output_path());
    ccprof_overflow_file_place(ccprof_output_folder());
}

static void run_choose_file_of_child(void)
{
    ccprof_output_child();
    ccprof_slice_start();
    ccprof_datafile_start(ccprof_output_path());
}

static bool run_memory(void)
{
    void *memory;

    if (ccprof_run.memory)
        return true;
    memory = ccprof_pages_map(sizeof(struct ccprof_memory));
    if (!memory) {
        ccprof_say("no memory: the program runs unprofiled", NULL);
        return false;
    }
    ccprof_run.memory = memory;
    return true;
}

/* Returns whether the run measures anything besides samples. */
static bool run_measures_without_samples(void)
{
    return (ccprof_run.kinds & (CCPROF_KINDS_COUNTED | CCPROF_KIND_REGION)) != 0 ||
           !ccprof_run.settings.samples || ccprof_run.settings.heap;
}

const char *ccprof_run_without_samples(void)
{
    if (ccprof_run.kinds & CCPROF_KINDS_COUNTED)
        return "only counts are measured";
    if (ccprof_run.settings.heap)
        return "only the heap is measured";
    return run_measures_without_samples() ? "only regions are measured"
                                          : "the program runs unprofiled";
}

static void run_without_signals(void)
{
    ccprof_run.signal_is_ours = NULL;
    ccprof_run.samples = false;
}

static void run_sampler_check(int error)
{
    if (!error)
        return;
    ccprof_say_missing(
        ccprof_say_error(error), ": no timer: ",
        ccprof_run.samples ? ccprof_run_without_samples() : CCPROF_RUN_NO_PULSE, NULL);
    run_without_signals();
}

/* Starts the sampler or only its timer for checkpoints. If that fails, the run
   continues without signals. While nothing is sampled, the sampler need not run. */
static void run_sampler_start(void)
{
    const struct ccprof_settings *settings = &ccprof_run.settings;

    if (!ccprof_run.signal_is_ours)
        return;
    if (!ccprof_run.samples)
        run_sampler_check(ccprof_sampler_pulse(settings));
    else if (ccprof_gate_is_open())
        run_sampler_check(ccprof_sampler_start(settings));
    else
        ccprof_sampler_postpone(settings);
}

/* Called by the gate before it opens. */
static void run_sampler_resume(void)
{
    if (ccprof_run.signal_is_ours && ccprof_run.samples)
        run_sampler_check(ccprof_sampler_resume(&ccprof_run.settings));
}

/* Called by the gate when a request no longer needs samples. */
static void run_sampler_pause(void)
{
    if (ccprof_run.signal_is_ours && ccprof_run.samples)
        ccprof_sampler_pause();
}

static bool run_begin(void)
{
    struct ccprof_run *run = &ccprof_run;

    atomic_store(&run->owner, ccprof_sys_getpid());
    atomic_store(&run->phase, CCPROF_PHASE_SAMPLING);
    run_sampler_start();
    if (run->signal_is_ours || run_measures_without_samples())
        return true;
    atomic_store(&run->phase, CCPROF_PHASE_OFF);
    return false;
}

bool ccprof_run_start(bool (*signal_is_ours)(void), bool samples)
{
    ccprof_run.signal_is_ours = signal_is_ours;
    ccprof_run.samples = samples && signal_is_ours;
    if (!run_memory())
        return false;
    ccprof_run.settings.stack = ccprof_run.settings.stack && ccprof_stack_possible();
    if (ccprof_run.settings.command != CCPROF_SETTINGS_NO_COMMAND)
        ccprof_command_start(ccprof_run.settings.command == CCPROF_SETTINGS_COMMAND);
    run_choose_file();
    if (ccprof_run.settings.threads && !ccprof_threadnames_start())
        ccprof_say("no memory: threads are not recorded", NULL);
    ccprof_times_start((uint64_t)ccprof_run.settings.times * MILLISECOND,
                       ccprof_sys_clock(CLOCK_MONOTONIC));
    ccprof_gate_start(&ccprof_run.settings, run_sampler_resume, run_sampler_pause);
    return run_begin();
}

static bool run_is_active(void)
{
    int phase = atomic_load(&ccprof_run.phase);
    return phase == CCPROF_PHASE_SAMPLING || phase == CCPROF_PHASE_HELD;
}

void ccprof_run_sample(bool (*signal_is_ours)(void))
{
    if (!run_is_active())
        return;
    if (ccprof_run.signal_is_ours) {
        ccprof_sampler_take_pulse_as_samples();
        ccprof_run.samples = true;
        return;
    }
    ccprof_run.signal_is_ours = signal_is_ours;
    ccprof_run.samples = true;
    run_sampler_start();
}

bool ccprof_run_attach(void)
{
    if (!run_is_active())
        return false;
    ccprof_modules_refresh(&ccprof_run.memory->modules);
    return true;
}

/* Empties the memory by giving its pages back to the kernel: writing to them would
   first copy the parent's pages. Pages may be as large as 64 KB. */
static void run_clear_memory(void)
{
    char *memory = (char *)ccprof_run.memory;
    const size_t size = offsetof(struct ccprof_memory, modules);
    const size_t whole = size - size % getauxval(AT_PAGESZ);

    if (madvise(memory, whole, MADV_DONTNEED) != 0)
        memset(memory, 0, whole);
    memset(memory + whole, 0, size - whole);
}

void ccprof_run_start_child(void)
{
    struct ccprof_memory *memory = ccprof_run.memory;

    ccprof_spin_release(&ccprof_run.attaching);
    if (!run_is_active() && atomic_load(&ccprof_run.phase) != CCPROF_PHASE_WRITING)
        return;
    /* If the program has taken SIGPROF in the parent, the child has no signals either. */
    if (ccprof_run.signal_is_ours && !ccprof_run.signal_is_ours())
        run_without_signals();
    if (!ccprof_run.signal_is_ours && !run_measures_without_samples()) {
        atomic_store(&ccprof_run.phase, CCPROF_PHASE_OFF);
        return;
    }
    /* Threads of the parent that ran handlers at the fork do not exist in the child. */
    atomic_store(&ccprof_run.handlers, 0);
    atomic_store(&ccprof_run.adding, 0);
    atomic_store(&ccprof_run.ending, false);
    ccprof_run.is_child = true;
    ccprof_run.has_file = false;
    ccprof_run.moved = 0;
    ccprof_run.files = 0;
    ccprof_run.uncounted = 0;
    ccprof_say_forget();
    ccprof_sampler_drop();
    ccprof_counts_drop();
    ccprof_targets_drop();
    ccprof_targets_forked();
    /* If the heap is measured, keep the names of threads: blocks in use were allocated
       by the parent's threads. */
    if (!ccprof_heap_is_on()) {
        ccprof_threadnames_drop();
        ccprof_tags.thread = 0;
    }
    ccprof_regions_drop();
    ccprof_times_restart(ccprof_sys_clock(CLOCK_MONOTONIC));
    ccprof_outer_drop();
    ccprof_overflow_close(&memory->overflow);
    ccprof_modules_thaw(&memory->modules);
    run_clear_memory();
    run_choose_file_of_child();
    ccprof_gate_restart();
    run_begin();
}

bool ccprof_run_has_stacks(void)
{
    return ccprof_run.settings.stack && (ccprof_run.kinds & CCPROF_KIND_TIME);
}

bool ccprof_run_is_on(void)
{
    return run_is_active() && ccprof_gate_is_open();
}

bool ccprof_run_enter(void)
{
    atomic_fetch_add(&ccprof_run.handlers, 1);
    if (run_is_active())
        return true;
    ccprof_run_leave();
    return false;
}

void ccprof_run_leave(void)
{
    atomic_fetch_sub(&ccprof_run.handlers, 1);
}

/* Checks the phase also before it counts the handler. Otherwise new handlers could
   make a thread that holds the run wait forever. */
bool ccprof_run_add_begin(void)
{
    if (atomic_load(&ccprof_run.phase) == CCPROF_PHASE_HELD)
        return false;
    atomic_fetch_add(&ccprof_run.adding, 1);
    if (atomic_load(&ccprof_run.phase) != CCPROF_PHASE_HELD)
        return true;
    ccprof_run_add_end();
    return false;
}

void ccprof_run_add_end(void)
{
    atomic_fetch_sub(&ccprof_run.adding, 1);
}

bool ccprof_run_exists(void)
{
    return atomic_load(&ccprof_run.phase) != CCPROF_PHASE_OFF;
}

bool ccprof_run_wait_for(_Atomic int *count)
{
    for (int i = 0; i < RUN_WAIT_HANDLERS && atomic_load(count) != 0; i++)
        ccprof_sys_sleep(MILLISECOND);
    return atomic_load(count) == 0;
}

int ccprof_run_hold(void)
{
    int phase = CCPROF_PHASE_SAMPLING;

    if (atomic_load(&ccprof_run.ending))
        return ECANCELED;
    if (!atomic_compare_exchange_strong(&ccprof_run.phase, &phase, CCPROF_PHASE_HELD))
        return phase == CCPROF_PHASE_HELD ? EAGAIN : ECANCELED;
    atomic_store(&ccprof_run.writer, ccprof_sys_gettid());
    if (ccprof_run_wait_for(&ccprof_run.adding))
        return 0;
    ccprof_run_release();
    return EAGAIN;
}

void ccprof_run_release(void)
{
    atomic_store(&ccprof_run.phase, CCPROF_PHASE_SAMPLING);
}
