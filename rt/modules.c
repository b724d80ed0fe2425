/* SPDX-License-Identifier: MIT */
/* Owns nothing.  refresh: constructor and orderly exit; find: where the profile
   is written.  */

#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <string.h>

#include "modules.h"
#include "sys.h"
#include "text.h"

/* Finds the build-id (an ELF note) in memory.  */
static void module_note(struct ccprof_module *module, const char *at, size_t size,
                        size_t align)
{
    align = align < 8 ? 4 : 8;
    while (size >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)at;
        const char *name = at + sizeof *note;
        uint64_t named = ((uint64_t)note->n_namesz + align - 1) / align * align;
        uint64_t body = named + ((uint64_t)note->n_descsz + align - 1) / align * align;

        if (body > size - sizeof *note)
            return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof "GNU" &&
            memcmp(name, "GNU", sizeof "GNU") == 0 &&
            note->n_descsz <= sizeof module->id) {
            module->id_size = (uint8_t)note->n_descsz;
            memcpy(module->id, name + named, note->n_descsz);
            return;
        }
        at += sizeof *note + body;
        size -= sizeof *note + (size_t)body;
    }
}

/* Whether the segment is in memory: a note need not be.  */
static bool module_is_loaded(const struct dl_phdr_info *info, const ElfW(Phdr) * part)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *load = &info->dlpi_phdr[i];
        if (load->p_type == PT_LOAD && (load->p_flags & PF_R) &&
            load->p_vaddr <= part->p_vaddr &&
            part->p_memsz <= load->p_filesz - (part->p_vaddr - load->p_vaddr) &&
            part->p_vaddr - load->p_vaddr <= load->p_filesz)
            return true;
    }
    return false;
}

static void module_segments(struct ccprof_module *module, const struct dl_phdr_info *info)
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
            module_note(module, (const char *)from, segment->p_memsz, segment->p_align);
        }
    }
}

/* The absolute path into TO (PATH_MAX bytes).  The loader leaves the executable
   without a name, and other names as they were given to it.  */
static void module_path(char *to, const char *name)
{
    struct ccprof_text text;
    ssize_t length;

    ccprof_text_open(&text, to, PATH_MAX, -1);
    if (*name == '\0') {
        length = ccprof_sys_readlink("/proc/self/exe", to, PATH_MAX - 1);
        text.used = length > 0 ? (size_t)length : 0;
    } else if (*name != '/' && strchr(name, '/')) {
        length = ccprof_sys_getcwd(to, PATH_MAX - 1);
        text.used = length > 1 ? (size_t)length - 1 : 0;
        ccprof_text_char(&text, '/');
        ccprof_text_string(&text, name + (strncmp(name, "./", 2) == 0 ? 2 : 0));
    } else {
        ccprof_text_string(&text, name);
    }
    ccprof_text_end(&text);
}

static bool module_same(const struct ccprof_module *a, const struct ccprof_module *b)
{
    return a->bias == b->bias && a->start == b->start && a->end == b->end &&
           a->id_size == b->id_size && memcmp(a->id, b->id, a->id_size) == 0 &&
           strcmp(a->path, b->path) == 0;
}

static void modules_add(struct ccprof_modules *modules, const struct ccprof_module *new)
{
    unsigned count = atomic_load_explicit(&modules->count, memory_order_relaxed);
    size_t length = strlen(new->path) + 1;

    for (unsigned i = 0; i < count; i++)
        if (module_same(&modules->module[i], new))
            return;
    if (count == CCPROF_MODULES_MAX || length > sizeof modules->paths - modules->used) {
        modules->full = true;
        return;
    }
    struct ccprof_module *module = &modules->module[count];
    *module = *new;
    module->path = memcpy(modules->paths + modules->used, new->path, length);
    modules->used += length;
    for (unsigned i = 0; i < count; i++) {
        struct ccprof_module *old = &modules->module[i];
        if (old->start < new->end &&new->start < old->end)
            module->ambiguous = old->ambiguous = true;
    }
    atomic_store_explicit(&modules->count, count + 1, memory_order_release);
}

static int modules_visit(struct dl_phdr_info *info, size_t size, void *modules)
{
    char path[PATH_MAX];
    struct ccprof_module module;

    (void)size;
    memset(&module, 0, sizeof module);
    module.bias = info->dlpi_addr;
    module.path = path;
    module_segments(&module, info);
    module_path(path, info->dlpi_name ? info->dlpi_name : "");
    if (module.start < module.end)
        modules_add(modules, &module);
    return 0;
}

void ccprof_modules_refresh(struct ccprof_modules *modules)
{
    int saved = errno;
    dl_iterate_phdr(modules_visit, modules);
    errno = saved;
}

int ccprof_modules_find(const struct ccprof_modules *modules, uint64_t address)
{
    unsigned count = atomic_load_explicit(&modules->count, memory_order_acquire);
    for (unsigned i = 0; i < count; i++) {
        const struct ccprof_module *module = &modules->module[i];
        if (module->start <= address && address < module->end && !module->ambiguous)
            return (int)i;
    }
    return -1;
}
