// SPDX-License-Identifier: GPL-3.0-or-later
// The pass adds code after the calls. It is one of the last passes in GIMPLE, when the
// markers still exist.

#include "plugin/gcc/compat.h"
#include "plugin/alloc/alloc.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/count/storage.h"
#include "plugin/inclusive/inclusive.h"

// The counters of a site.
enum { BLOCKS, BYTES, COUNTERS };

namespace
{
struct site {
    gcall *call;
    struct alloc_request request;
    location_t location;
    bool is_library; // all frames of its local stack are in libraries
    int rest; // number of its pair of counters for allocations without a path, or -1
};

// A call that may lead to an allocation in library code.
struct library_call {
    gcall *call;
    location_t location;
    bool is_library; // the call itself is in library code
    unsigned number; // number of its pair of counters, if the call is outside libraries
};

// The places where the current function allocates.
struct places {
    auto_vec<site> sites;
    auto_vec<library_call> calls;
    unsigned pairs; // of counters
    tree path;      // the path at the start of the function, or NULL_TREE if not needed
};
} // namespace

static tree number_type(void)
{
    return long_long_unsigned_type_node;
}

// Returns an argument of the call as a value that can also be used after the call.
static tree copy_argument(gimple_seq *before, const gcall *call, unsigned number)
{
    tree value = gimple_call_arg(call, number - 1);

    if (TREE_CODE(value) == SSA_NAME && SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value)) {
        tree copy = make_ssa_name(TREE_TYPE(value));
        gimple_seq_add_stmt(before, gimple_build_assign(copy, value));
        value = copy;
    }
    return value;
}

static tree multiply_factors(gimple_seq *before, const gcall *call,
                             const struct alloc_request *request)
{
    tree size = NULL_TREE;

    for (unsigned number : request->factors) {
        if (!number)
            continue;
        tree factor =
            gimple_convert(before, number_type(), copy_argument(before, call, number));
        size =
            size ? gimple_build(before, MULT_EXPR, number_type(), size, factor) : factor;
    }
    return size;
}

// Returns the size of a string including its NUL, or NULL_TREE if the compiler does not
// know strlen or strnlen.
static tree string_size(gimple_seq *before, const gcall *call, bool prefix)
{
    tree function = builtin_decl_explicit(prefix ? BUILT_IN_STRNLEN : BUILT_IN_STRLEN);

    if (!function)
        return NULL_TREE;
    tree length = make_ssa_name(size_type_node);
    gcall *count = prefix ? gimple_build_call(function, 2, gimple_call_arg(call, 0),
                                              copy_argument(before, call, 2))
                          : gimple_build_call(function, 1, gimple_call_arg(call, 0));
    gimple_call_set_lhs(count, length);
    gimple_seq_add_stmt(before, count);
    return gimple_build(before, PLUS_EXPR, number_type(),
                        gimple_convert(before, number_type(), length),
                        build_one_cst(number_type()));
}

// Returns the requested size, or NULL_TREE if it is unknown before the call.
static tree size_before(gimple_seq *before, const struct site *site)
{
    switch (site->request.size) {
    case ALLOC_SIZE_PRODUCT:
        return multiply_factors(before, site->call, &site->request);
    case ALLOC_SIZE_STRING:
    case ALLOC_SIZE_PREFIX:
        return string_size(before, site->call, site->request.size == ALLOC_SIZE_PREFIX);
    case ALLOC_SIZE_UNKNOWN:
    case ALLOC_SIZE_RESULT:
        break;
    }
    return NULL_TREE;
}

// Returns the result of the call. If the call has no result, gives it one. Returns
// NULL_TREE if the result is not a register.
static tree result_of(gcall *call)
{
    if (!gimple_call_lhs(call))
        gimple_call_set_lhs(call, make_ssa_name(gimple_call_return_type(call), call));
    tree result = gimple_call_lhs(call);
    return TREE_CODE(result) == SSA_NAME ? result : NULL_TREE;
}

// Returns a value that is true if the call succeeded, or NULL_TREE if the call always
// succeeds.
static tree make_success(gimple_seq *after, const struct site *site)
{
    static const enum tree_code codes[] = {
        [ALLOC_SUCCESS_POINTER] = NE_EXPR,
        [ALLOC_SUCCESS_ALWAYS] = NE_EXPR,
        [ALLOC_SUCCESS_ZERO] = EQ_EXPR,
        [ALLOC_SUCCESS_LENGTH] = GE_EXPR,
    };

    if (site->request.success == ALLOC_SUCCESS_ALWAYS)
        return NULL_TREE;
    tree result = result_of(site->call);
    if (!result)
        return NULL_TREE;
    return gimple_build(after, codes[site->request.success], boolean_type_node, result,
                        build_zero_cst(TREE_TYPE(result)));
}

// Returns 1, or 0 if the call failed or a profiled allocator has already counted the
// block.
static tree blocks_behind(gimple_seq *after, const struct site *site,
                          const struct inclusive_allocators *noted)
{
    tree succeeded = make_success(after, site);

    if (noted) {
        tree is_own = inclusive_no_allocator(after, noted);
        succeeded = succeeded ? gimple_build(after, BIT_AND_EXPR, boolean_type_node,
                                             succeeded, is_own)
                              : is_own;
    }
    return succeeded ? gimple_convert(after, number_type(), succeeded)
                     : build_one_cst(number_type());
}

static tree size_of_result(gimple_seq *after, const struct site *site)
{
    tree result = site->request.size == ALLOC_SIZE_RESULT ? result_of(site->call) : NULL;

    if (!result || !INTEGRAL_TYPE_P(TREE_TYPE(result)))
        return NULL_TREE;
    return gimple_build(after, PLUS_EXPR, number_type(),
                        gimple_convert(after, number_type(), result),
                        build_one_cst(number_type()));
}

// Returns the counters of the path. If there is no path, returns the site's own counters
// for allocations without a path.
static tree path_counters(gimple_seq *statements, tree path, unsigned row, unsigned rest)
{
    tree site = storage_pointer(statements, row, COUNTERS * rest, false);
    tree is_none = gimple_build(statements, EQ_EXPR, boolean_type_node, path,
                                build_zero_cst(ptr_type_node));
    tree mask = gimple_build(statements, NEGATE_EXPR, sizetype,
                             gimple_convert(statements, sizetype, is_none));
    tree either = gimple_build(statements, BIT_AND_EXPR, sizetype,
                               gimple_convert(statements, sizetype, site), mask);
    either = gimple_build(statements, BIT_IOR_EXPR, sizetype, either,
                          gimple_convert(statements, sizetype, path));
    return gimple_convert(statements, ptr_type_node, either);
}

// Adds the allocated block and its bytes to the counters. BLOCKS is 0 if nothing was
// allocated, otherwise 1.
static void add_to_counters(gimple_seq *statements, const struct site *site, tree path,
                            unsigned row, unsigned number, tree blocks, tree bytes)
{
    tree more = NULL_TREE;

    storage_add(statements, row, COUNTERS * number + BLOCKS, blocks);
    if (site->rest >= 0) {
        more = path_counters(statements, path, row, site->rest);
        storage_add_at(statements, more, 8 * BLOCKS, blocks);
    }
    if (!bytes)
        return;
    if (!integer_onep(blocks)) {
        tree mask = gimple_build(statements, NEGATE_EXPR, number_type(), blocks);
        bytes = gimple_build(statements, BIT_AND_EXPR, number_type(), bytes, mask);
    }
    storage_add(statements, row, COUNTERS * number + BYTES, bytes);
    if (more)
        storage_add_at(statements, more, 8 * BYTES, bytes);
    if (options_adds_inclusive())
        inclusive_add(statements, bytes);
}

// If the call ends its block, returns the edge to the block where the call returns.
// Otherwise returns NULL.
static edge return_edge(gcall *call)
{
    return stmt_ends_bb_p(call) ? find_fallthru_edge(gimple_bb(call)->succs) : NULL;
}

// Returns true if code can be inserted after the call. A tail call must remain a tail
// call. If GCC knows that a call does not return, no code can follow it.
static bool has_behind(gcall *call)
{
    return !gimple_call_tail_p(call) && !gimple_call_must_tail_p(call) &&
           (!stmt_ends_bb_p(call) || return_edge(call));
}

static void insert_before_call(gcall *call, gimple_seq statements)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(call);

    annotate_all_with_location(statements, gimple_location(call));
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

static void insert_behind_call(gcall *call, gimple_seq statements)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(call);

    annotate_all_with_location(statements, gimple_location(call));
    if (edge e = return_edge(call))
        gsi_insert_seq_on_edge_immediate(e, statements);
    else
        gsi_insert_seq_after(&gsi, statements, GSI_CONTINUE_LINKING);
}

static void count_site(const struct site *site, tree path, unsigned row, unsigned number)
{
    gimple_seq before = NULL, behind = NULL;
    tree bytes = size_before(&before, site);
    struct inclusive_allocators noted;
    bool is_noted = options_adds_inclusive() &&
                    inclusive_note_allocators(&before, site->call, &noted);
    bool is_behind = has_behind(site->call);

    if (!is_behind) {
        add_to_counters(&before, site, path, row, number, build_one_cst(number_type()),
                        bytes);
    } else {
        tree blocks = blocks_behind(&behind, site, is_noted ? &noted : NULL);
        if (!bytes)
            bytes = size_of_result(&behind, site);
        add_to_counters(&behind, site, path, row, number, blocks, bytes);
    }
    insert_before_call(site->call, before);
    if (is_behind)
        insert_behind_call(site->call, behind);
    update_stmt(site->call);
}

// Returns the location of the call, with a scope unless the function has no scopes.
static location_t location_of_call(const gcall *call, tree state)
{
    location_t location = gimple_location(call);

    if (LOCATION_BLOCK(location) || !scopes_root())
        return location;
    return charge_location(location, state ? state : scopes_root());
}

// Sets the path for the duration of the call. After a tail call the path is not restored.
// This does no harm, because the path is set again before library code reads it.
static void set_path(const struct library_call *call, const struct places *places,
                     unsigned row)
{
    gimple_seq before = NULL, behind = NULL;

    if (call->is_library) {
        alloc_path_store(&before, places->path);
        insert_before_call(call->call, before);
        return;
    }
    bool is_behind = has_behind(call->call);
    tree saved_path = is_behind ? alloc_path_load(&before) : NULL_TREE;
    alloc_path_store(&before,
                     storage_pointer(&before, row, COUNTERS * call->number, true));
    insert_before_call(call->call, before);
    if (!is_behind)
        return;
    alloc_path_store(&behind, saved_path);
    insert_behind_call(call->call, behind);
}

// Loads the path that was valid when the function was called, if it is needed.
static void load_path(struct places *places)
{
    bool is_needed = false;
    gimple_seq statements = NULL;

    for (const struct site &site : places->sites)
        is_needed |= site.rest >= 0;
    for (const struct library_call &call : places->calls)
        is_needed |= call.is_library;
    if (!is_needed)
        return;
    places->path = alloc_path_load(&statements);
    gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
                                     statements);
}

static bool is_own(location_t location)
{
    return alloc_path_is_own(scopes_of_block(LOCATION_BLOCK(location)));
}

// The current function is excluded. So its allocations are not counted anywhere, unless
// its calls are sites.
static void note_uncounted(void)
{
    tree function = DECL_ORIGIN(current_function_decl);

    if (alloc_is_allocator(function))
        return;
    char *name = names_of_function(function);
    filter_note_excluded_allocator(name);
    free(name);
}

// IS_ON: the unit has paths. CHANGED: the path may differ from the path at the start of
// the function.
static void find_in_call(struct places *places, gcall *call, tree state, bool is_on,
                         bool changed)
{
    struct alloc_request request;
    bool is_site = alloc_find(call, &request);

    if (!is_site && !(is_on && alloc_path_is_needed(call)))
        return;
    location_t location = location_of_call(call, state);
    bool is_library = is_on && !is_own(location);
    if (!is_site && (changed || !is_library))
        places->calls.safe_push({call, location, is_library, 0});
    else if (is_site && alloc_table_add(location, gimple_bb(call)->index, &request, call))
        places->sites.safe_push({call, request, location, is_library, -1});
    else if (is_site)
        note_uncounted();
}

static void find_places(struct places *places)
{
    struct dataflow_state *states = dataflow_compute();
    bool is_on = alloc_path_is_on();
    bool *changed_at = is_on ? alloc_path_find_changed() : NULL;
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        tree state = states[bb->index].at_start;
        bool changed = is_on && changed_at[bb->index];
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            state = dataflow_after(gsi_stmt(gsi), state);
            if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi))) {
                find_in_call(places, call, state, is_on, changed);
                changed = changed || (is_on && alloc_path_may_change(call));
            }
        }
    }
    free(changed_at);
    free(states);
}

// Adds the pairs of counters for paths, after the pairs of the sites.
static void find_paths(struct places *places)
{
    unsigned kept = 0;

    places->pairs = places->sites.length();
    for (unsigned i = 0; i < places->sites.length(); i++) {
        struct site *site = &places->sites[i];
        if (site->is_library &&
            alloc_table_add_path(site->location, gimple_bb(site->call)->index, i,
                                 NULL_TREE))
            site->rest = places->pairs++;
    }
    for (struct library_call &call : places->calls) {
        if (!call.is_library) {
            if (!alloc_table_add_path(call.location, gimple_bb(call.call)->index, -1,
                                      gimple_call_fndecl(call.call)))
                continue;
            call.number = places->pairs++;
        }
        places->calls[kept++] = call;
    }
    places->calls.truncate(kept);
}

static void execute_alloc(function *)
{
    struct places places = {};

    alloc_table_begin();
    find_places(&places);
    find_paths(&places);
    charge_forget();
    if (options_adds_inclusive() && alloc_is_profiled(current_function_decl))
        inclusive_enter_allocator();
    unsigned row = places.pairs ? storage_make_row(COUNTERS * places.pairs) : 0;
    load_path(&places);
    for (unsigned i = 0; i < places.sites.length(); i++)
        count_site(&places.sites[i], places.path, row, i);
    for (const struct library_call &call : places.calls)
        set_path(&call, &places, row);
    if (places.pairs)
        alloc_table_end(row);
}

opt_pass *passes_make_alloc(void)
{
    return pass_make("ccprof_alloc", PASS_SSA_MEMORY, execute_alloc);
}
