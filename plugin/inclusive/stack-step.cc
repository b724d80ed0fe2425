// SPDX-License-Identifier: GPL-3.0-or-later
// Steps as calls, and the lists that say what they do.

#include "plugin/gcc/compat.h"
#include "plugin/count/cells.h"
#include "plugin/inclusive/stack-inside.h"
#include "plugin/inclusive/stack_step.h"

// The word in front of a list.
#define LEAVES(count) ((count) << 8)
#define ENTERS(count) ((count) << 15)
#define NUMBER(count) ((unsigned)(count) << 22)
#define HAS_CELL      (1u << 31)

static void push_left(vec<unsigned> *words, const struct stack_action *action)
{
    words->safe_push(stack_list_depth(action->from));
    for (const struct stack_list *l = action->from; l != action->least; l = l->around)
        words->safe_push(l->pair);
}

static void push_entered(vec<unsigned> *words, const struct stack_action *action)
{
    unsigned end =
        words->length() + stack_list_depth(action->to) - stack_list_depth(action->least);

    words->safe_grow(end);
    for (const struct stack_list *l = action->to; l != action->least; l = l->around)
        (*words)[--end] = l->pair;
}

static gimple *make_step(const struct stack_action *action, const struct stack_sum *sum,
                         const struct stack_frame *frame, unsigned row)
{
    auto_vec<unsigned> words;
    char *cell =
        action->cell >= 0 ? stack_step_cell(cells_row_variable(row), action->cell) : NULL;
    unsigned least = stack_list_depth(action->least);

    words.safe_push(sum->parts.length() | LEAVES(stack_list_depth(action->from) - least) |
                    ENTERS(stack_list_depth(action->to) - least) | NUMBER(sum->number) |
                    (cell ? HAS_CELL : 0));
    if (action->cuts)
        push_left(&words, action);
    for (const auto &part : sum->parts)
        words.safe_push(part.first->pair | (unsigned)part.second * STACK_STEP_PAIRS);
    push_entered(&words, action);
    unsigned list = stack_pairs_words(words, cell);
    free(cell);
    return stack_step_call(action->cuts ? STACK_STEP_CUT : STACK_STEP_ADD, list,
                           action->cuts ? frame->top : NULL_TREE);
}

static gimple *make_amount(const struct stack_sum *sum)
{
    auto_vec<unsigned> words;
    tree amount = sum->amount ? sum->amount : stack_number(sum->number);

    words.safe_push(sum->parts.length());
    for (const auto &part : sum->parts)
        words.safe_push(part.first->pair);
    return stack_step_call(STACK_STEP_AMOUNT, stack_pairs_words(words, NULL), amount);
}

static bool only_adds(const struct stack_action *action)
{
    return !action->cuts && action->from == action->to;
}

static bool only_checks(const struct stack_action *action)
{
    return action->cuts && !action->count && action->from == action->least &&
           action->from == action->to;
}

static void append_step(gimple_seq *to, const struct stack_action *action,
                        const struct stack_sum *sum, const struct stack_frame *frame,
                        unsigned row)
{
    if (only_checks(action))
        gimple_seq_add_stmt(to, stack_step_check(stack_top_at(
                                    to, frame, stack_list_depth(action->from))));
    else if (sum->amount || sum->number >= STACK_STEP_NUMBER)
        gimple_seq_add_stmt(to, make_amount(sum));
    else if (only_adds(action) && sum->parts.is_empty())
        stack_append_sum(to, sum, action, frame, row);
    else
        gimple_seq_add_stmt(to, make_step(action, sum, frame, row));
}

static void insert(const struct stack_action *action, gimple_seq statements)
{
    if (action->is_behind)
        return stack_insert_behind(action->statement, statements);
    gimple_stmt_iterator gsi = action->statement ? gsi_for_stmt(action->statement)
                                                 : gsi_after_labels(action->bb);
    if (action->statement)
        annotate_all_with_location(statements, gimple_location(action->statement));
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

void stack_do_step(const struct stack_action *action, const struct stack_actions *actions,
                   const struct stack_frame *frame, unsigned row)
{
    gimple_seq statements = NULL;
    struct stack_sum sum = {};

    if (action->count)
        stack_find_sum(&sum, &statements, action, actions->additions, row);
    append_step(&statements, action, &sum, frame, row);
    insert(action, statements);
    stack_replace_additions(action, actions->additions);
}

gimple_seq stack_step_statements(const struct stack_action *move,
                                 const struct stack_frame *frame)
{
    struct stack_action step = *move;
    struct stack_sum sum = {};
    gimple_seq statements = NULL;

    step.least = stack_list_common(step.from, step.to);
    step.cuts = step.least != step.from;
    append_step(&statements, &step, &sum, frame, 0);
    return statements;
}
