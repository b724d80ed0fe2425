// SPDX-License-Identifier: GPL-3.0-or-later
// stepcalls RANGES OUT PROGRAM ARGS...: runs a program in single steps, all of its
// threads, and writes what each function and each call executed, with all that was
// called. It is the judge of inclusive instructions: it knows nothing of counters, and
// follows the stack pointer alone. Only for x86-64.
//
// RANGES has the functions that count, as lines `START END NAME' with addresses of the
// file. Instructions outside of them and no-operations are not counted. Lines of OUT:
//     function NAME ALL         while an activation was on the stack, recursion once
//     call ADDRESS COUNT ALL    while this call instruction had not returned
//     target ADDRESS NAME COUNT ALL    the same for an indirect call of this function
//
// An activation begins where the program counter arrives at the function's start, and
// ends when the stack pointer is above where it was then, or when another function starts
// with the same stack pointer (a jump in tail position).

#define _GNU_SOURCE
#include <err.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 64, DEPTH = 1 << 16, FUNCTIONS = 4096 };

struct sum {
    uint64_t address, count, all;
    char name[200];
};

struct open {
    struct sum *sum;
    bool call;
    uint64_t sp, start;
    bool outermost;
};

struct thread {
    pid_t id;
    uint64_t total, pc;
    uint64_t indirect, sp; // the indirect call before this instruction; 0: none
    struct open *stack;
    size_t depth;
};

static struct {
    uint64_t start, end;
    struct sum *sum;
} ranges[FUNCTIONS];
static size_t range_count;
static struct sum functions[FUNCTIONS], calls[FUNCTIONS * 16], targets[FUNCTIONS];
static size_t function_count, call_count, target_count;
static struct thread threads[THREADS];
static uint64_t base;

static struct sum *function_named(const char *name)
{
    for (size_t i = 0; i < function_count; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    snprintf(functions[function_count].name, sizeof functions->name, "%s", name);
    return &functions[function_count++];
}

static void read_ranges(const char *path)
{
    FILE *file = fopen(path, "re");
    char name[200];
    if (!file)
        err(1, "%s", path);
    while (range_count < FUNCTIONS &&
           fscanf(file, "%" SCNx64 " %" SCNx64 " %199s", &ranges[range_count].start,
                  &ranges[range_count].end, name) == 3)
        ranges[range_count++].sum = function_named(name);
    fclose(file);
}

static struct sum *call_at(uint64_t address)
{
    for (size_t i = 0; i < call_count; i++)
        if (calls[i].address == address)
            return &calls[i];
    calls[call_count].address = address;
    return &calls[call_count++];
}

static struct sum *target_at(uint64_t address, const char *name)
{
    size_t i = 0;
    while (i < target_count &&
           (targets[i].address != address || strcmp(targets[i].name, name) != 0))
        i++;
    if (i == FUNCTIONS)
        errx(1, "too many targets");
    if (i == target_count) {
        snprintf(targets[i].name, sizeof targets->name, "%s", name);
        targets[target_count++].address = address;
    }
    return &targets[i];
}

// Returns the number of the range with the address, or -1.
static int range_at(uint64_t address)
{
    static size_t last;
    if (address >= ranges[last].start && address < ranges[last].end)
        return (int)last;
    for (size_t i = 0; i < range_count; i++)
        if (address >= ranges[i].start && address < ranges[i].end)
            return (int)(last = i);
    return -1;
}

static struct thread *thread_of(pid_t id)
{
    for (size_t i = 0; i < THREADS; i++) {
        if (threads[i].id == id)
            return &threads[i];
        if (threads[i].id == 0) {
            threads[i].id = id;
            threads[i].stack = calloc(DEPTH, sizeof *threads[i].stack);
            return &threads[i];
        }
    }
    errx(1, "too many threads");
}

static void push(struct thread *thread, struct sum *sum, bool call, uint64_t sp)
{
    bool outermost = true;
    if (thread->depth == DEPTH)
        errx(1, "too deep");
    for (size_t i = 0; i < thread->depth; i++)
        outermost &= thread->stack[i].sum != sum;
    sum->count++;
    thread->stack[thread->depth++] =
        (struct open){sum, call, sp, thread->total, outermost};
}

static void pop(struct thread *thread)
{
    struct open *open = &thread->stack[--thread->depth];
    if (open->outermost)
        open->sum->all += thread->total - open->start;
}

static bool is_prefix(unsigned char byte)
{
    return byte == 0x66 || byte == 0x2e || byte == 0x3e || byte == 0xf2 ||
           (byte >= 0x40 && byte <= 0x4f);
}

static bool is_call(const unsigned char *code)
{
    while (is_prefix(*code))
        code++;
    return *code == 0xe8 || (*code == 0xff && (code[1] >> 3 & 7) == 2);
}

static bool is_indirect(const unsigned char *code)
{
    while (is_prefix(*code))
        code++;
    return *code == 0xff;
}

static bool is_nop(const unsigned char *code)
{
    while (is_prefix(*code))
        code++;
    return *code == 0x90 || (code[0] == 0x0f && code[1] == 0x1f);
}

// The thread stands before an instruction.
static void look(struct thread *thread)
{
    struct user_regs_struct registers;
    unsigned char code[16] = {0};
    struct iovec to = {code, sizeof code};
    if (ptrace(PTRACE_GETREGS, thread->id, 0, &registers) != 0)
        return;
    uint64_t pc = registers.rip, address = pc - base;
    bool repeated = pc == thread->pc; // an iteration of a repeated instruction
    thread->pc = pc;
    while (thread->depth) {
        struct open *top = &thread->stack[thread->depth - 1];
        if (top->call ? registers.rsp < top->sp : registers.rsp <= top->sp)
            break;
        pop(thread);
    }
    uint64_t indirect = thread->indirect;
    thread->indirect = 0;
    int range = range_at(address);
    struct iovec from = {(void *)pc, sizeof code};
    if (range < 0 || repeated || process_vm_readv(thread->id, &to, 1, &from, 1, 0) < 0)
        return;
    struct sum *sum = ranges[range].sum;
    if (indirect && address == ranges[range].start)
        push(thread, target_at(indirect, sum->name), true, thread->sp);
    if (address == ranges[range].start) {
        struct open *top = thread->depth ? &thread->stack[thread->depth - 1] : NULL;
        bool same = top && !top->call && top->sp == registers.rsp;
        if (same && top->sum != sum)
            pop(thread);
        if (!same || top->sum != sum)
            push(thread, sum, false, registers.rsp);
    }
    thread->total += !is_nop(code);
    if (is_call(code))
        push(thread, call_at(address), true, registers.rsp);
    if (is_call(code) && is_indirect(code)) {
        thread->indirect = address;
        thread->sp = registers.rsp;
    }
}

static void find_base(pid_t child, const char *program)
{
    char path[64], line[4096], *real = realpath(program, NULL);
    snprintf(path, sizeof path, "/proc/%d/maps", child);
    FILE *file = fopen(path, "re");
    if (!file || !real)
        err(1, "%s", program);
    while (fgets(line, sizeof line, file))
        if (strstr(line, real)) {
            base = strtoull(line, NULL, 16);
            break;
        }
    fclose(file);
    // Not position-independent: addresses are those of the file.
    if (base == 0x400000)
        base = 0;
}

static int step_all(pid_t child, const char *program)
{
    int status, result = 0;
    pid_t id;
    bool begun = false;
    while ((id = waitpid(-1, &status, __WALL)) > 0) {
        if (!WIFSTOPPED(status)) {
            struct thread *thread = thread_of(id);
            while (thread->depth)
                pop(thread);
            thread->id = -1;
            if (id == child)
                result = status;
            continue;
        }
        int number = WSTOPSIG(status), event = status >> 16;
        if (!begun) {
            find_base(child, program);
            ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
            begun = true;
            number = 0;
        }
        struct thread *thread = thread_of(id);
        if (number == SIGTRAP || number == SIGSTOP)
            number = 0;
        if (event == 0)
            look(thread);
        ptrace(PTRACE_SINGLESTEP, id, 0, number);
    }
    return result;
}

int main(int count, char **arguments)
{
    if (count < 4)
        errx(1, "usage: stepcalls RANGES OUT PROGRAM ARGS...");
    read_ranges(arguments[1]);
    FILE *out = fopen(arguments[2], "we");
    if (!out)
        err(1, "%s", arguments[2]);
    // Steps are several times faster where both processes share a processor.
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    pid_t child = fork();
    if (child < 0)
        err(1, "fork");
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execv(arguments[3], arguments + 3);
        err(127, "%s", arguments[3]);
    }
    int status = step_all(child, arguments[3]);
    for (size_t i = 0; i < function_count; i++)
        fprintf(out, "function %s %" PRIu64 "\n", functions[i].name, functions[i].all);
    for (size_t i = 0; i < call_count; i++)
        fprintf(out, "call %" PRIx64 " %" PRIu64 " %" PRIu64 "\n", calls[i].address,
                calls[i].count, calls[i].all);
    for (size_t i = 0; i < target_count; i++)
        fprintf(out, "target %" PRIx64 " %s %" PRIu64 " %" PRIu64 "\n",
                targets[i].address, targets[i].name, targets[i].count, targets[i].all);
    if (fclose(out) != 0)
        err(1, "%s", arguments[2]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
