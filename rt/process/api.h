/* SPDX-License-Identifier: MIT */
/* Serves the program's calls of the functions of ccprof.h.  */

#ifndef CCPROF_RT_API_H
#define CCPROF_RT_API_H

#include "rt/ccprof.h"

extern const struct ccprof_api ccprof_api;

#endif
