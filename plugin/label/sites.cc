// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers the sites of the current function, makes the variable that contains them, and
// prints them after the function.

#include "plugin/gcc/compat.h"
#include "plugin/label/sites.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/passes.h"
#include "plugin/label/emit.h"
#include "plugin/label/label.h"

// The prefix of local labels, which the assembler does not write into the object.
#define SITES_LABEL ".Lccprof_sites"

// The sites of one function. A site has the number of its point.
static struct {
    function *owner; // NULL: no site yet
    unsigned number; // of the function in this compilation
    struct part part;
    struct points points;
    unsigned *offsets; // by site: number of its byte, from 1; 0: none yet
    size_t room;
    tree variable; // base of all addresses of sites
} current;

static const struct ggc_root_tab roots[] = {
    {&current.variable, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

void sites_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
}

static void start_function(void)
{
    current.owner = cfun;
    current.number++;
    current.variable = NULL_TREE;
    part_clear(&current.part);
    if (current.room)
        memset(current.offsets, 0, current.room * sizeof *current.offsets);
    points_start(&current.points, &current.part);
}

unsigned sites_find(tree scope, location_t location)
{
    if (current.owner != cfun)
        start_function();
    return points_of_scope(&current.points, scope, location);
}

void sites_start_block(int block)
{
    points_start_block(&current.points, block);
}

// Makes the base variable of the function's sites. It is static, so that GCC knows that
// it is near, but GCC never writes it. It is its own DECL_INITIAL, so that it is in no
// block of section anchors (GCC: varasm.cc, use_blocks_for_decl_p).
static tree make_site_base(void)
{
    tree type = build_array_type(char_type_node, build_index_type(size_zero_node));
    char name[40];

    snprintf(name, sizeof name, "*" SITES_LABEL "%u", current.number);
    tree made = artificial_variable(name, type);
    DECL_CONTEXT(made) = current_function_decl;
    TREE_ADDRESSABLE(made) = 1;
    DECL_INITIAL(made) = made;
    return made;
}

// Returns the offset of the site's byte. Reserves a byte for the site if it has none yet.
static unsigned offset_of(unsigned site)
{
    size_t before = current.room;

    gcc_assert(current.owner == cfun && site && site <= current.part.points.count);
    current.offsets = (unsigned *)memory_reserve(current.offsets, &current.room, site + 1,
                                                 sizeof *current.offsets);
    if (current.room > before)
        memset(current.offsets + before, 0,
               (current.room - before) * sizeof *current.offsets);
    if (!current.offsets[site]) {
        current.offsets[site] = ++current.part.end_label;
        part_enter(&current.part, current.part.end_label - 1, site);
    }
    return current.offsets[site] - 1;
}

tree sites_address(unsigned site)
{
    if (!current.variable)
        current.variable = make_site_base();
    tree pointer = build_fold_addr_expr(current.variable);
    tree byte =
        build2(MEM_REF, char_type_node, pointer,
               build_int_cst(build_pointer_type(char_type_node), offset_of(site)));
    return build1(ADDR_EXPR, ptr_type_node, byte);
}

void sites_print(char *text, size_t size, unsigned site)
{
    snprintf(text, size, SITES_LABEL "%u+%u", current.number, offset_of(site));
}

static void execute_sites(function *fun)
{
    if (current.owner == fun && current.part.count)
        emit_sites(&current.part, SITES_LABEL, current.number);
    current.owner = NULL;
}

opt_pass *passes_make_sites(void)
{
    return pass_make("ccprof_sites", PASS_RTL, execute_sites);
}
