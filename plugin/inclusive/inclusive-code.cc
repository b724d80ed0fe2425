// SPDX-License-Identifier: GPL-3.0-or-later
// Builds what the added code is made of: the words and functions of the stub's that it
// refers to, statements that read and write them, and what a function loads where it
// begins.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/options.h"
#include "plugin/count/threadword.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive_step.h"

tree inclusive_number(HOST_WIDE_INT value)
{
    return build_int_cst(inclusive_number_type(), value);
}

static tree word, grow, enter, leave, cut, tell; // variable and functions of the stub's
static tree amount_place;

static const struct ggc_root_tab roots[] = {
    {&word, 1, sizeof word, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&grow, 1, sizeof grow, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&enter, 1, sizeof enter, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&leave, 1, sizeof leave, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&tell, 1, sizeof tell, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&cut, 1, sizeof cut, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&amount_place, 1, sizeof amount_place, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

static void make_word(void)
{
    word = threadword_declare("ccprof_stack_word",
                              build_array_type_nelts(inclusive_number_type(), 2));
    TREE_ADDRESSABLE(word) = 1;
}

static tree make_function(const char *name, tree type)
{
    tree function = artificial_function(name, type);

    cgraph_node::get_create(function);
    return function;
}

static void make_externals(void)
{
    if (word)
        return;
    make_word();
    grow = make_function("ccprof_attach_grow",
                         build_function_type_list(void_type_node, ptr_type_node, NULL));
    enter = make_function("ccprof_attach_enter",
                          build_function_type_list(void_type_node, ptr_type_node,
                                                   ptr_type_node, ptr_type_node, NULL));
    leave = make_function("ccprof_attach_leave",
                          build_function_type_list(void_type_node, ptr_type_node,
                                                   ptr_type_node, ptr_type_node,
                                                   ptr_type_node, NULL));
    tell = make_function("ccprof_attach_tell",
                         build_function_type_list(void_type_node, ptr_type_node, NULL));
    cut = make_function(
        "ccprof_attach_cut",
        build_function_type_list(void_type_node, ptr_type_node, ptr_type_node, NULL));
}

// A variable that comes to nothing.
tree inclusive_amount_place(void)
{
    if (amount_place)
        return amount_place;
    amount_place = artificial_external("ccprof_amount", inclusive_number_type());
    return amount_place;
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

// One of the two words that the thread has of the module; the first is its struct
// ccprof_stack_thread, the second what is added to the address of a pair.
static tree load_word(gimple_seq *to, tree type, unsigned index)
{
    make_externals();
    return inclusive_load(to, type,
                          build2(MEM_REF, type, build_fold_addr_expr(word),
                                 build_int_cst(build_pointer_type(type), 8 * index)));
}

tree inclusive_thread(gimple_seq *to)
{
    return load_word(to, ptr_type_node, 0);
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

tree inclusive_if_first(gimple_seq *to, tree depth)
{
    tree is = gimple_build(to, EQ_EXPR, boolean_type_node, depth, inclusive_number(0));
    return gimple_build(to, NEGATE_EXPR, inclusive_number_type(),
                        gimple_convert(to, inclusive_number_type(), is));
}

gcall *inclusive_call_cut(const struct inclusive_frame *frame, tree top)
{
    return gimple_build_call(cut, 2, frame->thread, top);
}

gcall *inclusive_call_enter(const struct inclusive_frame *frame, tree list)
{
    return gimple_build_call(enter, 3, frame->thread, frame->own, list);
}

gcall *inclusive_call_leave(const struct inclusive_frame *frame, tree list, tree top)
{
    return gimple_build_call(leave, 4, frame->thread, frame->own, list, top);
}

void inclusive_append_tell(gimple_seq *to, const struct inclusive_frame *frame)
{
    if (options.trace)
        gimple_seq_add_stmt(to, gimple_build_call(tell, 1, frame->thread));
}

// Calls ccprof_attach_grow behind the statements if there is no room.  Returns the block
// that comes then.
static basic_block make_room(basic_block bb)
{
    gimple_seq check = NULL;
    tree thread = inclusive_thread(&check);
    tree top = load_field(&check, thread, INCLUSIVE_THREAD_FIELD(top));
    tree limit = load_field(&check, thread, INCLUSIVE_THREAD_FIELD(limit));
    gimple *last = gimple_seq_last_stmt(check);
    gimple_stmt_iterator gsi = gsi_start_bb(bb);

    gsi_insert_seq_after(&gsi, check, GSI_CONTINUE_LINKING);
    gcond *full = gimple_build_cond(GE_EXPR, top, limit, NULL_TREE, NULL_TREE);
    basic_block growing =
        insert_cond_bb(gimple_bb(last), last, full, profile_probability::very_unlikely());
    gsi = gsi_start_bb(growing);
    gsi_insert_after(&gsi, gimple_build_call(grow, 1, build_fold_addr_expr(word)),
                     GSI_NEW_STMT);
    return single_succ(growing);
}

void inclusive_make_frame(struct inclusive_frame *frame, bool enters)
{
    gimple_seq statements = NULL;
    basic_block bb = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));

    if (enters)
        bb = make_room(bb);
    frame->thread = inclusive_thread(&statements);
    frame->top = enters
                     ? load_field(&statements, frame->thread, INCLUSIVE_THREAD_FIELD(top))
                     : NULL;
    tree delta = load_word(&statements, sizetype, 1);
    frame->own = make_ssa_name(ptr_type_node);
    gimple_seq_add_stmt(
        &statements, gimple_build_assign(frame->own, POINTER_PLUS_EXPR,
                                         build_fold_addr_expr(inclusive_pairs()), delta));
    gimple_stmt_iterator gsi = gsi_after_labels(bb);
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

void inclusive_make_frame_of_steps(struct inclusive_frame *frame, bool enters)
{
    gimple_seq statements = NULL;
    basic_block bb = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));
    gimple_stmt_iterator gsi = gsi_after_labels(bb);

    *frame = {inclusive_thread(&statements), NULL_TREE, NULL_TREE};
    if (enters) {
        frame->top = make_ssa_name(ptr_type_node);
        gimple_seq_add_stmt(&statements, inclusive_step_begin(frame->top));
    }
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

void inclusive_code_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
}
