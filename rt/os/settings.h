/* SPDX-License-Identifier: MIT */
/* Reads the user's settings from the text of the environment variable CCPROF. Only
   the constructor calls this. All other code only reads the struct. ccprof(1)
   documents the settings. */

#ifndef CCPROF_SETTINGS_H
#define CCPROF_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define CCPROF_SETTINGS_VARIABLE "CCPROF"

/* UNSET: the value of the field `every' if CCPROF does not set it. OF_RANKS: the
   default for MPI ranks, in seconds. */
#define CCPROF_SETTINGS_EVERY_UNSET    0xffffffffu
#define CCPROF_SETTINGS_EVERY_OF_RANKS 60

/* The engine that samples CPU time. If the first engine does not work, the second is
   tried. */
enum ccprof_settings_engine { CCPROF_SETTINGS_TASK_CLOCK, CCPROF_SETTINGS_THREAD_TIMER };

/* The measured times of regions: none, wall clock time, or CPU time as well. */
enum ccprof_settings_regions {
    CCPROF_SETTINGS_NO_REGIONS,
    CCPROF_SETTINGS_REGIONS,
    CCPROF_SETTINGS_REGIONS_CPU
};

/* How mlmon.out describes the command that started the program. */
enum ccprof_settings_command {
    CCPROF_SETTINGS_NAME_ALONE, /* program name, and whether it had arguments */
    CCPROF_SETTINGS_COMMAND,
    CCPROF_SETTINGS_NO_COMMAND
};

/* Whether mlmon.out contains the name of the machine. */
enum ccprof_settings_host {
    CCPROF_SETTINGS_HOST_OF_RANKS, /* only if an MPI launcher numbered the process */
    CCPROF_SETTINGS_HOST,
    CCPROF_SETTINGS_NO_HOST
};

/* Special values of the field `heap'. EXACT: every block is recorded. LATER: as with
   SIZE, but only after a request. EXACT_LATER: every block, after a request. */
#define CCPROF_SETTINGS_HEAP_EXACT       1
#define CCPROF_SETTINGS_HEAP_LATER       2
#define CCPROF_SETTINGS_HEAP_EXACT_LATER 3
#define CCPROF_SETTINGS_HEAP_SIZE        (512 << 10)

/* The number of waits recorded individually with wait=yes. */
#define CCPROF_SETTINGS_WAITS 10000

enum ccprof_settings_clock { CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_WALL };

struct ccprof_settings {
    bool off;  /* measure nothing */
    bool help; /* print the list of settings */
    enum ccprof_settings_command command;
    enum ccprof_settings_host host;
    bool signals;   /* write the profile also when a fatal signal ends the program */
    bool stack;     /* record call stacks, not only the program counter */
    bool threads;   /* keep the samples of each thread separate */
    unsigned times; /* length of a time bucket in milliseconds; 0: no buckets */
    bool samples;   /* take samples, with a timer */
    bool start;     /* start sampling when the program starts */
    bool ask;       /* answer requests of other processes */
    unsigned trace; /* maximum number of lines of the trace; 0: no trace */
    bool chain;     /* print the call chain when an error signal arrives */
    int toggle;     /* signal that stops and restarts sampling; 0: none */
    int write;      /* signal that makes the runtime write the profile; 0: none */
    unsigned every; /* maximum seconds between two checkpoints; 0: no checkpoints */
    unsigned slice; /* length of a slice in seconds; 0: no slices */
    uint64_t keep;  /* maximum bytes in the folder of slices; 0: no limit */
    unsigned rate;  /* samples per second of the measured clock */
    enum ccprof_settings_engine engine;
    enum ccprof_settings_clock clock;
    enum ccprof_settings_regions regions;
    unsigned pause;  /* milliseconds without calls after which a region is cold */
    unsigned events; /* number of region calls recorded individually; 0: none */
    uint64_t heap;   /* mean allocated bytes per sample, or HEAP_EXACT, ...; 0: off */
    uint64_t mmap;   /* minimum bytes of a counted mapping; 0: none is counted */
    unsigned wait; /* number of waits recorded individually; 0: waits are not measured */
    unsigned shortest; /* microseconds: shorter waits are not recorded */
    bool reachable;    /* find out at exit which blocks are still reachable */
    bool output_is_set;
    char output[PATH_MAX]; /* file name pattern (rt/output/output.h) */
};

/* Fills SETTINGS with the defaults and then with the settings in TEXT, which may be
   null. Skips a wrong item, and calls COMPLAIN (unless it is null) with the item, cut
   off if it is long, and a text with the permitted values. */
void ccprof_settings_read(struct ccprof_settings *settings, const char *text,
                          void (*complain)(const char *item, const char *right));

/* Calls SAY with one line of help for each setting. */
void ccprof_settings_help(void (*say)(const char *line));

#endif
