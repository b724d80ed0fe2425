/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a function in a process of its own, with limits. So whatever it does with hostile
   data, its memory and its global state end with the process, and it can be ended at any
   time. The caller has one thread. */

#ifndef LIVE_TASK_H
#define LIVE_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* All zero: nothing runs. */
struct task {
    pid_t pid;     /* 0: nothing runs */
    int process;   /* a pidfd, which can be read when the process has ended */
    int output;    /* the file in memory that is the process's standard output */
    int errors;    /* the same for stderr */
    uint64_t late; /* the time_ms at which it is ended */
};

struct task_limits {
    uint64_t memory;  /* address space, in bytes; 0: no limit */
    uint64_t output;  /* size of each file, in bytes */
    unsigned seconds; /* CPU time; the real time is limited to twice as much */
    bool background;  /* gives way to other processes */
};

/* Blocks the signals that ask a program to end. Returns a descriptor that can be read
   when one of them comes, or -1 with errno set. */
int task_open_signals(void);

/* Runs RUN in a new process, which ends when RUN returns; RUN returns whether all went
   well. Returns false if no process can be made; errno is set. */
bool task_start(struct task *task, const struct task_limits *limits,
                bool (*run)(void *data), void *data);

enum task_state { TASK_RUNS, TASK_GOOD, TASK_FAILED, TASK_LATE };

/* Returns what has become of TASK, which was started. Does not wait. Except for
   TASK_RUNS, it has ended; OUTPUT and ERRORS stay open. */
enum task_state task_check(struct task *task);

/* Ends TASK, if it runs, and closes its files. OUTPUT stays open if the caller has set it
   to -1. */
void task_end(struct task *task);

#endif
