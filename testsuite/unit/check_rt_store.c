/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/unwind/store-x86_64.c rt/unwind/cpu-x86_64.c rt/os/memory.c rt/os/lock.c */
/* The stores into the field in the form that the assembler writes. At each of their
   instructions the runtime knows the value that will be stored, and at no other
   instruction. The code is never run. */

#include "rt_tests.h"
#include <ucontext.h>

#include "rt/unwind/cpu.h"

#define OFFSET (-24)

extern char test_site[], test_slot[];
extern char near_start[], near_lea[], near_store[], near_behind[];
extern char far_start[], far_lea[], far_store[], far_behind[];
extern char null_start[], far_null_start[], far_null_store[];
extern char callback_start[], callback_store[];
extern char far_callback_start[], other_start[], other_load[], slot_load[];
extern char guarded_start[], guarded_test[], guarded_jump[], guarded_store[];
extern char beside_start[], beside_jump[], beside_null[], other_guard[];
extern char guarded_callback_start[], restore_test[];

__asm__(".pushsection .data.test\n"
        "test_slot: .quad -24\n"
        "test_site: .byte 0\n"
        ".popsection\n"
        ".text\n"
        "near_start: endbr64\n"
        "near_lea: lea test_site(%rip), %rax\n"
        "near_store: mov %rax, %fs:-24\n"
        "near_behind: add $1, %rax\n"
        "far_start: mov test_slot(%rip), %rcx\n"
        "far_lea: lea test_site(%rip), %rsi\n"
        "far_store: mov %rsi, %fs:(%rcx)\n"
        "far_behind: ret\n"
        "null_start: movq $0, %fs:-24\n"
        "ret\n"
        "far_null_start: mov test_slot(%rip), %r8\n"
        "far_null_store: movq $0, %fs:(%r8)\n"
        "ret\n"
        "callback_start: mov %fs:-24, %rdx\n"
        "lea test_site(%rip), %rax\n"
        "callback_store: mov %rax, %fs:-24\n"
        "mov %rdx, %rbx\n"
        "far_callback_start: mov test_slot(%rip), %rax\n"
        "mov %fs:(%rax), %r10\n"
        "mov test_slot(%rip), %rax\n"
        "lea test_site(%rip), %rdx\n"
        "mov %rdx, %fs:(%rax)\n"
        "other_start: lea test_site(%rip), %rax\n"
        "mov %rax, %fs:-16\n"
        "other_load: lea test_site(%rip), %rax\n"
        "mov %rax, -24(%rdi)\n"
        "guarded_start: mov test_slot(%rip), %r9\n"
        "lea test_site(%rip), %rsi\n"
        "guarded_test: test %r9, %r9\n"
        "guarded_jump: je 1f\n"
        "guarded_store: mov %rsi, %fs:(%r9)\n"
        "1: ret\n"
        "beside_start: mov test_slot(%rip), %rcx\n"
        "lea test_site(%rip), %rsi\n"
        "beside_jump: jrcxz 1f\n"
        "mov %rsi, %fs:(%rcx)\n"
        "1: mov test_slot(%rip), %rcx\n"
        "beside_null: jrcxz 1f\n"
        "movq $0, %fs:(%rcx)\n"
        "1: ret\n"
        "guarded_callback_start: mov test_slot(%rip), %rax\n"
        "test %rax, %rax\n"
        "je 1f\n"
        "mov %fs:(%rax), %rax\n"
        "1: mov test_slot(%rip), %rdx\n"
        "lea test_site(%rip), %rsi\n"
        "test %rdx, %rdx\n"
        "je 1f\n"
        "mov %rsi, %fs:(%rdx)\n"
        "1: mov %rax, %rbx\n"
        "mov test_slot(%rip), %rdx\n"
        "restore_test: test %rdx, %rdx\n"
        "je 1f\n"
        "mov %rbx, %fs:(%rdx)\n"
        "1: ret\n"
        "other_guard: je 1f\n"
        "mov %rsi, %fs:(%rcx)\n"
        "nop\n"
        "1: ret\n"
        "slot_load: mov test_slot(%rip), %rax\n"
        "ret\n"
        /* Bytes after the last store. */
        ".zero 64\n");

/* The value that will be stored when the processor is at CODE: the address of the site, a
   number in the register LOADED, 0, or nothing for other instructions. DISTANCE is the
   register with the distance of the field. If it has another value, nothing is known.
   NONE: no register is used. */
enum { NONE = -1, NUMBER = 17 };
#define NOTHING  ((const char *)4711)
#define A_NUMBER ((const char *)NUMBER)

static const struct {
    const char *code;
    int distance, loaded;
    const char *stored;
} places[] = {
    {near_start, NONE, NONE, test_site},
    {near_lea, NONE, NONE, test_site},
    {near_store, NONE, REG_RAX, A_NUMBER},
    {near_behind, NONE, NONE, NOTHING},
    {far_start, NONE, NONE, test_site},
    {far_lea, REG_RCX, NONE, test_site},
    {far_store, REG_RCX, REG_RSI, A_NUMBER},
    {far_behind, NONE, NONE, NOTHING},
    {null_start, NONE, NONE, NULL},
    {far_null_start, NONE, NONE, NULL},
    {far_null_store, REG_R8, NONE, NULL},
    {callback_start, NONE, NONE, test_site},
    {callback_store, NONE, REG_RAX, A_NUMBER},
    {far_callback_start, NONE, NONE, test_site},
    {guarded_start, NONE, NONE, test_site},
    {guarded_test, REG_R9, REG_RSI, A_NUMBER},
    {guarded_jump, REG_R9, REG_RSI, A_NUMBER},
    {guarded_store, REG_R9, REG_RSI, A_NUMBER},
    {beside_start, NONE, NONE, test_site},
    {beside_jump, REG_RCX, REG_RSI, A_NUMBER},
    {beside_null, REG_RCX, NONE, NULL},
    {guarded_callback_start, NONE, NONE, test_site},
    {restore_test, REG_RDX, REG_RBX, A_NUMBER},
    /* A guard that jumps elsewhere belongs to the program. */
    {other_guard, REG_RCX, NONE, NOTHING},
    {other_start, NONE, NONE, NOTHING},
    {other_load, NONE, NONE, NOTHING},
    {slot_load, NONE, NONE, NOTHING},
    /* Unreadable memory. */
    {(const char *)16, NONE, NONE, NOTHING},
};

static void assert_stored(int row, greg_t distance, const char *stored)
{
    ucontext_t context;
    uint64_t site = (uint64_t)NOTHING;

    memset(&context, 0, sizeof context);
    context.uc_mcontext.gregs[REG_RIP] = (greg_t)places[row].code;
    if (places[row].distance != NONE)
        context.uc_mcontext.gregs[places[row].distance] = distance;
    if (places[row].loaded != NONE)
        context.uc_mcontext.gregs[places[row].loaded] = NUMBER;
    ck_assert_int_eq(ccprof_store_interrupted(&context, OFFSET, &site),
                     stored != NOTHING);
    ck_assert_uint_eq(site, (uint64_t)stored);
}

TEST_ROWS(test_places, places)
{
    assert_stored(_i, OFFSET, places[_i].stored);
    if (places[_i].distance != NONE) {
        assert_stored(_i, OFFSET + 8, NOTHING);
        assert_stored(_i, 0, NOTHING);
    }
}
