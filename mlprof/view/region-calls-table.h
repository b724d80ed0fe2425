/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the tables of the calls of regions for data formats: how many took how long,
   and the calls that were kept one by one.  */

#ifndef MLPROF_REGION_CALLS_TABLE_H
#define MLPROF_REGION_CALLS_TABLE_H

#include "mlprof/table/table.h"
#include "mlprof/view/views.h"

extern const struct table_view buckets_table, events_table;

/* The pattern means regions by their names.  */
views_fill region_calls_table_fill_buckets, region_calls_table_fill_events;

#endif
