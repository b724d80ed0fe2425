/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strongly connected components of a graph: its cycles. */

#ifndef MLPROF_COMPONENTS_H
#define MLPROF_COMPONENTS_H

#include <stddef.h>
#include <stdint.h>

struct components_edge {
    uint32_t from, to;
};

/* Returns, by vertex, the number of its component. Two vertices have the same number if
   each can be reached from the other. The caller frees it. */
uint32_t *components_find(size_t vertex_count, const struct components_edge *edges,
                          size_t edge_count);

#endif
