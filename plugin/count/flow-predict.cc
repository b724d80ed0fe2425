// SPDX-License-Identifier: GPL-3.0-or-later
// Adds code that simulates branch prediction, for the argument mispredictions. Each
// condition and each switch stores its last outcomes, per thread and for each inlined
// copy, and counts the outcomes that were predicted wrongly.
//
// A condition has a two-level predictor (Yeh and Patt 1991): its own last two outcomes
// and the last two outcomes of all conditions select one of sixteen two-bit counters. A
// switch has a different predictor: it remembers which outcome came last after the same
// previous outcome, and predicts this outcome.

#include "plugin/gcc/compat.h"
#include "plugin/count/count.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/passes.h"
#include "plugin/count/counter.h"
#include "plugin/count/storage.h"

// The kinds of marks. CONDITION is put before a condition and has the outcome as its
// value. ARM (for a condition) and CASE (for a switch) are put on the outgoing edges and
// have the outcome as a constant.
#define CONDITION "# ccprof condition"
#define ARM       "# ccprof arm"
#define CASE      "# ccprof case"

// The history of a condition, a number of 64 bits:
//   0..15   the predicted outcome, by index
//   16..31  1 if the prediction is strong, by index
//   32, 33  the last two outcomes of this condition, the latest one in bit 32
// The index consists of bits 32 and 33 and of the last two outcomes of all conditions.
// The last two outcomes of all conditions are bits 0 and 1 of a word of the thread.
#define OUTCOMES    2
#define ALL         3
#define STRONG      16
#define LAST        32
#define PREDICTIONS 0xffffffff

// The history of a switch. Each of the upper seven bytes contains an outcome. The lowest
// byte contains the bit number of the byte with the prediction.
#define BYTE    0xff
#define CHOICES 7

static gimple *last_statement(basic_block bb)
{
    gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);

    return gsi_end_p(gsi) ? NULL : gsi_stmt(gsi);
}

bool predict_is_branch(basic_block bb)
{
    const gimple *last = last_statement(bb);

    return last &&
           (gimple_code(last) == GIMPLE_COND || gimple_code(last) == GIMPLE_SWITCH);
}

// Charges the cost of the statement to the branch, in the copy that contains the branch.
static void charge_to_branch(gimple *statement, const gimple *branch)
{
    tree block = DECL_INITIAL(current_function_decl);
    location_t location = gimple_location(branch);

    if (RESERVED_LOCATION_P(location))
        location = DECL_SOURCE_LOCATION(current_function_decl);
    gimple_set_location(statement, location);
    if (!gimple_block(statement) && block && TREE_CODE(block) == BLOCK)
        gimple_set_block(statement, block);
}

// Puts a mark before a condition, and computes the outcome there. So the optimisers can
// still make code without a branch. Returns false if this is not possible.
static bool mark_before(gimple *last, tree counter)
{
    const gcond *condition = dyn_cast<const gcond *>(last);
    gimple_seq statements = NULL;

    if (!condition)
        return false;
    tree outcome = make_temp_ssa_name(boolean_type_node, NULL, "ccprof_outcome");
    gimple *compare =
        gimple_build_assign(outcome, gimple_cond_code(condition),
                            gimple_cond_lhs(condition), gimple_cond_rhs(condition));
    if (stmt_could_throw_p(cfun, compare))
        return false;
    gimple_seq_add_stmt(&statements, compare);
    tree value = gimple_convert(&statements, long_long_unsigned_type_node, outcome);
    gimple_seq_add_stmt(&statements, asmmark_make(CONDITION, value, counter));
    for (gimple_stmt_iterator gsi = gsi_start(statements); !gsi_end_p(gsi);
         gsi_next(&gsi))
        charge_to_branch(gsi_stmt(gsi), last);
    gimple_stmt_iterator gsi = gsi_for_stmt(last);
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
    return true;
}

// Puts marks on the edges out of a branch. A condition has the outcomes 1 and 0. The
// outcomes of a switch are numbered from 1.
static void mark_edges(gimple *last, tree counter)
{
    const bool is_switch = gimple_code(last) == GIMPLE_SWITCH;
    unsigned number = 0;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, gimple_bb(last)->succs) {
        unsigned outcome =
            is_switch ? number++ % BYTE + 1 : !!(e->flags & EDGE_TRUE_VALUE);
        if (e->flags & EDGE_COMPLEX)
            continue;
        gasm *mark =
            asmmark_make(is_switch ? CASE : ARM,
                         build_int_cst(long_long_unsigned_type_node, outcome), counter);
        charge_to_branch(mark, last);
        gsi_insert_on_edge(e, mark);
    }
}

void predict_mark(basic_block bb, uint64_t flow, unsigned number)
{
    gimple *last = last_statement(bb);
    tree counter = counter_make_for_edge(flow, number, false);

    if (!mark_before(last, counter))
        mark_edges(last, counter);
}

namespace
{
// The code that replaces a mark.
struct code {
    gimple_seq statements;
    tree history, all, outcome; // values
};
} // namespace

static tree make_number(uint64_t value)
{
    return build_int_cst(long_long_unsigned_type_node, value);
}

static tree build_operation(struct code *code, tree_code operation, tree left, tree right)
{
    return gimple_build(&code->statements, operation, long_long_unsigned_type_node, left,
                        right);
}

static tree build_operation(struct code *code, tree_code operation, tree left,
                            uint64_t right)
{
    return build_operation(code, operation, left, make_number(right));
}

// Returns bit number DISTANCE of BITS.
static tree build_bit_test(struct code *code, tree bits, uint64_t distance)
{
    if (distance)
        bits = build_operation(code, RSHIFT_EXPR, bits, distance);
    return build_operation(code, BIT_AND_EXPR, bits, 1);
}

// Returns BITS, shifted left by one bit, with OUTCOME as the new lowest bit.
static tree shift_in_outcome(struct code *code, tree bits)
{
    return build_operation(code, BIT_IOR_EXPR,
                           build_operation(code, LSHIFT_EXPR, bits, 1), code->outcome);
}

// predict_condition and predict_switch update HISTORY, and ALL for a condition, with the
// outcome. They return 1 if the outcome was mispredicted, otherwise 0.
static tree predict_condition(struct code *code)
{
    tree last = build_operation(code, RSHIFT_EXPR, code->history, LAST);
    tree shift = build_operation(code, BIT_IOR_EXPR,
                                 build_operation(code, LSHIFT_EXPR, last, OUTCOMES),
                                 build_operation(code, BIT_AND_EXPR, code->all, ALL));
    tree chosen = build_operation(code, RSHIFT_EXPR, code->history, shift);
    tree missed = build_bit_test(
        code, build_operation(code, BIT_XOR_EXPR, chosen, code->outcome), 0);
    tree strong = build_bit_test(code, chosen, STRONG);
    // A wrong prediction becomes weak. If it was already weak, it changes to the other
    // outcome. A right prediction becomes strong.
    tree changes = build_operation(code, BIT_AND_EXPR, missed,
                                   build_operation(code, BIT_XOR_EXPR, strong, 1));
    tree strength = build_operation(
        code, BIT_XOR_EXPR, build_operation(code, BIT_XOR_EXPR, strong, missed), 1);
    tree change = build_operation(code, BIT_IOR_EXPR, changes,
                                  build_operation(code, LSHIFT_EXPR, strength, STRONG));
    tree predictions = build_operation(code, BIT_XOR_EXPR, code->history,
                                       build_operation(code, LSHIFT_EXPR, change, shift));
    tree outcomes = build_operation(code, BIT_AND_EXPR, shift_in_outcome(code, last),
                                    (1 << OUTCOMES) - 1);

    code->history = build_operation(
        code, BIT_IOR_EXPR, build_operation(code, BIT_AND_EXPR, predictions, PREDICTIONS),
        build_operation(code, LSHIFT_EXPR, outcomes, LAST));
    code->all = shift_in_outcome(code, code->all);
    return missed;
}

static tree predict_switch(struct code *code)
{
    uint64_t outcome = tree_to_uhwi(code->outcome);
    tree chosen = build_operation(code, BIT_AND_EXPR, code->history, BYTE);
    tree predicted =
        build_operation(code, BIT_AND_EXPR,
                        build_operation(code, RSHIFT_EXPR, code->history, chosen), BYTE);
    tree differs = build_operation(code, BIT_XOR_EXPR, predicted, outcome);
    tree missed =
        gimple_convert(&code->statements, long_long_unsigned_type_node,
                       gimple_build(&code->statements, NE_EXPR, boolean_type_node,
                                    differs, make_number(0)));
    tree change = build_operation(code, LSHIFT_EXPR, differs, chosen);
    tree choices = build_operation(
        code, BIT_AND_EXPR, build_operation(code, BIT_XOR_EXPR, code->history, change),
        ~(uint64_t)BYTE);
    code->history =
        build_operation(code, BIT_IOR_EXPR, choices, 8 * (1 + outcome % CHOICES));
    return missed;
}

namespace
{
// The variables of one branch in one copy.
struct branch {
    tree marked, scope; // identify the branch and the copy
    tree history, counter;
};
} // namespace

static struct branch make_branch(const gasm *mark)
{
    struct branch branch = {asmmark_variable(mark), gimple_block(mark),
                            storage_make_history(), storage_make_counter()};

    storage_add_term(branch.counter, branch.marked, false);
    return branch;
}

// The last outcomes of all conditions of the unit.
static tree all_outcomes;

static const struct ggc_root_tab roots[] = {
    {&all_outcomes, 1, sizeof all_outcomes, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

void predict_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
}

// The branches of the current function with marks on their edges.
static vec<struct branch> branches;

static struct branch find_branch(const gasm *mark)
{
    for (const struct branch &branch : branches)
        if (branch.marked == asmmark_variable(mark) && branch.scope == gimple_block(mark))
            return branch;
    branches.safe_push(make_branch(mark));
    return branches.last();
}

static tree build_load(struct code *code, tree variable)
{
    tree value = make_temp_ssa_name(long_long_unsigned_type_node, NULL, "ccprof_history");

    gimple_seq_add_stmt(&code->statements, gimple_build_assign(value, variable));
    return value;
}

static void build_store(struct code *code, tree variable, tree value)
{
    gimple_seq_add_stmt(&code->statements, gimple_build_assign(variable, value));
}

static void lower_mark(gasm *mark, const struct branch *branch,
                       tree (*predict)(struct code *code))
{
    struct code code = {NULL, NULL_TREE, NULL_TREE, asmmark_value(mark)};

    if (!all_outcomes)
        all_outcomes = storage_make_history();
    code.history = build_load(&code, branch->history);
    tree all = code.all = build_load(&code, all_outcomes);
    tree missed = predict(&code);
    build_store(&code, branch->history, code.history);
    if (code.all != all)
        build_store(&code, all_outcomes, code.all);
    for (gimple_stmt_iterator gsi = gsi_start(code.statements); !gsi_end_p(gsi);
         gsi_next(&gsi))
        gimple_set_location(gsi_stmt(gsi), gimple_location(mark));
    gimple_seq_add_seq(&code.statements,
                       counter_add(branch->counter, missed, gimple_location(mark)));
    gimple_stmt_iterator gsi = gsi_for_stmt(mark);
    gsi_insert_seq_before(&gsi, code.statements, GSI_SAME_STMT);
}

static void lower_condition(gasm *mark)
{
    const struct branch branch = make_branch(mark);

    lower_mark(mark, &branch, predict_condition);
}

static void lower_arm(gasm *mark)
{
    const struct branch branch = find_branch(mark);

    lower_mark(mark, &branch, predict_condition);
}

static void lower_case(gasm *mark)
{
    const struct branch branch = find_branch(mark);

    lower_mark(mark, &branch, predict_switch);
}

static void execute_predict(function *fun)
{
    asmmark_lower(fun, CONDITION, lower_condition);
    asmmark_lower(fun, ARM, lower_arm);
    asmmark_lower(fun, CASE, lower_case);
    branches.release();
}

opt_pass *passes_make_predict(void)
{
    return pass_make("ccprof_predict", PASS_SSA_MEMORY, execute_predict);
}
