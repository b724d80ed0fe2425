/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A call graph for -keep. It is small enough to work out the meaning of each form by
   hand. */

#ifndef TESTSUITE_KEEP_GRAPH_H
#define TESTSUITE_KEEP_GRAPH_H

#include "testsuite/unit/made_rows.h"
#include "mlprof/stacks/stacks-inside.h"

#include <string.h>

/* The functions, each at the line of its number in x.c. */
enum {
    KEEP_GRAPH_MAIN,
    KEEP_GRAPH_F,
    KEEP_GRAPH_G,
    KEEP_GRAPH_H,
    KEEP_GRAPH_K,
    KEEP_GRAPH_Z,
    KEEP_GRAPH_FUNCTIONS
};
static const char *const keep_graph_names[] = {"main", "f", "g", "h", "k", "z"};

/* The copies. h is inlined in f and in g. In g, k is inlined in h. Another copy of k is
   called by z, which also calls itself.

   main --> f --> h            main --> g --> h' --> k           main --> z --> k'
                                                                          ^-z  */
static const int keep_graph_copies[] = {KEEP_GRAPH_MAIN, KEEP_GRAPH_F, KEEP_GRAPH_G,
                                        KEEP_GRAPH_H,    KEEP_GRAPH_H, KEEP_GRAPH_K,
                                        KEEP_GRAPH_K,    KEEP_GRAPH_Z};
enum { KEEP_GRAPH_COPIES = sizeof keep_graph_copies / sizeof *keep_graph_copies };

/* The stacks, by copies.
   self: main 0, f 10, g 20, h 30, k 40, z 0
   total: main 100, f 20, g 70, h 60, k 40, z 10  */
static const struct {
    uint32_t parent, copy;
    uint64_t count;
} keep_graph_stacks[] = {{STACKS_NONE, 0, 0}, {0, 1, 10}, {1, 3, 10},
                         {0, 2, 20},          {3, 4, 20}, {4, 5, 30},
                         {0, 7, 0},           {6, 7, 0},  {7, 6, 10}};
enum { KEEP_GRAPH_NODES = sizeof keep_graph_stacks / sizeof *keep_graph_stacks };

struct keep_graph {
    struct rows rows; /* points into the others */
    struct rows_row row[KEEP_GRAPH_FUNCTIONS];
    struct stacks_node nodes[KEEP_GRAPH_NODES];
    struct stacks_copy copies[KEEP_GRAPH_COPIES];
    struct rows_copy tables[6];
    uint32_t of_source[KEEP_GRAPH_FUNCTIONS];
};

__attribute__((unused)) static void keep_graph_make(struct keep_graph *made)
{
    static const uint64_t self[] = {0, 10, 20, 30, 40, 0},
                          total[] = {100, 20, 70, 60, 40, 10};
    *made = (struct keep_graph){.rows = {.count = KEEP_GRAPH_FUNCTIONS,
                                         .source_count = KEEP_GRAPH_FUNCTIONS,
                                         .total = 100,
                                         .stack = true}};
    made->rows.rows = made->row;
    made->rows.of_source = made->of_source;
    made->rows.stacks.copies.list = made->copies;
    made->rows.stacks.copies.count = KEEP_GRAPH_COPIES;
    made->rows.stacks.nodes.list = made->nodes;
    made->rows.stacks.nodes.count = KEEP_GRAPH_NODES;
    for (uint32_t i = 0; i < KEEP_GRAPH_FUNCTIONS; i++) {
        made->of_source[i] = i;
        made->row[i] = (struct rows_row){
            .source = {.name = keep_graph_names[i], .file = "x.c", .line = i + 1}};
        made->row[i].shown = made->row[i].source.name;
    }
    for (int i = 0; i < KEEP_GRAPH_COPIES; i++)
        made->copies[i].source = (uint32_t)keep_graph_copies[i];
    for (int i = 0; i < KEEP_GRAPH_NODES; i++)
        made->nodes[i] = (struct stacks_node){.parent = keep_graph_stacks[i].parent,
                                              .child = STACKS_NONE,
                                              .copy = keep_graph_stacks[i].copy,
                                              .count = keep_graph_stacks[i].count};
    stacks_finish(&made->rows.stacks);
    packed_free(&made->rows.stacks.origins);
    made_rows_measure(&made->rows, self, total);
}

__attribute__((unused)) static void keep_graph_free(struct keep_graph *made)
{
    measured_free(made->rows.measured);
}

/* The same graph without measurements: the copies come from the tables. */
__attribute__((unused)) static void keep_graph_catalog(struct keep_graph *made)
{
    static const struct rows_copy tables[] = {
        {KEEP_GRAPH_MAIN, STACKS_NONE}, {KEEP_GRAPH_F, 0}, {KEEP_GRAPH_H, 1},
        {KEEP_GRAPH_G, STACKS_NONE},    {KEEP_GRAPH_H, 3}, {KEEP_GRAPH_K, 4}};
    memcpy(made->tables, tables, sizeof tables);
    made->rows.stacks.nodes.count = made->rows.stacks.copies.count = 0;
    made->rows.total = 0;
    made->rows.copies.list = made->tables;
    made->rows.copies.count = sizeof tables / sizeof *tables;
}

#endif
