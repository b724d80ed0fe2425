/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where live data come from: a running process, which is asked again and again, or a
   folder in which processes write slices. The data of a span of time up to now are
   operands for datafiles_read. Knows nothing of terminals, prints nothing, and has no
   global state: also for programs that serve or send profiles. Used by
   mlprof/commands/live*.c. */

#ifndef MLPROF_SOURCE_H
#define MLPROF_SOURCE_H

#include "mlprof/base/fault.h"
#include "mlprof/live/slices.h"
#include "mlprof/request/request.h"

#include <stdbool.h>
#include <stddef.h>

/* The longest span of time that a process can be shown for, in seconds. */
#define SOURCE_SPAN_MOST 60

struct source;

/* WORD is a PID, the name of a process (request_open_word), or the path of a folder, and
   stays valid. Asks a process to sample and, if HEAP, to record its heap, and waits for
   its first answer. If there is no such process, or if it does not answer or refuses,
   returns NULL and sets FAULT. */
struct source *source_open(const char *word, bool heap, struct fault *fault);

/* Frees SOURCE, which may be NULL. The process samples for a few seconds more, unless it
   samples on its own. */
void source_close(struct source *source);

/* Returns what the source is called: `a.out 123', or the path of the folder. */
const char *source_title(const struct source *source);

/* Returns whether the source is a folder: several processes may write in it. */
bool source_is_folder(const struct source *source);

enum source_outcome {
    SOURCE_CHANGED, /* there are new data */
    SOURCE_SAME,    /* there are no new slices in the folder */
    SOURCE_SILENT,  /* no data now; a later update may succeed */
    SOURCE_ENDED    /* the process or its run has ended; the last data stay */
};

/* Asks the process for its next answer for at most MILLISECONDS, or looks for slices. If
   the result is SOURCE_SILENT or SOURCE_ENDED, sets FAULT to the reason. */
enum source_outcome source_update(struct source *source, unsigned milliseconds,
                                  struct fault *fault);

/* Returns why less time can be shown since the last update than before, or NULL. */
const char *source_note(const struct source *source);

/* All zero at first. */
struct source_data {
    char **words;     /* operands: data files, after the program if it is a process */
    size_t count;     /* number of WORDS */
    const char *root; /* options.root; valid as long as the source */
    double seconds;   /* the time of the data; 0: from the start of the run */
    /* Private: what WORDS point to. */
    struct request_data answers;
    char *program;
    struct slices slices;
};

/* Makes DATA of the last SECONDS, at most SOURCE_SPAN_MOST, or 0: of the whole run. If
   the source does not have so many yet, the data are of fewer; if its slices are longer,
   of more. If there are no data yet, returns false and sets FAULT. The caller calls
   source_data_end in any case. */
bool source_data(struct source *source, unsigned seconds, struct source_data *data,
                 struct fault *fault);

/* Frees the content of DATA. If FAULT names a file in memory, it then names the
   process. */
void source_data_end(struct source_data *data, struct fault *fault);

#endif
