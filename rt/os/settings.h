/* SPDX-License-Identifier: MIT */
/* Reads the user's settings from the text of the environment variable CCPROF, for the
   constructor.  All other rooms only read the struct.  ccprof(1) documents the
   settings.  */

#ifndef CCPROF_SETTINGS_H
#define CCPROF_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define CCPROF_SETTINGS_VARIABLE "CCPROF"

/* UNSET: the value of `every' if CCPROF does not set one.  OF_RANKS: the default for
   ranks of MPI, in seconds.  */
#define CCPROF_SETTINGS_EVERY_UNSET    0xffffffffu
#define CCPROF_SETTINGS_EVERY_OF_RANKS 60

/* The engine that samples CPU time.  Where the first engine does not work, the second is
   tried.  */
enum ccprof_settings_engine { CCPROF_SETTINGS_TASK_CLOCK, CCPROF_SETTINGS_THREAD_TIMER };

/* What is measured of regions: nothing, time on the clock, or CPU time as well.  */
enum ccprof_settings_regions {
    CCPROF_SETTINGS_NO_REGIONS,
    CCPROF_SETTINGS_REGIONS,
    CCPROF_SETTINGS_REGIONS_CPU
};

/* What mlmon.out says about the command that started the program.  */
enum ccprof_settings_command {
    CCPROF_SETTINGS_NAME_ALONE, /* the name, and whether there were arguments */
    CCPROF_SETTINGS_COMMAND,
    CCPROF_SETTINGS_NO_COMMAND
};

/* Whether mlmon.out has the name of the machine.  */
enum ccprof_settings_host {
    CCPROF_SETTINGS_HOST_OF_RANKS, /* only if a launcher has numbered the process */
    CCPROF_SETTINGS_HOST,
    CCPROF_SETTINGS_NO_HOST
};

/* The value of `heap' that asks for each block.  */
#define CCPROF_SETTINGS_HEAP_EXACT 1

enum ccprof_settings_clock { CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_WALL };

struct ccprof_settings {
    bool off;  /* measure nothing */
    bool help; /* print the list of settings */
    enum ccprof_settings_command command;
    enum ccprof_settings_host host;
    bool signals;   /* write the profile also where a fatal signal ends the program */
    bool stack;     /* take whole stacks, not only the program counter */
    bool threads;   /* keep samples apart by thread */
    unsigned times; /* length of a bucket of time in milliseconds; 0: no buckets */
    bool samples;   /* take samples, with a timer */
    bool start;     /* begin to sample when the program starts */
    unsigned trace; /* the most lines of the trace; 0: no trace */
    bool chain;     /* print the chain of calls at signals that mean errors */
    int toggle;     /* the signal that stops and starts sampling; 0: none */
    int write;      /* the signal at which the profile is written; 0: none */
    unsigned every; /* the most seconds between two checkpoints; 0: no checkpoints */
    unsigned slice; /* length of a slice in seconds; 0: no slices */
    uint64_t keep;  /* the most bytes that the folder of slices may hold; 0: no limit */
    unsigned rate;  /* samples per second of the clock */
    enum ccprof_settings_engine engine;
    enum ccprof_settings_clock clock;
    enum ccprof_settings_regions regions;
    unsigned pause;  /* milliseconds without a call after which a region is cold */
    unsigned events; /* how many calls of regions are kept one by one; 0: none */
    uint64_t
        heap; /* bytes of the heap for a sample, or the above; 0: it is not measured */
    uint64_t mmap;  /* the least bytes of a mapping that is counted; 0: none is */
    bool reachable; /* which blocks can be reached is found out at exit */
    bool output_is_set;
    char output[PATH_MAX]; /* a pattern (rt/process/output.h) */
};

/* Fills SETTINGS with the defaults and with what TEXT, which may be null, says.  A wrong
   item is skipped, after a call of COMPLAIN, which may be null, with the item (a long one
   cut off) and with the text of what would be right.  */
void ccprof_settings_read(struct ccprof_settings *settings, const char *text,
                          void (*complain)(const char *item, const char *right));

/* Calls SAY with one line of the list for each setting.  */
void ccprof_settings_help(void (*say)(const char *line));

#endif
