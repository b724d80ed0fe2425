/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the slices in a folder by the time at which they were written. Used by
   source.c. */

#ifndef MLPROF_SLICES_H
#define MLPROF_SLICES_H

#include "mlprof/base/buf.h"
#include "mlprof/base/fault.h"

#include <stdbool.h>
#include <stdint.h>

struct slices_file {
    char *path;
    uint64_t time; /* when it was written, in nanoseconds since 1970 */
};

/* All zero at first. From the newest to the oldest. */
struct slices {
    BUF_VECTOR(struct slices_file) files;
};

/* Lists the finished files in FOLDER, which may be data files. If it cannot be read,
   returns false and sets FAULT. */
bool slices_list(struct slices *slices, const char *folder, struct fault *fault);

/* Returns whether both lists have the same files. */
bool slices_are_same(const struct slices *one, const struct slices *other);

/* Keeps the data files of the last SECONDS, 0: all, of the program of the newest one.
   Returns the time in seconds from the newest file that was left out because it is older
   to the newest one; 0 if all are kept. */
double slices_keep(struct slices *slices, unsigned seconds);

void slices_free(struct slices *slices);

#endif
