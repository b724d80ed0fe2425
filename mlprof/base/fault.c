/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats the message of a fault, adds details to it, and prints it as one line on
   stderr. */

#define _GNU_SOURCE
#include "mlprof/base/fault.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "mlprof: "

static char *format_text(const char *format, va_list arguments)
{
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        buf_no_memory();
    return text;
}

bool fault_set(struct fault *fault, enum fault_kind kind, const char *file,
               const char *format, ...)
{
    assert(kind != FAULT_NONE);
    va_list arguments;
    va_start(arguments, format);
    BUF_OWN char *what = format_text(format, arguments);
    va_end(arguments);

    fault_clear(fault);
    fault->kind = kind;
    fault->text = buf_format("%s: %s", file, what);
    return false;
}

void fault_add(struct fault *fault, const char *what)
{
    char *text = buf_format("%s; %s", fault->text, what);
    free(fault->text);
    fault->text = text;
}

void fault_clear(struct fault *fault)
{
    free(fault->text);
    fault->text = NULL;
    fault->kind = FAULT_NONE;
}

/* Prints a line with one call: stderr is not buffered, and lines of other programs
   must not mix with it. */
static void print_line(const char *text)
{
    BUF_OWN char *line = buf_format(PREFIX "%s", text);
    text_mask(line);
    fprintf(stderr, "%s\n", line);
}

void fault_print(const struct fault *fault)
{
    print_line(fault->text);
}

void fault_warn(struct fault *fault)
{
    progress_clear();
    fault_print(fault);
    fault_clear(fault);
}

void fault_message_list(const char *format, va_list arguments)
{
    BUF_OWN char *text = format_text(format, arguments);
    progress_clear();
    print_line(text);
}

void fault_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fault_message_list(format, arguments);
    va_end(arguments);
}

char *fault_last_message(int descriptor)
{
    char text[4096];
    off_t size = lseek(descriptor, 0, SEEK_END);
    off_t start = size < (off_t)sizeof text ? 0 : size - (off_t)sizeof text + 1;
    ssize_t length = pread(descriptor, text, sizeof text - 1, start);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    if (length <= 0)
        return NULL;
    text[length] = '\0';
    const char *line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    return buf_copy(text_begins(line, PREFIX) ? line + strlen(PREFIX) : line);
}
