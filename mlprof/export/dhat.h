/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what was allocated as valgrind's DHAT does, for its viewer, dh_view.html
   (valgrind: dhat/dh_main.c, version 2 of the format).  */

#ifndef MLPROF_DHAT_H
#define MLPROF_DHAT_H

#include "mlprof/export/export.h"

/* Sites with the functions that their function is inlined in; no lifetimes, no accesses.
   Sites that look alike are one.  */
export_writer dhat_write;

#endif
