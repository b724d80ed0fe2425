// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "cells.h"
#include "count.h"
#include "edges.h"
#include "filter.h"
#include "options.h"
#include "passes.h"
#include "returns.h"
#include "stack.h"
#include "../rt/format.h"

#define COUNTER_NAME "ccprof_counter"

static const char *assembler_name(tree function)
{
    return DECL_ASSEMBLER_NAME_SET_P(function)
               ? IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function))
               : "";
}

// The destructor that also frees the object calls the one that does the work.
static bool is_deleting_destructor(tree function)
{
    const char *name = assembler_name(function);
    size_t length = strlen(name);

    return DECL_CXX_DESTRUCTOR_P(function) && length > 4 &&
           !strcmp(name + length - 4, "D0Ev");
}

// Where a constructor or destructor is C1 or C2, D1 or D2, the common body is C4 or D4.
static bool is_common_body(const char *body, const char *name)
{
    size_t i = 0;

    while (body[i] && body[i] == name[i])
        i++;
    return i > 0 && strchr("CD", body[i - 1]) && body[i] == '4' && name[i] &&
           !strcmp(body + i + 1, name + i + 1);
}

// Instead of several bodies of a constructor or destructor there may be calls of one that
// they have in common (GCC: cp/optimize.cc, maybe_thunk_body).
static bool calls_common_body(function *fun)
{
    const char *name = assembler_name(fun->decl);
    basic_block bb;

    if (!DECL_CXX_CONSTRUCTOR_P(fun->decl) && !DECL_CXX_DESTRUCTOR_P(fun->decl))
        return false;
    FOR_EACH_BB_FN(bb, fun)
    {
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

// Such as GCC makes when counters have their places already, for AddressSanitizer's
// start, say, are not of the source.
static bool is_late(void)
{
    return symtab->state > IPA_SSA;
}

bool count_wants(tree function)
{
    return !is_late() && !lookup_attribute("naked", DECL_ATTRIBUTES(function)) &&
           filter_wants(function);
}

// DECL_NONALIASED: only its own name changes it, so that it may stay in a register
// over a loop; but no call may be passed with it there, since DECL_PRESERVE_P keeps
// GCC's analysis of whole units away (GCC: ipa-reference.cc), and other threads and the
// end of the program look at it.  The suffix says what it counts.
static tree make_counter(const char *suffix)
{
    static unsigned number;
    char name[80];

    snprintf(name, sizeof name, COUNTER_NAME ".%u%s", number++, suffix);
    tree variable = build_decl(BUILTINS_LOCATION, VAR_DECL, get_identifier(name),
                               long_long_unsigned_type_node);
    SET_DECL_ASSEMBLER_NAME(variable, get_identifier(name));
    DECL_CONTEXT(variable) = current_function_decl;
    TREE_STATIC(variable) = 1;
    TREE_USED(variable) = 1;
    TREE_ADDRESSABLE(variable) = 1;
    DECL_NONALIASED(variable) = 1;
    DECL_ARTIFICIAL(variable) = 1;
    DECL_IGNORED_P(variable) = 1;
    DECL_PRESERVE_P(variable) = 1;
    // No addition is put together with another one, which may be in another copy.
    TREE_THIS_VOLATILE(variable) = TREE_SIDE_EFFECTS(variable) = stack_is_measured();
    varpool_node::finalize_decl(variable);
    return variable;
}

bool count_is_counter(const_tree variable)
{
    tree name = DECL_NAME(variable), context = DECL_CONTEXT(variable);

    return DECL_ARTIFICIAL(variable) && DECL_PRESERVE_P(variable) && name &&
           startswith(IDENTIFIER_POINTER(name), COUNTER_NAME ".") && context &&
           TREE_CODE(context) == FUNCTION_DECL;
}

// .FLOW.EDGE, and with CALLS a c.
tree count_make_edge_counter(uint64_t flow, unsigned number, bool calls)
{
    char suffix[40];

    snprintf(suffix, sizeof suffix, ".%llx.%u%s", (unsigned long long)flow, number,
             calls ? "c" : "");
    return make_counter(suffix);
}

struct count_of count_of_counter(const_tree counter)
{
    const char *name = IDENTIFIER_POINTER(DECL_NAME(counter)) + strlen(COUNTER_NAME ".");
    struct count_of of = {true, false, 0, 0};
    unsigned long long flow;
    char calls = 0;

    if (sscanf(name, "%*u.%llx.%u%c", &flow, &of.number, &calls) < 2)
        return of;
    of.flow = flow;
    of.edge = true;
    of.calls = calls == 'c';
    return of;
}

// The outermost block becomes that of the copy where the function is inlined.
static void place_statement(gimple *statement, location_t location)
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

gimple_seq count_addition(tree counter, location_t location)
{
    tree type = TREE_TYPE(counter);
    tree before = make_temp_ssa_name(type, NULL, COUNTER_NAME);
    tree after = make_temp_ssa_name(type, NULL, COUNTER_NAME);
    gimple_seq statements = NULL;

    gimple_seq_add_stmt(&statements, gimple_build_assign(before, counter));
    gimple_seq_add_stmt(
        &statements, gimple_build_assign(after, PLUS_EXPR, before, build_one_cst(type)));
    gimple_seq_add_stmt(&statements, gimple_build_assign(counter, after));
    for (gimple_stmt_iterator gsi = gsi_start(statements); !gsi_end_p(gsi);
         gsi_next(&gsi))
        place_statement(gsi_stmt(gsi), location);
    return statements;
}

typedef hash_set<int_hash<unsigned, (unsigned)-1, (unsigned)-2>> number_set;

// By DECL_UID, the functions whose purity was forgotten.
static number_set *pure;

// That a counted function was declared pure or const is not to save calls.
static void forget_purity(tree function)
{
    cgraph_node *node = cgraph_node::get(function);

    if (!pure)
        pure = new number_set;
    if ((TREE_READONLY(function) || DECL_PURE_P(function)) &&
        !DECL_LOOPING_CONST_OR_PURE_P(function))
        pure->add(DECL_UID(function));
    node->set_const_flag(false, false);
    node->set_pure_flag(false, false);
}

// The C front end also gives the type of each call the qualifier.
static void forget_purity_of_call(gcall *call)
{
    tree callee = gimple_call_fndecl(call);
    cgraph_node *node = callee ? cgraph_node::get(callee) : NULL;

    if (!node || !node->definition || !count_wants(callee))
        return;
    tree type = gimple_call_fntype(call);
    gimple_call_set_fntype(
        call, build_qualified_type(type, TYPE_QUALS(type) & ~TYPE_QUAL_CONST));
}

bool count_was_pure(tree function)
{
    return pure && pure->contains(DECL_UID(function));
}

static const pass_data prepare_data = {
    GIMPLE_PASS, "ccprof_count_prepare", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

class prepare_pass : public gimple_opt_pass
{
  public:
    prepare_pass() : gimple_opt_pass(prepare_data, g)
    {
    }

    unsigned int execute(function *fun) final override
    {
        basic_block bb;

        if (options.blocks)
            returns_note();
        if (count_wants(fun->decl))
            forget_purity(fun->decl);
        FOR_EACH_BB_FN(bb, fun)
        {
            for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
                 gsi_next(&gsi))
                if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
                    forget_purity_of_call(call);
        }
        return 0;
    }
};

opt_pass *passes_make_count_prepare(void)
{
    return new prepare_pass;
}

static const pass_data count_data = {
    GIMPLE_PASS,
    "ccprof_count",
    OPTGROUP_NONE,
    TV_NONE,
    PROP_cfg | PROP_ssa,
    0,
    0,
    0,
    TODO_update_ssa_only_virtuals,
};

class count_pass : public gimple_opt_pass
{
  public:
    count_pass() : gimple_opt_pass(count_data, g)
    {
    }

    unsigned int execute(function *fun) final override
    {
        bool calls = !is_deleting_destructor(fun->decl) && !calls_common_body(fun);

        // Those that come now are the compiler's, of sanitizers for example.
        if (!count_wants(fun->decl) || cells_are_placed())
            return 0;
        if (options.blocks)
            edges_count(calls);
        else if (calls)
            gsi_insert_seq_on_edge_immediate(
                single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
                count_addition(make_counter(""), UNKNOWN_LOCATION));
        return 0;
    }
};

opt_pass *passes_make_count(void)
{
    return new count_pass;
}
