/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognizes UTF-8 (RFC 3629), for the modules whose output must be UTF-8.  */

#ifndef MLPROF_UTF8_H
#define MLPROF_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* U+FFFD, which stands for a byte that is not part of a character.  */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* The length in bytes of the character at TEXT; 0 if it is not UTF-8.  */
size_t utf8_length(const char *text);

/* The character at TEXT.  LENGTH, more than 0, is its length by utf8_length.  */
uint32_t utf8_decode(const char *text, size_t length);

/* TEXT, in which each byte that is not part of a character is replaced; to be freed.  */
char *utf8_valid(const char *text);

#endif
