// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "stack.h"
#include "counter.h"
#include "flow.h"
#include "options.h"
#include "passes.h"
#include "scopes.h"
#include "threadword.h"
#include "../rt/format.h"

bool stack_is_measured(void)
{
    return options.stack && !options_measures(CCPROF_KINDS_SAMPLED);
}

// Bytes, if they are measured, otherwise calls.
static bool adds_calls(void)
{
    return !options_measures(CCPROF_KIND_ALLOC);
}

static tree number_type(void)
{
    return long_long_unsigned_type_node;
}

static tree number(HOST_WIDE_INT value)
{
    return build_int_cst(number_type(), value);
}

// ---- what the code refers to ----

static tree word, grow, cut; // variable and functions of the stub's

static const struct ggc_root_tab roots[] = {
    {&word, 1, sizeof word, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&grow, 1, sizeof grow, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&cut, 1, sizeof cut, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

static void make_word(void)
{
    word =
        threadword_declare("ccprof_stack_word", build_array_type_nelts(number_type(), 2));
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

// ---- statements ----

static tree memory(tree type, tree pointer, unsigned offset)
{
    return build2(MEM_REF, type, pointer,
                  build_int_cst(build_pointer_type(type), offset));
}

static tree load(gimple_seq *to, tree type, tree reference)
{
    tree value = make_ssa_name(type);
    gimple_seq_add_stmt(to, gimple_build_assign(value, reference));
    return value;
}

static void store(gimple_seq *to, tree reference, tree value)
{
    gimple_seq_add_stmt(to, gimple_build_assign(reference, value));
}

static tree load_word(gimple_seq *to, tree type, unsigned index)
{
    return load(to, type,
                build2(MEM_REF, type, build_fold_addr_expr(word),
                       build_int_cst(build_pointer_type(type), 8 * index)));
}

#define THREAD_FIELD(field) offsetof(struct ccprof_stack_thread, field)

static tree load_thread(gimple_seq *to)
{
    make_externals();
    return load_word(to, ptr_type_node, 0);
}

// The calling thread's copy of the pair.
static tree own_pair(gimple_seq *to, tree pair, tree delta)
{
    tree pointer = make_ssa_name(ptr_type_node);
    gimple_seq_add_stmt(to, gimple_build_assign(pointer, POINTER_PLUS_EXPR,
                                                build_fold_addr_expr(pair), delta));
    return pointer;
}

// All ones if the depth is 0, otherwise 0.
static tree if_first(gimple_seq *to, tree depth)
{
    tree is = gimple_build(to, EQ_EXPR, boolean_type_node, depth, number(0));
    return gimple_build(to, NEGATE_EXPR, number_type(),
                        gimple_convert(to, number_type(), is));
}

// ---- the sources of a local stack ----

struct entries {
    tree pair[CCPROF_STACK_ENTRIES];
    unsigned count;
};

static void add_entry(struct entries *entries, tree function)
{
    tree pair = function ? stack_pair(function) : NULL_TREE;

    for (unsigned i = 0; i < entries->count; i++)
        if (entries->pair[i] == pair)
            return;
    if (pair && entries->count < CCPROF_STACK_ENTRIES)
        entries->pair[entries->count++] = pair;
}

static void find_entries(struct entries *entries, tree scope)
{
    entries->count = 0;
    if (options.mark != OPTIONS_MARK_SOURCE || !scope) {
        add_entry(entries, DECL_ORIGIN(current_function_decl));
        return;
    }
    for (; scope; scope = scopes_parent(scope))
        add_entry(entries, scopes_function(scope));
}

// ---- enter, add, leave ----

static void add_amount(gimple_seq *to, const struct entries *entries, tree amount)
{
    tree thread = load_thread(to);
    tree total =
        load(to, number_type(), memory(number_type(), thread, THREAD_FIELD(total)));
    tree sum = gimple_build(to, PLUS_EXPR, number_type(), total, amount);

    store(to, memory(number_type(), thread, THREAD_FIELD(total)), sum);
    if (!entries->count)
        return;
    tree delta = load_word(to, sizetype, 1);
    for (unsigned i = 0; i < entries->count; i++) {
        tree pair = own_pair(to, entries->pair[i], delta);
        tree depth = load(to, number_type(), memory(number_type(), pair, 0));
        tree part =
            gimple_build(to, BIT_AND_EXPR, number_type(), amount, if_first(to, depth));
        tree before = load(to, number_type(), memory(number_type(), pair, 8));
        store(to, memory(number_type(), pair, 8),
              gimple_build(to, PLUS_EXPR, number_type(), before, part));
    }
}

void stack_add(gimple_seq *to, tree scope, tree amount)
{
    struct entries entries;

    find_entries(&entries, scope);
    add_amount(to, &entries, amount);
}

// What a function has for its calls, loaded where it begins.
struct frame {
    tree thread, top, delta;
};

static void enter(gimple_seq *to, const struct frame *frame,
                  const struct entries *entries)
{
    tree new_top = make_ssa_name(ptr_type_node);
    tree total;

    gimple_seq_add_stmt(to, gimple_build_assign(new_top, POINTER_PLUS_EXPR, frame->top,
                                                size_int(8 * entries->count)));
    store(to, memory(ptr_type_node, frame->thread, THREAD_FIELD(top)), new_top);
    total = load(to, number_type(),
                 memory(number_type(), frame->thread, THREAD_FIELD(total)));
    for (unsigned i = 0; i < entries->count; i++) {
        tree pair = own_pair(to, entries->pair[i], frame->delta);
        store(to, memory(ptr_type_node, frame->top, 8 * i), pair);
        tree depth = load(to, number_type(), memory(number_type(), pair, 0));
        tree part =
            gimple_build(to, BIT_AND_EXPR, number_type(), total, if_first(to, depth));
        tree before = load(to, number_type(), memory(number_type(), pair, 8));
        store(to, memory(number_type(), pair, 8),
              gimple_build(to, MINUS_EXPR, number_type(), before, part));
        store(to, memory(number_type(), pair, 0),
              gimple_build(to, PLUS_EXPR, number_type(), depth, number(1)));
    }
}

static void leave(gimple_seq *to, const struct frame *frame,
                  const struct entries *entries)
{
    tree total;

    store(to, memory(ptr_type_node, frame->thread, THREAD_FIELD(top)), frame->top);
    total = load(to, number_type(),
                 memory(number_type(), frame->thread, THREAD_FIELD(total)));
    for (unsigned i = 0; i < entries->count; i++) {
        tree pair = own_pair(to, entries->pair[i], frame->delta);
        tree depth = load(to, number_type(), memory(number_type(), pair, 0));
        tree less = gimple_build(to, MINUS_EXPR, number_type(), depth, number(1));
        store(to, memory(number_type(), pair, 0), less);
        tree part =
            gimple_build(to, BIT_AND_EXPR, number_type(), total, if_first(to, less));
        tree before = load(to, number_type(), memory(number_type(), pair, 8));
        store(to, memory(number_type(), pair, 8),
              gimple_build(to, PLUS_EXPR, number_type(), before, part));
    }
}

// ---- the walk over a function ----

struct site {
    gimple *statement;
    tree scope;
};

struct sites {
    auto_vec<site> additions, calls;
    auto_vec<gcall *> twice;         // calls that may return again
    auto_vec<basic_block> receivers; // control may come in from elsewhere
};

// A function that nothing that is counted can be called by.
static bool is_harmless(const gcall *call)
{
    tree function = gimple_call_fndecl(call);

    if (gimple_call_internal_p(call))
        return true;
    if (!function || !(gimple_call_flags(call) & ECF_LEAF))
        return false;
    return fndecl_built_in_p(function) ||
           in_system_header_at(DECL_SOURCE_LOCATION(function));
}

static bool is_tail(const gcall *call)
{
    return gimple_call_tail_p(call) || gimple_call_must_tail_p(call);
}

static tree stored_counter(const gimple *stmt)
{
    const gassign *assign = dyn_cast<const gassign *>(stmt);
    tree to = assign ? gimple_assign_lhs(assign) : NULL_TREE;

    return to && VAR_P(to) && counter_is(to) && counter_counts(to).calls ? to : NULL_TREE;
}

static tree scope_of(const gimple *stmt, tree state)
{
    tree scope = scopes_of_block(LOCATION_BLOCK(gimple_location(stmt)));

    if (!scope)
        scope = state;
    return scope ? scope : scopes_root();
}

static bool is_receiver(const gimple *stmt)
{
    const glabel *label = dyn_cast<const glabel *>(stmt);
    tree decl = label ? gimple_label_label(label) : NULL_TREE;

    return decl && (EH_LANDING_PAD_NR(decl) || DECL_NONLOCAL(decl));
}

static void find_in_statement(struct sites *sites, gimple *stmt, tree state)
{
    gcall *call = dyn_cast<gcall *>(stmt);

    if (adds_calls() && stored_counter(stmt))
        sites->additions.safe_push({stmt, scope_of(stmt, state)});
    else if (is_receiver(stmt))
        sites->receivers.safe_push(gimple_bb(stmt));
    else if (call && gimple_call_flags(call) & ECF_RETURNS_TWICE)
        sites->twice.safe_push(call);
    else if (call && !is_harmless(call) && !is_tail(call))
        sites->calls.safe_push({stmt, scope_of(stmt, state)});
}

static void find_sites(struct sites *sites)
{
    struct flow_state *states = flow_compute();
    basic_block bb;

    FOR_EACH_BB_FN(bb, cfun)
    {
        tree state = states[bb->index].at_start;
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            state = flow_after(gsi_stmt(gsi), state);
            find_in_statement(sites, gsi_stmt(gsi), state);
        }
    }
    free(states);
}

// ---- additions of calls ----

// The sources around a counter's function where the function itself was inlined, whatever
// scope the statement has.
static void entries_of_counter(struct entries *entries, tree scope, tree counted)
{
    tree found = scope;

    while (found && scopes_function(found) != DECL_ORIGIN(counted))
        found = scopes_parent(found);
    find_entries(entries, found ? found : scope);
    if (options.mark == OPTIONS_MARK_SOURCE)
        add_entry(entries, DECL_ORIGIN(counted));
}

static gassign *definition(tree value)
{
    return TREE_CODE(value) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(value))
                                        : NULL;
}

// What is added by a store to the counter, where that is a number and the statements for
// it stand together, as they do unless they were moved; else NULL_TREE.
static tree constant_amount(const gassign *assign)
{
    gassign *sum = definition(gimple_assign_rhs1(assign));
    if (!sum || gimple_assign_rhs_code(sum) != PLUS_EXPR ||
        TREE_CODE(gimple_assign_rhs2(sum)) != INTEGER_CST)
        return NULL_TREE;
    gassign *before = definition(gimple_assign_rhs1(sum));
    return before && gimple_bb(before) == gimple_bb(assign) &&
                   gimple_assign_rhs1(before) == gimple_assign_lhs(assign)
               ? fold_convert(number_type(), gimple_assign_rhs2(sum))
               : NULL_TREE;
}

// The counter in a place that is not volatile any more; cells.cc does that for cells.
static tree plain(tree counter)
{
    return DECL_THREAD_LOCAL_P(counter)
               ? build2(MEM_REF, number_type(), build_fold_addr_expr(counter),
                        build_int_cst(build_pointer_type(number_type()), 0))
               : counter;
}

static void make_plain(gassign *assign, tree counter)
{
    gassign *sum = definition(gimple_assign_rhs1(assign));
    gassign *before = sum ? definition(gimple_assign_rhs1(sum)) : NULL;

    gimple_assign_set_lhs(assign, plain(counter));
    update_stmt(assign);
    if (before && gimple_assign_rhs1(before) == counter) {
        gimple_assign_set_rhs1(before, plain(counter));
        update_stmt(before);
    }
}

// What the statement, which stores to the counter, adds to it.
static void instrument_addition(const struct site *site)
{
    gassign *assign = as_a<gassign *>(site->statement);
    gimple_stmt_iterator gsi = gsi_for_stmt(assign);
    tree counter = gimple_assign_lhs(assign);
    struct entries entries;
    gimple_seq statements = NULL;

    entries_of_counter(&entries, site->scope, DECL_CONTEXT(counter));
    tree amount = constant_amount(assign);
    if (!amount) {
        tree before = load(&statements, number_type(), counter);
        amount = gimple_build(&statements, MINUS_EXPR, number_type(),
                              gimple_assign_rhs1(assign), before);
    }
    add_amount(&statements, &entries, amount);
    annotate_all_with_location(statements, gimple_location(assign));
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
    make_plain(assign, counter);
}

// ---- calls ----

// Cuts the stack back to TOP, behind the statement LAST that found NOW, if it is another.
static void cut_back(gimple *last, tree thread, tree now, tree top)
{
    gcond *more = gimple_build_cond(NE_EXPR, now, top, NULL_TREE, NULL_TREE);
    basic_block bb =
        insert_cond_bb(gimple_bb(last), last, more, profile_probability::very_unlikely());
    gcall *call = gimple_build_call(cut, 2, thread, top);

    gimple_stmt_iterator gsi = gsi_start_bb(bb);
    gimple_set_location(more, gimple_location(last));
    gimple_set_location(call, gimple_location(last));
    gsi_insert_after(&gsi, call, GSI_NEW_STMT);
}

static edge return_edge(gcall *call)
{
    return stmt_ends_bb_p(call) ? find_fallthru_edge(gimple_bb(call)->succs) : NULL;
}

static bool has_behind(gcall *call)
{
    return !stmt_ends_bb_p(call) || return_edge(call);
}

static void insert_behind(gcall *call, gimple_seq statements)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(call);

    if (edge e = return_edge(call)) {
        gsi = gsi_start_bb(split_edge(e));
        gsi_insert_seq_after(&gsi, statements, GSI_CONTINUE_LINKING);
    } else {
        gsi_insert_seq_after(&gsi, statements, GSI_CONTINUE_LINKING);
    }
}

// Statements that load how far the stack is filled now, and then where it should be.
static tree load_top(gimple_seq *to, const struct frame *frame)
{
    return load(to, ptr_type_node,
                memory(ptr_type_node, frame->thread, THREAD_FIELD(top)));
}

// That the call may have cut off what it entered is put right first, since an exception
// or a longjmp may have been received by code that is not profiled.
static void leave_behind(gcall *call, const struct frame *frame,
                         const struct entries *entries)
{
    gimple_seq check = NULL, statements = NULL;
    tree full = make_ssa_name(ptr_type_node);

    gimple_seq_add_stmt(&check, gimple_build_assign(full, POINTER_PLUS_EXPR, frame->top,
                                                    size_int(8 * entries->count)));
    tree now = load_top(&check, frame);
    leave(&statements, frame, entries);
    annotate_all_with_location(check, gimple_location(call));
    annotate_all_with_location(statements, gimple_location(call));
    gimple *last = gimple_seq_last_stmt(check);
    insert_behind(call, check);
    cut_back(last, frame->thread, now, full);
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, gimple_bb(last)->succs)
    if (e->flags & EDGE_FALSE_VALUE) {
        gimple_stmt_iterator gsi = gsi_after_labels(e->dest);
        gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
    }
}

static void instrument_call(const struct site *site, const struct frame *frame)
{
    gcall *call = as_a<gcall *>(site->statement);
    gimple_stmt_iterator gsi = gsi_for_stmt(call);
    struct entries entries;
    gimple_seq before = NULL;

    find_entries(&entries, site->scope);
    if (!entries.count)
        return;
    enter(&before, frame, &entries);
    annotate_all_with_location(before, gimple_location(call));
    gsi_insert_seq_before(&gsi, before, GSI_SAME_STMT);
    if (has_behind(call))
        leave_behind(call, frame, &entries);
}

// ---- where control comes in from elsewhere ----

static void receive_behind(gcall *call, const struct frame *frame)
{
    gimple_seq check = NULL;

    if (!has_behind(call))
        return;
    tree now = load_top(&check, frame);
    gimple *last = gimple_seq_last_stmt(check);
    insert_behind(call, check);
    cut_back(last, frame->thread, now, frame->top);
}

static void receive_in(basic_block bb, const struct frame *frame)
{
    gimple_seq check = NULL;
    gimple_stmt_iterator gsi = gsi_after_labels(bb);
    tree now = load_top(&check, frame);
    gimple *last = gimple_seq_last_stmt(check);

    gsi_insert_seq_before(&gsi, check, GSI_SAME_STMT);
    cut_back(last, frame->thread, now, frame->top);
}

// ---- the function's beginning ----

// Where there is no room for what a call enters, ccprof_attach_grow sees to it.
static void make_frame(struct frame *frame)
{
    gimple_seq check = NULL, statements = NULL;
    edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun));
    tree thread = load_thread(&check);
    tree top =
        load(&check, ptr_type_node, memory(ptr_type_node, thread, THREAD_FIELD(top)));
    tree limit =
        load(&check, ptr_type_node, memory(ptr_type_node, thread, THREAD_FIELD(limit)));
    gimple *last = gimple_seq_last_stmt(check);
    gimple_stmt_iterator gsi = gsi_start_bb(split_edge(e));

    gsi_insert_seq_after(&gsi, check, GSI_CONTINUE_LINKING);
    gcond *full = gimple_build_cond(GE_EXPR, top, limit, NULL_TREE, NULL_TREE);
    basic_block bb =
        insert_cond_bb(gimple_bb(last), last, full, profile_probability::very_unlikely());
    gcall *call = gimple_build_call(grow, 1, build_fold_addr_expr(word));
    gsi = gsi_start_bb(bb);
    gsi_insert_after(&gsi, call, GSI_NEW_STMT);

    frame->thread = load_thread(&statements);
    frame->top = load_top(&statements, frame);
    frame->delta = load_word(&statements, sizetype, 1);
    gsi = gsi_after_labels(single_succ(bb));
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

static void instrument_function(void)
{
    struct sites sites;
    struct frame frame;

    find_sites(&sites);
    for (const struct site &addition : sites.additions)
        instrument_addition(&addition);
    if (sites.calls.is_empty())
        return;
    make_frame(&frame);
    for (basic_block receiver : sites.receivers)
        receive_in(receiver, &frame);
    for (gcall *call : sites.twice)
        receive_behind(call, &frame);
    for (const struct site &call : sites.calls)
        instrument_call(&call, &frame);
}

static const pass_data stack_data = {
    GIMPLE_PASS,
    "ccprof_stack",
    OPTGROUP_NONE,
    TV_NONE,
    PROP_cfg | PROP_ssa,
    0,
    0,
    0,
    TODO_update_ssa_only_virtuals,
};

class stack_pass : public gimple_opt_pass
{
  public:
    stack_pass() : gimple_opt_pass(stack_data, g)
    {
    }

    unsigned int execute(function *fun) final override
    {
        if (!lookup_attribute("naked", DECL_ATTRIBUTES(fun->decl)))
            instrument_function();
        return 0;
    }
};

opt_pass *passes_make_stack(void)
{
    return new stack_pass;
}

void stack_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
}
