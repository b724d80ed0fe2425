// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/storage.h"
#include "plugin/inclusive/inclusive-lists.h"
#include "plugin/inclusive/inclusive-pairs.h"
#include "plugin/inclusive/inclusive-steps.h"
#include "plugin/inclusive/inclusive_step.h"

// The word in front of a list.
#define LEAVES(count) ((count) << 8)
#define ENTERS(count) ((count) << 15)
#define NUMBER(count) ((unsigned)(count) << 22)
#define HAS_COUNTER   (1u << 31)

static gimple *make_step(const struct inclusive_action *action,
                         const struct inclusive_sum *sum,
                         const struct inclusive_frame *frame, unsigned row)
{
    auto_vec<unsigned> words;
    char *counter = action->counter >= 0
                        ? inclusive_step_counter(storage_variable(row), action->counter)
                        : NULL;
    unsigned from = inclusive_list_depth(action->from),
             least = inclusive_list_depth(action->least),
             entered = inclusive_list_depth(action->to) - least;

    words.safe_push(sum->shares.length() | LEAVES(from - least) | ENTERS(entered) |
                    NUMBER(sum->number) | (counter ? HAS_COUNTER : 0));
    if (action->cuts) {
        words.safe_push(from);
        for (const struct inclusive_list *l = action->from; l != action->least;
             l = l->around)
            words.safe_push(l->pair);
    }
    for (const auto &share : sum->shares)
        words.safe_push(share.first->pair |
                        (unsigned)share.second * INCLUSIVE_STEP_PAIRS);
    // Outermost first.
    unsigned end = words.length() + entered;
    words.safe_grow(end);
    for (const struct inclusive_list *l = action->to; l != action->least; l = l->around)
        words[--end] = l->pair;
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

void inclusive_append_step(gimple_seq *to, const struct inclusive_action *action,
                           const struct inclusive_sum *sum,
                           const struct inclusive_frame *frame, unsigned row)
{
    bool moves = action->from != action->least || action->from != action->to;

    if (action->cuts && !action->count && !moves)
        gimple_seq_add_stmt(to, inclusive_step_check(inclusive_top_at(
                                    to, frame, inclusive_list_depth(action->from))));
    else if (sum->amount || sum->number >= INCLUSIVE_STEP_NUMBER)
        gimple_seq_add_stmt(to, make_amount(sum));
    else if (!action->cuts && action->from == action->to && sum->shares.is_empty())
        inclusive_append_sum(to, sum, action, frame, row);
    else
        gimple_seq_add_stmt(to, make_step(action, sum, frame, row));
}
