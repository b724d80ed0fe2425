/* SPDX-License-Identifier: MIT */
/* Reads ELF files with system calls. Owns no data. Called for a chain of calls or a
   trace, in any thread, also in signal handlers. */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "rt/symbolize/elf-file.h"
#include "rt/os/text.h"
#include "rt/os/sys.h"

/* Maximum number of sections that is accepted. */
#define ELF_SECTIONS 65536

static const char elf_damaged[] = "its sections are damaged";
static const char elf_no_memory[] = "no memory for its tables";

static bool elf_pread(const struct ccprof_elf *elf, void *to, uint64_t size,
                      uint64_t offset)
{
    uint64_t done = 0;

    while (done < size) {
        ssize_t got = ccprof_file_read(&elf->file, (char *)to + done, size - done,
                                       (off_t)(offset + done));
        if (got > 0)
            done += (uint64_t)got;
        else if (got == 0 || errno != EINTR)
            return false;
    }
    return true;
}

static bool elf_is_inside(const struct ccprof_elf *elf, uint64_t offset, uint64_t size)
{
    return offset <= elf->size && size <= elf->size - offset;
}

static const char *elf_copy(const struct ccprof_elf *elf, uint64_t offset, uint64_t size,
                            struct ccprof_pages *to)
{
    *to = (struct ccprof_pages){NULL, 0};
    if (!elf_is_inside(elf, offset, size))
        return elf_damaged;
    if (!ccprof_pages_make(to, size))
        return elf_no_memory;
    if (elf_pread(elf, to->start, size, offset))
        return NULL;
    ccprof_pages_free(to);
    return elf_damaged;
}

const Elf64_Shdr *ccprof_elf_section(const struct ccprof_elf *elf, size_t number)
{
    if (number >= elf->sections)
        return NULL;
    return (const Elf64_Shdr *)(const void *)elf->headers.start + number;
}

static bool elf_has_name(const struct ccprof_elf *elf, const Elf64_Shdr *section,
                         const char *name)
{
    size_t size = strlen(name) + 1;
    return section->sh_name < elf->names.size &&
           size <= elf->names.size - section->sh_name &&
           memcmp(elf->names.start + section->sh_name, name, size) == 0;
}

const Elf64_Shdr *ccprof_elf_find(const struct ccprof_elf *elf, uint32_t type,
                                  const char *name, const Elf64_Shdr *before)
{
    const Elf64_Shdr *first = ccprof_elf_section(elf, 0);
    size_t index = before ? (size_t)(before - first) + 1 : 0;

    for (; index < elf->sections; index++) {
        const Elf64_Shdr *section = first + index;
        if (section->sh_type == type && (!name || elf_has_name(elf, section, name)))
            return section;
    }
    return NULL;
}

const char *ccprof_elf_read(const struct ccprof_elf *elf, const Elf64_Shdr *section,
                            struct ccprof_pages *to)
{
    if (section->sh_flags & SHF_COMPRESSED)
        return "its tables are compressed";
    return elf_copy(elf, section->sh_offset, section->sh_size, to);
}

const char *ccprof_elf_read_all(const struct ccprof_elf *elf, const char *name,
                                struct ccprof_pages *to)
{
    const Elf64_Shdr *section = NULL;
    uint64_t size = 0;
    uint8_t *cursor;

    *to = (struct ccprof_pages){NULL, 0};
    while ((section = ccprof_elf_find(elf, SHT_PROGBITS, name, section))) {
        if (section->sh_flags & SHF_COMPRESSED)
            return "its tables are compressed";
        if (!elf_is_inside(elf, section->sh_offset, section->sh_size) ||
            section->sh_size > elf->size - size)
            return elf_damaged;
        size += section->sh_size;
    }
    if (!ccprof_pages_make(to, size))
        return elf_no_memory;
    cursor = to->start;
    while ((section = ccprof_elf_find(elf, SHT_PROGBITS, name, section))) {
        if (!elf_pread(elf, cursor, section->sh_size, section->sh_offset)) {
            ccprof_pages_free(to);
            return elf_damaged;
        }
        cursor += section->sh_size;
    }
    return NULL;
}

/* Returns false if the notes have no build ID. */
static bool elf_read_id(struct ccprof_elf *elf, const struct ccprof_pages *notes,
                        size_t align)
{
    size_t size;
    const void *id =
        ccprof_notes_build_id(ccprof_notes_of(notes->start, notes->size, align), &size);

    if (!id)
        return false;
    elf->id_size = (uint8_t)size;
    memcpy(elf->id, id, size);
    return true;
}

static void elf_find_id(struct ccprof_elf *elf)
{
    const Elf64_Shdr *section = NULL;
    struct ccprof_pages notes;
    bool found = false;

    while (!found && (section = ccprof_elf_find(elf, SHT_NOTE, NULL, section))) {
        if (elf_copy(elf, section->sh_offset, section->sh_size, &notes))
            continue;
        found = elf_read_id(elf, &notes, section->sh_addralign);
        ccprof_pages_free(&notes);
    }
}

/* Finds the number of sections. If it is too large for the file's header, it is in
   the header of the first section. */
static const char *elf_count_sections(struct ccprof_elf *elf, const Elf64_Ehdr *header,
                                      uint64_t *names)
{
    Elf64_Shdr first;
    uint64_t count = header->e_shnum;

    *names = header->e_shstrndx;
    if (header->e_shoff == 0 || header->e_shentsize != sizeof first)
        return "it has no sections";
    if (!elf_is_inside(elf, header->e_shoff, sizeof first) ||
        !elf_pread(elf, &first, sizeof first, header->e_shoff))
        return elf_damaged;
    if (count == 0)
        count = first.sh_size;
    if (*names == SHN_XINDEX)
        *names = first.sh_link;
    if (count == 0 || count > ELF_SECTIONS)
        return elf_damaged;
    elf->sections = count;
    return NULL;
}

static const char *elf_read_headers(struct ccprof_elf *elf)
{
    Elf64_Ehdr header;
    const Elf64_Shdr *section;
    const char *problem;
    uint64_t names;

    if (!elf_is_inside(elf, 0, sizeof header) ||
        !elf_pread(elf, &header, sizeof header, 0) ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB ||
        (header.e_type != ET_EXEC && header.e_type != ET_DYN))
        return "not an executable or shared object";
    problem = elf_count_sections(elf, &header, &names);
    if (!problem)
        problem =
            elf_copy(elf, header.e_shoff, elf->sections * sizeof *section, &elf->headers);
    if (problem)
        return problem;
    section = ccprof_elf_section(elf, names);
    return section ? elf_copy(elf, section->sh_offset, section->sh_size, &elf->names)
                   : elf_damaged;
}

const char *ccprof_elf_open(struct ccprof_elf *elf, const char *path)
{
    struct stat status;
    const char *problem;

    memset(elf, 0, sizeof *elf);
    if (!ccprof_file_open(&elf->file, AT_FDCWD, path, O_RDONLY | O_NONBLOCK, 0))
        return ccprof_say_error(errno);
    if (ccprof_sys_fstat(elf->file.fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        problem = "not a regular file";
    } else {
        elf->size = (uint64_t)status.st_size;
        problem = elf_read_headers(elf);
    }
    if (problem)
        ccprof_elf_close(elf);
    else
        elf_find_id(elf);
    return problem;
}

void ccprof_elf_close(struct ccprof_elf *elf)
{
    ccprof_pages_free(&elf->headers);
    ccprof_pages_free(&elf->names);
    ccprof_file_close(&elf->file);
    elf->sections = 0;
}

/* Returns false if the file has no usable table of this type. */
static bool symbols_read(struct ccprof_symbols *symbols, const struct ccprof_elf *elf,
                         uint32_t type)
{
    const Elf64_Shdr *section = ccprof_elf_find(elf, type, NULL, NULL);
    const Elf64_Shdr *strings =
        section ? ccprof_elf_section(elf, section->sh_link) : NULL;

    if (!strings || ccprof_elf_read(elf, section, &symbols->symbols))
        return false;
    if (!ccprof_elf_read(elf, strings, &symbols->strings) && symbols->strings.size != 0 &&
        symbols->strings.start[symbols->strings.size - 1] == 0)
        return true;
    ccprof_symbols_free(symbols);
    return false;
}

void ccprof_symbols_read(struct ccprof_symbols *symbols, const struct ccprof_elf *elf)
{
    if (!symbols_read(symbols, elf, SHT_SYMTAB))
        symbols_read(symbols, elf, SHT_DYNSYM);
}

void ccprof_symbols_free(struct ccprof_symbols *symbols)
{
    ccprof_pages_free(&symbols->symbols);
    ccprof_pages_free(&symbols->strings);
}

static bool symbols_holds(const Elf64_Sym *symbol, uint64_t address)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF &&
           address - symbol->st_value < symbol->st_size;
}

/* Prefers a global name: if a function has several names, other modules use the global
   one. */
static bool symbols_is_better(const Elf64_Sym *candidate, const Elf64_Sym *best)
{
    return !best || (ELF64_ST_BIND(best->st_info) == STB_LOCAL &&
                     ELF64_ST_BIND(candidate->st_info) != STB_LOCAL);
}

const char *ccprof_symbols_find(const struct ccprof_symbols *symbols, uint64_t address)
{
    const Elf64_Sym *all = (const Elf64_Sym *)(const void *)symbols->symbols.start;
    size_t count = symbols->symbols.size / sizeof *all;
    const Elf64_Sym *found = NULL;

    for (size_t i = 0; i < count; i++)
        if (symbols_holds(&all[i], address) && symbols_is_better(&all[i], found))
            found = &all[i];
    if (!found || found->st_name >= symbols->strings.size)
        return NULL;
    return (const char *)symbols->strings.start + found->st_name;
}
