// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/condense.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/count/condense-inside.h"
#include "plugin/count/counter.h"
#include "plugin/count/joined.h"
#include "plugin/count/storage.h"

// The nearest position before the statement, or if STATEMENT is NULL before the block's
// end; otherwise the first one behind it.
static location_t location_in(basic_block bb, gimple *statement)
{
    gimple_stmt_iterator gsi =
        statement ? gsi_for_stmt(statement) : gsi_last_nondebug_bb(bb);

    for (; !gsi_end_p(gsi); gsi_prev_nondebug(&gsi))
        if (!RESERVED_LOCATION_P(gimple_location(gsi_stmt(gsi))))
            return gimple_location(gsi_stmt(gsi));
    for (gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
        if (!RESERVED_LOCATION_P(gimple_location(gsi_stmt(gsi))))
            return gimple_location(gsi_stmt(gsi));
    return UNKNOWN_LOCATION;
}

static location_t location_of(const struct condense_place *place)
{
    if (place->before)
        return gimple_location(place->before);
    if (place->behind)
        return location_in(gimple_bb(place->behind), place->behind);
    if (place->start)
        return location_in(place->start, NULL);
    return place->on->src == ENTRY_BLOCK_PTR_FOR_FN(cfun)
               ? UNKNOWN_LOCATION
               : location_in(place->on->src, NULL);
}

static void insert(const struct condense_place *place, gimple_seq statements)
{
    gimple_stmt_iterator gsi;

    if (place->before) {
        gsi = gsi_for_stmt(place->before);
        gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
    } else if (place->behind) {
        gsi = gsi_for_stmt(place->behind);
        gsi_insert_seq_after(&gsi, statements, GSI_SAME_STMT);
    } else if (place->start) {
        gsi = gsi_after_labels(place->start);
        gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
    } else {
        gsi_insert_seq_on_edge(place->on, statements);
    }
}

// The basic block in which the place is, NULL on an edge.
static basic_block block_of(const struct condense_place *place)
{
    return place->before   ? gimple_bb(place->before)
           : place->behind ? gimple_bb(place->behind)
                           : place->start;
}

// A counter is in a register over a loop only where each iteration counts: elsewhere GCC
// would note at each addition that there is something to be stored behind the loop.
static bool stays(basic_block bb)
{
    if (!optimize || !current_loops || number_of_loops(cfun) <= 1)
        return false;
    if (!bb)
        return true;
    class loop *loop = bb->loop_father;
    if (!loop || !loop_outer(loop))
        return false;
    calculate_dominance_info(CDI_DOMINATORS);
    return !loop->latch || !dominated_by_p(CDI_DOMINATORS, loop->latch, bb);
}

// Whether each turn of the loop comes there.
static bool is_in_each_turn(class loop *loop, basic_block bb)
{
    calculate_dominance_info(CDI_DOMINATORS);
    return bb && loop->latch && dominated_by_p(CDI_DOMINATORS, loop->latch, bb);
}

static class loop *loop_around(basic_block bb, edge e)
{
    return bb ? bb->loop_father
              : find_common_loop(e->src->loop_father, e->dest->loop_father);
}

// What is added to for COUNTER at the block BB, or if that is NULL on the edge: the
// counter, or in a loop a register that is added to it behind the loop.  Where each turn
// of the loop counts GCC finds the register by itself.
static tree place_counter(tree counter, struct condense_loops *loops, basic_block bb,
                          edge e)
{
    class loop *loop =
        condense_loop(loops, loop_around(bb, e), bb ? bb->count : e->count());

    if (loop && !is_in_each_turn(loop, bb)) {
        storage_let_stay(counter);
        return condense_local(loops, loop, counter);
    }
    if (stays(bb))
        storage_let_stay(counter);
    return counter;
}

// To the optimisers an addition in three statements is work, and each counter that is
// read is looked for in memory past all others.  That is of use only in loops over which
// it may be in a register.  What the sanitizers and transactions put in is to see no
// variable that does not exist.
static bool defers(const struct condense_loops *loops, basic_block bb, edge e)
{
    if (!optimize || flag_sanitize || flag_tm)
        return false;
    if (!loops->quiet)
        return !loops->any;
    return !condense_quiet_loop(loops, loop_around(bb, e));
}

static void insert_before_end(basic_block bb, gimple_seq statements)
{
    gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);

    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

// A counter and where it is added to; at the arm of a condition, if it is not NULL.
struct condense_added {
    const struct condense_place *place;
    tree counter;
    edge arm;
};

static void insert_counter(const struct condense_added *added,
                           struct condense_loops *loops, bool deferred)
{
    const struct condense_place *place = added->place;
    gimple_seq statements = NULL;
    basic_block bb = added->arm ? added->arm->src : block_of(place);

    if (deferred)
        return insert(place, counter_defer_one(added->counter, location_of(place)));
    tree to = place_counter(added->counter, loops, bb, place->on);
    if (!added->arm)
        return insert(place, counter_add_one(to, location_of(place)));
    tree taken = condense_arm_taken(&statements, added->arm, TREE_TYPE(to));
    gimple_seq_add_seq(&statements, counter_add(to, taken, location_of(place)));
    insert_before_end(bb, statements);
}

// What is inserted makes blocks longer, and so changes which arms are short.
static void insert_counters(const struct condense_graph *graph,
                            const vec<condense_telling> *told,
                            struct condense_loops *loops)
{
    auto_vec<condense_added> all;
    hash_set<tree> here; // those that are not deferred

    for (size_t i = 0; i < graph->count; i++) {
        const struct condense_place *place = &graph->places[i];
        if (!graph->edges[i].counter)
            continue;
        struct condense_added added = {place, condense_counter(told[i]),
                                       condense_arm(place)};
        if (added.arm || !defers(loops, block_of(place), place->on))
            here.add(added.counter);
        all.safe_push(added);
    }
    for (const condense_added &added : all)
        insert_counter(&added, loops, !here.contains(added.counter));
}

// What each counter counts for, by edge.
static void tell(const struct condense_graph *graph, const struct recipe *recipe,
                 const struct condense_mark *mark, vec<condense_telling> *told)
{
    const struct recipe_edge *edge = &graph->edges[mark->edge];
    auto_vec<tree> marked;

    joined_append(counter_marked(mark->statement), &marked);
    for (size_t i = edge->first; i < edge->first + edge->terms; i++) {
        const struct recipe_term *term = &recipe->terms[i];
        for (tree variable : marked)
            told[term->edge].safe_push({variable, term->negative});
    }
}

static void condense(struct condense_graph *graph, const vec<condense_mark> &marks,
                     struct condense_loops *loops)
{
    struct recipe recipe = {NULL, 0, 0};

    recipe_find(graph->edges, graph->count, graph->nodes, &recipe);
    vec<condense_telling> *told = XCNEWVEC(vec<condense_telling>, graph->count);
    for (const condense_mark &mark : marks)
        tell(graph, &recipe, &mark, told);
    insert_counters(graph, told, loops);
    for (const condense_mark &mark : marks)
        counter_remove_mark(mark.statement);
    gsi_commit_edge_inserts();
    if (loops->count)
        update_ssa(TODO_update_ssa);
    for (size_t i = 0; i < graph->count; i++)
        told[i].release();
    free(told);
    memory_free(recipe.terms);
}

static void say(unsigned marks, unsigned counters)
{
    if (options.verbose)
        fprintf(stderr, "ccprof: %s: marks %u, counters %u\n",
                IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(current_function_decl)), marks,
                counters);
}

// As they were before any were joined.
static unsigned count_all(const vec<condense_mark> &marks)
{
    auto_vec<tree> marked;

    for (const condense_mark &mark : marks)
        joined_append(counter_marked(mark.statement), &marked);
    return marked.length();
}

static unsigned count_counters(const struct condense_graph *graph)
{
    unsigned count = 0;

    for (size_t i = 0; i < graph->count; i++)
        count += graph->edges[i].counter;
    return count;
}

// The marks, but no more than LIMIT.
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

static void replace(gimple *mark, const struct condense_loops *loops)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(mark);
    location_t location = gimple_location(mark);
    auto_vec<tree> marked;
    auto_vec<condense_telling> told;

    joined_append(counter_marked(mark), &marked);
    for (tree variable : marked)
        told.safe_push({variable, false});
    tree counter = condense_counter(told);
    bool deferred = defers(loops, gimple_bb(mark), NULL);
    if (!deferred && stays(gimple_bb(mark)))
        storage_let_stay(counter);
    gsi_insert_seq_before(&gsi,
                          deferred ? counter_defer_one(counter, location)
                                   : counter_add_one(counter, location),
                          GSI_SAME_STMT);
    counter_remove_mark(mark);
    say(marked.length(), 1);
}

static void execute(function *fun)
{
    gimple *mark = NULL;
    unsigned count = count_marks(fun, 2, &mark);

    if (count == 0)
        return;

    struct condense_loops loops = condense_loops_find();
    if (count == 1) {
        replace(mark, &loops);
        return condense_loops_free(&loops);
    }
    struct condense_graph graph = {NULL, NULL, 0, 0, 0, 0};
    auto_vec<condense_mark> marks;
    condense_graph_make(&graph, &marks, &loops);
    unsigned all = options.verbose ? count_all(marks) : 0;
    condense(&graph, marks, &loops);
    say(all, count_counters(&graph));
    condense_graph_free(&graph);
    condense_loops_free(&loops);
}

// To GCC a mark stores nothing: that calls change counters it does not know by itself.
static void tell_of_calls(void)
{
    if (options_marks_counts())
        modref_may_change(long_long_unsigned_type_node);
}

// A variable that marks what is to be counted needs no storage, as if it were another
// object's.
static void take_marks(void *, void *)
{
    varpool_node *node;

    FOR_EACH_VARIABLE (node) {
        if (!counter_is(node->decl))
            continue;
        if (node->definition && !node->in_other_partition)
            storage_expect(node->decl);
        DECL_EXTERNAL(node->decl) = 1;
    }
    tell_of_calls();
}

void condense_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, take_marks, NULL);
}

opt_pass *passes_make_condense(void)
{
    return pass_make("ccprof_condense", PASS_SSA_MEMORY, execute);
}
