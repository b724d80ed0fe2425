/* SPDX-License-Identifier: MIT */
/* The engines, which send SIGPROF to a thread, and the parts that they share: the
   moments of samples, kernel time, and the remainders of threads that have ended.

   An engine sends signals to a thread only while the thread runs, so that no signal
   interrupts a wait. The exception is wall-timer, whose time includes waits.

   Used by the sampler and the table of threads. All functions are async-signal-safe,
   except where a comment says otherwise. */

#ifndef CCPROF_ENGINE_H
#define CCPROF_ENGINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The moments at which samples are taken. The time on a clock is divided into
   intervals of one period. Each interval gets one sample, at a moment chosen
   uniformly at random (stratified random sampling; Cochran, "Sampling Techniques",
   chapter 5). So there are as many samples as intervals, and no program can run in
   step with the moments. A clock that runs for less than a period is sampled with the
   correct probability.

   All times are in nanoseconds. START and NEXT are times of the clock plus AHEAD. */
struct ccprof_interval {
    uint64_t period;
    uint64_t ahead;
    uint64_t start; /* start of the interval of the next sample */
    uint64_t next;  /* time of the next sample */
    uint64_t random;
};

/* Starts the first interval at the time NOW. SEED may be any number. */
void ccprof_interval_start(struct ccprof_interval *interval, uint64_t period,
                           uint64_t now, uint64_t seed);

/* Continues the interval of a clock that ended at THEN on another clock, which is at
   NOW. In this way, many clocks that each run for less than a period get as many
   samples together as a single clock. */
void ccprof_interval_continue(struct ccprof_interval *interval, uint64_t then,
                              uint64_t now);

/* Returns the number of samples due at NOW: 0 if it is too early, more than 1 if whole
   intervals have passed. The next sample is then due after NOW. */
uint64_t ccprof_interval_take(struct ccprof_interval *interval, uint64_t now);

/* Returns a random number below LIMIT, uniformly distributed. LIMIT must not be 0. */
uint64_t ccprof_interval_pick(struct ccprof_interval *interval, uint64_t limit);

/* ccprof_interval_wait returns the time until the next sample is due, or 0.
   ccprof_interval_late returns for how long it has been due, or 0. */
uint64_t ccprof_interval_wait(const struct ccprof_interval *interval, uint64_t now);
uint64_t ccprof_interval_late(const struct ccprof_interval *interval, uint64_t now);

/* Ticks show whether the thread was in the kernel when a signal came at the kernel's
   tick. The program counter is not sufficient: at a page fault it is in the program,
   and after a system call the thread may have returned. The kernel counts the
   thread's ticks in user mode and its ticks in total. All zeros: nothing is known
   about the thread. */
struct ccprof_ticks {
    uint64_t user, all; /* user time and total time at the last signal */
    int64_t unseen;     /* user time not sampled yet; only the engine task-clock subtracts
                           sampled time */
    int32_t rest;       /* kernel ticks not assigned to a signal yet */
};

/* Returns whether the signal came while the thread was in the kernel. AT_CALL: it
   came at a system call. Called in the thread itself. */
bool ccprof_ticks_are_kernel(struct ccprof_ticks *ticks, bool at_call);

/* Returns the user time of the calling thread since the last signal at a tick. */
uint64_t ccprof_ticks_user(const struct ccprof_ticks *ticks);

/* Returns whether the calling thread has spent more time in user mode than in the
   kernel. */
bool ccprof_ticks_are_mostly_user(void);

/* Does the same as ccprof_ticks_are_kernel, with the clocks' values USER and ALL. */
bool ccprof_ticks_judge(struct ccprof_ticks *ticks, uint64_t user, uint64_t all,
                        bool at_call);

struct ccprof_engine;

/* The number of samples that a signal represents, 0 or more, and how many of them are
   kernel time. INTERRUPTED: the signal came in the kernel, but not at a system call. */
struct ccprof_taken {
    uint64_t samples, kernel;
    bool interrupted;
};

/* The slot of a thread that is or was sampled. This structure is small, since there
   are many slots. */
struct ccprof_thread {
    _Atomic pid_t tid;    /* 0: the slot is free */
    bool ending;          /* the thread is ending and must not be armed again */
    bool has_two_events;  /* the thread has two events of task-clock */
    bool has_left_sample; /* a due sample is left for the next signal */
    /* Null if only the process timer samples the thread. The members below belong to
       the engine and are valid while the thread has an engine. */
    const struct ccprof_engine *_Atomic engine;
    char *event;                     /* pages that keep the engine's events alive */
    int handle;                      /* timer of the engine */
    int kernel_timer;                /* timer for samples of kernel time; -1: none */
    struct ccprof_interval interval; /* moment of the next sample */
    uint64_t planned;                /* CPU time at which the next signal is planned */
    uint32_t delay;                  /* delay from the planning to the planned time */
    uint32_t kernel;           /* due samples of kernel time without an address yet */
    uint64_t kernel_since;     /* CPU time since which these samples wait */
    struct ccprof_ticks ticks; /* for signals at the kernel's tick */
};

/* An engine. All functions are async-signal-safe. */
struct ccprof_engine {
    const char *name; /* name in mlmon.out(5) */

    /* Starts to sample THREAD of this process at an average interval of PERIOD
       nanoseconds and a random phase. Returns 0 or an errno value. */
    int (*arm)(struct ccprof_thread *thread, uint64_t period);

    /* Ends the sampling of THREAD. A signal may still be pending. */
    void (*disarm)(struct ccprof_thread *thread);

    /* Releases data inherited by the child of a fork; may be null. */
    void (*drop)(struct ccprof_thread *thread);

    /* Returns whether the thread is still armed. The thread may have ended, and its
       number may belong to another thread now. */
    bool (*is_armed)(const struct ccprof_thread *thread);

    /* Returns the samples that the signal represents. AT_CALL: it came at a system
       call. Called in the handler, with the handler's INFO, in the thread itself. */
    struct ccprof_taken (*take)(struct ccprof_thread *thread, const siginfo_t *info,
                                bool at_call);
};

extern const struct ccprof_engine ccprof_engine_task_clock;
extern const struct ccprof_engine ccprof_engine_thread_timer;
extern const struct ccprof_engine ccprof_engine_wall_timer;

/* The remainder: unfinished intervals of threads that have ended, and samples that are
   due but not taken yet. New threads continue them. So many short threads together
   get as many samples as their total CPU time requires, without depending on chance in
   each thread.

   Engines call keep when they disarm a thread, and resume when they arm one. Both run
   under the lock of the threads' slots (threads.h). */

/* Keeps the interval of THREAD, which exits at the time NOW of its CPU clock. If
   there is no room for the interval, its due samples are added to the samples owed.

   If THREAD has run for less than a tick and a sample has been due for longer than the
   distance of ticks, the program runs in step with the tick, and no later thread would
   take the sample. Then the due samples are added to the result of
   ccprof_remainder_missed instead. */
void ccprof_remainder_keep(struct ccprof_thread *thread, uint64_t now);

/* Gives an interval to THREAD, which starts at the time NOW of its CPU clock and has a
   sample every PERIOD nanoseconds. This is the interval of a thread that has ended,
   together with its samples of kernel time, or a new interval if none is kept. */
void ccprof_remainder_resume(struct ccprof_thread *thread, uint64_t period, uint64_t now);

/* Adds SAMPLES to the samples owed: samples that are due in a thread without an
   interval. Called by the handler in any thread; the same is true for take. */
void ccprof_remainder_owe(uint64_t samples);

/* Takes at most MOST of the samples owed. Returns their number. They are counted at
   the code that the calling thread is running. */
uint64_t ccprof_remainder_take(uint64_t most);

/* Returns and forgets the samples that no signal has taken: samples of threads that
   ended before a tick and that no later thread will take. At the END of the run,
   these are all due samples. Their place in the code is not known. With END the lock
   is not held, and no thread may be armed or disarmed any more. */
uint64_t ccprof_remainder_missed(bool end);

/* Forgets the whole remainder, in the child of a fork. */
void ccprof_remainder_drop(void);

/* The process timer samples threads that have no timer: threads whose creation the
   runtime has not seen. It runs on the CPU time of the process. Each signal to an
   armed thread postpones it, so it expires only when CPU time passes without such a
   signal, and then once every period.

   Its signal is sent to the process. The kernel may choose a waiting thread, whose
   system call then returns EINTR. So the timer must not expire because of threads
   that have their own timers. */

/* Starts the timer with a PERIOD in nanoseconds. AT_TICK: its first signal comes at
   the first tick that finds the process running. Returns 0, or an errno value; in
   that case the other functions do nothing. Called by the constructor and, with
   AT_TICK, by the child of a fork. */
int ccprof_process_timer_start(uint64_t period, bool at_tick);

/* Returns whether the first tick has not come yet. */
bool ccprof_process_timer_awaits_tick(void);

/* Stops the timer. A signal may still be pending. Any thread may call this. */
void ccprof_process_timer_stop(void);

/* Postpones the timer, since a signal has come to one of the THREADS armed threads. */
void ccprof_process_timer_postpone(uint64_t threads);

/* Returns whether the process timer sent the signal. */
bool ccprof_process_timer_is(const siginfo_t *info);

/* Returns the number of periods of CPU time that the process timer's signal
   represents. At the first tick of a child, T after the start of the timer, this is a
   tick minus T, and the time before the start, rounded at random. After T the engine
   takes one sample in each period. Then children of any length get as many samples as
   their CPU time requires, on average: a tick finds a child shorter than a tick with a
   probability of its length, if the child starts at a random moment of the tick.

   On a busy machine a child often starts right after a tick, since a tick ended the
   time of the process before it. So if T is about a tick, or longer since the child
   blocked the signal, the signal represents T. If children start at random moments,
   this adds about half a millisecond to those longer than a tick. */
uint64_t ccprof_process_timer_take(const siginfo_t *info);

#endif
