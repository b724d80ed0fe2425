/* SPDX-License-Identifier: MIT */
/* Samples every thread of the process, for the run: chooses the engine, arms each thread
   that is found, and determines how many samples a signal stands for.

   Threads are found in three ways: when they are created (thread-create.h); in the
   kernel's list of threads, which is read up to ten times a second while signals come;
   and when a signal of the process timer (engine.h) comes to them, the sooner the more
   CPU time they use.  Until a thread is found, and in the first few periods of its CPU
   time, the process timer samples it.  */

#ifndef CCPROF_SAMPLER_H
#define CCPROF_SAMPLER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "rt/os/settings.h"
#include "rt/sample/engine.h"

/* Starts to sample all existing threads, with the engine of the settings or the next one
   that works.  The handler must be installed already.  Returns 0 or an errno value.
   Constructor, child of a fork.  */
int ccprof_sampler_start(const struct ccprof_settings *settings);

/* Like start, but without samples: a pulse of signals, which come to threads that use CPU
   time, whatever the clock of the settings, and to none that waits.  A thread whose
   creation was not seen is found while signals come to another.  */
int ccprof_sampler_pulse(const struct ccprof_settings *settings);

/* Makes the signals of the pulse samples of CPU time.  Constructor.  */
void ccprof_sampler_take_pulse_as_samples(void);

/* Stops sampling.  A signal may still be pending.  Async-signal-safe.  */
void ccprof_sampler_stop(void);

/* Forgets the threads and the engine of the parent, which go on in the parent.  Child of
   a fork, before start.  */
void ccprof_sampler_drop(void);

/* Returns whether the signal comes from an engine or the process timer; otherwise the
   program or another process sent it.  Called by the handler with its arguments, as is
   take.  */
bool ccprof_sampler_is_ours(const siginfo_t *info);

/* Returns the samples that the signal stands for.  CALL is the system call at which it
   came; null: at none.  Not after stop.  */
struct ccprof_cpu_call;
struct ccprof_taken ccprof_sampler_take(const siginfo_t *info, const void *context,
                                        const struct ccprof_cpu_call *call);

/* Arms the calling thread, if it is not armed yet (begin), or disarms it (end).  SIGPROF
   must be blocked.  Both return how many samples are due for CPU time at which no signal
   can come: before a thread is armed, or of threads that have ended.  */
uint64_t ccprof_sampler_thread_begin(void);
uint64_t ccprof_sampler_thread_end(void);

/* Returns the engine's name in mlmon.out(5).  */
const char *ccprof_sampler_engine(void);

/* Returns how many threads there were since the start, and how often the process waited
   (voluntary context switches).  */
uint64_t ccprof_sampler_threads(void);
uint64_t ccprof_sampler_waits(void);

/* Returns how many system calls returned EINTR because of a signal of an engine or the
   process timer.  */
uint64_t ccprof_sampler_interrupted(void);

/* Returns how many threads could not be armed when they began, on the wall clock, for
   want of a timer or a slot.  */
uint64_t ccprof_sampler_unarmed(void);

/* If the process may no longer make the system calls that sampling needs, for example
   because of a filter of its own (seccomp), returns the calls that are refused: a set of
   bits in the order of CCPROF_REFUSED_NAMES (rt/format.h).  Otherwise returns 0.  WALL:
   samples are taken on the wall clock.  Tries each call in a way that changes nothing.
   Async-signal-safe.  */
unsigned ccprof_sampler_refused(bool wall);

#endif
