// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the statements for inclusive counts: loads and stores of the thread's word,
// calls of the stub, and sums of counters.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/options.h"
#include "plugin/count/threadword.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive.h"
#include "plugin/count/storage.h"
#include "plugin/count/counter.h"
#include "plugin/inclusive/inclusive_step.h"
#include "rt/format.h"

// The symbols that the added code uses: the thread's words or their place, functions of
// the stub, and the variable to which amounts are stored (amount_place).
static struct {
    tree word, grow, enter, leave, tell, cut;
    tree amount;
} externals;

static const struct ggc_root_tab roots[] = {
    {&externals, sizeof externals / sizeof(tree), sizeof(tree), &gt_ggc_mx_tree_node,
     &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

void inclusive_code_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
}

// Declares a function of the stub with POINTERS parameters, which are all pointers.
static tree make_function(const char *name, unsigned pointers)
{
    tree types[] = {ptr_type_node, ptr_type_node, ptr_type_node, ptr_type_node};
    tree function = artificial_function(
        name, build_function_type_array(void_type_node, pointers, types));

    cgraph_node::get_create(function);
    return function;
}

static tree declare_word(void)
{
    if (threadword_is_placed())
        return threadword_declare_place(INCLUSIVE_WORD);
    tree word = threadword_declare(INCLUSIVE_WORD,
                                   build_array_type_nelts(inclusive_number_type(), 2));
    TREE_ADDRESSABLE(word) = 1;
    return word;
}

static void make_externals(void)
{
    if (externals.word)
        return;
    externals.word = declare_word();
    externals.grow = make_function("ccprof_attach_grow", 1);
    externals.enter = make_function("ccprof_attach_enter", 3);
    externals.leave = make_function("ccprof_attach_leave", 4);
    externals.tell = make_function("ccprof_attach_tell", 1);
    externals.cut = make_function("ccprof_attach_cut", 2);
}

// The variable is never defined, because the statements that store to it are replaced.
static tree amount_place(void)
{
    if (!externals.amount)
        externals.amount = artificial_external("ccprof_amount", inclusive_number_type());
    return externals.amount;
}

tree inclusive_number(HOST_WIDE_INT value)
{
    return build_int_cst(inclusive_number_type(), value);
}

tree inclusive_memory(tree type, tree pointer, unsigned offset)
{
    return build2(MEM_REF, type, pointer,
                  build_int_cst(build_pointer_type(type), offset));
}

tree inclusive_load(gimple_seq *to, tree type, tree reference)
{
    tree value = make_ssa_name(type);
    gimple_seq_add_stmt(to, gimple_build_assign(value, reference));
    return value;
}

void inclusive_store(gimple_seq *to, tree reference, tree value)
{
    gimple_seq_add_stmt(to, gimple_build_assign(reference, value));
}

void inclusive_change(gimple_seq *to, tree pointer, unsigned offset, enum tree_code code,
                      tree amount)
{
    tree before =
        inclusive_load(to, inclusive_number_type(),
                       inclusive_memory(inclusive_number_type(), pointer, offset));

    inclusive_store(to, inclusive_memory(inclusive_number_type(), pointer, offset),
                    gimple_build(to, code, inclusive_number_type(), before, amount));
}

tree inclusive_if_first(gimple_seq *to, tree depth)
{
    tree is = gimple_build(to, EQ_EXPR, boolean_type_node, depth, inclusive_number(0));
    return gimple_build(to, NEGATE_EXPR, inclusive_number_type(),
                        gimple_convert(to, inclusive_number_type(), is));
}

// The two words that the thread has for the module. THREAD points to the thread's struct
// ccprof_stack_thread. DELTA must be added to the address of a pair.
enum { THREAD, DELTA };

static tree find_words(gimple_seq *to)
{
    make_externals();
    return threadword_is_placed() ? threadword_find_own(to, externals.word)
                                  : build_fold_addr_expr(externals.word);
}

static tree load_word(gimple_seq *to, tree type, unsigned index)
{
    return inclusive_load(to, type,
                          build2(MEM_REF, type, find_words(to),
                                 build_int_cst(build_pointer_type(type), 8 * index)));
}

static tree load_field(gimple_seq *to, tree thread, unsigned offset)
{
    return inclusive_load(to, ptr_type_node,
                          inclusive_memory(ptr_type_node, thread, offset));
}

tree inclusive_top_at(gimple_seq *to, const struct inclusive_frame *frame, unsigned depth)
{
    if (!depth)
        return frame->top;
    tree top = make_ssa_name(ptr_type_node);
    gimple_seq_add_stmt(
        to, gimple_build_assign(top, POINTER_PLUS_EXPR, frame->top, size_int(8 * depth)));
    return top;
}

gcall *inclusive_call_cut(const struct inclusive_frame *frame, tree top)
{
    return gimple_build_call(externals.cut, 2, frame->thread, top);
}

gcall *inclusive_call_enter(const struct inclusive_frame *frame, tree list)
{
    return gimple_build_call(externals.enter, 3, frame->thread, frame->pairs, list);
}

gcall *inclusive_call_leave(const struct inclusive_frame *frame, tree list, tree top)
{
    return gimple_build_call(externals.leave, 4, frame->thread, frame->pairs, list, top);
}

void inclusive_append_report(gimple_seq *to, const struct inclusive_frame *frame)
{
    if (options.trace)
        gimple_seq_add_stmt(to, gimple_build_call(externals.tell, 1, frame->thread));
}

// Inserts code that calls ccprof_attach_grow if the stack has no room. Returns the block
// after this code.
static basic_block make_room(basic_block bb)
{
    gimple_seq check = NULL;
    tree thread = load_word(&check, ptr_type_node, THREAD);
    tree top = load_field(&check, thread, INCLUSIVE_THREAD_FIELD(top));
    tree limit = load_field(&check, thread, INCLUSIVE_THREAD_FIELD(limit));
    gimple *last = gimple_seq_last_stmt(check);
    gimple_stmt_iterator gsi = gsi_start_bb(bb);

    gsi_insert_seq_after(&gsi, check, GSI_CONTINUE_LINKING);
    gcond *full = gimple_build_cond(GE_EXPR, top, limit, NULL_TREE, NULL_TREE);
    basic_block growing =
        insert_cond_bb(gimple_bb(last), last, full, profile_probability::very_unlikely());
    gsi = gsi_start_bb(growing);
    gimple_seq grow = NULL;
    tree words = find_words(&grow);
    gimple_seq_add_stmt(&grow, gimple_build_call(externals.grow, 1, words));
    gsi_insert_seq_after(&gsi, grow, GSI_NEW_STMT);
    return single_succ(growing);
}

void inclusive_make_frame(struct inclusive_frame *frame, bool enters, bool in_steps)
{
    gimple_seq statements = NULL;
    basic_block bb = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));

    // A step makes room itself.
    if (enters && !in_steps)
        bb = make_room(bb);
    *frame = {load_word(&statements, ptr_type_node, THREAD), NULL_TREE, NULL_TREE};
    if (enters && in_steps) {
        frame->top = make_ssa_name(ptr_type_node);
        gimple_seq_add_stmt(&statements, inclusive_step_begin(frame->top));
    } else if (enters) {
        frame->top = load_field(&statements, frame->thread, INCLUSIVE_THREAD_FIELD(top));
    }
    if (!in_steps) {
        tree delta = load_word(&statements, sizetype, DELTA);
        frame->pairs = make_ssa_name(ptr_type_node);
        gimple_seq_add_stmt(&statements,
                            gimple_build_assign(frame->pairs, POINTER_PLUS_EXPR,
                                                build_fold_addr_expr(inclusive_pairs()),
                                                delta));
    }
    gimple_stmt_iterator gsi = gsi_after_labels(bb);
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

// Loads the number of times that the thread has entered profiled allocators. Code around
// a call of an allocator compares this number before and after the call. So it finds out
// whether a profiled allocator was called, in any module and by any call. A reader of the
// profile could not find this out, because inclusive counts do not show which call added
// to them.
static tree load_allocators(gimple_seq *to, tree thread)
{
    return inclusive_load(to, inclusive_number_type(),
                          inclusive_memory(inclusive_number_type(), thread,
                                           INCLUSIVE_THREAD_FIELD(allocators)));
}

void inclusive_enter_allocator(void)
{
    gimple_seq statements = NULL;

    // Without pairs, threads have no words for the module.
    if (inclusive_pair(current_function_decl) < 0)
        return;
    inclusive_change(&statements, load_word(&statements, ptr_type_node, THREAD),
                     INCLUSIVE_THREAD_FIELD(allocators), PLUS_EXPR, inclusive_number(1));
    gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
                                     statements);
}

bool inclusive_note_allocators(gimple_seq *before, gcall *call,
                               struct inclusive_allocators *noted)
{
    if (gimple_call_must_tail_p(call) || leaf_is_call(call))
        return false;
    gimple_call_set_tail(call, false);
    noted->thread = load_word(before, ptr_type_node, THREAD);
    noted->entered = load_allocators(before, noted->thread);
    return true;
}

tree inclusive_no_allocator(gimple_seq *behind, const struct inclusive_allocators *noted)
{
    return gimple_build(behind, EQ_EXPR, boolean_type_node,
                        load_allocators(behind, noted->thread), noted->entered);
}

// Additions and sums. The amount that a store adds is known if three statements are
// together: the load of the counter, the sum, and the store.

// If bytes are measured, inclusive counts are numbers of bytes, otherwise numbers of
// calls.
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
    return assign && gimple_assign_lhs(assign) == amount_place();
}

void inclusive_add(gimple_seq *statements, tree amount)
{
    inclusive_store(statements, amount_place(), amount);
}

static gassign *find_definition(tree value)
{
    return TREE_CODE(value) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(value))
                                        : NULL;
}

// sum_of returns the sum that is stored to the counter, and load_of the load of the
// counter for this sum. Both return NULL if the statements were moved apart.
static gassign *sum_of(const gassign *store)
{
    gassign *sum = find_definition(gimple_assign_rhs1(store));
    return sum && gimple_assign_rhs_code(sum) == PLUS_EXPR &&
                   TREE_CODE(gimple_assign_rhs2(sum)) == INTEGER_CST &&
                   has_single_use(gimple_assign_lhs(sum))
               ? sum
               : NULL;
}

static gassign *load_of(const gassign *store, const gassign *sum)
{
    gassign *load = find_definition(gimple_assign_rhs1(sum));
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
             list = list->outer)
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
             list = list->outer)
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
                inclusive_memory(inclusive_number_type(), frame->pairs, pair));
            amount = gimple_build(to, BIT_AND_EXPR, inclusive_number_type(), amount,
                                  inclusive_if_first(to, depth));
        }
        inclusive_change(to, frame->pairs, pair + 8, PLUS_EXPR, amount);
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
static tree non_volatile(tree counter)
{
    return DECL_THREAD_LOCAL_P(counter)
               ? build2(MEM_REF, inclusive_number_type(), build_fold_addr_expr(counter),
                        build_int_cst(build_pointer_type(inclusive_number_type()), 0))
               : counter;
}

static void make_plain(gassign *store, tree counter)
{
    gassign *sum = find_definition(gimple_assign_rhs1(store));
    gassign *load = sum ? find_definition(gimple_assign_rhs1(sum)) : NULL;

    gimple_assign_set_lhs(store, non_volatile(counter));
    update_stmt(store);
    if (load && gimple_assign_rhs1(load) == counter) {
        gimple_assign_set_rhs1(load, non_volatile(counter));
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
