// SPDX-License-Identifier: GPL-3.0-or-later
// What the code that is added is made of: the words and functions of the stub's that it
// refers to, and statements that read and write them.

#include "compat.h"
#include "stack-inside.h"
#include "stack.h"
#include "threadword.h"

tree stack_number_type(void)
{
    return long_long_unsigned_type_node;
}

tree stack_number(HOST_WIDE_INT value)
{
    return build_int_cst(stack_number_type(), value);
}

static tree word, grow, cut; // variable and functions of the stub's

static const struct ggc_root_tab roots[] = {
    {&word, 1, sizeof word, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&grow, 1, sizeof grow, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&cut, 1, sizeof cut, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

static void make_word(void)
{
    word = threadword_declare("ccprof_stack_word",
                              build_array_type_nelts(stack_number_type(), 2));
    TREE_ADDRESSABLE(word) = 1;
}

static tree make_function(const char *name, tree type)
{
    tree function =
        build_decl(BUILTINS_LOCATION, FUNCTION_DECL, get_identifier(name), type);

    SET_DECL_ASSEMBLER_NAME(function, get_identifier(name));
    TREE_PUBLIC(function) = 1;
    DECL_EXTERNAL(function) = 1;
    DECL_ARTIFICIAL(function) = 1;
    DECL_IGNORED_P(function) = 1;
    DECL_VISIBILITY(function) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(function) = 1;
    TREE_NOTHROW(function) = 1;
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
    cut = make_function(
        "ccprof_attach_cut",
        build_function_type_list(void_type_node, ptr_type_node, ptr_type_node, NULL));
}

tree stack_memory(tree type, tree pointer, unsigned offset)
{
    return build2(MEM_REF, type, pointer,
                  build_int_cst(build_pointer_type(type), offset));
}

tree stack_load(gimple_seq *to, tree type, tree reference)
{
    tree value = make_ssa_name(type);
    gimple_seq_add_stmt(to, gimple_build_assign(value, reference));
    return value;
}

void stack_store(gimple_seq *to, tree reference, tree value)
{
    gimple_seq_add_stmt(to, gimple_build_assign(reference, value));
}

tree stack_load_word(gimple_seq *to, tree type, unsigned index)
{
    return stack_load(to, type,
                      build2(MEM_REF, type, build_fold_addr_expr(word),
                             build_int_cst(build_pointer_type(type), 8 * index)));
}

tree stack_load_thread(gimple_seq *to)
{
    make_externals();
    return stack_load_word(to, ptr_type_node, 0);
}

tree stack_load_top(gimple_seq *to, const struct stack_frame *frame)
{
    return stack_load(
        to, ptr_type_node,
        stack_memory(ptr_type_node, frame->thread, STACK_THREAD_FIELD(top)));
}

tree stack_own_pair(gimple_seq *to, tree pair, tree delta)
{
    tree pointer = make_ssa_name(ptr_type_node);
    gimple_seq_add_stmt(to, gimple_build_assign(pointer, POINTER_PLUS_EXPR,
                                                build_fold_addr_expr(pair), delta));
    return pointer;
}

tree stack_if_first(gimple_seq *to, tree depth)
{
    tree is = gimple_build(to, EQ_EXPR, boolean_type_node, depth, stack_number(0));
    return gimple_build(to, NEGATE_EXPR, stack_number_type(),
                        gimple_convert(to, stack_number_type(), is));
}

gcall *stack_call_grow(void)
{
    return gimple_build_call(grow, 1, build_fold_addr_expr(word));
}

gcall *stack_call_cut(tree thread, tree top)
{
    return gimple_build_call(cut, 2, thread, top);
}

void stack_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
}
