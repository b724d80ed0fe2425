/* SPDX-License-Identifier: MIT */
/* Finds modules in /proc/thread-self/maps (the first thread may have ended), for files
   that are written in a signal handler, which must not call the loader: libraries without
   the plugin may have been loaded since the last refresh. Owns no data.

   Another thread may unload a module meanwhile. So the kernel copies the headers of a
   module, and its build ID. */

#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "rt/samples/modules.h"
#include "rt/os/file.h"
#include "rt/os/memory.h"
#include "rt/os/notes.h"

/* Maximum number of segments of a module that are read, and of bytes of notes. */
#define MAPS_SEGMENTS 32
#define MAPS_NOTES    1024

/* The buffer of one search. */
struct maps_work {
    char text[6000];                   /* a part of the list, at least one line */
    char path[CCPROF_MODULES_MAPPED];  /* file of the last mapping of a file's start */
    uint64_t start;                    /* address of this mapping */
    ElfW(Phdr) segment[MAPS_SEGMENTS]; /* of the module at START */
    char notes[MAPS_NOTES];
};

_Static_assert(sizeof(struct maps_work) <= CCPROF_MODULES_MAPS_BUFFER,
               "the caller's buffer has room for a search");

/* A line of /proc/self/maps. */
struct maps_line {
    uint64_t start, offset;
    bool executable;
    const char *path; /* ends with a newline; empty if no file is mapped */
};

static const char *maps_hex(const char *from, uint64_t *number)
{
    *number = 0;
    for (;; from++) {
        unsigned digit = *from >= '0' && *from <= '9'   ? (unsigned)(*from - '0')
                         : *from >= 'a' && *from <= 'f' ? (unsigned)(*from - 'a') + 10
                                                        : 16;
        if (digit == 16)
            return from;
        *number = *number << 4 | digit;
    }
}

static const char *maps_skip_word(const char *from)
{
    while (*from != ' ' && *from != '\n')
        from++;
    while (*from == ' ')
        from++;
    return from;
}

/* Reads `START-END PERMISSIONS OFFSET DEVICE INODE PATH'. */
static struct maps_line maps_read_line(const char *from)
{
    struct maps_line line;

    maps_hex(from, &line.start);
    from = maps_skip_word(from);
    line.executable = from[0] != '\n' && from[1] != '\n' && from[2] == 'x';
    from = maps_skip_word(from);
    maps_hex(from, &line.offset);
    from = maps_skip_word(maps_skip_word(maps_skip_word(from)));
    line.path = from;
    return line;
}

/* Stores the path of a mapping. The kernel appends a word if the file was deleted. */
static void maps_store_path(struct maps_work *work, const char *path)
{
    static const char deleted[] = " (deleted)";
    size_t length = (size_t)(strchr(path, '\n') - path);

    if (length >= sizeof deleted &&
        memcmp(path + length - (sizeof deleted - 1), deleted, sizeof deleted - 1) == 0)
        length -= sizeof deleted - 1;
    work->path[0] = '\0';
    if (*path != '/' || length >= sizeof work->path)
        return;
    memcpy(work->path, path, length);
    work->path[length] = '\0';
}

/* Reads the build ID from a segment of notes at the address FROM. */
static void maps_read_id(struct maps_work *work, struct ccprof_module *module,
                         const ElfW(Phdr) * segment, uint64_t from)
{
    size_t size = segment->p_memsz < MAPS_NOTES ? segment->p_memsz : MAPS_NOTES, got;
    const char *id;

    got = ccprof_safe_read_bytes(from, work->notes, size);
    id =
        ccprof_notes_build_id(ccprof_notes_of(work->notes, got, segment->p_align), &size);
    if (!id || module->id_size)
        return;
    module->id_size = (uint8_t)size;
    memcpy(module->id, id, size);
    module->id_address = from + (uint64_t)(id - work->notes);
}

/* Fills in MODULE from the headers of the file that is mapped at WORK->start. Returns
   false if they are not headers of a loaded module. */
static bool maps_read_module(struct maps_work *work, struct ccprof_module *module)
{
    ElfW(Ehdr) header;
    size_t size;

    if (ccprof_safe_read_bytes(work->start, &header, sizeof header) != sizeof header ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phnum > MAPS_SEGMENTS ||
        header.e_phentsize != sizeof(ElfW(Phdr)))
        return false;
    size = header.e_phnum * sizeof(ElfW(Phdr));
    if (ccprof_safe_read_bytes(work->start + header.e_phoff, work->segment, size) != size)
        return false;
    *module =
        (struct ccprof_module){.start = UINT64_MAX, .path = work->path, .loaded = true};
    bool has_bias = false;
    for (unsigned i = 0; i < header.e_phnum; i++) {
        const ElfW(Phdr) *segment = &work->segment[i];
        if (segment->p_type != PT_LOAD)
            continue;
        if (!has_bias)
            module->bias = work->start - (segment->p_vaddr & -getauxval(AT_PAGESZ));
        has_bias = true;
        uint64_t from = module->bias + segment->p_vaddr, to = from + segment->p_memsz;
        if (from < module->start)
            module->start = from;
        if (to > module->end)
            module->end = to;
    }
    for (unsigned i = 0; has_bias && i < header.e_phnum; i++)
        if (work->segment[i].p_type == PT_NOTE)
            maps_read_id(work, module, &work->segment[i],
                         module->bias + work->segment[i].p_vaddr);
    return module->start < module->end;
}

/* Adds the module of an executable mapping, unless it is known. ONLY: an address in the
   only module to add; 0: all. */
static void maps_add(struct ccprof_modules *modules, struct maps_work *work,
                     const struct maps_line *line, uint64_t only)
{
    struct ccprof_module module;

    if (line->offset == 0) {
        work->start = line->start;
        maps_store_path(work, line->path);
    }
    if (!line->executable || !*work->path ||
        strncmp(line->path, work->path, strlen(work->path)) != 0 ||
        ccprof_modules_find_now(modules, line->start) >= 0)
        return;
    if (maps_read_module(work, &module) && line->start < module.end &&
        (!only || (only >= module.start && only < module.end)))
        ccprof_modules_add(modules, &module);
}

static void maps_add_all(struct ccprof_modules *modules, struct maps_work *work,
                         uint64_t only)
{
    struct ccprof_file file;
    size_t used = 0;
    ssize_t got;
    off_t offset = 0;

    if (!ccprof_file_open(&file, AT_FDCWD, "/proc/thread-self/maps", O_RDONLY, 0))
        return;
    work->path[0] = '\0';
    while ((got = ccprof_file_read(&file, work->text + used, sizeof work->text - 1 - used,
                                   offset)) > 0) {
        char *line = work->text, *end;
        offset += got;
        used += (size_t)got;
        work->text[used] = '\0';
        for (; (end = strchr(line, '\n')); line = end + 1) {
            struct maps_line mapping = maps_read_line(line);
            maps_add(modules, work, &mapping, only);
        }
        used -= (size_t)(line - work->text);
        memmove(work->text, line, used);
    }
    ccprof_file_close(&file);
}

/* The executable is the first module, wherever it is mapped. */
void ccprof_modules_add_mapped(struct ccprof_modules *modules, char *buffer)
{
    const int saved = errno;

    if (atomic_load(&modules->count) == 0)
        maps_add_all(modules, (struct maps_work *)buffer, getauxval(AT_PHDR));
    maps_add_all(modules, (struct maps_work *)buffer, 0);
    errno = saved;
}
