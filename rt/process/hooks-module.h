/* SPDX-License-Identifier: MIT */
/* Finds and changes the slots of the global offset table through which a module calls
   functions of others.  Only hooks-got.c uses this.  */

#ifndef CCPROF_HOOKS_MODULE_H
#define CCPROF_HOOKS_MODULE_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The type of a slot's content.  */
typedef void (*ccprof_hooks_function)(void);

/* What must be known of a module, mostly from its dynamic section.  */
struct ccprof_hooks_module {
    bool has_pool;  /* it is OpenMP's library, whose threads are reused */
    bool allocates; /* its calls of allocators are to come to the runtime */
    bool maps;      /* those of mmap are */
    ElfW(Addr) bias;
    const struct dl_phdr_info *info;
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Rela) * slots, *others;
    size_t slots_size, others_size;
};

/* Fills in what the dynamic section says.  */
void ccprof_hooks_module_read(struct ccprof_hooks_module *module,
                              const struct dl_phdr_info *info);

/* Returns whether the address is in the module.  */
bool ccprof_hooks_module_holds(const struct dl_phdr_info *info, const void *address);

/* Returns whether the loader has relocated the slot with this content: before that, the
   slot holds an address as in the file, without the bias.  */
bool ccprof_hooks_module_is_relocated(const struct ccprof_hooks_module *module,
                                      uintptr_t content);

/* Lets the slot lead to the function, unless it is not yet relocated.  */
void ccprof_hooks_module_store(const struct ccprof_hooks_module *module,
                               ccprof_hooks_function *slot,
                               ccprof_hooks_function function);

#endif
