/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the tables of the Firefox Profiler's processed profile format of the stacks and
   functions of a view, for firefox.c, which prints them: what `profile.shared' holds, and
   the samples of one thread.  */

#ifndef MLPROF_FIREFOX_INSIDE_H
#define MLPROF_FIREFOX_INSIDE_H

#include "mlprof/base/json.h"
#include "mlprof/elf/segments.h"
#include "mlprof/export/functions.h"
#include "mlprof/export/measures.h"
#include "mlprof/regions/regionevents.h"

#include <stddef.h>

/* Null.  */
#define FIREFOX_NULL INT64_MIN

/* The categories of frames: a function outside, of no address, is of the first.  */
enum firefox_category { FIREFOX_OTHER, FIREFOX_FUNCTION, FIREFOX_INLINED };

/* A table has columns of numbers; a line here is a struct of these.  */
struct firefox_table {
    void *lines;
    size_t count, capacity, size; /* SIZE: of a line in bytes */
};

struct firefox_frame {
    int64_t address, depth, category, func, symbol, line, column;
};
struct firefox_func {
    int64_t name, resource, source, line, column;
};
struct firefox_resource {
    int64_t lib, name;
};
struct firefox_symbol {
    int64_t lib, address, name, size;
};
struct firefox_stack {
    int64_t frame, offset; /* how far before it the stack around is; 0: there is none */
};
struct firefox_source {
    int64_t name;
    const struct identity_source *source; /* one that is in it */
};
struct firefox_sample {
    int64_t stack;
    uint64_t count;
    uint64_t bucket; /* of time, if there are times */
};

struct firefox_tables {
    const struct view *view;
    struct intern strings;
    struct firefox_table frames, funcs, resources, symbols, stacks, sources, samples;
    struct functions functions;
    struct index frame_index, place_index, symbol_index, stack_index, source_index;
    struct segments_code *codes; /* by module */
    int64_t *resource_of;        /* by module; -1: not there yet */
    uint32_t *stack_of;          /* by node of the stacks; of those with a weight */
    size_t *first_time; /* by node: where its times begin; NULL: there are none */
};

/* Starts with empty tables, which firefox_tables_free frees.  */
void firefox_tables_open(struct firefox_tables *tables, const struct view *view);
void firefox_tables_free(struct firefox_tables *tables);

/* The samples that have times are in time order, those that have none in the first
 * bucket.
 */

/* The samples become those of MEASURE, and the other tables get what they refer to: the
   stacks with their counts, if MEASURE is the one that the stacks are of; otherwise
   functions that stand alone, with their calls, blocks or bytes.  */
void firefox_tables_add(struct firefox_tables *tables, enum measures measure);

/* The samples become those of one thread, in time order if they have times, and those
   that have none in the first bucket; of the measure that the stacks are of.  ROOT is the
   thread's node; STACKS_NONE: those of which the thread is not known.  */
void firefox_tables_add_thread(struct firefox_tables *tables, uint32_t root);

/* Prints the field `markers', intervals for these calls of regions; and what tells how
   they are shown, in a list.  */
void firefox_markers_print(struct json *json, struct firefox_tables *tables,
                           const struct regionevents_call *calls, size_t count);
void firefox_markers_print_schema(struct json *json);

#endif
