/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/elf/imports.h"
#include "mlprof/elf/elffile.h"

#include <gelf.h>
#include <string.h>

/* Whether NAME is a member of std::string or std::wstring that is not const and does more
   than free memory.  */
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

static bool has_string(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    GElf_Sym symbol;
    for (size_t i = 0; data && i < count && gelf_getsym(data, (int)i, &symbol); i++)
        if (symbol.st_shndx == SHN_UNDEF &&
            is_string(elf_strptr(elf, header->sh_link, symbol.st_name)))
            return true;
    return false;
}

bool imports_strings(const char *path)
{
    struct fault fault = {0};
    struct elffile *file = elffile_open(path, &fault);
    bool found = false;
    GElf_Shdr header;
    fault_clear(&fault);
    for (Elf_Scn *section = NULL;
         file && !found && (section = elf_nextscn(file->elf, section));)
        found = gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM &&
                has_string(file->elf, section, &header);
    elffile_close(file);
    return found;
}
