/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/unwind/stack.c rt/unwind/outer.c rt/unwind/fold.c rt/os/memory.c
   rt/unwind/guess.c rt/unwind/guess-x86_64.c rt/unwind/unwind.c
   rt/unwind/unwind-rules.c rt/unwind/unwind-tables.c rt/unwind/cpu-x86_64.c
   rt/os/lock.c */
/* Compares the unwinder with libgcc's, which walks the same stack in the same handler.
   Also unwinds memory that is not a stack. */

#include "rt_tests.h"
#include <setjmp.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unwind.h>

#include "rt/unwind/stack.h"

static struct ccprof_stack_work work;
static struct ccprof_stack other;
static volatile int walks, wrong, deepest;

static _Unwind_Reason_Code frame(struct _Unwind_Context *context, void *pc)
{
    int exact;
    uint64_t address = _Unwind_GetIPInfo(context, &exact);
    if (other.depth == 0 && (!exact || address != *(uint64_t *)pc))
        return _URC_NO_REASON;
    if (address == 0 || other.depth == CCPROF_STACK_DEPTH)
        return _URC_NORMAL_STOP;
    other.address[other.depth++] = exact ? address : address - 1;
    return _URC_NO_REASON;
}

static void compare(int number, siginfo_t *info, void *context)
{
    uint64_t pc = ccprof_cpu_pc(context);
    int saved = errno;
    other.depth = 0;
    _Unwind_Backtrace(frame, &pc);
    ccprof_stack_capture(&work, context);
    walks++;
    if ((int)work.stack.depth > deepest)
        deepest = (int)work.stack.depth;
    if (work.stack.depth != other.depth ||
        memcmp(work.stack.address, other.address, other.depth * sizeof *other.address))
        wrong++;
    errno = saved;
}

/* Sends signals at any time, PERIOD microseconds of CPU time apart. */
static void signals(suseconds_t period)
{
    struct itimerval timer = {{0, period}, {0, period}};
    signal_handle(SIGPROF, compare, SA_RESTART);
    setitimer(ITIMER_PROF, &timer, NULL);
}

static int order(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static __attribute__((noinline)) int work_on(int depth)
{
    int number[50];
    char text[100];
    for (int i = 0; i < 50; i++)
        number[i] = rand() % 100;
    qsort(number, 50, sizeof *number, order);
    snprintf(text, sizeof text, "%d %s %g", number[7], "text", number[9] / 7.0);
    free(strdup(text));
    return depth > 0 ? work_on(depth - 1) + number[3] : (int)strlen(text);
}

/* The signals arrive at any instruction of libc and of the test. */
TEST(test_as_libgcc)
{
    if (signals_held_back)
        return;
    signals(1000);
    while (walks < 500)
        work_on(walks % 60);
    signals(0);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(deepest, 40);
}

/* The unwinder finds its frames through the stack pointer, independently of CFLAGS.
   test_short makes such frames. */
static __attribute__((noinline, optimize("omit-frame-pointer"))) int deep(int depth)
{
    int frames = 0;
    if (depth > 0)
        frames = deep(depth - 1);
    else
        raise(SIGPROF);
    /* Prevents a conversion to a loop. */
    __asm__ volatile("" : "+r"(frames));
    return frames + 1;
}

/* Walks without the stored offsets, so that each frame is looked up. */
static uint32_t long_way(const void *context, uint64_t *pc, uint32_t most)
{
    static struct ccprof_unwind unwind;
    uint32_t depth = 0;

    ccprof_unwind_start(&unwind, context);
    pc[depth++] = unwind.pc;
    while (depth < most && ccprof_unwind_step(&unwind)) {
        memset(unwind.shorts, 0, sizeof unwind.shorts);
        pc[depth++] = unwind.pc - 1;
    }
    return depth;
}

static ucontext_t context;

/* Sets the context to a stack of COUNT words that all return into the function that was
   on the stack twice. The frame pointer also points to the stack. Returns the address of
   the function's call. */
static uint64_t context_on(uint64_t *words, int count)
{
    uint32_t at = 0;

    while (work.stack.address[at] != work.stack.address[at + 1])
        at++;
    const uint64_t address = work.stack.address[at];
    for (int i = 0; i < count; i++)
        words[i] = address + 1;
    getcontext(&context);
    context.uc_mcontext.gregs[REG_RIP] = (greg_t)address + 1;
    context.uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)words;
    context.uc_mcontext.gregs[REG_RBP] = (greg_t)(uintptr_t)words;
    return address;
}

/* A recursion that ends in unmapped memory: frames of the same kind are walked with
   stored offsets, and the result is the same as if each frame was looked up. */
TEST(test_short)
{
    static uint64_t pc[CCPROF_STACK_DEPTH];
    const struct ccprof_stack *stack = &work.stack;
    uint64_t *words = pages_new(8192);

    munmap(words + 512, 4096);
    signals(0);
    deep(10);
    context_on(words, 512);
    ccprof_stack_capture(&work, &context);
    ck_assert_uint_gt(stack->depth, 20);
    ck_assert_uint_lt(stack->depth, 512);
    uint32_t depth = stack->depth, found = depth - 1;
    ck_assert_uint_eq(stack->address[found], CCPROF_STACK_BROKEN);
    ck_assert_uint_eq(long_way(&context, pc, CCPROF_STACK_DEPTH), found);
    ck_assert_mem_eq(pc, stack->address, found * sizeof *pc);

    /* The next walk does not use the stored offsets. */
    for (int i = 0; i < CCPROF_UNWIND_SHORTS; i++)
        work.unwind.shorts[i].frame_offset += 8;
    ccprof_stack_capture(&work, &context);
    ck_assert_uint_eq(stack->depth, depth);
}

static __attribute__((noinline, optimize("no-omit-frame-pointer"))) int framed(int depth)
{
    int frames = depth > 0 ? framed(depth - 1) : raise(SIGPROF);
    /* Prevents a conversion to a loop. */
    __asm__ volatile("" ::: "memory");
    return frames + 1;
}

/* Frame pointers that form a circle. */
TEST(test_loop)
{
    uint64_t words[2];

    signals(0);
    framed(10);
    uint64_t address = context_on(words, 2);
    words[0] = (uintptr_t)words;
    ccprof_stack_capture(&work, &context);
    const uint64_t want[] = {address + 1, address, CCPROF_STACK_BROKEN};
    ck_assert_uint_eq(work.stack.depth, 3);
    ck_assert_mem_eq(work.stack.address, want, sizeof want);
}

/* Random register values at instructions whose tables use these registers. */
TEST(test_garbage)
{
    unsigned seed = 1;
    char *hole = pages_new(8192);
    munmap(hole + 4096, 4096);
    const uint64_t at = (uintptr_t)hole;
    const uint64_t values[] = {
        0,         1,         UINT64_MAX - 7,      at,
        at + 4092, at + 4096, (uintptr_t)&context, (uintptr_t)&qsort};
    getcontext(&context);
    for (int round = 0; round < 200000; round++) {
        for (int i = 0; i < NGREG; i++)
            context.uc_mcontext.gregs[i] =
                (greg_t)values[(unsigned)rand_r(&seed) % LENGTH(values)];
        const uintptr_t code = rand_r(&seed) % 2 ? (uintptr_t)&qsort : (uintptr_t)&deep;
        context.uc_mcontext.gregs[REG_RIP] =
            (greg_t)(code + (uintptr_t)(rand_r(&seed) % 4096) - 2048);
        ccprof_stack_capture(&work, &context);
        MUST(work.stack.depth >= 1);
    }
}

TEST(test_peek)
{
    struct ccprof_safe_read readable = {0};
    uint64_t value, here = 0x123456789abcdef0;
    char *pages = pages_new(3 * 4096);
    munmap(pages + 4096, 4096);
    mprotect(pages + 8192, 4096, PROT_NONE);
    memcpy(pages + 4088, &here, 8);
    ck_assert(ccprof_safe_read(&readable, (uintptr_t)pages + 4088, &value));
    ck_assert_uint_eq(value, here);
    const uint64_t at = (uintptr_t)pages;
    const uint64_t bad[] = {at + 4089, at + 4096,  at + 8192,
                            0,         UINT64_MAX, UINT64_MAX - 8};
    for (size_t i = 0; i < LENGTH(bad); i++)
        ck_assert(!ccprof_safe_read(&readable, bad[i], &value));
    /* A page that was readable may no longer be. */
    readable.by_kernel = true;
    ck_assert(ccprof_safe_read(&readable, at + 4088, &value) && value == here);
    munmap(pages, 4096);
    ck_assert(!ccprof_safe_read(&readable, at + 4088, &value));
}

/* Computed by hand. The stack pointer (register 7) is 1000, the program counter (16)
   0x401016. If PUSHED, 5 is on the stack first. */
static const struct {
    const char *bytes;
    bool pushed, good;
    uint64_t value;
} expressions[] = {
    /* ld writes such an expression for the procedure linkage table: sp + 8, and 8 more if
       (pc & 15) >= 11. Here ((0x401016 - 1) & 15) = 5 >= 5, so 1008 + 8. */
    {"\x77\x08\x80\x7f\x3f\x1a\x35\x2a\x33\x24\x22", false, true, 1016},
    {"\x12\x1e\x23\x80\x01", true, true, 5 * 5 + 128},
    {"\x09\xff\x39\x1c", false, true, (uint64_t)(-1 - 9)},
    {"\x22", false, false, 0},
    {"\x31\x06", false, false, 0}, /* the value at address 1 */
    {"\xff", false, false, 0},
    {"\x31\x31\x31\x31\x31\x31\x31\x31\x31\x31\x31\x31\x31\x31\x31\x31\x31", false, false,
     0},
    /* A register with an explicit number (DW_OP_bregx). GCC writes it for frames with
       vectors of a length that only the processor knows. x86-64 has no such vectors. */
    {"\x92\x07\x88\x01", false, true, 1136},
    {"\x92\x11\x08", false, false, 0}, /* 17, after the last register */
    {"\x92\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x08", false, false, 0},
    {"\x92\x07", false, false, 0},
    {"\x81\x08", false, false, 0}, /* 17, in one byte */
};

TEST_ROWS(test_expression, expressions)
{
    static struct ccprof_unwind unwind;
    const size_t length = strlen(expressions[_i].bytes);
    uint8_t text[100] = {(uint8_t)length};
    uint64_t value = 5;

    memcpy(text + 1, expressions[_i].bytes, length);
    unwind.registers[7] = 1000;
    unwind.registers[16] = 0x401016;
    ck_assert_int_eq(
        ccprof_unwind_expression(&unwind, text, expressions[_i].pushed, &value),
        expressions[_i].good);
    if (expressions[_i].good)
        ck_assert_uint_eq(value, expressions[_i].value);
}

/* There is no system call if the code cannot be read. */
TEST(test_at_call)
{
    static const uint8_t call[] = {0x0f, 0x05};
    uint8_t *page = mmap(NULL, 12288, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t *code = page + 4096;
    struct ccprof_cpu_call found;

    ck_assert_ptr_ne(page, MAP_FAILED);
    ck_assert_int_eq(mprotect(code, 4096, PROT_READ | PROT_WRITE), 0);
    memcpy(code + 100, call, sizeof call);
    for (int at = -4096; at < 8192; at++) {
        context.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)(code + at);
        MUST(ccprof_cpu_find_call(&context, &found) == (at == 100 || at == 102));
    }
    context.uc_mcontext.gregs[REG_RIP] = 1;
    ck_assert(!ccprof_cpu_find_call(&context, &found));
    /* At the first readable bytes. */
    memcpy(code, call, sizeof call);
    context.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)(code + 4);
    ck_assert(!ccprof_cpu_find_call(&context, &found));
    munmap(page, 12288);
}

/* The number of a system call, from the instructions before it; examples from glibc in
   objdump's output. If the call will be repeated, the number is in rax. */
static const struct {
    const char *code; /* in hexadecimal */
    int number;
} calls[] = {
    {"b801000000", 1},             /* mov $1, %eax */
    {"b8ca00000083f001", 202},     /* another instruction between */
    {"31c0", 0},                   /* xor %eax, %eax */
    {"33c0", 0},                   /* the same */
    {"b8010000004531c0", 1},       /* xor %r8d, %r8d */
    {"b80100000041b808000000", 1}, /* mov $8, %r8d */
    {"b80100000089d0", 12},        /* mov %edx, %eax */
    {"4489c8", 19},                /* mov %r9d, %eax */
    {"4489f8", 25},                /* mov %r15d, %eax */
    {"4489d8", -1},                /* mov %r11d, %eax: changed by the kernel */
    {"4889f84889f7", -1},          /* mov %rdi, %rax; mov %rsi, %rdi */
    {"b800040000", -1},            /* no system call has such a number */
    {"b8010000009090909090909090909090909090909090909090909090909090", 1},
    {"b801000000909090909090909090909090909090909090909090909090909090", -1}, /* far */
    {"9090", -1},
};

TEST_ROWS(test_call_number, calls)
{
    uint8_t code[100];
    const size_t size = strlen(calls[_i].code) / 2;
    struct ccprof_cpu_call found;

    memset(code, 0x90, sizeof code);
    for (size_t i = 0; i < size; i++) {
        const char digits[] = {calls[_i].code[2 * i], calls[_i].code[2 * i + 1], '\0'};
        code[60 - size + i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    memcpy(code + 60, "\x0f\x05", 2);
    /* rdx and r8 to r15 have different values. */
    context.uc_mcontext.gregs[REG_RDX] = 12;
    for (int i = 0; i < 8; i++)
        context.uc_mcontext.gregs[REG_R8 + i] = 18 + i;
    context.uc_mcontext.gregs[REG_RAX] = 7;
    context.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)(code + 62);
    ck_assert(ccprof_cpu_find_call(&context, &found));
    ck_assert_int_eq(found.number, calls[_i].number);
    ck_assert_uint_eq(found.address, (uintptr_t)(code + 60));
    context.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)(code + 60);
    ck_assert(ccprof_cpu_find_call(&context, &found));
    ck_assert_int_eq(found.number, 7);
    ck_assert_uint_eq(found.address, (uintptr_t)(code + 60));
}
