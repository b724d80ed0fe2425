// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "counter.h"
#include "edges.h"
#include "estimate.h"
#include "flowtable.h"
#include "graph.h"
#include "memory.h"
#include "names.h"
#include "options.h"
#include "purity.h"
#include "returns.h"
#include "spanning.h"
#include "tails.h"

#define ENTRY_NUMBER 0
#define EXIT_NUMBER  1
#define SPLIT_COST   2 // of a counter that needs a block of its own, and a jump to it
#define HEAVY        1e18

// What becomes of a basic block: one block of the graph for each piece that ends with
// something that may not come back, and one before them for its labels if LABELS.
struct pieces {
    unsigned first, last;
    bool labels;
    bool ends_early; // the last piece may not come back
};

// Where code that an edge of the graph passes can stand: one of these, or nowhere.
struct spot {
    edge on;
    gimple *behind;
    basic_block labels;
};

// The blocks and the gotos that stand on edges, in the order in which GCC would have
// them: by the block's index, or behind all blocks the goto's number.
struct order {
    unsigned blocks, count;
    edge *gotos;
    unsigned *before, *behind;
};

// The graph that is being made; all of the current function.
static struct graph graph;
static struct pieces *pieces; // by index
static struct spot *spots;    // by number of the graph's edge
static struct spanning_edge *choices;
static size_t spots_room, choices_room;
static struct estimate estimate;
static struct order order;
static hash_map<edge, unsigned> *goto_numbers;
static hash_set<location_hash> *seen_locations;

static unsigned intern_file(const char *file)
{
    const char *name = names_of_file(file);
    return name ? intern_string(&graph.strings, name) : 0;
}

static struct graph_place place_of(location_t location)
{
    struct graph_place place = {0, 0, 0};

    if (RESERVED_LOCATION_P(location))
        return place;
    expanded_location at = expand_location(location);
    place.file = at.file ? intern_file(at.file) : 0;
    if (place.file) {
        place.line = MAX(1, at.line);
        place.column = MAX(0, at.column);
    }
    return place;
}

static unsigned symbol_of(tree function)
{
    tree name = DECL_ASSEMBLER_NAME_SET_P(function) ? DECL_ASSEMBLER_NAME(function)
                                                    : DECL_NAME(function);
    const char *text = name ? IDENTIFIER_POINTER(name) : "";
    return intern_string(&graph.strings, *text == '*' ? text + 1 : text);
}

static bool is_abnormal(edge e)
{
    return e->flags & (EDGE_ABNORMAL | EDGE_ABNORMAL_CALL);
}

static bool leads_abnormally(vec<edge, va_gc> *edges, basic_block exempt)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE(e, ei, edges)
    if (is_abnormal(e) && e->src != exempt && e->dest != exempt)
        return true;
    return false;
}

static bool is_entered_abnormally(basic_block bb)
{
    return leads_abnormally(bb->preds, ENTRY_BLOCK_PTR_FOR_FN(cfun));
}

static bool is_left_abnormally(basic_block bb)
{
    return leads_abnormally(bb->succs, EXIT_BLOCK_PTR_FOR_FN(cfun));
}

static bool leads_to_exit(basic_block bb)
{
    return find_edge(bb, EXIT_BLOCK_PTR_FOR_FN(cfun));
}

static bool has_entry_edge(basic_block bb)
{
    return find_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun), bb);
}

static bool calls_pure(const gimple *statement)
{
    tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    return callee && purity_was(callee);
}

static bool may_not_come_back(gimple *statement)
{
    if (!stmt_can_terminate_bb_p(statement))
        return false;
    return !calls_pure(statement) || stmt_can_throw_external(cfun, statement);
}

// It ends its block, but it is sure that what is behind it is executed; or that is taken
// to be so, since a counter there would cost more than its own time.
static bool comes_back(gimple *statement)
{
    tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;

    return tails_is(statement) || (callee && returns_always(callee) &&
                                   !stmt_can_throw_external(cfun, statement));
}

// Such a statement must stay the first one of its block.
static bool is_receiver(const gimple *statement)
{
    const gcall *call = dyn_cast<const gcall *>(statement);

    return call && (gimple_call_builtin_p(call, BUILT_IN_SETJMP_RECEIVER) ||
                    gimple_call_flags(call) & ECF_RETURNS_TWICE ||
                    gimple_call_internal_p(call, IFN_ABNORMAL_DISPATCHER));
}

// One that can be entered from nowhere and left to nowhere: its labels stand apart.
static bool labels_stand_apart(basic_block bb, bool is_left)
{
    gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb(bb);

    return is_left && is_entered_abnormally(bb) && !has_entry_edge(bb) &&
           !gsi_end_p(gsi) && !is_receiver(gsi_stmt(gsi));
}

static void cut_block(basic_block bb, unsigned *number)
{
    struct pieces *cut = &pieces[bb->index];
    gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);
    unsigned inner = 0;

    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi)) {
        if (!may_not_come_back(gsi_stmt(gsi)))
            continue;
        if (gsi_stmt(gsi) == gsi_stmt(last))
            cut->ends_early = !leads_to_exit(bb);
        else
            inner++;
    }
    if (EDGE_COUNT(bb->succs) == 0)
        cut->ends_early = true;
    bool is_left =
        inner > 0 || cut->ends_early || leads_to_exit(bb) || is_left_abnormally(bb);
    cut->labels = labels_stand_apart(bb, is_left);
    cut->first = *number;
    cut->last = cut->first + cut->labels + inner;
    *number = cut->last + 1;
}

// The last statement with a place in the last piece, or NULL.
static gimple *last_with_place(basic_block bb)
{
    gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);

    while (!gsi_end_p(gsi) && RESERVED_LOCATION_P(gimple_location(gsi_stmt(gsi)))) {
        gsi_prev_nondebug(&gsi);
        if (!gsi_end_p(gsi) && may_not_come_back(gsi_stmt(gsi)))
            return NULL;
    }
    return gsi_end_p(gsi) ? NULL : gsi_stmt(gsi);
}

// A goto that is gone from the code but not from the source stands on its edge, as a
// block of its own unless the edge's block ends with it.
static bool has_goto(edge e)
{
    basic_block bb = e->src;
    unsigned ways = EDGE_COUNT(bb->succs) + pieces[bb->index].ends_early;
    gimple *last = last_with_place(bb);

    if (is_abnormal(e) || ways < 2 || !last || RESERVED_LOCATION_P(e->goto_locus))
        return false;
    location_t at = gimple_location(last);
    return LOCATION_FILE(e->goto_locus) != LOCATION_FILE(at) ||
           LOCATION_LINE(e->goto_locus) != LOCATION_LINE(at);
}

// Whether the edge, or the goto on it, is what stands next.
static bool leads_on(edge e)
{
    unsigned next = order.behind[e->src->index];

    if (next >= order.blocks)
        return order.gotos[next - order.blocks] == e;
    return next == (unsigned)e->dest->index && !goto_numbers->get(e);
}

static unsigned flags_of(edge e)
{
    bool falls = e->flags & EDGE_FALLTHRU ||
                 (e->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE) && leads_on(e));

    return (falls ? CCPROF_EDGE_FALLTHROUGH : 0) |
           (e->flags & EDGE_EH ? CCPROF_EDGE_EXCEPTION : 0) |
           (is_abnormal(e) ? CCPROF_EDGE_ABNORMAL : 0) |
           (e->flags & EDGE_TRUE_VALUE ? CCPROF_EDGE_TRUE : 0) |
           (e->flags & EDGE_FALSE_VALUE ? CCPROF_EDGE_FALSE : 0);
}

static void add_edge(unsigned from, unsigned to, unsigned flags, double weight,
                     enum spanning_wish wish, struct spot spot)
{
    size_t number = graph_edge(&graph, from, to, flags);

    spots = (struct spot *)memory_reserve(spots, &spots_room, number + 1, sizeof *spots);
    choices = (struct spanning_edge *)memory_reserve(choices, &choices_room, number + 1,
                                                     sizeof *choices);
    spots[number] = spot;
    choices[number] = {from, to, wish, weight, SPANNING_TREE};
}

static void add_fake_edge(unsigned from, unsigned to)
{
    // Ways out before ways in: where both do not fit, what comes in a second time
    // counts as less that went out.
    add_edge(from, to, CCPROF_EDGE_FAKE, to == EXIT_NUMBER, SPANNING_UNCOUNTABLE,
             {NULL, NULL, NULL});
}

static double weight_of(edge e)
{
    double weight = estimate.frequencies[e->src->index] * estimate_share(&estimate, e);

    if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun) || tails_passes(e))
        return HEAVY;
    return EDGE_CRITICAL_P(e) ? weight * SPLIT_COST : weight;
}

static unsigned number_of_first(basic_block bb)
{
    return bb == EXIT_BLOCK_PTR_FOR_FN(cfun) ? EXIT_NUMBER : pieces[bb->index].first;
}

static unsigned number_of_last(basic_block bb)
{
    return bb == ENTRY_BLOCK_PTR_FOR_FN(cfun) ? ENTRY_NUMBER : pieces[bb->index].last;
}

static bool is_replaced(edge e)
{
    return is_abnormal(e) && e->src != ENTRY_BLOCK_PTR_FOR_FN(cfun) &&
           e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun);
}

// GOTO_BLOCK: the block that stands on it, or 0.
static void add_real_edge(edge e, unsigned goto_block)
{
    unsigned from = number_of_last(e->src), to = number_of_first(e->dest);
    bool enters = e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun);
    double weight = weight_of(e);
    enum spanning_wish wish = enters           ? SPANNING_COUNTED
                              : is_abnormal(e) ? SPANNING_UNCOUNTABLE
                                               : SPANNING_ANY;

    add_edge(from, goto_block ? goto_block : to, flags_of(e), weight, wish,
             {e, NULL, NULL});
}

static int64_t bits_of(const_tree value)
{
    return (int64_t)TREE_INT_CST_LOW(value);
}

static void add_case(tree label)
{
    if (!CASE_LOW(label))
        graph_case(&graph, CCPROF_CASE_DEFAULT, 0, 0);
    else if (!CASE_HIGH(label))
        graph_case(&graph, CCPROF_CASE_VALUE, bits_of(CASE_LOW(label)), 0);
    else
        graph_case(&graph, CCPROF_CASE_RANGE, bits_of(CASE_LOW(label)),
                   bits_of(CASE_HIGH(label)));
}

// The labels of a switch by the block that they lead to.
struct cases {
    const gswitch *of;      // NULL: none
    unsigned *first, *next; // by block, by label; the label's number plus 1
};

static struct cases cases_of(basic_block bb)
{
    struct cases cases = {NULL, NULL, NULL};
    gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);

    cases.of = gsi_end_p(gsi) ? NULL : dyn_cast<const gswitch *>(gsi_stmt(gsi));
    if (!cases.of)
        return cases;
    unsigned count = gimple_switch_num_labels(cases.of);
    cases.first =
        (unsigned *)memory_zeroed(last_basic_block_for_fn(cfun), sizeof *cases.first);
    cases.next = (unsigned *)memory_zeroed(count, sizeof *cases.next);
    for (unsigned i = count; i-- > 0;) {
        tree label = CASE_LABEL(gimple_switch_label(cases.of, i));
        unsigned *first = &cases.first[label_to_block(cfun, label)->index];
        cases.next[i] = *first;
        *first = i + 1;
    }
    return cases;
}

static void add_cases(const struct cases *cases, basic_block to)
{
    if (!cases->of)
        return;
    for (unsigned i = cases->first[to->index]; i > 0; i = cases->next[i - 1])
        add_case(gimple_switch_label(cases->of, i - 1));
}

static void free_cases(const struct cases *cases)
{
    memory_free(cases->first);
    memory_free(cases->next);
}

static void add_branch(gimple *last)
{
    if (gimple_code(last) == GIMPLE_COND) {
        graph_branch(&graph, CCPROF_BRANCH_CONDITION, place_of(gimple_location(last)));
    } else if (const gswitch *by = dyn_cast<const gswitch *>(last)) {
        bool is_unsigned = TYPE_UNSIGNED(TREE_TYPE(gimple_switch_index(by)));
        graph_branch(&graph,
                     is_unsigned ? CCPROF_BRANCH_SWITCH_UNSIGNED : CCPROF_BRANCH_SWITCH,
                     place_of(gimple_location(last)));
    }
}

// A constructor may be called by the name of another one that has its body.
static tree called_body(tree function)
{
    cgraph_node *node = function ? cgraph_node::get(function) : NULL;

    return node && node->alias ? node->ultimate_alias_target()->decl : function;
}

static void add_statement(gimple *statement)
{
    location_t location = gimple_location(statement);

    if (!RESERVED_LOCATION_P(location)) {
        seen_locations->add(location);
        graph_place(&graph, place_of(location));
    }
    const gcall *call = dyn_cast<const gcall *>(statement);
    if (!call || gimple_call_internal_p(call))
        return;
    tree callee = called_body(gimple_call_fndecl(call));
    graph_call(&graph, callee ? symbol_of(callee) : 0, place_of(location));
}

// The goto that a block ends with, if it is in the code no more.
static void add_last_goto(basic_block bb)
{
    if (!single_succ_p(bb) || pieces[bb->index].ends_early)
        return;
    location_t location = single_succ_edge(bb)->goto_locus;
    if (!RESERVED_LOCATION_P(location) && !seen_locations->contains(location))
        graph_place(&graph, place_of(location));
}

// How often what is behind the statement is executed, or how much a counter there costs.
static double weight_behind(gimple *statement)
{
    bool is_tail = tails_is(statement) || tails_is_recursion(statement);
    return is_tail ? HEAVY : estimate.frequencies[gimple_bb(statement)->index];
}

static void add_pieces(basic_block bb)
{
    unsigned number = pieces[bb->index].first;
    gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);

    graph_block(&graph);
    if (bb == ENTRY_BLOCK_PTR_FOR_FN(cfun)->next_bb) {
        location_t start = DECL_SOURCE_LOCATION(current_function_decl);
        if (!RESERVED_LOCATION_P(start))
            seen_locations->add(start);
        graph_place(&graph, graph.start);
    }
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi)) {
        gimple *statement = gsi_stmt(gsi);
        if (pieces[bb->index].labels && number == pieces[bb->index].first &&
            gimple_code(statement) != GIMPLE_LABEL) {
            add_edge(number, number + 1, CCPROF_EDGE_FALLTHROUGH,
                     estimate.frequencies[bb->index], SPANNING_ANY, {NULL, NULL, bb});
            graph_block(&graph);
            number++;
        }
        add_statement(statement);
        if (statement == gsi_stmt(last) || !may_not_come_back(statement))
            continue;
        add_edge(number, number + 1, CCPROF_EDGE_FALLTHROUGH, weight_behind(statement),
                 SPANNING_ANY, {NULL, statement, NULL});
        if (!comes_back(statement))
            add_fake_edge(number, EXIT_NUMBER);
        graph_block(&graph);
        number++;
    }
    gcc_assert(number == pieces[bb->index].last);
    if (!gsi_end_p(last))
        add_branch(gsi_stmt(last));
    add_last_goto(bb);
}

// Whether the last statement may not come back, or nothing follows it.
static bool ends_in_nothing(basic_block bb)
{
    gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);

    return pieces[bb->index].ends_early &&
           (EDGE_COUNT(bb->succs) == 0 || gsi_end_p(last) || !comes_back(gsi_stmt(last)));
}

static void add_ways_out(basic_block bb)
{
    const struct pieces *cut = &pieces[bb->index];
    bool fake = ends_in_nothing(bb) || (is_left_abnormally(bb) && !leads_to_exit(bb));
    struct cases cases = cases_of(bb);
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE(e, ei, bb->succs)
    {
        if (is_replaced(e))
            continue;
        unsigned *number = goto_numbers->get(e);
        add_real_edge(e, number ? *number : 0);
        add_cases(&cases, e->dest);
    }
    if (fake)
        add_fake_edge(cut->last, EXIT_NUMBER);
    free_cases(&cases);
}

static void add_goto(edge e)
{
    graph_block(&graph);
    graph_place(&graph, place_of(e->goto_locus));
    add_edge(*goto_numbers->get(e), number_of_first(e->dest), CCPROF_EDGE_FALLTHROUGH,
             weight_of(e), SPANNING_ANY, {e, NULL, NULL});
}

// Whether what stands before the edge's destination leads there without the edge.
static bool is_led_to(edge e)
{
    unsigned before = order.before[e->dest->index];

    if (before >= order.blocks)
        return order.gotos[before - order.blocks]->dest == e->dest;
    edge other = find_edge(BASIC_BLOCK_FOR_FN(cfun, before), e->dest);
    return other && !(other->flags & EDGE_COMPLEX) && !goto_numbers->get(other);
}

// A goto stands where GCC would put the block that it splits the edge with (GCC:
// tree-cfg.cc, split_edge_bb_loc), as it does for gcov.
static void order_goto(edge e)
{
    unsigned number = order.blocks + order.count;
    unsigned after = is_led_to(e) ? e->src->index : order.before[e->dest->index];

    order.gotos[order.count++] = e;
    goto_numbers->put(e, 0);
    order.before[number] = after;
    order.behind[number] = order.behind[after];
    order.before[order.behind[number]] = number;
    order.behind[after] = number;
}

static unsigned count_gotos(void)
{
    unsigned count = 0;
    basic_block bb;
    edge e;
    edge_iterator ei;

    FOR_EACH_BB_FN(bb, cfun)
    FOR_EACH_EDGE(e, ei, bb->succs)
    count += !is_replaced(e) && has_goto(e);
    return count;
}

static void order_blocks(void)
{
    unsigned gotos, number = 0;
    basic_block bb;
    edge e;
    edge_iterator ei;

    // Whether there is a goto depends on the pieces, whose numbers are still to come.
    FOR_EACH_BB_FN(bb, cfun)
    cut_block(bb, &number);
    gotos = count_gotos();
    order.blocks = (unsigned)last_basic_block_for_fn(cfun);
    order.count = 0;
    order.gotos = XNEWVEC(edge, gotos + 1);
    order.before = XNEWVEC(unsigned, order.blocks + gotos);
    order.behind = XNEWVEC(unsigned, order.blocks + gotos);
    for (bb = ENTRY_BLOCK_PTR_FOR_FN(cfun); bb->next_bb; bb = bb->next_bb) {
        order.behind[bb->index] = bb->next_bb->index;
        order.before[bb->next_bb->index] = bb->index;
    }
    FOR_EACH_BB_FN(bb, cfun)
    FOR_EACH_EDGE(e, ei, bb->succs)
    if (!is_replaced(e) && has_goto(e))
        order_goto(e);
}

static void free_order(void)
{
    free(order.gotos);
    free(order.before);
    free(order.behind);
}

static void cut_blocks(void)
{
    unsigned number = EXIT_NUMBER + 1;

    for (unsigned i = order.behind[ENTRY_BLOCK]; i != EXIT_BLOCK; i = order.behind[i])
        if (i < order.blocks)
            cut_block(BASIC_BLOCK_FOR_FN(cfun, i), &number);
        else
            goto_numbers->put(order.gotos[i - order.blocks], number++);
}

static void add_blocks(void)
{
    basic_block bb;
    edge e;
    edge_iterator ei;

    graph_block(&graph);
    FOR_EACH_EDGE(e, ei, ENTRY_BLOCK_PTR_FOR_FN(cfun)->succs)
    add_real_edge(e, 0);
    FOR_EACH_BB_FN(bb, cfun)
    if (is_entered_abnormally(bb) && !has_entry_edge(bb))
        add_fake_edge(ENTRY_NUMBER, pieces[bb->index].first);
    graph_block(&graph);
    for (unsigned i = order.behind[ENTRY_BLOCK]; i != EXIT_BLOCK; i = order.behind[i]) {
        if (i >= order.blocks) {
            add_goto(order.gotos[i - order.blocks]);
            continue;
        }
        add_pieces(BASIC_BLOCK_FOR_FN(cfun, i));
        add_ways_out(BASIC_BLOCK_FOR_FN(cfun, i));
    }
}

// Calls of the same compilation name the body, those of others may name an alias.
static bool add_alias(cgraph_node *node, void *)
{
    if (node->decl != current_function_decl && TREE_PUBLIC(node->decl))
        graph_alias(&graph, symbol_of(node->decl));
    return false;
}

static void add_function(void)
{
    tree function = current_function_decl;
    location_t start = DECL_SOURCE_LOCATION(function);
    struct graph_place end = place_of(cfun->function_end_locus);
    bool is_made = DECL_ARTIFICIAL(function) && !DECL_FUNCTION_VERSIONED(function) &&
                   !DECL_LAMBDA_FUNCTION_P(function);
    bool is_taken = cgraph_node::get(function)->address_taken;

    graph.input =
        intern_string(&graph.strings, main_input_filename ? main_input_filename : "");
    graph.symbol = symbol_of(function);
    graph.flags = (is_made ? CCPROF_FLOW_ARTIFICIAL : 0) |
                  (TREE_PUBLIC(function) ? 0 : CCPROF_FLOW_LOCAL) |
                  (is_taken ? CCPROF_FLOW_ADDRESS_TAKEN : 0) |
                  (options.branch ? CCPROF_FLOW_BRANCHES : 0);
    graph.start = place_of(start);
    if (end.file != graph.start.file || end.line < graph.start.line)
        end = graph.start;
    graph.end_line = end.line;
    graph.end_column = end.column;
    cgraph_node::get(function)->call_for_symbol_and_aliases(add_alias, NULL, true);
}

static void make_graph(void)
{
    graph_clear(&graph);
    pieces =
        (struct pieces *)memory_zeroed(last_basic_block_for_fn(cfun), sizeof *pieces);
    estimate = estimate_make();
    seen_locations = new hash_set<location_hash>;
    add_function();
    goto_numbers = new hash_map<edge, unsigned>;
    order_blocks();
    cut_blocks();
    add_blocks();
    free_order();
    delete goto_numbers;
    delete seen_locations;
    estimate_free(&estimate);
    memory_free(pieces);
}

static void mark_counters(void)
{
    for (size_t i = 0; i < graph.edge_count; i++) {
        if (choices[i].place == SPANNING_COUNTER)
            graph.edges[i].flags |= CCPROF_EDGE_COUNTER;
        graph.edges[i].left_out = choices[i].place == SPANNING_NEITHER;
    }
}

// The place of the block's statement with one that is nearest to its end, or to its
// start.
static location_t place_in(basic_block bb, bool from_end)
{
    gimple_stmt_iterator gsi =
        from_end ? gsi_last_nondebug_bb(bb) : gsi_start_nondebug_bb(bb);

    while (!gsi_end_p(gsi)) {
        if (!RESERVED_LOCATION_P(gimple_location(gsi_stmt(gsi))))
            return gimple_location(gsi_stmt(gsi));
        if (from_end)
            gsi_prev_nondebug(&gsi);
        else
            gsi_next_nondebug(&gsi);
    }
    return UNKNOWN_LOCATION;
}

static location_t place_on(edge e)
{
    if (e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun))
        return UNKNOWN_LOCATION;
    if (!RESERVED_LOCATION_P(e->goto_locus))
        return e->goto_locus;
    location_t location = place_in(e->src, true);
    return RESERVED_LOCATION_P(location) ? place_in(e->dest, false) : location;
}

static location_t place_of_spot(const struct spot *spot)
{
    return spot->on       ? place_on(spot->on)
           : spot->behind ? gimple_location(spot->behind)
                          : place_in(spot->labels, false);
}

static void insert(const struct spot *spot, gimple_seq statements)
{
    gimple_stmt_iterator gsi;

    if (spot->on) {
        gsi_insert_seq_on_edge(spot->on, statements);
    } else if (spot->behind) {
        gsi = gsi_for_stmt(spot->behind);
        gsi_insert_seq_after(&gsi, statements, GSI_SAME_STMT);
    } else {
        gsi = gsi_start_nondebug_after_labels_bb(spot->labels);
        gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
    }
}

static void insert_counters(uint64_t id, const unsigned *numbers, bool calls)
{
    for (size_t i = 0; i < graph.edge_count; i++) {
        if (!(graph.edges[i].flags & CCPROF_EDGE_COUNTER))
            continue;
        bool is_entry = choices[i].wish == SPANNING_COUNTED;
        tree counter = counter_make_for_edge(id, numbers[i], calls && is_entry);
        insert(&spots[i], counter_addition(counter, place_of_spot(&spots[i])));
    }
    gsi_commit_edge_inserts();
}

void edges_count(bool calls)
{
    size_t size;

    tails_find();
    make_graph();
    spanning_choose(choices, graph.edge_count, graph.block_count);
    mark_counters();
    unsigned *numbers = (unsigned *)memory_zeroed(graph.edge_count + 1, sizeof *numbers);
    unsigned char *bytes = graph_encode(&graph, numbers, &size);
    uint64_t id = graph_id(bytes, size);
    flowtable_keep(bytes, size);
    insert_counters(id, numbers, calls);
    memory_free(bytes);
    memory_free(numbers);
    tails_forget();
}
