/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the loop of each node, first in the flow graphs and then in GCC's remarks, and
   the verdict about each loop. For -by loop. */

#include "mlprof/base/buf.h"
#include "mlprof/flow/loops.h"
#include "mlprof/groups/grouping-inside.h"

#include <stdlib.h>

/* A position in a function or, with column 0, a line. */
struct spot {
    uint64_t count; /* execution count of the most executed block at this spot */
    uint32_t depth; /* number of loops around this block */
    uint32_t group; /* group of its innermost loop, or GROUPING_NONE */
};

/* A loop of a function. */
struct range {
    uint32_t path, first, last; /* PATH: number of the file; FIRST, LAST: lines */
    uint32_t group;
    uint32_t next; /* the next range of the function, or GROUPING_NONE */
};

struct grouping_loops {
    /* By loop of the verdicts: its group. NULL: the loops are those of flow graphs. */
    uint32_t *of_verdicts;
    struct index index; /* key: row and path; line; column */
    struct spot *spots;
    size_t spot_capacity;
    BUF_VECTOR(struct range) ranges;
    uint32_t *first; /* by row: its first range, or GROUPING_NONE */
};

/* Adds a block to a spot. The spot belongs to the loop of the most executed block.
   If the counts are equal, it belongs to the inner loop. */
static void add_spot(struct grouping_loops *loops, uint64_t where, uint32_t line,
                     uint32_t column, const struct spot *spot)
{
    bool fresh;
    uint32_t number = index_put(&loops->index, where, line, column, &fresh);
    struct spot *best = &BUF_AT(loops->spots, number, loops->spot_capacity);
    if (fresh || spot->count > best->count ||
        (spot->count == best->count && spot->depth > best->depth))
        *best = *spot;
}

static void add_spots(struct grouping_builder *build, const struct flowcounts_flow *flow,
                      const struct loops *found, const uint32_t *groups)
{
    const struct flowgraph *graph = &flow->flow->graph;
    for (size_t b = 0; b < graph->blocks.count; b++) {
        const struct flowgraph_span *span = &graph->blocks.list[b].positions;
        uint32_t loop = found->of_block[b];
        struct spot spot = {.count = flowcounts_shown(flow->blocks[b]),
                            .group = GROUPING_NONE};
        if (loop != LOOPS_NONE) {
            spot.depth = found->loops[loop].depth + 1;
            spot.group = groups[loop];
        }
        for (uint32_t i = span->first; i < span->first + span->count; i++) {
            const struct flowgraph_position *position = &graph->positions.list[i];
            if (!position->file || !position->line)
                continue;
            uint64_t where =
                index_pair(flow->row, intern_put(&build->keys.paths, position->file));
            add_spot(build->keys.loops, where, position->line, 0, &spot);
            if (position->column)
                add_spot(build->keys.loops, where, position->line, position->column,
                         &spot);
        }
    }
}

static void add_range(struct grouping_loops *loops, uint32_t row,
                      const struct range *range)
{
    uint32_t *first = &loops->first[row], next = *first;
    *first = (uint32_t)loops->ranges.count;
    BUF_PUSH(loops->ranges) = *range;
    loops->ranges.list[*first].next = next;
}

/* Adds the loops of a flow graph. SOURCE is the source of its row in the stacks. A
   loop without a position belongs to the group of the loop around it. */
static void add_flow(struct grouping_builder *build, const struct flowcounts_flow *flow,
                     uint32_t source)
{
    bool counted = build->request->profile->kind & CCPROF_KIND_COUNT;
    struct loops found;
    loops_find(&found, flow);
    BUF_OWN uint32_t *groups = buf_alloc((found.count + 1) * sizeof *groups);
    for (size_t i = 0; i < found.count; i++) {
        const struct loops_loop *loop = &found.loops[i];
        uint32_t outer = loop->outer == LOOPS_NONE ? GROUPING_NONE : groups[loop->outer];
        groups[i] = outer;
        if (!loop->file)
            continue;
        groups[i] = grouping_put_loop(&build->keys, loop, outer);
        add_range(build->keys.loops, flow->row,
                  &(struct range){.path = build->keys.groups[groups[i]].path,
                                  .first = loop->first_line,
                                  .last = loop->last_line,
                                  .group = groups[i]});
        grouping_add_piece(build, groups[i], source, 0, 0);
        if (counted && loop->iterations)
            grouping_add_calls(build, groups[i], loop->iterations);
    }
    add_spots(build, flow, &found, groups);
    loops_free(&found);
}

/* Returns the group of a loop of GCC's remarks. */
static uint32_t put_remarked(struct grouping_builder *build, uint32_t number)
{
    const struct verdicts *verdicts = build->request->verdicts;
    const struct verdicts_loop *loop = &verdicts->loops[number];
    struct grouping_loops *loops = build->keys.loops;
    if (loops->of_verdicts[number] != GROUPING_NONE)
        return loops->of_verdicts[number];
    /* Remarks may be damaged, so stop if a loop is around itself. */
    loops->of_verdicts[number] = grouping_put_nowhere(&build->keys, false);
    uint32_t outer =
        loop->outer == VERDICTS_NONE ? GROUPING_NONE : put_remarked(build, loop->outer);
    uint32_t depth = 0;
    for (uint32_t ancestor = outer; ancestor != GROUPING_NONE;
         ancestor = build->keys.groups[ancestor].outer)
        depth++;
    const struct loops_loop converted = {.depth = depth,
                                         .file = loop->file,
                                         .first_line = loop->first_line,
                                         .first_column = loop->first_column,
                                         .last_line = loop->last_line,
                                         .last_column = loop->last_column};
    uint32_t group = grouping_put_loop(&build->keys, &converted, outer);
    add_range(loops, loop->row,
              &(struct range){.path = build->keys.groups[group].path,
                              .first = loop->first_line,
                              .last = loop->last_line,
                              .group = group});
    grouping_add_piece(build, group, loop->source, 0, 0);
    return loops->of_verdicts[number] = group;
}

static void find_remarked(struct grouping_builder *build)
{
    const struct verdicts *verdicts = build->request->verdicts;
    uint32_t *groups = build->keys.loops->of_verdicts =
        buf_alloc((verdicts->count + 1) * sizeof *groups);
    for (size_t i = 0; i < verdicts->count; i++)
        groups[i] = GROUPING_NONE;
    for (uint32_t i = 0; i < verdicts->count; i++)
        put_remarked(build, i);
}

/* Returns the group of the flow graphs' loop at the head of a loop of the remarks, or
   GROUPING_NONE. */
static uint32_t find_head(struct grouping_keys *keys, const struct verdicts_loop *loop)
{
    const struct grouping_loops *loops = keys->loops;
    uint32_t path = intern_put(&keys->paths, loop->file), spot;
    return index_get(&loops->index, index_pair(loop->row, path), loop->line, loop->column,
                     &spot)
               ? loops->spots[spot].group
               : GROUPING_NONE;
}

/* Sets the verdict of each group. */
static void add_verdicts(struct grouping_builder *build)
{
    const struct verdicts *verdicts = build->request->verdicts;
    struct grouping_keys *keys = &build->keys;
    for (uint32_t i = 0; i < verdicts->count; i++) {
        const struct verdicts_loop *loop = &verdicts->loops[i];
        uint32_t group = keys->loops->of_verdicts ? keys->loops->of_verdicts[i]
                                                  : find_head(keys, loop);
        if (group == GROUPING_NONE)
            continue;
        uint32_t *best = &keys->groups[group].verdict;
        if (*best == GROUPING_NONE || loop->cur > verdicts->loops[*best].cur)
            *best = i;
    }
}

void grouping_find_loops(struct grouping_builder *build)
{
    const struct flowcounts *flows = build->request->flows;
    const struct rows *rows = build->request->rows;
    struct grouping_loops *loops = build->keys.loops = buf_alloc(sizeof *loops);
    BUF_OWN uint32_t *sources = grouping_sources_of_rows(rows);
    loops->first = buf_alloc((rows->count + 1) * sizeof *loops->first);
    for (size_t i = 0; i < rows->count; i++)
        loops->first[i] = GROUPING_NONE;
    for (size_t i = 0; i < flows->count; i++)
        if (flows->flows[i].row != FLOWCOUNTS_NO_ROW)
            add_flow(build, &flows->flows[i], sources[flows->flows[i].row]);
    if (!flows->count)
        find_remarked(build);
    add_verdicts(build);
}

uint32_t grouping_loop_of_node(struct grouping_keys *keys, uint32_t node)
{
    const struct stacks *stacks = &keys->request->rows->stacks;
    const uint32_t *of_verdicts = keys->loops->of_verdicts;
    const uint32_t *of_node = keys->request->verdicts->of_node;
    if (!of_verdicts)
        return grouping_loop_at(keys, stacks_source_of(stacks, node),
                                stacks->nodes.list[node].position);
    uint32_t loop = of_node ? of_node[node] : VERDICTS_NONE;
    return loop == VERDICTS_NONE ? GROUPING_NONE : of_verdicts[loop];
}

/* Returns the group of the smallest range around a line that has no code in the flow
   graph, or GROUPING_NONE. */
static uint32_t find_range(const struct grouping_loops *loops, uint32_t row,
                           uint32_t path, uint32_t line)
{
    const struct range *best = NULL;
    for (uint32_t i = loops->first[row]; i != GROUPING_NONE;
         i = loops->ranges.list[i].next) {
        const struct range *range = &loops->ranges.list[i];
        if (range->path == path && range->first <= line && line <= range->last &&
            (!best || range->last - range->first <= best->last - best->first))
            best = range;
    }
    return best ? best->group : GROUPING_NONE;
}

uint32_t grouping_loop_at(struct grouping_keys *keys, uint32_t source, uint32_t number)
{
    const struct rows *rows = keys->request->rows;
    const struct stacks_position *position = &rows->stacks.positions.list[number];
    const struct grouping_loops *loops = keys->loops;
    uint32_t row = rows_of_source(rows, source);
    uint32_t spot;
    if (row == STACKS_NONE || loops->first[row] == GROUPING_NONE)
        return GROUPING_NONE;
    if (!position->file || !position->line)
        return grouping_put_nowhere(keys, true);
    uint32_t path = intern_put(&keys->paths, position->file);
    uint64_t where = index_pair(row, path);
    if (index_get(&loops->index, where, position->line, position->column, &spot) ||
        index_get(&loops->index, where, position->line, 0, &spot))
        return loops->spots[spot].group;
    return find_range(loops, row, path, position->line);
}

void grouping_free_loops(struct grouping_keys *keys)
{
    struct grouping_loops *loops = keys->loops;
    if (!loops)
        return;
    index_free(&loops->index);
    free(loops->spots);
    free(loops->ranges.list);
    free(loops->first);
    free(loops->of_verdicts);
    free(loops);
}
