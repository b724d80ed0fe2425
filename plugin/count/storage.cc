// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the variables and chooses their storage. A pass replaces accesses to a module's
// counters by accesses to the calling thread's copy.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/callsite.h"
#include "plugin/count/storage.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/passes.h"
#include "plugin/count/counter.h"
#include "plugin/count/threadword.h"
#include "rt/format.h"

#define SUM_NAME     "ccprof_sum"
#define HISTORY_NAME "ccprof_history"

struct storage_row *storage_rows;
size_t storage_row_count;
static size_t row_room;
static tree delta; // the thread-local word, or its place (threadword.h)

static const struct ggc_root_tab roots[] = {
    {&delta, 1, sizeof delta, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

static tree load_delta(gimple_seq *statements)
{
    const bool placed = threadword_is_placed();

    if (!delta)
        delta = placed ? threadword_declare_place(STORAGE_DELTA)
                       : threadword_declare(STORAGE_DELTA, sizetype);
    if (placed)
        return threadword_load_own(statements, delta, sizetype);
    tree distance = make_temp_ssa_name(sizetype, NULL, STORAGE_DELTA);
    gimple_seq_add_stmt(statements, gimple_build_assign(distance, delta));
    return distance;
}

// Returns a reference to counter INDEX of VARIABLE in the calling thread's copy. DISTANCE
// is the distance from the module's counters to the copy.
static tree thread_counter(gimple_seq *statements, tree variable, unsigned index,
                           tree distance)
{
    tree type = long_long_unsigned_type_node;
    tree pointer = make_temp_ssa_name(ptr_type_node, NULL, STORAGE_DELTA);

    gimple_seq_add_stmt(statements,
                        gimple_build_assign(pointer, POINTER_PLUS_EXPR,
                                            build_fold_addr_expr(variable), distance));
    return build2(MEM_REF, type, pointer,
                  build_int_cst(build_pointer_type(type), 8 * index));
}

// The distance if code before the current statement has loaded it, otherwise NULL_TREE.
// This variable is only used for code with places. With thread-local words GCC removes
// repeated loads by itself.
static tree known_distance;

static tree load_own_counter(gimple_stmt_iterator *gsi, tree counter)
{
    gimple_seq statements = NULL;
    if (!known_distance)
        known_distance = load_delta(&statements);
    tree result = thread_counter(&statements, counter, 0, known_distance);

    annotate_all_with_location(statements, gimple_location(gsi_stmt(*gsi)));
    gsi_insert_seq_before(gsi, statements, GSI_SAME_STMT);
    return result;
}

static bool is_word(const_tree variable, const char *name)
{
    tree identifier = DECL_NAME(variable);

    return DECL_ARTIFICIAL(variable) && DECL_PRESERVE_P(variable) && identifier &&
           startswith(IDENTIFIER_POINTER(identifier), name);
}

static bool is_module_counter(tree operand)
{
    return operand && VAR_P(operand) &&
           (counter_is(operand) || storage_is_counter(operand) ||
            is_word(operand, HISTORY_NAME ".")) &&
           !DECL_THREAD_LOCAL_P(operand);
}

// Ends the effect of storage_keep_in_memory, so that one instruction may add to the
// counter.
static void allow_registers(gassign *assign)
{
    for (tree operand : {gimple_assign_lhs(assign), gimple_assign_rhs1(assign)}) {
        if (!VAR_P(operand) || !storage_is_counter(operand))
            continue;
        TREE_THIS_VOLATILE(operand) = TREE_SIDE_EFFECTS(operand) = 0;
        update_stmt(assign);
    }
}

// Replaces the module's counter in the statement by the calling thread's counter.
// Counters are only read and written as a whole, by assignments.
static void lower_statement(gimple_stmt_iterator *gsi)
{
    if (counter_is_deferred(gsi_stmt(*gsi)))
        counter_undefer(gsi);

    gassign *assign = dyn_cast<gassign *>(gsi_stmt(*gsi));
    if (!assign || !gimple_assign_single_p(assign))
        return;
    allow_registers(assign);
    if (is_module_counter(gimple_assign_rhs1(assign)))
        gimple_assign_set_rhs1(assign, load_own_counter(gsi, gimple_assign_rhs1(assign)));
    else if (is_module_counter(gimple_assign_lhs(assign)))
        gimple_assign_set_lhs(assign, load_own_counter(gsi, gimple_assign_lhs(assign)));
    else
        return;
    update_stmt(assign);
}

// Returns true if execution may continue in another thread after the statement, because a
// called function may switch fibres.
static bool may_switch_thread(const gimple *stmt)
{
    const gcall *call = dyn_cast<const gcall *>(stmt);

    if (call)
        return !(gimple_call_flags(call) & (ECF_CONST | ECF_PURE)) && !leaf_is_call(call);
    return gimple_code(stmt) == GIMPLE_ASM &&
           gimple_asm_volatile_p(as_a<const gasm *>(stmt));
}

static void lower_block(basic_block bb)
{
    const bool keeps = threadword_is_placed();

    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        lower_statement(&gsi);
        if (!keeps || may_switch_thread(gsi_stmt(gsi)))
            known_distance = NULL_TREE;
    }
}

static void execute_storage(function *fun)
{
    auto_vec<tree> known_at_end;
    basic_block bb;

    known_at_end.safe_grow_cleared(last_basic_block_for_fn(fun), true);
    FOR_EACH_BB_FN (bb, fun) {
        known_distance =
            single_pred_p(bb) ? known_at_end[single_pred(bb)->index] : NULL_TREE;
        lower_block(bb);
        known_at_end[bb->index] = known_distance;
    }
    known_distance = NULL_TREE;
}

opt_pass *passes_make_storage(void)
{
    return pass_make("ccprof_storage", PASS_SSA_MEMORY, execute_storage);
}

void storage_put_in_cells(tree variable)
{
    SET_DECL_ALIGN(variable, 64);
    varpool_node::get_create(variable)->set_section(CCPROF_SECTION_CELLS);
}

// Makes the variable thread-local if the linker knows its address and the assembler can
// write the address for the runtime. Otherwise puts it into the section of cells.
static void choose_storage(tree variable)
{
    // GCC 14 and later look up references to the variable in the symbol table.
    varpool_node *node = varpool_node::get_create(variable);

    if (decl_default_tls_model(variable) == TLS_MODEL_LOCAL_EXEC &&
        assembly_has_words_of_thread())
        set_decl_tls_model(variable, TLS_MODEL_LOCAL_EXEC);
    else
        node->set_section(CCPROF_SECTION_CELLS);
}

// The variable has the alignment of one counter, so that there are no gaps between rows.
tree storage_build(const char *name, unsigned count)
{
    tree type = build_array_type_nelts(long_long_unsigned_type_node, count);
    tree variable = artificial_variable(name, type);

    SET_DECL_ALIGN(variable, 64);
    DECL_USER_ALIGN(variable) = 1;
    TREE_ADDRESSABLE(variable) = 1;
    DECL_PRESERVE_P(variable) = 1;
    return variable;
}

static tree make_word(const char *prefix)
{
    static unsigned number;
    char name[40];

    snprintf(name, sizeof name, "%s.%u", prefix, number++);
    tree variable = artificial_variable(name, long_long_unsigned_type_node);
    TREE_ADDRESSABLE(variable) = 1;
    DECL_NONALIASED(variable) = 1;
    DECL_PRESERVE_P(variable) = 1;
    choose_storage(variable);
    varpool_node::finalize_decl(variable);
    return variable;
}

tree storage_make_counter(void)
{
    return make_word(SUM_NAME);
}

tree storage_make_history(void)
{
    return make_word(HISTORY_NAME);
}

void storage_keep_in_memory(tree counter)
{
    TREE_THIS_VOLATILE(counter) = TREE_SIDE_EFFECTS(counter) = 1;
}

bool storage_is_counter(const_tree variable)
{
    return is_word(variable, SUM_NAME ".");
}

unsigned storage_make_row(unsigned count)
{
    static unsigned number;
    char name[40];

    snprintf(name, sizeof name, "ccprof_cells.%u", number++);
    tree variable = storage_build(name, count);
    choose_storage(variable);
    varpool_node::finalize_decl(variable);
    storage_rows = (struct storage_row *)memory_reserve(
        storage_rows, &row_room, storage_row_count + 1, sizeof *storage_rows);
    storage_rows[storage_row_count] = {variable, count, 0};
    return storage_row_count++;
}

tree storage_variable(unsigned row)
{
    return storage_rows[row].variable;
}

static tree row_counter(gimple_seq *statements, tree variable, unsigned index)
{
    if (!DECL_THREAD_LOCAL_P(variable))
        return thread_counter(statements, variable, index, load_delta(statements));
    return build4(ARRAY_REF, long_long_unsigned_type_node, variable, size_int(index),
                  NULL_TREE, NULL_TREE);
}

static void add_to(gimple_seq *statements, tree counter, tree amount)
{
    tree type = long_long_unsigned_type_node;
    tree before = make_temp_ssa_name(type, NULL, "ccprof_cell");
    tree after = make_temp_ssa_name(type, NULL, "ccprof_cell");

    gimple_seq_add_stmt(statements, gimple_build_assign(before, counter));
    gimple_seq_add_stmt(statements,
                        gimple_build_assign(after, PLUS_EXPR, before, amount));
    gimple_seq_add_stmt(statements, gimple_build_assign(unshare_expr(counter), after));
}

void storage_add(gimple_seq *statements, unsigned row, unsigned index, tree amount)
{
    add_to(statements, row_counter(statements, storage_rows[row].variable, index),
           amount);
}

void storage_add_at(gimple_seq *statements, tree pointer, unsigned offset, tree amount)
{
    tree type = long_long_unsigned_type_node;

    add_to(
        statements,
        build2(MEM_REF, type, pointer, build_int_cst(build_pointer_type(type), offset)),
        amount);
}

// Returns all ones if the thread has a copy of the module's counters, otherwise 0.
static tree has_own(gimple_seq *statements)
{
    tree distance = load_delta(statements);
    tree is_own = gimple_build(statements, NE_EXPR, boolean_type_node, distance,
                               build_zero_cst(sizetype));
    return gimple_build(statements, NEGATE_EXPR, sizetype,
                        gimple_convert(statements, sizetype, is_own));
}

tree storage_pointer(gimple_seq *statements, unsigned row, unsigned index, bool safely)
{
    tree variable = storage_rows[row].variable;
    tree counter = row_counter(statements, variable, index);
    tree address = make_temp_ssa_name(ptr_type_node, NULL, "ccprof_cell");

    gimple_seq_add_stmt(
        statements, gimple_build_assign(
                        address, build_fold_addr_expr_with_type(counter, ptr_type_node)));
    if (!safely || DECL_THREAD_LOCAL_P(variable))
        return address;
    tree number =
        gimple_build(statements, BIT_AND_EXPR, sizetype,
                     gimple_convert(statements, sizetype, address), has_own(statements));
    return gimple_convert(statements, ptr_type_node, number);
}

static void choose_all_storage(void *, void *)
{
    varpool_node *node;

    FOR_EACH_VARIABLE (node) {
        if (counter_is(node->decl))
            choose_storage(node->decl);
    }
}

bool storage_delta_is_read(void)
{
    return delta != NULL_TREE;
}

void storage_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, choose_all_storage, NULL);
}
