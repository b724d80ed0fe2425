/* SPDX-License-Identifier: MIT */
/* Owns the gate. The constructor calls start, the child of a fork calls restart, and
   the SIGPROF handler calls pass. The other functions are called by the program
   (ccprof.h), by the handler of the toggle signal, and by the writer of files. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "rt/process/gate.h"
#include "rt/os/libc.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/regions/regions.h"
#include "rt/sampler/sampler.h"
#include "rt/count/counts.h"

#define SECOND 1000000000u

/* The usual maximum number of samples per signal. */
#define GATE_USUAL_SAMPLES 2

/* How long a thread waits for the gate's flag, in nanoseconds. */
#define GATE_PATIENCE 1000000000u

static struct {
    const struct ccprof_settings *settings;
    ccprof_spin busy; /* guards changes; held with all signals blocked */
    _Atomic bool closed;
    bool opened; /* the gate is or was open in this process */
    bool lent;   /* only a request has opened the gate */
    void (*before)(void), (*reclaimed)(void);
    /* For each clock: the sum of its values when the gate was closed, minus the sum of
       its values when the gate was opened. While the gate is open, adding the present
       value gives the total time that the gate was open. */
    uint64_t cpu, wall, waits;
    /* Value of the sampled clock when the gate was last opened; 0: the gate was always
       open. */
    _Atomic uint64_t since;
} gate;

/* If a timer is armed on the process's CPU clock, Linux updates this clock only at
   ticks. Reading the thread's own clock first updates the thread's share. */
static uint64_t gate_cpu(void)
{
    ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    return ccprof_sys_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* Reads the clock that is sampled. */
static uint64_t gate_clock(void)
{
    return gate.settings->clock == CCPROF_SETTINGS_WALL
               ? ccprof_sys_clock(CLOCK_MONOTONIC)
               : gate_cpu();
}

static void gate_start_measuring(void)
{
    gate.opened = true;
    ccprof_counts_open();
    ccprof_regions_open();
    gate.waits -= ccprof_sampler_waits();
    gate.wall -= ccprof_sys_clock(CLOCK_MONOTONIC);
    gate.cpu -= gate_cpu();
}

static void gate_stop_measuring(void)
{
    ccprof_counts_close();
    ccprof_regions_close();
    gate.cpu += gate_cpu();
    gate.wall += ccprof_sys_clock(CLOCK_MONOTONIC);
    gate.waits += ccprof_sampler_waits();
}

/* The time limit only matters if a fatal signal interrupted the holder, which then
   never continues. */
static bool gate_lock(struct ccprof_blocked *blocked)
{
    ccprof_blocked_begin(blocked);
    return ccprof_spin_wait(&gate.busy, GATE_PATIENCE);
}

static void gate_unlock(const struct ccprof_blocked *blocked, bool locked)
{
    if (locked)
        ccprof_spin_release(&gate.busy);
    ccprof_blocked_end(blocked);
}

void ccprof_gate_start(const struct ccprof_settings *settings, void (*before)(void),
                       void (*reclaimed)(void))
{
    gate.before = before;
    gate.reclaimed = reclaimed;
    gate.settings = settings;
    atomic_store(&gate.closed, !settings->start);
    ccprof_gate_restart();
}

void ccprof_gate_restart(void)
{
    ccprof_spin_release(&gate.busy);
    gate.wall = 0;
    gate.cpu = 0;
    if (gate.lent)
        atomic_store(&gate.closed, true);
    gate.lent = false;
    gate.opened = false;
    if (atomic_load(&gate.closed))
        ccprof_counts_close();
    else
        gate_start_measuring();
    /* The sampler's number of waits starts at 0 in this process. */
    gate.waits = 0;
    atomic_store(&gate.since, 0);
}

bool ccprof_gate_is_open(void)
{
    return !atomic_load(&gate.closed);
}

static void gate_open(bool lent)
{
    struct ccprof_blocked blocked;
    bool locked = gate_lock(&blocked), closed = atomic_load(&gate.closed);

    if (locked)
        gate.lent = lent && (closed || gate.lent);
    if (locked && closed) {
        gate.before();
        gate_start_measuring();
        atomic_store(&gate.since, gate_clock());
        atomic_store(&gate.closed, false);
    }
    gate_unlock(&blocked, locked);
}

void ccprof_gate_open(void)
{
    gate_open(false);
}

void ccprof_gate_lend(void)
{
    gate_open(true);
}

static void gate_close(bool only_lent)
{
    struct ccprof_blocked blocked;
    bool locked = gate_lock(&blocked);

    if (locked && !atomic_load(&gate.closed) && (gate.lent || !only_lent)) {
        atomic_store(&gate.closed, true);
        gate.lent = false;
        gate_stop_measuring();
        if (only_lent)
            gate.reclaimed();
    }
    gate_unlock(&blocked, locked);
}

void ccprof_gate_close(void)
{
    gate_close(false);
}

void ccprof_gate_reclaim(void)
{
    gate_close(true);
}

int ccprof_gate_before_first(int (*set)(unsigned value), unsigned value)
{
    struct ccprof_blocked blocked;
    bool locked = gate_lock(&blocked);
    int error = !locked ? EAGAIN : gate.opened ? EBUSY : set(value);

    gate_unlock(&blocked, locked);
    return error;
}

uint64_t ccprof_gate_pass(uint64_t weight)
{
    uint64_t since = atomic_load(&gate.since), most;

    if (atomic_load(&gate.closed))
        return 0;
    if (since == 0 || weight <= GATE_USUAL_SAMPLES)
        return weight;
    most = (gate_clock() - since) * gate.settings->rate / SECOND + 1;
    return weight < most ? weight : most;
}

void ccprof_gate_measured(uint64_t *cpu, uint64_t *wall, uint64_t *waits)
{
    struct ccprof_blocked blocked;
    bool locked = gate_lock(&blocked), closed = atomic_load(&gate.closed);

    *cpu = gate.cpu + (closed ? 0 : gate_cpu());
    *wall = gate.wall + (closed ? 0 : ccprof_sys_clock(CLOCK_MONOTONIC));
    *waits = gate.waits + (closed ? 0 : ccprof_sampler_waits());
    /* If a clock can no longer be read, its value is 0, so the difference is negative. */
    if ((int64_t)*cpu < 0)
        *cpu = 0;
    if ((int64_t)*wall < 0)
        *wall = 0;
    gate_unlock(&blocked, locked);
}

static void gate_toggle(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    (void)number;
    (void)info;
    (void)context;
    if (ccprof_gate_is_open())
        ccprof_gate_close();
    else
        ccprof_gate_open();
    errno = saved;
}

void ccprof_gate_install_signal(int number)
{
    if (!ccprof_signals_take(number, gate_toggle))
        ccprof_say("SIG", sigabbrev_np(number), " is in use: it does not stop sampling",
                   NULL);
}
