// SPDX-License-Identifier: GPL-3.0-or-later
// The passes that count calls, blocks and branches, and the rows of counters of each
// function. Also gives a counter to functions that are not compiled.

#include "plugin/gcc/compat.h"
#include "plugin/count/count.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/callgraph.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/sources.h"
#include "plugin/count/counter.h"
#include "plugin/count/storage.h"
#include "rt/format.h"

// Functions of the source that are not compiled, because no compiled code refers to them.
// They get a counter to which nothing adds. So the report lists them with 0 calls, like a
// function that the optimisers remove entirely.

// A set of functions of the source, by DECL_UID. All bodies of a constructor are one
// function.
typedef hash_set<int_hash<unsigned, (unsigned)-1, (unsigned)-2>> function_set;

// Functions of the source that GCC will perhaps not compile.
static vec<tree, va_gc> *candidates;
static function_set *compiled, *counted;

static const struct ggc_root_tab roots[] = {
    {&candidates, 1, sizeof candidates, &gt_ggc_mx_vec_tree_va_gc_,
     &gt_pch_nx_vec_tree_va_gc_},
    LAST_GGC_ROOT_TAB,
};

// Returns true if GCC, without optimisation, compiles the function even if nothing calls
// it (GCC: cgraphunit.cc, cgraph_node::finalize_function).
static bool is_kept_without_optimisation(const_tree function)
{
    return !DECL_DECLARED_INLINE_P(function) && !DECL_DISREGARD_INLINE_LIMITS(function) &&
           !DECL_COMDAT(function) && !DECL_EXTERNAL(function) &&
           !decl_function_context(function);
}

static bool is_in_main_file(const_tree function)
{
    const char *file = expand_location(DECL_SOURCE_LOCATION(function)).file;
    return file && main_input_filename && !filename_cmp(file, main_input_filename);
}

// A nested function has no definition until the outer function is compiled.
static bool has_body(const cgraph_node *node)
{
    return node->definition ||
           (decl_function_context(node->decl) && DECL_SAVED_TREE(node->decl));
}

// Excludes inline functions of headers: there are many, and most programs call few of
// them.
static bool is_candidate(const cgraph_node *node)
{
    tree function = DECL_ORIGIN(node->decl);

    return has_body(node) && !node->alias && !node->thunk && !names_is_made(function) &&
           (is_in_main_file(function) || is_kept_without_optimisation(function));
}

// A function is identified by its assembler name. GCC makes this name only for compiled
// functions. GCC needs the function's arguments to make the name, and frees them together
// with the body (GCC: cgraphunit.cc, analyze_functions). So the name is made here. In
// languages other than C++ it is the declared name.
static void find_candidates(void)
{
    cgraph_node *node;

    FOR_EACH_FUNCTION (node) {
        tree function = DECL_ORIGIN(node->decl);
        if (!is_candidate(node))
            continue;
        filter_prepare(function);
        if (startswith(lang_hooks.name, "GNU C++"))
            DECL_ASSEMBLER_NAME(function);
        vec_safe_push(candidates, function);
    }
}

static bool has_function(function_set *functions, tree function)
{
    return functions && functions->contains(DECL_UID(function));
}

static void add_function(function_set **functions, tree function)
{
    if (!*functions)
        *functions = new function_set;
    (*functions)->add(DECL_UID(DECL_ORIGIN(function)));
}

// Notes that the current function is compiled. Called for all functions of the unit.
static void note_compiled(void)
{
    if (!compiled)
        find_candidates();
    add_function(&compiled, current_function_decl);
}

// Makes a counter for FUNCTION if FUNCTION has no counter. No function refers to this
// counter, so GCC would not analyse it by itself.
static void make_absent_counter(tree function)
{
    if (has_function(counted, function) || !counter_wants(function))
        return;
    tree saved = current_function_decl;
    current_function_decl = function;
    varpool_node *node = varpool_node::get(counter_make());
    current_function_decl = saved;
    if (!node->analyzed)
        node->analyze();
    add_function(&counted, function);
}

// Makes counters for functions that are not compiled, before GCC frees the data of the
// front end. GCC then looks for the declarations that must be streamed, but not in
// functions that are not compiled (GCC: ipa-free-lang-data.cc).
static void make_early(void *, void *)
{
    for (unsigned i = 0; !seen_error() && i < vec_safe_length(candidates); i++)
        if (!has_function(compiled, (*candidates)[i]))
            make_absent_counter((*candidates)[i]);
}

// Makes counters for functions that GCC began to compile and then dropped, such as
// virtual functions without calls.
static void count_absent(function *)
{
    for (unsigned i = 0; i < vec_safe_length(candidates); i++)
        make_absent_counter((*candidates)[i]);
    candidates = NULL;
}

opt_pass *passes_make_absent(void)
{
    return pass_make("ccprof_absent", PASS_UNIT, count_absent);
}

static const char *assembler_name(tree function)
{
    return DECL_ASSEMBLER_NAME_SET_P(function)
               ? IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function))
               : "";
}

// Mangled names contain C1 or C2 for constructors, D1 or D2 for destructors, and C4 or D4
// for their common body. Inherited constructors have CI1, CI2 and CI4.
static bool is_common_body(const char *body, const char *name)
{
    size_t i = 0;

    while (body[i] && body[i] == name[i])
        i++;
    bool inherits = i > 1 && body[i - 2] == 'C' && body[i - 1] == 'I';
    return i > 0 && (inherits || strchr("CD", body[i - 1])) && body[i] == '4' &&
           name[i] && !strcmp(body + i + 1, name + i + 1);
}

// Returns true if the function is a constructor or destructor that only calls a body,
// which several constructors or destructors share (GCC: cp/optimize.cc,
// maybe_thunk_body).
static bool calls_common_body(function *fun)
{
    const char *name = assembler_name(fun->decl);
    basic_block bb;

    if (!DECL_CXX_CONSTRUCTOR_P(fun->decl) && !DECL_CXX_DESTRUCTOR_P(fun->decl))
        return false;
    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
            tree callee = call ? gimple_call_fndecl(call) : NULL_TREE;
            if (callee && is_common_body(assembler_name(callee), name))
                return true;
        }
    }
    return false;
}

static bool calls_counted_function(const gcall *call)
{
    tree callee = gimple_call_fndecl(call);
    cgraph_node *node = callee ? cgraph_node::get(callee) : NULL;

    return node && node->definition && counter_wants(callee);
}

// Removes the landing pads of calls that the front end marks as tail calls. A coroutine
// resumes another coroutine by such a call. GCC would not remove a landing pad that
// contains a counter, and it stops with an error if a tail call has a landing pad (GCC:
// cp/coroutines.cc, build_actor_fn).
static void remove_tail_call_landing(function *fun)
{
    basic_block bb;
    bool changed = false;

    FOR_EACH_BB_FN (bb, fun) {
        gimple *last = compat_last_stmt(bb);
        const gcall *call = last ? dyn_cast<const gcall *>(last) : NULL;
        if (call && gimple_call_tail_p(call) && remove_stmt_from_eh_lp(last))
            changed |= gimple_purge_dead_eh_edges(bb);
    }
    if (changed)
        delete_unreachable_blocks();
}

static void prepare_function(function *fun)
{
    basic_block bb;

    note_compiled();
    returns_note();
    if (options_adds_inclusive())
        recursion_note();
    if (counter_wants(fun->decl)) {
        purity_forget(fun->decl);
        remove_tail_call_landing(fun);
    }
    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
                if (calls_counted_function(call))
                    purity_forget_of_call(call);
    }
}

opt_pass *passes_make_count_prepare(void)
{
    return pass_make("ccprof_count_prepare", PASS_CFG, prepare_function);
}

static void count_calls(function *fun)
{
    bool calls = !names_is_entry(fun->decl) && !calls_common_body(fun);

    if (!counter_wants(fun->decl))
        return;
    if (calls)
        add_function(&counted, fun->decl);
    if (options.blocks || options.branch)
        flow_count(calls);
    else if (calls)
        gsi_insert_seq_on_edge_immediate(
            single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
            counter_addition(counter_make(), UNKNOWN_LOCATION));
}

opt_pass *passes_make_count(void)
{
    return pass_make("ccprof_count", PASS_SSA_MEMORY, count_calls);
}

// Describes the flow graph of a function whose branches get time or bytes but no counts.
static void describe_branches(function *fun)
{
    if (counter_wants(fun->decl))
        flow_describe();
}

opt_pass *passes_make_branches(void)
{
    return pass_make("ccprof_branches", PASS_CFG, describe_branches);
}

static void note_returns(function *)
{
    returns_note();
}

opt_pass *passes_make_branches_prepare(void)
{
    return pass_make("ccprof_branches_prepare", PASS_CFG, note_returns);
}

// The rest is for mark=function and mark=block, which count in optimised code.

namespace
{
// The counters of one compiled function: a row of storage.h. The sources of these
// counters are in kept.sources, starting at FIRST.
struct row {
    unsigned row, first, count;
};
} // namespace

// The counters of the unit, until count_emit writes their tables.
static struct {
    struct row *rows;
    size_t row_count, row_room;
    unsigned *sources;
    size_t source_count, source_room;
} kept;

static void add_source(int block)
{
    kept.sources = (unsigned *)memory_reserve(
        kept.sources, &kept.source_room, kept.source_count + 1, sizeof *kept.sources);
    kept.sources[kept.source_count++] = sources_compiled(block);
}

static unsigned start_row(unsigned count)
{
    kept.rows = (struct row *)memory_reserve(kept.rows, &kept.row_room,
                                             kept.row_count + 1, sizeof *kept.rows);
    kept.rows[kept.row_count] = {storage_make_row(count), (unsigned)kept.source_count,
                                 count};
    return kept.rows[kept.row_count++].row;
}

static gimple_seq make_row_addition(unsigned row, unsigned index)
{
    gimple_seq statements = NULL;

    storage_add(&statements, row, index, build_one_cst(long_long_unsigned_type_node));
    return statements;
}

static void count_function(void)
{
    unsigned row = start_row(1);

    add_source(-1);
    gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
                                     make_row_addition(row, 0));
}

// Returns true if a counter can be inserted at the start of the block. If control arrives
// by a jump out of another function, nothing may be inserted before the statement that
// receives the jump.
static bool may_count(basic_block bb)
{
    return !bb_has_abnormal_pred(bb);
}

static void count_blocks(void)
{
    unsigned count = 0, i = 0;
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun)
        count += may_count(bb);
    if (count == 0)
        return;
    unsigned row = start_row(count);
    FOR_EACH_BB_FN (bb, cfun) {
        if (!may_count(bb))
            continue;
        gimple_stmt_iterator gsi = gsi_after_labels(bb);
        add_source(bb->index);
        gsi_insert_seq_before(&gsi, make_row_addition(row, i++), GSI_SAME_STMT);
    }
}

static void count_compiled(function *fun)
{
    if (filter_forbids_code(fun->decl) || !filter_wants(fun->decl))
        return;
    if (options.mark == OPTIONS_MARK_BLOCK)
        count_blocks();
    else
        count_function();
}

opt_pass *passes_make_count_late(void)
{
    return pass_make("ccprof_count_late", PASS_SSA_MEMORY, count_compiled);
}

static void emit_row(const struct row *row, const char *unit)
{
    assembly_push_beside(CCPROF_SECTION_COUNT, storage_neighbour(row->row));
    assembly_byte(CCPROF_TABLES_VERSION);
    assembly_line(".4byte", "%s,%u", unit, row->count);
    for (unsigned i = 0; i < row->count; i++) {
        assembly_word_of_element(storage_address(row->row), 8 * i);
        assembly_line(".4byte", "%u", kept.sources[row->first + i]);
    }
    assembly_pop_section();
}

void count_emit(const char *unit)
{
    for (size_t i = 0; i < kept.row_count; i++)
        emit_row(&kept.rows[i], unit);
}

void count_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_START, make_early, NULL);
}
