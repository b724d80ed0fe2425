/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes what is served or pushed: with mlprof's own options and commands, in a child
   (task.h), of answers of a process or of the slices in a folder. */

#ifndef LIVE_RENDER_H
#define LIVE_RENDER_H

#include "mlprof/export/export.h"
#include "mlprof/request/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

enum render_format { RENDER_PAGE, RENDER_PROFILE, RENDER_HEAP, RENDER_OTLP };

/* The most answers: a comparison needs three. */
#define RENDER_ANSWERS 3

/* What a report is of: ANSWERS, a SLICE or a FOLDER. */
struct render {
    enum render_format format;
    const char *name;    /* of the process or folder, for messages */
    const char *shown;   /* the same, for the title */
    const char *program; /* NULL: the program of the slices */
    const char *root;    /* the root folder of the process; NULL: that of this one */
    /* From the oldest to the newest. One: the run until then. Two: the time between.
       Three: the time between the last two, compared with the time before. */
    const struct request_answer *answers;
    size_t count;
    const char *slice;
    const char *folder;
    /* The slices written after FROM, until TO. If BEFORE is not FROM, they are compared
       with those written after BEFORE, until FROM. */
    time_t before, from, to;
    const struct export_labels *labels; /* NULL: none */
};

/* Writes the report RENDER to standard output. Returns false, with a line on stderr, if
   it cannot. For a process of its own. */
bool render_run(void *render);

#endif
