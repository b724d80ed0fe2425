/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/elf/bindings.h"
#include "mlprof/base/buf.h"
#include "mlprof/elf/elffile.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

struct slot {
    uint64_t address;
    enum bindings_what what;
    const char *name;
    uint64_t target;
};

struct export
{
    const char *name;
    uint64_t address;
};

struct bindings {
    struct elffile *file; /* has the names */
    struct slot *slots;   /* by address */
    size_t slot_count, slot_capacity;
    /* Of the global offset table, which the program's code does not change.  */
    uint64_t got_start, got_end;
    struct export *exports; /* by name */
    size_t export_count, export_capacity;
};

/* The symbols to which the relocations of a section refer.  */
struct names {
    Elf_Data *symbols;
    size_t strings; /* section number of the strings */
};

static bool find_names(Elf *elf, size_t section, struct names *names)
{
    GElf_Shdr header;
    Elf_Scn *symbols = section ? elf_getscn(elf, section) : NULL;
    if (!symbols || !gelf_getshdr(symbols, &header) || header.sh_type != SHT_DYNSYM)
        return false;
    names->strings = header.sh_link;
    names->symbols = elf_getdata(symbols, NULL);
    return names->symbols;
}

static const char *name_of(Elf *elf, const struct names *names, uint64_t number)
{
    GElf_Sym symbol;
    if (number == 0 || number > INT32_MAX ||
        !gelf_getsym(names->symbols, (int)number, &symbol))
        return NULL;
    return elf_strptr(elf, names->strings, symbol.st_name);
}

static void find_got(struct bindings *bindings)
{
    Elf *elf = bindings->file->elf;
    size_t names;
    GElf_Shdr header;
    if (elf_getshdrstrndx(elf, &names) < 0)
        return;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        const char *name = gelf_getshdr(section, &header)
                               ? elf_strptr(elf, names, header.sh_name)
                               : NULL;
        if (!name || strcmp(name, ".got") != 0)
            continue;
        bindings->got_start = header.sh_addr;
        bindings->got_end = header.sh_addr + header.sh_size;
    }
}

/* Adds a relocation of x86-64, the only machine whose code is read (insns.h).  */
static void add_slot(struct bindings *bindings, const GElf_Rela *relocation,
                     const struct names *names)
{
    struct slot slot = {.address = relocation->r_offset, .what = BINDINGS_NOTHING};
    switch (GELF_R_TYPE(relocation->r_info)) {
    case R_X86_64_JUMP_SLOT:
    case R_X86_64_GLOB_DAT:
        if (names)
            slot.name =
                name_of(bindings->file->elf, names, GELF_R_SYM(relocation->r_info));
        if (slot.name && slot.name[0])
            slot.what = BINDINGS_SYMBOL;
        break;
    case R_X86_64_RELATIVE:
        /* A word outside of the global offset table is the initial value of a variable,
           which may change.  */
        if (slot.address < bindings->got_start || slot.address >= bindings->got_end)
            break;
        slot.what = BINDINGS_ADDRESS;
        slot.target = (uint64_t)relocation->r_addend;
        break;
    }
    if (slot.what == BINDINGS_NOTHING)
        return;
    BUF_NEXT(bindings->slots, bindings->slot_count, bindings->slot_capacity) = slot;
}

static void add_slots(struct bindings *bindings, Elf_Scn *section,
                      const GElf_Shdr *header)
{
    struct names names;
    bool named = find_names(bindings->file->elf, header->sh_link, &names);
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Rela relocation;
    for (int i = 0; data && gelf_getrela(data, i, &relocation); i++)
        add_slot(bindings, &relocation, named ? &names : NULL);
}

static void add_exports(struct bindings *bindings, Elf_Scn *section,
                        const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;
    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
        unsigned type = GELF_ST_TYPE(symbol.st_info);
        if (symbol.st_shndx == SHN_UNDEF || GELF_ST_BIND(symbol.st_info) == STB_LOCAL ||
            (type != STT_FUNC && type != STT_GNU_IFUNC))
            continue;
        const char *name =
            elf_strptr(bindings->file->elf, header->sh_link, symbol.st_name);
        if (!name || !name[0])
            continue;
        BUF_NEXT(bindings->exports, bindings->export_count, bindings->export_capacity) =
            (struct export){.name = name,
                            .address = type == STT_FUNC ? symbol.st_value : 0};
    }
}

static void add_sections(struct bindings *bindings)
{
    Elf *elf = bindings->file->elf;
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC))
            continue;
        if (header.sh_type == SHT_RELA)
            add_slots(bindings, section, &header);
        else if (header.sh_type == SHT_DYNSYM)
            add_exports(bindings, section, &header);
    }
}

/* Leaves one export of each name.  */
static void join_exports(struct bindings *bindings)
{
    size_t kept = 0;
    for (size_t i = 0; i < bindings->export_count; i++) {
        struct export *last = kept ? &bindings->exports[kept - 1] : NULL;
        if (!last || strcmp(last->name, bindings->exports[i].name) != 0)
            bindings->exports[kept++] = bindings->exports[i];
        else if (last->address != bindings->exports[i].address)
            last->address = 0;
    }
    bindings->export_count = kept;
}

BUF_COMPARE(by_address, struct slot, BUF_ORDER(a->address, b->address))

BUF_COMPARE(by_name, struct export, strcmp(a->name, b->name))

struct bindings *bindings_read(const char *path, const char *build_id)
{
    struct bindings *bindings = buf_alloc(sizeof *bindings);
    struct fault fault = {0};
    bindings->file = elffile_open(path, &fault);
    fault_clear(&fault);
    if (!bindings->file || !elffile_same_build_id(bindings->file->build_id, build_id))
        return bindings;
    find_got(bindings);
    add_sections(bindings);
    BUF_SORT(bindings->slots, bindings->slot_count, by_address);
    BUF_SORT(bindings->exports, bindings->export_count, by_name);
    join_exports(bindings);
    return bindings;
}

void bindings_free(struct bindings *bindings)
{
    if (!bindings)
        return;
    elffile_close(bindings->file);
    free(bindings->slots);
    free(bindings->exports);
    free(bindings);
}

enum bindings_what bindings_slot(const struct bindings *bindings, uint64_t slot,
                                 const char **name, uint64_t *address)
{
    const struct slot key = {.address = slot};
    const struct slot *found = NULL;
    if (bindings->slot_count)
        found = bsearch(&key, bindings->slots, bindings->slot_count,
                        sizeof *bindings->slots, by_address);
    if (!found)
        return BINDINGS_NOTHING;
    *name = found->name;
    *address = found->target;
    return found->what;
}

bool bindings_export(const struct bindings *bindings, const char *name, uint64_t *address)
{
    const struct export key = {.name = name};
    const struct export *found = NULL;
    if (bindings->export_count)
        found = bsearch(&key, bindings->exports, bindings->export_count,
                        sizeof *bindings->exports, by_name);
    if (found)
        *address = found->address;
    return found;
}
