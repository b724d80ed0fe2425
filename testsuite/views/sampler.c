// SPDX-License-Identifier: GPL-3.0-or-later
// sampler COMMAND [ARGUMENTS...]: where a program of one thread spends its time,
// found without ccprof, signals to the program, or the kernel's tick: stops it
// through ptrace after random times and writes, on file descriptor 3, the address
// in the program's own file (without the load bias) at each stop; `-` if it was
// elsewhere.  For a program that neither sleeps nor waits that is its CPU time.

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <linux/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SHORTEST_US = 500, LONGEST_US = 3500 };

// A piece of the program's file in its memory, that may be executed.
typedef struct {
    uint64_t low, high, offset;
} Piece;

typedef struct {
    Piece text;
    uint64_t in_file; // what the ELF file calls the address of text.low
} Program;

static void fail(const char *what)
{
    fprintf(stderr, "sampler: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t random_bits(void)
{
    static uint64_t state;

    if (state == 0) {
        struct timespec t;

        clock_gettime(CLOCK_REALTIME, &t);
        state = (uint64_t)t.tv_nsec * 1000003 + (uint64_t)getpid();
    }
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(2685821657736338717);
}

static void wait_a_while(void)
{
    uint64_t us = SHORTEST_US + (random_bits() >> 16) % (LONGEST_US - SHORTEST_US);
    struct timespec t = {0, (long)us * 1000};

    nanosleep(&t, NULL);
}

static Piece executable_piece(pid_t child, const char *file)
{
    char path[64], line[4352];
    Piece piece = {0, 0, 0};
    FILE *maps;

    snprintf(path, sizeof path, "/proc/%d/maps", child);
    maps = fopen(path, "r");
    if (!maps)
        fail(path);
    while (piece.high == 0 && fgets(line, sizeof line, maps)) {
        char flags[5] = "", name[4096] = "";
        Piece p;

        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %4095[^\n]",
                   &p.low, &p.high, flags, &p.offset, name) == 5 &&
            flags[2] == 'x' && strcmp(name, file) == 0)
            piece = p;
    }
    fclose(maps);
    return piece;
}

// The virtual address that the file gives to what lies at OFFSET in it.
static uint64_t address_in_file(const char *file, uint64_t offset)
{
    FILE *f = fopen(file, "rb");
    uint64_t result = 0;
    Elf64_Ehdr head;
    Elf64_Phdr segment;

    if (!f || fread(&head, sizeof head, 1, f) != 1)
        fail(file);
    for (int i = 0; i < head.e_phnum; i++) {
        if (fseek(f, (long)(head.e_phoff + (uint64_t)i * head.e_phentsize), SEEK_SET) ||
            fread(&segment, sizeof segment, 1, f) != 1)
            fail(file);
        if (segment.p_type == PT_LOAD && offset >= (segment.p_offset & ~UINT64_C(4095)) &&
            offset < segment.p_offset + segment.p_filesz)
            result = segment.p_vaddr + offset - segment.p_offset;
    }
    fclose(f);
    return result;
}

static Program look_at(pid_t child)
{
    char link[64], file[4096];
    Program program;
    ssize_t length;

    snprintf(link, sizeof link, "/proc/%d/exe", child);
    length = readlink(link, file, sizeof file - 1);
    if (length < 0)
        fail(link);
    file[length] = '\0';
    program.text = executable_piece(child, file);
    program.in_file = address_in_file(file, program.text.offset);
    return program;
}

static void sample(pid_t child, const Program *program, FILE *out)
{
    struct ptrace_syscall_info info;
    uint64_t pc;

    if (ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info) <= 0)
        return;
    pc = info.instruction_pointer;
    if (pc >= program->text.low && pc < program->text.high)
        fprintf(out, "0x%" PRIx64 "\n", pc - program->text.low + program->in_file);
    else
        fputs("-\n", out);
}

static pid_t start(char **argv)
{
    pid_t child = fork();

    if (child < 0)
        fail("fork");
    if (child == 0) {
        close(3);
        raise(SIGSTOP);
        execvp(argv[0], argv);
        fail(argv[0]);
    }
    return child;
}

// Until the child has come to rest in its new program.
static void follow_exec(pid_t child)
{
    int status;

    if (waitpid(child, &status, WUNTRACED) < 0 ||
        ptrace(PTRACE_SEIZE, child, 0, PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL) < 0)
        fail("ptrace");
    kill(child, SIGCONT);
    for (;;) {
        if (waitpid(child, &status, 0) < 0)
            fail("wait");
        if (WIFEXITED(status) || WIFSIGNALED(status))
            exit(1);
        if (status >> 8 == (SIGTRAP | (PTRACE_EVENT_EXEC << 8)))
            return;
        ptrace(PTRACE_CONT, child, 0, 0);
    }
}

// Returns the exit status of the program.
static int run(pid_t child, const Program *program, FILE *out)
{
    int status;

    for (;;) {
        ptrace(PTRACE_CONT, child, 0, 0);
        wait_a_while();
        ptrace(PTRACE_INTERRUPT, child, 0, 0);
        if (waitpid(child, &status, 0) < 0)
            fail("wait");
        if (WIFEXITED(status))
            return WEXITSTATUS(status);
        if (WIFSIGNALED(status))
            return 128 + WTERMSIG(status);
        sample(child, program, out);
    }
}

int main(int argc, char **argv)
{
    FILE *out = fdopen(3, "w");
    Program program;
    pid_t child;

    if (argc < 2 || !out) {
        fputs("usage: sampler COMMAND [ARGUMENTS...] 3>ADDRESSES\n", stderr);
        return 2;
    }
    child = start(argv + 1);
    follow_exec(child);
    program = look_at(child);
    return run(child, &program, out);
}
