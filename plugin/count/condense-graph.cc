// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/condense.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/callsite.h"
#include "plugin/count/counter.h"
#include "plugin/count/blocks.h"

#define ENTRY_NODE    0
#define EXIT_NODE     1
#define FIRST_NODE    2
#define SPLIT_COST    2    // factor for a counter that needs a new block and a jump
#define REGISTER_COST 0.25 // cost of an addition in a register, relative to one in memory
#define LEAST_WEIGHT  1e-6
#define MOST_WEIGHT   1e18

namespace
{
// The numbers of the graph's blocks for one basic block.
struct parts {
    unsigned first, last;
};

// How often blocks and edges are executed per call of the function.
struct frequencies {
    bool known; // use GCC's profile; otherwise use ESTIMATE
    struct estimate estimate;
};

struct builder {
    struct condense_graph *graph;
    vec<condense_mark> *marks;
    struct parts *parts; // indexed by the basic block
    unsigned count;      // of blocks
    struct frequencies frequencies;
    const struct condense_loops *loops;
};
} // namespace

static unsigned node_into(unsigned block)
{
    return FIRST_NODE + 2 * block;
}

static unsigned node_out_of(unsigned block)
{
    return FIRST_NODE + 2 * block + 1;
}

static struct frequencies frequencies_make(void)
{
    struct frequencies frequencies = {false, {NULL, NULL}};
    profile_count entry = ENTRY_BLOCK_PTR_FOR_FN(cfun)->count;

    frequencies.known = profile_status_for_fn(cfun) != PROFILE_ABSENT &&
                        entry.initialized_p() && entry.nonzero_p();
    if (!frequencies.known)
        frequencies.estimate = estimate_make();
    return frequencies;
}

static double scaled(profile_count count)
{
    profile_count entry = ENTRY_BLOCK_PTR_FOR_FN(cfun)->count;

    return count.initialized_p() ? count.to_sreal_scale(entry).to_double() : 0;
}

static double frequency_of(const struct frequencies *frequencies, basic_block bb)
{
    return frequencies->known ? scaled(bb->count)
                              : frequencies->estimate.frequencies[bb->index];
}

static double frequency_of(const struct frequencies *frequencies, edge e)
{
    if (frequencies->known)
        return scaled(e->count());
    return frequency_of(frequencies, e->src) * estimate_share(&frequencies->estimate, e);
}

static struct recipe_edge *add_edge(struct condense_graph *graph, unsigned from,
                                    unsigned to, double weight,
                                    struct condense_place place)
{
    size_t number = graph->count++;
    bool countable = place.before || place.behind || place.start || place.on;

    graph->edges = (struct recipe_edge *)memory_reserve(graph->edges, &graph->edge_room,
                                                        number + 1, sizeof *graph->edges);
    graph->places = (struct condense_place *)memory_reserve(
        graph->places, &graph->place_room, number + 1, sizeof *graph->places);
    graph->edges[number] = {from,  to, countable, false, MAX(weight, LEAST_WEIGHT),
                            false, 0,  0};
    graph->places[number] = place;
    return &graph->edges[number];
}

// Adds an edge that gets no counter: no code can be inserted on it, or a counter of a
// block counts the same.
static void add_uncounted(struct condense_graph *graph, unsigned from, unsigned to)
{
    add_edge(graph, from, to, 0, {NULL, NULL, NULL, NULL});
}

// Returns true if a counter after BEHIND, or at the start of BB if BEHIND is NULL, would
// be between a tail call and the return.
static bool is_behind_tail_call(basic_block bb, gimple *behind)
{
    edge e;
    edge_iterator ei;

    if (behind)
        return tailcall_is(behind) || tailcall_is_recursion(behind);
    FOR_EACH_EDGE (e, ei, bb->preds)
        if (tailcall_passes(e))
            return true;
    return false;
}

// Adds the block that begins after the statement BEHIND, or at the start of BB if BEHIND
// is NULL. MARK is the first mark in the block, or NULL.
static void add_block(struct builder *builder, basic_block bb, gimple *behind,
                      gimple *mark)
{
    bool is_local = condense_loop(builder->loops, bb->loop_father, bb->count);
    double weight =
        frequency_of(&builder->frequencies, bb) * (is_local ? REGISTER_COST : 1);
    struct condense_place place = {mark, NULL, NULL, NULL};

    if (!mark && behind)
        place.behind = behind;
    else if (!mark && !bb_has_abnormal_pred(bb))
        place.start = bb;
    if (!mark && is_behind_tail_call(bb, behind))
        weight = MOST_WEIGHT;
    unsigned block = builder->count++;
    add_edge(builder->graph, node_into(block), node_out_of(block), weight, place)
        ->needed = mark;
}

// Returns true if code after the statement may be executed less often than code before
// it.
static bool ends_block(gimple *statement)
{
    return split_blocks_may_not_return(statement) && !split_blocks_returns(statement);
}

static void add_blocks(struct builder *builder, basic_block bb)
{
    gimple *behind = NULL, *mark = NULL;
    gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);

    builder->parts[bb->index].first = builder->count;
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi)) {
        gimple *statement = gsi_stmt(gsi);
        if (counter_marked(statement)) {
            // This is the number of the edge that add_block will add for the current
            // block.
            builder->marks->safe_push({statement, builder->graph->count});
            mark = mark ? mark : statement;
        }
        if (statement == gsi_stmt(last) || !ends_block(statement))
            continue;
        add_block(builder, bb, behind, mark);
        add_uncounted(builder->graph, node_out_of(builder->count - 1), EXIT_NODE);
        add_uncounted(builder->graph, node_out_of(builder->count - 1),
                      node_into(builder->count));
        behind = statement;
        mark = NULL;
    }
    add_block(builder, bb, behind, mark);
    builder->parts[bb->index].last = builder->count - 1;
}

// Returns true if control may leave the end of the block without taking an edge of the
// graph.
static bool is_left(basic_block bb)
{
    gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);

    return EDGE_COUNT(bb->succs) == 0 || split_blocks_is_left_abnormally(bb) ||
           (!gsi_end_p(last) && ends_block(gsi_stmt(last)));
}

static bool may_start_counter(basic_block bb)
{
    return bb != EXIT_BLOCK_PTR_FOR_FN(cfun) && !bb_has_abnormal_pred(bb);
}

// Returns true if the edge is taken exactly as often as one of its two blocks is
// executed.
static bool is_counted_by_block(edge e)
{
    bool out = e->src != ENTRY_BLOCK_PTR_FOR_FN(cfun) && single_succ_p(e->src) &&
               !is_left(e->src) && !bb_has_abnormal_pred(e->src);

    return out || (single_pred_p(e->dest) && may_start_counter(e->dest));
}

static void add_way(struct builder *builder, edge e)
{
    bool enters = e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun);
    bool leaves = e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun);
    unsigned from = enters ? ENTRY_NODE : node_out_of(builder->parts[e->src->index].last);
    unsigned to = leaves ? EXIT_NODE : node_into(builder->parts[e->dest->index].first);
    double weight = frequency_of(&builder->frequencies, e) * SPLIT_COST;

    if (is_counted_by_block(e) || split_blocks_is_abnormal(e))
        return add_uncounted(builder->graph, from, to);
    if (tailcall_passes(e) || leaves)
        weight = MOST_WEIGHT;
    add_edge(builder->graph, from, to, weight, {NULL, NULL, NULL, e});
}

static void add_ways_out(struct builder *builder, basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs)
        if (!split_blocks_is_replaced(e))
            add_way(builder, e);
}

static void add_nowhere(struct builder *builder, basic_block bb)
{
    const struct parts *parts = &builder->parts[bb->index];

    if (split_blocks_is_entered_abnormally(bb))
        add_uncounted(builder->graph, ENTRY_NODE, node_into(parts->first));
    if (is_left(bb))
        add_uncounted(builder->graph, node_out_of(parts->last), EXIT_NODE);
}

void condense_graph_make(struct condense_graph *graph, vec<condense_mark> *marks,
                         const struct condense_loops *loops)
{
    struct builder builder = {graph, marks, NULL, 0, frequencies_make(), loops};
    basic_block bb;

    builder.parts = (struct parts *)memory_zeroed(last_basic_block_for_fn(cfun),
                                                  sizeof *builder.parts);
    tailcall_find();
    FOR_EACH_BB_FN (bb, cfun)
        add_blocks(&builder, bb);
    add_ways_out(&builder, ENTRY_BLOCK_PTR_FOR_FN(cfun));
    FOR_EACH_BB_FN (bb, cfun) {
        add_ways_out(&builder, bb);
        add_nowhere(&builder, bb);
    }
    tailcall_forget();
    graph->nodes = FIRST_NODE + 2 * builder.count;
    memory_free(builder.parts);
    if (!builder.frequencies.known)
        estimate_free(&builder.frequencies.estimate);
}

void condense_graph_free(struct condense_graph *graph)
{
    memory_free(graph->edges);
    memory_free(graph->places);
}
