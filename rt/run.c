/* SPDX-License-Identifier: MIT */
/* Owns the state of the run.  start: constructor; start_child: child of a fork;
   end: any thread, signal handlers included; enter and leave: the handler.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "run.h"
#include "sampler.h"
#include "say.h"
#include "sys.h"
#include "text.h"

#define MILLISECOND 1000000
#define SECOND      1000000000u

/* So many samples at once are nothing special.  */
#define RUN_FEW 2

/* How long one waits for handlers at work in other threads.  */
#define RUN_WAIT_HANDLERS 100

struct ccprof_run ccprof_run;

_Static_assert(sizeof(struct ccprof_memory) + sizeof ccprof_run <= 4 << 20,
               "the runtime's memory is at most 4 MiB");

/* The file's absolute name, since the program may change its folder; the name as
   given if that cannot be known.  */
static void run_place(void)
{
    struct ccprof_run *run = &ccprof_run;
    struct ccprof_text text;
    char *slash;

    ccprof_text_open(&text, run->output, sizeof run->output, -1);
    if (*run->settings.output != '/') {
        ssize_t length = ccprof_sys_getcwd(run->output, sizeof run->output);
        if (length > 1 && *run->output == '/') {
            text.used = (size_t)length - 1;
            if (length > 2)
                ccprof_text_char(&text, '/');
        }
    }
    ccprof_text_string(&text, run->settings.output);
    if (ccprof_text_end(&text) != 0)
        strcpy(run->output, run->settings.output);

    run->output_base = strlen(run->output);
    strcpy(run->folder, run->output);
    slash = strrchr(run->folder, '/');
    if (slash)
        slash[slash == run->folder] = '\0';
    else
        strcpy(run->folder, ".");
    ccprof_spool_place(run->folder);
}

static bool run_memory(void)
{
    void *memory = mmap(NULL, sizeof(struct ccprof_memory), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        ccprof_say("no memory: the program runs unprofiled", NULL);
        return false;
    }
    ccprof_run.memory = memory;
    return true;
}

/* Brings the process's clock up to date: while a timer on it is armed, Linux does so
   at ticks alone.  To ask for the thread's own clock does it for this thread.  */
static uint64_t run_cpu(void)
{
    ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    return ccprof_sys_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static void run_clocks_start(void)
{
    atomic_fetch_sub(&ccprof_run.waits, ccprof_sampler_waits());
    atomic_fetch_sub(&ccprof_run.wall, ccprof_sys_clock(CLOCK_MONOTONIC));
    atomic_fetch_sub(&ccprof_run.cpu, run_cpu());
}

static void run_clocks_stop(void)
{
    atomic_fetch_add(&ccprof_run.cpu, run_cpu());
    atomic_fetch_add(&ccprof_run.wall, ccprof_sys_clock(CLOCK_MONOTONIC));
    atomic_fetch_add(&ccprof_run.waits, ccprof_sampler_waits());
}

static bool run_begin(void)
{
    struct ccprof_run *run = &ccprof_run;
    int error;

    atomic_store(&run->owner, ccprof_sys_getpid());
    atomic_store(&run->wall, 0);
    atomic_store(&run->cpu, 0);
    if (!atomic_load(&run->stopped))
        run_clocks_start();
    /* The sampler counts them from its start.  */
    atomic_store(&run->waits, 0);
    atomic_store(&run->phase, CCPROF_PHASE_SAMPLING);
    error = ccprof_sampler_start(&run->settings);
    if (error) {
        atomic_store(&run->phase, CCPROF_PHASE_OFF);
        ccprof_say(ccprof_say_error(error), ": no timer: the program runs unprofiled",
                   NULL);
        return false;
    }
    return true;
}

bool ccprof_run_start(bool (*signal_is_ours)(void))
{
    ccprof_run.signal_is_ours = signal_is_ours;
    if (!run_memory())
        return false;
    ccprof_run.settings.stack = ccprof_run.settings.stack && ccprof_stack_possible();
    atomic_store(&ccprof_run.stopped, !ccprof_run.settings.start);
    run_place();
    return run_begin();
}

static bool run_goes_on(void)
{
    int phase = atomic_load(&ccprof_run.phase);
    return phase == CCPROF_PHASE_SAMPLING || phase == CCPROF_PHASE_HELD;
}

bool ccprof_run_attach(void)
{
    if (!run_goes_on())
        return false;
    ccprof_modules_refresh(&ccprof_run.memory->modules);
    return true;
}

/* The child's file is called after the program's first process, with the child's
   number behind it.  */
static void run_place_child(void)
{
    struct ccprof_text text;

    ccprof_text_open(&text, ccprof_run.output, sizeof ccprof_run.output, -1);
    text.used = ccprof_run.output_base;
    ccprof_text_char(&text, '.');
    ccprof_text_decimal(&text, (uint64_t)ccprof_sys_getpid());
    ccprof_text_end(&text);
}

/* Gives the pages back rather than copying the parent's.  */
static void run_empty(void)
{
    struct ccprof_memory *memory = ccprof_run.memory;
    const size_t size = offsetof(struct ccprof_memory, modules);
    if (size % (size_t)sysconf(_SC_PAGESIZE) != 0 ||
        madvise(memory, size, MADV_DONTNEED) != 0)
        memset(memory, 0, size);
}

void ccprof_run_start_child(void)
{
    struct ccprof_memory *memory = ccprof_run.memory;

    if (!run_goes_on() && atomic_load(&ccprof_run.phase) != CCPROF_PHASE_WRITING)
        return;
    /* The parent has lost it for good.  */
    if (!ccprof_run.signal_is_ours()) {
        atomic_store(&ccprof_run.phase, CCPROF_PHASE_OFF);
        return;
    }
    /* Threads of the parent may have been at work.  */
    atomic_store(&ccprof_run.handlers, 0);
    atomic_store(&ccprof_run.adding, 0);
    atomic_store(&ccprof_run.ending, false);
    ccprof_run.elsewhere = 0;
    ccprof_spin_release(&ccprof_run.attaching);
    ccprof_sampler_drop();
    ccprof_log_close(&memory->log);
    ccprof_modules_thaw(&memory->modules);
    run_empty();
    run_place_child();
    run_begin();
}

bool ccprof_run_is_on(void)
{
    return run_goes_on() && !atomic_load(&ccprof_run.stopped);
}

void ccprof_run_stop(void)
{
    if (!atomic_exchange(&ccprof_run.stopped, true))
        run_clocks_stop();
}

/* The clock that the rate counts.  */
static uint64_t run_clock(void)
{
    return ccprof_run.settings.clock == CCPROF_SETTINGS_WALL
               ? ccprof_sys_clock(CLOCK_MONOTONIC)
               : run_cpu();
}

void ccprof_run_go(void)
{
    if (!atomic_load(&ccprof_run.stopped))
        return;
    atomic_store(&ccprof_run.since, run_clock());
    if (atomic_exchange(&ccprof_run.stopped, false))
        run_clocks_start();
}

uint64_t ccprof_run_due(uint64_t weight)
{
    uint64_t since = atomic_load(&ccprof_run.since), most;

    if (atomic_load(&ccprof_run.stopped))
        return 0;
    if (since == 0 || weight <= RUN_FEW)
        return weight;
    most = (run_clock() - since) * ccprof_run.settings.rate / SECOND + 1;
    return weight < most ? weight : most;
}

bool ccprof_run_enter(void)
{
    atomic_fetch_add(&ccprof_run.handlers, 1);
    if (run_goes_on())
        return true;
    ccprof_run_leave();
    return false;
}

void ccprof_run_leave(void)
{
    atomic_fetch_sub(&ccprof_run.handlers, 1);
}

/* Looks before it counts, or who holds the run might wait for those that come and go.  */
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

bool ccprof_run_is_there(void)
{
    return atomic_load(&ccprof_run.phase) != CCPROF_PHASE_OFF;
}

void ccprof_run_measured(uint64_t *cpu, uint64_t *wall, uint64_t *waits)
{
    bool stopped = atomic_load(&ccprof_run.stopped);
    *cpu = atomic_load(&ccprof_run.cpu) + (stopped ? 0 : run_cpu());
    *wall =
        atomic_load(&ccprof_run.wall) + (stopped ? 0 : ccprof_sys_clock(CLOCK_MONOTONIC));
    *waits = atomic_load(&ccprof_run.waits) + (stopped ? 0 : ccprof_sampler_waits());
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
