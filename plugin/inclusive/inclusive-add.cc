// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the statements that add, and puts one sum in the place of several, as the sources
// of their local stacks see it.  Calls that are counted in a basic block become one
// counter that counts the block: the tables say whose calls those were.  Sources that
// never stand twice on a stack need nothing else, either.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/scopes.h"
#include "plugin/count/storage.h"
#include "plugin/count/counter.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive_step.h"
#include "plugin/inclusive/inclusive.h"

// Bytes, if they are measured, otherwise calls.
static bool adds_calls(void)
{
    return !options_measures(CCPROF_KIND_ALLOC);
}

tree inclusive_stored_counter(const gimple *stmt)
{
    const gassign *assign = dyn_cast<const gassign *>(stmt);
    tree to = assign && adds_calls() ? gimple_assign_lhs(assign) : NULL_TREE;

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

// Where the counter's function itself was inlined, whatever scope the statement has.
static tree find_counted(tree scope, tree counted)
{
    while (scope && scopes_function(scope) != DECL_ORIGIN(counted))
        scope = scopes_parent(scope);
    return scope;
}

struct inclusive_list *inclusive_list_around_counter(tree scope, tree counted)
{
    tree found = find_counted(scope, counted);

    if (!found)
        return inclusive_list_of(scope);
    return scopes_parent(found) ? inclusive_list_of(scopes_parent(found)) : NULL;
}

struct inclusive_list *inclusive_list_of_counter(tree scope, tree counted)
{
    tree found = find_counted(scope, counted);
    struct inclusive_list *list = inclusive_list_of(found ? found : scope);
    return options.mark == OPTIONS_MARK_SOURCE
               ? inclusive_list_within(list, DECL_ORIGIN(counted))
               : list;
}

static gassign *definition(tree value)
{
    return TREE_CODE(value) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(value))
                                        : NULL;
}

// The sum that a counter is set to, and the load of what it was, where these stand
// together, as they do unless they were moved; else NULL.
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

// What the statement adds, if that is a number, else NULL_TREE.
static tree constant_amount(const struct inclusive_addition *addition)
{
    const gassign *store = as_a<const gassign *>(addition->statement);

    if (!addition->counter) {
        tree amount = gimple_assign_rhs1(store);
        return TREE_CODE(amount) == INTEGER_CST ? amount : NULL_TREE;
    }
    const gassign *sum = sum_of(store);
    return sum && load_of(store, sum) ? gimple_assign_rhs2(sum) : NULL_TREE;
}

bool inclusive_is_constant(const struct inclusive_addition *addition)
{
    return constant_amount(addition) != NULL_TREE;
}

unsigned HOST_WIDE_INT inclusive_constant(const struct inclusive_addition *addition)
{
    return tree_to_uhwi(constant_amount(addition));
}

bool inclusive_fits_counter(const struct inclusive_addition *addition)
{
    return addition->counter && !counter_counts(addition->counter).edge &&
           inclusive_is_constant(addition) &&
           inclusive_constant(addition) < INCLUSIVE_STEP_NUMBER;
}

static void remove(gimple *stmt)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(stmt);

    unlink_stmt_vdef(stmt);
    gsi_remove(&gsi, true);
    release_defs(stmt);
}

void inclusive_drop_amount(gimple *stmt)
{
    remove(stmt);
}

static void remove_counting(gassign *store)
{
    gassign *sum = sum_of(store), *load = load_of(store, sum);

    remove(store);
    remove(sum);
    remove(load);
}

// The counter in a reference that is not volatile any more; storage.cc does that for the
// module's counters.
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

static void add_part(struct inclusive_sum *sum, const struct inclusive_list *list,
                     unsigned HOST_WIDE_INT number)
{
    for (auto &share : sum->shares)
        if (share.first->pair == list->pair) {
            share.second += number;
            return;
        }
    sum->shares.safe_push({list, number});
}

static void note(struct inclusive_sum *sum, const struct inclusive_action *action,
                 unsigned row, const struct inclusive_addition *addition)
{
    tree amount = constant_amount(addition);
    bool fits = inclusive_fits_counter(addition);
    unsigned HOST_WIDE_INT number = amount ? tree_to_uhwi(amount) : 0;

    sum->number += number;
    for (unsigned HOST_WIDE_INT i = 0; fits && i < number; i++)
        inclusive_pairs_calls(row, action->counter, DECL_CONTEXT(addition->counter));
    for (const struct inclusive_list *list = addition->list; list != action->least;
         list = list->around) {
        if (!fits || !list->once)
            add_part(sum, list, number);
        for (unsigned HOST_WIDE_INT i = 0; fits && list->once && i < number; i++)
            inclusive_pairs_inclusive(row, action->counter, list->pair);
    }
}

// What a store that adds no constant adds.
static tree find_amount(gimple_seq *to, const struct inclusive_addition *addition)
{
    const gassign *store = as_a<const gassign *>(addition->statement);

    if (!addition->counter)
        return gimple_assign_rhs1(store);
    tree before = inclusive_load(to, inclusive_number_type(), addition->counter);
    return gimple_build(to, MINUS_EXPR, inclusive_number_type(),
                        gimple_assign_rhs1(store), before);
}

unsigned inclusive_count_shares(const struct inclusive_action *action,
                                const vec<inclusive_addition> &additions)
{
    auto_vec<unsigned> pairs;

    for (unsigned i = 0; i < action->count; i++) {
        const struct inclusive_addition *addition = &additions[action->first + i];
        bool fits = inclusive_fits_counter(addition);
        for (const struct inclusive_list *list = addition->list; list != action->least;
             list = list->around)
            if ((!fits || !list->once) && !pairs.contains(list->pair))
                pairs.safe_push(list->pair);
    }
    return pairs.length();
}

void inclusive_find_sum(struct inclusive_sum *sum, gimple_seq *to,
                        const struct inclusive_action *action,
                        const vec<inclusive_addition> &additions, unsigned row)
{
    const struct inclusive_addition *first = &additions[action->first];

    for (unsigned i = 0; i < action->count; i++)
        note(sum, action, row, &first[i]);
    if (action->count && !inclusive_is_constant(first))
        sum->amount = find_amount(to, first);
}

// What the pair has, if its source is not on the stack.
static void add_to_pair(gimple_seq *to, const struct inclusive_frame *frame,
                        const struct inclusive_list *list, tree amount)
{
    unsigned pair = sizeof(struct ccprof_pair) * list->pair;

    if (!list->once) {
        tree depth =
            inclusive_load(to, inclusive_number_type(),
                           inclusive_memory(inclusive_number_type(), frame->own, pair));
        amount = gimple_build(to, BIT_AND_EXPR, inclusive_number_type(), amount,
                              inclusive_if_first(to, depth));
    }
    inclusive_change(to, frame->own, pair + 8, PLUS_EXPR, amount);
}

void inclusive_append_sum(gimple_seq *to, const struct inclusive_sum *sum,
                          const struct inclusive_action *action,
                          const struct inclusive_frame *frame, unsigned row)
{
    tree amount = sum->amount ? sum->amount : inclusive_number(sum->number);

    if (action->counter >= 0)
        storage_add(to, row, action->counter, inclusive_number(1));
    inclusive_change(to, frame->thread, INCLUSIVE_THREAD_FIELD(total), PLUS_EXPR, amount);
    for (const auto &share : sum->shares)
        add_to_pair(to, frame, share.first,
                    sum->amount ? sum->amount : inclusive_number(share.second));
}

static void replace(const struct inclusive_addition *addition)
{
    gassign *store = as_a<gassign *>(addition->statement);

    if (!addition->counter)
        remove(store);
    else if (inclusive_fits_counter(addition))
        remove_counting(store);
    else
        make_plain(store, addition->counter);
}

void inclusive_replace_additions(const struct inclusive_action *action,
                                 const vec<inclusive_addition> &additions)
{
    for (unsigned i = 0; i < action->count; i++)
        replace(&additions[action->first + i]);
}

void inclusive_do_sum(const struct inclusive_action *action,
                      const vec<inclusive_addition> &additions,
                      const struct inclusive_frame *frame, unsigned row)
{
    gimple *last = additions[action->first + action->count - 1].statement;
    struct inclusive_sum sum = {};
    gimple_seq statements = NULL;

    inclusive_find_sum(&sum, &statements, action, additions, row);
    inclusive_append_sum(&statements, &sum, action, frame, row);
    annotate_all_with_location(statements, gimple_location(last));
    gimple_stmt_iterator gsi = gsi_for_stmt(last);
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
    inclusive_replace_additions(action, additions);
}
