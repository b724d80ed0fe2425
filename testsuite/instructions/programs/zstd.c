// SPDX-License-Identifier: GPL-3.0-or-later
// Compresses text that it makes, with Zstandard's library at three levels, decompresses
// it and compares. Prints the sizes.
// zstd [KILOBYTES]

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static void make(char *text, size_t size)
{
    static const char *const words[] = {"counter", " of ",    " the ",  "block",  ", ",
                                        "edge",    " and ",   "branch", ".\n",    "loop",
                                        " that ",  "machine", " in ",   " code ", "0x"};
    uint32_t seed = 3;
    for (size_t at = 0; at < size;) {
        char number[16];
        seed = seed * 1664525 + 1013904223;
        const char *word = words[(seed >> 8) % (sizeof words / sizeof *words)];
        if (seed >> 28 == 0) {
            snprintf(number, sizeof number, "%x", seed);
            word = number;
        }
        size_t length = strlen(word);
        if (length > size - at)
            length = size - at;
        memcpy(text + at, word, length);
        at += length;
    }
}

int main(int count, char **arguments)
{
    static const int levels[] = {1, 5, 16};
    size_t size = (count > 1 ? strtoul(arguments[1], NULL, 10) : 1500) << 10;
    size_t room = ZSTD_compressBound(size);
    // One block: ZSTD_decompress compares the addresses of its input and its output, and
    // executes fewer instructions if the input comes first.
    char *text = malloc(size + room + size), *packed = text + size,
         *again = packed + room;
    if (text == NULL)
        return 1;
    make(text, size);
    for (int i = 0; i < 3; i++) {
        size_t got = ZSTD_compress(packed, room, text, size, levels[i]);
        if (ZSTD_isError(got) || ZSTD_decompress(again, size, packed, got) != size ||
            memcmp(text, again, size) != 0)
            return 1;
        printf("level %d: %zu\n", levels[i], got);
    }
    free(text);
    return 0;
}
