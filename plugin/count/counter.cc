// SPDX-License-Identifier: GPL-3.0-or-later
// Makes counters and marks, adds to them, and recognizes the statements that add. Also
// makes deferred additions, which condense-insert.cc replaces.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/count/counter.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/options.h"

#include "tree-dfa.h"

#define COUNTER_NAME "ccprof_counter"

// The size of the array in the compiler. It has no storage.
#define MAX_DEFERRED (1 << 28)

static tree mark_type;
static tree deferral;                    // the array to which deferred additions store
static auto_vec<tree> deferred_counters; // the counter of each element of the array

static const struct ggc_root_tab roots[] = {
    {&mark_type, 1, sizeof mark_type, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&deferral, 1, sizeof deferral, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

void counter_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
}

// The type of marks is an empty structure. The optimisers assume that storing it takes no
// time and no space, so they inline as if nothing were counted (GCC: tree-inline.cc,
// estimate_move_cost).
static tree type_of_marks(void)
{
    if (!mark_type) {
        mark_type = make_node(RECORD_TYPE);
        layout_type(mark_type);
    }
    return mark_type;
}

// Makes a counter. SUFFIX describes the things that the counter counts. DECL_NONALIASED:
// only stores by the variable's name change it, so it may be in a register during a loop.
// DECL_PRESERVE_P: it must be in memory at calls, because other threads and the end of
// the program read it. This flag excludes the variable from GCC's analysis of whole units
// (GCC: ipa-reference.cc).
static tree make_counter(const char *suffix)
{
    static unsigned number;
    char name[80];

    snprintf(name, sizeof name, COUNTER_NAME ".%u%s", number++, suffix);
    tree variable = artificial_variable(
        name, options_marks_counts() ? type_of_marks() : long_long_unsigned_type_node);
    DECL_CONTEXT(variable) = current_function_decl;
    TREE_ADDRESSABLE(variable) = 1;
    DECL_NONALIASED(variable) = 1;
    DECL_PRESERVE_P(variable) = 1;
    // Additions must not be joined, because they may belong to different copies.
    TREE_THIS_VOLATILE(variable) = TREE_SIDE_EFFECTS(variable) =
        options_marks_counts() || options_adds_inclusive();
    varpool_node::finalize_decl(variable);
    return variable;
}

tree counter_make_joined(void)
{
    static unsigned number;
    char name[40];

    snprintf(name, sizeof name, COUNTER_NAME ".joined.%u", number++);
    tree variable = artificial_external(name, type_of_marks());
    DECL_CONTEXT(variable) = current_function_decl;
    TREE_ADDRESSABLE(variable) = 1;
    DECL_NONALIASED(variable) = 1;
    DECL_PRESERVE_P(variable) = 1;
    TREE_THIS_VOLATILE(variable) = TREE_SIDE_EFFECTS(variable) = 1;
    return variable;
}

bool counter_is(const_tree variable)
{
    tree name = DECL_NAME(variable), context = DECL_CONTEXT(variable);

    return DECL_ARTIFICIAL(variable) && DECL_PRESERVE_P(variable) && name &&
           startswith(IDENTIFIER_POINTER(name), COUNTER_NAME ".") && context &&
           TREE_CODE(context) == FUNCTION_DECL;
}

// After IPA_SSA counters have their storage already. Functions that GCC makes then, such
// as AddressSanitizer's constructor, are not in the source.
bool counter_wants(tree function)
{
    return symtab->state <= IPA_SSA && !filter_forbids_code(function) &&
           filter_wants(function);
}

tree counter_make(void)
{
    return make_counter("");
}

// The suffix is .FLOW.EDGE, followed by c if CALLS is set.
tree counter_make_for_edge(uint64_t flow, unsigned number, bool calls)
{
    char suffix[40];

    snprintf(suffix, sizeof suffix, ".%llx.%u%s", (unsigned long long)flow, number,
             calls ? "c" : "");
    return make_counter(suffix);
}

struct counter_of counter_counts(const_tree counter)
{
    const char *name = IDENTIFIER_POINTER(DECL_NAME(counter)) + strlen(COUNTER_NAME ".");
    struct counter_of counted = {true, false, 0, 0};
    unsigned long long flow;
    char calls = 0;

    // Most counters count no edge, and sscanf is slow.
    if (!strchr(name, '.') ||
        sscanf(name, "%*u.%llx.%u%c", &flow, &counted.number, &calls) < 2)
        return counted;
    counted.flow = flow;
    counted.edge = true;
    counted.calls = calls == 'c';
    return counted;
}

// Sets the location of the statement. If the location has no block, the statement gets
// the outermost block of the function. When the function is inlined, this block becomes
// the block of the copy.
static void locate_statement(gimple *statement, location_t location)
{
    tree block = DECL_INITIAL(current_function_decl);

    if (RESERVED_LOCATION_P(location)) {
        gimple_set_location(statement, DECL_SOURCE_LOCATION(current_function_decl));
        location = UNKNOWN_LOCATION;
    } else {
        gimple_set_location(statement, location);
    }
    if (!LOCATION_BLOCK(location) && block && TREE_CODE(block) == BLOCK)
        gimple_set_block(statement, block);
}

gimple_seq counter_add(tree counter, tree amount, location_t location)
{
    tree type = TREE_TYPE(counter);
    tree before = make_temp_ssa_name(type, NULL, COUNTER_NAME);
    tree after = make_temp_ssa_name(type, NULL, COUNTER_NAME);
    gimple_seq statements = NULL;

    gimple_seq_add_stmt(&statements, gimple_build_assign(before, counter));
    gimple_seq_add_stmt(&statements,
                        gimple_build_assign(after, PLUS_EXPR, before, amount));
    gimple_seq_add_stmt(&statements, gimple_build_assign(counter, after));
    for (gimple_stmt_iterator gsi = gsi_start(statements); !gsi_end_p(gsi);
         gsi_next(&gsi))
        locate_statement(gsi_stmt(gsi), location);
    return statements;
}

gimple_seq counter_add_one(tree counter, location_t location)
{
    return counter_add(counter, build_one_cst(TREE_TYPE(counter)), location);
}

// Returns the array to which deferred additions store. It never has storage. Its elements
// contain a number. GCC draws conclusions from the stores of a function, and uses them
// for the function's callers. These conclusions also hold for counters (GCC:
// ipa-modref.cc).
static tree deferral_variable(void)
{
    if (deferral)
        return deferral;
    tree type = make_node(RECORD_TYPE);
    tree field =
        build_decl(UNKNOWN_LOCATION, FIELD_DECL, NULL_TREE, long_long_unsigned_type_node);
    DECL_CONTEXT(field) = type;
    TYPE_FIELDS(type) = field;
    layout_type(type);
    deferral =
        artificial_external(COUNTER_NAME "s", build_array_type_nelts(type, MAX_DEFERRED));
    DECL_NONALIASED(deferral) = 1;
    TREE_THIS_VOLATILE(deferral) = TREE_SIDE_EFFECTS(deferral) = 1;
    return deferral;
}

// The statement stores a structure, because GCC may repeat a store of a number after a
// loop (GCC: tree-ssa-loop-im.cc, hoist_memory_references).
gimple_seq counter_defer_one(tree counter, location_t location)
{
    tree variable = deferral_variable();
    tree type = TREE_TYPE(TREE_TYPE(variable));
    tree element =
        build4(ARRAY_REF, type, variable,
               build_int_cst(sizetype, deferred_counters.length()), NULL_TREE, NULL_TREE);
    TREE_THIS_VOLATILE(element) = TREE_SIDE_EFFECTS(element) = 1;
    gimple *store = gimple_build_assign(element, build_constructor(type, NULL));
    gimple_seq statements = NULL;

    deferred_counters.safe_push(counter);
    gimple_seq_add_stmt(&statements, store);
    locate_statement(store, location);
    return statements;
}

// Returns the offset in bytes of the statement's store in the array, or a negative number
// if the statement is no deferred addition. Passes may have changed the form of the
// address.
static HOST_WIDE_INT deferred_at(const gimple *statement)
{
    poly_int64 offset;
    HOST_WIDE_INT bytes;

    if (!deferral || !gimple_assign_single_p(statement) ||
        TREE_CODE(gimple_assign_lhs(statement)) == SSA_NAME)
        return -1;
    tree base = get_addr_base_and_unit_offset(gimple_assign_lhs(statement), &offset);
    return base == deferral && offset.is_constant(&bytes) ? bytes : -1;
}

bool counter_is_deferred(const gimple *statement)
{
    return deferred_at(statement) >= 0;
}

// The store itself remains, so that virtual operands need no update.
void counter_undefer(gimple_stmt_iterator *gsi)
{
    gimple *store = gsi_stmt(*gsi);
    tree element = TREE_TYPE(TREE_TYPE(deferral));
    tree counter =
        deferred_counters[deferred_at(store) / tree_to_shwi(TYPE_SIZE_UNIT(element))];
    tree type = TREE_TYPE(counter);
    tree before = make_ssa_name(type), after = make_ssa_name(type);
    gimple *load = gimple_build_assign(before, counter);
    gimple *add = gimple_build_assign(after, PLUS_EXPR, before, build_one_cst(type));

    gimple_set_location(load, gimple_location(store));
    gimple_set_location(add, gimple_location(store));
    gimple_set_vuse(load, gimple_vuse(store));
    gimple_assign_set_lhs(store, counter);
    gimple_assign_set_rhs1(store, after);
    gsi_insert_before(gsi, add, GSI_NEW_STMT);
    gsi_insert_before(gsi, load, GSI_NEW_STMT);
    update_stmt(store);
}

gimple_seq counter_addition(tree counter, location_t location)
{
    if (!options_marks_counts())
        return counter_add_one(counter, location);
    gimple *store =
        gimple_build_assign(counter, build_constructor(TREE_TYPE(counter), NULL));
    gimple_seq statements = NULL;
    gimple_seq_add_stmt(&statements, store);
    locate_statement(store, location);
    return statements;
}

tree counter_marked(const gimple *statement)
{
    tree to =
        gimple_assign_single_p(statement) ? gimple_assign_lhs(statement) : NULL_TREE;

    return to && VAR_P(to) && counter_is(to) ? to : NULL_TREE;
}

void counter_remove_mark(gimple *statement)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(statement);

    unlink_stmt_vdef(statement);
    gsi_remove(&gsi, true);
    release_defs(statement);
}
