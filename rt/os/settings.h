/* SPDX-License-Identifier: MIT */
/* Reads the user's settings from the environment variable CCPROF: items joined by commas,
   documented in ccprof(1).  */

#ifndef CCPROF_SETTINGS_H
#define CCPROF_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define CCPROF_SETTINGS_VARIABLE "CCPROF"
#define CCPROF_SETTINGS_RATE     100
#define CCPROF_SETTINGS_RATE_MAX 10000

/* Milliseconds of a bucket of time.  */
#define CCPROF_SETTINGS_TIMES     10
#define CCPROF_SETTINGS_TIMES_MAX 60000

/* Lines of a trace.  */
#define CCPROF_SETTINGS_TRACE     10000
#define CCPROF_SETTINGS_TRACE_MAX 100000000

/* In this order one is tried after the other.  */
enum ccprof_settings_engine { CCPROF_SETTINGS_TASK_CLOCK, CCPROF_SETTINGS_THREAD_TIMER };

/* Milliseconds.  */
#define CCPROF_SETTINGS_PAUSE     10
#define CCPROF_SETTINGS_PAUSE_MAX 3600000

/* Seconds between two checkpoints at most; unless it is set, those of ranks.  */
#define CCPROF_SETTINGS_EVERY_UNSET    0xffffffffu
#define CCPROF_SETTINGS_EVERY_OF_RANKS 60
#define CCPROF_SETTINGS_EVERY_MAX      86400

/* Seconds of a slice at most, and bytes of the folder that they are in.  */
#define CCPROF_SETTINGS_SLICE_MAX 86400
#define CCPROF_SETTINGS_KEEP      (64u << 20)
#define CCPROF_SETTINGS_KEEP_MAX  1000000 /* of its unit */

/* Calls of regions that are kept one by one.  */
#define CCPROF_SETTINGS_EVENTS_MAX 10000000

/* Regions: not measured, or time on the clock, or CPU time as well.  */
enum ccprof_settings_regions {
    CCPROF_SETTINGS_NO_REGIONS,
    CCPROF_SETTINGS_REGIONS,
    CCPROF_SETTINGS_REGIONS_CPU
};

/* What the file tells of how the program was started.  */
enum ccprof_settings_command {
    CCPROF_SETTINGS_NAME_ALONE, /* and whether there were arguments */
    CCPROF_SETTINGS_COMMAND,
    CCPROF_SETTINGS_NO_COMMAND
};

/* Whether the file tells the name of the machine.  */
enum ccprof_settings_host {
    CCPROF_SETTINGS_HOST_OF_RANKS, /* if a launcher has numbered the process */
    CCPROF_SETTINGS_HOST,
    CCPROF_SETTINGS_NO_HOST
};

enum ccprof_settings_clock { CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_WALL };

struct ccprof_settings {
    bool off;
    bool help;
    enum ccprof_settings_command command;
    enum ccprof_settings_host host;
    bool signals;                       /* write the profile on fatal signals too */
    bool stack;                         /* a sample is the whole stack */
    bool threads;                       /* samples are told apart by thread */
    unsigned times;                     /* milliseconds of a bucket; 0: none are kept */
    bool samples;                       /* they are taken, and a timer runs */
    bool start;                         /* sampling starts with the program */
    unsigned trace;                     /* lines of it at most; 0: there is none */
    bool chain;                         /* printed on signals that tell of errors */
    int toggle;                         /* signal that stops and starts it; 0: none */
    int write;                          /* signal that writes the profile; 0: none */
    unsigned every;                     /* seconds; 0: there are no checkpoints */
    unsigned slice;                     /* seconds; 0: there are no slices */
    uint64_t keep;                      /* bytes of their folder; 0: any number */
    unsigned rate;                      /* samples in a second of the clock */
    enum ccprof_settings_engine engine; /* to begin with, for CPU time */
    enum ccprof_settings_clock clock;
    enum ccprof_settings_regions regions;
    unsigned pause;  /* milliseconds, after which a region's call is cold */
    unsigned events; /* calls of regions that are kept one by one; 0: none */
    bool output_is_set;
    char output[PATH_MAX]; /* a pattern (output.h) */
};

/* Fills SETTINGS with the defaults and what TEXT (may be null) says.  An item
   that is not understood is skipped after COMPLAIN was called with it (cut off
   if it is long) and with what would be right; COMPLAIN may be null.  */
void ccprof_settings_read(struct ccprof_settings *settings, const char *text,
                          void (*complain)(const char *item, const char *right));

/* The settings, one line each, for people.  */
extern const char *const ccprof_settings_help[];

#endif
