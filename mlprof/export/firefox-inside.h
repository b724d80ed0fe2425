/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the tables of the Firefox Profiler's processed profile format from the stacks
   and functions of a view: the content of `profile.shared', and the samples of one
   thread. firefox.c prints them. */

#ifndef MLPROF_FIREFOX_INSIDE_H
#define MLPROF_FIREFOX_INSIDE_H

#include "mlprof/base/encoding.h"
#include "mlprof/elf/symbols.h"
#include "mlprof/export/content.h"
#include "mlprof/regions/regionevents.h"

#include <stddef.h>

/* null in JSON */
#define FIREFOX_NULL INT64_MIN

/* The categories of frames. A function outside of the profile without an address has
   the first. */
enum firefox_category { FIREFOX_OTHER, FIREFOX_FUNCTION, FIREFOX_INLINED };

/* A table with columns of numbers. A row of the table is a struct with one number for
   each column. */
struct firefox_table {
    void *lines;
    size_t count, capacity, size; /* SIZE: bytes per line */
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
    /* OFFSET: the number of the stack minus the number of its caller's stack; 0: no
       caller. */
    int64_t frame, offset;
};
struct firefox_source {
    int64_t name;
    const char *path;
};
struct firefox_sample {
    int64_t stack;
    uint64_t count;
    uint64_t bucket; /* bucket of time, if times were recorded */
};

struct firefox_tables {
    const struct view *view;
    struct intern strings;
    struct firefox_table frames, funcs, resources, symbols, stacks, sources, samples;
    struct functions functions;
    struct index frame_index, place_index, symbol_index, stack_index, source_index;
    struct segments_code *codes; /* by module */
    int64_t *resource_of;        /* indexed by module; -1: not in the table yet */
    uint32_t *stack_of;          /* by node of the stacks, if the node has a weight */
    /* For each node, the index of its first time; NULL: times were not recorded. */
    size_t *first_time;
};

/* Initializes empty tables. firefox_tables_free frees them. */
void firefox_tables_open(struct firefox_tables *tables, const struct view *view);
void firefox_tables_free(struct firefox_tables *tables);

/* Replaces the samples by the samples of VALUE, and adds the table rows that they
   need. If stacks have VALUE, the samples are stacks with their counts. Otherwise
   they are single functions with their calls, blocks or bytes. Samples with times are
   in time order; samples without times are in the first bucket. */
void firefox_tables_add(struct firefox_tables *tables, const struct values_value *value);

/* Replaces the samples by the samples of one thread, with the measure of the stacks.
   ROOT is the node of the thread; STACKS_NONE: samples of unknown threads. Samples
   with times are in time order; samples without times are in the first bucket. */
void firefox_tables_add_thread(struct firefox_tables *tables, uint32_t root);

/* The type of the markers of regions. */
#define FIREFOX_MARKER "Region"

/* Prints the field `markers', with an interval for each call of a region. */
void firefox_markers_print(struct json *json, struct firefox_tables *tables,
                           const struct regionevents_call *calls, size_t count);

#endif
