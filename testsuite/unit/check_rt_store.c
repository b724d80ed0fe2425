/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/unwind/store-x86_64.c rt/unwind/cpu-x86_64.c rt/os/safe-read.c */
/* Stores into the field as the assembler writes them: at each of their instructions it is
   known what comes, and nowhere else.  The code is never run.  */

#include "rt_tests.h"
#include <ucontext.h>

#include "rt/unwind/store.h"

#define OFFSET (-24)

extern char test_site[], test_slot[];
extern char near_start[], near_lea[], near_store[], near_behind[];
extern char far_start[], far_lea[], far_store[], far_behind[];
extern char upper_start[], upper_store[], upper_behind[];
extern char null_start[], null_behind[], far_null_start[], far_null_store[];
extern char callback_start[], callback_store[], callback_behind[];
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
        "upper_start: lea test_site(%rip), %r11\n"
        "upper_store: mov %r11, %fs:(%r9)\n"
        "upper_behind: ret\n"
        "null_start: movq $0, %fs:-24\n"
        "null_behind: ret\n"
        "far_null_start: mov test_slot(%rip), %r8\n"
        "far_null_store: movq $0, %fs:(%r8)\n"
        "ret\n"
        "callback_start: mov %fs:-24, %rdx\n"
        "lea test_site(%rip), %rax\n"
        "callback_store: mov %rax, %fs:-24\n"
        "callback_behind: mov %rdx, %rbx\n"
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
        /* What is read behind the last one.  */
        ".zero 64\n");

/* The registers at an instruction; those that matter are set to the test's wish.  */
static ucontext_t context_at(const char *code)
{
    ucontext_t context;

    memset(&context, 0, sizeof context);
    context.uc_mcontext.gregs[REG_RIP] = (greg_t)code;
    return context;
}

static bool begun(const ucontext_t *context, uint64_t *site)
{
    *site = 4711;
    return ccprof_store_begun(context, OFFSET, site);
}

static const char *const from[] = {
    near_start,         near_lea,      far_start,    callback_start,
    far_callback_start, guarded_start, beside_start, guarded_callback_start};

TEST_EACH(test_from_start, from)
{
    ucontext_t context = context_at(from[_i]);
    uint64_t site;

    ck_assert(begun(&context, &site));
    ck_assert_uint_eq(site, (uint64_t)test_site);
}

/* What has been loaded is in registers.  */
TEST(test_in_the_middle)
{
    ucontext_t context = context_at(near_store);
    uint64_t site;

    context.uc_mcontext.gregs[REG_RAX] = 17;
    ck_assert(begun(&context, &site));
    ck_assert_uint_eq(site, 17);

    context = context_at(far_lea);
    context.uc_mcontext.gregs[REG_RCX] = OFFSET;
    ck_assert(begun(&context, &site));
    ck_assert_uint_eq(site, (uint64_t)test_site);
    context.uc_mcontext.gregs[REG_RCX] = OFFSET + 8;
    ck_assert(!begun(&context, &site));

    context = context_at(far_store);
    context.uc_mcontext.gregs[REG_RCX] = OFFSET;
    context.uc_mcontext.gregs[REG_RSI] = 18;
    ck_assert(begun(&context, &site));
    ck_assert_uint_eq(site, 18);

    context = context_at(upper_store);
    context.uc_mcontext.gregs[REG_R9] = OFFSET;
    context.uc_mcontext.gregs[REG_R11] = 19;
    ck_assert(begun(&context, &site));
    ck_assert_uint_eq(site, 19);
    context = context_at(callback_store);
    context.uc_mcontext.gregs[REG_RAX] = 20;
    ck_assert(begun(&context, &site));
    ck_assert_uint_eq(site, 20);
}

TEST(test_null)
{
    ucontext_t context = context_at(null_start);
    uint64_t site;

    ck_assert(begun(&context, &site));
    ck_assert_uint_eq(site, 0);
    context = context_at(far_null_start);
    ck_assert(begun(&context, &site));
    ck_assert_uint_eq(site, 0);
    context = context_at(far_null_store);
    context.uc_mcontext.gregs[REG_R8] = OFFSET;
    ck_assert(begun(&context, &site));
    ck_assert_uint_eq(site, 0);
}

static const char *const guarded[] = {guarded_test, guarded_jump, guarded_store,
                                      beside_jump,  beside_null,  restore_test};

/* All registers hold the distance of the field but those from which is stored.  */
TEST_EACH(test_guarded, guarded)
{
    ucontext_t context = context_at(guarded[_i]);
    greg_t *registers = context.uc_mcontext.gregs;
    uint64_t site;

    registers[REG_RCX] = registers[REG_RDX] = registers[REG_R9] = OFFSET;
    registers[REG_RSI] = registers[REG_RBX] = 20;
    ck_assert(begun(&context, &site));
    ck_assert_uint_eq(site, guarded[_i] == beside_null ? 0 : 20);
    registers[REG_RCX] = registers[REG_RDX] = registers[REG_R9] = 0;
    ck_assert(!begun(&context, &site));
}

/* One that jumps elsewhere is the program's.  */
TEST(test_other_guard)
{
    ucontext_t context = context_at(other_guard);
    uint64_t site;

    context.uc_mcontext.gregs[REG_RCX] = OFFSET;
    ck_assert(!begun(&context, &site));
}

static const char *const nothing[] = {near_behind,     far_behind,  upper_behind,
                                      null_behind,     other_start, other_load,
                                      callback_behind, slot_load};

TEST_EACH(test_nothing, nothing)
{
    ucontext_t context = context_at(nothing[_i]);
    uint64_t site;

    ck_assert(!begun(&context, &site));
    ck_assert_uint_eq(site, 4711);
}

TEST(test_unreadable)
{
    ucontext_t context = context_at((const char *)16);
    uint64_t site;

    ck_assert(!begun(&context, &site));
}

TEST_MAIN(NULL, NULL)
