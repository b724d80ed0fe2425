/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the symbol tables, sorts the symbols by address, and chooses one name if
   several symbols share an address. The last part reads the relocations of the global
   offset table. */

#include "mlprof/elf/symbols.h"
#include "mlprof/base/buf.h"
#include "mlprof/elf/elffile.h"

#include <stdlib.h>
#include <string.h>

struct symbol {
    uint64_t start, size;
    char *name;
    /* If several symbols have the same address, the symbol with the lowest rank is
       used. */
    unsigned rank;
};

struct symbols {
    struct symbol *symbols; /* in the order of START, which is unique */
    size_t count, capacity;
    bool data; /* variables are included */
};

static Elf_Scn *find_section(const struct elffile *file, GElf_Word type,
                             GElf_Shdr *header)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(file->elf, section));)
        if (gelf_getshdr(section, header) && header->sh_type == type &&
            header->sh_entsize != 0)
            return section;
    return NULL;
}

static bool has_symtab(const struct elffile *file)
{
    GElf_Shdr header;
    return find_section(file, SHT_SYMTAB, &header) != NULL;
}

/* Returns whether the symbol is a function or, with DATA, a variable. Symbols without a
   type are labels of assembly code and count as functions if they are in code. Excluded
   are the mapping symbols of ARM and RISC-V ($x) and the assembler's local labels (.L).
 */
static bool is_named(const GElf_Sym *symbol, const GElf_Shdr *section, const char *name,
                     bool data)
{
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    if (type == STT_FUNC || type == STT_GNU_IFUNC || (data && type == STT_OBJECT))
        return name[0];
    return type == STT_NOTYPE && (section->sh_flags & SHF_EXECINSTR) && name[0] &&
           name[0] != '$' && name[0] != '.';
}

static bool find_section_of(const struct elffile *file, const GElf_Sym *symbol,
                            GElf_Shdr *header)
{
    Elf_Scn *section = NULL;
    if (symbol->st_shndx != SHN_UNDEF)
        section = elf_getscn(file->elf, symbol->st_shndx);
    return section && gelf_getshdr(section, header) &&
           symbol->st_value - header->sh_addr < header->sh_size;
}

/* Global and weak symbols come before local ones, and among them the name that programs
   use before those that are reserved for libraries: fgets, not _IO_fgets. */
static unsigned rank_of(const GElf_Sym *symbol, const char *name)
{
    unsigned binding = GELF_ST_BIND(symbol->st_info);
    bool shared = binding == STB_GLOBAL || binding == STB_WEAK;
    bool reserved = name[0] == '_' && name[1] != 'Z';
    return (symbol->st_size == 0) << 3 | !shared << 2 | reserved << 1 |
           (binding != STB_GLOBAL);
}

static void add_symbol(struct symbols *symbols, const struct elffile *file,
                       const GElf_Sym *symbol, const char *name)
{
    GElf_Shdr section;
    if (!find_section_of(file, symbol, &section) ||
        !is_named(symbol, &section, name, symbols->data))
        return;
    uint64_t rest = section.sh_size - (symbol->st_value - section.sh_addr);
    BUF_NEXT(symbols->symbols, symbols->count, symbols->capacity) =
        (struct symbol){.start = symbol->st_value,
                        .size = symbol->st_size ? symbol->st_size : rest,
                        .name = buf_copy(name),
                        .rank = rank_of(symbol, name)};
}

static void add_table(struct symbols *symbols, const struct elffile *file, GElf_Word type)
{
    GElf_Shdr header;
    Elf_Scn *section = find_section(file, type, &header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    GElf_Sym symbol;
    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
        const char *name = elf_strptr(file->elf, header.sh_link, symbol.st_name);
        if (!name)
            return;
        add_symbol(symbols, file, &symbol, name);
    }
}

static int by_start(const void *one, const void *other)
{
    const struct symbol *a = one, *b = other;
    /* Prefer the shorter name, which programs use: sqrt, not f32xsqrtf64. */
    return BUF_ORDER(a->start, b->start) ?: BUF_ORDER(a->rank, b->rank) ?:
           BUF_ORDER(strlen(a->name), strlen(b->name)) ?: strcmp(a->name, b->name);
}

static void sort(struct symbols *symbols)
{
    size_t kept = 0;
    BUF_SORT(symbols->symbols, symbols->count, by_start);
    for (size_t i = 0; i < symbols->count; i++)
        if (kept && symbols->symbols[kept - 1].start == symbols->symbols[i].start)
            free(symbols->symbols[i].name);
        else
            symbols->symbols[kept++] = symbols->symbols[i];
    symbols->count = kept;
}

struct symbols *symbols_read(const char *path, const char *build_id, bool data)
{
    struct symbols *symbols = buf_alloc(sizeof *symbols);
    symbols->data = data;
    struct fault fault = {0};
    struct elffile *file = elffile_open(path, &fault);
    if (file && elffile_same_build_id(file->build_id, build_id)) {
        struct elffile *debug = NULL;
        if (!has_symtab(file))
            debug = debugfile_open(file, has_symtab, &fault);
        add_table(symbols, debug ? debug : file, SHT_SYMTAB);
        add_table(symbols, file, SHT_DYNSYM);
        elffile_close(debug);
        sort(symbols);
    }
    elffile_close(file);
    fault_clear(&fault);
    return symbols;
}

void symbols_free(struct symbols *symbols)
{
    if (!symbols)
        return;
    for (size_t i = 0; i < symbols->count; i++)
        free(symbols->symbols[i].name);
    free(symbols->symbols);
    free(symbols);
}

const char *symbols_find(const struct symbols *symbols, uint64_t address,
                         uint64_t *offset)
{
    size_t low;
    BUF_SEARCH(low, symbols->count, i, symbols->symbols[i].start <= address);
    if (low == 0)
        return NULL;
    const struct symbol *symbol = &symbols->symbols[low - 1];
    if (offset)
        *offset = address - symbol->start;
    return address - symbol->start < symbol->size ? symbol->name : NULL;
}

bool segments_find_code(const char *path, struct segments_code *code)
{
    struct elffile *file = elffile_try(path);
    size_t count = 0;
    bool found = false;
    if (file && elf_getphdrnum(file->elf, &count) != 0)
        count = 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(file->elf, (int)i, &header) || header.p_type != PT_LOAD)
            continue;
        if (!(header.p_flags & PF_X) || header.p_vaddr + header.p_memsz < header.p_vaddr)
            continue;
        if (!found) {
            code->start = header.p_vaddr;
            code->offset = header.p_offset;
        }
        code->end = header.p_vaddr + header.p_memsz;
        found = true;
    }
    elffile_close(file);
    return found && code->start < code->end;
}

bool segments_is_static(const char *path)
{
    struct elffile *file = elffile_try(path);
    size_t count = 0;
    bool interpreted = false;
    bool known = file && elf_getphdrnum(file->elf, &count) == 0 && count;
    for (size_t i = 0; known && i < count; i++) {
        GElf_Phdr header;
        interpreted |=
            gelf_getphdr(file->elf, (int)i, &header) && header.p_type == PT_INTERP;
    }
    elffile_close(file);
    return known && !interpreted;
}

/* Returns whether NAME is a non-const member function of std::string or std::wstring
   that does more than free memory. */
static bool is_string(const char *name)
{
    static const char prefix[] = "_ZNSt7__cxx1112basic_stringI";
    static const char *const harmless[] = {"_M_dispose", "_M_destroy", "_M_erase", "D1Ev",
                                           "D2Ev"};
    if (!name || strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strstr(name, harmless[i]))
            return false;
    return true;
}

bool imports_strings(const char *path)
{
    struct elffile *file = elffile_try(path);
    GElf_Shdr header;
    GElf_Sym symbol;
    Elf_Scn *section = file ? find_section(file, SHT_DYNSYM, &header) : NULL;
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    bool found = false;
    for (int i = 0; !found && data && gelf_getsym(data, i, &symbol); i++)
        found = symbol.st_shndx == SHN_UNDEF &&
                is_string(elf_strptr(file->elf, header.sh_link, symbol.st_name));
    elffile_close(file);
    return found;
}

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
    struct elffile *file;          /* owns the names */
    BUF_VECTOR(struct slot) slots; /* by address */
    /* The bounds of the global offset table, which the program's own code does not
       change. */
    uint64_t got_start, got_end;
    BUF_VECTOR(struct export) exports; /* by name */
};

/* The symbols used by the relocations of a section. */
struct names {
    Elf_Data *symbols;
    size_t strings; /* section number of the symbols' names */
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

/* Adds a relocation. Only relocations of x86-64 are known, because mlprof decodes no
   other machine code (insns.h). */
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
        /* A word outside the global offset table is the initial value of a variable
           and may change. */
        if (slot.address < bindings->got_start || slot.address >= bindings->got_end)
            break;
        slot.what = BINDINGS_ADDRESS;
        slot.target = (uint64_t)relocation->r_addend;
        break;
    }
    if (slot.what == BINDINGS_NOTHING)
        return;
    BUF_PUSH(bindings->slots) = slot;
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
        BUF_PUSH(bindings->exports) = (struct export){
            .name = name, .address = type == STT_FUNC ? symbol.st_value : 0};
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

/* Removes duplicate names. If exports with the same name have different addresses, the
   address becomes 0. */
static void join_exports(struct bindings *bindings)
{
    size_t kept = 0;
    for (size_t i = 0; i < bindings->exports.count; i++) {
        struct export *last = kept ? &bindings->exports.list[kept - 1] : NULL;
        if (!last || strcmp(last->name, bindings->exports.list[i].name) != 0)
            bindings->exports.list[kept++] = bindings->exports.list[i];
        else if (last->address != bindings->exports.list[i].address)
            last->address = 0;
    }
    bindings->exports.count = kept;
}

BUF_COMPARE(by_address, struct slot, BUF_ORDER(a->address, b->address))

BUF_COMPARE(by_name, struct export, strcmp(a->name, b->name))

struct bindings *bindings_read(const char *path, const char *build_id)
{
    struct bindings *bindings = buf_alloc(sizeof *bindings);
    bindings->file = elffile_try(path);
    if (!bindings->file || !elffile_same_build_id(bindings->file->build_id, build_id))
        return bindings;
    GElf_Shdr got;
    if (elffile_section(bindings->file, ".got", &got)) {
        bindings->got_start = got.sh_addr;
        bindings->got_end = got.sh_addr + got.sh_size;
    }
    add_sections(bindings);
    BUF_SORT(bindings->slots.list, bindings->slots.count, by_address);
    BUF_SORT(bindings->exports.list, bindings->exports.count, by_name);
    join_exports(bindings);
    return bindings;
}

void bindings_free(struct bindings *bindings)
{
    if (!bindings)
        return;
    elffile_close(bindings->file);
    free(bindings->slots.list);
    free(bindings->exports.list);
    free(bindings);
}

enum bindings_what bindings_slot(const struct bindings *bindings, uint64_t slot,
                                 const char **name, uint64_t *address)
{
    size_t place;
    BUF_SEARCH(place, bindings->slots.count, i, bindings->slots.list[i].address < slot);
    if (place == bindings->slots.count || bindings->slots.list[place].address != slot)
        return BINDINGS_NOTHING;
    const struct slot *found = &bindings->slots.list[place];
    *name = found->name;
    *address = found->target;
    return found->what;
}

bool bindings_export(const struct bindings *bindings, const char *name, uint64_t *address)
{
    size_t i;
    BUF_SEARCH(i, bindings->exports.count, k,
               strcmp(bindings->exports.list[k].name, name) < 0);
    if (i == bindings->exports.count || strcmp(bindings->exports.list[i].name, name) != 0)
        return false;
    *address = bindings->exports.list[i].address;
    return true;
}
