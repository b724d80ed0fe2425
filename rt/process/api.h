/* SPDX-License-Identifier: MIT */
/* Serves the program's calls of the functions of ccprof.h, through this table, which
   start.c hands out.  */

#ifndef CCPROF_RT_API_H
#define CCPROF_RT_API_H

#include "rt/ccprof.h"

/* Read-only, except for the functions of regions (regions.h).  */
extern struct ccprof_api ccprof_api;

#endif
