/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps an address to its bytes in the file through the sections with code. */

#include "mlprof/elf/elfcode.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* A section with code. Its content is valid while the file is open. */
struct elfcode_section {
    uint64_t address, size;
    const uint8_t *bytes; /* NULL: the file has only a part of the bytes */
};

struct elfcode {
    int descriptor;
    uint64_t size; /* of the file */
    Elf *elf;
    unsigned machine;
    struct elfcode_section *sections;
    size_t section_count, section_capacity;
};

static bool open_elf(struct elfcode *code, const char *path)
{
    GElf_Ehdr header;
    struct regular file;
    code->descriptor = -1;
    if (regular_open(path, &file) != REGULAR_IS)
        return false;
    code->descriptor = file.descriptor;
    code->size = file.size;
    elf_version(EV_CURRENT);
    code->elf = elf_begin(code->descriptor, ELF_C_READ_MMAP, NULL);
    if (!code->elf || elf_kind(code->elf) != ELF_K_ELF ||
        !gelf_getehdr(code->elf, &header))
        return false;
    code->machine = header.e_machine;
    return header.e_ident[EI_CLASS] == ELFCLASS64 &&
           header.e_ident[EI_DATA] == ELFDATA2LSB;
}

/* Finds the sections with code. Segments cannot be used: in a file that was stripped
   to its debug information, sections have no content, but segments are unchanged. */
static void find_sections(struct elfcode *code)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr header;
    while ((scn = elf_nextscn(code->elf, scn))) {
        if (!gelf_getshdr(scn, &header) || !(header.sh_flags & SHF_EXECINSTR))
            continue;
        Elf_Data *data = header.sh_type == SHT_PROGBITS ? elf_rawdata(scn, NULL) : NULL;
        bool complete = data && data->d_buf && data->d_size == header.sh_size;
        BUF_NEXT(code->sections, code->section_count, code->section_capacity) =
            (struct elfcode_section){.address = header.sh_addr,
                                     .size = header.sh_size,
                                     .bytes = complete ? data->d_buf : NULL};
    }
}

struct elfcode *elfcode_open(const char *path)
{
    struct elfcode *code = buf_alloc(sizeof *code);
    if (open_elf(code, path)) {
        find_sections(code);
        return code;
    }
    elfcode_close(code);
    return NULL;
}

void elfcode_close(struct elfcode *code)
{
    if (!code)
        return;
    if (code->elf)
        elf_end(code->elf);
    if (code->descriptor >= 0)
        close(code->descriptor);
    free(code->sections);
    free(code);
}

unsigned elfcode_machine(const struct elfcode *code)
{
    return code->machine;
}

uint64_t elfcode_file_size(const struct elfcode *code)
{
    return code->size;
}

const uint8_t *elfcode_bytes(const struct elfcode *code, uint64_t start, uint64_t *end)
{
    for (size_t i = 0; i < code->section_count; i++) {
        const struct elfcode_section *section = &code->sections[i];
        if (start < section->address || start - section->address >= section->size)
            continue;
        if (*end - section->address > section->size)
            *end = section->address + section->size;
        return section->bytes ? section->bytes + (start - section->address) : NULL;
    }
    return NULL;
}
