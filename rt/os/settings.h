/* SPDX-License-Identifier: MIT */
/* Reads the user's settings from the text of the environment variable CCPROF, for the
   constructor.  ccprof(1) documents them.  The other rooms read the struct.  */

#ifndef CCPROF_SETTINGS_H
#define CCPROF_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define CCPROF_SETTINGS_VARIABLE "CCPROF"

/* The settings of time between two checkpoints: CCPROF says nothing, and what ranks then
   have, in seconds.  */
#define CCPROF_SETTINGS_EVERY_UNSET    0xffffffffu
#define CCPROF_SETTINGS_EVERY_OF_RANKS 60

/* What samples CPU time. Where the first engine does not work, the second is tried.  */
enum ccprof_settings_engine { CCPROF_SETTINGS_TASK_CLOCK, CCPROF_SETTINGS_THREAD_TIMER };

/* What is measured of regions: nothing, time on the clock, or CPU time as well.  */
enum ccprof_settings_regions {
    CCPROF_SETTINGS_NO_REGIONS,
    CCPROF_SETTINGS_REGIONS,
    CCPROF_SETTINGS_REGIONS_CPU
};

/* What the data file tells of how the program was started.  */
enum ccprof_settings_command {
    CCPROF_SETTINGS_NAME_ALONE, /* its name, and whether there were arguments */
    CCPROF_SETTINGS_COMMAND,
    CCPROF_SETTINGS_NO_COMMAND
};

/* Whether the data file tells the name of the machine.  */
enum ccprof_settings_host {
    CCPROF_SETTINGS_HOST_OF_RANKS, /* if a launcher has numbered the process */
    CCPROF_SETTINGS_HOST,
    CCPROF_SETTINGS_NO_HOST
};

enum ccprof_settings_clock { CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_WALL };

struct ccprof_settings {
    bool off;  /* nothing is measured */
    bool help; /* the settings are listed */
    enum ccprof_settings_command command;
    enum ccprof_settings_host host;
    bool signals;   /* the profile is written on fatal signals, too */
    bool stack;     /* a sample is the whole stack */
    bool threads;   /* samples are told apart by thread */
    unsigned times; /* milliseconds of a bucket of time; 0: there are no buckets */
    bool samples;   /* samples are taken, and a timer runs */
    bool start;     /* sampling starts with the program */
    unsigned trace; /* lines of the trace at most; 0: there is no trace */
    bool chain;     /* the chain of calls is printed on signals that tell of errors */
    int toggle;     /* the signal that stops sampling and starts it; 0: none */
    int write;      /* the signal that has the profile written; 0: none */
    unsigned every; /* seconds between two checkpoints at most; 0: there are none */
    unsigned slice; /* seconds of a slice; 0: there are no slices */
    uint64_t keep;  /* bytes that the slices' folder may hold; 0: any number */
    unsigned rate;  /* samples in a second of the clock */
    enum ccprof_settings_engine engine;
    enum ccprof_settings_clock clock;
    enum ccprof_settings_regions regions;
    unsigned pause;  /* milliseconds without a call, after which a region is cold */
    unsigned events; /* calls of regions that are kept one by one; 0: none */
    bool output_is_set;
    char output[PATH_MAX]; /* a pattern (rt/process/output.h) */
};

/* Fills SETTINGS with the defaults and with what TEXT (may be null) says.  An item that
   is wrong is skipped, after COMPLAIN was called with the item (cut off if the item is
   long) and with what would be right.  COMPLAIN may be null.  */
void ccprof_settings_read(struct ccprof_settings *settings, const char *text,
                          void (*complain)(const char *item, const char *right));

/* Calls SAY with a line for each setting, for people to read.  */
void ccprof_settings_help(void (*say)(const char *line));

#endif
