// SPDX-License-Identifier: GPL-3.0-or-later
// Much allocation: words are counted in a table that grows, and the lists of where they
// stand in it come and go.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Word Word;

struct Word {
    Word *next;
    char *text;
    int *places;
    int count, room;
};

typedef struct {
    Word **slots;
    unsigned size, used;
} Table;

static void *checked(void *memory)
{
    if (!memory)
        exit(1);
    return memory;
}

static unsigned hash(const char *text)
{
    unsigned h = 2166136261u;

    while (*text)
        h = (h ^ (unsigned char)*text++) * 16777619u;
    return h;
}

static void grow(Table *table)
{
    unsigned size = table->size ? 2 * table->size : 16;
    Word **slots = checked(calloc(size, sizeof *slots));

    for (unsigned i = 0; i < table->size; i++)
        for (Word *word = table->slots[i], *next; word; word = next) {
            unsigned to = hash(word->text) % size;
            next = word->next;
            word->next = slots[to];
            slots[to] = word;
        }
    free(table->slots);
    table->slots = slots;
    table->size = size;
}

static Word *find(Table *table, const char *text)
{
    if (table->used >= table->size)
        grow(table);
    Word **slot = &table->slots[hash(text) % table->size];
    for (Word *word = *slot; word; word = word->next)
        if (strcmp(word->text, text) == 0)
            return word;
    Word *word = checked(calloc(1, sizeof *word));
    word->text = checked(strdup(text));
    word->next = *slot;
    *slot = word;
    table->used++;
    return word;
}

static void add_place(Word *word, int place)
{
    if (word->count == word->room) {
        word->room = word->room ? 2 * word->room : 4;
        word->places =
            checked(realloc(word->places, (size_t)word->room * sizeof *word->places));
    }
    word->places[word->count++] = place;
}

static long clear(Table *table)
{
    long sum = 0;

    for (unsigned i = 0; i < table->size; i++)
        for (Word *word = table->slots[i], *next; word; word = next) {
            next = word->next;
            sum += word->count + word->places[word->count - 1];
            free(word->places);
            free(word->text);
            free(word);
        }
    free(table->slots);
    *table = (Table){0};
    return sum;
}

int main(void)
{
    unsigned random = 1;
    long sum = 0;

    for (int round = 0; round < 200; round++) {
        Table table = {0};
        for (int place = 0; place < 40000; place++) {
            char text[16];
            random = random * 1103515245 + 12345;
            unsigned number = random >> 16 & 0x3fff;
            for (int i = 0; i < 7; i++, number /= 4)
                text[i] = (char)('a' + number % 4);
            text[7] = 0;
            add_place(find(&table, text), place);
        }
        sum += clear(&table);
    }
    printf("%ld\n", sum);
    return 0;
}
