// SPDX-License-Identifier: GPL-3.0-or-later
// Makes calls of steps, and the lists that say what these do.

#include "plugin/gcc/compat.h"
#include "plugin/count/storage.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive_step.h"

// The word in front of a list.
#define LEAVES(count) ((count) << 8)
#define ENTERS(count) ((count) << 15)
#define NUMBER(count) ((unsigned)(count) << 22)
#define HAS_COUNTER   (1u << 31)

static void push_left(vec<unsigned> *words, const struct inclusive_action *action)
{
    words->safe_push(inclusive_list_depth(action->from));
    for (const struct inclusive_list *l = action->from; l != action->least; l = l->around)
        words->safe_push(l->pair);
}

static void push_entered(vec<unsigned> *words, const struct inclusive_action *action)
{
    unsigned end = words->length() + inclusive_list_depth(action->to) -
                   inclusive_list_depth(action->least);

    words->safe_grow(end);
    for (const struct inclusive_list *l = action->to; l != action->least; l = l->around)
        (*words)[--end] = l->pair;
}

static gimple *make_step(const struct inclusive_action *action,
                         const struct inclusive_sum *sum,
                         const struct inclusive_frame *frame, unsigned row)
{
    auto_vec<unsigned> words;
    char *counter = action->counter >= 0
                        ? inclusive_step_counter(storage_variable(row), action->counter)
                        : NULL;
    unsigned least = inclusive_list_depth(action->least);

    words.safe_push(sum->shares.length() |
                    LEAVES(inclusive_list_depth(action->from) - least) |
                    ENTERS(inclusive_list_depth(action->to) - least) |
                    NUMBER(sum->number) | (counter ? HAS_COUNTER : 0));
    if (action->cuts)
        push_left(&words, action);
    for (const auto &share : sum->shares)
        words.safe_push(share.first->pair |
                        (unsigned)share.second * INCLUSIVE_STEP_PAIRS);
    push_entered(&words, action);
    unsigned list = inclusive_pairs_words(words, counter);
    free(counter);
    return inclusive_step_call(action->cuts ? INCLUSIVE_STEP_CUT : INCLUSIVE_STEP_ADD,
                               list, action->cuts ? frame->top : NULL_TREE);
}

static gimple *make_amount(const struct inclusive_sum *sum)
{
    auto_vec<unsigned> words;
    tree amount = sum->amount ? sum->amount : inclusive_number(sum->number);

    words.safe_push(sum->shares.length());
    for (const auto &share : sum->shares)
        words.safe_push(share.first->pair);
    return inclusive_step_call(INCLUSIVE_STEP_AMOUNT, inclusive_pairs_words(words, NULL),
                               amount);
}

static bool only_adds(const struct inclusive_action *action)
{
    return !action->cuts && action->from == action->to;
}

static bool only_checks(const struct inclusive_action *action)
{
    return action->cuts && !action->count && action->from == action->least &&
           action->from == action->to;
}

static void append_step(gimple_seq *to, const struct inclusive_action *action,
                        const struct inclusive_sum *sum,
                        const struct inclusive_frame *frame, unsigned row)
{
    if (only_checks(action))
        gimple_seq_add_stmt(to, inclusive_step_check(inclusive_top_at(
                                    to, frame, inclusive_list_depth(action->from))));
    else if (sum->amount || sum->number >= INCLUSIVE_STEP_NUMBER)
        gimple_seq_add_stmt(to, make_amount(sum));
    else if (only_adds(action) && sum->shares.is_empty())
        inclusive_append_sum(to, sum, action, frame, row);
    else
        gimple_seq_add_stmt(to, make_step(action, sum, frame, row));
}

static void insert(const struct inclusive_action *action, gimple_seq statements)
{
    if (action->is_behind)
        return inclusive_insert_behind(action->statement, statements);
    gimple_stmt_iterator gsi = action->statement ? gsi_for_stmt(action->statement)
                                                 : gsi_after_labels(action->bb);
    if (action->statement)
        annotate_all_with_location(statements, gimple_location(action->statement));
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

void inclusive_do_step(const struct inclusive_action *action,
                       const struct inclusive_actions *actions,
                       const struct inclusive_frame *frame, unsigned row)
{
    gimple_seq statements = NULL;
    struct inclusive_sum sum = {};

    if (action->count)
        inclusive_find_sum(&sum, &statements, action, actions->additions, row);
    append_step(&statements, action, &sum, frame, row);
    insert(action, statements);
    inclusive_replace_additions(action, actions->additions);
}

gimple_seq inclusive_step_statements(const struct inclusive_action *move,
                                     const struct inclusive_frame *frame)
{
    struct inclusive_action step = *move;
    struct inclusive_sum sum = {};
    gimple_seq statements = NULL;

    step.least = inclusive_list_common(step.from, step.to);
    step.cuts = step.least != step.from;
    append_step(&statements, &step, &sum, frame, 0);
    return statements;
}
