/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a text into lines, and lines into fields, for the readers of mlmon.out and of
   baselines.  Functions that return a bool return false if the text does not have the
   form they read; those that read a whole line also set the fault, which names the
   line.  */

#ifndef MLPROF_FIELDS_H
#define MLPROF_FIELDS_H

#include "mlprof/base/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The caller sets PATH, NEXT, END and FAULT at the start, and owns them.  */
struct fields {
    const char *path;
    const char *next, *end; /* the rest of the text */
    const char *at, *stop;  /* the rest of the line */
    unsigned long number;   /* of the line */
    struct fault *fault;
};

struct fields_word {
    const char *text;
    unsigned value;
};

/* Sets the fault: the line is wrong, and WHY.  Returns false.  */
bool fields_wrong(struct fields *fields, const char *why);

/* Starts the next line.  */
bool fields_next_line(struct fields *fields);

/* Starts the next line if it begins with WORD, and skips WORD; otherwise returns false
   and reads nothing.  */
bool fields_optional(struct fields *fields, const char *word);

/* Gives back the line that was started last and of which nothing was read.  */
void fields_unread(struct fields *fields);

bool fields_end_of_line(const struct fields *fields);

/* Skips TEXT if the line goes on with it.  */
bool fields_skip(struct fields *fields, const char *text);

/* Reads a number without a sign, of at least one digit.  Hexadecimal numbers start with
   0x.  */
bool fields_decimal(struct fields *fields, uint64_t *value);
bool fields_hexadecimal(struct fields *fields, uint64_t *value);

/* Reads a blank and a decimal number.  */
bool fields_number(struct fields *fields, uint64_t *value);

/* The value of a hexadecimal digit, or 16 if C is none.  */
static inline unsigned fields_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    return 16;
}

/* Reads the rest of the line as a path, to be freed; NULL if it is no path.  */
char *fields_path(struct fields *fields);

/* Reads the rest of the line as a name, which is written as paths are and may be empty;
   to be freed.  */
char *fields_name(struct fields *fields);

/* Reads the next line, `NAME N'.  */
bool fields_number_line(struct fields *fields, const char *name, uint64_t *value);

/* Reads the next line, `NAME WORD', where WORD is one of COUNT words.  */
bool fields_word_line(struct fields *fields, const char *name,
                      const struct fields_word *words, size_t count, unsigned *value);

#endif
