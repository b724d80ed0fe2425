/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of the command line that name files: which kind of file a word names, whether
   data belongs to a program, and how often each data file counts (-weight). Used by
   options*.c and the files of mlprof/input and mlprof/commands. */

#ifndef MLPROF_INPUTS_H
#define MLPROF_INPUTS_H

#include "mlprof/base/fault.h"
#include "mlprof/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return whether the regular file at PATH starts like an ELF file
   (inputs_is_executable), a data file (inputs_is_data), or a file that -gate reads.
   Return false if it cannot be read. */
bool inputs_is_executable(const char *path);
bool inputs_is_data(const char *path);
bool inputs_is_budget(const char *path);

/* Returns whether PATH is a folder. */
bool inputs_is_folder(const char *path);

/* Returns whether MEASURED, module 0 of a data file, is PROGRAM: both have the build
   ID BUILD_ID, or both have no build ID but the same path. BUILD_ID may be NULL. */
bool inputs_is_measured(const char *program, const char *build_id,
                        const struct profile_module *measured);

/* Returns the path of the program with which the data file DATA was measured.
   Searches the build at the path where it was measured, in the current folder, and in
   the folder of DATA. The caller frees the path. Returns NULL if the build is in
   none of these places. */
char *inputs_find_program(const char *data, const struct profile_module *measured);

/* A weight for data files: each file whose name matches PATTERN counts WEIGHT times. */
struct weights_weight {
    char *pattern;
    uint64_t weight;
};

/* All zero at first. */
struct weights {
    struct weights_weight *weights; /* in the order of the command line */
    size_t count, capacity;
};

/* Adds the word `PATTERN=N'. Returns NULL or an error message, which the caller
   frees. */
char *weights_put(struct weights *weights, const char *word);

/* Returns how often the data file at PATH counts: the weight of the last pattern that
   matches the path or a folder that contains the file, as a shell matches patterns.
   Returns 1 if none matches. PATH is as given or as found in a folder. Sets USED for
   each matching pattern. */
uint64_t weights_of(const struct weights *weights, const char *path, bool *used);

/* If a pattern was not USED, returns false and sets FAULT. */
bool weights_check(const struct weights *weights, const bool *used, struct fault *fault);

void weights_free(struct weights *weights);

#endif
