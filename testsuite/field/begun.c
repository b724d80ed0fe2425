/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stores of time-field, as plugin/field/field_store-NAME.cc writes them, with a trap
   before one instruction: the runtime tells there what is about to be stored, and nothing
   behind the last.  Prints what is wrong; status 1 then.  */

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <ucontext.h>

#include "rt/unwind/store.h"

__thread uint64_t test_field;
extern char test_site[];

#ifdef __aarch64__
#define TRAP  "brk #0\n"
#define BEGIN ""
#define RET   "ret\n"
#define PC    uc_mcontext.pc
#define EXECUTABLE(at)                                                                   \
    at(0) "mrs x9, tpidr_el0\n" at(1) "add x9, x9, #:tprel_hi12:test_field, lsl "        \
                                      "#12\n" at(                                        \
                                          2) "add x9, x9, #:tprel_lo12_nc:test_field\n"
#define SHARED(at)                                                                       \
    at(0) "mrs x10, tpidr_el0\n" at(1) "adrp x9, :gottprel:test_field\n" at(             \
        2) "ldr x9, [x9, #:gottprel_lo12:test_field]\n" at(3) "add x9, x10, x9\n"
#define SITE(at)                                                                         \
    at(4) "adrp x10, test_site\n" at(5) "add x10, x10, :lo12:test_site\n" at(            \
        6) "str x10, [x9]\n"
#define NOTHING(at) at(6) "str xzr, [x9]\n"
#else
#define TRAP  "ebreak\n"
#define BEGIN ".option push\n.option norelax\n.option norvc\n"
#define RET   "ret\n.option pop\n"
#define PC    uc_mcontext.__gregs[REG_PC]
#define EXECUTABLE(at)                                                                   \
    at(0) "lui t1, %tprel_hi(test_field)\n" at(                                          \
        1) "add t1, t1, tp, %tprel_add(test_field)\n" at(2) "addi t1, t1, "              \
                                                            "%tprel_lo(test_field)\n"
#define SHARED(at)  at(0) "la.tls.ie t1, test_field\n" at(3) "add t1, t1, tp\n"
#define SITE(at)    at(4) "lla t3, test_site\n" at(6) "sd t3, 0(t1)\n"
#define NOTHING(at) at(6) "sd zero, 0(t1)\n"
#endif

/* Traps before the instruction AT, 7: behind the last.  */
#define AT(name, sequence)                                                               \
    ".p2align 2\n" name ":\n" BEGIN sequence "\n.if trap_at == 7\n" TRAP ".endif\n" RET
#define BEFORE(n) "\n.if trap_at == " #n "\n" TRAP ".endif\n"
#define VARIANT(n)                                                                       \
    ".set trap_at, " #n "\n" AT("executable_" #n, EXECUTABLE(BEFORE) SITE(BEFORE))       \
        AT("shared_" #n, SHARED(BEFORE) SITE(BEFORE))                                    \
            AT("nothing_" #n, SHARED(BEFORE) NOTHING(BEFORE))
#define FUNCTIONS(n) void executable_##n(void), shared_##n(void), nothing_##n(void);
#define ROW(n)       {executable_##n, shared_##n, nothing_##n},
#define ALL(what)    what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7)

ALL(FUNCTIONS)
__asm__(".data\ntest_site: .byte 0\n.text\n" ALL(VARIANT));

static void (*const function[8][3])(void) = {ALL(ROW)};
static const char *const names[] = {"executable", "shared", "nothing"};

static int traps, begun;
static uint64_t site;

static void trap(int number, siginfo_t *info, void *from)
{
    ucontext_t *context = from;

    (void)number;
    (void)info;
    context->PC += 4;
    traps++;
    begun = ccprof_store_begun(
        context, (intptr_t)&test_field - (intptr_t)__builtin_thread_pointer(), &site);
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = trap, .sa_flags = SA_SIGINFO};
    int bad = 0, asked = 0;

    sigaction(SIGTRAP, &action, NULL);
    for (unsigned at = 0; at < 8; at++)
        for (unsigned way = 0; way < 3; way++) {
            uint64_t want = way == 2 ? 0 : (uintptr_t)test_site;
            traps = begun = 0;
            site = test_field = 4711;
            function[at][way]();
            if (test_field != want || begun != (traps && at < 7) ||
                (begun && site != want)) {
                printf("%s, %u: begun %d, %#lx\n", names[way], at, begun, (long)site);
                bad = 1;
            }
            asked += traps;
        }
    printf("asked %d times\n", asked);
    return bad || asked < 15;
}
