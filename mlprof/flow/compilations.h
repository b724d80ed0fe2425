/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups flows by their compilations, each of one source file in one folder, for the
   formats of coverage.  */

#ifndef MLPROF_COMPILATIONS_H
#define MLPROF_COMPILATIONS_H

#include "mlprof/base/intern.h"
#include "mlprof/flow/flowcounts.h"

/* A compilation.  Texts live as long as the counts.  */
struct compilations_one {
    const char *directory, *input;
    const struct flowcounts_flow **flows;
    size_t count, capacity;
};

struct compilations {
    struct compilations_one *list; /* in the order of their first flows */
    size_t count, capacity;
    struct intern texts;
    struct index index; /* key: module, directory, input */
};

/* Fills COMPILATIONS, which compilations_free frees.  */
void compilations_find(struct compilations *compilations,
                       const struct flowcounts *counts);

void compilations_free(struct compilations *compilations);

/* The folder of the first compilation; "" if there is none.  */
const char *compilations_here(const struct compilations *compilations);

#endif
