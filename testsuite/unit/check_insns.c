/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Machine instructions of x86-64: their starts, successors and costs. The bytes are
   from the Intel Software Developer's Manual, volume 2. */

#include "mlprof/elf/insns.h"
#include "testsuite/unit/make_elf.h"
#include "testsuite/unit/tests.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START MAKE_ELF_CODE

/* Instructions: cycles, kind of control transfer, target relative to the end, and other
   properties. */
static const struct {
    const char *name, *bytes, *meaning;
} list[] = {
    {"endbr64", "f3 0f 1e fa", "1"},
    {"mov (%rsp), %eax", "8b 04 24", "5 memory"},
    {"mov %eax, (%rsp)", "89 04 24", "1 memory stores"},
    {"movabs 0x..., %al", "a0 01 02 03 04 05 06 07 08", "5 memory"},
    {"movups %xmm0, (%rsp)", "0f 11 04 24", "1 memory stores"},
    {"addl $1, (%rsp), which loads, too", "83 04 24 01", "5 memory"},
    {"cmp %eax, (%rsp)", "39 04 24", "5 memory joins"},
    {"test %eax, %eax", "85 c0", "1 joins"},
    {"lea 1(%rax), %edx", "8d 50 01", "1"},
    {"push %rbp", "55", "1"},
    {"pop %rbp", "5d", "1"},
    {"rep stosq", "f3 48 ab", "1 memory stores"},
    {"imul %edx, %eax", "0f af c2", "3"},
    {"add %edx, %eax", "01 d0", "1"},
    {"div %ecx", "f7 f1", "15"},
    {"je .+0x10", "74 10", "1 branch to +0x10"},
    {"jne .-0x100", "0f 85 00 ff ff ff", "1 branch to -0x100"},
    {"xbegin .+0x10", "c7 f8 10 00 00 00", "1 branch to +0x10"},
    {"xabort $1", "c6 f8 01", "1"},
    {"xend", "0f 01 d5", "1"},
    {"jmp .+0x100", "e9 00 01 00 00", "1 jump to +0x100"},
    {"call .-0x100", "e8 00 ff ff ff", "1 call to -0x100"},
    {"jmp *0x200(%rip)", "ff 25 00 02 00 00", "5 jump slot +0x200 memory"},
    {"call *0x200(%rip)", "ff 15 00 02 00 00", "5 call slot +0x200 memory"},
    /* Perhaps the jump of a switch. */
    {"jmp *%rax", "ff e0", "1 jump table"},
    {"notrack jmp *%rax", "3e ff e0", "1 jump table"},
    {"jmp *0x10(,%rax,8)", "ff 24 c5 10 00 00 00", "5 jump table memory"},
    {"jmp *0x10(%rax)", "ff 60 10", "5 jump memory"},
    {"call *%rax", "ff d0", "1 call"},
    {"ret", "c3", "1 return"},
    {"ud2", "0f 0b", "1 unknown"},
    {"hlt", "f4", "1 unknown"},
    {"syscall", "0f 05", "1"},
    {"push %es, which 64-bit mode has not", "06", "0 unknown"},
};

/* Writes a file with the code that TEXT gives in hexadecimal digits. Returns the number
   of bytes. */
static size_t write_file(int machine, const char *text)
{
    size_t size;
    free(make_bytes(text, &size));
    make_elf("code", &(struct make_elf){.machine = machine, .code = text});
    return size;
}

static struct insns *open_file(const char *text, size_t *size)
{
    *size = write_file(EM_X86_64, text);
    struct insns *insns = insns_open("code");
    ck_assert_ptr_nonnull(insns);
    return insns;
}

static void print_offset(FILE *out, const char *before, uint64_t address, uint64_t end)
{
    if (address)
        fprintf(out, "%s%c0x%llx", before, address < end ? '-' : '+',
                (unsigned long long)(address < end ? end - address : address - end));
}

static void print_insn(FILE *out, const struct insn *insn, uint64_t end)
{
    static const char *const transfers[] = {[INSNS_BRANCH] = " branch",
                                            [INSNS_JUMP] = " jump",
                                            [INSNS_CALL] = " call",
                                            [INSNS_RETURN] = " return",
                                            [INSNS_UNKNOWN] = " unknown"};
    fprintf(out, "%u%s", (unsigned)insn->cycles,
            insn->transfer == INSNS_NEXT ? "" : transfers[insn->transfer]);
    print_offset(out, " to ", insn->target, end);
    print_offset(out, " slot ", insn->slot, end);
    fprintf(out, "%s%s%s%s", insn->table ? " table" : "", insn->memory ? " memory" : "",
            insn->stores ? " stores" : "", insn->joins ? " joins" : "");
}

/* All instructions in sequence. */
TEST(what_each_is)
{
    static char text[100 * LENGTH(list)];
    size_t size;
    for (size_t i = 0; i < LENGTH(list); i++)
        strcat(strcat(text, list[i].bytes), " ");
    struct insns *insns = open_file(text, &size);
    struct insns_code code = insns_read(insns, START, START + size);
    ck_assert_uint_eq(code.count, LENGTH(list));
    uint64_t end = START;
    for (size_t i = 0; i < LENGTH(list); i++) {
        ck_assert_msg(code.list[i].address == end, "instruction %zu begins elsewhere", i);
        end += (strlen(list[i].bytes) + 1) / 3;
        FILE *out = print_begin();
        fprintf(out, "%s: ", list[i].name);
        print_insn(out, &code.list[i], end);
        snprintf(text, sizeof text, "%s: %s", list[i].name, list[i].meaning);
        print_end(out, text);
    }
    free(code.list);
    insns_close(insns);
}

/* mov $0x..., %eax with five bytes. An incomplete instruction is not decoded. Nothing is
   read after the end of the section or outside of it. */
TEST(where_code_ends)
{
    size_t size;
    struct insns *insns = open_file("b8 01 02 03 04", &size);
    struct insns_code code = insns_read(insns, START, START + 4);
    /* The first byte, add %eax, (%rdx), and the last byte. */
    ck_assert_uint_eq(code.count, 3);
    ck_assert_int_eq(code.list[0].transfer, INSNS_UNKNOWN);
    ck_assert_uint_eq(code.list[0].cycles, 0);
    ck_assert_uint_eq(code.list[1].address, START + 1);
    ck_assert_uint_eq(code.list[2].address, START + 3);
    free(code.list);
    code = insns_read(insns, START, START + 100);
    ck_assert_uint_eq(code.count, 1);
    ck_assert_int_eq(code.list[0].transfer, INSNS_NEXT);
    free(code.list);
    ck_assert_uint_eq(insns_read(insns, START + 5, START + 6).count, 0);
    ck_assert_uint_eq(insns_read(insns, START - 1, START + 1).count, 0);
    ck_assert_uint_eq(insns_read(insns, START, START).count, 0);
    insns_close(insns);
}

static char *name_address(void *context, uint64_t address, bool data)
{
    const char *wanted = context;
    if (address != START + 0x18 && address != START + 0x10f)
        return NULL;
    ck_assert_int_eq(data, address == START + 0x10f);
    return strdup(wanted);
}

/* In the syntax of objdump. The last byte is the start of an incomplete instruction. */
TEST(what_they_are_called)
{
    size_t size;
    char name[] = "name";
    static const struct {
        uint64_t address;
        const char *text;
    } wanted[] = {{START, "addsd  -0x8(%rsp),%xmm0"},
                  {START + 6, "je     name"},
                  {START + 8, "mov    name(%rip),%rax"},
                  {START + 15, "call   401004"},
                  {START + 20, ".byte 0xb8"},
                  {START + 21, "?"}};
    struct insns *insns = open_file("f2 0f 58 44 24 f8 74 10 48 8b 05 00 01 00 00 "
                                    "e8 f0 ff ff ff b8",
                                    &size);
    for (size_t i = 0; i < LENGTH(wanted); i++) {
        char *text = insns_text(insns, wanted[i].address, name_address, name);
        ck_assert_str_eq(text, wanted[i].text);
        free(text);
    }
    insns_close(insns);
}

/* Copies the mnemonic of a line of objdump, or of insns_text, without prefixes. Older
   versions of objdump append q to instructions that have only one size. */
static void copy_mnemonic(char to[64], const char *text)
{
    static const char prefixes[] = " lock rep repz repnz data16 cs ds es ss fs gs bnd "
                                   "notrack addr32 {evex} ",
                      sized[] = " callq retq jmpq leaveq pushq popq ";
    char word[66] = "";
    do {
        text += strspn(text, " ");
        size_t length = strcspn(text, " \n");
        snprintf(word, sizeof word, " %.*s ", (int)(length < 60 ? length : 60), text);
        text += length;
    } while (*text && (strstr(prefixes, word) || strncmp(word, " rex", 4) == 0));
    if (strstr(sized, word))
        word[strlen(word) - 2] = '\0';
    snprintf(to, 64, "%.*s", (int)strcspn(word + 1, " "), word + 1);
}

/* Compares the first MOST instructions of a file with objdump's. Returns the number of
   differences. */
static unsigned differing(const char *path, unsigned most, unsigned *compared)
{
    char command[512], line[1024], ours[64], theirs[64];
    unsigned differ = 0;
    struct insns *insns = insns_open(path);
    if (!insns)
        return 0;
    snprintf(command, sizeof command, "objdump -d --no-show-raw-insn '%s' 2>/dev/null",
             path);
    FILE *listed = popen(command, "r");
    for (unsigned i = 0; i < most && fgets(line, sizeof line, listed);) {
        char *end;
        uint64_t address = strtoull(line, &end, 16);
        if (strncmp(end, ":\t", 2) != 0 || strstr(end, "(bad)") || strstr(end, ".byte"))
            continue;
        char *text = insns_text(insns, address, NULL, NULL);
        copy_mnemonic(ours, text);
        copy_mnemonic(theirs, end + 2);
        /* objdump prints fwait and the next instruction as one instruction. */
        if (strcmp(ours, theirs) != 0 && strcmp(ours, "fwait") != 0 && differ++ < 20)
            fprintf(stderr, "%s: %s is %s", path, text, line);
        free(text);
        i++;
        ++*compared;
    }
    pclose(listed);
    insns_close(insns);
    return differ;
}

/* The mnemonics of installed programs, some of which have much vector code. */
TEST(mnemonics_are_those_of_objdump)
{
    static const char *const files[] = {
        "/bin/bash", "/usr/lib/x86_64-linux-gnu/libc.so.6",
        "/usr/lib/x86_64-linux-gnu/libm.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
        "/usr/lib/x86_64-linux-gnu/libgfortran.so.5"};
    unsigned compared = 0, differ = 0;
    if (system("command -v objdump >/dev/null") != 0)
        return;
    for (size_t i = 0; i < LENGTH(files); i++)
        differ += differing(files[i], 120000, &compared);
    fprintf(stderr, "%u instructions compared\n", compared);
    ck_assert_uint_eq(differ, 0);
}

#define LEA_R15    "4c 8d 3d "
#define LEA_RDI    "48 8d 3d "
#define LEA_RAX    "48 8d 05 "
#define NEAR       "00 10 00 00 "
#define FAR        "00 20 00 00 "
#define R15_TO_RDI "4c 89 ff "
#define RAX_TO_RDI "48 89 c7 "
#define CALL       "e8 00 00 00 00 "

/* The address in the first argument of the last call, as far as it is known. A function
   preserves R15 but not RAX (System V ABI for AMD64, 3.2.1). */
TEST(first_arguments)
{
    static const struct {
        const char *bytes;
        uint64_t wanted;
    } cases[] = {
        {LEA_RDI NEAR CALL, START + 7 + 0x1000},
        {LEA_RAX NEAR RAX_TO_RDI CALL, START + 7 + 0x1000},
        {LEA_RAX NEAR CALL RAX_TO_RDI CALL, 0},
        {LEA_R15 NEAR CALL R15_TO_RDI CALL, START + 7 + 0x1000},
        /* The last assignment before the copy. None if a call lies between. */
        {LEA_R15 NEAR LEA_R15 FAR R15_TO_RDI CALL, START + 14 + 0x2000},
        {LEA_R15 NEAR CALL LEA_R15 FAR CALL R15_TO_RDI CALL, 0},
        /* The assignment comes later in the code: there may be a loop. */
        {CALL R15_TO_RDI CALL LEA_R15 NEAR CALL R15_TO_RDI CALL,
         START + 5 + 3 + 5 + 7 + 0x1000},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        size_t size;
        struct insns *insns = open_file(cases[i].bytes, &size);
        struct insns_code code = insns_read(insns, START, START + size);
        ck_assert_uint_eq(insns_first_argument(&code, code.count - 1), cases[i].wanted);
        free(code.list);
        insns_close(insns);
    }
}
