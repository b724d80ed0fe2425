/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Machine instructions of x86-64: where they begin and lead, and what they cost.  The
   bytes are those of the Intel Software Developer's Manual, volume 2.  */

#include "mlprof/elf/insns.h"
#include "testsuite/unit/tests.h"

#include <elf.h>
#include <string.h>

#define START 0x401000

struct expected {
    const char *bytes; /* of one instruction */
    size_t size;
    struct insn insn; /* but for its address; targets and slots from its end */
};

/* The size is that of the text without its NUL.  */
#define CODE(bytes) bytes, sizeof(bytes) - 1

static const struct expected list[] = {
    /* endbr64 */
    {CODE("\xf3\x0f\x1e\xfa"), {.cycles = 1}},
    /* mov (%rsp), %eax; mov %eax, (%rsp); mov %eax, %edx */
    {CODE("\x8b\x04\x24"), {.memory = true, .cycles = 5}},
    {CODE("\x89\x04\x24"), {.memory = true, .stores = true, .cycles = 1}},
    {CODE("\x89\xc2"), {.cycles = 1}},
    /* movabs 0x..., %al */
    {CODE("\xa0\x01\x02\x03\x04\x05\x06\x07\x08"), {.memory = true, .cycles = 5}},
    /* movups %xmm0, (%rsp); movups (%rsp), %xmm0; vmovdqu %ymm0, (%rsp) */
    {CODE("\x0f\x11\x04\x24"), {.memory = true, .stores = true, .cycles = 1}},
    {CODE("\x0f\x10\x04\x24"), {.memory = true, .cycles = 5}},
    {CODE("\xc5\xfe\x7f\x04\x24"), {.memory = true, .stores = true, .cycles = 1}},
    /* vmovdqu64 %zmm0, (%rsp) */
    {CODE("\x62\xf1\xfe\x48\x7f\x04\x24"), {.memory = true, .stores = true, .cycles = 1}},
    /* sete (%rsp); addl $1, (%rsp): that loads, too */
    {CODE("\x0f\x94\x04\x24"), {.memory = true, .stores = true, .cycles = 1}},
    {CODE("\x83\x04\x24\x01"), {.memory = true, .cycles = 5}},
    /* cmp %eax, (%rsp); test %eax, %eax */
    {CODE("\x39\x04\x24"), {.memory = true, .cycles = 5, .joins = true}},
    {CODE("\x85\xc0"), {.cycles = 1, .joins = true}},
    /* lea 1(%rax), %edx; nopw 0(%rax,%rax,1): no memory; push, pop and leave neither */
    {CODE("\x8d\x50\x01"), {.cycles = 1}},
    {CODE("\x66\x0f\x1f\x44\x00\x00"), {.cycles = 1}},
    {CODE("\x55"), {.cycles = 1}},
    {CODE("\x5d"), {.cycles = 1}},
    {CODE("\xc9"), {.cycles = 1}},
    /* rep stosq; rep movsq; lods (%rsi), %al */
    {CODE("\xf3\x48\xab"), {.memory = true, .stores = true, .cycles = 1}},
    {CODE("\xf3\x48\xa5"), {.memory = true, .stores = true, .cycles = 1}},
    {CODE("\xac"), {.memory = true, .cycles = 5}},
    /* imul %edx, %eax; addsd %xmm1, %xmm0; add %edx, %eax; div %ecx; pause */
    {CODE("\x0f\xaf\xc2"), {.cycles = 3}},
    {CODE("\xf2\x0f\x58\xc1"), {.cycles = 3}},
    {CODE("\x01\xd0"), {.cycles = 1}},
    {CODE("\xf7\xf1"), {.cycles = 15}},
    {CODE("\xf3\x90"), {.cycles = 15}},
    /* je .+0x10; jne .-0x100; jrcxz .; loop . */
    {CODE("\x74\x10"), {.transfer = INSNS_BRANCH, .target = 0x10, .cycles = 1}},
    {CODE("\x0f\x85\x00\xff\xff\xff"),
     {.transfer = INSNS_BRANCH, .target = (uint64_t)-0x100, .cycles = 1}},
    {CODE("\xe3\xfe"), {.transfer = INSNS_BRANCH, .target = (uint64_t)-2, .cycles = 1}},
    {CODE("\xe2\xfe"), {.transfer = INSNS_BRANCH, .target = (uint64_t)-2, .cycles = 1}},
    /* xbegin .+0x10; xabort $1; xend */
    {CODE("\xc7\xf8\x10\x00\x00\x00"),
     {.transfer = INSNS_BRANCH, .target = 0x10, .cycles = 1}},
    {CODE("\xc6\xf8\x01"), {.cycles = 1}},
    {CODE("\x0f\x01\xd5"), {.cycles = 1}},
    /* jmp .+0x100; call .-0x100 */
    {CODE("\xe9\x00\x01\x00\x00"),
     {.transfer = INSNS_JUMP, .target = 0x100, .cycles = 1}},
    {CODE("\xe8\x00\xff\xff\xff"),
     {.transfer = INSNS_CALL, .target = (uint64_t)-0x100, .cycles = 1}},
    /* jmp *0x200(%rip); call *0x200(%rip) */
    {CODE("\xff\x25\x00\x02\x00\x00"),
     {.transfer = INSNS_JUMP, .slot = 0x200, .memory = true, .cycles = 5}},
    {CODE("\xff\x15\x00\x02\x00\x00"),
     {.transfer = INSNS_CALL, .slot = 0x200, .memory = true, .cycles = 5}},
    /* jmp *%rax; notrack jmp *%rax; jmp *0x10(,%rax,8): of a switch perhaps, but not
       jmp *0x10(%rax) and call *%rax */
    {CODE("\xff\xe0"), {.transfer = INSNS_JUMP, .table = true, .cycles = 1}},
    {CODE("\x3e\xff\xe0"), {.transfer = INSNS_JUMP, .table = true, .cycles = 1}},
    {CODE("\xff\x24\xc5\x10\x00\x00\x00"),
     {.transfer = INSNS_JUMP, .table = true, .memory = true, .cycles = 5}},
    {CODE("\xff\x60\x10"), {.transfer = INSNS_JUMP, .memory = true, .cycles = 5}},
    {CODE("\xff\xd0"), {.transfer = INSNS_CALL, .cycles = 1}},
    /* ret; repz ret; ud2; hlt; syscall */
    {CODE("\xc3"), {.transfer = INSNS_RETURN, .cycles = 1}},
    {CODE("\xf3\xc3"), {.transfer = INSNS_RETURN, .cycles = 1}},
    {CODE("\x0f\x0b"), {.transfer = INSNS_UNKNOWN, .cycles = 1}},
    {CODE("\xf4"), {.transfer = INSNS_UNKNOWN, .cycles = 1}},
    {CODE("\x0f\x05"), {.cycles = 1}},
    /* Not in 64-bit mode.  */
    {CODE("\x06"), {.transfer = INSNS_UNKNOWN}},
};

#define COUNT (LENGTH(list))

/* An executable with a section of code, the SIZE bytes.  */
static void write_file(uint16_t machine, const char *bytes, size_t size)
{
    Elf64_Ehdr header = {.e_type = ET_EXEC,
                         .e_machine = machine,
                         .e_version = EV_CURRENT,
                         .e_shoff = sizeof header,
                         .e_ehsize = sizeof header,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = 2};
    Elf64_Shdr sections[2] = {{0},
                              {.sh_type = SHT_PROGBITS,
                               .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                               .sh_addr = START,
                               .sh_offset = sizeof header + sizeof sections,
                               .sh_size = size}};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    FILE *file = fopen("code", "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(&header, sizeof header, 1, file), 1);
    ck_assert_uint_eq(fwrite(sections, sizeof sections, 1, file), 1);
    ck_assert_uint_eq(fwrite(bytes, size, 1, file), 1);
    ck_assert_int_eq(fclose(file), 0);
}

static struct insns *open_file(const char *bytes, size_t size)
{
    write_file(EM_X86_64, bytes, size);
    struct insns *insns = insns_open("code");
    ck_assert_ptr_nonnull(insns);
    return insns;
}

/* All of them, one behind the other.  */
static char *all_bytes(size_t *size)
{
    *size = 0;
    for (size_t i = 0; i < COUNT; i++)
        *size += list[i].size;
    char *bytes = malloc(*size), *to = bytes;
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < COUNT; i++) {
        memcpy(to, list[i].bytes, list[i].size);
        to += list[i].size;
    }
    return bytes;
}

TEST(what_each_is)
{
    size_t size;
    char *bytes = all_bytes(&size);
    struct insns *insns = open_file(bytes, size);
    struct insns_code code = insns_read(insns, START, START + size);
    ck_assert_uint_eq(code.count, COUNT);
    uint64_t address = START;
    for (size_t i = 0; i < COUNT; i++) {
        const struct insn *found = &code.list[i];
        const struct insn *wanted = &list[i].insn;
        uint64_t end = address + list[i].size;
        ck_assert_msg(found->address == address, "instruction %zu begins elsewhere", i);
        ck_assert_msg(found->transfer == wanted->transfer, "transfer of %zu", i);
        ck_assert_msg(found->target == (wanted->target ? end + wanted->target : 0),
                      "target of %zu", i);
        ck_assert_msg(found->slot == (wanted->slot ? end + wanted->slot : 0),
                      "slot of %zu", i);
        ck_assert_msg(found->table == wanted->table, "table of %zu", i);
        ck_assert_msg(found->cycles == wanted->cycles, "cycles of %zu: %u", i,
                      (unsigned)found->cycles);
        ck_assert_msg(found->memory == wanted->memory, "memory of %zu", i);
        ck_assert_msg(found->stores == wanted->stores, "stores of %zu", i);
        ck_assert_msg(found->joins == wanted->joins, "joins of %zu", i);
        address = end;
    }
    free(code.list);
    insns_close(insns);
    free(bytes);
}

/* mov $0x..., %eax of five bytes: what is cut off is no instruction; nothing is read
   behind the section, or outside of it.  */
TEST(where_code_ends)
{
    struct insns *insns = open_file("\xb8\x01\x02\x03\x04", 5);
    struct insns_code code = insns_read(insns, START, START + 4);
    /* The first byte, add %eax, (%rdx), and the last byte.  */
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

/* In the syntax of objdump, though je is jz; addresses are whole.  The last byte begins
 * an instruction that is cut off.  */
TEST(what_they_are_called)
{
    static const char bytes[] = "\xf2\x0f\x58\x44\x24\xf8"
                                "\x74\x10"
                                "\x48\x8b\x05\x00\x01\x00\x00"
                                "\xe8\xf0\xff\xff\xff\xb8";
    static const struct {
        uint64_t address;
        const char *text;
    } wanted[] = {{START, "addsd -0x8(%rsp), %xmm0"}, {START + 6, "jz 0x401018"},
                  {START + 8, "mov 0x40110f, %rax"},  {START + 15, "call 0x401004"},
                  {START + 20, ".byte 0xb8"},         {START + 21, "?"}};
    struct insns *insns = open_file(bytes, sizeof bytes - 1);
    for (size_t i = 0; i < LENGTH(wanted); i++) {
        char text[64];
        insns_text(insns, wanted[i].address, text, sizeof text);
        ck_assert_str_eq(text, wanted[i].text);
    }
    insns_close(insns);
}

#define LEA_R15    "\x4c\x8d\x3d"
#define LEA_RDI    "\x48\x8d\x3d"
#define LEA_RAX    "\x48\x8d\x05"
#define NEAR       "\x00\x10\x00\x00"
#define FAR        "\x00\x20\x00\x00"
#define R15_TO_RDI "\x4c\x89\xff"
#define RAX_TO_RDI "\x48\x89\xc7"
#define CALL       "\xe8\x00\x00\x00\x00"

/* Each ends with a call, of which it is asked: a function keeps R15, and RAX not (System
   V ABI for AMD64, 3.2.1).  */
TEST(first_arguments)
{
    static const struct {
        const char *bytes;
        size_t size;
        uint64_t wanted;
    } cases[] = {
#define CASE(code, want) {code, sizeof code - 1, want}
        CASE(LEA_RDI NEAR CALL, START + 7 + 0x1000),
        CASE(LEA_RAX NEAR RAX_TO_RDI CALL, START + 7 + 0x1000),
        CASE(LEA_RAX NEAR CALL RAX_TO_RDI CALL, 0),
        CASE(LEA_R15 NEAR CALL R15_TO_RDI CALL, START + 7 + 0x1000),
        /* The last one before it, or none if a call lies between.  */
        CASE(LEA_R15 NEAR LEA_R15 FAR R15_TO_RDI CALL, START + 14 + 0x2000),
        CASE(LEA_R15 NEAR CALL LEA_R15 FAR CALL R15_TO_RDI CALL, 0),
        /* It stands behind: there may be a loop.  */
        CASE(CALL R15_TO_RDI CALL LEA_R15 NEAR CALL R15_TO_RDI CALL,
             START + 5 + 3 + 5 + 7 + 0x1000),
        CASE(CALL R15_TO_RDI CALL, 0),
        CASE(CALL, 0),
#undef CASE
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct insns *insns = open_file(cases[i].bytes, cases[i].size);
        struct insns_code code = insns_read(insns, START, START + cases[i].size);
        ck_assert_uint_eq(insns_first_argument(&code, code.count - 1), cases[i].wanted);
        free(code.list);
        insns_close(insns);
    }
}

TEST(which_files)
{
    write_file(EM_AARCH64, "\xc3", 1);
    ck_assert_ptr_null(insns_open("code"));
    ck_assert_ptr_null(insns_open("no such file"));
    insns_close(NULL);
}
