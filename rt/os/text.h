/* SPDX-License-Identifier: MIT */
/* Formats text into a buffer, which is written to a file when it is full, and prints
   messages on standard error. Async-signal-safe, except where a comment says
   otherwise. A text keeps its first error and writes nothing afterwards. */

#ifndef CCPROF_TEXT_H
#define CCPROF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ccprof_file;

struct ccprof_text {
    char *buffer; /* owned by the caller */
    size_t size;
    size_t used;
    const struct ccprof_file *file; /* null: a text that does not fit is cut off */
    int error;                      /* errno value, or 0 */
};

/* Starts an empty text. If FILE is null, a text that does not fit has the error
   ENAMETOOLONG. The caller keeps FILE as long as the text. */
void ccprof_text_open(struct ccprof_text *text, char *buffer, size_t size,
                      const struct ccprof_file *file);

void ccprof_text_char(struct ccprof_text *text, char c);
void ccprof_text_string(struct ccprof_text *text, const char *string);

/* Appends the string for a terminal: control characters become \xHH, the form that
   mlprof uses, too. */
void ccprof_text_clean(struct ccprof_text *text, const char *string);

void ccprof_text_decimal(struct ccprof_text *text, uint64_t number);

/* Appends a space and the number. */
void ccprof_text_field(struct ccprof_text *text, uint64_t number);

/* Appends the number in hexadecimal with the prefix 0x. */
void ccprof_text_hex(struct ccprof_text *text, uint64_t number);

/* Appends two hexadecimal digits for each byte. */
void ccprof_text_bytes(struct ccprof_text *text, const unsigned char *bytes, size_t size);

/* Appends a path in the form of mlmon.out(5): \\ for a backslash, \n for a newline. */
void ccprof_text_path(struct ccprof_text *text, const char *path);

/* Writes the rest of the text to the file. Returns the error, or 0. */
int ccprof_text_flush(struct ccprof_text *text);

/* Ends a text without a file with NUL, cut off if it does not fit. Returns the error,
   or 0. */
int ccprof_text_end(struct ccprof_text *text);

/* Messages are lines "ccprof: ..." on standard error. They are printed only if the
   user has set CCPROF (PRINTS), and only while standard error is the file that it was
   at this call, in the constructor: the program may close its standard error and open
   its own file under that number. */
void ccprof_say_start(bool prints);

/* Returns the standard error of the program's start, for longer texts. */
struct ccprof_file;
const struct ccprof_file *ccprof_say_file(void);

/* Prints PART and the strings after it, up to a null pointer, as one line of at most
   1,000 bytes. Does not change errno. */
void ccprof_say(const char *part, ...) __attribute__((sentinel));

/* Like ccprof_say, for data that are missing in the data file: also keeps the message
   for the file, once. */
#define CCPROF_SAY_KEPT 1200
void ccprof_say_missing(const char *part, ...) __attribute__((sentinel));

/* Keeps MESSAGE for the file, once, and prints nothing. */
void ccprof_say_keep(const char *message);

/* Returns the kept messages, joined by newlines. */
const char *ccprof_say_kept(void);

/* Drops the kept messages, in the child of a fork. */
void ccprof_say_forget(void);

/* Returns a text for the errno value ERROR. */
const char *ccprof_say_error(int error);

#endif
