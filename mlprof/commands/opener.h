/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the page in a browser (-open), for main.c.  */

#ifndef MLPROF_OPENER_H
#define MLPROF_OPENER_H

#include "mlprof/options/options.h"

/* The page to be shown.  Starts as all zero.  */
struct opener {
    char *path;     /* NULL: no page is to be shown */
    bool temporary; /* this module has made the file */
};

/* With -open, sets PATH; if OPTIONS have no -html, they get PATH as that. opener_end
   frees OPENER in any case.  False and FAULT if no file can be made.  */
bool opener_begin(struct opener *opener, struct options *options, struct fault *fault);

/* Shows the page, if there is one, with a program that $BROWSER names, or with xdg-open.
   False and FAULT, which names the file, if all of them fail.  */
bool opener_show(const struct opener *opener, struct fault *fault);

/* Frees OPENER.  Unless the page was WRITTEN, removes a file that opener_begin made.  */
void opener_end(struct opener *opener, bool written);

#endif
