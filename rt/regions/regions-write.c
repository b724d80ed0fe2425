/* SPDX-License-Identifier: MIT */
/* Adds up the figures of all threads and writes them to mlmon.out. Owns the buffers
   for one path. Called when files are written, with all signals blocked. */

#define _GNU_SOURCE
#include <string.h>

#include "rt/os/memory.h"
#include "rt/regions/regions-inside.h"
#include "rt/regions/regions.h"

/* Maximum number of attempts to read figures while a thread changes them. */
#define WRITE_TRIES 1000

/* The figures of one path: ALL is the sum over all threads, PART the figures of one
   thread. Both are mapped when the first file is written. */
static struct regions_figures *all, *part;

void ccprof_regions_add(struct regions_figures *to, const struct regions_figures *from)
{
    unsigned __int128 squares = (unsigned __int128)to->squares_high << 64 | to->squares;

    if (from->count == 0)
        return;
    if (to->first_start == 0 ||
        (from->first_start != 0 && from->first_start < to->first_start)) {
        to->first = from->first;
        to->first_start = from->first_start;
    }
    if (from->cold && (to->cold == 0 || from->cold_min < to->cold_min))
        to->cold_min = from->cold_min;
    if (from->cold_max > to->cold_max)
        to->cold_max = from->cold_max;
    to->cold += from->cold;
    to->cold_total += from->cold_total;
    to->count += from->count;
    to->total += from->total;
    to->nested += from->nested;
    to->self += from->self;
    to->inner += from->inner;
    squares += (unsigned __int128)from->squares_high << 64 | from->squares;
    to->squares = (uint64_t)squares;
    to->squares_high = (uint64_t)(squares >> 64);
    if (from->min < to->min)
        to->min = from->min;
    if (from->max > to->max)
        to->max = from->max;
    to->cpu += from->cpu;
    to->left += from->left;
    for (unsigned i = 0; i < CCPROF_BUCKETS; i++)
        to->bucket[i] += from->bucket[i];
}

/* Copies a running thread's figures of a path. Repeats this until the thread has not
   changed them meanwhile. */
static void write_read(struct regions_figures *to, const struct regions_node *node,
                       const struct regions_thread *thread)
{
    for (int i = 0; i < WRITE_TRIES; i++) {
        uint64_t count = __atomic_load_n(&node->figures.count, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&thread->limit, __ATOMIC_ACQUIRE)) {
            memcpy(to, &node->figures, sizeof *to);
            atomic_thread_fence(memory_order_acquire);
            if (__atomic_load_n(&thread->limit, __ATOMIC_ACQUIRE) &&
                __atomic_load_n(&node->figures.count, __ATOMIC_ACQUIRE) == count)
                return;
        }
    }
    memcpy(to, &node->figures, sizeof *to);
}

static uint64_t write_minimum(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Makes the figures consistent: if a fatal signal interrupted a thread at the end of a
   call, only some of the figures include this call. */
static void write_make_consistent(struct regions_figures *figures)
{
    figures->count = 0;
    for (unsigned i = 0; i < CCPROF_BUCKETS; i++)
        figures->count += figures->bucket[i];
    if (figures->count == 0) {
        memset(figures, 0, sizeof *figures);
        return;
    }
    figures->min = write_minimum(figures->min, figures->max);
    figures->first = write_minimum(figures->first, figures->max);
    if (figures->first < figures->min)
        figures->first = figures->min;
    figures->nested = write_minimum(figures->nested, figures->total);
    figures->self = write_minimum(figures->self, figures->total);
    figures->left = write_minimum(figures->left, figures->count);
    figures->cold = write_minimum(figures->cold, figures->count);
    figures->cold_total = write_minimum(figures->cold_total, figures->total);
    figures->inner[0] = write_minimum(figures->inner[0], figures->inner[1]);
}

static const struct regions_thread *write_thread(const struct regions_node *node)
{
    while (node->parent)
        node = node->parent;
    return (const void *)((const char *)node - offsetof(struct regions_thread, root));
}

/* Stores the sum over all threads in ALL. SLICE: the sum is written to a slice and is
   recorded as written. */
static void write_sum(struct regions_node *path, bool slice)
{
    *all = path->figures;
    for (const struct regions_node *node = path->path; node; node = node->next) {
        write_read(part, node, write_thread(node));
        ccprof_regions_add(all, part);
    }
    write_make_consistent(all);
    if (!ccprof_regions_slice(path, all, slice))
        memset(all, 0, sizeof *all);
    write_make_consistent(all);
}

/* Adds the thread's open calls to their paths. Reads each value of the stack only
   once, since the thread may be running. */
static void write_open_in(const struct regions_thread *thread, uint64_t now)
{
    const struct regions_frame *frame = thread->frame + 1;
    const struct regions_frame *top = __atomic_load_n(&thread->top, __ATOMIC_ACQUIRE);

    for (; frame < top; frame++) {
        const struct regions_node *node = __atomic_load_n(
            frame + 1 < top ? &frame[1].before : &thread->current, __ATOMIC_RELAXED);
        uint64_t start = __atomic_load_n(&frame->start, __ATOMIC_RELAXED);
        if (!node || !node->path)
            continue;
        node->path->open++;
        node->path->spent += now > start ? now - start : 0;
    }
}

static void write_open(void)
{
    uint64_t now = ccprof_regions.clock->ticks();

    for (struct regions_node *path = ccprof_regions_paths(); path; path = path->next)
        path->open = path->spent = 0;
    for (const struct regions_thread *thread = ccprof_regions.threads; thread;
         thread = thread->next)
        if (thread->used)
            write_open_in(thread, now);
}

/* Numbers the paths that have calls, and the paths outside them. */
static void write_number(bool slice)
{
    struct regions_node *path, *outer;
    uint32_t number = 0;

    for (path = ccprof_regions_paths(); path; path = path->next)
        path->number = REGIONS_ABSENT;
    for (path = ccprof_regions_paths(); path; path = path->next) {
        write_sum(path, false);
        if (all->count != 0 || (path->open != 0 && !slice))
            for (outer = path; outer; outer = outer->parent)
                outer->number = 0;
    }
    for (path = ccprof_regions_paths(); path; path = path->next)
        if (path->number != REGIONS_ABSENT)
            path->number = number++;
}

/* Writes a 128-bit number. Divides by hand, since on some processors the compiler
   would call libgcc for a 128-bit division. */
static void write_128_bits(struct ccprof_text *text, uint64_t high, uint64_t low)
{
    uint32_t part32[] = {(uint32_t)(high >> 32), (uint32_t)high, (uint32_t)(low >> 32),
                         (uint32_t)low};
    char digit[40];
    unsigned digits = 0;

    do {
        uint64_t remainder = 0;
        for (unsigned i = 0; i < 4; i++) {
            remainder = remainder << 32 | part32[i];
            part32[i] = (uint32_t)(remainder / 10);
            remainder %= 10;
        }
        digit[digits++] = (char)('0' + remainder);
    } while (part32[0] | part32[1] | part32[2] | part32[3]);
    ccprof_text_char(text, ' ');
    while (digits)
        ccprof_text_char(text, digit[--digits]);
}

static void write_figures(struct ccprof_text *text, const struct regions_node *path,
                          bool slice)
{
    const uint64_t first[] = {all->count, all->total, all->nested, all->self};
    const uint64_t second[] = {all->inner[0], all->inner[1], all->first,
                               all->count ? all->min : 0, all->max};
    const uint64_t third[] = {
        all->left,    slice ? 0 : path->open, slice ? 0 : path->spent,
        all->cold,    all->cold_total,        all->cold_min,
        all->cold_max};

    for (unsigned i = 0; i < sizeof first / sizeof *first; i++)
        ccprof_text_field(text, first[i]);
    write_128_bits(text, all->squares_high, all->squares);
    for (unsigned i = 0; i < sizeof second / sizeof *second; i++)
        ccprof_text_field(text, second[i]);
    if (ccprof_regions.has_cpu)
        ccprof_text_field(text, all->cpu);
    else
        ccprof_text_string(text, " -");
    for (unsigned i = 0; i < sizeof third / sizeof *third; i++)
        ccprof_text_field(text, third[i]);
    ccprof_text_char(text, '\n');
}

static void write_path(struct ccprof_text *text, struct regions_node *path, bool slice)
{
    if (path->number == REGIONS_ABSENT)
        return;
    write_sum(path, slice);
    ccprof_text_string(text, "path ");
    if (path->parent)
        ccprof_text_decimal(text, path->parent->number);
    else
        ccprof_text_char(text, '-');
    ccprof_text_field(text, path->region);
    write_figures(text, path, slice);
    for (unsigned i = 0; i < CCPROF_BUCKETS; i++) {
        if (all->bucket[i] == 0)
            continue;
        ccprof_text_string(text, "bucket");
        ccprof_text_field(text, i);
        ccprof_text_field(text, all->bucket[i]);
        ccprof_text_char(text, '\n');
    }
}

static void write_region(struct ccprof_text *text, unsigned number,
                         const struct ccprof_modules *modules)
{
    uint64_t key = ccprof_regions_key_of(number);
    uint64_t address = key & ~(REGIONS_KEY_NAME | REGIONS_KEY_HANDLER);
    int module = address ? ccprof_modules_find(modules, address) : -1;

    ccprof_text_string(text, "region");
    ccprof_text_field(text, number);
    if (module < 0) {
        ccprof_text_string(text, " - ");
    } else {
        ccprof_text_field(text, (uint64_t)module);
        ccprof_text_char(text, ' ');
        address -= modules->module[module].bias;
    }
    ccprof_text_hex(text, module < 0 ? 0 : address);
    ccprof_text_char(text, ' ');
    ccprof_text_path(text, ccprof_regions_name_of(key));
    /* The function's module was unloaded, and another module was loaded at the same
       address. */
    if (module < 0 && address) {
        ccprof_text_string(text, " at ");
        ccprof_text_hex(text, address);
    }
    ccprof_text_char(text, '\n');
}

/* Writes the number of calls without room for their path; in a slice, without the
   calls of earlier slices. */
static void write_unplaced(struct ccprof_text *text, bool slice)
{
    uint64_t unplaced = 0;

    for (const struct regions_thread *thread = ccprof_regions.threads; thread;
         thread = thread->next)
        unplaced += __atomic_load_n(&thread->unplaced, __ATOMIC_RELAXED);
    uint64_t left = unplaced - ccprof_regions.earlier_unplaced;
    if (slice)
        ccprof_regions.earlier_unplaced = unplaced;
    if (left == 0)
        return;
    ccprof_text_string(text, "unplaced");
    ccprof_text_field(text, left);
    ccprof_text_char(text, '\n');
}

static void write_all(struct ccprof_text *text, const struct ccprof_modules *modules,
                      bool slice)
{
    uint64_t rate = ccprof_regions_rate(), inner, outer;

    ccprof_regions_cost(&inner, &outer);
    ccprof_text_string(text, "regions ");
    ccprof_text_string(text, ccprof_regions.clock->name);
    ccprof_text_field(text, rate);
    ccprof_text_field(text, inner);
    ccprof_text_field(text, outer);
    ccprof_text_char(text, '\n');
    write_unplaced(text, slice);
    for (unsigned i = 0; i < ccprof_regions_numbers(); i++)
        write_region(text, i, modules);
    for (struct regions_node *path = ccprof_regions_paths(); path; path = path->next)
        write_path(text, path, slice);
    if (ccprof_regions.has_events)
        ccprof_regions_events_write(text, rate);
}

bool ccprof_regions_any(void)
{
    for (const struct regions_thread *thread = ccprof_regions.threads; thread;
         thread = thread->next)
        if (__atomic_load_n(&thread->top, __ATOMIC_RELAXED) > thread->frame + 1)
            return true;
    return ccprof_regions_ended();
}

bool ccprof_regions_ended(void)
{
    for (const struct regions_node *path = ccprof_regions_paths(); path;
         path = path->next) {
        if (path->figures.count != 0)
            return true;
        for (const struct regions_node *node = path->path; node; node = node->next)
            if (node->figures.count != 0)
                return true;
    }
    return false;
}

static bool write_map_buffers(void)
{
    if (!all) {
        all = ccprof_pages_map(2 * sizeof *all);
        part = all ? all + 1 : NULL;
    }
    return all;
}

void ccprof_regions_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                          bool slice)
{
    bool locked;

    if (slice)
        ccprof_regions_slice_begin();
    if (!ccprof_regions_any() || !write_map_buffers())
        return;
    locked = ccprof_lock_wait(&ccprof_regions.lock, REGIONS_PATIENCE);
    write_open();
    write_number(slice);
    write_all(text, modules, slice);
    if (locked)
        ccprof_lock_release(&ccprof_regions.lock);
}
