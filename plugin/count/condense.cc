// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the flow graph of a compiled function, chooses the places of counters in it
// with recipe_find, and replaces the marks by these counters.

#include "plugin/gcc/compat.h"
#include "plugin/count/condense.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/callsite.h"
#include "plugin/count/counter.h"
#include "plugin/count/blocks.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/count/storage.h"

// The flow graph of the function, in which the places for counters are chosen.

#define ENTRY_NODE    0
#define EXIT_NODE     1
#define FIRST_NODE    2
#define SPLIT_COST    2    // factor for a counter that needs a new block and a jump
#define REGISTER_COST 0.25 // cost of an addition in a register, relative to one in memory
#define MIN_WEIGHT    1e-6
#define MAX_WEIGHT    1e18

namespace
{
// The numbers of the graph's blocks for one basic block.
struct parts {
    unsigned first, last;
};

// A mark, and the graph's edge for the block that contains the mark.
struct placed_mark {
    gimple *statement;
    size_t edge;
};

struct builder {
    struct condense_graph *graph;
    vec<placed_mark> *marks;
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

static struct recipe_edge *add_condense_edge(struct condense_graph *graph, unsigned from,
                                             unsigned to, double weight,
                                             struct condense_place place)
{
    size_t number = graph->count++;
    bool countable = place.before || place.behind || place.start || place.on;

    graph->edges = (struct recipe_edge *)memory_reserve(graph->edges, &graph->edge_room,
                                                        number + 1, sizeof *graph->edges);
    graph->places = (struct condense_place *)memory_reserve(
        graph->places, &graph->place_room, number + 1, sizeof *graph->places);
    graph->edges[number] = {from,  to, countable, false, MAX(weight, MIN_WEIGHT),
                            false, 0,  0};
    graph->places[number] = place;
    return &graph->edges[number];
}

// Adds an edge that gets no counter: no code can be inserted on it, or the counter of a
// block already counts its executions.
static void add_uncounted(struct condense_graph *graph, unsigned from, unsigned to)
{
    add_condense_edge(graph, from, to, 0, {NULL, NULL, NULL, NULL});
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
static void add_condense_block(struct builder *builder, basic_block bb, gimple *behind,
                               gimple *mark)
{
    bool is_local = condense_loop(builder->loops, bb->loop_father, bb->count);
    double weight =
        frequencies_of_block(&builder->frequencies, bb) * (is_local ? REGISTER_COST : 1);
    struct condense_place place = {mark, NULL, NULL, NULL};

    if (!mark && behind)
        place.behind = behind;
    else if (!mark && !bb_has_abnormal_pred(bb))
        place.start = bb;
    if (!mark && is_behind_tail_call(bb, behind))
        weight = MAX_WEIGHT;
    unsigned block = builder->count++;
    add_condense_edge(builder->graph, node_into(block), node_out_of(block), weight, place)
        ->needed = mark;
}

// Returns true if code after the statement may be executed less often than code before
// it.
static bool ends_block(gimple *statement)
{
    return split_blocks_may_not_return(statement) && !split_blocks_returns(statement);
}

static void add_condense_blocks(struct builder *builder, basic_block bb)
{
    gimple *behind = NULL, *mark = NULL;
    gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);

    builder->parts[bb->index].first = builder->count;
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi)) {
        gimple *statement = gsi_stmt(gsi);
        if (counter_marked(statement)) {
            // `count' is the number of the edge that add_condense_block will add for the
            // current block.
            builder->marks->safe_push({statement, builder->graph->count});
            mark = mark ? mark : statement;
        }
        if (statement == gsi_stmt(last) || !ends_block(statement))
            continue;
        add_condense_block(builder, bb, behind, mark);
        add_uncounted(builder->graph, node_out_of(builder->count - 1), EXIT_NODE);
        add_uncounted(builder->graph, node_out_of(builder->count - 1),
                      node_into(builder->count));
        behind = statement;
        mark = NULL;
    }
    add_condense_block(builder, bb, behind, mark);
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

// Returns true if the edge is taken exactly as often as one of its two blocks is
// executed.
static bool is_counted_by_block(edge e)
{
    bool out = e->src != ENTRY_BLOCK_PTR_FOR_FN(cfun) && single_succ_p(e->src) &&
               !is_left(e->src) && !bb_has_abnormal_pred(e->src);

    return out || (single_pred_p(e->dest) && e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun) &&
                   !bb_has_abnormal_pred(e->dest));
}

static void add_edge_between(struct builder *builder, edge e)
{
    bool enters = e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun);
    bool leaves = e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun);
    unsigned from = enters ? ENTRY_NODE : node_out_of(builder->parts[e->src->index].last);
    unsigned to = leaves ? EXIT_NODE : node_into(builder->parts[e->dest->index].first);
    double weight = frequencies_of_edge(&builder->frequencies, e) * SPLIT_COST;

    if (is_counted_by_block(e) || split_blocks_is_abnormal(e))
        return add_uncounted(builder->graph, from, to);
    if (tailcall_passes(e) || leaves)
        weight = MAX_WEIGHT;
    add_condense_edge(builder->graph, from, to, weight, {NULL, NULL, NULL, e});
}

static void add_condense_edges_out(struct builder *builder, basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs)
        if (!split_blocks_is_replaced(e))
            add_edge_between(builder, e);
}

static void add_fake_edges(struct builder *builder, basic_block bb)
{
    const struct parts *parts = &builder->parts[bb->index];

    if (split_blocks_is_entered_abnormally(bb))
        add_uncounted(builder->graph, ENTRY_NODE, node_into(parts->first));
    if (is_left(bb))
        add_uncounted(builder->graph, node_out_of(parts->last), EXIT_NODE);
}

// Makes the graph, and appends the marks to MARKS. Sets `needed' in the edge of each
// block that contains a mark.
static void make_graph(struct condense_graph *graph, vec<placed_mark> *marks,
                       const struct condense_loops *loops)
{
    struct builder builder = {graph, marks, NULL, 0, frequencies_make(), loops};
    basic_block bb;

    builder.parts = (struct parts *)memory_zeroed(last_basic_block_for_fn(cfun),
                                                  sizeof *builder.parts);
    tailcall_find();
    FOR_EACH_BB_FN (bb, cfun)
        add_condense_blocks(&builder, bb);
    add_condense_edges_out(&builder, ENTRY_BLOCK_PTR_FOR_FN(cfun));
    FOR_EACH_BB_FN (bb, cfun) {
        add_condense_edges_out(&builder, bb);
        add_fake_edges(&builder, bb);
    }
    tailcall_forget();
    graph->nodes = FIRST_NODE + 2 * builder.count;
    memory_free(builder.parts);
    frequencies_free(&builder.frequencies);
}

static void free_graph(struct condense_graph *graph)
{
    memory_free(graph->edges);
    memory_free(graph->places);
}

// The passes, which replace marks by counters.

typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, vec<tree>> marks_map;

// The marks that a joined mark replaces, by DECL_UID of the joined mark. GCC's list of
// variables keeps them from being freed.
static marks_map *joined_marks;

bool condense_joins_marks(void)
{
    return !flag_lto && !in_lto_p;
}

// Appends MARK or, if MARK is a joined mark, the marks that it replaces.
static void append_marks(tree mark, vec<tree> *marks)
{
    vec<tree> *parts = joined_marks ? joined_marks->get(DECL_UID(mark)) : NULL;

    if (parts)
        marks->safe_splice(*parts);
    else
        marks->safe_push(mark);
}

// Replaces the marks in STATEMENTS by one joined mark, and empties the list.
static void join_marks(vec<gimple *> *statements)
{
    vec<tree> parts = vNULL;

    if (statements->length() > 1) {
        tree joined = counter_make_joined();
        for (gimple *mark : *statements)
            append_marks(counter_marked(mark), &parts);
        if (!joined_marks)
            joined_marks = new marks_map;
        joined_marks->put(DECL_UID(joined), parts);
        gimple_assign_set_lhs((*statements)[0], joined);
        update_stmt((*statements)[0]);
        for (unsigned i = 1; i < statements->length(); i++)
            counter_remove_mark((*statements)[i]);
    }
    statements->truncate(0);
}

static void join_all_marks(function *fun)
{
    auto_vec<gimple *> marks;
    basic_block bb;

    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);) {
            gimple *statement = gsi_stmt(gsi);
            // Advance first, because join_marks may remove the statement.
            gsi_next_nondebug(&gsi);
            if (counter_marked(statement))
                marks.safe_push(statement);
            else if (split_blocks_may_not_return(statement))
                join_marks(&marks);
        }
        join_marks(&marks);
    }
}

opt_pass *passes_make_joined(void)
{
    return pass_make("ccprof_joined", PASS_SSA_MEMORY, join_all_marks);
}

namespace
{
// A term of a counter: the counter's value is added to the count of MARK, or subtracted
// if NEGATIVE.
struct term {
    tree mark;
    bool negative;
};
} // namespace

// The counters of the unit. The key of a counter is the sorted list of its terms, each
// encoded as a number.
static struct {
    struct distinct keys;
    tree *counters; // GCC's list of variables keeps them from being freed
    size_t counter_room;
} kept;

static int by_number(const void *one, const void *other)
{
    unsigned a = *(const unsigned *)one, b = *(const unsigned *)other;

    return a < b ? -1 : a > b;
}

// Returns the counter that has exactly these terms, and makes it if necessary. The
// functions of the unit share counters.
static tree find_counter(const vec<term> &terms)
{
    auto_vec<unsigned> key;
    unsigned known = kept.keys.count;

    for (const term &t : terms)
        key.safe_push(2 * DECL_UID(t.mark) + t.negative);
    key.qsort(by_number);
    unsigned number =
        distinct_add(&kept.keys, key.address(), key.length() * sizeof(unsigned));
    if (number > known) {
        kept.counters = (tree *)memory_reserve(kept.counters, &kept.counter_room, number,
                                               sizeof *kept.counters);
        tree counter = storage_make_counter();
        for (const term &t : terms)
            storage_add_term(counter, t.mark, t.negative);
        kept.counters[number - 1] = counter;
    }
    return kept.counters[number - 1];
}

static void print_numbers(unsigned marks, unsigned counters)
{
    if (options.verbose)
        fprintf(stderr, "ccprof: %s: marks %u, counters %u\n",
                IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(current_function_decl)), marks,
                counters);
}

// Appends the terms of the mark to TERMS, which is indexed by the edge of the counter.
// Returns the number of marks that are counted: more than one for a joined mark.
static unsigned add_mark_terms(const struct condense_graph *graph,
                               const struct recipe *recipe,
                               const struct placed_mark *mark, vec<term> *terms)
{
    const struct recipe_edge *edge = &graph->edges[mark->edge];
    auto_vec<tree> marks;

    append_marks(counter_marked(mark->statement), &marks);
    for (size_t i = edge->first; i < edge->first + edge->terms; i++) {
        const struct recipe_term *summand = &recipe->terms[i];
        for (tree variable : marks)
            terms[summand->edge].safe_push({variable, summand->negative});
    }
    return marks.length();
}

static void replace_marks(struct condense_graph *graph, const vec<placed_mark> &marks,
                          struct condense_loops *loops)
{
    struct recipe recipe = {NULL, 0, 0};
    unsigned mark_count = 0, counter_count = 0;

    recipe_find(graph->edges, graph->count, graph->nodes, &recipe);
    vec<term> *terms = XCNEWVEC(vec<term>, graph->count);
    tree *counters = XCNEWVEC(tree, graph->count);
    for (const placed_mark &mark : marks)
        mark_count += add_mark_terms(graph, &recipe, &mark, terms);
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->edges[i].counter)
            counters[i] = find_counter(terms[i]);
        counter_count += graph->edges[i].counter;
        terms[i].release();
    }
    condense_insert(graph, counters, loops);
    for (const placed_mark &mark : marks)
        counter_remove_mark(mark.statement);
    gsi_commit_edge_inserts();
    if (loops->count)
        update_ssa(TODO_update_ssa);
    print_numbers(mark_count, counter_count);
    free(counters);
    free(terms);
    memory_free(recipe.terms);
}

// Replaces the only mark of the function by a counter at the same place.
static void condense_one(gimple *mark, const struct condense_loops *loops)
{
    auto_vec<tree> marks;
    auto_vec<term> terms;

    append_marks(counter_marked(mark), &marks);
    for (tree variable : marks)
        terms.safe_push({variable, false});
    condense_insert_at_mark(mark, find_counter(terms), loops);
    counter_remove_mark(mark);
    print_numbers(marks.length(), 1);
}

// Counts marks, but stops at LIMIT. Sets *LAST to the last mark found.
static unsigned count_marks(function *fun, unsigned limit, gimple **last)
{
    unsigned count = 0;
    basic_block bb;

    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb);
             !gsi_end_p(gsi) && count < limit; gsi_next(&gsi)) {
            if (!counter_marked(gsi_stmt(gsi)))
                continue;
            *last = gsi_stmt(gsi);
            count++;
        }
    }
    return count;
}

static void condense_function(function *fun)
{
    gimple *mark = NULL;
    unsigned count = count_marks(fun, 2, &mark);

    if (count == 0)
        return;
    struct condense_loops loops = condense_loops_find();
    if (count == 1) {
        condense_one(mark, &loops);
    } else {
        struct condense_graph graph = {NULL, NULL, 0, 0, 0, 0};
        auto_vec<placed_mark> marks;
        make_graph(&graph, &marks, &loops);
        replace_marks(&graph, marks, &loops);
        free_graph(&graph);
    }
    condense_loops_free(&loops);
}

opt_pass *passes_make_condense(void)
{
    return pass_make("ccprof_condense", PASS_SSA_MEMORY, condense_function);
}

// The variable of a mark needs no storage, so it is declared as external. GCC sees no
// store at a mark, so modref_may_change must make GCC assume that calls change counters.
static void take_marks(void *, void *)
{
    varpool_node *node;

    FOR_EACH_VARIABLE (node) {
        if (!counter_is(node->decl))
            continue;
        if (node->definition && !node->in_other_partition)
            storage_list(node->decl);
        DECL_EXTERNAL(node->decl) = 1;
    }
    if (options_marks_counts())
        modref_may_change(long_long_unsigned_type_node);
}

void condense_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, take_marks, NULL);
}
