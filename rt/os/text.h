/* SPDX-License-Identifier: MIT */
/* Formats text into a buffer, which is written to a file when it is full, and prints
   messages on standard error.  Async-signal-safe, except where a comment says otherwise.
   The first error of a text is kept, and nothing is written after it.  */

#ifndef CCPROF_TEXT_H
#define CCPROF_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct ccprof_file;

struct ccprof_text {
    char *buffer; /* belongs to the caller */
    size_t size;
    size_t used;
    const struct ccprof_file *file; /* null: there is none, and the text is cut off */
    int error;                      /* an errno value, or 0 */
};

/* Starts an empty text.  Without a FILE (null), a text that does not fit is the error
   ENAMETOOLONG.  The caller keeps the file as long as the text.  */
void ccprof_text_open(struct ccprof_text *text, char *buffer, size_t size,
                      const struct ccprof_file *file);

void ccprof_text_char(struct ccprof_text *text, char c);
void ccprof_text_string(struct ccprof_text *text, const char *string);

/* Appends the string with its control characters as \xHH, for a terminal.  mlprof writes
   control characters in the same way.  */
void ccprof_text_clean(struct ccprof_text *text, const char *string);

void ccprof_text_decimal(struct ccprof_text *text, uint64_t number);

/* Appends a blank and the number.  */
void ccprof_text_field(struct ccprof_text *text, uint64_t number);

/* Appends the number with 0x before it.  */
void ccprof_text_hex(struct ccprof_text *text, uint64_t number);

/* Appends two hexadecimal digits for each byte.  */
void ccprof_text_bytes(struct ccprof_text *text, const unsigned char *bytes, size_t size);

/* Appends a path as mlmon.out(5) wants it: \\ for a backslash, \n for a newline.  */
void ccprof_text_path(struct ccprof_text *text, const char *path);

/* Writes the rest to the file; returns the error, or 0.  */
int ccprof_text_flush(struct ccprof_text *text);

/* Ends a text that stays in its buffer with NUL, and cuts it off if it does not fit;
   returns the error, or 0.  */
int ccprof_text_end(struct ccprof_text *text);

/* Messages are lines "ccprof: ..." on standard error.  If the program closes its standard
   error and opens a file of its own under that number, nothing is printed: the file is
   the program's.  Start notes which file the standard error is.  Constructor.  */
void ccprof_say_start(void);

/* Returns the standard error that the process began with, for longer texts.  */
struct ccprof_file;
const struct ccprof_file *ccprof_say_file(void);

/* Prints the strings PART and following, up to a null pointer, as one line of at most
   1,000 bytes.  Leaves errno alone.  */
void ccprof_say(const char *part, ...) __attribute__((sentinel));

/* Returns the text of the errno value ERROR.  */
const char *ccprof_say_error(int error);

#endif
