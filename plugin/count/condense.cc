// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/condense.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/count/blocks.h"
#include "plugin/count/counter.h"
#include "plugin/count/storage.h"

typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, vec<tree>> marks_map;

// The marks that a joined mark replaces, by DECL_UID of the joined mark. GCC's list of
// variables keeps them alive.
static marks_map *joined_marks;

bool condense_joins_marks(void)
{
    return !flag_lto && !in_lto_p;
}

// Appends MARK or, if MARK is a joined mark, the marks that it replaces.
static void append_marks(tree mark, vec<tree> *marks)
{
    vec<tree> *of = joined_marks ? joined_marks->get(DECL_UID(mark)) : NULL;

    if (of)
        marks->safe_splice(*of);
    else
        marks->safe_push(mark);
}

// Replaces the marks in STATEMENTS by one joined mark, and empties the list.
static void join_marks(vec<gimple *> *statements)
{
    vec<tree> of = vNULL;

    if (statements->length() > 1) {
        tree joined = counter_make_joined();
        for (gimple *mark : *statements)
            append_marks(counter_marked(mark), &of);
        if (!joined_marks)
            joined_marks = new marks_map;
        joined_marks->put(DECL_UID(joined), of);
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
    tree *counters; // GCC's list of variables keeps them alive
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
static unsigned add_mark(const struct condense_graph *graph, const struct recipe *recipe,
                         const struct condense_mark *mark, vec<term> *terms)
{
    const struct recipe_edge *edge = &graph->edges[mark->edge];
    auto_vec<tree> marks;

    append_marks(counter_marked(mark->statement), &marks);
    for (size_t i = edge->first; i < edge->first + edge->terms; i++) {
        const struct recipe_term *of = &recipe->terms[i];
        for (tree variable : marks)
            terms[of->edge].safe_push({variable, of->negative});
    }
    return marks.length();
}

static void condense(struct condense_graph *graph, const vec<condense_mark> &marks,
                     struct condense_loops *loops)
{
    struct recipe recipe = {NULL, 0, 0};
    unsigned mark_count = 0, counter_count = 0;

    recipe_find(graph->edges, graph->count, graph->nodes, &recipe);
    vec<term> *terms = XCNEWVEC(vec<term>, graph->count);
    tree *counters = XCNEWVEC(tree, graph->count);
    for (const condense_mark &mark : marks)
        mark_count += add_mark(graph, &recipe, &mark, terms);
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->edges[i].counter)
            counters[i] = find_counter(terms[i]);
        counter_count += graph->edges[i].counter;
        terms[i].release();
    }
    condense_insert(graph, counters, loops);
    for (const condense_mark &mark : marks)
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
        auto_vec<condense_mark> marks;
        condense_graph_make(&graph, &marks, &loops);
        condense(&graph, marks, &loops);
        condense_graph_free(&graph);
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
