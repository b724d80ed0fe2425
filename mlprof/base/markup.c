/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/markup.h"

#include <stdbool.h>
#include <stdint.h>

/* Sets *CHARACTER to the character of UTF-8 at AT and returns its length; 0: there is
   none (RFC 3629).  Surrogates and characters above U+10FFFF are left to is_shown.  */
static size_t decode(const unsigned char *at, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = 1;
    *character = at[0];
    if (at[0] < 0x80)
        return 1;
    if (at[0] >= 0xc2 && at[0] < 0xe0)
        length = 2;
    else if ((at[0] & 0xf0) == 0xe0)
        length = 3;
    else if (at[0] >= 0xf0 && at[0] < 0xf5)
        length = 4;
    else
        return 0;
    *character = at[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        *character = *character << 6 | (at[i] & 0x3f);
    }
    return *character >= least[length] ? length : 0;
}

static bool is_shown(uint32_t character)
{
    if (character < 0x20)
        return character == '\t' || character == '\n';
    return character < 0x7f || (character >= 0xa0 && character < 0xd800) ||
           (character >= 0xe000 && character < 0xfffe) ||
           (character >= 0x10000 && character < 0x110000);
}

static void print_character(FILE *out, const char *text, size_t length)
{
    switch (*text) {
    case '&':
        fputs("&amp;", out);
        break;
    case '<':
        fputs("&lt;", out);
        break;
    case '>':
        fputs("&gt;", out);
        break;
    case '"':
        fputs("&quot;", out);
        break;
    case '\'':
        fputs("&#39;", out);
        break;
    default:
        fwrite(text, 1, length, out);
    }
}

void markup_print(FILE *out, const char *text)
{
    while (*text) {
        uint32_t character;
        size_t length = decode((const unsigned char *)text, &character);
        if (length && is_shown(character))
            print_character(out, text, length);
        else
            fputs("\xef\xbf\xbd", out);
        text += length ? length : 1;
    }
}
