// SPDX-License-Identifier: GPL-3.0-or-later

#define _GNU_SOURCE
#include "stepmaps.h"

#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SEGMENTS_MOST = 64 };

// A file with code, or a page of the kernel's.
typedef struct Module {
    struct Module *next;
    char *path;
    unsigned long inode;
    uint64_t low, high; // addresses in the ELF file
    int segment_count;  // none: addresses are offsets in the file
    Elf64_Phdr segments[SEGMENTS_MOST];
    StepCounts *counts; // of LOW and the bytes that follow
} Module;

static bool any_protection;
static Module *modules, **modules_end = &modules;

static void *allocate(size_t size)
{
    // The kernel provides only those pages that are used.
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        err(1, "no memory for counters");
    return memory;
}

// Reads the segments that are loaded, and the range of addresses of code.
static void read_segments(Module *module, int file)
{
    Elf64_Ehdr head;
    if (pread(file, &head, sizeof head, 0) != sizeof head ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64)
        return;
    module->low = UINT64_MAX;
    for (int i = 0; i < head.e_phnum && module->segment_count < SEGMENTS_MOST; i++) {
        Elf64_Phdr *segment = &module->segments[module->segment_count];
        off_t at = (off_t)head.e_phoff + i * (off_t)head.e_phentsize;
        if (pread(file, segment, sizeof *segment, at) != sizeof *segment ||
            segment->p_type != PT_LOAD)
            continue;
        module->segment_count++;
        // Whole pages are mapped.
        uint64_t low = segment->p_vaddr & ~UINT64_C(0xfff);
        uint64_t high = (segment->p_vaddr + segment->p_memsz + 0xfff) & ~UINT64_C(0xfff);
        if (low < module->low)
            module->low = low;
        if (high > module->high)
            module->high = high;
    }
}

// The address in the ELF file of the byte at OFFSET; prefers segments of code.
static uint64_t address_of(const Module *module, uint64_t offset)
{
    uint64_t found = offset;
    bool code = false;
    for (int i = 0; i < module->segment_count; i++) {
        const Elf64_Phdr *segment = &module->segments[i];
        uint64_t start = segment->p_offset & ~UINT64_C(0xfff);
        if (code || offset < start || offset >= segment->p_offset + segment->p_filesz)
            continue;
        found = segment->p_vaddr - segment->p_offset + offset;
        code = segment->p_flags & PF_X;
    }
    return found;
}

static Module *module_find(const char *path, unsigned long inode, const char *map,
                           uint64_t size)
{
    for (Module *module = modules; module != NULL; module = module->next)
        if (module->inode == inode && strcmp(module->path, path) == 0)
            return module;
    Module *module = calloc(1, sizeof *module);
    if (module == NULL || (module->path = strdup(path)) == NULL)
        err(1, "no memory");
    module->inode = inode;
    int file = inode != 0 ? open(map, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        read_segments(module, file);
        if (module->segment_count == 0)
            module->high = (uint64_t)lseek(file, 0, SEEK_END);
        close(file);
    }
    if (module->high <= module->low) {
        module->low = 0;
        module->high = size;
    }
    module->counts = allocate((module->high - module->low) * sizeof *module->counts);
    *modules_end = module;
    modules_end = &module->next;
    return module;
}

static void add_region(StepSpace *space, pid_t thread, const char *line)
{
    uint64_t start, end, offset;
    unsigned long inode;
    char mode[8];
    int at = 0;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*x:%*x %lu %n", &start,
               &end, mode, &offset, &inode, &at) != 5 ||
        (mode[2] != 'x' && !any_protection) || line[at] == '\0')
        return;
    char map[96];
    snprintf(map, sizeof map, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, thread, start,
             end);
    const char *path = line + at;
    Module *module =
        module_find(path, inode, access(path, R_OK) == 0 ? path : map, end - start);
    uint64_t address = inode != 0 ? address_of(module, offset) : 0;
    if (address < module->low || address + (end - start) > module->high)
        return;
    StepRegion *regions = realloc(space->regions, (space->count + 1) * sizeof *regions);
    if (regions == NULL)
        err(1, "no memory");
    space->regions = regions;
    regions[space->count++] =
        (StepRegion){start, end, module->counts + (address - module->low)};
}

static void read_regions(StepSpace *space, pid_t thread)
{
    char path[64], *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", thread);
    FILE *file = fopen(path, "re");
    space->count = space->last = 0;
    space->known = true;
    if (file == NULL)
        return;
    while (getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        add_region(space, thread, line);
    }
    free(line);
    fclose(file);
}

StepCounts *stepmaps_find(StepSpace *space, pid_t thread, uint64_t address)
{
    if (!space->known)
        read_regions(space, thread);
    for (unsigned i = 0; i < space->count; i++) {
        unsigned at = (space->last + i) % space->count;
        const StepRegion *region = &space->regions[at];
        if (address >= region->start && address < region->end) {
            space->last = at;
            return region->counts + (address - region->start);
        }
    }
    return NULL;
}

void stepmaps_any_protection(void)
{
    any_protection = true;
}

static bool listed(const char *path, char **only, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(path, only[i]) == 0)
            return true;
    return count == 0;
}

void stepmaps_write(FILE *file, char **only, int count)
{
    for (const Module *module = modules; module != NULL; module = module->next) {
        if (!listed(module->path, only, count))
            continue;
        for (uint64_t i = 0; i < module->high - module->low; i++) {
            const StepCounts *counts = &module->counts[i];
            uint64_t address = module->low + i;
            if (counts->executed != 0)
                fprintf(file, "%s 0x%" PRIx64 " %" PRIu64 "\n", module->path, address,
                        counts->executed);
            if (counts->iterations != 0)
                fprintf(file, "# iterations %s 0x%" PRIx64 " %" PRIu64 "\n", module->path,
                        address, counts->iterations);
            if (counts->faults != 0)
                fprintf(file, "# faults %s 0x%" PRIx64 " %" PRIu64 "\n", module->path,
                        address, counts->faults);
        }
    }
}
