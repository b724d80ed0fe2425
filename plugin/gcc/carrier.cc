// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/carrier.h"

static tree make_type(size_t size)
{
    tree range = build_index_type(size_int(size - 1));
    return build_array_type(unsigned_char_type_node, range);
}

// The variable is called NAME.TAG.NUMBER.
void carrier_keep(const char *name, unsigned tag, const unsigned char *bytes, size_t size)
{
    static unsigned number;
    char text[60];

    snprintf(text, sizeof text, "%s.%u.%u", name, tag, number++);
    tree variable = artificial_variable(text, make_type(size));
    DECL_CONTEXT(variable) = current_function_decl;
    TREE_READONLY(variable) = 1;
    DECL_PRESERVE_P(variable) = 1;
    DECL_INITIAL(variable) = build_string(size, (const char *)bytes);
    TREE_TYPE(DECL_INITIAL(variable)) = TREE_TYPE(variable);
    varpool_node::finalize_decl(variable);
}

// The tag, if the variable is a carrier of that name.
static bool is_carrier(const_tree variable, const char *name, unsigned *tag)
{
    tree known = DECL_NAME(variable), context = DECL_CONTEXT(variable);
    size_t length = strlen(name);

    if (!DECL_ARTIFICIAL(variable) || !known || !context ||
        TREE_CODE(context) != FUNCTION_DECL)
        return false;
    const char *text = IDENTIFIER_POINTER(known);
    return !strncmp(text, name, length) && text[length] == '.' &&
           sscanf(text + length, ".%u.", tag) == 1;
}

void carrier_take(const char *name, void (*take)(tree function, unsigned tag,
                                                 const unsigned char *bytes, size_t size))
{
    varpool_node *node, *next;
    bool writes = in_lto_p || !flag_lto || flag_fat_lto_objects;
    unsigned tag;

    for (node = symtab->first_variable(); node; node = next) {
        next = symtab->next_variable(node);
        if (!is_carrier(node->decl, name, &tag))
            continue;
        tree value = writes && node->definition ? node->get_constructor() : NULL_TREE;
        if (value && TREE_CODE(value) == STRING_CST)
            take(DECL_CONTEXT(node->decl), tag,
                 (const unsigned char *)TREE_STRING_POINTER(value),
                 TREE_STRING_LENGTH(value));
        node->remove();
    }
}
