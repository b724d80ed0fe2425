/* SPDX-License-Identifier: MIT */
/* Marks the reachable blocks. Owns no data. Called by write.c when the program ends,
   with all signals blocked and the heap held. */

#define _GNU_SOURCE
#include <string.h>

#include "rt/heap/reach.h"
#include "rt/heap/blocks.h"
#include "rt/heap/held.h"
#include "rt/os/file.h"
#include "rt/os/memory.h"

#define REACH_BUFFER (64u << 10)
#define REACH_PAGES  512

/* Blocks of at least this size are checked for pages that were never written to. */
#define REACH_LARGE (1u << 20)

/* Number of address bits for one pass of the radix sort, and number of passes. */
#define REACH_BITS   11
#define REACH_PASSES 5

/* C++ stores the number of elements before an array if the elements have destructors.
   This is the size of that number in bytes. */
#define REACH_COOKIE 8

struct reach_block {
    uint64_t address;
    uint64_t size : 48, state : 3, is_waiting : 1;
    uint32_t stack;
    uint32_t next; /* index of the next block in the queue, plus 1 */
};

struct reach {
    struct reach_block *block; /* sorted by address */
    uint32_t count, capacity;
    uint32_t waiting;   /* index of the first block in the queue, plus 1 */
    uint64_t low, high; /* range of the addresses of all blocks */
    uint32_t leader;    /* lost block whose references are followed */
    enum ccprof_heap_reachability new_state; /* state for blocks that are found now */
    struct ccprof_heap_root
        hidden[3];              /* the runtime's memory with references to blocks */
    bool in_libc;               /* the words are libc's own variables */
    struct ccprof_file present; /* /proc/self/pagemap: which pages are in memory */
    uint64_t pages[REACH_PAGES];
    struct ccprof_heap_root read; /* address range of the copy in BUFFER */
    uint64_t buffer[REACH_BUFFER / sizeof(uint64_t)];
};

static void reach_add_block(void *context, uint64_t address,
                            const struct ccprof_heap_record *record)
{
    struct reach *reach = context;

    if (reach->count == reach->capacity)
        return;
    reach->block[reach->count++] = (struct reach_block){.address = address,
                                                        .size = record->size,
                                                        .state = CCPROF_HEAP_LOST,
                                                        .stack = record->stack};
}

static void reach_count_block(void *context, uint64_t address,
                              const struct ccprof_heap_record *record)
{
    (void)address;
    (void)record;
    ++*(uint32_t *)context;
}

/* Sorts by REACH_BITS bits of the addresses, beginning at bit SHIFT. The sort is
   stable. */
static void reach_sort_by(const struct reach_block *from, struct reach_block *to,
                          uint32_t count, unsigned shift, uint32_t *places)
{
    const uint64_t mask = (1u << REACH_BITS) - 1;
    uint32_t sum = 0;

    memset(places, 0, sizeof *places << REACH_BITS);
    for (uint32_t i = 0; i < count; i++)
        places[from[i].address >> shift & mask]++;
    for (uint32_t i = 0; i <= mask; i++) {
        uint32_t here = places[i];
        places[i] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++)
        to[places[from[i].address >> shift & mask]++] = from[i];
}

/* Sorts the blocks by address. Uses BUFFER for the counts of the radix sort, since
   BUFFER is not needed for anything else yet. */
static void reach_sort(struct reach *reach, struct reach_block *spare)
{
    _Static_assert(sizeof reach->buffer >= sizeof(uint32_t) << REACH_BITS, "no room");
    for (unsigned i = 0; i < REACH_PASSES; i++) {
        struct reach_block *from = reach->block;
        reach_sort_by(from, spare, reach->count, 3 + REACH_BITS * i,
                      (uint32_t *)reach->buffer);
        reach->block = spare;
        spare = from;
    }
}

/* Returns the index of the first block that ends after ADDRESS. A block of size 0 is
   treated as one byte. */
static uint32_t reach_first_after(const struct reach *reach, uint64_t address)
{
    uint32_t from = 0, to = reach->count;

    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        const struct reach_block *block = &reach->block[middle];
        if (block->address + block->size + (block->size == 0) <= address)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Adds the block to the queue of blocks whose words must be searched. */
static void reach_enqueue(struct reach *reach, uint32_t number)
{
    struct reach_block *block = &reach->block[number];

    if (block->is_waiting)
        return;
    block->is_waiting = true;
    block->next = reach->waiting;
    reach->waiting = number + 1;
}

/* Returns whether the pointer refers to the elements of a C++ array that has its
   number of elements before them. */
static bool reach_is_array(const struct reach_block *block, uint64_t pointer)
{
    uint64_t elements = 0;

    return pointer - block->address == REACH_COOKIE && block->size > REACH_COOKIE &&
           ccprof_safe_read_bytes(block->address, &elements, sizeof elements) ==
               sizeof elements &&
           elements != 0 && (block->size - REACH_COOKIE) % elements == 0;
}

/* Records that a lost block refers to the lost block NUMBER. IS_DONE: the words of
   block NUMBER were searched already. */
static void reach_indirect(struct reach *reach, uint32_t number, bool is_done)
{
    if (number == reach->leader)
        return;
    reach->block[number].state = CCPROF_HEAP_INDIRECT;
    if (!is_done)
        reach_enqueue(reach, number);
}

/* Returns whether the pointer into the block may be an internal pointer of libc's
   allocator. The allocator's own data are before the next block and include the last
   8 bytes of this block. */
static bool reach_is_allocator_pointer(const struct reach *reach,
                                       const struct reach_block *block, uint64_t pointer)
{
    return reach->in_libc && pointer % 16 == 0 &&
           pointer + 8 >= block->address + block->size && pointer != block->address;
}

/* Checks whether the word is the address of a block. */
static void reach_check_word(struct reach *reach, uint64_t word)
{
    if (word - reach->low >= reach->high - reach->low)
        return;
    uint32_t number = reach_first_after(reach, word);
    struct reach_block *block = &reach->block[number];
    if (number == reach->count || word < block->address ||
        reach_is_allocator_pointer(reach, block, word))
        return;
    if (reach->new_state == CCPROF_HEAP_INDIRECT) {
        if (block->state == CCPROF_HEAP_LOST)
            reach_indirect(reach, number, number < reach->leader);
    } else if (block->state != CCPROF_HEAP_REACHED &&
               reach->new_state == CCPROF_HEAP_REACHED &&
               (word == block->address || reach_is_array(block, word))) {
        block->state = CCPROF_HEAP_REACHED;
        reach_enqueue(reach, number);
    } else if (block->state == CCPROF_HEAP_LOST) {
        block->state = CCPROF_HEAP_POSSIBLE;
        reach_enqueue(reach, number);
    }
}

/* Sets *IS_PRESENT to whether the page of FROM is in memory. Returns the number of
   bytes from FROM on, at most SIZE, that have the same answer. Pages that were never
   written to are not in memory and contain no addresses. */
static uint64_t reach_page_run(struct reach *reach, uint64_t from, uint64_t size,
                               bool *is_present)
{
    const uint64_t present = UINT64_C(3) << 62; /* in memory, or swapped out */
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t *entry = reach->pages, span = page - from % page;

    *is_present = true;
    if (ccprof_file_read(&reach->present, entry, sizeof reach->pages,
                         (off_t)(from / page * sizeof *entry)) != sizeof reach->pages)
        return size;
    *is_present = (entry[0] & present) != 0;
    for (unsigned i = 1; i < REACH_PAGES && ((entry[i] & present) != 0) == *is_present;
         i++)
        span += page;
    return span < size ? span : size;
}

/* Reads the pages of the range from FROM to TO, as many as fit into the buffer.
   Returns false if the page of FROM is not readable. */
static bool reach_read(struct reach *reach, uint64_t from, uint64_t to)
{
    const uint64_t page = CCPROF_SAFE_READ_PAGE, start = from & -page;
    const uint64_t size = ((to + page - 1) & -page) - start;
    const uint64_t most = size < REACH_BUFFER ? size : REACH_BUFFER;

    reach->read.from = start;
    reach->read.to = start + ccprof_safe_read_bytes(start, reach->buffer, most);
    return from < reach->read.to;
}

/* Checks the words from FROM to TO, which are often in the buffer already. */
static void reach_scan_words(struct reach *reach, uint64_t from, uint64_t to)
{
    from = (from + 7) & ~UINT64_C(7);
    to &= ~UINT64_C(7);
    while (from < to) {
        if ((from < reach->read.from || from >= reach->read.to) &&
            !reach_read(reach, from, to)) {
            from = (from & -CCPROF_SAFE_READ_PAGE) + CCPROF_SAFE_READ_PAGE;
            continue;
        }
        uint64_t end = to < reach->read.to ? to : reach->read.to;
        for (; from < end; from += 8)
            reach_check_word(reach, reach->buffer[(from - reach->read.from) / 8]);
    }
}

/* Checks the words of a part of a root, except pages that are not in memory. */
static void reach_scan_present(struct reach *reach, uint64_t from, uint64_t to)
{
    for (uint64_t size; from < to; from += size) {
        bool is_present;
        size = reach_page_run(reach, from, to - from, &is_present);
        if (is_present)
            reach_scan_words(reach, from, from + size);
    }
}

/* Checks the part of a root from FROM to TO, except the runtime's own memory. */
static void reach_scan_visible(struct reach *reach, uint64_t from, uint64_t to)
{
    for (size_t i = 0; i < sizeof reach->hidden / sizeof *reach->hidden; i++) {
        const struct ccprof_heap_root *hidden = &reach->hidden[i];
        if (hidden->from < to && hidden->to > from) {
            if (from < hidden->from)
                reach_scan_visible(reach, from, hidden->from);
            if (hidden->to < to)
                reach_scan_visible(reach, hidden->to, to);
            return;
        }
    }
    reach_scan_present(reach, from, to);
}

/* Checks a root, except the blocks in it. */
static void reach_scan_root(struct reach *reach, const struct ccprof_heap_root *root)
{
    uint64_t address = root->from;

    for (uint32_t i = reach_first_after(reach, address); address < root->to; i++) {
        const struct reach_block *block = &reach->block[i];
        if (i == reach->count || block->address >= root->to) {
            reach_scan_visible(reach, address, root->to);
            return;
        }
        if (address < block->address)
            reach_scan_visible(reach, address, block->address);
        address = block->address + block->size;
    }
}

/* Checks the words of the blocks in the queue until the queue is empty. */
static void reach_scan_queue(struct reach *reach)
{
    while (reach->waiting != 0) {
        struct reach_block *block = &reach->block[reach->waiting - 1];
        reach->waiting = block->next;
        block->is_waiting = false;
        if (reach->new_state != CCPROF_HEAP_INDIRECT)
            reach->new_state = block->state;
        if (block->size < REACH_LARGE)
            reach_scan_words(reach, block->address, block->address + block->size);
        else
            reach_scan_present(reach, block->address, block->address + block->size);
    }
}

static void reach_from_roots(struct reach *reach, const struct ccprof_heap_roots *roots)
{
    for (uint32_t i = 0; i < roots->count; i++) {
        reach->new_state = CCPROF_HEAP_REACHED;
        reach->in_libc =
            roots->root[i].from < roots->libc.to && roots->root[i].to > roots->libc.from;
        reach_scan_root(reach, &roots->root[i]);
    }
    reach->in_libc = false;
    reach->new_state = CCPROF_HEAP_REACHED;
    for (unsigned i = 0; i < ccprof_cpu.registers; i++)
        reach_check_word(reach, roots->registers[i]);
    reach_scan_queue(reach);
}

/* Finds the blocks that lost blocks refer to. */
static void reach_from_lost(struct reach *reach)
{
    reach->new_state = CCPROF_HEAP_INDIRECT;
    for (uint32_t i = 0; i < reach->count; i++) {
        if (reach->block[i].state != CCPROF_HEAP_LOST)
            continue;
        reach->leader = i;
        reach_enqueue(reach, i);
        reach_scan_queue(reach);
    }
}

static void reach_mark(struct reach *reach, const struct ccprof_heap_roots *roots)
{
    const struct reach_block *last;

    if (reach->count == 0)
        return;
    last = &reach->block[reach->count - 1];
    reach->low = reach->block->address;
    reach->high = last->address + last->size + 1;
    if (!ccprof_file_open(&reach->present, AT_FDCWD, "/proc/self/pagemap", O_RDONLY, 0))
        reach->present.fd = -1;
    reach_from_roots(reach, roots);
    reach_from_lost(reach);
    ccprof_file_close(&reach->present);
}

static struct ccprof_heap_root reach_range(const struct ccprof_pages *pages)
{
    return (struct ccprof_heap_root){(uintptr_t)pages->start,
                                     (uintptr_t)pages->start + pages->size};
}

/* Adds the blocks to the sums of their stacks. */
static void reach_sum(const struct reach *reach, struct ccprof_heap_reach *to,
                      uint32_t count)
{
    for (uint32_t i = 0; i < reach->count; i++) {
        const struct reach_block *block = &reach->block[i];
        if (block->stack < count)
            ccprof_heap_stacks_add(&to[block->stack].by_state[block->state], block->size);
    }
}

bool ccprof_heap_reach_find(struct ccprof_heap_reach *to, uint32_t count)
{
    struct ccprof_pages pages = {NULL, 0},
                        heap_state = {(uint8_t *)ccprof_heap, sizeof *ccprof_heap};
    struct ccprof_heap_roots roots;
    uint32_t blocks = 0;

    ccprof_heap_blocks_each(&ccprof_heap->blocks, reach_count_block, &blocks);
    const uint64_t size = ((uint64_t)blocks + 1) * sizeof(struct reach_block);
    bool good = ccprof_heap_roots_find(&roots) &&
                ccprof_pages_make(&pages, 2 * size + sizeof(struct reach));
    if (good) {
        struct reach *reach = (void *)(pages.start + 2 * size);
        reach->block = (void *)pages.start;
        reach->capacity = blocks;
        ccprof_heap_blocks_each(&ccprof_heap->blocks, reach_add_block, reach);
        reach_sort(reach, (void *)(pages.start + size));
        reach->hidden[0] = reach_range(&pages);
        reach->hidden[1] = reach_range(&heap_state);
        reach->hidden[2] = reach_range(&roots.pages);
        reach_mark(reach, &roots);
        reach_sum(reach, to, count);
    }
    ccprof_pages_free(&roots.pages);
    ccprof_pages_free(&pages);
    return good;
}
