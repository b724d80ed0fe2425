/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells what is UTF-8 (RFC 3629), for those who write texts that must be.  */

#ifndef MLPROF_UTF8_H
#define MLPROF_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* U+FFFD, in place of a byte that belongs to no character.  */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* How many bytes the character at TEXT has; 0 if there is none.  */
size_t utf8_length(const char *text);

/* The character at TEXT, which has LENGTH bytes by utf8_length, more than 0.  */
uint32_t utf8_decode(const char *text, size_t length);

/* TEXT with each byte that belongs to no character replaced; to be freed.  */
char *utf8_valid(const char *text);

#endif
