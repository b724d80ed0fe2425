/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes what is wrong with a user's file, for all modules that read files: they
   return a fault, and only main decides whether it ends the run.  */

#ifndef MLPROF_FAULT_H
#define MLPROF_FAULT_H

#include <stdarg.h>
#include <stdbool.h>

enum fault_kind {
    FAULT_NONE,
    FAULT_FILE,       /* cannot be opened or read */
    FAULT_FORMAT,     /* not an executable or shared object */
    FAULT_UNPROFILED, /* holds no tables */
    FAULT_VERSION,    /* of a version that is not known here */
    FAULT_GARBLED,    /* truncated or damaged */
    FAULT_MISMATCH,   /* does not belong to the others */
    FAULT_BEYOND      /* nothing is wrong with it, but counts are not as it says */
};

/* Starts as all zero; the text is owned by the fault.  */
struct fault {
    enum fault_kind kind;
    char *text; /* one line, `FILE: what is wrong`; NULL if the kind is FAULT_NONE */
};

/* Describes FAULT anew.  Returns false, so that a reader can return it.  */
bool fault_set(struct fault *fault, enum fault_kind kind, const char *file,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Appends `; WHAT follows from it' to FAULT's text.  */
void fault_add(struct fault *fault, const char *what);

/* Makes FAULT empty again.  */
void fault_clear(struct fault *fault);

/* Prints `mlprof: FILE: what is wrong` on stderr, in one line whatever the file's name.
 */
void fault_print(const struct fault *fault);

/* Prints FAULT so, which does not end the run, and makes it empty again.  */
void fault_warn(struct fault *fault);

/* Prints `mlprof: ' and the text on stderr, in one line whatever names are in it.  */
void fault_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
void fault_message_list(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));

#endif
