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

/* Whether XML allows the character, and a terminal shows it.  */
static bool is_shown(uint32_t character)
{
    if (character < 0x20)
        return character == '\t' || character == '\n';
    return character < 0x7f || (character >= 0xa0 && character < 0xd800) ||
           (character >= 0xe000 && character < 0xfffe) || character >= 0x10000;
}

static void print_character(FILE *out, const char *text, size_t length)
{
    static const char *const escaped[] = {"&amp;", "<lt;", ">gt;", "\"quot;", "'#39;"};
    for (size_t i = 0; i < sizeof escaped / sizeof *escaped; i++)
        if (*text == escaped[i][0]) {
            fprintf(out, "&%s", escaped[i] + 1);
            return;
        }
    fwrite(text, 1, length, out);
}

void markup_print(FILE *out, const char *text)
{
    while (*text) {
        size_t length = utf8_length(text);
        if (length && is_shown(utf8_decode(text, length)))
            print_character(out, text, length);
        else
            fputs(UTF8_REPLACEMENT, out);
        text += length ? length : 1;
    }
}

void base64_print(FILE *out, const void *bytes, size_t size)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = bytes;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t three = (uint32_t)from[i] << 16 |
                         (left > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
                         (left > 2 ? from[i + 2] : 0);
        putc(digits[three >> 18], out);
        putc(digits[three >> 12 & 63], out);
        putc(left > 1 ? digits[three >> 6 & 63] : '=', out);
        putc(left > 2 ? digits[three & 63] : '=', out);
    }
}
