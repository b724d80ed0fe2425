/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes a text apart line by line, and a line field by field, for the reader of
   mlmon.out.  All that return a bool return false if the text is not like that; those
   that read a whole line then fill the fault, and name the line.  */

#ifndef MLPROF_FIELDS_H
#define MLPROF_FIELDS_H

#include "mlprof/base/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The caller sets PATH, NEXT, END and FAULT at the start, and owns them.  */
struct fields {
    const char *path;
    const char *next, *end; /* the text that is left */
    const char *at, *stop;  /* the line that is left */
    unsigned long number;   /* of the line */
    struct fault *fault;
};

struct fields_word {
    const char *text;
    unsigned value;
};

/* Fills the fault: the line is wrong, and WHY.  Returns false.  */
bool fields_wrong(struct fields *fields, const char *why);

/* Starts the next line.  */
bool fields_next_line(struct fields *fields);

/* Gives the line back that was started last, of which nothing was taken.  */
void fields_unread(struct fields *fields);

bool fields_end_of_line(const struct fields *fields);

/* Skips TEXT if the line goes on with it.  */
bool fields_skip(struct fields *fields, const char *text);

/* A number without a sign, of at least one digit; hexadecimal ones start with 0x.  */
bool fields_decimal(struct fields *fields, uint64_t *value);
bool fields_hexadecimal(struct fields *fields, uint64_t *value);

/* The value of a hexadecimal digit, or 16 if C is none.  */
static inline unsigned fields_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    return 16;
}

/* The rest of the line as a path, to be freed; NULL if it is not one.  */
char *fields_path(struct fields *fields);

/* The same of a name, written as paths are; it may be empty.  */
char *fields_name(struct fields *fields);

/* The next line is `NAME N'.  */
bool fields_number_line(struct fields *fields, const char *name, uint64_t *value);

/* The next line is `NAME WORD' with one of COUNT words.  */
bool fields_word_line(struct fields *fields, const char *name,
                      const struct fields_word *words, size_t count, unsigned *value);

#endif
