/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints text inside of XML, for the views that are pictures.  */

#ifndef MLPROF_MARKUP_H
#define MLPROF_MARKUP_H

#include <stdio.h>

/* Prints TEXT as content or as the value of an attribute.  What is no character of
   XML 1.0 (section 2.2), or not UTF-8, becomes U+FFFD; so do a carriage return, which XML
   makes an end of line, and DEL and C1, which a terminal obeys.  */
void markup_print(FILE *out, const char *text);

#endif
