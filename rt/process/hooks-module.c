/* SPDX-License-Identifier: MIT */
/* Implements the reading of modules and the changing of slots.  Owns nothing.  Called by
   hooks-got.c, in the constructor and by a thread that has loaded modules.  */

#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "rt/process/hooks-module.h"
#include "rt/os/sys.h"

bool ccprof_hooks_module_holds(const struct dl_phdr_info *info, const void *address)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && (uintptr_t)address >= from &&
            (uintptr_t)address - from < segment->p_memsz)
            return true;
    }
    return false;
}

/* On some machines the loader has added the bias to the addresses in the dynamic section,
   on others not.  */
static const void *module_address(const struct ccprof_hooks_module *module,
                                  ElfW(Addr) address)
{
    return (const void *)(address < module->bias ? address + module->bias : address);
}

static void module_dynamic(struct ccprof_hooks_module *module, const ElfW(Dyn) * entry)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        const void *address = module_address(module, entry->d_un.d_ptr);
        switch (entry->d_tag) {
        case DT_SYMTAB:
            module->symbols = address;
            break;
        case DT_STRTAB:
            module->strings = address;
            break;
        case DT_JMPREL:
            module->slots = address;
            break;
        case DT_PLTRELSZ:
            module->slots_size = entry->d_un.d_val;
            break;
        case DT_RELA:
            module->others = address;
            break;
        case DT_RELASZ:
            module->others_size = entry->d_un.d_val;
            break;
        }
    }
}

/* Returns whether the loader has made the slot's page read-only.  */
static bool module_is_protected(const struct ccprof_hooks_module *module, uintptr_t page,
                                uintptr_t size)
{
    for (unsigned i = 0; i < module->info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &module->info->dlpi_phdr[i];
        uintptr_t from = module->bias + segment->p_vaddr;
        if (segment->p_type == PT_GNU_RELRO && page >= (from & -size) &&
            page < ((from + segment->p_memsz) & -size))
            return true;
    }
    return false;
}

bool ccprof_hooks_module_is_relocated(const struct ccprof_hooks_module *module,
                                      uintptr_t content)
{
    uintptr_t end = 0;
    for (unsigned i = 0; i < module->info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &module->info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && segment->p_vaddr + segment->p_memsz > end)
            end = segment->p_vaddr + segment->p_memsz;
    }
    return module->bias == 0 || content >= end;
}

void ccprof_hooks_module_store(const struct ccprof_hooks_module *module,
                               ccprof_hooks_function *slot,
                               ccprof_hooks_function function)
{
    ccprof_hooks_function content = __atomic_load_n(slot, __ATOMIC_RELAXED);
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)slot & -size;
    bool is_protected = module_is_protected(module, page, size);

    if (content == function ||
        !ccprof_hooks_module_is_relocated(module, (uintptr_t)content))
        return;
    if (is_protected && mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0)
        return;
    __atomic_store_n(slot, function, __ATOMIC_RELAXED);
    if (is_protected)
        mprotect((void *)page, size, PROT_READ);
}

void ccprof_hooks_module_read(struct ccprof_hooks_module *module,
                              const struct dl_phdr_info *info)
{
    memset(module, 0, sizeof *module);
    module->bias = info->dlpi_addr;
    module->info = info;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            module_dynamic(module,
                           (const void *)(module->bias + info->dlpi_phdr[i].p_vaddr));
}
