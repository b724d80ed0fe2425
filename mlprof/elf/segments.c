/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/elf/segments.h"
#include "mlprof/elf/elffile.h"

#include <gelf.h>

bool segments_find_code(const char *path, struct segments_code *code)
{
    struct fault fault = {0};
    struct elffile *file = elffile_open(path, &fault);
    fault_clear(&fault);
    size_t count = 0;
    code->image = UINT64_MAX;
    bool found = false;
    if (file && elf_getphdrnum(file->elf, &count) != 0)
        count = 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(file->elf, (int)i, &header) || header.p_type != PT_LOAD)
            continue;
        if (header.p_vaddr < code->image)
            code->image = header.p_vaddr;
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
    struct fault fault = {0};
    struct elffile *file = elffile_open(path, &fault);
    fault_clear(&fault);
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
