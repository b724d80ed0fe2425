/* SPDX-License-Identifier: MIT */
/* Finds the roots (reach.h) by reading /proc/self/maps. Owns the addresses recorded
   at the program's exit. Called by the thread that ends the program. */

#define _GNU_SOURCE
#include <gnu/libc-version.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "rt/heap/reach.h"
#include "rt/os/file.h"
#include "rt/os/memory.h"
#include "rt/os/proc.h"

/* Maximum number of roots: more than the number of mappings that the kernel allows by
   default. */
#define ROOTS_MOST 100000

/* Maximum number of stack pointers, and of modules with thread-local variables. */
#define ROOTS_STACKS    4096
#define ROOTS_VARIABLES 64

/* libc's arenas, except the first one, begin at multiples of this size. The unused
   rest of each arena is reserved. */
#define ROOTS_ARENA (UINT64_C(64) << 20)

/* Maximum distance of libc's data about a thread from the end of the thread's stack,
   in bytes. */
#define ROOTS_TOP (16u << 10)

/* Number of bytes below the stack pointer that a function may use. */
#define ROOTS_REDZONE 128

static struct {
    uint64_t first;
    uint64_t registers[CCPROF_CPU_REGISTERS];
    struct ccprof_heap_root variables[ROOTS_VARIABLES];
    unsigned variable_count;
    struct ccprof_heap_root libc;
} at_exit;

/* A mapping: one line of /proc/self/maps. */
struct roots_map {
    uint64_t from, to;
    char permissions[5];
    char path[16]; /* beginning of the path */
};

struct roots_work {
    struct ccprof_heap_root root[ROOTS_MOST];
    uint64_t stack[ROOTS_STACKS];
    uint32_t stacks;
    bool some_thread_runs; /* some thread runs, so its stack pointer is unknown */
    char text[8192];       /* content of a file; a path is shorter */
    uint64_t top[ROOTS_TOP / sizeof(uint64_t)];
};

static struct roots_work *work;

void ccprof_heap_roots_start(uint64_t first)
{
    at_exit.first = first;
}

static void roots_record_libc(const struct dl_phdr_info *info)
{
    struct ccprof_heap_root data = {0, 0};
    bool is_libc = false;

    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t from = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD)
            continue;
        is_libc = is_libc || (uintptr_t)gnu_get_libc_version - from < segment->p_memsz;
        if (segment->p_flags & PF_W)
            data = (struct ccprof_heap_root){from, from + segment->p_memsz};
    }
    if (is_libc)
        at_exit.libc = data;
}

/* A callback of dl_iterate_phdr: records the thread-local variables of a module. If a
   module was loaded later, its thread-local variables are in blocks that the loader
   has allocated. */
static int roots_record_module(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)unused;
    roots_record_libc(info);
    if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof(void *) ||
        !info->dlpi_tls_data || at_exit.variable_count == ROOTS_VARIABLES)
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS) {
            uint64_t from = (uintptr_t)info->dlpi_tls_data;
            at_exit.variables[at_exit.variable_count++] =
                (struct ccprof_heap_root){from, from + info->dlpi_phdr[i].p_memsz};
        }
    return 0;
}

void ccprof_heap_roots_exit(const uint64_t *registers)
{
    memcpy(at_exit.registers, registers, sizeof at_exit.registers);
    at_exit.variable_count = 0;
    dl_iterate_phdr(roots_record_module, NULL);
}

static void roots_add_stack(uint64_t pointer)
{
    if (work->stacks < ROOTS_STACKS)
        work->stack[work->stacks++] = pointer;
}

/* Reads a hexadecimal number and moves *CURSOR after it. */
static uint64_t roots_hex(const char **cursor)
{
    uint64_t number = 0;

    for (;; (*cursor)++) {
        char digit = **cursor;
        if (digit >= '0' && digit <= '9')
            number = number << 4 | (uint64_t)(digit - '0');
        else if (digit >= 'a' && digit <= 'f')
            number = number << 4 | (uint64_t)(digit - 'a' + 10);
        else
            return number;
    }
}

/* Reads the stack pointer of a thread: the second to last number in its file
   `syscall'. For a running thread, this file has no numbers. */
static void roots_visit_thread(pid_t tid)
{
    char path[64], *end = path;
    struct ccprof_file file;
    const char *last = NULL, *previous = NULL;

    if (tid == ccprof_sys_gettid())
        return;
    memcpy(end, "/proc/self/task/", 16);
    end += 16;
    char digits[16];
    int count = 0;
    for (pid_t rest = tid; rest != 0; rest /= 10)
        digits[count++] = (char)('0' + rest % 10);
    while (count > 0)
        *end++ = digits[--count];
    memcpy(end, "/syscall", sizeof "/syscall");
    if (!ccprof_file_open(&file, AT_FDCWD, path, O_RDONLY, 0))
        return;
    ssize_t got = ccprof_file_read(&file, work->text, sizeof work->text - 1, 0);
    ccprof_file_close(&file);
    work->text[got > 0 ? got : 0] = '\0';
    for (const char *cursor = work->text; (cursor = strstr(cursor, " 0x")) != NULL;
         cursor += 3) {
        previous = last;
        last = cursor + 3;
    }
    if (previous)
        roots_add_stack(roots_hex(&previous) - ROOTS_REDZONE);
    else
        work->some_thread_runs = true;
}

static void roots_find_stacks(void)
{
    struct ccprof_tasks tasks = {0};

    do
        ccprof_tasks_walk(&tasks, roots_visit_thread);
    while (tasks.position != 0 && work->stacks < ROOTS_STACKS);
    roots_add_stack(at_exit.registers[ccprof_cpu.stack_pointer]);
}

static void roots_read_line(struct roots_map *map, const char *line)
{
    const char *cursor = line;
    int spaces = 0;

    memset(map, 0, sizeof *map);
    map->from = roots_hex(&cursor);
    cursor += *cursor == '-';
    map->to = roots_hex(&cursor);
    cursor += *cursor == ' ';
    for (int i = 0; i < 4 && *cursor; i++)
        map->permissions[i] = *cursor++;
    for (; *cursor && *cursor != '\n' && (spaces < 4 || *cursor == ' '); cursor++)
        spaces += *cursor == ' ';
    for (size_t i = 0; i < sizeof map->path - 1 && *cursor && *cursor != '\n'; i++)
        map->path[i] = *cursor++;
}

static bool roots_has_path(const struct roots_map *map, const char *path)
{
    return strncmp(map->path, path, strlen(path)) == 0;
}

/* Returns whether the mapping is an arena of libc's allocator. In an arena, the first
   word points to the arena's data, which are shortly after the start of this or
   another heap of the arena. */
static bool roots_is_arena(const struct roots_map *map, const struct roots_map *next)
{
    uint64_t head = 0;

    return map->from % ROOTS_ARENA == 0 && next->from == map->to &&
           strcmp(next->permissions, "---p") == 0 &&
           ccprof_safe_read_bytes(map->from, &head, sizeof head) == sizeof head &&
           head % ROOTS_ARENA >= 0x10 && head % ROOTS_ARENA <= 0x80;
}

/* Returns whether the mapping is a stack that libc has made for a thread. On some
   processors, such a stack has a structure at its end that contains its own address
   twice. */
static bool roots_is_libc_stack(const struct roots_map *map)
{
    const uint64_t from =
        map->to - map->from < ROOTS_TOP ? map->from : map->to - ROOTS_TOP;
    size_t words = ccprof_safe_read_bytes(from, work->top, map->to - from) / 8;

    for (size_t i = 0; i + 2 < words; i++)
        if (work->top[i] == from + 8 * i && work->top[i + 2] == from + 8 * i)
            return true;
    return false;
}

/* Returns the address from which the mapping is in use. The stack of a thread, which
   follows an inaccessible page, is in use from the stack pointer upwards. A stack
   that libc keeps after its thread has ended is not in use. */
static uint64_t roots_first_used(const struct roots_map *previous,
                                 const struct roots_map *map)
{
    const bool guarded =
        previous->to == map->from && strncmp(previous->permissions, "---", 3) == 0;
    uint64_t least = map->to;

    if (!guarded && !roots_has_path(map, "[stack]"))
        return map->from;
    for (uint32_t i = 0; i < work->stacks; i++)
        if (work->stack[i] >= map->from && work->stack[i] < least)
            least = work->stack[i];
    if (least == map->to)
        return guarded && !work->some_thread_runs && roots_is_libc_stack(map) ? map->to
                                                                              : map->from;
    return least & ~UINT64_C(7);
}

static bool roots_add(struct ccprof_heap_roots *roots, uint64_t from, uint64_t to)
{
    if (from >= to)
        return true;
    if (roots->count == ROOTS_MOST)
        return false;
    work->root[roots->count++] = (struct ccprof_heap_root){from, to};
    return true;
}

static bool roots_add_map(struct ccprof_heap_roots *roots,
                          const struct roots_map *previous, const struct roots_map *map,
                          const struct roots_map *next)
{
    if (map->permissions[0] != 'r' || map->permissions[1] != 'w')
        return true;
    if (roots_has_path(map, "[heap]"))
        return roots_add(roots, map->from,
                         map->to < at_exit.first ? map->to : at_exit.first);
    if (roots_has_path(map, "/dev/") && !roots_has_path(map, "/dev/zero") &&
        !roots_has_path(map, "/dev/shm"))
        return true;
    if (roots_is_arena(map, next))
        return true;
    return roots_add(roots, roots_first_used(previous, map), map->to);
}

/* Reads more of the file, after the unfinished line in the buffer. Each read must
   continue exactly where the last one ended; otherwise the kernel starts again from
   the beginning. Returns false at the end. */
static bool roots_read_more(const struct ccprof_file *file, off_t *offset, size_t *left)
{
    if (*left == sizeof work->text - 1)
        return false;
    ssize_t got = ccprof_file_read(file, work->text + *left,
                                   sizeof work->text - 1 - *left, *offset);
    if (got <= 0)
        return false;
    *offset += got;
    *left += (size_t)got;
    work->text[*left] = '\0';
    return true;
}

static bool roots_read_maps(struct ccprof_heap_roots *roots)
{
    struct roots_map previous = {0}, map = {0}, next = {0};
    struct ccprof_file file;
    off_t offset = 0;
    size_t left = 0;
    bool good = true;

    if (!ccprof_file_open(&file, AT_FDCWD, "/proc/self/maps", O_RDONLY, 0))
        return false;
    while (good && roots_read_more(&file, &offset, &left)) {
        const char *line = work->text, *end;
        for (; good && (end = strchr(line, '\n')) != NULL; line = end + 1) {
            roots_read_line(&next, line);
            good = roots_add_map(roots, &previous, &map, &next);
            previous = map;
            map = next;
        }
        left -= (size_t)(line - work->text);
        memmove(work->text, line, left + 1);
    }
    ccprof_file_close(&file);
    memset(&next, 0, sizeof next);
    return good && left == 0 && offset != 0 &&
           roots_add_map(roots, &previous, &map, &next);
}

bool ccprof_heap_roots_find(struct ccprof_heap_roots *roots)
{
    memset(roots, 0, sizeof *roots);
    if (at_exit.first == 0 || !ccprof_pages_make(&roots->pages, sizeof *work))
        return false;
    work = (void *)roots->pages.start;
    roots->root = work->root;
    roots->libc = at_exit.libc;
    memcpy(roots->registers, at_exit.registers, sizeof roots->registers);
    roots_find_stacks();
    if (!roots_read_maps(roots))
        return false;
    for (unsigned i = 0; i < at_exit.variable_count; i++)
        if (!roots_add(roots, at_exit.variables[i].from, at_exit.variables[i].to))
            return false;
    return true;
}
