// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/absent.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/passes.h"
#include "plugin/count/counter.h"

// DECL_UID of functions as the source has them: a constructor's bodies are one.
typedef hash_set<int_hash<unsigned, (unsigned)-1, (unsigned)-2>> function_set;

static vec<tree, va_gc> *candidates;
static function_set *compiled, *counted;

static const struct ggc_root_tab roots[] = {
    {&candidates, 1, sizeof candidates, &gt_ggc_mx_vec_tree_va_gc_,
     &gt_pch_nx_vec_tree_va_gc_},
    LAST_GGC_ROOT_TAB,
};

// GCC compiles these without optimisation whether or not they are called (GCC:
// cgraphunit.cc, cgraph_node::finalize_function).
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

// The body of a function that stands in another is taken apart when the outer one is
// compiled.
static bool has_body(const cgraph_node *node)
{
    return node->definition ||
           (decl_function_context(node->decl) && DECL_SAVED_TREE(node->decl));
}

// Inline functions of headers are many, and most programs call few of them.
static bool is_wanted(const cgraph_node *node)
{
    tree function = DECL_ORIGIN(node->decl);

    return has_body(node) && !node->alias && !node->thunk && !names_is_made(function) &&
           (is_in_main_file(function) || is_kept_without_optimisation(function));
}

// A name for the assembler, which is a function's identity, is only made for what is
// compiled, and needs the function's arguments, which go with its body (GCC:
// cgraphunit.cc, analyze_functions).  In other languages than C++ it is the declared one.
static void prepare(tree function)
{
    filter_prepare(function);
    if (startswith(lang_hooks.name, "GNU C++"))
        DECL_ASSEMBLER_NAME(function);
}

static void find_candidates(void)
{
    cgraph_node *node;

    FOR_EACH_FUNCTION (node) {
        if (!is_wanted(node))
            continue;
        prepare(DECL_ORIGIN(node->decl));
        vec_safe_push(candidates, DECL_ORIGIN(node->decl));
    }
}

static bool contains(function_set *functions, tree function)
{
    return functions && functions->contains(DECL_UID(function));
}

static void add(function_set **functions, tree function)
{
    if (!*functions)
        *functions = new function_set;
    (*functions)->add(DECL_UID(DECL_ORIGIN(function)));
}

void absent_note(void)
{
    if (!compiled)
        find_candidates();
    add(&compiled, current_function_decl);
}

void absent_forget(tree function)
{
    add(&counted, function);
}

// No function refers to the counter, so nobody looks at it any more.
static void make_counter(tree function)
{
    if (contains(counted, function) || !counter_wants(function))
        return;
    tree saved = current_function_decl;
    current_function_decl = function;
    varpool_node *node = varpool_node::get(counter_make());
    current_function_decl = saved;
    if (!node->analyzed)
        node->analyze();
    absent_forget(function);
}

// Their counters are there before the front end is taken away, which looks for what is to
// be streamed, but not for functions that are not compiled (GCC: ipa-free-lang-data.cc).
static void make_early(void *, void *)
{
    for (unsigned i = 0; !seen_error() && i < vec_safe_length(candidates); i++)
        if (!contains(compiled, (*candidates)[i]))
            make_counter((*candidates)[i]);
}

// What is left are functions that GCC has begun to compile, such as virtual functions
// that nobody calls.
static void execute(function *)
{
    for (unsigned i = 0; i < vec_safe_length(candidates); i++)
        make_counter((*candidates)[i]);
    candidates = NULL;
}

opt_pass *passes_make_absent(void)
{
    return pass_make("ccprof_absent", PASS_UNIT, execute);
}

void absent_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_START, make_early, NULL);
}
