// SPDX-License-Identifier: GPL-3.0-or-later
// A library function that is not inlined must know for which call in the program's own
// code it allocates. Each thread has a word for this, the *path*: the address of the
// counters of the call by which the thread last entered library code.
//
//   - The program's own code sets the path before such a call, and restores it
//   afterwards.
//   - A library function reads the path at its start, and adds its allocations to these
//     counters. It sets the path again before later calls, because its callees may have
//     left a different path: exceptions, longjmp and tail calls do not restore it.
//
// So the path works like an argument that no declaration mentions.

#include "plugin/gcc/compat.h"
#include "plugin/alloc/alloc.h"
#include "plugin/count/storage.h"
#include "plugin/count/threadword.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/callgraph.h"
#include "plugin/gcc/scopes.h"
#include "rt/format.h"

#define WORD "ccprof_path"

static tree word; // the thread's word that holds the path, or its place

static const struct ggc_root_tab roots[] = {
    {&word, 1, sizeof word, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

void alloc_path_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
}

// Returns true if the unit has C++ functions.
static bool has_cxx(void)
{
    cgraph_node *node;

    if (!in_lto_p)
        return lang_GNU_CXX();
    FOR_EACH_FUNCTION (node)
        if (DECL_ASSEMBLER_NAME_SET_P(node->decl) &&
            startswith(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(node->decl)), "_Z"))
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

// Returns true if this compilation has the body. At link time it also has the bodies of
// other partitions.
static bool has_body(tree function)
{
    cgraph_node *node = cgraph_node::get(function);

    return node &&
           (node->in_other_partition || (node->definition && !DECL_EXTERNAL(function)));
}

// Returns true if the function cannot reach profiled library code, or sets the path
// itself. A function that is defined elsewhere is harmless in two cases: it does not
// return (__throw_length_error), or it cannot throw and so does not allocate (the
// functions that balance the tree of a std::map).
static bool is_harmless(tree function)
{
    if (DECL_IS_OPERATOR_DELETE_P(function) || !alloc_path_is_library(function))
        return true;
    return !has_body(function) &&
           (TREE_THIS_VOLATILE(function) || TREE_NOTHROW(function));
}

// Returns true if the call calls a member function of the program's own class by a
// pointer. Such a function sets the path itself.
static bool is_own_method(const gcall *call)
{
    tree type = gimple_call_fntype(call);

    if (!type || TREE_CODE(type) != METHOD_TYPE)
        return false;
    tree name = TYPE_NAME(TYPE_MAIN_VARIANT(TYPE_METHOD_BASETYPE(type)));
    return name && TREE_CODE(name) == TYPE_DECL &&
           !in_system_header_at(DECL_SOURCE_LOCATION(name));
}

// Returns true if the call may reach library code that does not set the path itself.
static bool may_need_path(const gcall *call)
{
    tree function = gimple_call_fndecl(call);

    if (leaf_is_call(call) ||
        gimple_call_flags(call) & (ECF_CONST | ECF_PURE | ECF_RETURNS_TWICE))
        return false;
    return function ? !is_harmless(function) : !is_own_method(call);
}

// The library functions of the unit from which control may reach an allocation in library
// code. Calls of other library functions, such as destructors, need no path. NULL if no
// function was analysed.
static reach *allocations;

// Returns true if the call may lead to an allocation whatever the called function does.
// Otherwise notes the called function.
static bool note_call(unsigned uid, gcall *call)
{
    tree callee = gimple_call_fndecl(call);
    struct alloc_request request;

    if (alloc_find(call, &request))
        return true;
    if (!may_need_path(call))
        return false;
    if (callee)
        allocations->note_call(uid, callers_uid(callee));
    return !callee;
}

void alloc_path_note(void)
{
    unsigned uid = callers_uid(current_function_decl);
    bool may_allocate = reach_is_replaceable(current_function_decl);
    basic_block bb;

    if (!allocations)
        allocations = new reach();
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
                may_allocate |= note_call(uid, call);
    allocations->note(uid, may_allocate);
}

bool alloc_path_is_needed(const gcall *call)
{
    tree function = gimple_call_fndecl(call);

    return may_need_path(call) &&
           (!function || !allocations || allocations->may(callers_uid(function)));
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
