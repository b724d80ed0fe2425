/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/utf8.h"
#include "mlprof/base/buf.h"

#include <stdbool.h>
#include <string.h>

/* Whether SECOND may follow FIRST: not if that makes a character for which fewer bytes
   are enough, a surrogate, or a character above U+10FFFF (RFC 3629).  */
static bool goes_with(unsigned char first, unsigned char second)
{
    unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return second >= least && second <= most;
}

size_t utf8_length(const char *bytes)
{
    const unsigned char *text = (const unsigned char *)bytes;
    size_t length = text[0] < 0x80   ? 1
                    : text[0] < 0xc2 ? 0
                    : text[0] < 0xe0 ? 2
                    : text[0] < 0xf0 ? 3
                    : text[0] < 0xf5 ? 4
                                     : 0;
    if (length > 1 && !goes_with(text[0], text[1]))
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

uint32_t utf8_decode(const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text;
    uint32_t character = length == 1 ? at[0] : at[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++)
        character = character << 6 | (at[i] & 0x3fU);
    return character;
}

char *utf8_valid(const char *text)
{
    size_t wrong = 0, size = strlen(text);
    for (const char *at = text; *at;) {
        size_t length = utf8_length(at);
        wrong += length == 0;
        at += length ? length : 1;
    }
    char *valid = buf_alloc(size + wrong * strlen(UTF8_REPLACEMENT) + 1), *to = valid;
    while (*text) {
        size_t length = utf8_length(text);
        const char *from = length ? text : UTF8_REPLACEMENT;
        size_t bytes = length ? length : strlen(from);
        memcpy(to, from, bytes);
        to += bytes;
        text += length ? length : 1;
    }
    *to = '\0';
    return valid;
}
