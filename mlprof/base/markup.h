/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints text in XML, for the views that are pictures.  */

#ifndef MLPROF_MARKUP_H
#define MLPROF_MARKUP_H

#include <stdio.h>

/* Prints TEXT as content or as the value of an attribute.  A character that XML 1.0 does
   not allow (section 2.2) and a byte that is not UTF-8 become U+FFFD.  So do a carriage
   return, which XML makes an end of line, and DEL and C1, which a terminal obeys.  */
void markup_print(FILE *out, const char *text);

#endif
