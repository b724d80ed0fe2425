/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/unwind/guess.c rt/unwind/guess-x86_64.c rt/unwind/unwind.c
   rt/unwind/unwind-rules.c rt/unwind/unwind-tables.c rt/unwind/cpu-x86_64.c
   rt/os/memory.c rt/os/lock.c */
/* Guesses callers in assembly code without unwind tables. The test executes single steps,
   and at each instruction the walk must find the return addresses that calls have
   stored. */

#include "rt_tests.h"
#include <ucontext.h>

#include "rt/format.h"
#include "rt/unwind/unwind.h"

int run_shape(void (*shape)(void));
extern const char shapes_begin[], shapes_end[], run_shape_end[];

/* run_shape has unwind tables. It fills the stack below itself, rbx and rbp with return
   addresses into itself. The shapes have no tables. */
__asm__(".text\n"
        ".globl run_shape\n"
        "run_shape:\n"
        ".cfi_startproc\n"
        "push %rbp\n"
        ".cfi_adjust_cfa_offset 8\n"
        ".cfi_rel_offset %rbp, 0\n"
        "push %rbx\n"
        ".cfi_adjust_cfa_offset 8\n"
        ".cfi_rel_offset %rbx, 0\n"
        "sub $8, %rsp\n"
        ".cfi_adjust_cfa_offset 8\n"
        "lea 1f(%rip), %rbx\n"
        "mov %rbx, %rbp\n"
        "lea -2048(%rsp), %rcx\n"
        "0: mov %rbx, (%rcx)\n"
        "add $8, %rcx\n"
        "cmp %rsp, %rcx\n"
        "jne 0b\n"
        "mov $7, %esi\n"
        "call *%rdi\n"
        "1: lea 1b(%rip), %rdx\n"
        "cmp %rbx, %rdx\n"
        "sete %al\n"
        "cmp %rbp, %rdx\n"
        "sete %cl\n"
        "and %ecx, %eax\n"
        "movzbl %al, %eax\n"
        "add $8, %rsp\n"
        ".cfi_adjust_cfa_offset -8\n"
        "pop %rbx\n"
        ".cfi_adjust_cfa_offset -8\n"
        "pop %rbp\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".globl run_shape_end\n"
        "run_shape_end: ret\n"
        ".cfi_endproc\n"
        "called_back:\n"
        ".cfi_startproc\n"
        "push %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset %rbp, -16\n"
        "mov %rsp, %rbp\n"
        ".cfi_def_cfa_register %rbp\n"
        "and $-64, %rsp\n"
        "call shape_leaf\n"
        "leave\n"
        ".cfi_def_cfa 7, 8\n"
        "ret\n"
        ".cfi_endproc\n"

        "shapes_begin:\n"
        "shape_leaf: xor %eax, %eax\n"
        "0: inc %eax\n"
        "vpaddd %ymm1, %ymm2, %ymm3\n"
        "vpinsrb $3, 64(%rsp, %rax, 4), %xmm1, %xmm2\n"
        "cmp $3, %eax\n"
        "jne 0b\n"
        "repz ret\n"

        "shape_push: push %rbx\n"
        "push %rbp\n"
        "push %r12\n"
        "mov $5, %ebx\n"
        "xor %ebp, %ebp\n"
        "0: dec %ebx\n"
        "jnz 0b\n"
        "pop %r12\n"
        "pop %rbp\n"
        "pop %rbx\n"
        "ret\n"

        "shape_locals: sub $1000, %rsp\n"
        "mov %rbx, 8(%rsp)\n"
        "xor %ebx, %ebx\n"
        "movq $1, 16(%rsp)\n"
        "mov 8(%rsp), %rbx\n"
        "add $1000, %rsp\n"
        "ret\n"

        /* x86inc.asm aligns the stack like this: the old stack pointer is in a register
           or in a word of the stack. */
        "shape_aligned: push %rbx\n"
        "mov %rsp, %rbx\n"
        "and $-64, %rsp\n"
        "sub $256, %rsp\n"
        "movdqa %xmm0, (%rsp)\n"
        "mov %rbx, %rsp\n"
        "pop %rbx\n"
        "ret\n"
        "shape_saved: mov %rsp, %rax\n"
        "and $-32, %rsp\n"
        "sub $544, %rsp\n"
        "mov %rax, 512(%rsp)\n"
        "xor %eax, %eax\n"
        "lea (%rsp), %rax\n"
        "mov 512(%rsp), %rsp\n"
        "ret\n"
        "shape_red_zone: mov %rbx, -8(%rsp)\n"
        "mov %rbp, -16(%rsp)\n"
        "xor %ebx, %ebx\n"
        "lea 3(%rbx), %ebp\n"
        "mov -16(%rsp), %rbp\n"
        "mov -8(%rsp), %rbx\n"
        "ret\n"
        "shape_framed: push %rbp\n"
        "mov %rsp, %rbp\n"
        "push %rbx\n"
        "sub %rsi, %rsp\n"
        "and $-16, %rsp\n"
        "mov $1, %ebx\n"
        "mov -8(%rbp), %rbx\n"
        "leave\n"
        "ret\n"

        /* A loop whose exit is in its middle, and two returns. */
        "shape_loop: push %rbx\n"
        "mov $3, %ebx\n"
        "0: dec %ebx\n"
        "jz 1f\n"
        "test $4, %esi\n"
        "jmp 0b\n"
        "1: pop %rbx\n"
        "test %esi, %esi\n"
        "jz 2f\n"
        "ret\n"
        "2: xor %eax, %eax\n"
        "ret\n"

        /* Jumps through a table, and data after the code. */
        "shape_switch: push %r13\n"
        "push %r14\n"
        "lea 0f(%rip), %rax\n"
        "movslq (%rax), %rdx\n"
        "add %rdx, %rax\n"
        "jmp *%rax\n"
        "1: xor %eax, %eax\n"
        "2: pop %r14\n"
        "pop %r13\n"
        "ret\n"
        "0: .long 2b - 0b\n"

        /* Calls of assembly, of a function with tables, through a register and through
           memory, and of the next instruction; and jumps instead of calls. */
        "shape_calls: push %rbx\n"
        "call shape_push\n"
        "sub $24, %rsp\n"
        "lea shape_locals(%rip), %rbx\n"
        "call *%rbx\n"
        "mov %rbx, 8(%rsp)\n"
        "call *8(%rsp)\n"
        "call called_back\n"
        "call 0f\n"
        "0: pop %rax\n"
        "add $24, %rsp\n"
        "pop %rbx\n"
        "ret\n"
        "shape_back: push %rbp\n"
        "mov %rsp, %rbp\n"
        "sub $96, %rsp\n"
        "mov %rbx, 8(%rsp)\n"
        "xor %ebx, %ebx\n"
        "call called_back\n"
        "mov 8(%rsp), %rbx\n"
        "mov %rbp, %rsp\n"
        "pop %rbp\n"
        "jmp shape_aligned\n"
        "shape_tail: push %rbx\n"
        "pop %rbx\n"
        "jmp called_back\n"
        "shape_table_tail: jmp *called_back_address(%rip)\n"
        "shapes_end:\n"
        ".data\n"
        "called_back_address: .quad called_back\n"
        ".text\n");

void shape_leaf(void);
void shape_push(void);
void shape_locals(void);
void shape_aligned(void);
void shape_saved(void);
void shape_red_zone(void);
void shape_framed(void);
void shape_loop(void);
void shape_switch(void);
void shape_calls(void);
void shape_back(void);
void shape_tail(void);
void shape_table_tail(void);

static void (*const shapes[])(void) = {
    shape_leaf,   shape_push, shape_locals,    shape_aligned, shape_saved,
    shape_framed, shape_loop, shape_switch,    shape_calls,   shape_red_zone,
    shape_back,   shape_tail, shape_table_tail};

/* The addresses of the return addresses on the stack, innermost last: those in run_shape,
   in the shape, and in the function that the shape calls. */
static uint64_t slot[100];
static int slots;
static uint64_t last_pc, last_stack;
static volatile int positions, wrong;
static struct ccprof_unwind unwind;

static bool is_in_shapes(uint64_t pc)
{
    return pc >= (uintptr_t)shapes_begin && pc < (uintptr_t)shapes_end;
}

/* Returns whether a walk finds all return addresses, with a mark before each guess, and
   the registers of run_shape, whose values are its return address. */
static bool walk_is_right(const ucontext_t *context)
{
    ccprof_unwind_start(&unwind, context);
    for (int at = slots; at-- > 0;) {
        bool guesses = is_in_shapes(unwind.pc), found = ccprof_unwind_step(&unwind);
        if (guesses && found) {
            if (unwind.pc != CCPROF_POINT_GUESSED || !unwind.exact)
                return false;
            found = ccprof_unwind_step(&unwind);
        }
        if (!found || unwind.slot != slot[at] || unwind.exact)
            return false;
        if (at == 1 &&
            (unwind.registers[3] != unwind.pc || unwind.registers[6] != unwind.pc))
            return false;
    }
    return true;
}

/* The last instruction was a call if it stored the address after itself. A call of the
   next instruction does not count. */
__attribute__((no_sanitize_address)) static void step(int number, siginfo_t *info,
                                                      void *from)
{
    ucontext_t *context = from;
    const uint64_t pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
    const uint64_t stack = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
    uint64_t top;

    memcpy(&top, (const void *)(uintptr_t)stack, sizeof top); /* NOLINT */
    if (slots > 0 && last_stack == slot[slots - 1] && stack == last_stack + 8)
        slots--;
    else if (stack == last_stack - 8 && top - last_pc <= 10 && pc != top)
        slot[slots++] = stack;
    last_pc = pc;
    last_stack = stack;
    if (pc == (uintptr_t)run_shape_end)
        context->uc_mcontext.gregs[REG_EFL] &= ~0x100;
    else if (slots >= 2) {
        positions++;
        if (!walk_is_right(context)) {
            wrong++;
            fprintf(stderr, "wrong at %lx\n", (long)(pc - (uintptr_t)shapes_begin));
        }
    }
}

TEST_ROWS(test_shape, shapes)
{
    signal_handle(SIGTRAP, step, 0);
    unwind.marks = true;
    __asm__ volatile("pushf\n orl $0x100, (%rsp)\n popf");
    int kept = run_shape(shapes[_i]);
    ck_assert_int_eq(kept, 1);
    ck_assert_int_gt(positions, 3);
    ck_assert_int_eq(wrong, 0);
    ck_assert(ccprof_unwind_guesses);
}
