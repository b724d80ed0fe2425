/* SPDX-License-Identifier: GPL-3.0-or-later */
/* range: finds the range from the first to the last character of the expression at a
   location, for the tables of label and of count.  */

#ifndef CCPROF_RANGE_H
#define CCPROF_RANGE_H

#include "plugin/tables/graph.h"

/* The range; all 0 if none is known, or the expression is not in the location's file
   alone.  */
struct graph_range range_of(location_t location);

#endif
