/* SPDX-License-Identifier: MIT */
/* Finds and changes the slots of the global offset table through which a module calls
   functions of others, and finds the functions of the program's allocator among them.
   Only hooks-got.c uses this.  */

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

/* Finds the allocator that the program uses.  A program reaches its functions through
   slots, and through dlsym and dlvsym.  Returns false if the program itself has the
   allocator: the program calls its own functions without a slot.  Constructor.  */
bool ccprof_hooks_allocators_start(void);

/* Returns the replacement of the function NAME if the heap is measured, or null.  OWN:
   the module itself has the function; then its dlsym is left alone.  */
ccprof_hooks_function ccprof_hooks_allocators_find(const char *name, bool own);

/* Returns whether the module has an allocator of its own, or one of its slots leads to
   another allocator than the one that the program uses.  Memory from that allocator must
   be freed by that allocator, and its calls for its own purposes are not the program's.
 */
bool ccprof_hooks_allocators_has_other(const struct ccprof_hooks_module *module);

/* Returns a function that returns how many bytes the allocator has in use, at least; or
   null.  The function locks the allocator.  */
uint64_t (*ccprof_hooks_allocators_in_use(void))(void);

/* Returns the address in [heap] after all memory that the allocator has given out there
   so far.  Constructor, if the function above returns one.  */
uint64_t ccprof_hooks_allocators_first(void);

#endif
