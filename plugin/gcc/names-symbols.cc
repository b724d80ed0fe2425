// SPDX-License-Identifier: GPL-3.0-or-later
// Symbols of functions, and functions that only call another function of the same source.
//
// C++ converts a lambda to a pointer with a function _FUN that only calls the lambda's
// operator (GCC: cp/lambda.cc, maybe_add_lambda_conv_op). _FUN is called the entry of the
// operator here. The tables give it the symbol of the operator.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/names.h"
#include "plugin/tables/cxxname.h"
#include "rt/format.h"

#define ENTRY_NAME "_FUN"

typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, const char *> symbol_map;

static symbol_map *operators; // by DECL_UID of the entry

static bool is_lambda_entry(tree function)
{
    tree name = DECL_NAME(function);
    return DECL_ARTIFICIAL(function) && name &&
           !strcmp(IDENTIFIER_POINTER(name), ENTRY_NAME);
}

static tree called_operator(gimple *statement)
{
    tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;

    return callee && DECL_LAMBDA_FUNCTION_P(callee) &&
                   DECL_CONTEXT(callee) == DECL_CONTEXT(current_function_decl)
               ? callee
               : NULL_TREE;
}

static void remember_operator(tree callee)
{
    const char *symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(callee));

    if (!operators)
        operators = new symbol_map;
    operators->put(DECL_UID(current_function_decl), xstrdup(symbol));
}

static void note_operator(void)
{
    basic_block bb;

    if (!is_lambda_entry(current_function_decl))
        return;
    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (tree callee = called_operator(gsi_stmt(gsi)))
                remember_operator(callee);
    }
}

// Returns the demangled name of the operator, if SHOWN is the demangled name of an entry;
// otherwise NULL.
static char *shown_operator(const char *shown)
{
    static const char entry[] = "::" ENTRY_NAME;
    const char *match = strstr(shown, entry);

    if (!match)
        return NULL;
    char *front = xstrndup(shown, match - shown);
    return reconcat(front, front, "::operator()", match + strlen(entry), " const", NULL);
}

static bool demangles_to(const char *symbol, const char *shown_name)
{
    char *shown = demangle_symbol(symbol, DMGL_ANSI | DMGL_PARAMS, NULL);
    bool same = shown && !strcmp(shown, shown_name);

    free(shown);
    return same;
}

// Returns NAME with `cl' in place of the entry's name and its length, which start at
// ENTRY. If CONST_AT is not NULL, also inserts a K there.
static char *spell_operator(const char *name, const char *const_at, const char *entry)
{
    const char *middle = const_at ? const_at : name;
    char *front = xstrndup(name, middle - name), *rest = xstrndup(middle, entry - middle);
    char *made = concat(front, const_at ? "K" : "", rest, "cl",
                        entry + strlen("4" ENTRY_NAME), NULL);
    free(front);
    free(rest);
    return made;
}

// Returns the symbol of a const operator, or NULL if no such symbol fits. Tries a K after
// each N of NAME until the demangler returns SHOWN_NAME.
static char *find_const_symbol(const char *name, const char *entry,
                               const char *shown_name)
{
    for (const char *p = entry; p > name; p--) {
        if (p[-1] != 'N')
            continue;
        char *made = spell_operator(name, p, entry);
        if (demangles_to(made, shown_name))
            return made;
        free(made);
    }
    return NULL;
}

static bool is_defined(const char *symbol)
{
    return symtab_node::get_for_asmname(get_identifier(symbol)) != NULL;
}

// Returns the symbol of the operator, made from NAME, the symbol of its entry. Tries a
// const operator first. The operator of a lambda with `mutable' is not const; this is
// known only if the unit has that operator. Returns NULL for a template: its operator's
// symbol contains the return type, in another encoding than the entry's symbol.
static char *derive_operator_symbol(const char *name)
{
    const char *entry = strstr(name, "4" ENTRY_NAME);
    if (entry && entry[strlen("4" ENTRY_NAME)] == 'I')
        return NULL;
    char *shown = entry ? demangle_symbol(name, DMGL_ANSI | DMGL_PARAMS, NULL) : NULL;
    char *shown_name = shown ? shown_operator(shown) : NULL;
    char *made = shown_name ? find_const_symbol(name, entry, shown_name) : NULL;
    char *other = made ? spell_operator(name, NULL, entry) : NULL;

    free(shown);
    free(shown_name);
    if (other && !is_defined(made) && is_defined(other))
        std::swap(made, other);
    free(other);
    return made;
}

// Returns the symbol of the operator of ENTRY, whose own symbol is NAME. At link time the
// symbol is made from NAME; if the lambda has template parameters, this returns NAME.
// Valid until the next call.
static const char *lambda_operator_symbol(tree entry, const char *name)
{
    static char *made;
    const char **known = operators ? operators->get(DECL_UID(entry)) : NULL;

    if (known)
        return *known;
    free(made);
    made = derive_operator_symbol(name);
    return made ? made : name;
}

// Returns NAME without SUFFIX, which the link appends if two units have a function of the
// same name (GCC: lto-partition.cc, privatize_symbol_name_1).
static const char *without_suffix(const char *name, const char *suffix)
{
    static char *kept;
    const char *end = strstr(name, suffix);

    if (!end)
        return name;
    free(kept);
    kept = xstrndup(name, end - name);
    return kept;
}

// Returns the symbol of the constructor or destructor from which GCC made the variants
// C1, C2, CI1, CI2, D0, D1 and D2: C4, CI4 or D4 (Itanium C++ ABI, 5.1.4.3). The symbol
// is derived from NAME, because at link time GCC no longer knows this constructor or
// destructor. The demangler shows all variants alike. So a digit is the variant's digit,
// not a digit of a name, if replacing it does not change the demangled name.
static const char *common_symbol(const char *name)
{
    static char *kept;
    char *shown = demangle_symbol(name, DMGL_ANSI, NULL);

    if (!shown)
        return name;
    free(kept);
    kept = xstrdup(name);
    for (char *p = kept; *p; p++) {
        bool inherits = p[0] == 'C' && p[1] == 'I';
        char *position = p + 1 + inherits, digit = *position;
        if (!strchr("CD", *p) || !digit || !strchr("0125", digit))
            continue;
        *position = '4';
        char *other = demangle_symbol(kept, DMGL_ANSI, NULL);
        if (!other || strcmp(other, shown))
            *position = digit;
        free(other);
    }
    free(shown);
    return kept;
}

const char *names_compiled_symbol(tree function)
{
    const char *name = names_assembler(function);

    // Static functions of C may have no symbol if they are always inlined.
    if (!name && startswith(lang_hooks.name, "GNU C") &&
        !startswith(lang_hooks.name, "GNU C++") && !decl_function_context(function))
        name = names_declared(function);
    return name ? without_suffix(name, ".lto_priv.") : NULL;
}

const char *names_symbol(tree function)
{
    function = DECL_ORIGIN(function);
    if (names_is_top_level(function))
        return NULL;
    const char *name = names_compiled_symbol(function);

    if (name && is_lambda_entry(function))
        return lambda_operator_symbol(function, name);
    if (name && cxxname_thunk_target(name))
        name = cxxname_thunk_target(name);
    bool entry = DECL_CXX_CONSTRUCTOR_P(function) || DECL_CXX_DESTRUCTOR_P(function);

    return name && entry ? common_symbol(name) : name;
}

// Returns true for a destructor that also frees. Such a destructor calls another
// destructor, which does the rest of the work.
static bool is_deleting_destructor(tree function)
{
    const char *name = names_assembler(function);
    size_t length = name ? strlen(name) : 0;

    return DECL_CXX_DESTRUCTOR_P(function) && length > 4 &&
           !strcmp(name + length - 4, "D0Ev");
}

static bool is_thunk(tree function)
{
    const char *name = names_assembler(function);
    return name && cxxname_thunk_target(name);
}

// Returns true if the function only calls another function, and has the position of that
// function.
static bool is_lambda_entry_or_thunk(tree function)
{
    return is_lambda_entry(function) || is_thunk(function);
}

bool names_is_entry(tree function)
{
    return is_deleting_destructor(function) ||
           is_lambda_entry_or_thunk(DECL_ORIGIN(function));
}

unsigned names_flags(tree function)
{
    function = DECL_ORIGIN(function);
    return (lookup_attribute("artificial", DECL_ATTRIBUTES(function))
                ? CCPROF_SOURCE_ARTIFICIAL
                : 0) |
           (names_is_made(function) && !is_lambda_entry_or_thunk(function)
                ? CCPROF_SOURCE_MADE
                : 0);
}

unsigned names_role(tree function)
{
    cgraph_node *node = cgraph_node::get(function);

    if (node && node->split_part)
        return CCPROF_SOURCE_SPLIT;
    return names_is_entry(function) ? CCPROF_SOURCE_ENTRY : 0;
}

void names_prepare(tree function)
{
    tree origin = DECL_ORIGIN(function);

    if ((DECL_CXX_CONSTRUCTOR_P(origin) || DECL_CXX_DESTRUCTOR_P(origin)) &&
        !names_assembler(origin))
        DECL_ASSEMBLER_NAME(origin);
    note_operator();
}
