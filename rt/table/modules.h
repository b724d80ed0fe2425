/* SPDX-License-Identifier: MIT */
/* Remembers which executables and shared objects are in memory, in a cache of fixed size,
   so that the profile can be written where the loader must not be asked (in a handler).
   Modules that have been unloaded are kept, since there may be samples in them; so a
   module must be seen before it is unloaded (unload.h).  */

#ifndef CCPROF_MODULES_H
#define CCPROF_MODULES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/os/notes.h"
#include "rt/os/spin.h"

#define CCPROF_MODULES_MAX   384
#define CCPROF_MODULES_PATHS (96 << 10)

struct ccprof_module {
    uint64_t bias;  /* what was added to the addresses in the file */
    uint64_t start; /* in memory, end excluded */
    uint64_t end;
    const char *path; /* in the cache */
    /* Another module has been at the same place: an address says nothing.  */
    bool ambiguous;
    bool loaded;     /* at the last refresh */
    bool seen;       /* in the present one */
    uint8_t id_size; /* 0: no build-id */
    uint8_t id[CCPROF_NOTES_ID];
    uint64_t id_address; /* where it is in memory */
};

/* All zeros is an empty cache.  */
struct ccprof_modules {
    _Atomic unsigned count;
    bool full; /* some modules found no room */
    ccprof_spin busy;
    uint64_t unloads; /* of the process, at the last refresh */
    size_t used;
    struct ccprof_module module[CCPROF_MODULES_MAX];
    char paths[CCPROF_MODULES_PATHS];
};

/* Adds the modules that are new.  Takes the loader's lock: never in a handler.  */
void ccprof_modules_refresh(struct ccprof_modules *modules);

/* Nothing is added any more; returns false if somebody was cut off in the middle of it.
   Async-signal-safe, as is the other.  */
bool ccprof_modules_freeze(struct ccprof_modules *modules);

/* They may change again: after a freeze, or in the child of a fork.  */
void ccprof_modules_thaw(struct ccprof_modules *modules);

/* The number of the module that the address is in, or -1.  Async-signal-safe. */
int ccprof_modules_find(const struct ccprof_modules *modules, uint64_t address);

/* The number of the module that is at the address now, whatever was there before, or -1
   if it has not been seen.  Async-signal-safe.  */
int ccprof_modules_find_now(const struct ccprof_modules *modules, uint64_t address);

#endif
