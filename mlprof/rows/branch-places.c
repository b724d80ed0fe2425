/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/branch-places.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

/* A statement or expression of the flow graph, at its own position or as part of its
   line.  */
struct stand {
    uint32_t file, line, column; /* column 0: of the line */
    uint32_t arm;
    /* The position is the first in its block.  A block may begin with nothing but its
       label, and in Fortran a label has the position of the code in front of it, which
       belongs to another arm.  */
    bool first;
};

struct stands {
    struct stand *list;
    size_t count, capacity;
    struct index index;
};

static void put(struct stands *stands, const struct arms *arms, struct stand stand)
{
    bool fresh;
    uint32_t number =
        index_put(&stands->index, stand.file, stand.line, stand.column, &fresh);
    if (fresh) {
        stands->list = buf_grow(stands->list, &stands->capacity, stands->count + 1,
                                sizeof *stands->list);
        stands->list[stands->count++] = stand;
        return;
    }
    struct stand *known = &stands->list[number];
    if (known->first == stand.first)
        known->arm = arms_common(arms, known->arm, stand.arm);
    else if (known->first)
        *known = stand;
}

static void put_block(struct stands *stands, struct branch_places *places,
                      const struct flowgraph *graph, const struct arms *arms,
                      uint32_t block, uint32_t ways)
{
    const struct flowgraph_span *span = &graph->blocks[block].positions;
    uint32_t arm = arms->of_block[block];
    bool begins = ways > 1 || (arm != ARMS_NONE && graph->edges[arm].to == block);
    for (uint32_t i = span->first; i < span->first + span->count; i++) {
        const struct flowgraph_position *position = &graph->positions[i];
        if (!position->file || !position->line)
            continue;
        struct stand stand = {.file = intern_put(&places->files, position->file),
                              .line = position->line,
                              .column = position->column,
                              .arm = arm,
                              .first = begins && i == span->first};
        put(stands, arms, stand);
        if (!stand.column)
            continue;
        stand.column = 0;
        put(stands, arms, stand);
    }
}

static uint64_t point(uint32_t line, uint32_t column)
{
    return (uint64_t)line << 32 | column;
}

void branch_places_add(struct branch_places *places, uint32_t source,
                       const struct flowgraph *graph, const struct arms *arms,
                       const uint32_t *of_edge)
{
    struct stands stands = {0};
    uint32_t *ways = buf_alloc((graph->block_count + 1) * sizeof *ways);
    for (size_t i = 0; i < graph->edge_count; i++)
        ways[graph->edges[i].to]++;
    for (uint32_t i = 0; i < graph->block_count; i++)
        put_block(&stands, places, graph, arms, i, ways[i]);
    free(ways);
    for (size_t i = 0; i < stands.count; i++) {
        const struct stand *stand = &stands.list[i];
        uint32_t arm = stand->arm;
        while (arm != ARMS_NONE && of_edge[arm] == BRANCH_PLACES_NONE)
            arm = arms->around[arm];
        uint32_t branch = arm == ARMS_NONE ? BRANCH_PLACES_NONE : of_edge[arm];
        bool fresh;
        uint32_t number = index_put(&places->index, source, stand->file,
                                    point(stand->line, stand->column), &fresh);
        places->branches = buf_grow(places->branches, &places->capacity, number + 1,
                                    sizeof *places->branches);
        if (fresh)
            places->branches[number] = branch;
        else if (places->branches[number] != branch)
            /* The flow graphs of one function disagree about the position.  */
            places->branches[number] = BRANCH_PLACES_NONE;
    }
    free(stands.list);
    index_free(&stands.index);
}

uint32_t branch_places_at(struct branch_places *places, uint32_t source, const char *file,
                          uint32_t line, uint32_t column)
{
    uint32_t number, text = intern_put(&places->files, file);
    if ((column &&
         index_get(&places->index, source, text, point(line, column), &number)) ||
        index_get(&places->index, source, text, point(line, 0), &number))
        return places->branches[number];
    return BRANCH_PLACES_NONE;
}

void branch_places_free(struct branch_places *places)
{
    index_free(&places->index);
    intern_free(&places->files);
    free(places->branches);
    memset(places, 0, sizeof *places);
}
