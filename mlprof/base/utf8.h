/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognizes UTF-8 (RFC 3629), and prints text as XML and bytes as base64.  */

#ifndef MLPROF_UTF8_H
#define MLPROF_UTF8_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* U+FFFD, which stands for a byte that is not part of a character.  */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* The length in bytes of the character at TEXT; 0 if it is not UTF-8.  */
size_t utf8_length(const char *text);

/* The character at TEXT.  LENGTH, more than 0, is its length by utf8_length.  */
uint32_t utf8_decode(const char *text, size_t length);

/* TEXT, in which each byte that is not part of a character is replaced; to be freed.  */
char *utf8_valid(const char *text);

/* Prints TEXT as content or as the value of an attribute of XML.  A character that
   XML 1.0 does not allow (section 2.2) and a byte that is not UTF-8 become U+FFFD.  So do
   a carriage return, which XML makes an end of line, and DEL and C1, which a terminal
   obeys.  */
void markup_print(FILE *out, const char *text);

/* Prints SIZE bytes as text of 64 characters (RFC 4648, section 4), without line
   breaks.  */
void base64_print(FILE *out, const void *bytes, size_t size);

#endif
