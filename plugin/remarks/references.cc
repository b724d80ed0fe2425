// SPDX-License-Identifier: GPL-3.0-or-later
// GCC's messages name memory by expressions of GIMPLE, such as *_7 or (*b_15(D))[_5].
// This file finds the variable of the source to which such an expression leads.

#include "plugin/gcc/compat.h"
#include "plugin/remarks/loops.h"

#define STEPS_MOST 16 // definitions that are followed from an SSA name

// Returns true for names such as _M_start, which belong to libraries.
static bool is_reserved(const char *name)
{
    return name[0] == '_' && (name[1] == '_' || ISUPPER(name[1]));
}

static const char *name_of_declaration(tree declaration)
{
    if (!declaration || !DECL_P(declaration) || !DECL_NAME(declaration) ||
        DECL_ARTIFICIAL(declaration))
        return NULL;
    const char *name = IDENTIFIER_POINTER(DECL_NAME(declaration));
    return is_reserved(name) ? NULL : name;
}

// Returns the name of the object or the member that REFERENCE reads or takes the address
// of; NULL if there is none.
static const char *name_of_reference(tree reference)
{
    if (TREE_CODE(reference) == ADDR_EXPR)
        reference = TREE_OPERAND(reference, 0);
    while (handled_component_p(reference)) {
        if (TREE_CODE(reference) == COMPONENT_REF)
            if (const char *name = name_of_declaration(TREE_OPERAND(reference, 1)))
                return name;
        reference = TREE_OPERAND(reference, 0);
    }
    // The member of an object to which a variable points.
    if (TREE_CODE(reference) == MEM_REF &&
        TREE_CODE(TREE_OPERAND(reference, 0)) == SSA_NAME)
        return name_of_declaration(SSA_NAME_VAR(TREE_OPERAND(reference, 0)));
    return name_of_declaration(reference);
}

// Returns the first argument of the phi that is an SSA name other than its result.
static tree argument_of(const gphi *phi)
{
    for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
        tree argument = gimple_phi_arg_def(phi, i);
        if (TREE_CODE(argument) == SSA_NAME && argument != gimple_phi_result(phi) &&
            !(phi->bb->loop_father &&
              gimple_phi_arg_edge(phi, i)->src->loop_father == phi->bb->loop_father))
            return argument;
    }
    return NULL_TREE;
}

const char *references_name(tree name)
{
    for (int steps = 0; steps < STEPS_MOST && name; steps++) {
        if (TREE_CODE(name) != SSA_NAME)
            return name_of_reference(name);
        if (const char *found = name_of_declaration(SSA_NAME_VAR(name)))
            return found;
        gimple *definition = SSA_NAME_DEF_STMT(name);
        if (const gphi *phi = dyn_cast<const gphi *>(definition)) {
            name = argument_of(phi);
            continue;
        }
        if (!is_gimple_assign(definition))
            return NULL;
        name = gimple_assign_rhs1(definition);
    }
    return NULL;
}

// Skips a cast after MEM or MEM <TYPE>, and opening parentheses, stars and ampersands.
static const char *skip_to_base(const char *text)
{
    if (startswith(text, "MEM")) {
        const char *open = strstr(text, "[(");
        const char *close = open ? strchr(open, ')') : NULL;
        text = close ? close + 1 : text;
    }
    return text + strspn(text, "*(& ");
}

// Returns the name of the variable in the expression at the start of TEXT; NULL if it is
// not known. The caller frees it.
static char *variable_of(const char *text)
{
    text = skip_to_base(text);
    size_t length = 0;
    while (ISALNUM(text[length]) || (text[length] && strchr("_.$", text[length])))
        length++;
    if (!length)
        return NULL;
    char *token = xstrndup(text, length);
    char *underscore = strrchr(token, '_');
    if (underscore && ISDIGIT(underscore[1])) {
        unsigned long version = strtoul(underscore + 1, NULL, 10);
        tree name = version < num_ssa_names ? ssa_name((unsigned)version) : NULL_TREE;
        tree identifier = name ? SSA_NAME_IDENTIFIER(name) : NULL_TREE;
        size_t size = (size_t)(underscore - token);
        bool same = identifier ? IDENTIFIER_LENGTH(identifier) == (unsigned)size &&
                                     !memcmp(IDENTIFIER_POINTER(identifier), token, size)
                               : !size;
        if (name && same) {
            const char *found = references_name(name);
            free(token);
            return found ? xstrdup(found) : NULL;
        }
    }
    return token;
}

char *references_of(const char *message)
{
    static const char between[] = " between ", refs[] = "data-refs ", and_[] = " and ";
    const char *first = strstr(message, between);
    const char *second = first ? strstr(first, and_) : NULL;

    if (!second)
        return NULL;
    first += strlen(between);
    if (startswith(first, refs))
        first += strlen(refs);
    char *a = variable_of(first);
    char *b = variable_of(second + strlen(and_));
    char *both = a && b && strcmp(a, b) ? concat(a, ", ", b, NULL)
                 : a || b               ? xstrdup(a ? a : b)
                                        : NULL;
    free(a);
    free(b);
    return both;
}
