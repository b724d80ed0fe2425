/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/elf/elffile.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/regular.h"
#include "mlprof/elf/wrong-file.h"
#include "rt/format.h"

#include <gelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX ".ccprof."

/* Deflate makes at most 1032 bytes of one (zlib's technical notes).  */
#define DEFLATE_MOST 1032
/* No section of ccprof's is larger than this when it is decompressed.  */
#define DECOMPRESSED_MOST ((uint64_t)1 << 30)

/* How many bytes all sections may still have: hostile section headers can all point at
   the same bytes of the file.  */
struct budget {
    uint64_t raw, decompressed;
};

static bool open_descriptor(struct elffile *file, struct fault *fault, uint64_t *size)
{
    struct regular regular = {.descriptor = -1};
    enum regular_state state = regular_open(file->path, &regular);
    file->descriptor = regular.descriptor;
    *size = regular.size;
    switch (state) {
    case REGULAR_IS:
        return true;
    case REGULAR_FOLDER:
        return fault_set(fault, FAULT_FORMAT, file->path, "a folder, not an ELF file");
    case REGULAR_EMPTY:
        return fault_set(fault, FAULT_FORMAT, file->path, "not an ELF file");
    case REGULAR_CANNOT:
    case REGULAR_OTHER:
        break;
    }
    return fault_set(fault, state == REGULAR_CANNOT ? FAULT_FILE : FAULT_FORMAT,
                     file->path, "%s", regular_tell(state));
}

static bool check_type(struct elffile *file, struct fault *fault)
{
    Elf *elf = file->elf;
    GElf_Ehdr header;
    if (elf && elf_kind(elf) == ELF_K_AR)
        return fault_set(fault, FAULT_FORMAT, file->path,
                         "an archive, not an executable or shared object");
    if (!elf || elf_kind(elf) != ELF_K_ELF) {
        char *what = wrong_file_instead_of_program(file->path, file->descriptor);
        fault_set(fault, FAULT_FORMAT, file->path, "%s", what);
        free(what);
        return false;
    }
    if (!gelf_getehdr(elf, &header))
        return fault_set(fault, FAULT_GARBLED, file->path,
                         "the ELF header is damaged: %s", elf_errmsg(-1));
    if (header.e_type == ET_REL)
        return fault_set(fault, FAULT_FORMAT, file->path,
                         "an object file: name the executable or shared object that it "
                         "is linked into");
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return fault_set(fault, FAULT_FORMAT, file->path,
                         "neither an executable nor a shared object");
    size_t count;
    if (elf_getshdrnum(elf, &count) < 0 || (header.e_shoff != 0 && count == 0))
        return fault_set(fault, FAULT_GARBLED, file->path,
                         "the section headers lie behind the end of the file");
    file->big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
    file->machine = header.e_machine;
    return true;
}

static bool damaged(struct elffile *file, const char *section, struct fault *fault)
{
    return fault_set(fault, FAULT_GARBLED, file->path, "section %s is damaged: %s",
                     section, elf_errmsg(-1));
}

static bool spend(uint64_t *budget, uint64_t size)
{
    if (size > *budget)
        return false;
    *budget -= size;
    return true;
}

static bool decompress(struct elffile *file, Elf_Scn *section, const char *name,
                       uint64_t raw_size, struct budget *budget, struct fault *fault)
{
    GElf_Chdr header;
    if (!gelf_getchdr(section, &header))
        return damaged(file, name, fault);
    if (header.ch_size / DEFLATE_MOST > raw_size ||
        !spend(&budget->decompressed, header.ch_size))
        return fault_set(fault, FAULT_GARBLED, file->path,
                         "section %s is damaged: its size cannot be right", name);
    if (elf_compress(section, 0, 0) < 0)
        return damaged(file, name, fault);
    return true;
}

/* Adds SECTION, one of ccprof's, to FILE.  */
static bool add_section(struct elffile *file, Elf_Scn *section, const char *name,
                        const GElf_Shdr *header, struct budget *budget,
                        struct fault *fault)
{
    if (header->sh_size == 0)
        return true;
    if (!spend(&budget->raw, header->sh_size))
        return fault_set(fault, FAULT_GARBLED, file->path,
                         "section %s and those before it are larger than the file", name);
    if ((header->sh_flags & SHF_COMPRESSED) &&
        !decompress(file, section, name, header->sh_size, budget, fault))
        return false;
    Elf_Data *data = elf_rawdata(section, NULL);
    if (data && data->d_size == 0)
        return true;
    if (!data || !data->d_buf)
        return damaged(file, name, fault);

    BUF_NEXT(file->sections, file->section_count, file->section_capacity) =
        (struct elffile_section){.name = name, .data = data->d_buf, .size = data->d_size};
    return true;
}

static char *hexadecimal(const unsigned char *bytes, size_t count)
{
    char *text = buf_alloc(2 * count + 1);
    for (size_t i = 0; i < count; i++) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    return text;
}

static void read_note(struct elffile *file, const GElf_Nhdr *note, const char *name,
                      const unsigned char *description)
{
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof "GNU" &&
        memcmp(name, "GNU", sizeof "GNU") == 0 && note->n_descsz > 0 && !file->build_id)
        file->build_id = hexadecimal(description, note->n_descsz);
    if ((note->n_type == CCPROF_NOTE_FIELD || note->n_type == CCPROF_NOTE_FIELD_PLACED) &&
        note->n_namesz == sizeof CCPROF_NOTE_NAME &&
        memcmp(name, CCPROF_NOTE_NAME, sizeof CCPROF_NOTE_NAME) == 0)
        file->has_field = true;
}

static void read_notes(struct elffile *file, Elf_Scn *section, const GElf_Shdr *header,
                       struct budget *budget)
{
    if (!spend(&budget->raw, header->sh_size))
        return;
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || !data->d_buf)
        return;
    GElf_Nhdr note;
    size_t name, description, at = 0;
    while ((at = gelf_getnote(data, at, &note, &name, &description)) > 0)
        read_note(file, &note, (const char *)data->d_buf + name,
                  (const unsigned char *)data->d_buf + description);
}

static void find_debuglink(struct elffile *file, Elf_Scn *section,
                           const GElf_Shdr *header, struct budget *budget)
{
    if (file->debuglink || !spend(&budget->raw, header->sh_size))
        return;
    Elf_Data *data = elf_rawdata(section, NULL);
    if (!data || !data->d_buf)
        return;
    size_t length = strnlen(data->d_buf, data->d_size);
    if (length > 0 && length < data->d_size)
        file->debuglink = buf_copy(data->d_buf);
}

static bool read_section(struct elffile *file, Elf_Scn *section, size_t names,
                         struct budget *budget, struct fault *fault)
{
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header))
        return damaged(file, "header", fault);
    if (header.sh_type == SHT_NOTE)
        read_notes(file, section, &header, budget);
    if (header.sh_type != SHT_PROGBITS)
        return true;
    const char *name = elf_strptr(file->elf, names, header.sh_name);
    if (!name)
        return fault_set(fault, FAULT_GARBLED, file->path,
                         "a section's name lies outside of the section names");
    if (strncmp(name, PREFIX, strlen(PREFIX)) == 0)
        return add_section(file, section, name, &header, budget, fault);
    if (strcmp(name, ".gnu_debuglink") == 0)
        find_debuglink(file, section, &header, budget);
    return true;
}

static bool read_sections(struct elffile *file, uint64_t file_size, struct fault *fault)
{
    struct budget budget = {.raw = file_size, .decompressed = DECOMPRESSED_MOST};
    size_t names;
    if (elf_getshdrstrndx(file->elf, &names) < 0)
        return fault_set(fault, FAULT_GARBLED, file->path, "it has no section names: %s",
                         elf_errmsg(-1));
    for (Elf_Scn *section = NULL; (section = elf_nextscn(file->elf, section));)
        if (!read_section(file, section, names, &budget, fault))
            return false;
    return true;
}

struct elffile *elffile_open(const char *path, struct fault *fault)
{
    struct elffile *file = buf_alloc(sizeof *file);
    uint64_t size = 0;
    file->path = buf_copy(path);
    if (open_descriptor(file, fault, &size)) {
        elf_version(EV_CURRENT);
        file->elf = elf_begin(file->descriptor, ELF_C_READ_MMAP, NULL);
        if (check_type(file, fault) && read_sections(file, size, fault))
            return file;
    }
    elffile_close(file);
    return NULL;
}

void elffile_close(struct elffile *file)
{
    if (!file)
        return;
    if (file->elf)
        elf_end(file->elf);
    if (file->descriptor >= 0)
        close(file->descriptor);
    free(file->sections);
    free(file->debuglink);
    free(file->build_id);
    free(file->path);
    free(file);
}

bool elffile_has_tables(const struct elffile *file)
{
    for (size_t i = 0; i < file->section_count; i++)
        if (strcmp(file->sections[i].name, CCPROF_SECTION_UNIT) == 0 ||
            strcmp(file->sections[i].name, CCPROF_SECTION_CODE) == 0)
            return true;
    return false;
}

/* The section of machine code at ADDRESS; NULL: there is none.  */
static Elf_Scn *code_at(const struct elffile *file, uint64_t address, GElf_Shdr *header)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(file->elf, section));)
        if (gelf_getshdr(section, header) && header->sh_flags & SHF_EXECINSTR &&
            address - header->sh_addr < header->sh_size)
            return section;
    return NULL;
}

bool elffile_is_code(const struct elffile *file, uint64_t address)
{
    GElf_Shdr header;
    return code_at(file, address, &header) != NULL;
}

bool elffile_is_stub(const struct elffile *file, uint64_t address)
{
    GElf_Shdr header;
    size_t names;
    if (!code_at(file, address, &header) || elf_getshdrstrndx(file->elf, &names) != 0)
        return false;
    const char *name = elf_strptr(file->elf, names, header.sh_name);
    return name && strncmp(name, ".plt", 4) == 0;
}

bool elffile_same_build_id(const char *one, const char *other)
{
    if (!one || !other)
        return one == other;
    return strcmp(one, other) == 0;
}
