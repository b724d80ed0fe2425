// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "field.h"
#include "flow.h"
#include "label.h"
#include "options.h"
#include "passes.h"
#include "place.h"
#include "points.h"
#include "scopes.h"
#include "sites.h"

#define FIELD "ccprof_field"

static tree word; // the thread-local variable; NULL_TREE: nothing was stored so far

static const struct ggc_root_tab roots[] = {
    {&word, 1, sizeof word, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

// Initial-exec in shared objects: then the code takes the word's offset from a slot, where
// the runtime puts that of the one field of the process.
static tree field_word(void)
{
    if (word)
        return word;
    tree type = build_qualified_type(ptr_type_node, TYPE_QUAL_VOLATILE);
    word = build_decl(BUILTINS_LOCATION, VAR_DECL, get_identifier(FIELD), type);
    SET_DECL_ASSEMBLER_NAME(word, get_identifier(FIELD));
    TREE_PUBLIC(word) = 1;
    TREE_THIS_VOLATILE(word) = 1;
    TREE_SIDE_EFFECTS(word) = 1;
    DECL_EXTERNAL(word) = 1;
    DECL_ARTIFICIAL(word) = 1;
    DECL_IGNORED_P(word) = 1;
    DECL_VISIBILITY(word) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(word) = 1;
    tls_model model = decl_default_tls_model(word);
    set_decl_tls_model(word,
                       model < TLS_MODEL_INITIAL_EXEC ? TLS_MODEL_INITIAL_EXEC : model);
    varpool_node::get_create(word);
    return word;
}

// What the field holds, or is to hold: the number of a site, or one of these.
enum { CALLERS = 0, UNSURE = -1, ANYTHING = -2 };

// What a block does to the field, before any store is placed.
struct block {
    bool passes;          // no statement wants or changes anything
    bool supplied;        // the edges into it bring what it wants
    int wanted;           // at its start; ANYTHING: nothing in particular
    int at_start, at_end; // what the field holds
};

static struct {
    struct block *blocks; // by index
    int at_return; // what a call of this function leaves
    tree found;    // SSA name of what was there at the start, NULL_TREE: not needed yet
} walk;

// Whether somebody else may have a function of that name; then calls are not what they
// seem.
static bool is_replaceable(const_tree function)
{
    return !decl_binds_to_current_def_p(function);
}

static bool is_self_call(const gcall *call)
{
    tree callee = gimple_call_fndecl(call);
    return callee == current_function_decl && !is_replaceable(callee);
}

// What the program may have its own of.
static bool is_allocation(const_tree callee, const gcall *call)
{
    return DECL_IS_MALLOC(callee) || gimple_call_flags(call) & ECF_MALLOC ||
           fndecl_built_in_p(callee, BUILT_IN_FREE) ||
           fndecl_built_in_p(callee, BUILT_IN_REALLOC) ||
           DECL_IS_OPERATOR_NEW_P(callee) || DECL_IS_OPERATOR_DELETE_P(callee);
}

// Whether what is called may run profiled code.
static bool may_change_field(const gcall *call)
{
    tree callee = gimple_call_fndecl(call);

    if (gimple_call_internal_p(call))
        return false;
    if (gimple_call_flags(call) & ECF_RETURNS_TWICE || !callee)
        return true;
    if (!(gimple_call_flags(call) & ECF_LEAF) || is_allocation(callee, call))
        return true;
    cgraph_node *node = cgraph_node::get(callee);
    return (node && node->definition) ||
           !(fndecl_built_in_p(callee) || DECL_IN_SYSTEM_HEADER(callee));
}

// Whether what is called stores its own site before it does anything.
static bool stores_first(const gcall *call)
{
    tree callee = gimple_call_fndecl(call);
    cgraph_node *node = callee ? cgraph_node::get(callee) : NULL;

    return node && node->definition && !is_replaceable(callee) &&
           points_source(&label_unit, callee);
}

// Nothing is stored before a tail call, which is nearly a return.
static bool call_needs_field(const gcall *call)
{
    return !gimple_call_tail_p(call) && !stores_first(call);
}

// Whether it becomes code at which the program can be found.
static bool is_sampled(gimple *stmt)
{
    if (is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_RETURN)
        return false;
    if (const gcall *call = dyn_cast<const gcall *>(stmt))
        return call_needs_field(call);
    return estimate_num_insns(stmt, &eni_time_weights) > 0;
}

// As infer would charge it.
static tree scope_of(gimple *stmt, tree state)
{
    tree block = gimple_block(stmt), scope = state;

    if (block && !options.ignore_scopes)
        scope = scopes_of_block(block);
    else if (!gimple_has_location(stmt))
        scope = place_find(stmt, state ? state : scopes_root()).scope;
    return scope ? scope : scopes_root();
}

// What a statement wants is kept in its uid.
static int wanted_by(const gimple *stmt)
{
    return (int)gimple_uid(stmt);
}

static void find_wants(basic_block bb, const struct flow_state *states)
{
    tree state = states[bb->index].at_start;

    points_start_block(bb->index);
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        int wanted = ANYTHING;
        if (is_gimple_debug(stmt))
            state = flow_after(stmt, state);
        else if (is_sampled(stmt))
            wanted = (int)sites_find(scope_of(stmt, state), UNKNOWN_LOCATION);
        gimple_set_uid(stmt, (unsigned)wanted);
    }
}

static int held_after(const gimple *stmt, int held)
{
    const gcall *call = dyn_cast<const gcall *>(stmt);

    if (!call || !may_change_field(call))
        return held;
    return is_self_call(call) ? walk.at_return : UNSURE;
}

static int held_at_end(basic_block bb, int held)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        if (wanted_by(gsi_stmt(gsi)) != ANYTHING)
            held = wanted_by(gsi_stmt(gsi));
        held = held_after(gsi_stmt(gsi), held);
    }
    return held;
}

static int meet(int a, int b)
{
    if (a == ANYTHING || a == b)
        return b;
    return b == ANYTHING ? a : UNSURE;
}

// A call may have ended by another way than a return.
static int held_on(edge e)
{
    if (e->flags & EDGE_COMPLEX)
        return UNSURE;
    return walk.blocks[e->src->index].at_end;
}

static int held_before(basic_block bb)
{
    int held = ANYTHING;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE(e, ei, bb->preds)
    held = meet(held, held_on(e));
    return held;
}

// Whether anything changed.
static bool hold_once(const int *order, int count)
{
    bool changed = false;

    for (int i = 0; i < count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
        struct block *block = &walk.blocks[bb->index];
        block->at_start = block->supplied ? block->wanted : held_before(bb);
        int at_end = held_at_end(bb, block->at_start);
        changed |= at_end != block->at_end;
        block->at_end = at_end;
    }
    int at_return = held_before(EXIT_BLOCK_PTR_FOR_FN(cfun));
    changed |= at_return != walk.at_return;
    walk.at_return = at_return;
    return changed;
}

// Forward: what the field holds at the ends of each block.
static void hold(const int *order, int count)
{
    basic_block bb;

    FOR_EACH_BB_FN(bb, cfun)
    walk.blocks[bb->index].at_end = ANYTHING;
    walk.blocks[ENTRY_BLOCK].at_end = CALLERS;
    walk.at_return = ANYTHING;
    while (hold_once(order, count))
        ;
}

static int wanted_behind(basic_block bb)
{
    int wanted = ANYTHING;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE(e, ei, bb->succs)
    {
        int there = walk.blocks[e->dest->index].wanted;
        if (e->flags & EDGE_COMPLEX || there < 0)
            return ANYTHING;
        wanted = meet(wanted, there);
    }
    return wanted == UNSURE ? ANYTHING : wanted;
}

// What is wanted in the block before anything else can have been stored.
static int wanted_first(basic_block bb, bool *passes)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        if (wanted_by(gsi_stmt(gsi)) != ANYTHING)
            return wanted_by(gsi_stmt(gsi));
        if (held_after(gsi_stmt(gsi), ANYTHING) != ANYTHING)
            return ANYTHING;
    }
    *passes = true;
    return ANYTHING;
}

// Backward: what is wanted at the start of each block, whichever way is taken.
static void want(const int *order, int count)
{
    bool changed = true;

    walk.at_return = UNSURE;
    for (int i = 0; i < count; i++) {
        struct block *block = &walk.blocks[order[i]];
        block->wanted =
            wanted_first(BASIC_BLOCK_FOR_FN(cfun, order[i]), &block->passes);
    }
    walk.blocks[EXIT_BLOCK].wanted = ANYTHING;
    while (changed) {
        changed = false;
        for (int i = count; i-- > 0;) {
            struct block *block = &walk.blocks[order[i]];
            if (!block->passes || block->wanted != ANYTHING)
                continue;
            block->wanted = wanted_behind(BASIC_BLOCK_FOR_FN(cfun, order[i]));
            changed |= block->wanted != ANYTHING;
        }
    }
}

// Whether stores on the edges into the block are fewer than in the block: it is the start
// of a loop, say.
static bool is_worth_supplying(basic_block bb)
{
    struct block *block = &walk.blocks[bb->index];
    profile_count stores = profile_count::zero();
    edge e;
    edge_iterator ei;

    if (block->supplied || block->wanted < 0 || block->at_start == block->wanted ||
        !bb->count.initialized_p())
        return false;
    FOR_EACH_EDGE(e, ei, bb->preds)
    {
        if (e->flags & EDGE_COMPLEX)
            return false;
        if (held_on(e) != block->wanted)
            stores += e->count();
    }
    return stores < bb->count.apply_scale(9, 10);
}

static bool supply_some(const int *order, int count)
{
    bool any = false;

    for (int i = 0; i < count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
        if (is_worth_supplying(bb))
            any = walk.blocks[bb->index].supplied = true;
    }
    return any;
}

static tree found_value(void)
{
    if (!walk.found)
        walk.found = make_temp_ssa_name(ptr_type_node, NULL, FIELD);
    return walk.found;
}

static gimple *make_store(int value)
{
    tree operand = value == CALLERS ? found_value() : sites_address((unsigned)value);
    return gimple_build_assign(field_word(), operand);
}

static void store_in_block(basic_block bb)
{
    int held = walk.blocks[bb->index].at_start;

    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        int wanted = wanted_by(stmt);
        if (wanted != ANYTHING && wanted != held) {
            gimple *store = make_store(wanted);
            gimple_set_location(store, gimple_location(stmt));
            gsi_insert_before(&gsi, store, GSI_SAME_STMT);
        }
        if (wanted != ANYTHING)
            held = wanted;
        held = held_after(stmt, held);
    }
}

static void store_on_edges(basic_block bb)
{
    const struct block *block = &walk.blocks[bb->index];
    edge e;
    edge_iterator ei;

    if (!block->supplied)
        return;
    FOR_EACH_EDGE(e, ei, bb->preds)
    if (held_on(e) != block->wanted)
        gsi_insert_on_edge(e, make_store(block->wanted));
}

static void store(void)
{
    basic_block bb;

    FOR_EACH_BB_FN(bb, cfun)
    {
        store_in_block(bb);
        store_on_edges(bb);
    }
    if (walk.found)
        gsi_insert_on_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
                           gimple_build_assign(walk.found, field_word()));
    gsi_commit_edge_inserts();
}

static void lower_function(void)
{
    struct flow_state *states = flow_compute();
    int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
    int count = pre_and_rev_post_order_compute_fn(cfun, NULL, order, false);
    basic_block bb;

    walk.blocks = XCNEWVEC(struct block, last_basic_block_for_fn(cfun));
    walk.found = NULL_TREE;
    FOR_EACH_BB_FN(bb, cfun)
    find_wants(bb, states);
    want(order, count);
    do
        hold(order, count);
    while (supply_some(order, count));
    store();
    free(walk.blocks);
    free(order);
    free(states);
}

static const pass_data field_data = {
    GIMPLE_PASS,
    "ccprof_field",
    OPTGROUP_NONE,
    TV_NONE,
    PROP_cfg | PROP_ssa,
    0,
    0,
    0,
    TODO_update_ssa_only_virtuals,
};

class field_pass : public gimple_opt_pass
{
  public:
    field_pass() : gimple_opt_pass(field_data, g)
    {
    }

    unsigned int execute(function *fun) final override
    {
        if (scopes_root() && !lookup_attribute("naked", DECL_ATTRIBUTES(fun->decl)))
            lower_function();
        return 0;
    }
};

opt_pass *passes_make_field(void)
{
    return new field_pass;
}

// As text, in a group of its own, of which the linker keeps one.
static void emit_word(void)
{
    fprintf(asm_out_file,
            "\t.pushsection\t.tbss." FIELD ",\"awTG\"," TYPE_OPERAND_FMT "," FIELD
            ",comdat\n\t.balign\t8\n\t.hidden\t" FIELD "\n\t.globl\t" FIELD
            "\n\t.type\t" FIELD "," TYPE_OPERAND_FMT "\n\t.size\t" FIELD ",8\n" FIELD
            ":\n\t.zero\t8\n\t.popsection\n",
            "nobits", "tls_object");
}

// A function that gives the word's distance from the thread pointer.  The runtime looks at
// its instruction, too: rt/cpu.h.
static void emit_offset(void)
{
    fprintf(asm_out_file,
            "\t.att_syntax prefix\n\t.pushsection\t.text." FIELD
            ",\"axG\"," TYPE_OPERAND_FMT "," FIELD ",comdat\n\t.hidden\t" FIELD
            "_offset\n\t.globl\t" FIELD "_offset\n\t.type\t" FIELD
            "_offset," TYPE_OPERAND_FMT "\n" FIELD "_offset:\n\tendbr64\n\tmovq\t" FIELD
            "@gottpoff(%%rip),%%rax\n\tret\n\t.size\t" FIELD "_offset,.-" FIELD
            "_offset\n\t.popsection\n",
            "progbits", "function");
}

static void emit_note(void)
{
    fprintf(asm_out_file,
            "\t.pushsection\t.note." FIELD ",\"%s\"," TYPE_OPERAND_FMT "," FIELD
            ",comdat\n\t.balign\t4\n\t.4byte\t%u,%u,%d\n\t.asciz\t\"" CCPROF_NOTE_NAME
            "\"\n\t.balign\t4\n\t.4byte\t%d\n\t.4byte\t" FIELD
            "_offset-.\n\t.popsection\n",
            HAVE_GAS_SHF_GNU_RETAIN ? "aGR" : "aG", "note",
            (unsigned)sizeof CCPROF_NOTE_NAME, (unsigned)sizeof(struct ccprof_field_note),
            CCPROF_NOTE_FIELD, CCPROF_ATTACH_VERSION);
}

void field_emit(void)
{
    if (!word)
        return;
    emit_word();
    emit_offset();
    emit_note();
}

void field_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
}
