/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first part finds the loops as strongly connected components (Tarjan's algorithm).
   The second part finds the lines and the tests of each loop, and counts
   iterations. */

#include "mlprof/flow/loops.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/base/index.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Data for the search in one graph. */
struct search {
    struct loops *loops;
    const struct flowcounts_flow *flow;
    const struct flowgraph *graph;
    struct groups into; /* edges grouped by target block */
    bool *usable;       /* by edge: whether it may be part of a loop */
    uint32_t
        *region; /* by block: the loop whose inner loops are being searched, or NONE */
    bool *head;  /* by block: whether it is an entry of a known loop */
    /* Data of the algorithm of R. E. Tarjan, "Depth-first search and linear graph
       algorithms", 1972. */
    uint32_t *number, *low; /* by block; NUMBER is 0 if it was not yet visited */
    uint32_t *path, *next;  /* PATH: blocks on the path; NEXT: by block, its next edge */
    uint32_t *pending;      /* blocks whose component is not complete */
    bool *is_pending;
    size_t path_count, pending_count;
    uint32_t numbered;
};

static void find_usable(struct search *search)
{
    const struct flowgraph *graph = search->graph;
    for (size_t i = 0; i < graph->edges.count; i++) {
        unsigned flags = graph->edges.list[i].flags;
        bool odd = flags & CCPROF_EDGE_ABNORMAL && !(flags & CCPROF_EDGE_EXCEPTION);
        search->usable[i] = !(flags & CCPROF_EDGE_FAKE) && !odd;
    }
}

/* Returns whether the edge stays inside the region and is not a back edge of a known
   loop. */
static bool is_inside(const struct search *search, uint32_t edge)
{
    const struct flowgraph_edge *entry = &search->graph->edges.list[edge];
    return search->usable[edge] &&
           search->region[entry->from] == search->region[entry->to] &&
           !search->head[entry->to];
}

static void enter(struct search *search, uint32_t block)
{
    search->number[block] = search->low[block] = ++search->numbered;
    search->next[block] = 0;
    search->path[search->path_count++] = block;
    search->pending[search->pending_count++] = block;
    search->is_pending[block] = true;
}

static bool leads_to_itself(const struct search *search, uint32_t block)
{
    const struct flowgraph_span *span = &search->graph->blocks.list[block].edges;
    for (uint32_t i = span->first; i < span->first + span->count; i++)
        if (search->graph->edges.list[i].to == block && is_inside(search, i))
            return true;
    return false;
}

/* Turns the last COUNT pending blocks into a loop. OUTER is the loop that contains
   it. */
static void add_loop(struct search *search, size_t count, uint32_t outer)
{
    struct loops *loops = search->loops;
    const uint32_t *blocks = search->pending + search->pending_count;
    uint32_t number = (uint32_t)loops->count,
             depth = outer == NONE ? 0 : loops->loops[outer].depth + 1;
    BUF_NEXT(loops->loops, loops->count, loops->capacity) =
        (struct loops_loop){.outer = outer, .depth = depth};
    for (size_t i = 0; i < count; i++)
        loops->of_block[blocks[i]] = number;
}

/* Completes a component. It consists of FIRST and all pending blocks after it. */
static void complete_component(struct search *search, uint32_t first, uint32_t outer)
{
    size_t count = 0;
    uint32_t block;
    do {
        block = search->pending[--search->pending_count];
        search->is_pending[block] = false;
        count++;
    } while (block != first);
    if (count > 1 || leads_to_itself(search, first))
        add_loop(search, count, outer);
}

static void find_from(struct search *search, uint32_t start)
{
    const struct flowgraph *graph = search->graph;
    enter(search, start);
    while (search->path_count) {
        uint32_t block = search->path[search->path_count - 1];
        const struct flowgraph_span *span = &graph->blocks.list[block].edges;
        if (search->next[block] < span->count) {
            uint32_t edge = span->first + search->next[block]++;
            uint32_t to = graph->edges.list[edge].to;
            if (!is_inside(search, edge))
                continue;
            if (!search->number[to])
                enter(search, to);
            else if (search->is_pending[to] && search->number[to] < search->low[block])
                search->low[block] = search->number[to];
            continue;
        }
        search->path_count--;
        if (search->path_count) {
            uint32_t *low = &search->low[search->path[search->path_count - 1]];
            *low = search->low[block] < *low ? search->low[block] : *low;
        }
        if (search->low[block] == search->number[block])
            complete_component(search, block, search->region[block]);
    }
}

/* Finds the entries of the loops from number FIRST on. A loop that cannot be reached
   is entered at its first block. */
static void find_heads(struct search *search, size_t first)
{
    const struct flowgraph *graph = search->graph;
    const uint32_t *of_block = search->loops->of_block;
    size_t count = search->loops->count - first;
    BUF_OWN bool *entered = buf_alloc(count + 1);
    for (uint32_t i = 0; i < graph->edges.count; i++) {
        const struct flowgraph_edge *edge = &graph->edges.list[i];
        uint32_t to = of_block[edge->to];
        if (!search->usable[i] || to == NONE || to < first || of_block[edge->from] == to)
            continue;
        search->head[edge->to] = true;
        entered[to - first] = true;
    }
    for (uint32_t b = 0; b < graph->blocks.count; b++)
        if (of_block[b] != NONE && of_block[b] >= first && !entered[of_block[b] - first])
            search->head[b] = entered[of_block[b] - first] = true;
}

/* Finds the outermost loops first, then the loops inside them, and so on. */
static void find_all(struct search *search)
{
    const struct flowgraph *graph = search->graph;
    struct loops *loops = search->loops;
    size_t before;
    do {
        before = loops->count;
        memset(search->number, 0, graph->blocks.count * sizeof *search->number);
        search->numbered = 0;
        for (uint32_t i = 0; i < graph->blocks.count; i++)
            if (!search->number[i])
                find_from(search, i);
        find_heads(search, before);
        for (size_t i = 0; i < graph->blocks.count; i++)
            search->region[i] = loops->of_block[i];
    } while (loops->count > before);
}

bool loops_is_in(const struct loops *loops, uint32_t block, uint32_t loop)
{
    uint32_t current = loops->of_block[block];
    while (current != NONE && current > loop)
        current = loops->loops[current].outer;
    return current == loop;
}

static bool is_own_file(const struct flowgraph *graph, const char *file)
{
    return graph->start.file && strcmp(graph->start.file, file) == 0;
}

/* Sets the file of a loop to the file of POINT in two cases: if the loop has no file
   yet, or if POINT is in the file of the function but the present file of the loop is
   another file. */
static void find_file(struct loops_loop *loop, const struct flowgraph *graph,
                      const struct flowgraph_position *point)
{
    if (!loop->file ||
        (is_own_file(graph, point->file) && !is_own_file(graph, loop->file)))
        loop->file = point->file;
}

/* Updates the start of a loop with POINT. If the head of the loop has positions, the
   start is the first position in the head, because captures of a lambda have positions
   before the loop. Otherwise the start is the first position in the loop. *FROM_HEAD
   says whether the present start is in the head. */
static void find_start(struct loops_loop *loop, const struct flowgraph_position *point,
                       bool at_head, bool *from_head)
{
    if (*from_head && !at_head)
        return;
    if (*from_head == at_head && loop->first_line &&
        index_pair(point->line, point->column) >=
            index_pair(loop->first_line, loop->first_column))
        return;
    loop->first_line = point->line;
    loop->first_column = point->column;
    *from_head = at_head;
}

static void find_end(struct loops_loop *loop, const struct flowgraph_position *point)
{
    if (index_pair(loop->last_line, loop->last_column) <
        index_pair(point->line, point->column)) {
        loop->last_line = point->line;
        loop->last_column = point->column;
    }
}

/* Uses the points of block B for all loops around it. In the first pass, FROM_HEAD is
   NULL, and the file of each loop is determined. In the second pass, the range of
   each loop is determined from the points in its file. */
static void take_points(struct search *search, uint32_t b, bool *from_head)
{
    const struct flowgraph *graph = search->graph;
    const struct loops *loops = search->loops;
    const struct flowgraph_span *span = &graph->blocks.list[b].positions;
    for (uint32_t number = loops->of_block[b]; number != NONE;
         number = loops->loops[number].outer)
        for (uint32_t i = span->first; i < span->first + span->count; i++) {
            const struct flowgraph_position *point = &graph->positions.list[i];
            struct loops_loop *loop = &loops->loops[number];
            bool at_head = search->head[b] && loops->of_block[b] == number;
            if (!point->file || !point->line)
                continue;
            if (!from_head) {
                find_file(loop, graph, point);
            } else if (strcmp(loop->file, point->file) == 0) {
                find_start(loop, point, at_head, &from_head[number]);
                find_end(loop, point);
            }
        }
}

static void find_ranges(struct search *search)
{
    BUF_OWN bool *from_head = buf_alloc(search->loops->count + 1);
    for (uint32_t b = 0; b < search->graph->blocks.count; b++)
        take_points(search, b, NULL);
    for (uint32_t b = 0; b < search->graph->blocks.count; b++)
        take_points(search, b, from_head);
}

/* The blocks at the head of a loop that only decide whether the loop continues. */
struct tests {
    const struct search *search;
    uint32_t loop;
    uint32_t line; /* the line of all tests */
    bool *is_test; /* by block */
};

/* Returns whether all positions of the block are on the line of the tests. */
static bool is_on_line(const struct tests *tests, uint32_t block)
{
    const struct flowgraph *graph = tests->search->graph;
    const struct flowgraph_span *span = &graph->blocks.list[block].positions;
    for (uint32_t i = span->first; i < span->first + span->count; i++)
        if (graph->positions.list[i].line != tests->line)
            return false;
    return span->count > 0;
}

/* Returns whether control reaches the block only from tests of the loop or from
   outside the loop, and does not go directly from the block to a head of the loop. */
static bool is_between(const struct tests *tests, uint32_t block)
{
    const struct search *search = tests->search;
    const struct flowgraph *graph = search->graph;
    const struct flowgraph_span *span = &graph->blocks.list[block].edges;
    for (uint32_t i = span->first; i < span->first + span->count; i++)
        if (search->usable[i] && search->head[graph->edges.list[i].to] &&
            loops_is_in(search->loops, graph->edges.list[i].to, tests->loop))
            return false;
    const struct groups *into = &search->into;
    for (size_t i = into->first[block];
         !search->head[block] && i < into->first[block + 1]; i++)
        if (search->usable[into->members[i]] &&
            !tests->is_test[graph->edges.list[into->members[i]].from])
            return false;
    return true;
}

static bool may_leave(const struct tests *tests, uint32_t block)
{
    const struct search *search = tests->search;
    const struct flowgraph_span *span = &search->graph->blocks.list[block].edges;
    for (uint32_t i = span->first; i < span->first + span->count; i++)
        if (search->usable[i] &&
            !(search->graph->edges.list[i].flags & CCPROF_EDGE_EXCEPTION) &&
            !loops_is_in(search->loops, search->graph->edges.list[i].to, tests->loop))
            return true;
    return false;
}

/* Adds the tests that begin at HEAD. Returns whether one of them may leave the loop. */
static bool find_tests(struct tests *tests, uint32_t head)
{
    const struct flowgraph *graph = tests->search->graph;
    const struct flowgraph_span *span = &graph->blocks.list[head].positions;
    uint32_t todo[16], count = 0;
    bool leaves = false;
    if (!span->count)
        return false;
    tests->line = graph->positions.list[span->first].line;
    todo[count++] = head;
    while (count) {
        uint32_t block = todo[--count];
        const struct flowgraph_span *edges = &graph->blocks.list[block].edges;
        if (tests->is_test[block] || !is_on_line(tests, block) ||
            !is_between(tests, block))
            continue;
        tests->is_test[block] = true;
        leaves |= may_leave(tests, block);
        for (uint32_t i = edges->first; i < edges->first + edges->count; i++) {
            uint32_t to = graph->edges.list[i].to;
            if (count < sizeof todo / sizeof *todo && tests->search->usable[i] &&
                loops_is_in(tests->search->loops, to, tests->loop) &&
                !tests->search->head[to])
                todo[count++] = to;
        }
    }
    return leaves;
}

/* Returns how often control went from BLOCK, a test, to the body. */
static uint64_t count_passed(const struct tests *tests, uint32_t block)
{
    const struct search *search = tests->search;
    const struct flowgraph_span *span = &search->graph->blocks.list[block].edges;
    uint64_t sum = 0;
    for (uint32_t i = span->first; i < span->first + span->count; i++) {
        uint32_t to = search->graph->edges.list[i].to;
        if (!tests->is_test[to] && loops_is_in(search->loops, to, tests->loop))
            sum += flowcounts_shown(search->flow->edges[i]);
    }
    return sum;
}

static void count_loop(struct search *search, uint32_t number, uint32_t head)
{
    const struct flowgraph *graph = search->graph;
    struct loops_loop *loop = &search->loops->loops[number];
    struct tests tests = {
        .search = search, .loop = number, .is_test = buf_alloc(graph->blocks.count)};
    uint64_t rounds = flowcounts_shown(search->flow->blocks[head]);
    if (find_tests(&tests, head)) {
        rounds = 0;
        for (uint32_t i = 0; i < graph->blocks.count; i++)
            if (tests.is_test[i])
                rounds += count_passed(&tests, i);
    }
    /* If a loop has several heads, each iteration passes at least one head. */
    if (rounds > loop->iterations)
        loop->iterations = rounds;
    free(tests.is_test);
}

static void count_all(struct search *search)
{
    const struct flowgraph *graph = search->graph;
    struct loops *loops = search->loops;
    for (uint32_t b = 0; b < graph->blocks.count; b++)
        if (search->head[b])
            count_loop(search, loops->of_block[b], b);
    for (uint32_t i = 0; i < graph->edges.count; i++) {
        const struct flowgraph_edge *edge = &graph->edges.list[i];
        for (uint32_t number = loops->of_block[edge->to];
             number != NONE && !loops_is_in(loops, edge->from, number);
             number = loops->loops[number].outer)
            loops->loops[number].entered += flowcounts_shown(search->flow->edges[i]);
    }
}

void loops_find(struct loops *loops, const struct flowcounts_flow *flow)
{
    const struct flowgraph *graph = &flow->flow->graph;
    size_t count = graph->blocks.count;
    struct search search = {.loops = loops, .flow = flow, .graph = graph};
    *loops = (struct loops){.of_block = buf_alloc(count * sizeof *loops->of_block)};
    uint32_t **const arrays[] = {&search.region, &search.number, &search.low,
                                 &search.path,   &search.next,   &search.pending};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = buf_alloc(count * sizeof **arrays[i]);
    search.usable = buf_alloc(graph->edges.count + 1);
    search.head = buf_alloc(count);
    search.is_pending = buf_alloc(count);
    for (size_t i = 0; i < count; i++)
        loops->of_block[i] = search.region[i] = NONE;
    find_usable(&search);
    GROUPS_BY(&search.into, graph->blocks.count, graph->edges.list, to,
              graph->edges.count);
    find_all(&search);
    find_ranges(&search);
    count_all(&search);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(*arrays[i]);
    groups_free(&search.into);
    free(search.usable);
    free(search.head);
    free(search.is_pending);
}

void loops_free(struct loops *loops)
{
    free(loops->loops);
    free(loops->of_block);
    memset(loops, 0, sizeof *loops);
}
