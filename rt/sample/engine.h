/* SPDX-License-Identifier: MIT */
/* The engines, which make SIGPROF come to a thread, and what they share: the moments of
   samples, time in the kernel, and what is left of threads that have ended.

   An engine sends the signals of a thread only while the thread runs, so that no signal
   interrupts a wait.  Only wall-timer does otherwise, whose time includes waits.

   Used by the sampler and the table of threads.  All functions are async-signal-safe,
   except where a comment says otherwise.  */

#ifndef CCPROF_ENGINE_H
#define CCPROF_ENGINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The moments at which samples are taken.  The time on a clock is divided into intervals
   of one period, and each interval gets one sample, at a moment drawn uniformly from it
   (stratified random sampling; Cochran, "Sampling Techniques", chapter 5).  So there are
   as many samples as intervals, and no program can run in step with the moments.  A clock
   that runs for less than a period is sampled with the right probability.

   All times are in nanoseconds.  START and NEXT are times of the clock plus AHEAD.  */
struct ccprof_interval {
    uint64_t period;
    uint64_t ahead;
    uint64_t start; /* start of the interval of the next sample */
    uint64_t next;  /* time of the next sample */
    uint64_t random;
};

/* Starts the first interval at the time NOW.  SEED may be any number.  */
void ccprof_interval_start(struct ccprof_interval *interval, uint64_t period,
                           uint64_t now, uint64_t seed);

/* Continues, on a clock that is at NOW, the interval of another clock that has ended at
   THEN.  So many clocks that each run for less than a period get as many samples as one
   clock that runs as long as all of them.  */
void ccprof_interval_go_on(struct ccprof_interval *interval, uint64_t then, uint64_t now);

/* Returns how many samples are due at NOW: 0 if it is too early, more than 1 if whole
   intervals have passed.  Afterwards the next sample is due later than NOW.  */
uint64_t ccprof_interval_take(struct ccprof_interval *interval, uint64_t now);

/* Returns a random number below LIMIT, drawn uniformly.  LIMIT must not be 0.  */
uint64_t ccprof_interval_pick(struct ccprof_interval *interval, uint64_t limit);

/* Wait returns the time until the next sample is due, 0 if it is due; late returns how
   long the sample has been due.  */
uint64_t ccprof_interval_wait(const struct ccprof_interval *interval, uint64_t now);
uint64_t ccprof_interval_late(const struct ccprof_interval *interval, uint64_t now);

/* Ticks show whether the thread was in the kernel when a signal came, at the kernel's
   tick. The program counter alone does not: at a page fault it is in the program, and
   after a system call the thread may be back.  The kernel counts the thread's ticks in
   user mode and in all.  All zeros: nothing is known of the thread.  */
struct ccprof_ticks {
    uint64_t user, all; /* time in user mode and in all at the last signal */
    int64_t unseen; /* the sum of the time in user mode; the engine subtracts from it */
    int32_t rest;   /* ticks in the kernel at which no signal was found to be there */
};

/* Returns whether the signal came in the kernel.  AT_CALL: it came at a system call.
   Called in the thread itself.  */
bool ccprof_ticks_are_kernel(struct ccprof_ticks *ticks, bool at_call);

/* The same where the clocks are at USER and ALL.  */
bool ccprof_ticks_judge(struct ccprof_ticks *ticks, uint64_t user, uint64_t all,
                        bool at_call);

struct ccprof_engine;

/* How many samples a signal stands for, 0 or more, and how many of these are time in the
   kernel.  INTERRUPTED: the signal came there, but at no system call.  */
struct ccprof_taken {
    uint64_t samples, kernel;
    bool interrupted;
};

/* The slot of a thread that is or was sampled.  There are many, so it is small.  */
struct ccprof_thread {
    _Atomic pid_t tid; /* 0: this slot is free */
    bool ending;       /* the thread is ending and must not be armed again */
    bool twice;        /* the engine has two events for the thread */
    bool late;         /* a sample is due, which the next signal takes */
    /* Null: only the process timer samples the thread.  The members below belong to the
       engine, and are valid while there is an engine.  */
    const struct ccprof_engine *_Atomic engine;
    char *event;      /* the pages that keep the engine's events alive */
    int handle;       /* the engine's timer */
    int kernel_timer; /* the timer that finds samples for time in the kernel; -1: none */
    struct ccprof_interval interval; /* determines when the next sample is due */
    uint64_t planned;                /* CPU time for which the next signal was planned */
    uint32_t delay;        /* delay of the next signal, from when it was planned */
    uint32_t kernel;       /* samples due for time in the kernel, of unknown address */
    uint64_t kernel_since; /* CPU time since which these samples have waited */
    struct ccprof_ticks ticks; /* of the signals that come at the kernel's tick */
};

/* An engine.  All functions are async-signal-safe.  */
struct ccprof_engine {
    const char *name; /* its name in mlmon.out(5) */

    /* Starts to sample THREAD of this process each PERIOD nanoseconds on average, at a
       random phase.  Returns 0 or an errno value.  */
    int (*arm)(struct ccprof_thread *thread, uint64_t period);

    /* Ends the sampling of THREAD.  A signal may still be pending.  */
    void (*disarm)(struct ccprof_thread *thread);

    /* Gives up what the child of a fork has inherited; may be null.  */
    void (*drop)(struct ccprof_thread *thread);

    /* Returns whether the thread is still armed.  The thread may have ended, with its
       number now another thread's.  */
    bool (*is_armed)(const struct ccprof_thread *thread);

    /* Returns the samples that the signal stands for.  AT_CALL: it came at a system call.
       Called in the handler, with its argument, in the thread itself.  */
    struct ccprof_taken (*take)(struct ccprof_thread *thread, const siginfo_t *info,
                                bool at_call);
};

extern const struct ccprof_engine ccprof_engine_task_clock;
extern const struct ccprof_engine ccprof_engine_thread_timer;
extern const struct ccprof_engine ccprof_engine_wall_timer;

/* The remainder: the unfinished intervals of threads that have ended, and samples that
   are due but not yet taken.  The next new threads get them.  So many brief threads
   together get as many samples as their CPU time asks for, without relying on chance in
   each of them.

   Engines call keep and resume where they disarm and arm threads, under the lock of the
   threads' slots (threads.h).  */

/* Keeps the interval of THREAD, which exits at the time NOW of its CPU clock.  If there
   is no room for the interval, its due samples are owed.  If a sample has been due for
   longer than ticks can be apart, and THREAD has lived for less than a tick, no thread
   will take the sample, since the program runs in step with the tick: then
   ccprof_remainder_missed returns all due samples.  */
void ccprof_remainder_keep(struct ccprof_thread *thread, uint64_t now);

/* Gives an interval to THREAD, which starts at the time NOW of its CPU clock and is
   sampled each PERIOD nanoseconds: the interval of an exited thread, with its samples for
   time in the kernel, or a new interval if no such thread is left.  */
void ccprof_remainder_resume(struct ccprof_thread *thread, uint64_t period, uint64_t now);

/* Adds SAMPLES to what is owed, since they are due in a thread that has no interval.
   Called by the handler of any thread, as is take.  */
void ccprof_remainder_owe(uint64_t samples);

/* Takes some of the samples that are owed, MOST at most, and returns how many.  They
   count for the code that the calling thread runs.  */
uint64_t ccprof_remainder_take(uint64_t most);

/* Returns the samples that no signal has taken, and forgets them: those of threads that
   have ended before a tick, which no thread will take any more; at the END of the run all
   that are due.  Their place in the code is not known.  With END, the lock is not held,
   and no thread may be armed or disarmed any more.  */
uint64_t ccprof_remainder_missed(bool end);

/* Forgets all, in the child of a fork.  */
void ccprof_remainder_drop(void);

/* The process timer samples threads without a timer of their own: those whose creation
   the runtime has not seen.  It runs on the CPU time of the process, and each signal that
   comes to an armed thread puts it off.  So it expires only when CPU time passes without
   such a signal, and then once each period.  Its signal goes to the process: the kernel
   may choose a thread that waits, whose system call then returns EINTR.  So the timer
   must not expire because of threads that have their own timers.  */

/* Starts the timer with a PERIOD in nanoseconds.  Returns 0, or an errno value, and
   then the other functions do nothing.  Constructor, child of a fork.  */
int ccprof_process_timer_start(uint64_t period);

/* Stops the timer.  A signal may still be pending.  Any thread.  */
void ccprof_process_timer_stop(void);

/* Puts the timer off, since a signal came to one of the THREADS armed threads.  */
void ccprof_process_timer_put_off(uint64_t threads);

/* Returns whether the signal is the process timer's.  */
bool ccprof_process_timer_is(const siginfo_t *info);

/* Returns how many periods of the process's CPU time its signal stands for.  */
uint64_t ccprof_process_timer_take(const siginfo_t *info);

#endif
