/* SPDX-License-Identifier: MIT */
/* Samples every thread of the process, for the run: chooses the engine, arms each
   thread that is found, and determines how many samples a signal represents.

   Threads are found in three ways: when they are created (thread-create.h); in the
   kernel's list of threads, which is read up to ten times a second while signals come;
   and when they receive a signal of the process timer (engine.h), which is more likely
   for threads that use more CPU time. The process timer samples a thread until it is
   found, and in the first few periods of its CPU time. */

#ifndef CCPROF_SAMPLER_H
#define CCPROF_SAMPLER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "rt/os/settings.h"
#include "rt/sampler/engine.h"

/* Starts to sample all existing threads, with the engine of the settings or the next
   one that works. The handler must be installed. Returns 0 or an errno value.
   Called by the constructor and the child of a fork. */
int ccprof_sampler_start(const struct ccprof_settings *settings);

/* With the setting start=no, the constructor and the child of a fork call postpone
   instead. Until resume, no thread has a timer. resume does nothing if the sampler
   runs; otherwise it returns as start does. pause stops the sampler until the next
   resume. resume and pause are async-signal-safe, and all signals must be blocked;
   only one thread at a time may call them. */
void ccprof_sampler_postpone(const struct ccprof_settings *settings);
int ccprof_sampler_resume(const struct ccprof_settings *settings);
void ccprof_sampler_pause(void);

/* Starts signals that only trigger checkpoints and take no samples. Threads that use
   CPU time get these signals, with either clock of the settings. Waiting threads
   never get them. A thread whose creation was not seen is found only while signals
   come to another thread. */
int ccprof_sampler_pulse(const struct ccprof_settings *settings);

/* From now on, the signals started by ccprof_sampler_pulse take samples of CPU time.
   Called by the constructor. */
void ccprof_sampler_take_pulse_as_samples(void);

/* Stops sampling. A signal may still be pending. Async-signal-safe. */
void ccprof_sampler_stop(void);

/* Forgets the parent's threads and engine. The child of a fork calls this before
   start. */
void ccprof_sampler_drop(void);

/* Returns whether an engine or the process timer sent the signal. Otherwise the
   program or another process sent it. The handler calls this and take with its own
   arguments. */
bool ccprof_sampler_is_ours(const siginfo_t *info);

/* Returns the samples that the signal represents. CALL is the system call that it
   interrupted, or null. Not to be called after stop. */
struct ccprof_cpu_call;
struct ccprof_taken ccprof_sampler_take(const siginfo_t *info, const void *context,
                                        const struct ccprof_cpu_call *call);

/* thread_begin arms the calling thread, if it is not armed yet; thread_end disarms it.
   SIGPROF must be blocked. Both return the number of samples due for CPU time during
   which no signal can come: time before a thread is armed, and time of threads that
   have ended. */
uint64_t ccprof_sampler_thread_begin(void);
uint64_t ccprof_sampler_thread_end(void);

/* Returns the engine's name in mlmon.out(5). */
const char *ccprof_sampler_engine(void);

/* Return the number of threads since the start, and the number of waits of the process
   (voluntary context switches). */
uint64_t ccprof_sampler_threads(void);
uint64_t ccprof_sampler_waits(void);

/* Returns the number of system calls that returned EINTR because of a signal of an
   engine or the process timer. */
uint64_t ccprof_sampler_interrupted(void);

/* Returns the number of samples that were due more than a tick before their signal
   arrived in a thread, although it was in user mode: it had blocked the signal. */
uint64_t ccprof_sampler_late(void);

/* Returns the number of threads that could not be armed at their start because no
   timer or slot was free; always 0 for CPU time. */
uint64_t ccprof_sampler_unarmed(void);

/* Checks whether a seccomp filter of the process refuses the system calls that
   sampling needs. Returns the refused calls as bits in the order of
   CCPROF_REFUSED_NAMES (rt/format.h), or 0 if sampling is possible. WALL: samples are
   taken on the wall clock. Tries each call in a way that changes nothing.
   Async-signal-safe. */
unsigned ccprof_sampler_refused(bool wall);

#endif
