// SPDX-License-Identifier: GPL-3.0-or-later
// A step is a `call'. Where registers are free, a step changes these; otherwise it saves
// all that it changes, and the instruction behind the `call', a no-operation, contains the
// distance to the list. A function with calls has no red zone, which a `call' would
// overwrite. A signal handler may execute steps between any two instructions. So no value
// that it may change is kept in a register: each change is one instruction.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/assembly.h"
#include "plugin/count/threadword.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/machine/machine_calls.h"

#define WORD_PLACE THREADWORD_PLACE(INCLUSIVE_WORD)

bool machine_calls_are_possible(void)
{
    return ix86_cmodel != CM_LARGE && ix86_cmodel != CM_LARGE_PIC && !flag_split_stack;
}

static const char *suffix(void)
{
    return threadword_is_placed() ? "_placed" : "";
}

static bool are_free(const struct machine_free *free_there, uint64_t registers)
{
    return free_there->flags && !(registers & ~free_there->registers);
}

static constexpr uint64_t bit(unsigned reg)
{
    return (uint64_t)1 << reg;
}

// Calls the step that saves everything. 0f 1f 80 is `nopl DISTANCE(%rax)'.
static char *call_saved(const char *name, const char *list)
{
    return xasprintf("call\tccprof_calls_%s_saved%s\n\t.byte\t0x0f,0x1f,0x80\n\t"
                     ".long\t%s-.",
                     name, suffix(), list);
}

// Returns code that sets A to the address of the function's depth and compares the depth
// with 0; B is another free register. If the thread has no pairs, jumps to 1.
static char *test_depth(const char *pairs, const char *a, const char *b)
{
    return threadword_is_placed()
               ? xasprintf("movq\t" WORD_PLACE "(%%rip), %s\n\ttestq\t%s, %s\n\tje\t1f\n\t"
                           "movq\t%%fs:(%s), %s\n\taddq\t" WORD_PLACE "+8(%%rip), %s\n\t"
                           "movq\t8(%s), %s\n\tleaq\t%s(%%rip), %s\n\tcmpq\t$0, (%s,%s)",
                           a, a, a, a, a, a, a, a, pairs, b, a, b)
               : xasprintf("leaq\t%s(%%rip), %s\n\taddq\t%%fs:" INCLUSIVE_WORD
                           "@tpoff+8, %s\n\tcmpq\t$0, (%s)",
                           pairs, a, a, a);
}

static void print_register(char *name, size_t size, unsigned reg)
{
    snprintf(name, size, "%%%s%s", LEGACY_INT_REGNO_P(reg) ? "r" : "", reg_names[reg]);
}

// The start and the end of a function: most activations are not inner ones.
static char *call_if_inner(const char *name, const char *list, const char *pairs,
                           const struct machine_free *free_there, uint64_t *changed)
{
    char names[2][8] = {"", ""};
    unsigned found = 0, needed = threadword_is_placed() ? 2 : 1;
    char *call = call_saved(name, list);

    for (unsigned r = 0; r < 64 && found < needed; r++)
        if (free_there->registers >> r & 1) {
            print_register(names[found++], sizeof *names, r);
            *changed |= bit(r);
        }
    if (found < needed || !free_there->flags) {
        *changed = 0;
        return call;
    }
    char *test = test_depth(pairs, names[0], names[1]);
    char *text = xasprintf("%s\n\tje\t1f\n\t%s\n1:", test, call);
    free(test);
    free(call);
    return text;
}

struct machine_code machine_calls_code(enum machine_step step, const char *list,
                                       const char *pairs,
                                       const struct machine_free *free_there)
{
    static const uint64_t of_open = bit(AX_REG) | bit(R10_REG) | bit(R11_REG),
                          of_close =
                              bit(CX_REG) | bit(SI_REG) | bit(R10_REG) | bit(R11_REG);
    uint64_t changed = 0;
    char *text = NULL;

    switch (step) {
    case MACHINE_STEP_OPEN:
        if (!are_free(free_there, of_open)) {
            text = call_saved("open", list);
            break;
        }
        changed = of_open;
        text = xasprintf("leaq\t%s(%%rip), %%r11\n\tcall\tccprof_calls_open%s", list,
                         suffix());
        break;
    case MACHINE_STEP_CLOSE:
        if (!are_free(free_there, of_close)) {
            text = call_saved("close", list);
            break;
        }
        changed = of_close;
        text = xasprintf("call\tccprof_calls_close%s", suffix());
        break;
    case MACHINE_STEP_CUT:
        text = call_saved("cut", list);
        break;
    case MACHINE_STEP_BEGIN:
        text = call_if_inner("begin", list, pairs, free_there, &changed);
        break;
    case MACHINE_STEP_END:
        text = call_if_inner("end", list, pairs, free_there, &changed);
        break;
    }
    if (ASSEMBLER_DIALECT != 0) {
        char *made =
            concat(".att_syntax prefix\n\t", text, "\n\t.intel_syntax noprefix", NULL);
        free(text);
        text = made;
    }
    return {text, changed, changed != 0};
}

// The pieces of the steps. OPEN enters the pairs r10 and r11 in the thread rax, where REG
// is the stack pointer at the call minus CCPROF_STACK_BELOW; it changes rcx. CLOSE leaves
// them in the thread r10, where rsi is this stack pointer; it changes r11 and rcx. BEGIN
// and END are for an inner activation of the function with the pairs r11, in the thread
// r10; they change rcx. The labels of a piece begin with its first digit.
#define OPEN(REG)                                                                        \
    "\tmovq\t(%rax), %rcx\n"                                                             \
    "\tcmpq\t8(%rax), %rcx\n"                                                            \
    "\tjae\t19f\n"                                                                       \
    "\taddq\t$16, (%rax)\n"                                                              \
    "\tmovq\t" REG ", @X(%rcx)\n"                                                        \
    "\tmovq\t%r10, (%rcx)\n"                                                             \
    "\tmovq\t%r11, 8(%rcx)\n"                                                            \
    "\taddq\t$1, (%r10)\n"                                                               \
    "\tcmpq\t$1, (%r10)\n"                                                               \
    "\tjne\t12f\n"                                                                       \
    "\tmovq\t16(%rax), %rcx\n"                                                           \
    "\tsubq\t%rcx, 8(%r10)\n"                                                            \
    "11:\taddq\t$1, (%r11)\n"                                                            \
    "\tcmpq\t$1, (%r11)\n"                                                               \
    "\tjne\t19f\n"                                                                       \
    "\tmovq\t16(%rax), %rcx\n"                                                           \
    "\tsubq\t%rcx, 8(%r11)\n"                                                            \
    "19:"
#define OPEN_INNER                                                                       \
    "12:\tcmpq\t$0, 16(%r10)\n"                                                          \
    "\tje\t11b\n"                                                                        \
    "\tmovq\t$0, 16(%r10)\n"                                                             \
    "\tmovq\t16(%rax), %rcx\n"                                                           \
    "\taddq\t%rcx, 24(%r10)\n"                                                           \
    "\tjmp\t11b\n"
#define CLOSE                                                                            \
    "\tmovq\t(%r10), %rcx\n"                                                             \
    "\tcmpq\t%rsi, @X-16(%rcx)\n"                                                        \
    "\tjne\t24f\n"                                                                       \
    "21:\tmovq\t-8(%rcx), %r11\n"                                                        \
    "\tmovq\t-16(%rcx), %rcx\n"                                                          \
    "\tsubq\t$16, (%r10)\n"                                                              \
    "\tsubq\t$1, (%r11)\n"                                                               \
    "\tjne\t22f\n"                                                                       \
    "\tmovq\t16(%r10), %rsi\n"                                                           \
    "\taddq\t%rsi, 8(%r11)\n"                                                            \
    "22:\tsubq\t$1, (%rcx)\n"                                                            \
    "\tjne\t23f\n"                                                                       \
    "\tmovq\t16(%r10), %rsi\n"                                                           \
    "\taddq\t%rsi, 8(%rcx)\n"                                                            \
    "29:"
#define CLOSE_INNER                                                                      \
    "23:\tcmpq\t$0, 16(%rcx)\n"                                                          \
    "\tjne\t29b\n"                                                                       \
    "\tmovq\t16(%r10), %rsi\n"                                                           \
    "\tsubq\t%rsi, 24(%rcx)\n"                                                           \
    "\tmovq\t$1, 16(%rcx)\n"                                                             \
    "\tjmp\t29b\n"                                                                       \
    "24:\tcmpq\t$0, 8(%r10)\n"                                                           \
    "\tje\t29b\n"                                                                        \
    "\tcall\tccprof_calls_pop@C\n"                                                       \
    "\tmovq\t(%r10), %rcx\n"                                                             \
    "\tcmpq\t%rsi, @X-16(%rcx)\n"                                                        \
    "\tje\t21b\n"                                                                        \
    "\tcmpq\t8(%r10), %rcx\n"                                                            \
    "\tjae\t29b\n"                                                                       \
    "\tmovq\t$1, @W(%r10)\n"                                                             \
    "\tjmp\t29b\n"
#define BEGIN                                                                            \
    "\tcmpq\t$0, (%r11)\n"                                                               \
    "\tje\t31f\n"                                                                        \
    "\tcmpq\t$0, 16(%r11)\n"                                                             \
    "\tjne\t31f\n"                                                                       \
    "\tmovq\t16(%r10), %rcx\n"                                                           \
    "\tsubq\t%rcx, 24(%r11)\n"                                                           \
    "\tmovq\t$1, 16(%r11)\n"                                                             \
    "31:"
#define END                                                                              \
    "\tcmpq\t$0, 16(%r11)\n"                                                             \
    "\tje\t41f\n"                                                                        \
    "\tmovq\t$0, 16(%r11)\n"                                                             \
    "\tmovq\t16(%r10), %rcx\n"                                                           \
    "\taddq\t%rcx, 24(%r11)\n"                                                           \
    "41:"

// Sets rsi to the stack pointer at the call minus CCPROF_STACK_BELOW, and r11 to the
// list.
#define SAVE                                                                             \
    "\tpushfq\n\t@P8\n\tpushq\t%rax\n\t@P8\n\tpushq\t%rcx\n\t@P8\n\tpushq\t%rsi\n\t@P8\n" \
    "\tpushq\t%r10\n\t@P8\n\tpushq\t%r11\n\t@P8\n"                                       \
    "\tmovq\t48(%rsp), %rax\n"                                                           \
    "\tmovslq\t3(%rax), %r11\n"                                                          \
    "\tleaq\t3(%rax,%r11), %r11\n"                                                       \
    "\tleaq\t40(%rsp), %rsi\n"
#define RESTORE                                                                          \
    "\tpopq\t%r11\n\t@P-8\n\tpopq\t%r10\n\t@P-8\n\tpopq\t%rsi\n\t@P-8\n"                 \
    "\tpopq\t%rcx\n\t@P-8\n\tpopq\t%rax\n\t@P-8\n\tpopfq\n\t@P-8\n\tret\n"

// Set r11 to the address of the function's pairs, from the list, r10 to the thread.
#define FIND_THREAD "\t@V\n\tmovq\t@Q(%r10), %r10\n"
#define FIND_PAIRS                                                                       \
    "\taddq\t(%r11), %r11\n"                                                             \
    "\t@V\n"                                                                             \
    "\taddq\t@Q8(%r10), %r11\n"                                                          \
    "\tmovq\t@Q(%r10), %r10\n"

#define STEP(NAME)                                                                       \
    "\n\t.hidden\tccprof_calls_" NAME "@C\n"                                             \
    "\t.globl\tccprof_calls_" NAME "@C\n"                                                \
    "\t.type\tccprof_calls_" NAME "@C, @function\n"                                      \
    "ccprof_calls_" NAME "@C:\n"                                                         \
    "\t@B\n"
#define END_STEP(NAME)                                                                   \
    "\t@F\n"                                                                             \
    "\t.size\tccprof_calls_" NAME "@C, .-ccprof_calls_" NAME "@C\n"

// Tokens as in inclusive_step-x86_64.cc: @T and @V set rax and r10 to the address of the
// thread's struct ccprof_stack_word, which is accessed with the prefix @Q; @N and @M are
// their rest. @C is the suffix of the names, @W the offset of SWITCHED, @X of an entry's
// second word, @P tells unwinders of a change of the stack pointer.
static const char steps[] = R"(
	.pushsection	.text.ccprof_calls@C,"axG",@progbits,ccprof_calls_steps@C,comdat
	.hidden	ccprof_calls_steps@C
	.globl	ccprof_calls_steps@C
ccprof_calls_steps@C:
)" STEP("open") R"(	movq	(%r11), %r10
	addq	%r11, %r10
	movl	8(%r11), %r11d
	@T
	addq	@Q8(%rax), %r10
	addq	%r10, %r11
	movq	@Q(%rax), %rax
	pushq	%rcx
	@P8
)" OPEN("%rsp") R"(	popq	%rcx
	@P-8
	ret
	@P8
)" OPEN_INNER R"(	@N
)" END_STEP("open") STEP("close") FIND_THREAD R"(	leaq	-8(%rsp), %rsi
)" CLOSE R"(	ret
)" CLOSE_INNER R"(	@M
)" END_STEP("close") STEP("open_saved") SAVE R"(	movq	(%r11), %r10
	addq	%r11, %r10
	movl	8(%r11), %r11d
	@T
	addq	@Q8(%rax), %r10
	addq	%r10, %r11
	movq	@Q(%rax), %rax
)" OPEN("%rsi") RESTORE R"(	@P48
)" OPEN_INNER R"(	@N
)" END_STEP("open_saved") STEP("close_saved") SAVE FIND_THREAD CLOSE RESTORE R"(	@P48
)" CLOSE_INNER R"(	@M
)" END_STEP("close_saved") STEP("cut_saved") SAVE FIND_PAIRS R"(	cmpq	$0, 8(%r10)
	je	1f
	addq	$8, %rsi
	call	ccprof_calls_pop@C
)" BEGIN R"(
1:
)" RESTORE R"(	@P48
	@M
)" END_STEP("cut_saved") STEP("begin_saved") SAVE FIND_PAIRS BEGIN RESTORE R"(	@P48
	@M
)" END_STEP("begin_saved") STEP("end_saved") SAVE FIND_PAIRS END RESTORE R"(	@P48
	@M
)" END_STEP("end_saved") STEP("pop") R"(	pushq	%rdx
	@P8
	pushq	%rcx
	@P8
	pushq	%r11
	@P8
1:	movq	(%r10), %rcx
	cmpq	%rsi, @X-16(%rcx)
	jae	3f
	movq	-8(%rcx), %r11
	movq	-16(%rcx), %rdx
	subq	$16, (%r10)
	testq	%r11, %r11
	je	2f
	subq	$1, (%r11)
	jne	2f
	movq	16(%r10), %rcx
	addq	%rcx, 8(%r11)
2:	testq	%rdx, %rdx
	je	1b
	subq	$1, (%rdx)
	jne	1b
	movq	16(%r10), %rcx
	addq	%rcx, 8(%rdx)
	jmp	1b
3:	popq	%r11
	@P-8
	popq	%rcx
	@P-8
	popq	%rdx
	@P-8
	ret
)" END_STEP("pop") R"(	.popsection
)";

static_assert(sizeof(struct ccprof_pair) == 16 && CCPROF_CALLS_OWN == 1 &&
                  CCPROF_STACK_BELOW == 16 &&
                  offsetof(struct ccprof_stack_thread, limit) == 8 &&
                  offsetof(struct ccprof_stack_thread, total) == 16,
              "the steps know these");

#define FIND(REG) "movq\t" INCLUSIVE_WORD "@gottpoff(%rip), " REG
#define FIND_PLACED(REG)                                                                 \
    "movq\t" WORD_PLACE "(%rip), " REG "\n\ttestq\t" REG ", " REG                        \
    "\n\tje\t81f\n\tmovq\t%fs:(" REG "), " REG "\n\taddq\t" WORD_PLACE "+8(%rip), " REG  \
    "\n80:"
#define FIND_NONE(REG) "81:\tleaq\t" WORD_PLACE "+16(%rip), " REG "\n\tjmp\t80b"

void machine_calls_emit_steps(void)
{
    bool placed = threadword_is_placed(), cfi = dwarf2out_do_cfi_asm();
    bool is_intel = ASSEMBLER_DIALECT != ASM_ATT;
    char second[20], switched[20];

    snprintf(second, sizeof second, "%u",
             (unsigned)(CCPROF_STACK_MOST * sizeof(struct ccprof_pair *)));
    snprintf(switched, sizeof switched, "%u",
             (unsigned)offsetof(struct ccprof_stack_thread, switched));
    const struct assembly_token tokens[] = {
        {"@T", placed ? FIND_PLACED("%rax") : FIND("%rax")},
        {"@V", placed ? FIND_PLACED("%r10") : FIND("%r10")},
        {"@N", placed ? FIND_NONE("%rax") : ""},
        {"@M", placed ? FIND_NONE("%r10") : ""},
        {"@Q", placed ? "" : "%fs:"},
        {"@C", suffix()},
        {"@W", switched},
        {"@X", second},
        {"@P", cfi ? ".cfi_adjust_cfa_offset\t" : "#"},
        {"@B", cfi ? ".cfi_startproc" : ""},
        {"@F", cfi ? ".cfi_endproc" : ""},
    };

    if (is_intel)
        assembly_text("\t.att_syntax prefix\n", NULL, 0);
    assembly_text(steps, tokens, ARRAY_SIZE(tokens));
    if (is_intel)
        assembly_text("\t.intel_syntax noprefix\n", NULL, 0);
}
