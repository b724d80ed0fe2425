// SPDX-License-Identifier: GPL-3.0-or-later
// The amount that a store adds is known if three statements are together: the load of the
// counter, the sum, and the store.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/options.h"
#include "plugin/count/storage.h"
#include "plugin/count/counter.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive_step.h"
#include "plugin/inclusive/inclusive.h"
#include "rt/format.h"

// Inclusive counts are bytes if bytes are measured, otherwise calls.
tree inclusive_stored_counter(const gimple *stmt)
{
    const gassign *assign = dyn_cast<const gassign *>(stmt);
    bool adds_calls = !options_measures(CCPROF_KIND_ALLOC);
    tree to = assign && adds_calls ? gimple_assign_lhs(assign) : NULL_TREE;

    return to && VAR_P(to) && counter_is(to) && counter_counts(to).calls ? to : NULL_TREE;
}

bool inclusive_is_amount(const gimple *stmt)
{
    const gassign *assign = dyn_cast<const gassign *>(stmt);
    return assign && gimple_assign_lhs(assign) == inclusive_amount_place();
}

void inclusive_add(gimple_seq *statements, tree amount)
{
    inclusive_store(statements, inclusive_amount_place(), amount);
}

static gassign *definition(tree value)
{
    return TREE_CODE(value) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(value))
                                        : NULL;
}

// sum_of returns the sum that is stored to the counter, and load_of the load of the
// counter for this sum. They return NULL if the statements were moved apart.
static gassign *sum_of(const gassign *store)
{
    gassign *sum = definition(gimple_assign_rhs1(store));
    return sum && gimple_assign_rhs_code(sum) == PLUS_EXPR &&
                   TREE_CODE(gimple_assign_rhs2(sum)) == INTEGER_CST &&
                   has_single_use(gimple_assign_lhs(sum))
               ? sum
               : NULL;
}

static gassign *load_of(const gassign *store, const gassign *sum)
{
    gassign *load = definition(gimple_assign_rhs1(sum));
    return load && gimple_bb(load) == gimple_bb(store) &&
                   gimple_assign_rhs1(load) == gimple_assign_lhs(store) &&
                   has_single_use(gimple_assign_lhs(load))
               ? load
               : NULL;
}

struct inclusive_addition inclusive_addition_of(gimple *statement,
                                                struct inclusive_list *list)
{
    const gassign *store = as_a<const gassign *>(statement);
    tree counter = inclusive_stored_counter(statement),
         amount = gimple_assign_rhs1(store);
    struct inclusive_addition addition = {statement, counter, list, false, 0, false};

    if (counter) {
        const gassign *sum = sum_of(store);
        amount = sum && load_of(store, sum) ? gimple_assign_rhs2(sum) : NULL_TREE;
    }
    if (amount && TREE_CODE(amount) == INTEGER_CST) {
        addition.is_number = true;
        addition.number = tree_to_uhwi(amount);
    }
    addition.fits = counter && !counter_counts(counter).edge && addition.is_number &&
                    addition.number < INCLUSIVE_STEP_NUMBER;
    return addition;
}

// Returns true if the sum needs a share of the addition for the source. If the source is
// never twice on a stack, the tables derive its share from the counter that replaces the
// addition.
static bool has_share(const struct inclusive_addition *addition,
                      const struct inclusive_list *list)
{
    return !addition->fits || !list->once;
}

unsigned inclusive_count_shares(const struct inclusive_action *action,
                                const vec<inclusive_addition> &additions)
{
    auto_vec<unsigned> pairs;

    for (unsigned i = 0; i < action->count; i++) {
        const struct inclusive_addition *addition = &additions[action->first + i];
        for (const struct inclusive_list *list = addition->list; list != action->least;
             list = list->around)
            if (has_share(addition, list) && !pairs.contains(list->pair))
                pairs.safe_push(list->pair);
    }
    return pairs.length();
}

static void add_share(struct inclusive_sum *sum, const struct inclusive_list *list,
                      unsigned HOST_WIDE_INT number)
{
    for (auto &share : sum->shares)
        if (share.first->pair == list->pair) {
            share.second += number;
            return;
        }
    sum->shares.safe_push({list, number});
}

void inclusive_find_sum(struct inclusive_sum *sum, gimple_seq *to,
                        const struct inclusive_action *action,
                        const vec<inclusive_addition> &additions, unsigned row)
{
    for (unsigned i = 0; i < action->count; i++) {
        const struct inclusive_addition *addition = &additions[action->first + i];
        unsigned HOST_WIDE_INT counted = addition->fits ? addition->number : 0;
        sum->number += addition->number;
        for (unsigned HOST_WIDE_INT n = 0; n < counted; n++)
            inclusive_pairs_calls(row, action->counter, DECL_CONTEXT(addition->counter));
        for (const struct inclusive_list *list = addition->list; list != action->least;
             list = list->around)
            if (has_share(addition, list))
                add_share(sum, list, addition->number);
            else
                for (unsigned HOST_WIDE_INT n = 0; n < counted; n++)
                    inclusive_pairs_inclusive(row, action->counter, list->pair);
    }
    // An addition of a variable amount is the only one in its sum.
    if (!action->count || additions[action->first].is_number)
        return;
    const struct inclusive_addition *first = &additions[action->first];
    sum->amount = gimple_assign_rhs1(as_a<const gassign *>(first->statement));
    if (first->counter) {
        tree before = inclusive_load(to, inclusive_number_type(), first->counter);
        sum->amount =
            gimple_build(to, MINUS_EXPR, inclusive_number_type(), sum->amount, before);
    }
}

void inclusive_append_sum(gimple_seq *to, const struct inclusive_sum *sum,
                          const struct inclusive_action *action,
                          const struct inclusive_frame *frame, unsigned row)
{
    tree amount = sum->amount ? sum->amount : inclusive_number(sum->number);

    if (action->counter >= 0)
        storage_add(to, row, action->counter, inclusive_number(1));
    inclusive_change(to, frame->thread, INCLUSIVE_THREAD_FIELD(total), PLUS_EXPR, amount);
    for (const auto &share : sum->shares) {
        unsigned pair = sizeof(struct ccprof_pair) * share.first->pair;
        amount = sum->amount ? sum->amount : inclusive_number(share.second);
        // The share is only added if the source is not on the stack.
        if (!share.first->once) {
            tree depth = inclusive_load(
                to, inclusive_number_type(),
                inclusive_memory(inclusive_number_type(), frame->own, pair));
            amount = gimple_build(to, BIT_AND_EXPR, inclusive_number_type(), amount,
                                  inclusive_if_first(to, depth));
        }
        inclusive_change(to, frame->own, pair + 8, PLUS_EXPR, amount);
    }
}

void inclusive_remove(gimple *stmt)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(stmt);

    unlink_stmt_vdef(stmt);
    gsi_remove(&gsi, true);
    release_defs(stmt);
}

// Returns a reference to the counter that is not volatile. For the module's counters
// storage.cc does this.
static tree plain(tree counter)
{
    return DECL_THREAD_LOCAL_P(counter)
               ? build2(MEM_REF, inclusive_number_type(), build_fold_addr_expr(counter),
                        build_int_cst(build_pointer_type(inclusive_number_type()), 0))
               : counter;
}

static void make_plain(gassign *store, tree counter)
{
    gassign *sum = definition(gimple_assign_rhs1(store));
    gassign *load = sum ? definition(gimple_assign_rhs1(sum)) : NULL;

    gimple_assign_set_lhs(store, plain(counter));
    update_stmt(store);
    if (load && gimple_assign_rhs1(load) == counter) {
        gimple_assign_set_rhs1(load, plain(counter));
        update_stmt(load);
    }
}

void inclusive_replace_additions(const struct inclusive_action *action,
                                 const vec<inclusive_addition> &additions)
{
    for (unsigned i = 0; i < action->count; i++) {
        const struct inclusive_addition *addition = &additions[action->first + i];
        gassign *store = as_a<gassign *>(addition->statement);
        if (addition->counter && !addition->fits) {
            make_plain(store, addition->counter);
            continue;
        }
        gassign *sum = addition->counter ? sum_of(store) : NULL;
        gassign *load = sum ? load_of(store, sum) : NULL;
        inclusive_remove(store);
        if (sum) {
            inclusive_remove(sum);
            inclusive_remove(load);
        }
    }
}
