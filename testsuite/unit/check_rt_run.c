/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/process/run.c rt/output/datafile.c rt/output/output.c rt/process/gate.c
   rt/process/exit.c rt/process/write.c rt/output/slice.c rt/os/file.c
   rt/process/children.c rt/samples/samples.c rt/samples/overflow.c
   rt/samples/overflow-file.c rt/samples/tags.c rt/samples/times.c rt/os/lock.c
   rt/os/text.c rt/os/memory.c rt/os/proc.c rt/unwind/stack.c rt/unwind/outer.c
   rt/unwind/guess.c rt/unwind/guess-x86_64.c rt/unwind/unwind.c rt/unwind/fold.c
   rt/unwind/unwind-rules.c rt/unwind/unwind-tables.c rt/unwind/cpu-x86_64.c
   testsuite/unit/standins.c rt/os/signals.c rt/os/libc-shared.c */
/* The end of a run while handlers and other calls that end the run are active. The
   sampler does nothing. The test checks the sums instead of writing a file. */

#include "rt_tests.h"
#include "rt/count/counts.h"
#include "rt/count/targets.h"
#include "rt/process/sigprof.h"
#include "rt/sampler/engine.h"
#include "rt/sampler/sampler.h"
#include "rt/heap/heap.h"
#include "rt/symbolize/chain.h"
#include "rt/symbolize/trace.h"
#include "rt/samples/modules.h"
#include "rt/process/exit.h"
#include "rt/output/mlmon.h"
#include "rt/process/run.h"
#include "rt/samples/tags.h"
#include "rt/os/sys.h"
#include "rt/samples/samples.h"
#include "rt/process/write.h"
#include "standins.h"

#define THREADS 6
#define SECOND  1000000000u

/* Number of samples after which handlers become slow. */
#define ENOUGH 3000

static _Atomic int stopped, written, working;
static _Atomic uint64_t added, declined, refused;
static _Atomic bool stuck;
static uint64_t samples, read_back, stopped_at;
static pthread_t threads[THREADS], others[THREADS];
static bool settled; /* all handlers had ended */

/* The sampler only counts; nothing else is counted, and no modules are known. */

RETURNS(int, ccprof_sampler_start, (const struct ccprof_settings *settings), 0)
RETURNS(int, ccprof_sampler_resume, (const struct ccprof_settings *settings), 0)
RETURNS(int, ccprof_sampler_pulse, (const struct ccprof_settings *settings), 0)
DOES_NOTHING(ccprof_sampler_postpone, (const struct ccprof_settings *settings))
DOES_NOTHING(ccprof_sampler_pause, (void))
DOES_NOTHING(ccprof_sampler_drop, (void))

void ccprof_sampler_stop(void)
{
    stopped++;
    stopped_at = ccprof_sys_clock(CLOCK_MONOTONIC);
}

DOES_NOTHING(ccprof_targets_drop, (void))
DOES_NOTHING(ccprof_targets_slice_done, (void))
DOES_NOTHING(ccprof_targets_forked, (void))
RETURNS(bool, ccprof_targets_any_first, (void), false)
DOES_NOTHING(ccprof_trace_end, (void))
RETURNS(uint64_t, ccprof_handler_gather_unregistered, (void), 0)

DOES_NOTHING(ccprof_counts_drop, (void))
DOES_NOTHING(ccprof_counts_open, (void))
DOES_NOTHING(ccprof_counts_close, (void))
DOES_NOTHING(ccprof_counts_dataset_begin, (uint64_t dataset))
DOES_NOTHING(ccprof_counts_dataset_end, (uint64_t dataset, bool all))
RETURNS(bool, ccprof_counts_any, (void), false)
RETURNS(bool, ccprof_counts_are_switched, (void), false)
RETURNS(uint64_t, ccprof_remainder_missed, (bool end), 0)
DOES_NOTHING(ccprof_handler_estimate_rest, (uint64_t weight))
RETURNS(uint64_t, ccprof_counts_threads, (void), 0)

DOES_NOTHING(ccprof_sampler_take_pulse_as_samples, (void))
RETURNS(const char *, ccprof_sampler_engine, (void), "none")
RETURNS(uint64_t, ccprof_sampler_threads, (void), 1)
RETURNS(uint64_t, ccprof_sampler_interrupted, (void), 0)
RETURNS(uint64_t, ccprof_sampler_late, (void), 0)
RETURNS(uint64_t, ccprof_sampler_unarmed, (void), 0)
RETURNS(uint64_t, ccprof_sampler_waits, (void), 0)
RETURNS(unsigned, ccprof_sampler_refused, (bool wall), 0)

DOES_NOTHING(ccprof_handler_set_after, (void (*after)(void)))
DOES_NOTHING(ccprof_heap_exit, (const uint64_t *registers, bool reachable))
RETURNS(bool, ccprof_crash_is, (int number), false)
DOES_NOTHING(ccprof_crash_print, (int number, const void *context))

DOES_NOTHING(ccprof_modules_refresh, (struct ccprof_modules * modules))
DOES_NOTHING(ccprof_modules_add_mapped, (struct ccprof_modules * modules, char *buffer))
DOES_NOTHING(ccprof_modules_thaw, (struct ccprof_modules * modules))
RETURNS(bool, ccprof_modules_freeze, (struct ccprof_modules * modules), true)

/* Reads only the counts, while handlers continue. */
static int add_count(void *all, unsigned depth, uint64_t address, uint64_t count)
{
    *(uint64_t *)all += count;
    return 0;
}

static uint64_t sum(const struct ccprof_mlmon *mlmon)
{
    uint64_t all = 0;
    ccprof_tree_each(mlmon->table, add_count, &all);
    ccprof_overflow_each(mlmon->overflow, add_count, &all);
    return all;
}

/* All added samples that are not in another file are in memory. They do not change while
   more samples arrive and are lost. */
static int write_held(const struct ccprof_mlmon *mlmon)
{
    ccprof_tree_build(mlmon->table);
    ck_assert_uint_eq(ccprof_run.moved + sum(mlmon), added);
    ccprof_sys_sleep(3000000);
    ck_assert_uint_eq(ccprof_run.moved + sum(mlmon), added);
    return 0;
}

RETURNS(int, ccprof_mlmon_write_open,
        (const struct ccprof_mlmon *mlmon, const struct ccprof_file *file, char *buffer,
         size_t size),
        0)

/* All handlers have ended, or the end of the run has waited for them. It waits long even
   if they make no progress. */
int ccprof_mlmon_write(const struct ccprof_mlmon *mlmon, const char *path, char *buffer,
                       size_t size, const char **wrong)
{
    *wrong = path;
    if (ccprof_run.phase == CCPROF_PHASE_HELD)
        return write_held(mlmon);
    written++;
    settled = working == 0;
    if (!settled)
        ck_assert_uint_ge(ccprof_sys_clock(CLOCK_MONOTONIC) - stopped_at, SECOND / 10);
    samples = mlmon->table->samples;
    ccprof_tree_build(mlmon->table);
    read_back = sum(mlmon);
    if (settled) {
        ck_assert_uint_eq(samples + ccprof_run.moved, added + declined);
        ck_assert_uint_eq(read_back + mlmon->table->lost, samples);
    }
    ccprof_sys_sleep(20000000);
    if (settled)
        ck_assert_uint_eq(mlmon->table->samples, samples);
    ck_assert_uint_eq(sum(mlmon), read_back);
    /* A fatal signal during the writing would call this. */
    ccprof_end_run(false);
    return 0;
}

static bool ours(void)
{
    return true;
}

static void setup(void)
{
    strcpy(ccprof_run.settings.output, "mlmon.out");
    ccprof_run.settings.rate = 100;
    ck_assert(ccprof_run_start(ours, true));
}

static void add(const struct ccprof_stack *stack)
{
    struct ccprof_memory *memory = ccprof_run.memory;

    if (!ccprof_run_add_begin()) {
        ccprof_samples_lose(&memory->table, 1);
        declined++;
        return;
    }
    ccprof_samples_add(&memory->table, &memory->overflow, stack, 1);
    added++;
    ccprof_run_add_end();
}

/* Adds enough stacks to need the overflow log. */
static void *handlers(void *number)
{
    unsigned seed = (unsigned)(intptr_t)number;
    struct ccprof_stack stack;

    stack.depth = 8;
    while (ccprof_run_enter()) {
        working++;
        for (uint32_t i = 0; i < stack.depth; i++)
            stack.address[i] = (uint64_t)rand_r(&seed) % 1000;
        /* Half of the samples are in a data set. */
        if (stack.address[0] % 2)
            stack.address[stack.depth - 1] = CCPROF_TAGS_DATASET | 1;
        if (added > ENOUGH)
            ccprof_sys_sleep(50000);
        add(&stack);
        working--;
        ccprof_run_leave();
    }
    refused++;
    return NULL;
}

/* Starts handlers, which work until no handler may enter any more. */
static void handlers_begin(void)
{
    threads_begin(threads, THREADS, handlers, NULL, 0);
    while (added < ENOUGH)
        ccprof_sys_yield();
}

static void handlers_end(void)
{
    threads_end(threads, THREADS);
    ck_assert_int_eq(written, 1);
}

/* Waits until this many more samples have been added. */
static void wait_for(uint64_t more)
{
    uint64_t before = added;
    while (added < before + more)
        ccprof_sys_yield();
}

static void *ends(void *number)
{
    ccprof_end_run((uintptr_t)number % 2);
    /* After the return a thread may end the process. */
    ck_assert_int_eq(ccprof_run.phase, CCPROF_PHASE_WRITTEN);
    return NULL;
}

/* Several threads end the run at the same time while handlers run. One thread writes and
   the others wait. The file is complete, and no later sample is added. */
TEST(test_end)
{
    handlers_begin();
    threads_run(THREADS, ends, NULL, 0);
    ck_assert_int_eq(stopped, 1);
    handlers_end();
    ck_assert_uint_eq(refused, THREADS);
    if (settled)
        ck_assert_uint_eq(samples, added);
    ck_assert_uint_gt(read_back, 0);
    ccprof_end_run(true);
    ck_assert_int_eq(written, 1);
}

static void *copies(void *number)
{
    int error;
    do
        error = ccprof_write_copy("copy");
    while (error == 0);
    ck_assert_int_eq(error, ECANCELED);
    return NULL;
}

/* Files are written while handlers run. Only samples that arrive during the writing are
   lost. Then other threads write files, and the run ends at the same time. */
TEST(test_held)
{
    handlers_begin();
    for (int i = 0; i < 9; i++) {
        uint64_t before = ccprof_run.moved;
        ck_assert_int_eq(ccprof_write_copy("copy"), 0);
        ck_assert_uint_eq(ccprof_run.moved, before);
        wait_for(100);
        ck_assert_int_eq(ccprof_write_dataset(i % 3, "part"), 0);
        ck_assert_int_eq(ccprof_run.phase, CCPROF_PHASE_SAMPLING);
        if (i % 3 < 2)
            ck_assert_uint_gt(ccprof_run.moved, before);
        else
            ck_assert_uint_eq(ccprof_run.moved, before);
    }
    threads_begin(others, THREADS, copies, NULL, 0);
    ccprof_sys_sleep(50000000);
    ccprof_end_run(true);
    ck_assert_int_eq(ccprof_run.phase, CCPROF_PHASE_WRITTEN);
    threads_end(others, THREADS);
    handlers_end();
}

/* A signal does this if it turns out not to end the process. All samples are held, none
   is added meanwhile, and the last file is written as if nothing had happened. */
TEST(test_ends_for_now)
{
    handlers_begin();
    for (int i = 0; i < 4; i++) {
        bool held = ccprof_end_for_now();
        ck_assert(held);
        ck_assert_int_eq(ccprof_run_hold(), EAGAIN);
        const uint64_t before = added;
        ccprof_sys_sleep(3000000);
        ck_assert_uint_eq(added, before);
        ccprof_end_resume(held);
        wait_for(100);
    }
    ck_assert_int_eq(stopped, 0);
    ccprof_end_run(true);
    ck_assert(!ccprof_end_for_now());
    handlers_end();
}

static void *sticks(void *unused)
{
    ck_assert(ccprof_run_enter());
    working++;
    ccprof_spin_try(&ccprof_run.memory->table.busy[0]);
    stuck = true;
    while (stuck)
        ccprof_sys_sleep(1000000);
    ccprof_spin_release(&ccprof_run.memory->table.busy[0]);
    working--;
    ccprof_run_leave();
    return unused;
}

/* The end of the run does not wait for ever for a handler that never returns, and does
   not touch the handler's bucket. */
TEST(test_stuck)
{
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, sticks, NULL), 0);
    while (!stuck)
        ccprof_sys_yield();
    handlers_begin();
    uint64_t before = ccprof_sys_clock(CLOCK_MONOTONIC);
    ccprof_end_run(true);
    ck_assert_uint_lt(ccprof_sys_clock(CLOCK_MONOTONIC) - before, 60 * (uint64_t)SECOND);
    ck_assert_int_eq(written, 1);
    ck_assert(!ccprof_samples_is_frozen(&ccprof_run.memory->table, 0));
    ck_assert_uint_gt(read_back, 0);
    ck_assert_uint_le(read_back + ccprof_run.memory->table.lost, samples);
    stuck = false;
    pthread_join(thread, NULL);
    handlers_end();
}

/* The file of a forked child contains nothing of the parent. */
TEST(test_child)
{
    add(&(struct ccprof_stack){1, {1}});
    ccprof_run.uncounted = 2;
    pid_t child = fork();
    if (child == 0) {
        added = 0;
        ccprof_run_start_child();
        ccprof_end_run(true);
        _exit(ccprof_run.uncounted != 0 || written != 1 || samples != 0);
    }
    child_end(child);
}

TEST_AROUND(setup, NULL)
