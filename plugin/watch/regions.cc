// SPDX-License-Identifier: GPL-3.0-or-later
// Regions that the plugin makes: functions with a stopwatch, and blocks of C.
//
// In C, CCPROF_REGION of rt/ccprof.h is `if (ccprof_region_block (REGION, BEGIN, END)) {}
// else BLOCK'. The function that it calls is never defined. In GENERIC this statement is
// a COND_EXPR, which is replaced by
//
//     { unsigned long opened = BEGIN (REGION); try BLOCK finally END (&opened); }
//
// GCC has not lowered loops and jumps yet. So GCC makes every jump out of the block
// execute END, as for a variable with the attribute cleanup. In C++ the header needs no
// help of the plugin.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/watch.h"

typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, unsigned> number_map;

static number_map *numbers;      // by DECL_UID
static auto_vec<char *> regions; // names of the regions
static tree calls[3];

static const struct ggc_root_tab roots[] = {
    {calls, ARRAY_SIZE(calls), sizeof calls[0], &gt_ggc_mx_tree_node,
     &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

void watched_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
}

unsigned watched_number(tree function)
{
    bool known;

    if (!numbers)
        numbers = new number_map;
    function = DECL_ORIGIN(function);
    unsigned &number = numbers->get_or_insert(DECL_UID(function), &known);
    if (!known) {
        number = regions.length();
        regions.safe_push(names_of_function(function));
    }
    return number;
}

static tree function_of(enum watched_call call)
{
    static const char *const names[] = {"ccprof_attach_region_enter",
                                        "ccprof_attach_region_end",
                                        "ccprof_attach_region_left"};

    if (calls[call])
        return calls[call];
    tree result = call == WATCHED_ENTER ? WATCHED_TYPE : void_type_node;
    tree type =
        call == WATCHED_LEFT
            ? build_function_type_list(result, ptr_type_node, WATCHED_TYPE, NULL_TREE)
            : build_function_type_list(result, ptr_type_node, NULL_TREE);
    calls[call] = artificial_function(names[call], type);
    cgraph_node::get_create(calls[call]);
    return calls[call];
}

static tree region_of(tree function)
{
    char name[40];

    snprintf(name, sizeof name, "*" WATCHED_LABEL, watched_number(function));
    tree variable = artificial_external(name, ptr_type_node);
    artificial_hide(variable);
    TREE_ADDRESSABLE(variable) = 1;
    return build_fold_addr_expr(variable);
}

gcall *watched_build(enum watched_call call, tree scope, tree entered)
{
    tree function = scopes_function(scope);
    gcall *made =
        entered ? gimple_build_call(function_of(call), 2, region_of(function), entered)
                : gimple_build_call(function_of(call), 1, region_of(function));

    gimple_set_location(made, DECL_SOURCE_LOCATION(function));
    gimple_set_block(made, scope);
    return made;
}

bool watched_any(void)
{
    return !regions.is_empty();
}

void watched_emit(const char *)
{
    if (!watched_any())
        return;
    assembly_push_section(".data.ccprof_watched", "aw", "progbits", "");
    assembly_line(".balign", "8");
    for (unsigned i = 0; i < regions.length(); i++) {
        char label[40], name[40];
        snprintf(label, sizeof label, WATCHED_LABEL, i);
        snprintf(name, sizeof name, WATCHED_LABEL "_name", i);
        assembly_label(label);
        assembly_word(assembly_at(name));
        assembly_line(".8byte", "0");
        assembly_word(assembly_at(label));
    }
    assembly_pop_section();
    assembly_push_section(".rodata.ccprof_watched", "a", "progbits", "");
    for (unsigned i = 0; i < regions.length(); i++) {
        char name[40];
        snprintf(name, sizeof name, WATCHED_LABEL "_name", i);
        assembly_label(name);
        assembly_string(regions[i]);
    }
    assembly_pop_section();
    quiet_emit();
}

// Blocks of C

enum { REGION, BEGIN, END, ARGUMENTS };

static bool is_c(void)
{
    return &parse_in && !cpp_get_options(parse_in)->cplusplus;
}

// Returns the call that the macro makes, if the condition compares it with 0; otherwise
// NULL_TREE.
static tree call_in(tree condition)
{
    while (TREE_CODE(condition) == NE_EXPR || CONVERT_EXPR_P(condition) ||
           TREE_CODE(condition) == NON_LVALUE_EXPR)
        condition = TREE_OPERAND(condition, 0);
    tree function =
        TREE_CODE(condition) == CALL_EXPR ? get_callee_fndecl(condition) : NULL_TREE;
    return function && DECL_NAME(function) &&
                   id_equal(DECL_NAME(function), "ccprof_region_block") &&
                   call_expr_nargs(condition) == ARGUMENTS
               ? condition
               : NULL_TREE;
}

static tree make_call(location_t location, tree pointer, tree argument)
{
    tree type = TREE_TYPE(TREE_TYPE(TREE_TYPE(pointer)));
    tree call = build_call_nary(type, pointer, 1, argument);

    SET_EXPR_LOCATION(call, location);
    return call;
}

static tree make_region(tree call, tree block, tree function)
{
    location_t location = EXPR_LOCATION(call);
    tree opened = create_tmp_var_raw(long_unsigned_type_node, "ccprof_opened");
    tree begin =
        make_call(location, CALL_EXPR_ARG(call, BEGIN), CALL_EXPR_ARG(call, REGION));
    tree list = NULL_TREE;

    DECL_CONTEXT(opened) = function;
    DECL_SOURCE_LOCATION(opened) = location;
    TREE_ADDRESSABLE(opened) = 1;
    tree end =
        make_call(location, CALL_EXPR_ARG(call, END), build_fold_addr_expr(opened));
    append_to_statement_list(build2(INIT_EXPR, void_type_node, opened, begin), &list);
    append_to_statement_list(build2_loc(location, TRY_FINALLY_EXPR, void_type_node,
                                        block ? block : build_empty_stmt(location), end),
                             &list);
    tree made = build3_loc(location, BIND_EXPR, void_type_node, opened, list, NULL_TREE);
    TREE_SIDE_EFFECTS(made) = 1;
    return made;
}

static tree replace_call(tree *node, int *, void *function)
{
    tree nested = TREE_CODE(*node) == DECL_EXPR ? DECL_EXPR_DECL(*node) : NULL_TREE;

    if (nested && TREE_CODE(nested) == FUNCTION_DECL && DECL_SAVED_TREE(nested))
        walk_tree_without_duplicates(&DECL_SAVED_TREE(nested), replace_call, nested);
    tree call =
        TREE_CODE(*node) == COND_EXPR ? call_in(COND_EXPR_COND(*node)) : NULL_TREE;
    if (!call)
        return NULL_TREE;
    tree block = COND_EXPR_ELSE(*node);
    if (options.profile == OPTIONS_PROFILE_MEASURE)
        *node = make_region(call, block, (tree)function);
    else
        *node = block ? block : build_empty_stmt(EXPR_LOCATION(call));
    return NULL_TREE;
}

// Also replaces regions in nested functions, when it gets the outermost function.
static void replace_in_function(void *function, void *)
{
    if (is_c())
        walk_tree_without_duplicates(&DECL_SAVED_TREE((tree)function), replace_call,
                                     function);
}

void block_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_PRE_GENERICIZE, replace_in_function, NULL);
}
