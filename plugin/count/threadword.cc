// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/count/threadword.h"
#include "plugin/count/threadword-inside.h"
#include "plugin/gcc/assembly.h"

// Initial-exec, where the default would be a call of __tls_get_addr: what is so small
// fits into what the loader has to spare for shared objects that are loaded later.  Only
// the runtime writes to it, in calls: what the program stores leaves it as it was read
// (DECL_NONALIASED).
tree threadword_declare(const char *word, tree type)
{
    tree decl = artificial_external(word, type);

    TREE_PUBLIC(decl) = 1;
    DECL_NONALIASED(decl) = 1;
    artificial_hide(decl);
    // Before its model is asked for: GCC 14 and later look there.
    varpool_node::get_create(decl);
    tls_model model = decl_default_tls_model(decl);
    set_decl_tls_model(decl,
                       model < TLS_MODEL_INITIAL_EXEC ? TLS_MODEL_INITIAL_EXEC : model);
    return decl;
}

static void emit_word(const char *word, unsigned size, const char *values)
{
    char *section = concat(values ? ".tdata." : ".tbss.", word, NULL);

    assembly_push_in_group(section, "awTG", values ? "progbits" : "nobits", word);
    assembly_line(".balign", "8");
    assembly_line(".hidden", "%s", word);
    assembly_line(".globl", "%s", word);
    assembly_line(".type", "%s," TYPE_OPERAND_FMT, word, "tls_object");
    assembly_line(".size", "%s,%u", word, size);
    assembly_label(word);
    if (values)
        assembly_line(".8byte", "%s", values);
    else
        assembly_line(".zero", "%u", size);
    assembly_pop_section();
    free(section);
}

static void emit_offset(const char *word)
{
    char *section = concat(".text.", word, NULL), *name = concat(word, "_offset", NULL);

    assembly_push_in_group(section, "axG", "progbits", word);
    assembly_line(".hidden", "%s", name);
    assembly_line(".globl", "%s", name);
    assembly_line(".type", "%s," TYPE_OPERAND_FMT, name, "function");
    assembly_label(name);
    threadword_print_offset(word);
    assembly_line(".size", "%s,.-%s", name, name);
    assembly_pop_section();
    free(section);
    free(name);
}

void threadword_emit(const char *word, unsigned size, const char *values)
{
    emit_word(word, size, values);
    emit_offset(word);
}
