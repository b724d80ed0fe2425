// SPDX-License-Identifier: GPL-3.0-or-later
// Words made, hashed, counted and put in order, all through small helpers that GCC
// inlines: many copies of few functions, and big tables for their machine code.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 15, WORD_MAX = 12, HEAP_MAX = 1000 };

typedef struct {
    char text[WORD_MAX];
    uint8_t length;
    uint32_t count;
} Word;

typedef struct {
    Word slots[SLOTS];
    int used;
} Table;

typedef struct {
    const Word *words[HEAP_MAX];
    int size;
} Heap;

static inline uint32_t random_next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static inline uint32_t random_below(uint32_t *state, uint32_t n)
{
    return (uint32_t)(((uint64_t)random_next(state) * n) >> 32);
}

static inline uint32_t hash_add(uint32_t hash, char c)
{
    return (hash ^ (uint8_t)c) * 16777619u;
}

static inline uint32_t hash_word(const Word *w)
{
    uint32_t hash = 2166136261u;

    for (int i = 0; i < w->length; i++)
        hash = hash_add(hash, w->text[i]);
    return hash ^ hash >> 15;
}

static inline int word_equal(const Word *a, const Word *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static inline void word_push(Word *w, char c)
{
    w->text[w->length++] = c;
}

static inline char letter(uint32_t *state)
{
    uint32_t a = random_below(state, 26), b = random_below(state, 26);

    return (char)('a' + (a < b ? a : b));
}

static inline Word word_make(uint32_t *state)
{
    Word w = {"", 0, 1};
    uint32_t length = 2 + random_below(state, 3);

    while (w.length < length)
        word_push(&w, letter(state));
    return w;
}

static inline Word *slot_after(Table *table, Word *slot)
{
    return slot + 1 < table->slots + SLOTS ? slot + 1 : table->slots;
}

static inline Word *table_find(Table *table, const Word *w)
{
    Word *slot = &table->slots[hash_word(w) % SLOTS];

    while (slot->count > 0 && !word_equal(slot, w))
        slot = slot_after(table, slot);
    return slot;
}

static inline void table_add(Table *table, const Word *w)
{
    Word *slot = table_find(table, w);

    if (slot->count > 0) {
        slot->count++;
    } else if (table->used < SLOTS / 2) {
        *slot = *w;
        table->used++;
    }
}

static inline int before(const Word *a, const Word *b)
{
    if (a->count != b->count)
        return a->count < b->count;
    return memcmp(a->text, b->text, WORD_MAX) > 0;
}

static inline void exchange(Heap *heap, int i, int j)
{
    const Word *w = heap->words[i];

    heap->words[i] = heap->words[j];
    heap->words[j] = w;
}

static inline void sift_up(Heap *heap, int i)
{
    for (; i > 0 && before(heap->words[i], heap->words[(i - 1) / 2]); i = (i - 1) / 2)
        exchange(heap, i, (i - 1) / 2);
}

static inline void sift_down(Heap *heap)
{
    int i = 0;

    for (;;) {
        int child = 2 * i + 1;

        if (child >= heap->size)
            return;
        if (child + 1 < heap->size && before(heap->words[child + 1], heap->words[child]))
            child++;
        if (!before(heap->words[child], heap->words[i]))
            return;
        exchange(heap, i, child);
        i = child;
    }
}

// Keeps the most frequent words.
static inline void heap_offer(Heap *heap, const Word *w)
{
    if (heap->size < HEAP_MAX) {
        heap->words[heap->size] = w;
        sift_up(heap, heap->size++);
    } else if (before(heap->words[0], w)) {
        heap->words[0] = w;
        sift_down(heap);
    }
}

static uint32_t ranking(const Table *table)
{
    Heap heap = {.size = 0};
    uint32_t hash = 0;

    for (int i = 0; i < SLOTS; i++)
        if (table->slots[i].count > 0)
            heap_offer(&heap, &table->slots[i]);
    while (heap.size > 0) {
        hash = hash * 31 + hash_word(heap.words[0]) + heap.words[0]->count;
        exchange(&heap, 0, --heap.size);
        sift_down(&heap);
    }
    return hash;
}

int main(void)
{
    Table *table = calloc(1, sizeof *table);
    uint32_t random = 2463534242u, hash = 0;

    if (!table)
        return 1;
    for (int round = 0; round < 150; round++) {
        for (int i = 0; i < 200000; i++) {
            Word w = word_make(&random);

            table_add(table, &w);
        }
        hash = hash * 17 + ranking(table);
    }
    printf("%d words, %08x\n", table->used, hash);
    free(table);
    return 0;
}
