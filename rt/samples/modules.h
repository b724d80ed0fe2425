/* SPDX-License-Identifier: MIT */
/* A list of the executables and shared objects in memory, in a cache of fixed size.
   This list makes it possible to write the profile in a signal handler, which must not
   call the loader. Unloaded modules are kept, since the profile may have samples in
   them. Therefore each module must be added before it is unloaded (hooks-got.c). */

#ifndef CCPROF_MODULES_H
#define CCPROF_MODULES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/os/notes.h"
#include "rt/os/lock.h"

#define CCPROF_MODULES_MAX   384
#define CCPROF_MODULES_PATHS (96 << 10)

struct ccprof_module {
    uint64_t bias;  /* address in memory minus address in the file */
    uint64_t start; /* addresses in memory; end excluded */
    uint64_t end;
    const char *path; /* points into `paths' */
    /* Another module has occupied the same addresses, so that an address does not
       identify the module. */
    bool ambiguous;
    bool loaded;     /* in memory at the last refresh */
    bool seen;       /* found in memory by the current refresh */
    uint8_t id_size; /* 0: no build ID */
    uint8_t id[CCPROF_BUILD_ID_MAX];
    uint64_t id_address; /* address of the build ID in memory */
};

/* A structure of zeros is an empty cache. */
struct ccprof_modules {
    _Atomic unsigned count;
    bool full; /* there was no room for some modules */
    ccprof_spin busy;
    uint64_t unloads; /* modules unloaded before the last refresh */
    size_t used;
    struct ccprof_module module[CCPROF_MODULES_MAX];
    char paths[CCPROF_MODULES_PATHS];
};

/* Adds new modules. Takes the loader's lock: do not call this in a signal handler. */
void ccprof_modules_refresh(struct ccprof_modules *modules);

/* Adds modules that are in /proc/self/maps, but were loaded after the last refresh.
   BUFFER has CCPROF_MODULES_MAPS_BUFFER bytes, aligned to 8, that are used during the
   call. Modules must be frozen. Async-signal-safe (modules-maps.c). */
#define CCPROF_MODULES_MAPPED      4096 /* bytes of a path */
#define CCPROF_MODULES_MAPS_BUFFER 16384
void ccprof_modules_add_mapped(struct ccprof_modules *modules, char *buffer);

/* Adds a copy of MODULE and its path. Modules must be frozen; modules-maps.c calls
   this. Async-signal-safe. */
void ccprof_modules_add(struct ccprof_modules *modules,
                        const struct ccprof_module *module);

/* Prevents modules from being added by refresh. Returns false if a fatal signal or a fork
   has interrupted a refresh. Async-signal-safe, like ccprof_modules_thaw. */
bool ccprof_modules_freeze(struct ccprof_modules *modules);

/* Returns whether modules are being added or frozen now, perhaps by the code that the
   calling handler has interrupted. Async-signal-safe. */
static inline bool ccprof_modules_are_busy(const struct ccprof_modules *modules)
{
    return atomic_load(&modules->busy) != 0;
}

/* Allows modules to be added again, after a freeze or in the child of a fork. */
void ccprof_modules_thaw(struct ccprof_modules *modules);

/* Returns the index of the module at the address, even if it has been unloaded.
   Returns -1 if there is no such module or there were several. Async-signal-safe. */
int ccprof_modules_find(const struct ccprof_modules *modules, uint64_t address);

/* Returns the index of the module that is loaded at the address now, even if other
   modules were there before. Returns -1 if the module has not been added.
   Async-signal-safe. */
int ccprof_modules_find_now(const struct ccprof_modules *modules, uint64_t address);

#endif
