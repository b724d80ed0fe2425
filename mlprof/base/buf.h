/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates memory and grows arrays, for all of mlprof.  An allocation that fails ends
   the program with one line: no caller asks for more than a small multiple of what it has
   read.  */

#ifndef MLPROF_BUF_H
#define MLPROF_BUF_H

#include <stddef.h>
#include <stdio.h>

_Noreturn void buf_no_memory(void);

/* SIZE bytes, all zero; freed by free.  */
void *buf_alloc(size_t size);

/* A copy of TEXT, or of its first LENGTH bytes, with a NUL; freed by free.  */
char *buf_copy(const char *text);
char *buf_copy_prefix(const char *text, size_t length);

/* Formatted text; freed by free.  */
char *buf_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns ARRAY, which may have moved, with room for at least NEED elements of SIZE
   bytes; *CAPACITY is the number it has room for.  If it must grow, it grows by at least
   a half.  */
void *buf_grow(void *array, size_t *capacity, size_t need, size_t size);

/* A stream that writes to memory.  After buf_close, *TEXT has the *SIZE bytes written; it
   is freed by free.  */
FILE *buf_open(char **text, size_t *size);
void buf_close(FILE *stream);

#endif
