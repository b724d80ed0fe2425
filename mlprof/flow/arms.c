/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An arm ends where all paths from its condition meet again (the postdominator).
   Endless loops get an artificial end before. */

#include "mlprof/flow/arms.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"

#include <stdlib.h>
#include <string.h>

#define NONE  ARMS_NONE
#define ENTRY 0
#define EXIT  1

/* The maximum number of endless loops of a function for which an artificial end is
   found. */
#define ENDLESS_MOST 100

#define CONDITION (CCPROF_EDGE_TRUE | CCPROF_EDGE_FALSE)

/* Data for the search in one graph. */
struct search {
    const struct flowgraph *graph;
    struct arms *arms;
    struct dominators from_entry;
    struct groups into; /* edges grouped by target block */
    uint32_t *meeting;  /* by block: its nearest postdominator, or NONE */
};

static bool is_special(const struct flowgraph_edge *edge)
{
    return edge->flags &
           (CCPROF_EDGE_FAKE | CCPROF_EDGE_EXCEPTION | CCPROF_EDGE_ABNORMAL);
}

/* Finds the dominators from the entry, over all edges that control may take. */
static void find_from_entry(struct search *search)
{
    const struct flowgraph *graph = search->graph;
    BUF_OWN struct dominators_edge *edges =
        buf_alloc((graph->edges.count + 1) * sizeof *edges);
    size_t count = 0;
    for (size_t i = 0; i < graph->edges.count; i++)
        if (!(graph->edges.list[i].flags & CCPROF_EDGE_FAKE) ||
            graph->edges.list[i].to != EXIT)
            edges[count++] = (struct dominators_edge){graph->edges.list[i].from,
                                                      graph->edges.list[i].to};
    dominators_find(&search->from_entry, graph->blocks.count, edges, count, ENTRY);
}

/* Returns whether the edge leads back to the start of a loop. */
static bool leads_back(const struct search *search, const struct flowgraph_edge *edge)
{
    return dominators_reaches(&search->from_entry, edge->from) &&
           dominators_holds(&search->from_entry, edge->to, edge->from);
}

/* Finds the end of an endless loop, a loop that control never leaves. The end is the
   last block in source order that leads back to the start of the loop, so that the
   outermost loop is found. Returns NONE if there is no endless loop. */
static uint32_t end_of_loop(const struct search *search,
                            const struct dominators *from_exit)
{
    const struct flowgraph *graph = search->graph;
    const uint32_t *place = search->from_entry.place;
    uint32_t head = NONE, end = NONE;
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct flowgraph_edge *edge = &graph->edges.list[i];
        if (is_special(edge) || dominators_reaches(from_exit, edge->from) ||
            !leads_back(search, edge))
            continue;
        bool first = head == NONE || place[edge->to] < place[head];
        if (first || (edge->to == head && edge->from > end))
            end = edge->from;
        if (first)
            head = edge->to;
    }
    return end;
}

/* Sets MEETING for the blocks without one, from the dominators from the exit. */
static void set_meetings(struct search *search, const struct dominators *from_exit)
{
    for (uint32_t i = 0; i < search->graph->blocks.count; i++)
        if (search->meeting[i] == NONE)
            search->meeting[i] = from_exit->above[i];
}

/* Finds, for each block, the block where all paths from it meet again. Uses only
   edges that exist in the source text. Paths that never reach the exit do not meet.
   In an endless loop, the paths meet at the end of the loop. */
static void find_meetings(struct search *search)
{
    const struct flowgraph *graph = search->graph;
    BUF_OWN struct dominators_edge *back =
        buf_alloc(2 * (graph->edges.count + 1) * sizeof *back);
    size_t count = 0, endless = 0;
    uint32_t end;
    search->meeting = buf_alloc((graph->blocks.count + 1) * sizeof *search->meeting);
    for (size_t i = 0; i < graph->blocks.count; i++)
        search->meeting[i] = NONE;
    for (size_t i = 0; i < graph->edges.count; i++)
        if (!is_special(&graph->edges.list[i]))
            back[count++] = (struct dominators_edge){graph->edges.list[i].to,
                                                     graph->edges.list[i].from};
    do {
        struct dominators from_exit;
        dominators_find(&from_exit, graph->blocks.count, back, count, EXIT);
        end = end_of_loop(search, &from_exit);
        if (end != NONE)
            back[count++] = (struct dominators_edge){EXIT, end};
        set_meetings(search, &from_exit);
        dominators_free(&from_exit);
    } while (end != NONE && endless++ < ENDLESS_MOST);
}

/* Returns whether BLOCK is in an arm of the switch at the end of block SWITCH_BLOCK. */
static bool is_in_switch(const struct search *search, uint32_t block,
                         uint32_t switch_block)
{
    uint32_t arm = search->arms->of_block[block];
    while (arm != NONE && search->graph->edges.list[arm].from != switch_block)
        arm = search->arms->outer[arm];
    return arm != NONE;
}

/* Writes to LIST the edges by which control enters BLOCK, except the back edges of a
   loop that begins at BLOCK. Returns the number of edges in LIST. LIST must have
   room for all edges to BLOCK. */
static size_t ways_in(const struct search *search, uint32_t block, uint32_t *list)
{
    size_t count = 0;
    for (size_t k = search->into.first[block]; k < search->into.first[block + 1]; k++) {
        uint32_t edge = (uint32_t)search->into.members[k];
        const struct flowgraph_edge *entry = &search->graph->edges.list[edge];
        if (dominators_reaches(&search->from_entry, entry->from) &&
            !leads_back(search, entry))
            list[count++] = edge;
    }
    return count;
}

/* Returns the last of the conditions that lead to a block. Returns NONE if another
   kind of edge leads there, or if no condition comes after all others. */
static uint32_t last_condition(const struct search *search, const uint32_t *ways,
                               size_t count)
{
    const struct flowgraph_edge *edges = search->graph->edges.list;
    uint32_t last = ways[0];
    for (size_t i = 0; i < count; i++) {
        if (!(edges[ways[i]].flags & CONDITION))
            return NONE;
        if (dominators_holds(&search->from_entry, edges[last].from, edges[ways[i]].from))
            last = ways[i];
    }
    for (size_t i = 0; i < count; i++)
        if (!dominators_holds(&search->from_entry, edges[ways[i]].from, edges[last].from))
            return NONE;
    return last;
}

/* Returns the only case that leads to a block, not counting earlier cases that fall
   through. Returns NONE if there is no such case. */
static uint32_t only_case(const struct search *search, const uint32_t *ways, size_t count)
{
    const struct flowgraph_edge *edges = search->graph->edges.list;
    uint32_t found = NONE;
    for (size_t i = 0; i < count; i++)
        if (edges[ways[i]].flags & CCPROF_EDGE_CASES) {
            if (found != NONE)
                return NONE;
            found = ways[i];
        }
    for (size_t i = 0; found != NONE && i < count; i++)
        if (ways[i] != found &&
            !is_in_switch(search, edges[ways[i]].from, edges[found].from))
            return NONE;
    return found;
}

/* Returns the edge of the arm that begins with BLOCK, or NONE. */
static uint32_t arm_at(const struct search *search, uint32_t block, uint32_t *ways)
{
    size_t count = ways_in(search, block, ways);
    if (block == EXIT || count == 0)
        return NONE;
    for (size_t i = 0; i < count; i++) {
        const struct flowgraph_edge *edge = &search->graph->edges.list[ways[i]];
        bool decides = edge->flags & (CONDITION | CCPROF_EDGE_CASES);
        if (is_special(edge) || (decides && search->meeting[edge->from] == block))
            return NONE;
    }
    uint32_t found = only_case(search, ways, count);
    return found != NONE ? found : last_condition(search, ways, count);
}

/* Returns the innermost arm that is not over at BLOCK: ARM or an arm around it. */
static uint32_t innermost_open(const struct search *search, uint32_t arm, uint32_t block)
{
    uint32_t open = arm;
    for (uint32_t outer = arm; outer != NONE; outer = search->arms->outer[outer])
        if (search->meeting[search->graph->edges.list[outer].from] == block)
            open = search->arms->outer[outer];
    return open;
}

void arms_find(struct arms *arms, const struct flowgraph *graph)
{
    struct search search = {.graph = graph, .arms = arms};
    BUF_OWN uint32_t *numbers = buf_alloc((graph->edges.count + 1) * sizeof *numbers);
    *arms = (struct arms){
        .of_block = buf_alloc((graph->blocks.count + 1) * sizeof *arms->of_block),
        .outer = buf_alloc((graph->edges.count + 1) * sizeof *arms->outer),
        .depth = buf_alloc((graph->edges.count + 1) * sizeof *arms->depth)};
    for (size_t i = 0; i < graph->blocks.count; i++)
        arms->of_block[i] = NONE;
    for (size_t i = 0; i < graph->edges.count; i++)
        arms->outer[i] = NONE;
    GROUPS_BY(&search.into, graph->blocks.count, graph->edges.list, to,
              graph->edges.count);
    find_from_entry(&search);
    find_meetings(&search);
    for (size_t i = 1; i < search.from_entry.count; i++) {
        uint32_t block = search.from_entry.order[i],
                 arm = arm_at(&search, block, numbers);
        uint32_t outer = innermost_open(
            &search, arms->of_block[search.from_entry.above[block]], block);
        if (arm != NONE) {
            arms->outer[arm] = outer;
            arms->depth[arm] = outer == NONE ? 0 : arms->depth[outer] + 1;
        }
        arms->of_block[block] = arm != NONE ? arm : outer;
    }
    dominators_free(&search.from_entry);
    groups_free(&search.into);
    free(search.meeting);
}

uint32_t arms_common(const struct arms *arms, uint32_t one, uint32_t other)
{
    while (one != other && one != NONE && other != NONE)
        if (arms->depth[one] > arms->depth[other]) {
            one = arms->outer[one];
        } else if (arms->depth[other] > arms->depth[one]) {
            other = arms->outer[other];
        } else {
            one = arms->outer[one];
            other = arms->outer[other];
        }
    return one == other ? one : NONE;
}

void arms_free(struct arms *arms)
{
    free(arms->of_block);
    free(arms->outer);
    free(arms->depth);
    memset(arms, 0, sizeof *arms);
}
