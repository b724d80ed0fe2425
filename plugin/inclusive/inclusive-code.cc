// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/options.h"
#include "plugin/count/threadword.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive.h"
#include "plugin/inclusive/inclusive_step.h"

// The symbols that the added code uses: the thread's words or their place, functions of
// the stub, and the variable to which amounts are stored (inclusive_amount_place).
static struct {
    tree word, grow, enter, leave, tell, cut;
    tree amount_place;
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
tree inclusive_amount_place(void)
{
    if (!externals.amount_place)
        externals.amount_place =
            artificial_external("ccprof_amount", inclusive_number_type());
    return externals.amount_place;
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
    return gimple_build_call(externals.enter, 3, frame->thread, frame->own, list);
}

gcall *inclusive_call_leave(const struct inclusive_frame *frame, tree list, tree top)
{
    return gimple_build_call(externals.leave, 4, frame->thread, frame->own, list, top);
}

void inclusive_append_tell(gimple_seq *to, const struct inclusive_frame *frame)
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
        frame->own = make_ssa_name(ptr_type_node);
        gimple_seq_add_stmt(&statements,
                            gimple_build_assign(frame->own, POINTER_PLUS_EXPR,
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

    // Without pairs the module has no words of the thread.
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
