/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "rt/format.h"
#include "testsuite/fuzz/memory.h"
#include "testsuite/fuzz/targets.h"
#include "testsuite/fuzz/use.h"

#include <assert.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const targets_sections[] = {
    CCPROF_SECTION_STR,    CCPROF_SECTION_UNIT,       CCPROF_SECTION_CODE,
    CCPROF_SECTION_COUNT,  CCPROF_SECTION_FLOW,       CCPROF_SECTION_EDGE,
    CCPROF_SECTION_ALLOC,  CCPROF_SECTION_ALLOCATORS, CCPROF_SECTION_INCLUSIVE,
    CCPROF_SECTION_PATHS,  CCPROF_SECTION_TYPES,      CCPROF_SECTION_ARCS,
    CCPROF_SECTION_VALUES, CCPROF_SECTION_CALLEES};
const size_t targets_section_count = sizeof targets_sections / sizeof *targets_sections;

#define SECTIONS 64
#define MARK     (sizeof TARGETS_SECTION - 1)

/* An ELF file that is being written.  */
struct writer {
    FILE *out;
    Elf64_Shdr headers[SECTIONS + 2]; /* 0: none; the last one is that of the names */
    size_t count;
    size_t at;
};

/* Where the next section begins; END if there is none.  */
static const unsigned char *next_mark(const unsigned char *from, const unsigned char *end)
{
    const unsigned char *mark = memmem(from, (size_t)(end - from), TARGETS_SECTION, MARK);
    return mark && end - mark > (ptrdiff_t)MARK ? mark : end;
}

/* Where the section's name stands among the names, each of which has 32 bytes.  */
static Elf64_Word name_at(unsigned number)
{
    return 1 + 32 * (number % (unsigned)targets_section_count);
}

static void put(struct writer *writer, const void *bytes, size_t size, Elf64_Shdr header)
{
    header.sh_offset = writer->at;
    header.sh_size = size;
    header.sh_addralign = 1;
    writer->headers[writer->count++] = header;
    fwrite(bytes, 1, size, writer->out);
    writer->at += size;
}

static void put_sections(struct writer *writer, const unsigned char *bytes, size_t size)
{
    const unsigned char *end = bytes + size, *at = next_mark(bytes, end);
    while (at < end && writer->count < SECTIONS) {
        const unsigned char *content = at + MARK + 1, *stop = next_mark(content, end);
        put(writer, content, (size_t)(stop - content),
            (Elf64_Shdr){.sh_name = name_at(at[MARK]), .sh_type = SHT_PROGBITS});
        at = stop;
    }
}

static void put_names(struct writer *writer)
{
    char names[1 + 32 * sizeof targets_sections / sizeof *targets_sections] = {0};
    for (unsigned i = 0; i < targets_section_count; i++)
        strcpy(names + name_at(i), targets_sections[i]);
    put(writer, names, sizeof names, (Elf64_Shdr){.sh_type = SHT_STRTAB});
}

/* The sections of BYTES in a shared object without code; to be freed.  */
static char *make_file(const unsigned char *bytes, size_t size, size_t *file_size)
{
    char *text;
    struct writer writer = {
        .out = open_memstream(&text, file_size), .count = 1, .at = sizeof(Elf64_Ehdr)};
    Elf64_Ehdr head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
                                   ELFDATA2LSB, EV_CURRENT},
                       .e_type = ET_DYN,
                       .e_version = EV_CURRENT,
                       .e_ehsize = sizeof head,
                       .e_shentsize = sizeof(Elf64_Shdr)};
    fwrite(&head, sizeof head, 1, writer.out);
    put_sections(&writer, bytes, size);
    put_names(&writer);
    fwrite(writer.headers, sizeof *writer.headers, writer.count, writer.out);
    fclose(writer.out);
    head.e_shoff = writer.at;
    head.e_shnum = (Elf64_Half)writer.count;
    head.e_shstrndx = (Elf64_Half)(writer.count - 1);
    memcpy(text, &head, sizeof head);
    return text;
}

bool targets_tables(const unsigned char *bytes, size_t size)
{
    struct fault fault = {0};
    size_t file_size;
    char *text = make_file(bytes, size, &file_size);
    struct memory_file file = memory_open(text, file_size);
    struct tables *tables = tables_open_with(file.path, "nowhere", &fault);
    assert((tables != NULL) == (fault.kind == FAULT_NONE));
    fault_clear(&fault);
    if (tables) {
        struct profile profile = {0};
        use_profile(&profile, tables);
        use_all(tables, &profile);
        profile_free(&profile);
        tables_close(tables);
    }
    memory_close(&file);
    free(text);
    return tables != NULL;
}
