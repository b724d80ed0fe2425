/* SPDX-License-Identifier: MIT */
/* Remembers which executables and shared objects are in memory, in a cache of fixed size,
   so that the profile can be written where the loader must not be asked (in a handler).
   Unloaded modules are kept, since the profile may have samples in them; so each module
   must be added before it is unloaded (hooks-got.c).  */

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
    uint64_t bias;  /* added to an address in the file gives the address in memory */
    uint64_t start; /* addresses in memory; end excluded */
    uint64_t end;
    const char *path; /* points into `paths' */
    /* Another module has been at the same place: addresses there cannot be told
       apart.  */
    bool ambiguous;
    bool loaded;     /* was in memory at the last refresh */
    bool seen;       /* is in memory, as the current refresh has found */
    uint8_t id_size; /* 0: no build-id */
    uint8_t id[CCPROF_NOTES_ID];
    uint64_t id_address; /* where the build-id is in memory */
};

/* All zeros is an empty cache.  */
struct ccprof_modules {
    _Atomic unsigned count;
    bool full; /* some modules found no room */
    ccprof_spin busy;
    uint64_t unloads; /* how many modules the process had unloaded at the last refresh */
    size_t used;
    struct ccprof_module module[CCPROF_MODULES_MAX];
    char paths[CCPROF_MODULES_PATHS];
};

/* Adds the modules that are new.  Takes the loader's lock: never call this in a
   handler.  */
void ccprof_modules_refresh(struct ccprof_modules *modules);

/* Prevents modules from being added.  Returns false if a fatal signal or a fork has cut
   off a refresh.  Async-signal-safe, as is thaw.  */
bool ccprof_modules_freeze(struct ccprof_modules *modules);

/* Allows modules to be added again, after a freeze or in the child of a fork.  */
void ccprof_modules_thaw(struct ccprof_modules *modules);

/* Returns the number of the module that holds the address, loaded or not; -1 if there is
   none or there were several.  Async-signal-safe.  */
int ccprof_modules_find(const struct ccprof_modules *modules, uint64_t address);

/* Returns the number of the module that is loaded at the address now, whatever was there
   before; -1 if the module has not been added.  Async-signal-safe.  */
int ccprof_modules_find_now(const struct ccprof_modules *modules, uint64_t address);

#endif
