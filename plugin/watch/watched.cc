// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/quiet.h"
#include "plugin/watch/watched.h"

typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, unsigned> number_map;

static number_map *numbers;      // by DECL_UID
static auto_vec<char *> regions; // their names
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
