// SPDX-License-Identifier: GPL-3.0-or-later
// The program converts the result of an allocator to a pointer. A block has the type to
// which this pointer points.
//
// The front ends of C and C++ convert the result, also in new-expressions. GIMPLE drops
// this conversion. So the first half of this file looks at functions before they are
// converted to GIMPLE, and changes the type of calls of allocators. The second half is an
// early pass. It finds the type of the other results by their uses, and changes the
// results to this type, because the optimisers remove other conversions.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/alloc/alloc.h"
#include "plugin/inclusive/inclusive.h"

bool alloc_is_void_pointer(tree type)
{
    return type && POINTER_TYPE_P(type) && VOID_TYPE_P(TREE_TYPE(type));
}

// Returns true if the type points to an object. A pointer to the number of elements
// before a C++ array is not accepted.
static bool is_object_pointer(tree type)
{
    return type && POINTER_TYPE_P(type) && !VOID_TYPE_P(TREE_TYPE(type)) &&
           !FUNC_OR_METHOD_TYPE_P(TREE_TYPE(type)) &&
           TYPE_MAIN_VARIANT(TREE_TYPE(type)) != sizetype;
}

// Returns the origin of VALUE, a pointer to void: a variable or a call. Returns NULL_TREE
// if VALUE has no such origin.
static tree origin_of(tree value)
{
    while (value && alloc_is_void_pointer(TREE_TYPE(value)))
        switch (TREE_CODE(value)) {
        case NOP_EXPR:
        case CONVERT_EXPR:
        case NON_LVALUE_EXPR:
        case SAVE_EXPR:
        case POINTER_PLUS_EXPR: // skips the number of elements before a C++ array
            value = TREE_OPERAND(value, 0);
            break;
        case COMPOUND_EXPR:
            value = TREE_OPERAND(value, 1);
            break;
        case TARGET_EXPR:
            value = TARGET_EXPR_SLOT(value);
            break;
        case CALL_EXPR:
        case VAR_DECL:
            return value;
        default:
            return NULL_TREE;
        }
    return NULL_TREE;
}

static bool is_allocator_call(tree call)
{
    tree function = get_callee_fndecl(call);
    return function && alloc_is_allocator(function);
}

namespace
{
struct conversions {
    hash_map<tree, tree> temporaries; // the call whose result each temporary contains
    hash_set<tree> found_calls;       // calls for which a conversion was found
    bool (*is_of_interest)(tree call);
    alloc_found *found;
    tree function;
};
} // namespace

static bool is_call_of_interest(const struct conversions *walk, tree origin)
{
    return origin && TREE_CODE(origin) == CALL_EXPR && walk->is_of_interest(origin);
}

static tree note_temporary(tree *node, int *, void *data)
{
    struct conversions *walk = (struct conversions *)data;

    if (TREE_CODE(*node) != TARGET_EXPR || !TARGET_EXPR_INITIAL(*node))
        return NULL_TREE;
    tree call = origin_of(TARGET_EXPR_INITIAL(*node));
    if (is_call_of_interest(walk, call))
        walk->temporaries.put(TARGET_EXPR_SLOT(*node), call);
    return NULL_TREE;
}

// For new T[5], GCC 16 adds a clobber of a T[5], which begins the lifetime of the
// elements. The conversion in this clobber is ignored.
static tree use_conversion(tree *node, int *subtrees, void *data)
{
    struct conversions *walk = (struct conversions *)data;

    if ((TREE_CODE(*node) == MODIFY_EXPR || TREE_CODE(*node) == INIT_EXPR) &&
        TREE_CLOBBER_P(TREE_OPERAND(*node, 1)))
        *subtrees = 0;
    if (!CONVERT_EXPR_P(*node) || !is_object_pointer(TREE_TYPE(*node)))
        return NULL_TREE;
    tree origin = origin_of(TREE_OPERAND(*node, 0));
    if (!origin)
        return NULL_TREE;
    tree *call = VAR_P(origin) ? walk->temporaries.get(origin) : &origin;
    if (!call || !is_call_of_interest(walk, *call) ||
        !alloc_is_void_pointer(TREE_TYPE(*call)) || walk->found_calls.add(*call))
        return NULL_TREE;
    walk->found(walk->function, *call, VAR_P(origin) ? origin : NULL_TREE,
                TYPE_MAIN_VARIANT(TREE_TYPE(TREE_TYPE(*node))));
    return NULL_TREE;
}

void alloc_each_conversion(tree function, bool (*is_of_interest)(tree call),
                           alloc_found *found)
{
    struct conversions walk;

    walk.is_of_interest = is_of_interest;
    walk.found = found;
    walk.function = function;
    walk_tree_without_duplicates(&DECL_SAVED_TREE(function), note_temporary, &walk);
    walk_tree_without_duplicates(&DECL_SAVED_TREE(function), use_conversion, &walk);
}

static void retype_generic(tree, tree call, tree temporary, tree type)
{
    tree pointer = build_pointer_type(type);

    if (temporary)
        TREE_TYPE(temporary) = pointer;
    TREE_TYPE(call) = pointer;
}

static void convert_calls(void *function, void *)
{
    alloc_each_conversion((tree)function, is_allocator_call, retype_generic);
}

void alloc_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_PRE_GENERICIZE, convert_calls, NULL);
}

// The reliability of a use as evidence of the type. A constructor is better evidence than
// a store to the first member, which may be a member of a base class.
enum {
    EVIDENCE_NONE,
    EVIDENCE_ARGUMENT,
    EVIDENCE_ACCESS,
    EVIDENCE_CONVERSION,
    EVIDENCE_CERTAIN
};

namespace
{
struct guess {
    tree type; // NULL_TREE: none
    int weight;
};
} // namespace

static void consider_type(struct guess *guess, tree pointer, int weight)
{
    if (!pointer || !POINTER_TYPE_P(pointer) || weight <= guess->weight)
        return;
    tree type = TREE_TYPE(pointer);
    if (VOID_TYPE_P(type) || TREE_CODE(type) == FUNCTION_TYPE)
        return;
    *guess = {TYPE_MAIN_VARIANT(type), weight};
}

static tree parameter_type(tree function_type, unsigned number)
{
    tree list = TYPE_ARG_TYPES(function_type);

    while (list && number-- > 0)
        list = TREE_CHAIN(list);
    return list ? TREE_VALUE(list) : NULL_TREE;
}

static void guess_by_call(struct guess *guess, const gcall *call, tree result)
{
    tree function = gimple_call_fndecl(call);
    tree type = function ? TREE_TYPE(function) : gimple_call_fntype(call);
    bool constructs = function && DECL_CXX_CONSTRUCTOR_P(function);

    if (!type)
        return;
    for (unsigned i = 0; i < gimple_call_num_args(call); i++)
        if (gimple_call_arg(call, i) == result)
            consider_type(guess, parameter_type(type, i),
                          constructs && i == 0 ? EVIDENCE_CERTAIN : EVIDENCE_ARGUMENT);
}

static void guess_by_access(struct guess *guess, tree reference, tree result)
{
    while (handled_component_p(reference))
        reference = TREE_OPERAND(reference, 0);
    if (TREE_CODE(reference) == MEM_REF && TREE_OPERAND(reference, 0) == result &&
        integer_zerop(TREE_OPERAND(reference, 1)))
        consider_type(guess, build_pointer_type(TREE_TYPE(reference)), EVIDENCE_ACCESS);
}

static void guess_by_assignment(struct guess *guess, const gassign *assign, tree result)
{
    tree to = gimple_assign_lhs(assign);

    if (gimple_assign_rhs1(assign) == result &&
        (gimple_assign_single_p(assign) || gimple_assign_cast_p(assign)))
        consider_type(guess, TREE_TYPE(to), EVIDENCE_CONVERSION);
    else if (gimple_assign_single_p(assign))
        guess_by_access(guess, gimple_assign_rhs1(assign), result);
    guess_by_access(guess, to, result);
}

static void guess_by_use(struct guess *guess, const gimple *stmt, tree result)
{
    if (const gcall *call = dyn_cast<const gcall *>(stmt))
        guess_by_call(guess, call, result);
    else if (const gassign *assign = dyn_cast<const gassign *>(stmt))
        guess_by_assignment(guess, assign, result);
    else if (const gphi *phi = dyn_cast<const gphi *>(stmt))
        consider_type(guess, TREE_TYPE(gimple_phi_result(phi)), EVIDENCE_ARGUMENT);
    else if (gimple_code(stmt) == GIMPLE_RETURN)
        consider_type(guess, TREE_TYPE(TREE_TYPE(current_function_decl)),
                      EVIDENCE_CONVERSION);
}

tree alloc_type_of_result(tree result)
{
    struct guess guess = {NULL_TREE, EVIDENCE_NONE};
    imm_use_iterator iterator;
    use_operand_p use;

    consider_type(&guess, TREE_TYPE(result), EVIDENCE_CERTAIN);
    if (!guess.type && TREE_CODE(result) == SSA_NAME)
        FOR_EACH_IMM_USE_FAST (use, iterator, result)
            guess_by_use(&guess, USE_STMT(use), result);
    return guess.type;
}

// Returns the type of the blocks that the call allocates, or NULL_TREE if it is unknown.
static tree type_of(const gcall *call)
{
    tree result = gimple_call_lhs(call);
    return result ? alloc_type_of_result(result) : NULL_TREE;
}

// Returns the name of a C++ class when the front end is gone, or NULL. GCC gave the class
// an assembler name before (GCC: ipa-free-lang-data.cc). The caller frees the name.
static char *demangled_name(tree declaration)
{
    static const char prefix[] = "typeinfo name for ";

    bool too_long;

    if (!DECL_ASSEMBLER_NAME_SET_P(declaration))
        return NULL;
    char *mangled =
        concat("_ZTS", IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(declaration)), NULL);
    char *name = demangle_symbol(mangled, DMGL_ANSI, &too_long);
    free(mangled);
    // At this point the scope of the template arguments is unknown.
    if (too_long)
        return reconcat(NULL, longnames_shortened(declaration), "<...>", NULL);
    if (!name || !startswith(name, prefix))
        return NULL;
    memmove(name, name + strlen(prefix), strlen(name + strlen(prefix)) + 1);
    return name;
}

// Returns true if the front end is gone: at link time, or because GCC has freed its data.
static bool is_front_end_gone(void)
{
    return in_lto_p || lang_hooks.decl_printable_name == gimple_decl_printable_name;
}

static char *name_of_declaration(tree declaration)
{
    bool gone = is_front_end_gone();

    if (gone)
        if (char *name = demangled_name(declaration))
            return name;
    return gone ? xstrdup(IDENTIFIER_POINTER(DECL_NAME(declaration)))
                : longnames_printable(declaration, 2);
}

// Returns the name of a typedef, for a C structure that has no name itself.
static tree name_of_variant(tree type)
{
    for (tree variant = type; variant; variant = TYPE_NEXT_VARIANT(variant))
        if (TYPE_NAME(variant))
            return TYPE_NAME(variant);
    return NULL_TREE;
}

char *alloc_name_of_type(tree type)
{
    tree name = TYPE_NAME(type);

    if (POINTER_TYPE_P(type) && !name)
        return reconcat(NULL, alloc_name_of_type(TREE_TYPE(type)), " *", NULL);
    if (TREE_CODE(type) == ARRAY_TYPE && !name)
        return reconcat(NULL, alloc_name_of_type(TREE_TYPE(type)), "[]", NULL);
    bool has_tag = name && !lang_GNU_Fortran();
    if (!name)
        name = name_of_variant(TYPE_MAIN_VARIANT(type));
    if (!name)
        return xstrdup("");
    if (TREE_CODE(name) == TYPE_DECL)
        return DECL_NAME(name) ? name_of_declaration(name) : xstrdup("");
    const char *tag = !has_tag                           ? ""
                      : TREE_CODE(type) == UNION_TYPE    ? "union "
                      : TREE_CODE(type) == ENUMERAL_TYPE ? "enum "
                      : TREE_CODE(type) == RECORD_TYPE   ? "struct "
                                                         : "";
    return concat(tag, IDENTIFIER_POINTER(name), NULL);
}

char *alloc_type_name(const gcall *call)
{
    tree type = type_of(call);
    return type ? alloc_name_of_type(type) : xstrdup("");
}

static bool is_known(const gcall *call)
{
    tree type = TREE_TYPE(gimple_call_lhs(call));
    return !POINTER_TYPE_P(type) || !VOID_TYPE_P(TREE_TYPE(type));
}

static edge edge_behind(gcall *call)
{
    return stmt_ends_bb_p(call) ? find_fallthru_edge(gimple_bb(call)->succs) : NULL;
}

// Gives the call a new result, an SSA name with type pointer to TYPE, and makes the old
// result a copy of it.
static void set_result_type(gcall *call, tree type)
{
    tree before = gimple_call_lhs(call);
    gimple_stmt_iterator gsi = gsi_for_stmt(call);
    tree result = make_ssa_name(build_pointer_type(type));
    gimple *copy = gimple_build_assign(before, NOP_EXPR, result);

    gimple_call_set_lhs(call, result);
    SSA_NAME_DEF_STMT(result) = call;
    update_stmt(call);
    gimple_set_location(copy, gimple_location(call));
    if (edge e = edge_behind(call))
        gsi_insert_on_edge_immediate(e, copy);
    else
        gsi_insert_after(&gsi, copy, GSI_CONTINUE_LINKING);
}

static void retype_call(gcall *call)
{
    struct alloc_request request;
    tree result = gimple_call_lhs(call);

    if (!result || TREE_CODE(result) != SSA_NAME ||
        SSA_NAME_OCCURS_IN_ABNORMAL_PHI(result) || is_known(call) ||
        !alloc_find(call, &request) || (stmt_ends_bb_p(call) && !edge_behind(call)))
        return;
    if (tree type = type_of(call))
        set_result_type(call, type);
}

static bool is_allocation(const gcall *call)
{
    struct alloc_request request;
    return alloc_find(call, &request);
}

static void execute_alloc_type(function *fun)
{
    auto_vec<gcall *> calls;
    basic_block bb;

    if (options_adds_inclusive())
        inclusive_note_reach(is_allocation);
    if (alloc_path_is_on() && alloc_path_is_library(current_function_decl))
        alloc_path_note();
    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
                calls.safe_push(call);
    }
    for (gcall *call : calls)
        retype_call(call);
}

opt_pass *passes_make_alloc_type(void)
{
    return pass_make("ccprof_alloc_type", PASS_SSA, execute_alloc_type);
}
