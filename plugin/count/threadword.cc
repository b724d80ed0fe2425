// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/threadword.h"

// Initial-exec, where the default would be a call of __tls_get_addr: what is so small
// fits into what the loader has to spare for shared objects that are loaded later.
tree threadword_declare(const char *word, tree type)
{
    tree decl = build_decl(BUILTINS_LOCATION, VAR_DECL, get_identifier(word), type);

    SET_DECL_ASSEMBLER_NAME(decl, get_identifier(word));
    TREE_PUBLIC(decl) = 1;
    DECL_EXTERNAL(decl) = 1;
    DECL_ARTIFICIAL(decl) = 1;
    DECL_IGNORED_P(decl) = 1;
    DECL_VISIBILITY(decl) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(decl) = 1;
    tls_model model = decl_default_tls_model(decl);
    set_decl_tls_model(decl,
                       model < TLS_MODEL_INITIAL_EXEC ? TLS_MODEL_INITIAL_EXEC : model);
    varpool_node::get_create(decl);
    return decl;
}

static void emit_word(const char *word, unsigned size, const char *values)
{
    fprintf(asm_out_file,
            "\t.pushsection\t.%s.%s,\"awTG\"," TYPE_OPERAND_FMT
            ",%s,comdat\n\t.balign\t8\n\t.hidden\t%s\n\t.globl\t%s\n\t.type\t%"
            "s," TYPE_OPERAND_FMT "\n\t.size\t%s,%u\n%s:\n",
            values ? "tdata" : "tbss", word, values ? "progbits" : "nobits", word, word,
            word, word, "tls_object", word, size, word);
    if (values)
        fprintf(asm_out_file, "\t.8byte\t%s\n", values);
    else
        fprintf(asm_out_file, "\t.zero\t%u\n", size);
    fputs("\t.popsection\n", asm_out_file);
}

// x86-64's; the runtime looks at the instruction (rt/unwind/store.h).
static void emit_load(const char *word)
{
    fprintf(asm_out_file,
            ASSEMBLER_DIALECT == ASM_ATT ? "\tmovq\t%s@gottpoff(%%rip), %%rax\n"
                                         : "\tmov\trax, QWORD PTR %s@gottpoff[rip]\n",
            word);
}

static void emit_offset(const char *word)
{
    fprintf(asm_out_file,
            "\t.pushsection\t.text.%s,\"axG\"," TYPE_OPERAND_FMT
            ",%s,comdat\n\t.hidden\t%s_offset\n\t.globl\t%s_offset\n\t.type\t%s_"
            "offset," TYPE_OPERAND_FMT "\n%s_offset:\n\tendbr64\n",
            word, "progbits", word, word, word, word, "function", word);
    emit_load(word);
    fprintf(asm_out_file, "\tret\n\t.size\t%s_offset,.-%s_offset\n\t.popsection\n", word,
            word);
}

void threadword_emit(const char *word, unsigned size, const char *values)
{
    emit_word(word, size, values);
    emit_offset(word);
}
