/* SPDX-License-Identifier: MIT */
/* Gets the loaded modules from the loader, and finds the module of an address. Owns
   no data. ccprof_modules_refresh is called by the constructor, before the program
   unloads a module, and at an orderly exit. ccprof_modules_find is called when the
   profile is written. */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "rt/samples/modules.h"
#include "rt/os/notes.h"
#include "rt/os/proc.h"
#include "rt/os/memory.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"

/* glibc has _dl_find_object since version 2.35. It takes no lock. */
#pragma weak _dl_find_object

/* Nanoseconds to wait for the lock. The wait is limited since a handler of a fatal
   signal may have interrupted the thread that holds the lock. */
#define MODULES_PATIENCE 200000000u

static void module_read_id(struct ccprof_module *module, const ElfW(Phdr) * segment,
                           const void *notes)
{
    size_t size;
    const void *id = ccprof_notes_build_id(
        ccprof_notes_of(notes, segment->p_memsz, segment->p_align), &size);

    if (!id)
        return;
    module->id_size = (uint8_t)size;
    memcpy(module->id, id, size);
    module->id_address = (uintptr_t)id;
}

/* Returns whether the segment is in memory. Segments of notes need not be in memory. */
static bool module_is_loaded(const struct dl_phdr_info *info, const ElfW(Phdr) * segment)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *load = &info->dlpi_phdr[i];
        if (load->p_type == PT_LOAD && (load->p_flags & PF_R) &&
            load->p_vaddr <= segment->p_vaddr &&
            segment->p_memsz <= load->p_filesz - (segment->p_vaddr - load->p_vaddr) &&
            segment->p_vaddr - load->p_vaddr <= load->p_filesz)
            return true;
    }
    return false;
}

static void module_read_segments(struct ccprof_module *module,
                                 const struct dl_phdr_info *info)
{
    module->start = UINT64_MAX;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t from = info->dlpi_addr + segment->p_vaddr;
        uint64_t to = from + segment->p_memsz;
        if (segment->p_type == PT_LOAD) {
            if (from < module->start)
                module->start = from;
            if (to > module->end)
                module->end = to;
        } else if (segment->p_type == PT_NOTE && module_is_loaded(info, segment)) {
            module_read_id(module, segment, (const void *)from);
        }
    }
}

/* Stores the absolute path of a module in TO, which has PATH_MAX bytes. NAME is the
   loader's name for the module, which is empty for the executable. */
static void module_path(char *to, const char *name)
{
    struct ccprof_text text;
    ssize_t length;

    ccprof_text_open(&text, to, PATH_MAX, NULL);
    if (*name == '\0')
        name = ccprof_program();
    if (*name != '/' && strchr(name, '/')) {
        length = ccprof_sys_getcwd(to, PATH_MAX - 1);
        text.used = length > 1 ? (size_t)length - 1 : 0;
        ccprof_text_char(&text, '/');
        ccprof_text_string(&text, name + (strncmp(name, "./", 2) == 0 ? 2 : 0));
    } else {
        ccprof_text_string(&text, name);
    }
    ccprof_text_end(&text);
}

static bool module_has_same_range(const struct ccprof_module *a,
                                  const struct ccprof_module *b)
{
    return a->bias == b->bias && a->start == b->start && a->end == b->end;
}

/* Compares build IDs if there are any. A path may mislead: the file may have been
   removed, or the name may be relative to a folder that the program has left. */
static bool module_is_same_file(const struct ccprof_module *a,
                                const struct ccprof_module *b)
{
    if (a->id_size != b->id_size || memcmp(a->id, b->id, a->id_size) != 0)
        return false;
    return a->id_size != 0 || strcmp(a->path, b->path) == 0;
}

struct modules_refresh {
    struct ccprof_modules *modules;
    unsigned known; /* number of modules before this refresh */
    uint64_t unloads;
};

/* Returns the known module that is the same file as NEW at the same addresses, or
   null. */
static struct ccprof_module *modules_known(const struct modules_refresh *refresh,
                                           const struct ccprof_module *new)
{
    for (unsigned i = 0; i < refresh->known; i++) {
        struct ccprof_module *old = &refresh->modules->module[i];
        if (module_has_same_range(old, new) &&
            ((old->loaded && refresh->unloads == refresh->modules->unloads) ||
             module_is_same_file(old, new)))
            return old;
    }
    return NULL;
}

void ccprof_modules_add(struct ccprof_modules *modules, const struct ccprof_module *added)
{
    unsigned count = atomic_load_explicit(&modules->count, memory_order_relaxed);
    size_t length = strlen(added->path) + 1;

    for (unsigned i = 0; i < count; i++)
        if (module_has_same_range(&modules->module[i], added) &&
            module_is_same_file(&modules->module[i], added)) {
            modules->module[i].loaded |= added->loaded;
            return;
        }
    if (count == CCPROF_MODULES_MAX || length > sizeof modules->paths - modules->used) {
        modules->full = true;
        return;
    }
    struct ccprof_module *module = &modules->module[count];
    *module = *added;
    module->path = memcpy(modules->paths + modules->used, added->path, length);
    modules->used += length;
    for (unsigned i = 0; i < count; i++) {
        struct ccprof_module *old = &modules->module[i];
        if (old->start < added->end && added->start < old->end)
            module->ambiguous = old->ambiguous = true;
    }
    atomic_store_explicit(&modules->count, count + 1, memory_order_release);
}

static int modules_visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct modules_refresh *refresh = context;
    const char *name = info->dlpi_name ? info->dlpi_name : "";
    char path[PATH_MAX];
    struct ccprof_module module, *known;

    (void)size;
    refresh->unloads = info->dlpi_subs;
    memset(&module, 0, sizeof module);
    module.bias = info->dlpi_addr;
    module.path = path;
    module.seen = true;
    module_read_segments(&module, info);
    if (module.start >= module.end)
        return 0;
    if (module.id_size == 0)
        module_path(path, name);
    known = modules_known(refresh, &module);
    if (known) {
        known->seen = true;
        return 0;
    }
    if (module.id_size != 0)
        module_path(path, name);
    ccprof_modules_add(refresh->modules, &module);
    return 0;
}

static bool modules_lock(struct ccprof_modules *modules)
{
    return ccprof_spin_wait(&modules->busy, MODULES_PATIENCE);
}

void ccprof_modules_refresh(struct ccprof_modules *modules)
{
    struct modules_refresh refresh = {modules, 0, 0};
    int saved = errno;

    if (modules_lock(modules)) {
        refresh.known = atomic_load(&modules->count);
        dl_iterate_phdr(modules_visit, &refresh);
        modules->unloads = refresh.unloads;
        for (unsigned i = 0; i < atomic_load(&modules->count); i++) {
            modules->module[i].loaded = modules->module[i].seen;
            modules->module[i].seen = false;
        }
        ccprof_spin_release(&modules->busy);
    }
    errno = saved;
}

bool ccprof_modules_freeze(struct ccprof_modules *modules)
{
    return modules_lock(modules);
}

void ccprof_modules_thaw(struct ccprof_modules *modules)
{
    if (atomic_load(&modules->busy))
        ccprof_spin_release(&modules->busy);
}

/* Returns whether the loader knows any module at the address. */
static bool modules_is_occupied(uint64_t address)
{
    struct dl_find_object found;
    return _dl_find_object && _dl_find_object((void *)(uintptr_t)address, &found) == 0;
}

/* If the cached module has been unloaded and another module is at the address now, the
   new module has not been added yet, and the function returns -1. */
int ccprof_modules_find(const struct ccprof_modules *modules, uint64_t address)
{
    unsigned count = atomic_load_explicit(&modules->count, memory_order_acquire);
    for (unsigned i = 0; i < count; i++) {
        const struct ccprof_module *module = &modules->module[i];
        if (module->start <= address && address < module->end && !module->ambiguous &&
            (module->loaded || !modules_is_occupied(address)))
            return (int)i;
    }
    return -1;
}

/* Returns whether the loader still has this module at the address. The module may
   have been unloaded since the last refresh, and another module loaded in its place. */
static bool module_is_still_loaded(const struct ccprof_module *module, uint64_t address)
{
    struct dl_find_object found;
    struct ccprof_safe_read readable = {0};
    uint64_t word;

    if (!_dl_find_object)
        return true;
    if (_dl_find_object((void *)(uintptr_t)address, &found) != 0 ||
        (found.dlfo_link_map && found.dlfo_link_map->l_addr != module->bias))
        return false;
    for (unsigned i = 0; i + sizeof word <= module->id_size; i += sizeof word)
        if (!ccprof_safe_read(&readable, module->id_address + i, &word) ||
            memcmp(&word, module->id + i, sizeof word) != 0)
            return false;
    return true;
}

int ccprof_modules_find_now(const struct ccprof_modules *modules, uint64_t address)
{
    unsigned count = atomic_load_explicit(&modules->count, memory_order_acquire);
    for (unsigned i = 0; i < count; i++) {
        const struct ccprof_module *module = &modules->module[i];
        if (module->start <= address && address < module->end && module->loaded &&
            module_is_still_loaded(module, address))
            return (int)i;
    }
    return -1;
}
