// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/lambda.h"
#include "plugin/gcc/demangle.h"

#define ENTRY_NAME "_FUN"

typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, const char *> symbol_map;

static symbol_map *operators; // by DECL_UID of the entry

bool lambda_is_entry(tree function)
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

static void keep(tree callee)
{
    const char *symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(callee));

    if (!operators)
        operators = new symbol_map;
    operators->put(DECL_UID(current_function_decl), xstrdup(symbol));
}

void lambda_note(void)
{
    basic_block bb;

    if (!lambda_is_entry(current_function_decl))
        return;
    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (tree callee = called_operator(gsi_stmt(gsi)))
                keep(callee);
    }
}

// What the demangler says of the operator whose entry it calls SHOWN; NULL: it is none.
static char *shown_operator(const char *shown)
{
    static const char entry[] = "::" ENTRY_NAME;
    const char *at = strstr(shown, entry);

    if (!at)
        return NULL;
    char *front = xstrndup(shown, at - shown);
    return reconcat(front, front, "::operator()", at + strlen(entry), " const", NULL);
}

static bool is_shown_as(const char *symbol, const char *wanted)
{
    char *shown = demangle_symbol(symbol, DMGL_ANSI | DMGL_PARAMS, NULL);
    bool same = shown && !strcmp(shown, wanted);

    free(shown);
    return same;
}

// NAME with `cl' for what begins at AT, the number and the name of the entry, and, unless
// CONST_AT is NULL, a K there.
static char *spell_operator(const char *name, const char *const_at, const char *at)
{
    const char *middle = const_at ? const_at : name;
    char *front = xstrndup(name, middle - name), *rest = xstrndup(middle, at - middle);
    char *made =
        concat(front, const_at ? "K" : "", rest, "cl", at + strlen("4" ENTRY_NAME), NULL);
    free(front);
    free(rest);
    return made;
}

// The symbol of the operator if it is const: one of the Ns is NK; NULL: it has none.
static char *const_symbol(const char *name, const char *at, const char *wanted)
{
    for (const char *p = at; p > name; p--) {
        if (p[-1] != 'N')
            continue;
        char *made = spell_operator(name, p, at);
        if (is_shown_as(made, wanted))
            return made;
        free(made);
    }
    return NULL;
}

static bool is_defined(const char *symbol)
{
    return symtab_node::get_for_asmname(get_identifier(symbol)) != NULL;
}

// The operator of a lambda with `mutable' is not const, which only the operator itself
// tells; the operator may be gone.  The symbol of a template's operator tells what this
// returns, in other words than its entry does.
static char *made_symbol(const char *name)
{
    const char *at = strstr(name, "4" ENTRY_NAME);
    if (at && at[strlen("4" ENTRY_NAME)] == 'I')
        return NULL;
    char *shown = at ? demangle_symbol(name, DMGL_ANSI | DMGL_PARAMS, NULL) : NULL;
    char *wanted = shown ? shown_operator(shown) : NULL;
    char *made = wanted ? const_symbol(name, at, wanted) : NULL;
    char *other = made ? spell_operator(name, NULL, at) : NULL;

    free(shown);
    free(wanted);
    if (other && !is_defined(made) && is_defined(other))
        std::swap(made, other);
    free(other);
    return made;
}

const char *lambda_operator_symbol(tree entry, const char *name)
{
    static char *made;
    const char **known = operators ? operators->get(DECL_UID(entry)) : NULL;

    if (known)
        return *known;
    free(made);
    made = made_symbol(name);
    return made ? made : name;
}
