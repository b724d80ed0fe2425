// SPDX-License-Identifier: GPL-3.0-or-later
// A step is a `call'. The address of the pair is in r11, and r10 is changed. Where these
// registers are not free, a step saves all that it changes, and the instruction behind
// the `call', a no-operation, contains the distance to the pair. A function with calls
// has no red zone, which a `call' would overwrite. A signal handler may execute steps
// between any two instructions, and finds a pair open or closed; its instructions are
// counted in the pair or not, but none are lost.

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

struct machine_code machine_calls_code(enum machine_step step, const char *pair,
                                       const struct machine_free *free_there)
{
    static const char *const names[] = {"begin",  "open",  "close",  "end",
                                        "arrive", "again", "target", "back"};
    static const uint64_t changed = (uint64_t)1 << R10_REG | (uint64_t)1 << R11_REG;
    bool saves = step >= MACHINE_STEP_ARRIVE || !free_there->flags ||
                 changed & ~free_there->registers;
    // 0f 1f 80 is `nopl DISTANCE(%rax)'.
    char *text = saves ? xasprintf("call\tccprof_calls_%s_saved%s\n\t"
                                   ".byte\t0x0f,0x1f,0x80\n\t.long\t%s-.",
                                   names[step], suffix(), pair)
                       : xasprintf("leaq\t%s(%%rip), %%r11\n\tcall\tccprof_calls_%s%s",
                                   pair, names[step], suffix());

    if (step == MACHINE_STEP_TARGET) {
        char *made = concat(text, "\n\tleaq\t8(%rsp), %rsp" MACHINE_MOVED "8\n", NULL);
        free(text);
        text = made;
    }
    if (ASSEMBLER_DIALECT != 0) {
        char *made =
            concat(".att_syntax prefix\n\t", text, "\n\t.intel_syntax noprefix", NULL);
        free(text);
        text = made;
    }
    return {text, saves ? 0 : changed, !saves};
}

// The pieces of the steps. r11 is the thread's copy of the pair, r10 its struct
// ccprof_stack_thread, and SP the stack pointer at the step minus 8. OPEN goes to 8 if
// the stack pointer is not below that of the open pair, CLOSE needs no thread before it
// is the same activation's.
#define BOUNDS(SP)                                                                       \
    "\tcmpq\t@L, " SP "\n"                                                               \
    "\tjb\t8f\n"                                                                         \
    "\tcmpq\t@H, " SP "\n"                                                               \
    "\tja\t8f\n"
#define OPEN(SP, LINK)                                                                   \
    "\tcmpq\t$0, (%r11)\n"                                                               \
    "\tjne\t2f\n"                                                                        \
    "\tmovq\t" SP ", (%r11)\n" LINK "\tmovq\t@A, %r10\n"                                 \
    "\tsubq\t%r10, 8(%r11)\n"                                                            \
    "1:"
#define OPEN_AGAIN(SP)                                                                   \
    "2:\tcmpq\t" SP ", (%r11)\n"                                                         \
    "\tjae\t1b\n"
#define LINK   "\tpushq\t@O\n\tpopq\t-16(%r11)\n\tmovq\t%r11, @O\n"
#define UNLINK "\tpushq\t-16(%r11)\n\tpopq\t@O\n"
#define CLOSE                                                                            \
    "\tmovq\t@A, %r10\n"                                                                 \
    "\taddq\t%r10, 8(%r11)\n"                                                            \
    "\tmovq\t$0, (%r11)\n"

#define STEP(NAME)                                                                       \
    "\n\t.hidden\tccprof_calls_" NAME "@C\n"                                             \
    "\t.globl\tccprof_calls_" NAME "@C\n"                                                \
    "\t.type\tccprof_calls_" NAME "@C, @function\n"                                      \
    "ccprof_calls_" NAME "@C:\n"                                                         \
    "\t@B\n"
#define END_STEP(NAME)                                                                   \
    "\t@F\n"                                                                             \
    "\t.size\tccprof_calls_" NAME "@C, .-ccprof_calls_" NAME "@C\n"

// Set rax to SP, and r11 to the pair in the module.
#define SAVE                                                                             \
    "\tpushfq\n\t@P8\n\tpushq\t%rax\n\t@P8\n\tpushq\t%r10\n\t@P8\n\tpushq\t%r11\n\t@"    \
    "P8\n"                                                                               \
    "\tmovq\t32(%rsp), %rax\n"                                                           \
    "\tmovslq\t3(%rax), %r11\n"                                                          \
    "\tleaq\t3(%rax,%r11), %r11\n"                                                       \
    "\tleaq\t32(%rsp), %rax\n"
#define RESTORE                                                                          \
    "\tpopq\t%r11\n\t@P-8\n\tpopq\t%r10\n\t@P-8\n\tpopq\t%rax\n\t@P-8\n"                 \
    "\tpopfq\n\t@P-8\n\tret\n"

// The same at an indirect call, where the flags hold no value: sets r11 to the pair in
// the module, and r10 to the thread if it is placed.
#define SAVE_FEW                                                                         \
    "\tpushq\t%rax\n\t@P8\n\tpushq\t%r10\n\t@P8\n\tpushq\t%r11\n\t@P8\n"                 \
    "\tpushq\t%rcx\n\t@P8\n"                                                             \
    "\tmovq\t32(%rsp), %rax\n"                                                           \
    "\tmovslq\t3(%rax), %r11\n"                                                          \
    "\tleaq\t3(%rax,%r11), %r11\n"                                                       \
    "\t@T\n\t@R\n"
#define RESTORE_FEW                                                                      \
    "\tpopq\t%rcx\n\t@P-8\n\tpopq\t%r11\n\t@P-8\n\tpopq\t%r10\n\t@P-8\n"                 \
    "\tpopq\t%rax\n\t@P-8\n\tret\n"

// The steps at indirect calls know these offsets.
static_assert(offsetof(struct ccprof_called_entry, target) == 8 &&
                  offsetof(struct ccprof_called_entry, depth) == 16 &&
                  offsetof(struct ccprof_called_entry, start) == 24 &&
                  offsetof(struct ccprof_called_entry, amount) == 32 &&
                  offsetof(struct ccprof_called_entry, calls) == 40 &&
                  offsetof(struct ccprof_called_entry, outer) == 64 &&
                  CCPROF_CALLED_HASH(16, 32) == 3,
              "struct ccprof_called_entry");

// Calls a function of the runtime for the pair r11 and the stack pointer rax, as if it
// were a function that changes no register.
#define RUNTIME(ARGUMENT, FUNCTION)                                                      \
    "\tpushq\t%rbp\n\t@P8\n\tmovq\t%rsp, %rbp\n\t@U\t%rbp\n"                             \
    "\tpushq\t%rcx\n\tpushq\t%rdx\n\tpushq\t%rsi\n\tpushq\t%rdi\n\tpushq\t%r8\n"         \
    "\tpushq\t%r9\n"                                                                     \
    "\t@Z\n\tmovq\t%r11, %rsi\n\tmovq\t%rax, %rdx\n" ARGUMENT "\tmovq\t" FUNCTION        \
    "(%rdi), %rax\n"                                                                     \
    "\ttestq\t%rax, %rax\n\tje\t7f\n"                                                    \
    "\tcld\n\tandq\t$-16, %rsp\n\tcall\t*%rax\n"                                         \
    "7:\tleaq\t-48(%rbp), %rsp\n"                                                        \
    "\tpopq\t%r9\n\tpopq\t%r8\n\tpopq\t%rdi\n\tpopq\t%rsi\n\tpopq\t%rdx\n"               \
    "\tpopq\t%rcx\n\t@U\t%rsp\n\tpopq\t%rbp\n\t@P-8\n"

// Tokens: @T finds the thread's struct ccprof_stack_word, and @N is the rest of @T. @D is
// its member DELTA. @R sets r10 to the struct ccprof_stack_thread, of which @A, @L, @H
// and
// @O are members, and so is @K, CALLED, of which @M, @G and @E are the mask of numbers,
// the size of entries and their offset; @Z sets rdi to it, and @S and @I are offsets. @C
// is the suffix of the names.
// @P tells unwinders of a change of the stack pointer, @U of the register to use instead.
static const char steps[] = R"(
	.pushsection	.text.ccprof_calls@C,"axG",@progbits,ccprof_calls_steps@C,comdat
	.hidden	ccprof_calls_steps@C
	.globl	ccprof_calls_steps@C
ccprof_calls_steps@C:
)" STEP("begin") R"(	@T
	addq	@D, %r11
	@R
)" BOUNDS("%rsp") OPEN("%rsp", LINK) R"(	ret
)" OPEN_AGAIN("%rsp") R"(8:	pushq	%rax
	@P8
	leaq	8(%rsp), %rax
	call	ccprof_calls_settle@C
	popq	%rax
	@P-8
	ret
	@N
)" END_STEP("begin") STEP("open") R"(	@T
	addq	@D, %r11
	@R
)" OPEN("%rsp", "") R"(	ret
)" OPEN_AGAIN("%rsp") R"(	pushq	%rax
	@P8
	leaq	8(%rsp), %rax
	call	ccprof_calls_settle@C
	popq	%rax
	@P-8
	ret
	@N
)" END_STEP("open") STEP("close") R"(	@T
	addq	@D, %r11
	cmpq	%rsp, (%r11)
	jne	1f
	@R
)" CLOSE R"(1:	ret
	@N
)" END_STEP("close") STEP("end") R"(	@T
	addq	@D, %r11
	cmpq	%rsp, (%r11)
	jne	1f
	@R
)" UNLINK CLOSE R"(1:	ret
	@N
)" END_STEP("end") STEP("begin_saved") SAVE R"(	@T
	addq	@D, %r11
	@R
)" BOUNDS("%rax") OPEN("%rax", LINK) R"(
3:
)" RESTORE R"(	@P32
)" OPEN_AGAIN("%rax") R"(8:	call	ccprof_calls_settle@C
	jmp	3b
	@N
)" END_STEP("begin_saved") STEP("open_saved") SAVE R"(	@T
	addq	@D, %r11
	@R
)" OPEN("%rax", "") R"(
3:
)" RESTORE R"(	@P32
)" OPEN_AGAIN("%rax") R"(	call	ccprof_calls_settle@C
	jmp	3b
	@N
)" END_STEP("open_saved") STEP("close_saved") SAVE R"(	@T
	addq	@D, %r11
	cmpq	%rax, (%r11)
	jne	3f
	@R
)" CLOSE R"(3:
)" RESTORE R"(	@P32
	@N
)" END_STEP("close_saved") STEP("end_saved") SAVE R"(	@T
	addq	@D, %r11
	cmpq	%rax, (%r11)
	jne	3f
	@R
)" UNLINK CLOSE R"(3:
)" RESTORE R"(	@P32
	@N
)" END_STEP("end_saved") STEP("again_saved") R"(	pushfq
	@P8
	testl	%eax, %eax
	jne	1f
	popfq
	@P-8
	ret
	@P8
1:	popfq
	@P-8
	jmp	ccprof_calls_arrive_saved@C
)" END_STEP("again_saved") STEP("arrive_saved") SAVE R"(	@T
	@R
	xorl	%r11d, %r11d
	addq	$8, %rax
	call	ccprof_calls_settle@C
)" RESTORE R"(	@P32
	@N
)" END_STEP("arrive_saved") STEP("settle") RUNTIME("", "@S") R"(	ret
)" END_STEP("settle") STEP("target_saved") SAVE_FEW R"(	pushq	%rdx
	@P8
	movq	@K, %rcx
	testq	%rcx, %rcx
	je	3f
	movq	48(%rsp), %rdx
	leaq	(%r11,%rdx), %rax
	shrq	$4, %rax
	andl	$@M, %eax
	imulq	$@G, %rax, %rax
	leaq	@E(%rcx,%rax), %rax
	cmpq	%r11, (%rax)
	jne	8f
	cmpq	%rdx, 8(%rax)
	jne	8f
	leaq	48(%rsp), %rdx
	cmpq	$0, 16(%rax)
	jne	2f
	incq	40(%rax)
	movq	@A, %r11
	movq	%r11, 24(%rax)
	movq	(%rcx), %r11
	movq	%r11, 64(%rax)
	movq	%rdx, 16(%rax)
	movq	%rax, (%rcx)
3:	popq	%rdx
	@P-8
)" RESTORE_FEW R"(	@P40
2:	cmpq	%rdx, 16(%rax)
	jbe	8f
	incq	40(%rax)
	jmp	3b
8:	leaq	48(%rsp), %rax
	pushq	(%rax)
	@P8
	call	ccprof_calls_indirect@C
	leaq	8(%rsp), %rsp
	@P-8
	jmp	3b
	@N
)" END_STEP("target_saved") STEP("back_saved") SAVE_FEW R"(	movq	@K, %rcx
	testq	%rcx, %rcx
	je	3f
	movq	(%rcx), %rax
	testq	%rax, %rax
	je	3f
	cmpq	%r11, (%rax)
	jne	3f
	leaq	32(%rsp), %r11
	cmpq	%r11, 16(%rax)
	jne	3f
	movq	@A, %r11
	subq	24(%rax), %r11
	addq	%r11, 32(%rax)
	movq	64(%rax), %r11
	movq	%r11, (%rcx)
	movq	$0, 16(%rax)
3:
)" RESTORE_FEW R"(	@P32
	@N
)" END_STEP("back_saved") STEP("indirect")
    RUNTIME("\tmovq\t16(%rbp), %rcx\n", "@I") R"(	ret
)" END_STEP("indirect") R"(	.popsection
)";

#define FIND_PLACED                                                                      \
    "movq\t" WORD_PLACE "(%rip), %r10\n\ttestq\t%r10, %r10\n\tje\t81f\n\t"               \
    "movq\t%fs:(%r10), %r10\n\taddq\t" WORD_PLACE "+8(%rip), %r10\n80:"
#define FIND_NONE "81:\tleaq\t" WORD_PLACE "+16(%rip), %r10\n\tjmp\t80b"

void machine_calls_emit_steps(void)
{
    bool placed = threadword_is_placed(), cfi = dwarf2out_do_cfi_asm();
    bool is_intel = ASSEMBLER_DIALECT != ASM_ATT;
    char members[5][60], settle[20], indirect[20], mask[20], size[20], entries[20];
    static const size_t offsets[] = {offsetof(struct ccprof_stack_thread, total),
                                     offsetof(struct ccprof_stack_thread, low),
                                     offsetof(struct ccprof_stack_thread, high),
                                     offsetof(struct ccprof_stack_thread, open),
                                     offsetof(struct ccprof_stack_thread, called)};

    for (unsigned i = 0; i < ARRAY_SIZE(offsets); i++)
        snprintf(members[i], sizeof members[i],
                 placed ? "%u(%%r10)" : "%%fs:" MACHINE_WORD "@tpoff+16+%u",
                 (unsigned)offsets[i]);
    snprintf(settle, sizeof settle, "%u",
             (unsigned)offsetof(struct ccprof_stack_thread, settle));
    snprintf(indirect, sizeof indirect, "%u",
             (unsigned)offsetof(struct ccprof_stack_thread, indirect));
    snprintf(mask, sizeof mask, "%u", CCPROF_CALLED_ROOM - 1);
    snprintf(size, sizeof size, "%u", (unsigned)sizeof(struct ccprof_called_entry));
    snprintf(entries, sizeof entries, "%u",
             (unsigned)offsetof(struct ccprof_called, entries));
    const struct assembly_token tokens[] = {
        {"@T", placed ? FIND_PLACED : ""},
        {"@N", placed ? FIND_NONE : ""},
        {"@D", placed ? "8(%r10)" : "%fs:" MACHINE_WORD "@tpoff+8"},
        {"@R", placed ? "movq\t(%r10), %r10" : ""},
        {"@A", members[0]},
        {"@L", members[1]},
        {"@H", members[2]},
        {"@O", members[3]},
        {"@K", members[4]},
        {"@M", mask},
        {"@G", size},
        {"@E", entries},
        {"@Z", placed ? "movq\t%r10, %rdi"
                      : "movq\t%fs:0, %rdi\n\tleaq\t" MACHINE_WORD
                        "@tpoff+16(%rdi), %rdi"},
        {"@C", suffix()},
        {"@S", settle},
        {"@I", indirect},
        {"@P", cfi ? ".cfi_adjust_cfa_offset\t" : "#"},
        {"@U", cfi ? ".cfi_def_cfa_register" : "#"},
        {"@B", cfi ? ".cfi_startproc" : ""},
        {"@F", cfi ? ".cfi_endproc" : ""},
    };

    if (is_intel)
        assembly_text("\t.att_syntax prefix\n", NULL, 0);
    assembly_text(steps, tokens, ARRAY_SIZE(tokens));
    if (is_intel)
        assembly_text("\t.intel_syntax noprefix\n", NULL, 0);
}
