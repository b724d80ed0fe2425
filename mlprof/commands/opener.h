/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the page in a browser, for main.c: -open.  */

#ifndef MLPROF_OPENER_H
#define MLPROF_OPENER_H

#include "mlprof/options/options.h"

/* The page that is to be shown.  Starts as all zero.  */
struct opener {
    char *path;     /* its file; NULL: none is to be shown */
    bool temporary; /* the file was made here */
};

/* If OPTIONS have -open: where the page is written, which becomes theirs if they have no
   -html.  opener_end frees it in any case.  False and FAULT if there is no such place. */
bool opener_begin(struct opener *opener, struct options *options, struct fault *fault);

/* Shows it, if there is one: with one of the programs that $BROWSER names, or with
   xdg-open.  False and FAULT, which names the file, if none of them can.  */
bool opener_show(const struct opener *opener, struct fault *fault);

/* Unless it was WRITTEN removes a file that was made here.  */
void opener_end(struct opener *opener, bool written);

#endif
