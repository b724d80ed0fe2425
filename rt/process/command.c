/* SPDX-License-Identifier: MIT */
/* Owns the text of the command.  The constructor calls start; the text is read where
   files are written, handlers included.  */

#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>

#include "rt/process/command.h"
#include "rt/os/file.h"
#include "rt/os/text.h"

static char command[CCPROF_COMMAND_SIZE];

/* Returns the length of the UTF-8 character (RFC 3629) at AT, which must end before END;
   0 if there is none, or a control character.  */
static size_t command_character(const unsigned char *at, const unsigned char *end)
{
    size_t length = *at < 0x80 ? 1 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
    uint32_t code = length == 1 ? *at : *at & (0xffu >> (length + 1));
    static const uint32_t least[] = {0, 0x20, 0xa0, 0x800, 0x10000};

    if ((*at >= 0x80 && *at < 0xc0) || *at >= 0xf8 || (size_t)(end - at) < length)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    if (code < least[length] || code == 0x7f || (code >= 0xd800 && code < 0xe000) ||
        code > 0x10ffff)
        return 0;
    return length;
}

/* How an argument is shown.  */
enum command_manner { COMMAND_PLAIN, COMMAND_QUOTED, COMMAND_ESCAPED };

/* Whether C means itself for a shell anywhere in a word; in the FIRST word an equals sign
   would set a variable.  */
static bool command_is_plain(unsigned char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c >= 0x80 || strchr("_@%+:,./-", c) || (c == '=' && !first);
}

static enum command_manner command_manner(const unsigned char *at,
                                          const unsigned char *end, bool first)
{
    enum command_manner manner = at == end ? COMMAND_QUOTED : COMMAND_PLAIN;

    while (at < end) {
        size_t length = command_character(at, end);
        if (length == 0)
            return COMMAND_ESCAPED;
        if (!command_is_plain(*at, first))
            manner = COMMAND_QUOTED;
        at += length;
    }
    return manner;
}

static void command_quote(struct ccprof_text *text, const unsigned char *at,
                          const unsigned char *end)
{
    ccprof_text_char(text, '\'');
    for (; at < end; at++) {
        if (*at == '\'')
            ccprof_text_string(text, "'\\''");
        else
            ccprof_text_char(text, (char)*at);
    }
    ccprof_text_char(text, '\'');
}

/* Writes an argument as $'...', which POSIX has had since 2024, and bash before.  */
static void command_escape(struct ccprof_text *text, const unsigned char *at,
                           const unsigned char *end)
{
    ccprof_text_string(text, "$'");
    while (at < end) {
        size_t length = command_character(at, end);
        if (length == 0) {
            ccprof_text_char(text, '\\');
            ccprof_text_char(text, (char)('0' + (*at >> 6)));
            ccprof_text_char(text, (char)('0' + (*at >> 3 & 7)));
            ccprof_text_char(text, (char)('0' + (*at & 7)));
            length = 1;
        } else if (*at == '\'' || *at == '\\') {
            ccprof_text_char(text, '\\');
            ccprof_text_char(text, (char)*at);
        } else {
            for (size_t i = 0; i < length; i++)
                ccprof_text_char(text, (char)at[i]);
        }
        at += length;
    }
    ccprof_text_char(text, '\'');
}

static void command_argument(struct ccprof_text *text, const unsigned char *at,
                             const unsigned char *end)
{
    bool first = text->used == 0;
    enum command_manner manner = command_manner(at, end, first);

    if (!first)
        ccprof_text_char(text, ' ');
    if (manner == COMMAND_ESCAPED)
        command_escape(text, at, end);
    else if (manner == COMMAND_QUOTED)
        command_quote(text, at, end);
    else
        for (; at < end; at++)
            ccprof_text_char(text, (char)*at);
}

/* Returns how many bytes the SIZE bytes of TEXT take in the file.  */
static size_t command_written(const char *text, size_t size)
{
    size_t written = size;

    for (size_t i = 0; i < size; i++)
        written += text[i] == '\\';
    return written;
}

/* Shows each argument as a whole or not at all.  */
void ccprof_command_show(char *to, const char *arguments, size_t size)
{
    const unsigned char *at = (const unsigned char *)arguments, *end = at + size;
    struct ccprof_text text;
    size_t used = 0;

    ccprof_text_open(&text, to, CCPROF_COMMAND_MOST, NULL);
    while (at < end) {
        const unsigned char *stop = memchr(at, '\0', (size_t)(end - at));
        if (stop)
            command_argument(&text, at, stop);
        if (!stop || text.error || command_written(to, text.used) > CCPROF_COMMAND_MOST) {
            strcpy(to + used, used ? " ..." : "...");
            return;
        }
        used = text.used;
        at = stop + 1;
    }
    to[used] = '\0';
}

/* The arguments of main, if libc tells constructors.  */
static char **handed;

/* Whether the arguments, as far as they are needed, are where the kernel put them: one
   behind the other, above their list.  Main may have changed them before it loads a
   library with the runtime.  */
static bool command_is_untouched(int count, char **arguments)
{
    const char *from = arguments[0], *at = from;

    if ((uintptr_t)from <= (uintptr_t)(arguments + count))
        return false;
    for (int i = 0; i < count && at - from <= CCPROF_COMMAND_MOST; i++) {
        if (arguments[i] != at)
            return false;
        at += strlen(at) + 1;
    }
    return true;
}

/* Some C libraries call constructors without arguments.  In a statically linked program
   the runtime has started before this constructor.  */
__attribute__((constructor)) static void command_hand(int count, char **arguments,
                                                      char **environment)
{
    if (count > 0 && arguments && environment == arguments + count + 1 &&
        command_is_untouched(count, arguments))
        handed = arguments;
}

/* Copies the arguments one behind the other, as the kernel keeps them.  Returns the
   number of bytes, SIZE at most.  */
static size_t command_handed(char *to, size_t size)
{
    size_t used = 0;

    for (char **argument = handed; *argument && used < size; argument++) {
        size_t length = strnlen(*argument, size - used - 1) + 1;
        memcpy(to + used, *argument, length);
        used += length;
    }
    return used;
}

static size_t command_read(char *to, size_t most)
{
    ssize_t got = ccprof_file_start(AT_FDCWD, "/proc/self/cmdline", O_RDONLY, to, most);
    return got > 0 ? (size_t)got : 0;
}

/* Keeps the first argument; an argument that is cut off stands for all others.  */
static size_t command_shorten(char *arguments, size_t size)
{
    size_t length = strnlen(arguments, size) + 1;

    if (length >= size)
        return size;
    arguments[length] = '.';
    return length + 1;
}

void ccprof_command_start(bool whole)
{
    char arguments[CCPROF_COMMAND_MOST + 2];
    size_t size = handed ? command_handed(arguments, sizeof arguments)
                         : command_read(arguments, sizeof arguments);

    if (!whole)
        size = command_shorten(arguments, size);
    if (size != 0)
        ccprof_command_show(command, arguments, size);
}

const char *ccprof_command(void)
{
    return command;
}
