// SPDX-License-Identifier: GPL-3.0-or-later
// The variables: their place, the rows of cells_make, and the pass that makes accesses to
// counters those of the calling thread.

#include "plugin/gcc/compat.h"
#include "plugin/count/cells.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/pass.h"
#include "plugin/gcc/passes.h"
#include "plugin/count/cells-inside.h"
#include "plugin/count/counter.h"
#include "plugin/count/threadword.h"
#include "rt/format.h"

struct cells_row *cells_rows;
size_t cells_row_count;
static size_t row_room;
static tree delta; // the thread-local word

static const struct ggc_root_tab roots[] = {
    {&delta, 1, sizeof delta, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

static tree delta_word(void)
{
    if (!delta)
        delta = threadword_declare(CELLS_DELTA, sizetype);
    return delta;
}

// The calling thread's cell INDEX of the variable, behind statements.
static tree thread_cell(gimple_seq *statements, tree variable, unsigned index)
{
    tree type = long_long_unsigned_type_node;
    tree distance = make_temp_ssa_name(sizetype, NULL, CELLS_DELTA);
    tree pointer = make_temp_ssa_name(ptr_type_node, NULL, CELLS_DELTA);

    gimple_seq_add_stmt(statements, gimple_build_assign(distance, delta_word()));
    gimple_seq_add_stmt(statements,
                        gimple_build_assign(pointer, POINTER_PLUS_EXPR,
                                            build_fold_addr_expr(variable), distance));
    return build2(MEM_REF, type, pointer,
                  build_int_cst(build_pointer_type(type), 8 * index));
}

static tree cell_of_counter(gimple_stmt_iterator *gsi, tree counter)
{
    gimple_seq statements = NULL;
    tree cell = thread_cell(&statements, counter, 0);

    annotate_all_with_location(statements, gimple_location(gsi_stmt(*gsi)));
    gsi_insert_seq_before(gsi, statements, GSI_SAME_STMT);
    return cell;
}

static bool is_cell(tree operand)
{
    return operand && VAR_P(operand) && counter_is(operand) &&
           !DECL_THREAD_LOCAL_P(operand);
}

// Counters are read and written as a whole, by assignments alone.
static void lower_statement(gimple_stmt_iterator *gsi)
{
    gassign *assign = dyn_cast<gassign *>(gsi_stmt(*gsi));

    if (!assign || !gimple_assign_single_p(assign))
        return;
    if (is_cell(gimple_assign_rhs1(assign)))
        gimple_assign_set_rhs1(assign, cell_of_counter(gsi, gimple_assign_rhs1(assign)));
    else if (is_cell(gimple_assign_lhs(assign)))
        gimple_assign_set_lhs(assign, cell_of_counter(gsi, gimple_assign_lhs(assign)));
    else
        return;
    update_stmt(assign);
}

static void execute(function *fun)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            lower_statement(&gsi);
    }
}

opt_pass *passes_make_cells(void)
{
    return pass_make("ccprof_cells", PASS_SSA_MEMORY, execute);
}

// Where the linker knows the address of a thread-local variable it becomes such a one.
static void place_variable(tree variable)
{
    if (decl_default_tls_model(variable) == TLS_MODEL_LOCAL_EXEC)
        set_decl_tls_model(variable, TLS_MODEL_LOCAL_EXEC);
    else
        varpool_node::get_create(variable)->set_section(CCPROF_SECTION_CELLS);
}

// No larger alignment than that of one, so that nothing lies between rows.
tree cells_variable(const char *name, unsigned count)
{
    tree type = build_array_type_nelts(long_long_unsigned_type_node, count);
    tree variable = build_decl(BUILTINS_LOCATION, VAR_DECL, get_identifier(name), type);

    SET_DECL_ASSEMBLER_NAME(variable, get_identifier(name));
    SET_DECL_ALIGN(variable, 64);
    DECL_USER_ALIGN(variable) = 1;
    TREE_STATIC(variable) = 1;
    TREE_USED(variable) = 1;
    TREE_ADDRESSABLE(variable) = 1;
    DECL_ARTIFICIAL(variable) = 1;
    DECL_IGNORED_P(variable) = 1;
    DECL_PRESERVE_P(variable) = 1;
    return variable;
}

unsigned cells_make(unsigned count)
{
    static unsigned number;
    char name[40];

    snprintf(name, sizeof name, "ccprof_cells.%u", number++);
    tree variable = cells_variable(name, count);
    place_variable(variable);
    varpool_node::finalize_decl(variable);
    cells_rows = (struct cells_row *)memory_reserve(
        cells_rows, &row_room, cells_row_count + 1, sizeof *cells_rows);
    cells_rows[cells_row_count] = {variable, count, 0};
    return cells_row_count++;
}

tree cells_row_variable(unsigned row)
{
    return cells_rows[row].variable;
}

static tree row_cell(gimple_seq *statements, tree variable, unsigned index)
{
    if (!DECL_THREAD_LOCAL_P(variable))
        return thread_cell(statements, variable, index);
    return build4(ARRAY_REF, long_long_unsigned_type_node, variable, size_int(index),
                  NULL_TREE, NULL_TREE);
}

void cells_add(gimple_seq *statements, unsigned row, unsigned index, tree amount)
{
    tree type = long_long_unsigned_type_node;
    tree before = make_temp_ssa_name(type, NULL, "ccprof_cell");
    tree after = make_temp_ssa_name(type, NULL, "ccprof_cell");
    tree cell = row_cell(statements, cells_rows[row].variable, index);

    gimple_seq_add_stmt(statements, gimple_build_assign(before, cell));
    gimple_seq_add_stmt(statements,
                        gimple_build_assign(after, PLUS_EXPR, before, amount));
    gimple_seq_add_stmt(statements, gimple_build_assign(unshare_expr(cell), after));
}

static void decide(void *, void *)
{
    varpool_node *node;

    FOR_EACH_VARIABLE (node) {
        if (counter_is(node->decl))
            place_variable(node->decl);
    }
}

bool cells_delta_is_read(void)
{
    return delta != NULL_TREE;
}

void cells_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, decide, NULL);
}
