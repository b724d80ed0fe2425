/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes errors in files. Modules that read files return a fault to their caller.
   If the fault ends the run, main prints it and chooses the exit status. A caller that
   can continue prints the fault with fault_warn. */

#ifndef MLPROF_FAULT_H
#define MLPROF_FAULT_H

#include <stdarg.h>
#include <stdbool.h>

enum fault_kind {
    FAULT_NONE,
    FAULT_FILE,       /* cannot be opened or read */
    FAULT_FORMAT,     /* not an executable or shared object */
    FAULT_UNPROFILED, /* has no ccprof tables */
    FAULT_VERSION,    /* has an unknown format version */
    FAULT_GARBLED,    /* truncated or damaged */
    FAULT_MISMATCH,   /* does not match the other files */
    FAULT_BEYOND      /* the file is valid, but counts differ from it (-gate) */
};

/* Starts as all zero. The fault owns the text. */
struct fault {
    enum fault_kind kind;
    char *text; /* one line, `FILE: what is wrong`; NULL if KIND is FAULT_NONE */
};

/* Replaces the content of FAULT. Returns false, so that a reader can return the
   result. */
bool fault_set(struct fault *fault, enum fault_kind kind, const char *file,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Appends `; WHAT' to the text of FAULT, for example a consequence of the fault. */
void fault_add(struct fault *fault, const char *what);

void fault_clear(struct fault *fault);

/* Prints `mlprof: FILE: what is wrong` on stderr as one line, even if the file's name
   has control characters. */
void fault_print(const struct fault *fault);

/* Prints FAULT like fault_print as a warning, and clears FAULT. */
void fault_warn(struct fault *fault);

/* Prints `mlprof: ' and the formatted text on stderr as one line, even if names in it
   have control characters. */
void fault_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
void fault_message_list(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));

/* Returns the last line of DESCRIPTOR, a file to which such messages were written,
   without `mlprof: ', or NULL if there is none; freed by free. */
char *fault_last_message(int descriptor);

#endif
