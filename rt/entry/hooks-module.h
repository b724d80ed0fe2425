/* SPDX-License-Identifier: MIT */
/* Finds and changes the slots of the global offset table through which a module calls
   functions of other modules, and finds the functions of the program's allocator.
   hooks-got.c uses this, and wait-calls.h the function for libc. */

#ifndef CCPROF_HOOKS_MODULE_H
#define CCPROF_HOOKS_MODULE_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function of any type, as the content of a slot. */
typedef void (*ccprof_hooks_function)(void);

/* Facts about a module, mostly from its dynamic section. */
struct ccprof_hooks_module {
    bool has_pool;  /* OpenMP's library, whose threads are reused */
    bool allocates; /* its calls of allocators shall reach the runtime */
    bool maps;      /* its calls of mmap shall reach the runtime */
    bool has_rpath; /* the loader searches its DT_RPATH */
    ElfW(Addr) bias;
    const struct dl_phdr_info *info;
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Rela) * slots, *others;
    size_t slots_size, others_size;
};

/* Fills in MODULE from the module's dynamic section. */
void ccprof_hooks_module_read(struct ccprof_hooks_module *module,
                              const struct dl_phdr_info *info);

/* Returns libc's function NAME, or null. Sets *IS_OWN to whether a call of the program
   finds another function of this name first. */
void *ccprof_hooks_module_libc(const char *name, bool *is_own);

/* Returns whether the address is in a loaded segment of the module. */
bool ccprof_hooks_module_holds(const struct dl_phdr_info *info, const void *address);

/* Returns whether the loader has relocated the slot with this content. Before that,
   the slot holds the address of the file, without the bias. */
bool ccprof_hooks_module_is_relocated(const struct ccprof_hooks_module *module,
                                      uintptr_t content);

/* Stores FUNCTION in the slot, unless the slot is not relocated yet. */
void ccprof_hooks_module_store(const struct ccprof_hooks_module *module,
                               ccprof_hooks_function *slot,
                               ccprof_hooks_function function);

/* Finds the allocator that the program uses. A program reaches the allocator's
   functions through slots, and through dlsym and dlvsym. Returns false if the program
   itself defines the allocator, since such calls use no slot. Called by the
   constructor. */
bool ccprof_hooks_allocators_start(void);

/* Returns the replacement of the function NAME for a measured heap, or null. */
ccprof_hooks_function ccprof_hooks_allocators_find(const char *name);

/* Do the work of dlsym and dlvsym for a module whose calls of allocators reach the
   runtime: return the replacements of the allocator's functions. A replacement of
   dlsym must call them by a jump. */
void *ccprof_hooks_allocators_dlsym(void *handle, const char *name);
void *ccprof_hooks_allocators_dlvsym(void *handle, const char *name, const char *version);

/* Returns whether the module defines an allocator, or one of its slots leads to
   another allocator than the program's. Memory from that allocator must be freed by
   that allocator, and its internal calls are not calls of the program. */
bool ccprof_hooks_allocators_has_other(const struct ccprof_hooks_module *module);

/* Returns a function, or null. The function returns the number of bytes in use in the
   allocator, which is never less than the bytes in use by the program. This function
   locks the allocator. */
uint64_t (*ccprof_hooks_allocators_in_use(void))(void);

/* Returns the lowest address in [heap] that is above all memory the allocator has
   handed out so far. Called by the constructor, and only if the function above did
   not return null. */
uint64_t ccprof_hooks_allocators_first(void);

#endif
