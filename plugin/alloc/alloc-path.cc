// SPDX-License-Identifier: GPL-3.0-or-later
// Tells for which call of the program's own a library function allocates that is not
// inlined, for alloc.cc.  A thread has a word, the *path*: the counters of the call by
// which it came into library code last.  The program's own code sets it before such a
// call, and puts back what was there behind it.  A library function reads it where it
// begins, adds to these counters what it allocates, and sets the word again before later
// calls, since what it has called may have left another path there: by an exception,
// longjmp, or a tail call, which all stay as they are.  So the path is an argument of
// which no declaration knows.

#include "plugin/gcc/compat.h"
#include "plugin/alloc/alloc.h"
#include "plugin/count/storage.h"
#include "plugin/count/threadword.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/scopes.h"
#include "rt/format.h"

#define WORD "ccprof_path"

static tree word; // the thread's, or its place

static const struct ggc_root_tab roots[] = {
    {&word, 1, sizeof word, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

void alloc_path_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
}

static bool is_mangled(tree function)
{
    return DECL_ASSEMBLER_NAME_SET_P(function) &&
           startswith(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)), "_Z");
}

// Whether the unit has functions of C++.
static bool has_cxx(void)
{
    cgraph_node *node;

    if (!in_lto_p)
        return lang_GNU_CXX();
    FOR_EACH_FUNCTION (node)
        if (is_mangled(node->decl))
            return true;
    return false;
}

bool alloc_path_is_on(void)
{
    static int known = -1;

    if (options.mark != OPTIONS_MARK_SOURCE || options_adds_inclusive())
        return false;
    if (known < 0)
        known = has_cxx();
    return known;
}

bool alloc_path_is_library(tree function)
{
    return in_system_header_at(DECL_SOURCE_LOCATION(function));
}

bool alloc_path_is_own(tree scope)
{
    for (tree s = scope; s; s = scopes_parent(s)) {
        tree function = scopes_function(s);
        if (filter_wants(function) && !alloc_path_is_library(function))
            return true;
    }
    return !scope && !alloc_path_is_library(current_function_decl);
}

// In the program, as far as the compiler knows it: at link time all of it.
static bool has_body(tree function)
{
    cgraph_node *node = cgraph_node::get(function);

    return node &&
           (node->in_other_partition || (node->definition && !DECL_EXTERNAL(function)));
}

// What cannot come to library code that is profiled, or sets the path itself: among what
// is defined elsewhere that does not return, as __throw_length_error, or cannot throw,
// and so does not allocate, as what balances a std::map's tree.
static bool is_harmless(tree function)
{
    if (DECL_IS_OPERATOR_DELETE_P(function) || !alloc_path_is_library(function))
        return true;
    return !has_body(function) &&
           (TREE_THIS_VOLATILE(function) || TREE_NOTHROW(function));
}

// Whether a pointer leads to a member function of a class that is the program's own, and
// so to one that sets the path itself.
static bool is_own_method(const gcall *call)
{
    tree type = gimple_call_fntype(call);

    if (!type || TREE_CODE(type) != METHOD_TYPE)
        return false;
    tree name = TYPE_NAME(TYPE_MAIN_VARIANT(TYPE_METHOD_BASETYPE(type)));
    return name && TREE_CODE(name) == TYPE_DECL &&
           !in_system_header_at(DECL_SOURCE_LOCATION(name));
}

bool alloc_path_may_need(const gcall *call)
{
    tree function = gimple_call_fndecl(call);

    if (leaf_is_call(call) ||
        gimple_call_flags(call) & (ECF_CONST | ECF_PURE | ECF_RETURNS_TWICE))
        return false;
    return function ? !is_harmless(function) : !is_own_method(call);
}

bool alloc_path_may_change(const gcall *call)
{
    tree function = gimple_call_fndecl(call);

    if (leaf_is_call(call) || gimple_call_flags(call) & (ECF_CONST | ECF_PURE))
        return false;
    return !function || !alloc_path_is_library(function) || has_body(function) ||
           !TREE_NOTHROW(function);
}

static bool has_change(basic_block bb)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
        if (call && alloc_path_may_change(call))
            return true;
    }
    return false;
}

bool *alloc_path_find_changed(void)
{
    bool *changed = XCNEWVEC(bool, last_basic_block_for_fn(cfun));
    auto_vec<basic_block> found;
    basic_block bb;
    edge e;
    edge_iterator ei;

    FOR_EACH_BB_FN (bb, cfun)
        if (has_change(bb))
            found.safe_push(bb);
    while (!found.is_empty()) {
        FOR_EACH_EDGE (e, ei, found.pop()->succs) {
            if (changed[e->dest->index])
                continue;
            changed[e->dest->index] = true;
            found.safe_push(e->dest);
        }
    }
    return changed;
}

static tree path_word(void)
{
    if (!word)
        word = threadword_is_placed() ? threadword_declare_place(WORD)
                                      : threadword_declare(WORD, ptr_type_node);
    return word;
}

tree alloc_path_load(gimple_seq *to)
{
    if (threadword_is_placed())
        return threadword_load_shared(to, path_word(), ptr_type_node);
    tree path = make_temp_ssa_name(ptr_type_node, NULL, WORD);
    gimple_seq_add_stmt(to, gimple_build_assign(path, path_word()));
    return path;
}

void alloc_path_store(gimple_seq *to, tree path)
{
    gimple_seq_add_stmt(to, threadword_is_placed()
                                ? threadword_store_shared(path_word(), path)
                                : gimple_build_assign(path_word(), path));
}

void alloc_path_emit(void)
{
    if (!word)
        return;
    threadword_emit_shared(WORD, CCPROF_NOTE_PATH, CCPROF_NOTE_PATH_PLACED);
}
