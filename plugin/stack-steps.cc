// SPDX-License-Identifier: GPL-3.0-or-later
// MLton's enter, add and leave as statements, and of which sources' pairs they speak:
// those of a local stack.

#include "compat.h"
#include "options.h"
#include "scopes.h"
#include "stack-inside.h"
#include "stack.h"

void stack_add_entry(struct stack_entries *entries, tree function)
{
    tree pair = function ? stack_pair(function) : NULL_TREE;

    for (unsigned i = 0; i < entries->count; i++)
        if (entries->pair[i] == pair)
            return;
    if (pair && entries->count < CCPROF_STACK_ENTRIES)
        entries->pair[entries->count++] = pair;
}

void stack_find_entries(struct stack_entries *entries, tree scope)
{
    entries->count = 0;
    if (options.mark != OPTIONS_MARK_SOURCE || !scope) {
        stack_add_entry(entries, DECL_ORIGIN(current_function_decl));
        return;
    }
    for (; scope; scope = scopes_parent(scope))
        stack_add_entry(entries, scopes_function(scope));
}

static tree load_number(gimple_seq *to, tree from, int offset)
{
    return stack_load(to, stack_number_type(),
                      stack_memory(stack_number_type(), from, offset));
}

// What the pair has is AMOUNT more or less, as CODE says, if it is entered for the first
// time at DEPTH.
static void change_pair(gimple_seq *to, tree pair, tree depth, enum tree_code code,
                        tree amount)
{
    tree part = gimple_build(to, BIT_AND_EXPR, stack_number_type(), amount,
                             stack_if_first(to, depth));
    tree before = load_number(to, pair, 8);

    stack_store(to, stack_memory(stack_number_type(), pair, 8),
                gimple_build(to, code, stack_number_type(), before, part));
}

void stack_add_amount(gimple_seq *to, const struct stack_entries *entries, tree amount)
{
    tree thread = stack_load_thread(to);
    tree total = load_number(to, thread, STACK_THREAD_FIELD(total));
    tree sum = gimple_build(to, PLUS_EXPR, stack_number_type(), total, amount);

    stack_store(to, stack_memory(stack_number_type(), thread, STACK_THREAD_FIELD(total)),
                sum);
    if (!entries->count)
        return;
    tree delta = stack_load_word(to, sizetype, 1);
    for (unsigned i = 0; i < entries->count; i++) {
        tree pair = stack_own_pair(to, entries->pair[i], delta);
        tree depth = load_number(to, pair, 0);
        change_pair(to, pair, depth, PLUS_EXPR, amount);
    }
}

void stack_add(gimple_seq *to, tree scope, tree amount)
{
    struct stack_entries entries;

    stack_find_entries(&entries, scope);
    stack_add_amount(to, &entries, amount);
}

void stack_enter(gimple_seq *to, const struct stack_frame *frame,
                 const struct stack_entries *entries)
{
    tree new_top = make_ssa_name(ptr_type_node);
    tree total;

    gimple_seq_add_stmt(to, gimple_build_assign(new_top, POINTER_PLUS_EXPR, frame->top,
                                                size_int(8 * entries->count)));
    stack_store(to, stack_memory(ptr_type_node, frame->thread, STACK_THREAD_FIELD(top)),
                new_top);
    total = load_number(to, frame->thread, STACK_THREAD_FIELD(total));
    for (unsigned i = 0; i < entries->count; i++) {
        tree pair = stack_own_pair(to, entries->pair[i], frame->delta);
        stack_store(to, stack_memory(ptr_type_node, frame->top, 8 * i), pair);
        tree depth = load_number(to, pair, 0);
        change_pair(to, pair, depth, MINUS_EXPR, total);
        stack_store(
            to, stack_memory(stack_number_type(), pair, 0),
            gimple_build(to, PLUS_EXPR, stack_number_type(), depth, stack_number(1)));
    }
}

void stack_leave(gimple_seq *to, const struct stack_frame *frame,
                 const struct stack_entries *entries)
{
    tree total;

    stack_store(to, stack_memory(ptr_type_node, frame->thread, STACK_THREAD_FIELD(top)),
                frame->top);
    total = load_number(to, frame->thread, STACK_THREAD_FIELD(total));
    for (unsigned i = 0; i < entries->count; i++) {
        tree pair = stack_own_pair(to, entries->pair[i], frame->delta);
        tree depth = load_number(to, pair, 0);
        tree less =
            gimple_build(to, MINUS_EXPR, stack_number_type(), depth, stack_number(1));
        stack_store(to, stack_memory(stack_number_type(), pair, 0), less);
        change_pair(to, pair, less, PLUS_EXPR, total);
    }
}
