/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/intern.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_text(const char *text)
{
    size_t left = strlen(text);
    uint64_t hash = index_mix(index_seed(), left);
    while (left) {
        uint64_t word = 0;
        size_t length = left < sizeof word ? left : sizeof word;
        memcpy(&word, text, length);
        hash = index_mix(hash, word);
        text += length;
        left -= length;
    }
    return hash;
}

static uint32_t *find_slot(struct intern *intern, const char *text)
{
    size_t at = hash_text(text) & (intern->slot_count - 1);
    while (intern->slots[at] && strcmp(intern->texts[intern->slots[at] - 1], text) != 0)
        at = (at + 1) & (intern->slot_count - 1);
    return &intern->slots[at];
}

static void grow(struct intern *intern)
{
    intern->slot_count = intern->slot_count ? 2 * intern->slot_count : 64;
    free(intern->slots);
    intern->slots = buf_alloc(intern->slot_count * sizeof *intern->slots);
    for (size_t i = 0; i < intern->count; i++)
        *find_slot(intern, intern->texts[i]) = (uint32_t)(i + 1);
}

uint32_t intern_put(struct intern *intern, const char *text)
{
    if (2 * (intern->count + 1) > intern->slot_count)
        grow(intern);
    uint32_t *slot = find_slot(intern, text);
    if (!*slot) {
        if (intern->count >= UINT32_MAX - 1)
            buf_no_memory();
        intern->texts = buf_grow(intern->texts, &intern->capacity, intern->count + 1,
                                 sizeof *intern->texts);
        intern->texts[intern->count++] = buf_copy(text);
        *slot = (uint32_t)intern->count;
    }
    return *slot - 1;
}

const char *intern_text(const struct intern *intern, uint32_t number)
{
    assert(number < intern->count);
    return intern->texts[number];
}

void intern_free(struct intern *intern)
{
    for (size_t i = 0; i < intern->count; i++)
        free(intern->texts[i]);
    free(intern->texts);
    free(intern->slots);
    memset(intern, 0, sizeof *intern);
}
