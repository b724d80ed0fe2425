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
static char **counted;
static int counted_count;
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

// One line of /proc/PID/maps.
typedef struct Mapping {
    uint64_t start, end, offset;
    unsigned long inode;
    char mode[8];
    const char *path;
} Mapping;

typedef void Visit(const Mapping *mapping, pid_t thread, void *data);

static void each_mapping(pid_t thread, Visit *visit, void *data)
{
    char path[64], *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", thread);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    while (getline(&line, &room, file) > 0) {
        Mapping mapping;
        int at = 0;
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*x:%*x %lu %n",
                   &mapping.start, &mapping.end, mapping.mode, &mapping.offset,
                   &mapping.inode, &at) != 5 ||
            line[at] == '\0')
            continue;
        mapping.path = line + at;
        visit(&mapping, thread, data);
    }
    free(line);
    fclose(file);
}

static Module *module_of(const Mapping *mapping, pid_t thread)
{
    char map[96];
    snprintf(map, sizeof map, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, thread,
             mapping->start, mapping->end);
    return module_find(mapping->path, mapping->inode,
                       access(mapping->path, R_OK) == 0 ? mapping->path : map,
                       mapping->end - mapping->start);
}

static void add_region(const Mapping *mapping, pid_t thread, void *data)
{
    StepSpace *space = data;
    if (mapping->mode[2] != 'x' && !any_protection)
        return;
    Module *module = module_of(mapping, thread);
    uint64_t size = mapping->end - mapping->start;
    uint64_t address = mapping->inode != 0 ? address_of(module, mapping->offset) : 0;
    if (address < module->low || address + size > module->high)
        return;
    StepRegion *regions = realloc(space->regions, (space->count + 1) * sizeof *regions);
    if (regions == NULL)
        err(1, "no memory");
    space->regions = regions;
    regions[space->count++] = (StepRegion){mapping->start, mapping->end,
                                           module->counts + (address - module->low)};
}

void stepmaps_count_only(char **only, int count)
{
    counted = only;
    counted_count = count;
}

static bool is_counted(const char *path)
{
    for (int i = 0; i < counted_count; i++)
        if (strcmp(path, counted[i]) == 0)
            return true;
    return counted_count == 0;
}

bool stepmaps_is_counted(const StepCounts *counts)
{
    for (const Module *module = modules; module != NULL; module = module->next)
        if (counts >= module->counts &&
            counts < module->counts + (module->high - module->low))
            return is_counted(module->path);
    return false;
}

typedef struct CodeSearch {
    StepRegion *regions;
    unsigned count, most;
} CodeSearch;

static void add_code(const Mapping *mapping, pid_t thread, void *data)
{
    CodeSearch *search = data;
    if (mapping->inode == 0 || mapping->mode[1] == 'w' || !is_counted(mapping->path))
        return;
    // The kernel joins locked code with its neighbours in the file.
    const Module *module = module_of(mapping, thread);
    uint64_t size = mapping->end - mapping->start;
    for (int i = 0; i < module->segment_count; i++) {
        const Elf64_Phdr *segment = &module->segments[i];
        uint64_t low = segment->p_offset & ~UINT64_C(0xfff);
        uint64_t high =
            (segment->p_offset + segment->p_filesz + 0xfff) & ~UINT64_C(0xfff);
        if (low < mapping->offset)
            low = mapping->offset;
        if (high > mapping->offset + size)
            high = mapping->offset + size;
        if ((segment->p_flags & PF_X) && low < high && search->count < search->most)
            search->regions[search->count++] =
                (StepRegion){mapping->start + (low - mapping->offset),
                             mapping->start + (high - mapping->offset), NULL};
    }
}

unsigned stepmaps_code(pid_t thread, StepRegion *regions, unsigned most)
{
    CodeSearch search = {regions, 0, most};
    each_mapping(thread, add_code, &search);
    return search.count;
}

static void read_regions(StepSpace *space, pid_t thread)
{
    space->count = space->last = 0;
    space->known = true;
    each_mapping(thread, add_region, space);
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

void stepmaps_write(FILE *file)
{
    for (const Module *module = modules; module != NULL; module = module->next) {
        if (!is_counted(module->path))
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
