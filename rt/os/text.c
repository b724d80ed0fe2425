/* SPDX-License-Identifier: MIT */
/* Formats numbers, bytes and paths, and prints messages. Owns the identity of the
   standard error and the kept messages. The caller owns each text. Any thread may call
   these functions, and so may signal handlers. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "rt/os/text.h"
#include "rt/os/file.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"

static const char digits[] = "0123456789abcdef";

void ccprof_text_open(struct ccprof_text *text, char *buffer, size_t size,
                      const struct ccprof_file *file)
{
    ccprof_assert(size != 0);
    text->buffer = buffer;
    text->size = size;
    text->used = 0;
    text->file = file;
    text->error = 0;
}

int ccprof_text_flush(struct ccprof_text *text)
{
    size_t done = 0;
    while (!text->error && done < text->used) {
        ssize_t n = ccprof_file_write(text->file, text->buffer + done, text->used - done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0)
            text->error = ENOSPC;
        else if (errno != EINTR)
            text->error = errno;
    }
    text->used = 0;
    return text->error;
}

void ccprof_text_char(struct ccprof_text *text, char c)
{
    if (text->used == text->size) {
        if (text->file)
            ccprof_text_flush(text);
        else if (!text->error)
            text->error = ENAMETOOLONG;
    }
    if (!text->error)
        text->buffer[text->used++] = c;
}

void ccprof_text_string(struct ccprof_text *text, const char *string)
{
    while (*string)
        ccprof_text_char(text, *string++);
}

static void text_number(struct ccprof_text *text, uint64_t number, unsigned base)
{
    char reversed[20];
    int n = 0;
    do {
        reversed[n++] = digits[number % base];
        number /= base;
    } while (number);
    while (n)
        ccprof_text_char(text, reversed[--n]);
}

void ccprof_text_decimal(struct ccprof_text *text, uint64_t number)
{
    text_number(text, number, 10);
}

void ccprof_text_field(struct ccprof_text *text, uint64_t number)
{
    ccprof_text_char(text, ' ');
    ccprof_text_decimal(text, number);
}

void ccprof_text_hex(struct ccprof_text *text, uint64_t number)
{
    ccprof_text_string(text, "0x");
    text_number(text, number, 16);
}

void ccprof_text_bytes(struct ccprof_text *text, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        ccprof_text_char(text, digits[bytes[i] >> 4]);
        ccprof_text_char(text, digits[bytes[i] & 15]);
    }
}

void ccprof_text_clean(struct ccprof_text *text, const char *string)
{
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        if (c >= ' ' && c != 0x7f) {
            ccprof_text_char(text, *string);
            continue;
        }
        ccprof_text_string(text, "\\x");
        ccprof_text_bytes(text, &c, 1);
    }
}

void ccprof_text_path(struct ccprof_text *text, const char *path)
{
    for (; *path; path++) {
        if (*path == '\\')
            ccprof_text_string(text, "\\\\");
        else if (*path == '\n')
            ccprof_text_string(text, "\\n");
        else
            ccprof_text_char(text, *path);
    }
}

int ccprof_text_end(struct ccprof_text *text)
{
    if (text->used == text->size) {
        text->used--;
        if (!text->error)
            text->error = ENAMETOOLONG;
    }
    text->buffer[text->used] = '\0';
    return text->error;
}

static struct ccprof_file standard_error = {.fd = STDERR_FILENO, .is_any = true};
static bool say_prints;

/* The messages about missing data, as lines without an end at the last one. */
static struct {
    _Atomic bool busy; /* a thread is adding a message */
    char text[CCPROF_SAY_KEPT];
} kept;

void ccprof_say_start(bool prints)
{
    say_prints = prints;
    standard_error = ccprof_file_at(STDERR_FILENO);
}

const struct ccprof_file *ccprof_say_file(void)
{
    return &standard_error;
}

/* Omits a message that does not fit. The old end is overwritten last, since another
   thread may be reading. */
void ccprof_say_keep(const char *message)
{
    size_t used = strlen(kept.text), length = strlen(message);

    if (strstr(kept.text, message) || used + length + 2 > sizeof kept.text ||
        atomic_exchange(&kept.busy, true))
        return;
    memcpy(kept.text + used + (used != 0), message, length + 1);
    atomic_signal_fence(memory_order_release);
    if (used != 0)
        kept.text[used] = '\n';
    atomic_store(&kept.busy, false);
}

/* The message is a single write, so that lines of several processes do not mix. */
static void say_print(const char *line, size_t size)
{
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    ccprof_blocked_write(&blocked);
    ccprof_file_write(&standard_error, line, size);
    ccprof_blocked_end(&blocked);
}

static void say_parts(bool keeps, const char *part, va_list parts)
{
    static const char prefix[] = "ccprof: ";
    int saved = errno;
    char line[1000];
    struct ccprof_text text;

    ccprof_text_open(&text, line, sizeof line - 1, NULL);
    ccprof_text_string(&text, prefix);
    for (; part; part = va_arg(parts, const char *))
        ccprof_text_clean(&text, part);
    line[text.used] = '\0';
    if (keeps)
        ccprof_say_keep(line + sizeof prefix - 1);
    line[text.used] = '\n';
    if (say_prints)
        say_print(line, text.used + 1);
    errno = saved;
}

void ccprof_say(const char *part, ...)
{
    va_list parts;

    if (!say_prints)
        return;
    va_start(parts, part);
    say_parts(false, part, parts);
    va_end(parts);
}

void ccprof_say_missing(const char *part, ...)
{
    va_list parts;

    va_start(parts, part);
    say_parts(true, part, parts);
    va_end(parts);
}

const char *ccprof_say_kept(void)
{
    return kept.text;
}

void ccprof_say_forget(void)
{
    if (atomic_load(&kept.busy) || *kept.text) {
        atomic_store(&kept.busy, false);
        *kept.text = '\0';
    }
}

const char *ccprof_say_error(int error)
{
    const char *text = strerrordesc_np(error);
    return text ? text : "unknown error";
}
