/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints bytes as text of 64 characters (RFC 4648, section 4), for the page.  */

#ifndef MLPROF_BASE64_H
#define MLPROF_BASE64_H

#include <stddef.h>
#include <stdio.h>

/* Prints SIZE bytes, without line breaks.  */
void base64_print(FILE *out, const void *bytes, size_t size);

#endif
