// SPDX-License-Identifier: GPL-3.0-or-later
// Records the values of operands, the targets of indirect calls, and the order of first
// calls, as GCC's profile does.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/count/storage.h"
#include "plugin/count/targets.h"
#include "plugin/tables/encode.h"
#include "plugin/train/train.h"
#include "rt/format.h"

#define NAME  "ccprof_value"
#define FIRST "# ccprof first"

// The number of functions of the module that have been executed. All objects of the
// module share this variable.
#define ORDER "ccprof_train_order"

// In GCC's list an operand with frequent values is followed by other facts about the same
// operand.
void train_values_find(struct train_function *function)
{
    histogram_values values = histogram_values();

    gimple_find_values_to_profile(&values);
    for (histogram_value value : values) {
        gimple *statement = value->hvalue.stmt;
        if (value->type == HIST_TYPE_INDIR_CALL)
            function->indirect.safe_push(statement);
        else if (value->type == HIST_TYPE_TOPN_VALUES)
            function->lists.safe_push({CCPROF_LIST_DIVISOR,
                                       (unsigned)gimple_bb(statement)->index, statement,
                                       value->hvalue.value});
        else if (value->type == HIST_TYPE_POW2)
            function->lists.last().kind = CCPROF_LIST_REMAINDER;
        else if (value->type == HIST_TYPE_AVERAGE)
            function->lists.last().kind = CCPROF_LIST_SIZE;
    }
    values.release();
}

// NUMBER is 0 for the first execution of the function. Calls by a pointer are numbered
// from 1, and lists after the calls. NUMBER is part of the name, so that the variable
// also describes itself after LTO.
static tree make_value_variable(uint64_t flow, unsigned number, tree type)
{
    char name[60];

    snprintf(name, sizeof name, NAME ".%llx.%u", (unsigned long long)flow, number);
    tree variable = artificial_variable(name, type);
    DECL_CONTEXT(variable) = current_function_decl;
    TREE_ADDRESSABLE(variable) = 1;
    varpool_node::finalize_decl(variable);
    return variable;
}

// Returns true if make_value_variable made the variable of NODE and this compilation
// writes it.
static bool read_variable(varpool_node *node, uint64_t *flow, unsigned *number)
{
    tree name = DECL_NAME(node->decl);
    unsigned long long id;

    if (!TREE_ASM_WRITTEN(node->decl) || !DECL_ARTIFICIAL(node->decl) || !name ||
        sscanf(IDENTIFIER_POINTER(name), NAME ".%llx.%u", &id, number) != 2)
        return false;
    *flow = id;
    return true;
}

// Returns the number that is recorded for an operand: its value plus 1, because 0 is not
// a valid target. All values from CCPROF_LIST_MOST on are recorded as the same number.
static tree make_recorded(gimple_stmt_iterator *gsi, tree operand)
{
    tree type = long_long_unsigned_type_node;
    gimple_seq statements = NULL;
    tree value = gimple_convert(&statements, type, operand);

    value = gimple_build(&statements, MIN_EXPR, type, value,
                         build_int_cst(type, CCPROF_LIST_MOST));
    value = gimple_build(&statements, PLUS_EXPR, type, value, build_one_cst(type));
    value = gimple_convert(&statements, ptr_type_node, value);
    gsi_insert_seq_before(gsi, statements, GSI_SAME_STMT);
    return value;
}

static void mark_call(uint64_t flow, unsigned number, gimple *call)
{
    tree target = targets_of(as_a<gcall *>(call));
    gimple_stmt_iterator gsi = gsi_for_stmt(call);

    if (target)
        targets_mark(&gsi, target, make_value_variable(flow, number, ptr_type_node));
}

// Assembler statements are not allowed in a transaction.
void train_values_mark(uint64_t flow, const struct train_function *function)
{
    unsigned number = 1;

    if (flag_tm)
        return;
    for (gimple *call : function->indirect)
        mark_call(flow, number++, call);
    if (options.train_values)
        for (const struct train_list &list : function->lists) {
            gimple_stmt_iterator gsi = gsi_for_stmt(list.statement);
            tree value = make_recorded(&gsi, list.operand);
            targets_mark(&gsi, value, make_value_variable(flow, number++, ptr_type_node));
        }
    if (options.train_order) {
        tree first = make_value_variable(flow, 0, long_long_unsigned_type_node);
        storage_put_in_cells(first);
        gsi_insert_on_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
                           asmmark_make(FIRST, NULL_TREE, first));
    }
}

static tree order_variable(void)
{
    tree order = artificial_external(ORDER, long_unsigned_type_node);

    TREE_PUBLIC(order) = 1;
    TREE_ADDRESSABLE(order) = 1;
    artificial_hide(order);
    return order;
}

// Returns code that sets VARIABLE to CCPROF_FIRST_MOST minus the number of functions that
// have been executed so far. So the number of runs can be computed from the sum of
// several runs.
static gimple_seq make_order_store(tree variable)
{
    gimple_seq store = NULL;
    tree subtract = builtin_decl_explicit(BUILT_IN_ATOMIC_SUB_FETCH_8);
    tree left = make_ssa_name(TREE_TYPE(TREE_TYPE(subtract)));
    tree value = make_ssa_name(TREE_TYPE(variable)),
         sum = make_ssa_name(TREE_TYPE(value));
    gcall *next = gimple_build_call(subtract, 3, build_fold_addr_expr(order_variable()),
                                    build_one_cst(TREE_TYPE(left)),
                                    build_int_cst(integer_type_node, MEMMODEL_RELAXED));

    gimple_call_set_lhs(next, left);
    gimple_seq_add_stmt(&store, next);
    gimple_seq_add_stmt(&store, gimple_build_assign(value, NOP_EXPR, left));
    gimple_seq_add_stmt(
        &store, gimple_build_assign(sum, PLUS_EXPR, value,
                                    build_int_cst(TREE_TYPE(value), CCPROF_FIRST_MOST)));
    // The store is volatile, because only the runtime reads the variable.
    tree kept = build2(MEM_REF, TREE_TYPE(variable), build_fold_addr_expr(variable),
                       build_zero_cst(build_pointer_type(TREE_TYPE(variable))));
    TREE_THIS_VOLATILE(kept) = TREE_SIDE_EFFECTS(kept) = 1;
    gimple_seq_add_stmt(&store, gimple_build_assign(kept, sum));
    return store;
}

static void lower_first(gasm *mark)
{
    tree variable = asmmark_variable(mark);
    tree zero = build_zero_cst(TREE_TYPE(variable));
    gimple_stmt_iterator gsi = asmmark_branch(mark, EQ_EXPR, zero);

    gsi_insert_seq_before(&gsi, make_order_store(variable), GSI_SAME_STMT);
}

static void execute_train_first(function *fun)
{
    asmmark_lower(fun, FIRST, lower_first);
}

opt_pass *passes_make_train_first(void)
{
    return pass_make("ccprof_train_first", PASS_SSA_MEMORY, execute_train_first);
}

static struct assembly_address address_of(tree decl)
{
    return {NULL, 0, decl};
}

static void emit_variable(tree variable, uint64_t flow, unsigned number)
{
    assembly_push_beside(CCPROF_SECTION_VALUES, address_of(variable));
    assembly_byte(CCPROF_TABLES_VERSION);
    assembly_line(".8byte", "%#llx", (unsigned long long)flow);
    leb_unsigned(assembly_put_byte, NULL, number);
    assembly_word(address_of(variable));
    assembly_pop_section();
}

static void emit_callee(cgraph_node *node)
{
    assembly_push_beside(CCPROF_SECTION_CALLEES, address_of(node->decl));
    assembly_byte(CCPROF_TABLES_VERSION);
    assembly_word(address_of(node->decl));
    assembly_line(".4byte", "%#x", (unsigned)node->profile_id);
    assembly_pop_section();
}

// Returns true if the function has a profile and may be called by a pointer.
static bool may_be_called(cgraph_node *node)
{
    return node->profile_id && TREE_ASM_WRITTEN(node->decl) && !node->alias &&
           (node->address_taken || TREE_PUBLIC(node->decl));
}

bool train_values_any(void)
{
    varpool_node *node;
    uint64_t flow;
    unsigned number;

    FOR_EACH_DEFINED_VARIABLE (node)
        if (read_variable(node, &flow, &number))
            return true;
    return false;
}

void train_values_emit(const char *)
{
    varpool_node *variable;
    cgraph_node *node;
    uint64_t flow;
    unsigned number;

    if (!train_values_any())
        return;
    if (options.train_order) {
        assembly_line(".hidden", ORDER);
        assembly_line(".comm", ORDER ",8,8");
    }
    FOR_EACH_DEFINED_VARIABLE (variable)
        if (read_variable(variable, &flow, &number))
            emit_variable(variable->decl, flow, number);
    FOR_EACH_FUNCTION (node)
        if (may_be_called(node))
            emit_callee(node);
}
