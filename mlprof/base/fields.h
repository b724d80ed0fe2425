/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a text into lines, and lines into fields, for the reader of mlmon.out.
   Functions of type bool return false if the text does not have the
   expected form. If a function reads a whole line, it also sets the fault, which names
   the line. */

#ifndef MLPROF_FIELDS_H
#define MLPROF_FIELDS_H

#include "mlprof/base/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The caller sets PATH, NEXT, END and FAULT at the start and owns them. */
struct fields {
    const char *path;
    const char *next, *end;    /* rest of the text */
    const char *cursor, *stop; /* rest of the line */
    unsigned long number;      /* line number */
    struct fault *fault;
};

struct fields_word {
    const char *text;
    unsigned value;
};

/* Sets the fault for the current line, with the reason WHY. Returns false. */
bool fields_wrong(struct fields *fields, const char *why);

/* Goes to the next line. */
bool fields_next_line(struct fields *fields);

/* If the next line begins with WORD, goes to that line and skips WORD; otherwise
   returns false and reads nothing. */
bool fields_optional(struct fields *fields, const char *word);

/* Undoes the last fields_next_line, if nothing of the line has been read since. */
void fields_unread(struct fields *fields);

bool fields_end_of_line(const struct fields *fields);

/* If the line continues with TEXT, skips it; otherwise returns false. */
bool fields_skip(struct fields *fields, const char *text);

/* Reads an unsigned number of at least one digit. A hexadecimal number starts with 0x. */
bool fields_decimal(struct fields *fields, uint64_t *value);
bool fields_hexadecimal(struct fields *fields, uint64_t *value);

/* Reads a blank and a decimal number. */
bool fields_number(struct fields *fields, uint64_t *value);

/* Returns the value of the hexadecimal digit C, or 16 if C is not a hexadecimal digit. */
static inline unsigned fields_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    return 16;
}

/* Reads the rest of the line as a path; freed by free. Returns NULL if it is not a
   valid path. */
char *fields_path(struct fields *fields);

/* Reads the rest of the line as a name, which is escaped like a path and may be empty;
   freed by free. Returns NULL if it is not valid. */
char *fields_name(struct fields *fields);

/* Reads the next line, `NAME N', where N is a decimal number. */
bool fields_number_line(struct fields *fields, const char *name, uint64_t *value);

/* Reads the next line, `NAME WORD', where WORD must be one of the COUNT words. */
bool fields_word_line(struct fields *fields, const char *name,
                      const struct fields_word *words, size_t count, unsigned *value);

#endif
