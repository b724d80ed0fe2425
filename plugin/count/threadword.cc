// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/count/threadword.h"
#include "plugin/gcc/assembly.h"
#include "rt/format.h"

// Only the runtime writes to the word, during calls. So stores of the program do not
// change it (DECL_NONALIASED).
tree threadword_declare(const char *word, tree type)
{
    tree decl = artificial_external(word, type);

    TREE_PUBLIC(decl) = 1;
    DECL_NONALIASED(decl) = 1;
    artificial_hide(decl);
    set_decl_tls_model(decl, TLS_MODEL_LOCAL_EXEC);
    return decl;
}

bool threadword_is_placed(void)
{
    return flag_shlib && flag_tls_default < TLS_MODEL_LOCAL_EXEC;
}

tree threadword_declare_place(const char *word)
{
    char *name = concat(word, "_place", NULL);
    tree decl = artificial_external(
        name, build_array_type_nelts(sizetype, sizeof(struct ccprof_place) / 8));

    TREE_PUBLIC(decl) = 1;
    TREE_ADDRESSABLE(decl) = 1;
    DECL_NONALIASED(decl) = 1;
    artificial_hide(decl);
    varpool_node::get_create(decl);
    free(name);
    return decl;
}

static void push_operand(vec<tree, va_gc> **operands, const char *constraint, tree value)
{
    tree text = build_string(strlen(constraint) + 1, constraint);

    vec_safe_push(*operands, build_tree_list(build_tree_list(NULL_TREE, text), value));
}

static void push_member(vec<tree, va_gc> **operands, tree place, size_t offset)
{
    tree member =
        build4(ARRAY_REF, sizetype, place, size_int(offset / 8), NULL_TREE, NULL_TREE);

    push_operand(operands, "m", member);
}

static void push_word(vec<tree, va_gc> **operands, tree place)
{
    push_member(operands, place,
                threadword_is_packed() ? offsetof(struct ccprof_place, packed)
                                       : offsetof(struct ccprof_place, offset));
}

static char *make_text(enum threadword_code code, tree place)
{
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(place));
    char *text = xstrdup(threadword_text(code));

    while (char *at = strchr(text, '@')) {
        *at = 0;
        char *filled = xasprintf("%s%s+%d%s", text, name,
                                 (int)offsetof(struct ccprof_place, none), at + 1);
        free(text);
        text = filled;
    }
    return text;
}

static gasm *make_code(enum threadword_code code, tree place, tree result,
                       vec<tree, va_gc> *inputs)
{
    vec<tree, va_gc> *outputs = NULL, *clobbers = NULL;
    char *text = make_text(code, place);

    push_operand(&outputs, "=&r", result);
    if (threadword_is_packed())
        push_operand(&outputs, "=&r", make_ssa_name(sizetype));
    vec_safe_push(clobbers, build_tree_list(NULL_TREE, build_string(3, "cc")));
    gasm *made = gimple_build_asm_vec(text, inputs, outputs, clobbers, NULL);
    for (unsigned i = 0; i < gimple_asm_noutputs(made); i++)
        SSA_NAME_DEF_STMT(TREE_VALUE(gimple_asm_output_op(made, i))) = made;
    free(text);
    return made;
}

static tree append(gimple_seq *statements, enum threadword_code code, tree place,
                   tree type)
{
    tree result = make_ssa_name(type);
    vec<tree, va_gc> *inputs = NULL;

    push_word(&inputs, place);
    if (!threadword_is_packed()) {
        push_member(&inputs, place, offsetof(struct ccprof_place, index));
        push_member(&inputs, place, offsetof(struct ccprof_place, none));
    }
    gimple_seq_add_stmt(statements, make_code(code, place, result, inputs));
    return result;
}

// The statement is volatile, so that GCC does not move it across stores.
tree threadword_load_shared(gimple_seq *statements, tree place, tree type)
{
    tree result = append(statements, THREADWORD_LOAD_SHARED, place, type);

    gimple_asm_set_volatile(as_a<gasm *>(gimple_seq_last_stmt(*statements)), true);
    return result;
}

tree threadword_find_own(gimple_seq *statements, tree place)
{
    return append(statements, THREADWORD_FIND_OWN, place, ptr_type_node);
}

tree threadword_load_own(gimple_seq *statements, tree place, tree type)
{
    return append(statements, THREADWORD_LOAD_OWN, place, type);
}

gimple *threadword_store_shared(tree place, tree value)
{
    vec<tree, va_gc> *inputs = NULL;

    push_word(&inputs, place);
    push_operand(&inputs, "r", value);
    gasm *store =
        make_code(THREADWORD_STORE_SHARED, place, make_ssa_name(sizetype), inputs);
    gimple_asm_set_volatile(store, true);
    return store;
}

void threadword_emit_place(const char *word, const char *none)
{
    char *name = concat(word, "_place", NULL);
    char *section = concat(".data.", name, NULL);

    assembly_push_in_group(section, "awG", "progbits", name);
    assembly_line(".balign", "%d", CCPROF_PLACE_SIZE);
    assembly_line(".hidden", "%s", name);
    assembly_line(".globl", "%s", name);
    assembly_line(".type", "%s," TYPE_OPERAND_FMT, name, "object");
    assembly_line(".size", "%s,%d", name, CCPROF_PLACE_SIZE);
    assembly_label(name);
    assembly_line(".8byte", "0,0,%s,0,0", none);
    assembly_line(".zero", "%d", CCPROF_PLACE_SIZE - (int)sizeof(struct ccprof_place));
    assembly_pop_section();
    free(section);
    free(name);
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

void threadword_emit_shared(const char *word, int note, int placed)
{
    const bool is_placed = threadword_is_placed();
    char *name = concat(".note.", word, NULL);
    char *group = concat(word, is_placed ? "_place" : "", NULL);

    if (is_placed)
        threadword_emit_place(word, "0");
    else
        threadword_emit(word, 8, NULL);
    assembly_push_note(name, group, ASSEMBLY_RETAIN, sizeof(struct ccprof_word_note),
                       is_placed ? placed : note);
    assembly_line(".4byte", "%s%s-.", word, is_placed ? "_place" : "_offset");
    assembly_pop_section();
    free(name);
    free(group);
}
