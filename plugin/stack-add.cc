// SPDX-License-Identifier: GPL-3.0-or-later
// Additions of calls: which statements store to a counter, and what they add as seen by
// the sources of its local stack.

#include "compat.h"
#include "counter.h"
#include "options.h"
#include "scopes.h"
#include "stack-inside.h"

tree stack_stored_counter(const gimple *stmt)
{
    const gassign *assign = dyn_cast<const gassign *>(stmt);
    tree to = assign ? gimple_assign_lhs(assign) : NULL_TREE;

    return to && VAR_P(to) && counter_is(to) && counter_counts(to).calls ? to : NULL_TREE;
}

// The sources around a counter's function where the function itself was inlined, whatever
// scope the statement has.
static void entries_of_counter(struct stack_entries *entries, tree scope, tree counted)
{
    tree found = scope;

    while (found && scopes_function(found) != DECL_ORIGIN(counted))
        found = scopes_parent(found);
    stack_find_entries(entries, found ? found : scope);
    if (options.mark == OPTIONS_MARK_SOURCE)
        stack_add_entry(entries, DECL_ORIGIN(counted));
}

static gassign *definition(tree value)
{
    return TREE_CODE(value) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(value))
                                        : NULL;
}

// What is added by a store to the counter, where that is a number and the statements for
// it stand together, as they do unless they were moved; else NULL_TREE.
static tree constant_amount(const gassign *assign)
{
    gassign *sum = definition(gimple_assign_rhs1(assign));
    if (!sum || gimple_assign_rhs_code(sum) != PLUS_EXPR ||
        TREE_CODE(gimple_assign_rhs2(sum)) != INTEGER_CST)
        return NULL_TREE;
    gassign *before = definition(gimple_assign_rhs1(sum));
    return before && gimple_bb(before) == gimple_bb(assign) &&
                   gimple_assign_rhs1(before) == gimple_assign_lhs(assign)
               ? fold_convert(stack_number_type(), gimple_assign_rhs2(sum))
               : NULL_TREE;
}

// The counter in a place that is not volatile any more; cells.cc does that for cells.
static tree plain(tree counter)
{
    return DECL_THREAD_LOCAL_P(counter)
               ? build2(MEM_REF, stack_number_type(), build_fold_addr_expr(counter),
                        build_int_cst(build_pointer_type(stack_number_type()), 0))
               : counter;
}

static void make_plain(gassign *assign, tree counter)
{
    gassign *sum = definition(gimple_assign_rhs1(assign));
    gassign *before = sum ? definition(gimple_assign_rhs1(sum)) : NULL;

    gimple_assign_set_lhs(assign, plain(counter));
    update_stmt(assign);
    if (before && gimple_assign_rhs1(before) == counter) {
        gimple_assign_set_rhs1(before, plain(counter));
        update_stmt(before);
    }
}

// What the statement, which stores to the counter, adds to it.
void stack_instrument_addition(const struct stack_site *site)
{
    gassign *assign = as_a<gassign *>(site->statement);
    gimple_stmt_iterator gsi = gsi_for_stmt(assign);
    tree counter = gimple_assign_lhs(assign);
    struct stack_entries entries;
    gimple_seq statements = NULL;

    entries_of_counter(&entries, site->scope, DECL_CONTEXT(counter));
    tree amount = constant_amount(assign);
    if (!amount) {
        tree before = stack_load(&statements, stack_number_type(), counter);
        amount = gimple_build(&statements, MINUS_EXPR, stack_number_type(),
                              gimple_assign_rhs1(assign), before);
    }
    stack_add_amount(&statements, &entries, amount);
    annotate_all_with_location(statements, gimple_location(assign));
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
    make_plain(assign, counter);
}
