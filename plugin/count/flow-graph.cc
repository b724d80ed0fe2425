// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the flow graph of a source function from GCC's basic blocks: blocks, edges,
// branches, calls and their positions. OpenMP constructs and coroutines need
// corrections.

#include "plugin/gcc/compat.h"
#include "plugin/count/count.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/sources.h"
#include "plugin/gcc/callsite.h"
#include "plugin/count/counter.h"
#include "plugin/count/blocks.h"

// Functions that GCC outlines from the code of another function: the bodies of OpenMP
// constructs, and coroutines. Some of their positions do not count.

// The location of the co_await or co_yield that continues in a block, indexed by the
// block's index. NULL if the function is not a coroutine.
static location_t *resumed;

// In a coroutine: the position of the code that GCC added, which is the end of the source
// function.
static location_t added;

static bool is_at(location_t location, location_t other)
{
    expanded_location a = expand_location(location), b = expand_location(other);

    return a.file && b.file && a.line == b.line && a.column == b.column &&
           !strcmp(a.file, b.file);
}

// Returns true if GCC outlined the current function from the code of another function.
static bool is_outlined(void)
{
    return resumed || names_is_construct(current_function_decl);
}

// Returns true if GCC added the code at LOCATION, which only enters or leaves the
// function. Such code is at the start of the outlined code or on an earlier line. In a
// coroutine it may also be at the end of the source function.
static bool is_added_code(location_t location)
{
    location_t start = DECL_SOURCE_LOCATION(current_function_decl);

    if (!is_outlined() || RESERVED_LOCATION_P(location))
        return false;
    return is_at(location, start) ||
           (LOCATION_LINE(location) < LOCATION_LINE(start) &&
            !strcmp(LOCATION_FILE(location), LOCATION_FILE(start))) ||
           (resumed && is_at(location, added));
}

// Returns true if the block stores where the coroutine must resume.
static bool is_suspension(basic_block bb)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        const gimple *statement = gsi_stmt(gsi);
        if (!gimple_assign_single_p(statement) ||
            TREE_CODE(gimple_assign_lhs(statement)) != COMPONENT_REF)
            continue;
        tree member = DECL_NAME(TREE_OPERAND(gimple_assign_lhs(statement), 1));
        if (member && !strcmp(IDENTIFIER_POINTER(member), "_Coro_resume_index"))
            return true;
    }
    return false;
}

static bool is_on_line(location_t location, location_t other)
{
    return LOCATION_LINE(location) == LOCATION_LINE(other) &&
           !strcmp(LOCATION_FILE(location), LOCATION_FILE(other));
}

// Returns true if all code of the block is on the line of LOCATION or was added by GCC.
static bool has_only(basic_block bb, location_t location)
{
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi)) {
        location_t other = gimple_location(gsi_stmt(gsi));
        if (!RESERVED_LOCATION_P(other) && !is_on_line(other, location) &&
            !is_added_code(other))
            return false;
    }
    return true;
}

// If all predecessors of BB continue the same expression and contain no other code,
// returns the location of this expression.
static location_t location_before(basic_block bb)
{
    location_t common = UNKNOWN_LOCATION;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds) {
        location_t before = resumed[e->src->index];
        if (!before || (common && before != common) || !has_only(e->src, before))
            return UNKNOWN_LOCATION;
        common = before;
    }
    return common;
}

static location_t first_location(basic_block bb)
{
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi))
        if (!RESERVED_LOCATION_P(gimple_location(gsi_stmt(gsi))))
            return gimple_location(gsi_stmt(gsi));
    return UNKNOWN_LOCATION;
}

// Notes the location of a `co_await' or `co_yield' for the two blocks in which the
// expression continues. Such an expression tests whether its operand is ready. If not,
// the coroutine stores where to resume, and returns. Both paths join where the result is
// fetched (GCC: cp/coroutines.cc, expand_one_await_expression).
static void add_resumed(basic_block suspended)
{
    edge e;
    edge_iterator ei;

    if (!single_pred_p(suspended) || !is_suspension(suspended))
        return;
    FOR_EACH_EDGE (e, ei, single_pred(suspended)->succs) {
        location_t location = first_location(e->dest);
        if (e->dest != suspended && location && !is_added_code(location))
            resumed[suspended->index] = resumed[e->dest->index] = location;
    }
}

// Analyses the current function. RESUMED and ADDED are valid until free_outlined.
static void find_outlined(void)
{
    basic_block bb;
    bool changed = true;

    if (!names_is_coroutine(current_function_decl))
        return;
    added = first_location(ENTRY_BLOCK_PTR_FOR_FN(cfun)->next_bb);
    resumed = (location_t *)memory_zeroed(last_basic_block_for_fn(cfun), sizeof *resumed);
    FOR_EACH_BB_FN (bb, cfun)
        add_resumed(bb);
    while (changed) {
        changed = false;
        FOR_EACH_BB_FN (bb, cfun)
            if (!resumed[bb->index] && (resumed[bb->index] = location_before(bb)))
                changed = true;
    }
}

static void free_outlined(void)
{
    memory_free(resumed);
    resumed = NULL;
}

// If the statement passes the body of a construct to libgomp, returns the location of the
// construct, because the call itself has no location. Otherwise returns UNKNOWN_LOCATION.
// May be called at any time.
static location_t location_of_construct(const gimple *statement)
{
    const gcall *call = dyn_cast<const gcall *>(statement);

    for (unsigned i = 0; call && i < gimple_call_num_args(call); i++) {
        tree body = gimple_call_arg(call, i);
        body = TREE_CODE(body) == ADDR_EXPR ? TREE_OPERAND(body, 0) : body;
        if (TREE_CODE(body) == FUNCTION_DECL && names_is_construct(body))
            return DECL_SOURCE_LOCATION(body);
    }
    return UNKNOWN_LOCATION;
}

// Returns true if the code at LOCATION in BB continues an execution that began before BB,
// when the coroutine was suspended.
static bool is_resumed_code(location_t location, basic_block bb)
{
    location_t resumed_at = resumed ? resumed[bb->index] : UNKNOWN_LOCATION;
    return resumed_at && is_on_line(location, resumed_at);
}

// Makes the flow graph of the current function from its basic blocks, in the order of
// blocks.h. For each edge it also notes where a counter could be inserted, and how much
// the counter would cost.

#define ENTRY_NUMBER 0
#define EXIT_NUMBER  1
#define SPLIT_COST   2 // cost factor of a counter that needs a new block and a jump to it
#define HEAVY        1e18

// The graph of the current function, and data that is only needed while the graph is
// made.
static struct flow_graph current;
static struct estimate estimate;
static hash_set<location_hash> *seen_locations;

static struct graph_position graph_position_of(location_t location)
{
    struct graph_position position = {0, 0, 0};

    if (RESERVED_LOCATION_P(location))
        return position;
    expanded_location expanded = expand_location(location);
    const char *name = expanded.file ? names_of_file(expanded.file) : NULL;
    position.file = name ? distinct_string(&current.graph.strings, name) : 0;
    if (position.file) {
        position.line = MAX(1, expanded.line);
        position.column = MAX(0, expanded.column);
    }
    return position;
}

static void add_position(location_t location)
{
    struct graph_position position = graph_position_of(location);
    struct graph_range range = {0, 0, 0, 0};

    if (position.column)
        range = sources_range(location);
    graph_position(&current.graph, position, range);
}

static const char *name_of(tree function)
{
    tree name = DECL_ASSEMBLER_NAME_SET_P(function) ? DECL_ASSEMBLER_NAME(function)
                                                    : DECL_NAME(function);
    const char *text = name ? IDENTIFIER_POINTER(name) : "";
    return *text == '*' ? text + 1 : text;
}

static unsigned symbol_of_function(tree function)
{
    return distinct_string(&current.graph.strings, name_of(function));
}

static unsigned flags_of(edge e)
{
    bool falls =
        e->flags & EDGE_FALLTHRU ||
        (e->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE) && split_blocks_leads_on(e));

    return (falls ? CCPROF_EDGE_FALLTHROUGH : 0) |
           (e->flags & EDGE_EH ? CCPROF_EDGE_EXCEPTION : 0) |
           (split_blocks_is_abnormal(e) ? CCPROF_EDGE_ABNORMAL : 0) |
           (e->flags & EDGE_TRUE_VALUE ? CCPROF_EDGE_TRUE : 0) |
           (e->flags & EDGE_FALSE_VALUE ? CCPROF_EDGE_FALSE : 0);
}

static void add_flow_edge(unsigned from, unsigned to, unsigned flags, double weight,
                          enum spanning_wish wish, struct flow_place place)
{
    size_t number = graph_edge(&current.graph, from, to, flags);

    current.places = (struct flow_place *)memory_reserve(
        current.places, &current.place_room, number + 1, sizeof *current.places);
    current.choices = (struct spanning_edge *)memory_reserve(
        current.choices, &current.choice_room, number + 1, sizeof *current.choices);
    current.places[number] = place;
    current.choices[number] = {from, to, wish, weight, SPANNING_TREE};
}

// Adds an edge for control that enters or leaves in the middle of the function. Such an
// edge cannot have a counter. If the spanning tree cannot contain all fake edges, the
// count of one of them is taken as 0. Edges to the exit have more weight, so that the
// tree includes them first. The number of times that control enters again is then
// subtracted from the number of times that control has left.
static void add_fake_edge(unsigned from, unsigned to)
{
    add_flow_edge(from, to, CCPROF_EDGE_FAKE, to == EXIT_NUMBER, SPANNING_UNCOUNTABLE,
                  {NULL, NULL, NULL});
}

static double weight_of(edge e)
{
    double weight = estimate.frequencies[e->src->index] * estimate_share(&estimate, e);

    if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun) || tailcall_passes(e))
        return HEAVY;
    return EDGE_CRITICAL_P(e) ? weight * SPLIT_COST : weight;
}

static unsigned number_of_first(basic_block bb)
{
    return bb == EXIT_BLOCK_PTR_FOR_FN(cfun) ? EXIT_NUMBER : split_blocks_of(bb)->first;
}

// GOTO_BLOCK is the number of the block for the goto on the edge, or 0 if the edge has no
// goto.
static void add_real_edge(edge e, unsigned goto_block)
{
    bool enters = e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun);
    unsigned from = enters ? ENTRY_NUMBER : split_blocks_of(e->src)->last;
    unsigned to = number_of_first(e->dest);
    double weight = weight_of(e);
    enum spanning_wish wish = enters                        ? SPANNING_COUNTED
                              : split_blocks_is_abnormal(e) ? SPANNING_UNCOUNTABLE
                                                            : SPANNING_ANY;

    add_flow_edge(from, goto_block ? goto_block : to, flags_of(e), weight, wish,
                  {e, NULL, NULL});
}

namespace
{
// The labels of a switch, as one linked list for each block to which they lead.
struct cases {
    const gswitch
        *statement;         // the switch, or NULL if the block does not end with a switch
    unsigned *first, *next; // per block, and per label: number of a label plus 1, or 0
};
} // namespace

static struct cases cases_of(basic_block bb)
{
    struct cases cases = {NULL, NULL, NULL};
    gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);

    cases.statement = gsi_end_p(gsi) ? NULL : dyn_cast<const gswitch *>(gsi_stmt(gsi));
    if (!cases.statement)
        return cases;
    unsigned count = gimple_switch_num_labels(cases.statement);
    cases.first =
        (unsigned *)memory_zeroed(last_basic_block_for_fn(cfun), sizeof *cases.first);
    cases.next = (unsigned *)memory_zeroed(count, sizeof *cases.next);
    for (unsigned i = count; i-- > 0;) {
        tree label = CASE_LABEL(gimple_switch_label(cases.statement, i));
        unsigned *first = &cases.first[label_to_block(cfun, label)->index];
        cases.next[i] = *first;
        *first = i + 1;
    }
    return cases;
}

static int64_t bits_of(const_tree value)
{
    return (int64_t)TREE_INT_CST_LOW(value);
}

// Adds the labels of the switch that lead to the block TO. Does nothing if there is no
// switch.
static void add_cases(const struct cases *cases, basic_block to)
{
    if (!cases->statement)
        return;
    for (unsigned i = cases->first[to->index]; i > 0; i = cases->next[i - 1]) {
        tree label = gimple_switch_label(cases->statement, i - 1);
        if (!CASE_LOW(label))
            graph_case(&current.graph, CCPROF_CASE_DEFAULT, 0, 0);
        else if (!CASE_HIGH(label))
            graph_case(&current.graph, CCPROF_CASE_VALUE, bits_of(CASE_LOW(label)), 0);
        else
            graph_case(&current.graph, CCPROF_CASE_RANGE, bits_of(CASE_LOW(label)),
                       bits_of(CASE_HIGH(label)));
    }
}

static void add_flow_branch(gimple *last)
{
    if (is_added_code(gimple_location(last)))
        return;
    if (gimple_code(last) == GIMPLE_COND) {
        graph_branch(&current.graph, CCPROF_BRANCH_CONDITION,
                     graph_position_of(gimple_location(last)));
    } else if (const gswitch *statement = dyn_cast<const gswitch *>(last)) {
        bool is_unsigned = TYPE_UNSIGNED(TREE_TYPE(gimple_switch_index(statement)));
        graph_branch(&current.graph,
                     is_unsigned ? CCPROF_BRANCH_SWITCH_UNSIGNED : CCPROF_BRANCH_SWITCH,
                     graph_position_of(gimple_location(last)));
    }
}

// Returns the function that contains the executed body: a constructor may be an alias of
// another function.
static tree called_body(tree function)
{
    cgraph_node *node = function ? cgraph_node::get(function) : NULL;

    return node && node->alias ? node->ultimate_alias_target()->decl : function;
}

// Returns true if GCC expands the call itself, so that no function of this name exists.
static bool is_expanded_builtin(tree function)
{
    return function && fndecl_built_in_p(function) &&
           startswith(name_of(function), "__builtin_");
}

static void add_flow_statement(gimple *statement)
{
    location_t location = gimple_location(statement);
    if (RESERVED_LOCATION_P(location))
        location = location_of_construct(statement);

    if (!RESERVED_LOCATION_P(location)) {
        seen_locations->add(compat_seen_location(location));
        if (!is_added_code(location) && !is_resumed_code(location, gimple_bb(statement)))
            add_position(location);
    }
    const gcall *call = dyn_cast<const gcall *>(statement);
    if (!call || gimple_call_internal_p(call))
        return;
    if (is_expanded_builtin(gimple_call_fndecl(call)))
        return;
    tree callee = called_body(gimple_call_fndecl(call));
    graph_call(&current.graph, callee ? symbol_of_function(callee) : 0,
               graph_position_of(location));
}

// Adds the position of the goto that was on the edge and is no longer in the code. If a
// statement has the same position, the edge belongs to this statement and nothing is
// added (GCC: profile.cc, branch_prob).
static void add_goto_position(const_edge e)
{
    location_t location = e->goto_locus;

    if (!RESERVED_LOCATION_P(location) && !is_added_code(location) &&
        !seen_locations->contains(compat_seen_location(location)))
        add_position(location);
}

// Returns the cost of a counter after the statement: the estimated number of executions,
// or HEAVY after a tail call.
static double weight_behind(gimple *statement)
{
    bool is_tail = tailcall_is(statement) || tailcall_is_recursion(statement);
    return is_tail ? HEAVY : estimate.frequencies[gimple_bb(statement)->index];
}

// Adds the blocks of the flow graph for a basic block, and the edges between them.
static void add_split_blocks(basic_block bb)
{
    const struct split_blocks *split = split_blocks_of(bb);
    unsigned number = split->first;
    gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);

    graph_block(&current.graph);
    if (bb == ENTRY_BLOCK_PTR_FOR_FN(cfun)->next_bb && !is_outlined()) {
        location_t start = DECL_SOURCE_LOCATION(current_function_decl);
        if (!RESERVED_LOCATION_P(start))
            seen_locations->add(compat_seen_location(start));
        graph_position(&current.graph, current.graph.start, {0, 0, 0, 0});
    }
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi)) {
        gimple *statement = gsi_stmt(gsi);
        if (split->labels && number == split->first &&
            gimple_code(statement) != GIMPLE_LABEL) {
            add_flow_edge(number, number + 1, CCPROF_EDGE_FALLTHROUGH,
                          estimate.frequencies[bb->index], SPANNING_ANY,
                          {NULL, NULL, bb});
            graph_block(&current.graph);
            number++;
        }
        add_flow_statement(statement);
        if (statement == gsi_stmt(last) || !split_blocks_may_not_return(statement))
            continue;
        add_flow_edge(number, number + 1, CCPROF_EDGE_FALLTHROUGH,
                      weight_behind(statement), SPANNING_ANY, {NULL, statement, NULL});
        if (!split_blocks_returns(statement))
            add_fake_edge(number, EXIT_NUMBER);
        graph_block(&current.graph);
        number++;
    }
    gcc_assert(number == split->last);
    if (!gsi_end_p(last))
        add_flow_branch(gsi_stmt(last));
    if (options.mispredicted && predict_is_branch(bb))
        current.predicted.safe_push({bb, number});
    if (single_succ_p(bb) && !split->ends_early)
        add_goto_position(single_succ_edge(bb));
}

static void add_flow_edges_out(basic_block bb)
{
    const struct split_blocks *split = split_blocks_of(bb);
    gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);
    struct cases cases = cases_of(bb);
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs) {
        if (split_blocks_is_replaced(e))
            continue;
        add_real_edge(e, split_blocks_goto_number(e));
        add_cases(&cases, e->dest);
    }
    bool ends_in_nothing =
        split->ends_early && (EDGE_COUNT(bb->succs) == 0 || gsi_end_p(last) ||
                              !split_blocks_returns(gsi_stmt(last)));
    if (ends_in_nothing ||
        (split_blocks_is_left_abnormally(bb) && !split_blocks_leads_to_exit(bb)))
        add_fake_edge(split->last, EXIT_NUMBER);
    memory_free(cases.first);
    memory_free(cases.next);
}

static void add_goto(edge e)
{
    graph_block(&current.graph);
    add_goto_position(e);
    add_flow_edge(split_blocks_goto_number(e), number_of_first(e->dest),
                  CCPROF_EDGE_FALLTHROUGH, weight_of(e), SPANNING_ANY, {e, NULL, NULL});
}

static void add_flow_block(basic_block bb)
{
    add_split_blocks(bb);
    add_flow_edges_out(bb);
}

static void add_flow_blocks(void)
{
    basic_block bb;
    edge e;
    edge_iterator ei;

    graph_block(&current.graph);
    FOR_EACH_EDGE (e, ei, ENTRY_BLOCK_PTR_FOR_FN(cfun)->succs)
        add_real_edge(e, 0);
    FOR_EACH_BB_FN (bb, cfun)
        if (split_blocks_is_entered_abnormally(bb) && !split_blocks_has_entry_edge(bb))
            add_fake_edge(ENTRY_NUMBER, split_blocks_of(bb)->first);
    graph_block(&current.graph);
    split_blocks_each(add_flow_block, add_goto);
}

// Adds the names of aliases, because calls in other compilations may use them.
static bool add_alias(cgraph_node *node, void *)
{
    if (node->decl != current_function_decl && TREE_PUBLIC(node->decl))
        graph_alias(&current.graph, symbol_of_function(node->decl));
    return false;
}

static void add_flow_function(void)
{
    tree function = current_function_decl;
    location_t start = DECL_SOURCE_LOCATION(function);
    struct graph_position end = graph_position_of(cfun->function_end_locus);
    bool is_construct =
        names_is_construct(function); // only libgomp gets the function's address
    bool is_taken = cgraph_node::get(function)->address_taken && !is_construct;

    current.graph.input = distinct_string(&current.graph.strings,
                                          main_input_filename ? main_input_filename : "");
    current.graph.symbol = symbol_of_function(function);
    bool is_artificial = names_is_made(function) && !is_outlined();
    current.graph.flags = (is_artificial ? CCPROF_FLOW_ARTIFICIAL : 0) |
                          (TREE_PUBLIC(function) ? 0 : CCPROF_FLOW_LOCAL) |
                          (is_taken ? CCPROF_FLOW_ADDRESS_TAKEN : 0) |
                          (options.branch ? CCPROF_FLOW_BRANCHES : 0) |
                          (options.mispredicted ? CCPROF_FLOW_PREDICTED : 0);
    current.graph.start = graph_position_of(start);
    if (end.file != current.graph.start.file || end.line < current.graph.start.line)
        end = current.graph.start;
    current.graph.end_line = end.line;
    current.graph.end_column = end.column;
    cgraph_node::get(function)->call_for_symbol_and_aliases(add_alias, NULL, true);
}

struct flow_graph *flow_graph_make(bool has_ranges)
{
    graph_clear(&current.graph);
    current.graph.has_ranges = has_ranges;
    estimate = estimate_make();
    seen_locations = new hash_set<location_hash>;
    find_outlined();
    add_flow_function();
    split_blocks_make(EXIT_NUMBER + 1);
    add_flow_blocks();
    split_blocks_free();
    free_outlined();
    delete seen_locations;
    estimate_free(&estimate);
    return &current;
}
