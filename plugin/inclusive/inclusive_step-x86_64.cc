// SPDX-License-Identifier: GPL-3.0-or-later
// A step is a `call' in an asm statement. The offset of its list is in rdi, its operand
// in rsi. For each entry the unit has a few instructions of its own, which know the
// addresses of the unit's lists and pairs. The rest of the code is shared in the module.
// A signal handler may execute steps between any two instructions. So no value that it
// may change is kept in a register: each change is one instruction.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/assembly.h"
#include "plugin/count/threadword.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive_step.h"
#include "rt/format.h"

#define COMMON  "ccprof_stack_"
#define OF_UNIT ".Lccprof_"

static const char *const entries[] = {"step_add", "step_cut", "step_amount"};

static bool used[ARRAY_SIZE(entries)], uses_delta, uses_others;

// Returns false in the large code model, where a call does not reach every address, and
// if the program reserves one of these registers.
bool inclusive_step_is_possible(void)
{
    static const unsigned char needed[] = {AX_REG, CX_REG, SI_REG,  DI_REG,
                                           R8_REG, R9_REG, R10_REG, R11_REG};

    for (unsigned reg : needed)
        if (fixed_regs[reg])
            return false;
    return ix86_cmodel != CM_LARGE && ix86_cmodel != CM_LARGE_PIC;
}

static tree make_operand(const char *constraint, tree value)
{
    return build_tree_list(
        build_tree_list(NULL_TREE, build_string(strlen(constraint) + 1, constraint)),
        value);
}

static void push_output(vec<tree, va_gc> **outputs, const char *constraint)
{
    vec_safe_push(*outputs,
                  make_operand(constraint, make_ssa_name(long_unsigned_type_node)));
}

// Apart from the operands, the called code changes the first REGISTERS of these
// registers, which rarely contain a value around other calls. The return address
// overwrites the place of a red zone, so the function must not have one
// (pc_thunk_call_expanded).
static gimple *make_call(const char *name, unsigned registers, vec<tree, va_gc> *inputs,
                         vec<tree, va_gc> *outputs)
{
    static const char *const clobbered[] = {"memory", "r11", "r10", "r8", "r9", "rcx"};
    vec<tree, va_gc> *clobbers = NULL;
    char *text = concat("call\t", name, NULL);

    for (unsigned i = 0; i <= registers; i++)
        vec_safe_push(clobbers,
                      build_tree_list(NULL_TREE, build_string(strlen(clobbered[i]) + 1,
                                                              clobbered[i])));
    gasm *call = gimple_build_asm_vec(text, inputs, outputs, clobbers, NULL);
    free(text);
    gimple_asm_set_volatile(call, true);
    for (unsigned i = 0; i < gimple_asm_noutputs(call); i++)
        SSA_NAME_DEF_STMT(TREE_VALUE(gimple_asm_output_op(call, i))) = call;
    cfun->machine->pc_thunk_call_expanded = true;
    return call;
}

gimple *inclusive_step_call(enum inclusive_step_entry entry, unsigned list, tree value)
{
    vec<tree, va_gc> *inputs = NULL, *outputs = NULL;
    char *name = concat(OF_UNIT, entries[entry], NULL);

    used[entry] = true;
    push_output(&outputs, "=D");
    push_output(&outputs, "=S");
    vec_safe_push(inputs,
                  make_operand("0", build_int_cst(long_unsigned_type_node, list)));
    if (value)
        vec_safe_push(inputs, make_operand("1", value));
    gimple *call = make_call(name, 5, inputs, outputs);
    free(name);
    return call;
}

gimple *inclusive_step_check(tree top)
{
    vec<tree, va_gc> *inputs = NULL, *outputs = NULL;

    uses_others = true;
    push_output(&outputs, "=S");
    vec_safe_push(inputs, make_operand("0", top));
    return make_call(COMMON "step_check", 3, inputs, outputs);
}

gimple *inclusive_step_begin(tree top)
{
    vec<tree, va_gc> *outputs = NULL;

    uses_others = true;
    vec_safe_push(outputs, make_operand("=a", top));
    return make_call(COMMON "step_begin", 2, NULL, outputs);
}

char *inclusive_step_counter(tree variable, unsigned index)
{
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(variable));
    char number[20];

    snprintf(number, sizeof number, "+%u", 8 * index);
    if (DECL_THREAD_LOCAL_P(variable))
        return concat(name, "@tpoff", number, NULL);
    uses_delta = true;
    return concat(name, number, "-.", NULL);
}

// CUT pops entries from the thread's stack until its top is rsi, and leaves the sources
// of these entries. FILL is for missing entries: it fills their places, like
// ccprof_attach_pop, or jumps to BACK if rsi is above the stack's limit. LOOP, NEXT and
// REST are labels. Code before FILL must not fall through to it.
#define CUT(LOOP, NEXT)                                                                  \
    LOOP ":\tmovq\t(%r8), %r10\n"                                                        \
         "\tmovq\t-8(%r10), %r11\n"                                                      \
         "\tsubq\t$8, %r10\n"                                                            \
         "\tmovq\t%r10, (%r8)\n"                                                         \
         "\ttestq\t%r11, %r11\n"                                                         \
         "\tje\t" NEXT "f\n"                                                             \
         "\tsubq\t$1, (%r11)\n"                                                          \
         "\tjne\t" NEXT "f\n"                                                            \
         "\tmovq\t16(%r8), %r10\n"                                                       \
         "\taddq\t%r10, 8(%r11)\n" NEXT ":\tcmpq\t%rsi, (%r8)\n"                         \
         "\tja\t" LOOP "b\n"
#define FILL(LOOP, REST, BACK)                                                           \
    LOOP ":\tcmpq\t8(%r8), %rsi\n"                                                       \
         "\tja\t" BACK "\n"                                                              \
         "\tmovq\t$1, @W(%r8)\n" REST ":\tmovq\t(%r8), %r10\n"                           \
         "\taddq\t$8, (%r8)\n"                                                           \
         "\tmovq\t$0, (%r10)\n"                                                          \
         "\tcmpq\t%rsi, (%r8)\n"                                                         \
         "\tjb\t" REST "b\n"

// The code that all units of a module share. Units whose counters are elsewhere have
// their own version. Registers: rdi is the list, rcx the thread's copy of the unit's
// pairs, r8 its struct ccprof_stack_thread, r9d the first word of the list. Tokens: @T
// sets r8 to the address of the thread's struct ccprof_stack_word, which is accessed with
// the prefix @Q. @V does the same for r11. @N and @M are the rest of @T and @V. @C is the
// suffix of the names, @W the offset of SWITCHED. An entry is read before the stack is
// cut, because a signal handler writes above the top of the stack.
static const char common[] = R"(
	.pushsection	.text.ccprof_stack_steps@C,"axG",@progbits,ccprof_stack_steps@C,comdat
	.hidden	ccprof_stack_steps@C
	.globl	ccprof_stack_steps@C
ccprof_stack_steps@C:

	.hidden	ccprof_stack_step_cut@C
	.globl	ccprof_stack_step_cut@C
	.type	ccprof_stack_step_cut@C, @function
ccprof_stack_step_cut@C:
	@B
	@T
	movl	(%rdi), %r9d
	addq	@Q8(%r8), %rcx
	movq	@Q(%r8), %r8
	testl	%r9d, %r9d
	jns	1f
	movslq	4(%rdi), %r10
	addq	$4, %rdi
	@A
1:	movl	4(%rdi), %r10d
	addq	$8, %rdi
	leaq	(%rsi,%r10,8), %rsi
	cmpq	%rsi, (%r8)
	jne	5f
2:	movl	%r9d, %r10d
	shrl	$8, %r10d
	andl	$127, %r10d
	je	.Lccprof_steps_sum@C
	negq	%r10
	leaq	(%rsi,%r10,8), %rsi
	movq	%rsi, (%r8)
3:	movl	(%rdi), %r11d
	addq	$4, %rdi
	shlq	$4, %r11
	subq	$1, (%rcx,%r11)
	jne	4f
	movq	16(%r8), %rsi
	addq	%rsi, 8(%rcx,%r11)
4:	incq	%r10
	jne	3b
	jmp	.Lccprof_steps_sum@C
5:	jb	8f
)" CUT("6", "7") R"(	jmp	2b
)" FILL("8", "9", "2b") R"(	jmp	2b
	@N
	@F
	.size	ccprof_stack_step_cut@C, .-ccprof_stack_step_cut@C

	.hidden	ccprof_stack_step_add@C
	.globl	ccprof_stack_step_add@C
	.type	ccprof_stack_step_add@C, @function
ccprof_stack_step_add@C:
	@B
	@T
	movl	(%rdi), %r9d
	addq	@Q8(%r8), %rcx
	movq	@Q(%r8), %r8
	addq	$4, %rdi
	testl	%r9d, %r9d
	jns	.Lccprof_steps_sum@C
	movslq	(%rdi), %r10
	@A
	addq	$4, %rdi
.Lccprof_steps_sum@C:
	movl	%r9d, %r10d
	shrl	$22, %r10d
	andl	$255, %r10d
	addq	%r10, 16(%r8)
	testb	%r9b, %r9b
	je	2f
1:	movl	(%rdi), %r10d
	addq	$4, %rdi
	movl	%r10d, %r11d
	andl	$0xffffff, %r11d
	shrl	$24, %r10d
	shlq	$4, %r11
	cmpq	$0, (%rcx,%r11)
	jne	3f
	addq	%r10, 8(%rcx,%r11)
3:	subb	$1, %r9b
	jne	1b
2:	shrl	$15, %r9d
	andl	$127, %r9d
	je	6f
	movq	(%r8), %r10
	leaq	(%r10,%r9,8), %r11
	movq	%r11, (%r8)
4:	movl	(%rdi), %r11d
	addq	$4, %rdi
	shlq	$4, %r11
	addq	%rcx, %r11
	movq	%r11, (%r10)
	addq	$8, %r10
	addq	$1, (%r11)
	cmpq	$1, (%r11)
	jne	5f
	movq	16(%r8), %rsi
	subq	%rsi, 8(%r11)
5:	decl	%r9d
	jne	4b
6:	ret
	@N
	@F
	.size	ccprof_stack_step_add@C, .-ccprof_stack_step_add@C

	.hidden	ccprof_stack_step_amount@C
	.globl	ccprof_stack_step_amount@C
	.type	ccprof_stack_step_amount@C, @function
ccprof_stack_step_amount@C:
	@B
	@T
	addq	@Q8(%r8), %rcx
	movq	@Q(%r8), %r8
	movzbl	(%rdi), %r9d
	addq	%rsi, 16(%r8)
	testl	%r9d, %r9d
	je	3f
1:	movl	4(%rdi), %r8d
	addq	$4, %rdi
	shlq	$4, %r8
	cmpq	$0, (%rcx,%r8)
	jne	2f
	addq	%rsi, 8(%rcx,%r8)
2:	decl	%r9d
	jne	1b
3:	ret
	@N
	@F
	.size	ccprof_stack_step_amount@C, .-ccprof_stack_step_amount@C
	.popsection
)";

// Code that cuts off entries that calls have left on the stack, and code for the start of
// a function. Both work like the functions of rt/attach.c.
static const char others[] = R"(
	.pushsection	.text.ccprof_stack_checks,"axG",@progbits,ccprof_stack_checks,comdat
	.hidden	ccprof_stack_checks
	.globl	ccprof_stack_checks
ccprof_stack_checks:

	.hidden	ccprof_stack_step_check
	.globl	ccprof_stack_step_check
	.type	ccprof_stack_step_check, @function
ccprof_stack_step_check:
	@B
	@T
	movq	@Q(%r8), %r8
	cmpq	%rsi, (%r8)
	jne	5f
3:	ret
5:	jb	8f
)" CUT("1", "2") R"(	ret
)" FILL("8", "9", "3b") R"(	ret
	@N
	@F
	.size	ccprof_stack_step_check, .-ccprof_stack_step_check

	.hidden	ccprof_stack_step_begin
	.globl	ccprof_stack_step_begin
	.type	ccprof_stack_step_begin, @function
ccprof_stack_step_begin:
	@B
	@V
	movq	@Q(%r11), %r11
	movq	(%r11), %rax
	cmpq	8(%r11), %rax
	jae	1f
	ret
1:	movq	8(%r11), %rax
	testq	%rax, %rax
	jne	2f
	leaq	@S(%r11), %rax
2:	movq	%rax, (%r11)
	ret
	@M
	@F
	.size	ccprof_stack_step_begin, .-ccprof_stack_step_begin
	.popsection
)";

// The unit's own instructions for an entry of the shared code.
static const char entry_code[] = R"(
	.pushsection	.text
.Lccprof_@E:
	@B
	leaq	@L(%rip), %rcx
	addq	%rcx, %rdi
	leaq	@P(%rip), %rcx
	jmp	ccprof_stack_@E@C
	@F
	.popsection
)";

// FIND sets REG to the offset of the thread's struct ccprof_stack_word from the thread
// pointer. FIND_PLACED sets REG to its address. The rest of FIND_PLACED is FIND_NONE,
// after the end of the function.
#define WORD_PLACE INCLUSIVE_WORD "_place"
#define FIND(REG)  "movq\t" INCLUSIVE_WORD "@gottpoff(%rip), " REG
#define FIND_PLACED(REG)                                                                 \
    "movq\t" WORD_PLACE "(%rip), " REG "\n\ttestq\t" REG ", " REG                        \
    "\n\tje\t81f\n\tmovq\t%fs:(" REG "), " REG "\n\taddq\t" WORD_PLACE "+8(%rip), " REG  \
    "\n80:"
#define FIND_NONE(REG) "81:\tleaq\t" WORD_PLACE "+16(%rip), " REG "\n\tjmp\t80b"

// COUNT adds 1 to the counter at offset r10 from the thread pointer. COUNT_PLACED adds 1
// to the thread's copy of a counter, or to the module's counter if the thread has no
// copy. There r10 is the distance of the module's counter from the word in the list.
#define COUNT "addq\t$1, %fs:(%r10)"
#define COUNT_PLACED                                                                     \
    "addq\t%rdi, %r10\n\tmovq\tccprof_delta_place(%rip), %r11\n\ttestq\t%r11, %r11\n"    \
    "\tje\t8f\n\tmovq\t%fs:(%r11), %r11\n\taddq\tccprof_delta_place+8(%rip), %r11\n"     \
    "\taddq\t(%r11), %r10\n8:\taddq\t$1, (%r10)"

static_assert(offsetof(struct ccprof_place, index) == 8 &&
                  offsetof(struct ccprof_place, none) == 16,
              "the instructions above say where these are");

static void put_steps(const char *lists, const char *pairs)
{
    char size[20], switched[20];
    bool any = false, cfi = dwarf2out_do_cfi_asm(), placed = threadword_is_placed();

    snprintf(size, sizeof size, "%u", (unsigned)sizeof(struct ccprof_stack_thread));
    snprintf(switched, sizeof switched, "%u",
             (unsigned)offsetof(struct ccprof_stack_thread, switched));
    struct assembly_token tokens[] = {
        {"@T", placed ? FIND_PLACED("%r8") : FIND("%r8")},
        {"@V", placed ? FIND_PLACED("%r11") : FIND("%r11")},
        {"@N", placed ? FIND_NONE("%r8") : ""},
        {"@M", placed ? FIND_NONE("%r11") : ""},
        {"@Q", placed ? "" : "%fs:"},
        {"@L", lists},
        {"@P", pairs},
        {"@S", size},
        {"@W", switched},
        {"@C", uses_delta ? "_delta"
               : placed   ? "_placed"
                          : ""},
        {"@A", uses_delta ? COUNT_PLACED : COUNT},
        // Unwind information for signal handlers: nothing is pushed.
        {"@B", cfi ? ".cfi_startproc" : ""},
        {"@F", cfi ? ".cfi_endproc" : ""},
        {"@E", NULL},
    };
    for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
        tokens[ARRAY_SIZE(tokens) - 1].text = entries[i];
        if (used[i])
            assembly_text(entry_code, tokens, ARRAY_SIZE(tokens));
        any |= used[i];
    }
    if (any)
        assembly_text(common, tokens, ARRAY_SIZE(tokens) - 1);
    if (uses_others)
        assembly_text(others, tokens, ARRAY_SIZE(tokens) - 1);
}

void inclusive_step_emit(const char *lists, const char *pairs)
{
    bool is_intel = ASSEMBLER_DIALECT != ASM_ATT;

    if (is_intel)
        assembly_text("\t.att_syntax prefix\n", NULL, 0);
    put_steps(lists, pairs);
    if (is_intel)
        assembly_text("\t.intel_syntax noprefix\n", NULL, 0);
}
