/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/intern.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_text(const char *text, size_t left)
{
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

uint32_t intern_put(struct intern *intern, const char *text)
{
    slots_reserve(&intern->slots, intern->count + 1);
    uint32_t number;
    size_t length = strlen(text);
    struct slots_search search = slots_begin(&intern->slots, hash_text(text, length));
    while (slots_next(&intern->slots, &search, &number)) {
        if (strcmp(intern->texts[number], text) == 0)
            return number;
        slots_skip(&intern->slots, &search);
    }
    number = (uint32_t)intern->count;
    BUF_NEXT(intern->texts, intern->count, intern->capacity) =
        pool_copy(&intern->pool, text, length + 1);
    slots_put(&intern->slots, &search, number);
    return number;
}

const char *intern_text(const struct intern *intern, uint32_t number)
{
    assert(number < intern->count);
    return intern->texts[number];
}

const char *intern_keep(struct intern *intern, char *text)
{
    uint32_t number = intern_put(intern, text);
    free(text);
    return intern_text(intern, number);
}

void intern_free(struct intern *intern)
{
    pool_free(&intern->pool);
    free(intern->texts);
    slots_free(&intern->slots);
    memset(intern, 0, sizeof *intern);
}
