// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the instructions that load and store the words of a thread, with a list of them
// for each processor, and writes the words and their places into the assembly file.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/count/threadword.h"
#include "plugin/gcc/assembly.h"
#include "rt/format.h"

// Asm statements. Their operands %1, %2 and %3 are the members OFFSET, INDEX and NONE of
// a place. LOAD_SHARED, FIND_OWN and LOAD_OWN set %0 to the result of the function with
// the same name (threadword.h), perhaps before they read the other operands. STORE_SHARED
// stores %2 and may change %0.
//
// If places are packed, %1 is another register that changes, %2 is the member PACKED
// instead of OFFSET and INDEX, and %3 is the value to be stored.
namespace
{
enum code { LOAD_SHARED, FIND_OWN, LOAD_OWN, STORE_SHARED };

struct processor {
    const char *name; // first word of `gcc -dumpmachine'
    bool is_packed;   // reads the member PACKED of a place

    // The code of the function WORD_offset, without its label, for each number of
    // ASSEMBLER_DIALECT. The function returns the distance of the word @W from the thread
    // pointer, which the loader knows (initial-exec).
    const char *offset[2];

    // The asm statements, in both syntaxes of -masm=: {AT&T|Intel}. @ is replaced by the
    // address of the place's member NONE. If OFFSET is 0, the result is 0.
    const char *texts[4];
};
} // namespace

#define X86_OFFSET "mov{q\t%1, %0|\t%0, %1}\n\ttest{q}\t%0, %0\n\t"
#define X86_READ   "mov{q\t%%fs:(%0), %0|\t%0, QWORD PTR fs:[%0]}"
#define X86_INDEX  "\n\tadd{q\t%2, %0|\t%0, %2}"

// The index is in bytes, a multiple of 8.
#define ARM_PACKED "ldr\t%0, %2\n\t"
#define ARM_THREAD "mrs\t%1, tpidr_el0\n\t"
#define ARM_OFFSET "[%1, %w0, sxtw]"
#define ARM_OWN    ARM_THREAD "ldr\t%1, " ARM_OFFSET "\n\tlsr\t%0, %0, #35\n\t"
#define ARM_NONE   "adrp\t%0, @\n\tadd\t%0, %0, #:lo12:@\n\t"

// The runtime recognizes these loads and stores only if none of them is compressed.
#define RISCV_BEGIN                                                                      \
    ".option\tpush\n\t.option\tnorelax\n\t.option\tnorvc\n\tld\t%0, %2\n\t"
#define RISCV_END    "\n\t.option\tpop"
#define RISCV_SHARED "sext.w\t%0, %0\n\tadd\t%0, %0, tp\n\t"
#define RISCV_OWN                                                                        \
    "sext.w\t%1, %0\n\tadd\t%1, %1, tp\n\tld\t%1, 0(%1)\n\tsrli\t%0, %0, 32\n\t"         \
    "add\t%0, %0, %1\n\t"

// hint #34 is bti c, but the assembler may not know this name for the selected processor.
static const struct processor processors[] = {
    {"x86_64",
     false,
     {"\tendbr64\n\tmovq\t@W@gottpoff(%rip), %rax\n\tret\n",
      "\tendbr64\n\tmov\trax, QWORD PTR @W@gottpoff[rip]\n\tret\n"},
     {X86_OFFSET "je\t1f\n\t" X86_READ "\n1:",
      X86_OFFSET "jne\t1f\n\tlea{q\t%3, %0|\t%0, %3}\n\tjmp\t2f\n1:\t" X86_READ X86_INDEX
                 "\n2:",
      X86_OFFSET "je\t1f\n\t" X86_READ X86_INDEX
                 "\n\tmov{q\t(%0), %0|\t%0, QWORD PTR [%0]}\n1:",
      X86_OFFSET "je\t1f\n\tmov{q\t%2, %%fs:(%0)|\tQWORD PTR fs:[%0], %2}\n1:"}},
    {"aarch64",
     true,
     {"\thint\t#34\n\tadrp\tx0, :gottprel:@W\n\tldr\tx0, [x0, #:gottprel_lo12:@W]\n"
      "\tret\n"},
     {ARM_PACKED "cbz\t%0, 1f\n\t" ARM_THREAD "ldr\t%0, " ARM_OFFSET "\n1:",
      ARM_PACKED "cbnz\t%0, 1f\n\t" ARM_NONE "b\t2f\n1:\t" ARM_OWN
                 "add\t%0, %1, %0, lsl #3\n2:",
      ARM_PACKED "cbz\t%0, 1f\n\t" ARM_OWN "ldr\t%0, [%1, %0, lsl #3]\n1:",
      ARM_PACKED "cbz\t%0, 1f\n\t" ARM_THREAD "str\t%3, " ARM_OFFSET "\n1:"}},
    {"riscv64",
     true,
     {"\tla.tls.ie\ta0, @W\n\tret\n"},
     {RISCV_BEGIN "beqz\t%0, 1f\n\t" RISCV_SHARED "ld\t%0, 0(%0)\n1:" RISCV_END,
      RISCV_BEGIN "bnez\t%0, 1f\n\tlla\t%0, @\n\tj\t2f\n1:\t" RISCV_OWN
                  "addi\t%0, %0, -1\n2:" RISCV_END,
      RISCV_BEGIN "beqz\t%0, 1f\n\t" RISCV_OWN "ld\t%0, -1(%0)\n1:" RISCV_END,
      RISCV_BEGIN "beqz\t%0, 1f\n\t" RISCV_SHARED "sd\t%3, 0(%0)\n1:" RISCV_END}},
};

#ifndef ASSEMBLER_DIALECT
#define ASSEMBLER_DIALECT 0
#endif

// Returns the processor of the target. If it is unknown, the compilation fails.
static const struct processor *target_processor(void)
{
    static const struct processor unknown = {"", false, {"", ""}, {"", "", "", ""}};
    static bool is_reported;

    for (const struct processor &known : processors)
        if (!strcmp(known.name, CCPROF_CPU))
            return &known;
    if (!is_reported)
        error("ccprof: the plugin has no code for words of threads on %qs", CCPROF_CPU);
    is_reported = true;
    return &unknown;
}

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
                target_processor()->is_packed ? offsetof(struct ccprof_place, packed)
                                              : offsetof(struct ccprof_place, offset));
}

static char *make_text(enum code code, tree place)
{
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(place));
    char *text = xstrdup(target_processor()->texts[code]);

    while (char *sign = strchr(text, '@')) {
        *sign = 0;
        char *filled = xasprintf("%s%s+%d%s", text, name,
                                 (int)offsetof(struct ccprof_place, none), sign + 1);
        free(text);
        text = filled;
    }
    return text;
}

static gasm *make_code(enum code code, tree place, tree result, vec<tree, va_gc> *inputs)
{
    vec<tree, va_gc> *outputs = NULL, *clobbers = NULL;
    char *text = make_text(code, place);

    push_operand(&outputs, "=&r", result);
    if (target_processor()->is_packed)
        push_operand(&outputs, "=&r", make_ssa_name(sizetype));
    vec_safe_push(clobbers, build_tree_list(NULL_TREE, build_string(3, "cc")));
    gasm *made = gimple_build_asm_vec(text, inputs, outputs, clobbers, NULL);
    for (unsigned i = 0; i < gimple_asm_noutputs(made); i++)
        SSA_NAME_DEF_STMT(TREE_VALUE(gimple_asm_output_op(made, i))) = made;
    free(text);
    return made;
}

static tree append_code(gimple_seq *statements, enum code code, tree place, tree type)
{
    tree result = make_ssa_name(type);
    vec<tree, va_gc> *inputs = NULL;

    push_word(&inputs, place);
    if (!target_processor()->is_packed) {
        push_member(&inputs, place, offsetof(struct ccprof_place, index));
        push_member(&inputs, place, offsetof(struct ccprof_place, none));
    }
    gimple_seq_add_stmt(statements, make_code(code, place, result, inputs));
    return result;
}

// The statement is volatile, so that GCC does not move it across stores.
tree threadword_load_shared(gimple_seq *statements, tree place, tree type)
{
    tree result = append_code(statements, LOAD_SHARED, place, type);

    gimple_asm_set_volatile(as_a<gasm *>(gimple_seq_last_stmt(*statements)), true);
    return result;
}

tree threadword_find_own(gimple_seq *statements, tree place)
{
    return append_code(statements, FIND_OWN, place, ptr_type_node);
}

tree threadword_load_own(gimple_seq *statements, tree place, tree type)
{
    return append_code(statements, LOAD_OWN, place, type);
}

gimple *threadword_store_shared(tree place, tree value)
{
    vec<tree, va_gc> *inputs = NULL;

    push_word(&inputs, place);
    push_operand(&inputs, "r", value);
    gasm *store = make_code(STORE_SHARED, place, make_ssa_name(sizetype), inputs);
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
    const struct assembly_token tokens[] = {{"@W", word}};

    assembly_push_in_group(section, "axG", "progbits", word);
    assembly_line(".hidden", "%s", name);
    assembly_line(".globl", "%s", name);
    assembly_line(".type", "%s," TYPE_OPERAND_FMT, name, "function");
    assembly_label(name);
    assembly_text(target_processor()->offset[ASSEMBLER_DIALECT], tokens,
                  ARRAY_SIZE(tokens));
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
