/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stores of time-field, as plugin/field/field_store-NAME.cc writes them, with a trap
   before one instruction: the runtime tells there what is about to be stored, and nothing
   behind the last. Prints what is wrong; status 1 then. */

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <ucontext.h>

#include "rt/format.h"
#include "rt/unwind/cpu.h"

__thread uint64_t test_field;
extern char test_site[];
extern struct ccprof_place test_place;

/* clang-format off */
#ifdef __aarch64__
#define TRAP  "brk #0\n"
#define BEGIN ""
#define RET   "1: ret\n"
#define PC    uc_mcontext.pc
#define EXECUTABLE(at)                                                                   \
    at(0) "mrs x9, tpidr_el0\n"                                                          \
    at(1) "add x9, x9, #:tprel_hi12:test_field, lsl #12\n"                               \
    at(2) "add x9, x9, #:tprel_lo12_nc:test_field\n"
#define SHARED(at)                                                                       \
    at(0) "adrp x9, test_place+16\n"                                                     \
    at(1) "add x9, x9, :lo12:test_place+16\n"                                            \
    at(2) "ldr x10, [x9, #16]\n"                                                         \
    at(3) "cbz x10, 2f\n"                                                                \
    at(4) "mrs x9, tpidr_el0\n"                                                          \
    at(5) "add x9, x9, w10, sxtw\n2:\n"
#define SITE(at)                                                                         \
    at(6) "adrp x10, test_site\n"                                                        \
    at(7) "add x10, x10, :lo12:test_site\n"                                              \
    at(8) "str x10, [x9]\n"
#define NOTHING(at) at(8) "str xzr, [x9]\n"
#define CALLBACK(at, access)                                                             \
    at(0) "adrp x11, test_place+32\n"                                                    \
    at(1) "ldr x11, [x11, :lo12:test_place+32]\n"                                        \
    at(2) "cbz x11, 2f\n"                                                                \
    at(3) "mrs x12, tpidr_el0\n"                                                         \
    at(4) access " [x12, w11, sxtw]\n2:\n"
#define SAVED(at)    CALLBACK(at, "ldr x11,")
#define FOUND        "adrp x10, test_site\nadd x10, x10, :lo12:test_site\n"
#define RESTORED(at) CALLBACK(at, "str x10,")
#else
#define TRAP  "ebreak\n"
#define BEGIN ".option push\n.option norelax\n.option norvc\n"
#define RET   "1: ret\n.option pop\n"
#define PC    uc_mcontext.__gregs[REG_PC]
#define EXECUTABLE(at)                                                                   \
    at(0) "lui t1, %tprel_hi(test_field)\n"                                              \
    at(1) "add t1, t1, tp, %tprel_add(test_field)\n"                                     \
    at(2) "addi t1, t1, %tprel_lo(test_field)\n"
#define SHARED(at)                                                                       \
    at(0) "lla t1, test_place+16\n"                                                      \
    at(2) "ld t3, 16(t1)\n"                                                              \
    at(3) "beqz t3, 2f\n"                                                                \
    at(4) "sext.w t1, t3\n"                                                              \
    at(5) "add t1, t1, tp\n2:\n"
#define SITE(at)    at(6) "lla t3, test_site\n" at(8) "sd t3, 0(t1)\n"
#define NOTHING(at) at(8) "sd zero, 0(t1)\n"
#define CALLBACK(at, access)                                                             \
    at(0) "ld t4, test_place+32\n"                                                       \
    at(1) "beqz t4, 2f\n"                                                                \
    at(2) "sext.w t4, t4\n"                                                              \
    at(3) "add t4, t4, tp\n"                                                             \
    at(4) access " 0(t4)\n2:\n"
#define SAVED(at)    CALLBACK(at, "ld t4,")
#define FOUND        "lla t3, test_site\n"
#define RESTORED(at) CALLBACK(at, "sd t3,")
#endif

/* Traps before the instruction AT, 9: behind the last. */
#define BEFORE(n) "\n.if trap_at == " #n "\n" TRAP ".endif\n"
#define NEVER(n)
#define AT(name, sequence)                                                               \
    ".p2align 2\n" name ":\n" BEGIN sequence BEFORE(9) RET
#define VARIANT(n)                                                                       \
    ".set trap_at, " #n "\n"                                                             \
    AT("executable_" #n, EXECUTABLE(BEFORE) SITE(BEFORE))                                \
    AT("shared_" #n, SHARED(BEFORE) SITE(BEFORE))                                        \
    AT("nothing_" #n, SHARED(BEFORE) NOTHING(BEFORE))                                    \
    AT("callback_" #n, SAVED(BEFORE) SHARED(NEVER) SITE(BEFORE))                         \
    AT("restored_" #n, FOUND RESTORED(BEFORE))
#define FUNCTIONS(n)                                                                     \
    void executable_##n(void), shared_##n(void), nothing_##n(void), callback_##n(void),  \
        restored_##n(void);
#define ROW(n)    {executable_##n, shared_##n, nothing_##n, callback_##n, restored_##n},
#define ALL(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7) what(8) what(9)
/* clang-format on */

ALL(FUNCTIONS)
__asm__(".data\n.globl test_site, test_place\ntest_site: .byte 0\n.balign "
        "64\ntest_place: .zero 64\n.text\n" ALL(VARIANT));

static const char *const names[] = {"executable", "shared", "nothing", "callback",
                                    "restored"};
enum { PLACES = 10, WAYS = sizeof names / sizeof *names };
static void (*const function[PLACES][WAYS])(void) = {ALL(ROW)};

static int traps, begun;
static uint64_t site;

static intptr_t offset(void)
{
    return (intptr_t)&test_field - (intptr_t)__builtin_thread_pointer();
}

static void trap(int number, siginfo_t *info, void *from)
{
    ucontext_t *context = from;
    (void)number;
    (void)info;
    context->PC += 4;
    traps++;
    begun = ccprof_store_interrupted(context, offset(), &site);
}

/* A place that the runtime has not filled leads nowhere. */
static int check(unsigned at, unsigned way, int filled)
{
    const uint64_t before = 4711;
    uint64_t want = way == 2 ? 0 : (uintptr_t)test_site;
    int reaches = filled || way == 0;
    test_place.packed = filled ? CCPROF_PLACE_PACKED(offset(), 0) : 0;
    traps = begun = 0;
    site = test_field = before;
    function[at][way]();
    if (test_field == (reaches ? want : before) &&
        begun == (traps && at < PLACES - 1 && reaches) && (!begun || site == want))
        return 1;
    printf("%s, %u, filled %d: begun %d, %#lx\n", names[way], at, filled, begun,
           (long)site);
    return 0;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = trap, .sa_flags = SA_SIGINFO};
    int right = 1, asked = 0;
    sigaction(SIGTRAP, &action, NULL);
    for (unsigned at = 0; at < PLACES; at++)
        for (unsigned way = 0; way < WAYS; way++)
            for (int filled = 0; filled < 2; filled++) {
                right &= check(at, way, filled);
                asked += traps;
            }
    printf("asked %d times\n", asked);
    return !right || asked < 60;
}
