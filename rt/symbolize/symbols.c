/* SPDX-License-Identifier: MIT */
/* Reads symbol tables.  Owns nothing.  Called by chain-modules.c, which owns the
   memory.  */

#include "rt/symbolize/symbols.h"

/* Returns false if the file has no usable table of this type.  */
static bool symbols_read(struct ccprof_symbols *symbols, const struct ccprof_elf *elf,
                         uint32_t type)
{
    const Elf64_Shdr *section = ccprof_elf_find(elf, type, NULL, NULL);
    const Elf64_Shdr *strings =
        section ? ccprof_elf_section(elf, section->sh_link) : NULL;

    if (!strings || ccprof_elf_read(elf, section, &symbols->symbols))
        return false;
    if (!ccprof_elf_read(elf, strings, &symbols->strings) && symbols->strings.size != 0 &&
        symbols->strings.at[symbols->strings.size - 1] == 0)
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

/* Prefers a global name: if a function has several names, other modules know the global
   one.  */
static bool symbols_is_better(const Elf64_Sym *one, const Elf64_Sym *than)
{
    return !than || (ELF64_ST_BIND(than->st_info) == STB_LOCAL &&
                     ELF64_ST_BIND(one->st_info) != STB_LOCAL);
}

const char *ccprof_symbols_find(const struct ccprof_symbols *symbols, uint64_t address)
{
    const Elf64_Sym *all = (const Elf64_Sym *)(const void *)symbols->symbols.at;
    size_t count = symbols->symbols.size / sizeof *all;
    const Elf64_Sym *found = NULL;

    for (size_t i = 0; i < count; i++)
        if (symbols_holds(&all[i], address) && symbols_is_better(&all[i], found))
            found = &all[i];
    if (!found || found->st_name >= symbols->strings.size)
        return NULL;
    return (const char *)symbols->strings.at + found->st_name;
}
