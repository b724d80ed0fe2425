/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads addresses from the command line or a stream, and prints the functions at each,
   for -where. */

#include "mlprof/view/where.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 65536

static void print_clean(FILE *out, const char *text)
{
    BUF_OWN char *clean = text_clean(text);
    fputs(clean, out);
}

static void print_position(FILE *out, const struct unit *unit,
                           const struct function_frame *frame)
{
    const struct function_position *position = &frame->position;
    bool known = position->line != 0 && position->file != 0;
    uint32_t number = known ? position->file : frame->source->file;
    const char *file = unit_file(unit, number);
    if (file) {
        print_clean(out, sourcefile_name(file));
        putc(':', out);
    }
    if (!known)
        putc('?', out);
    else if (position->column)
        fprintf(out, "%" PRIu32 ":%" PRIu32, position->line, position->column);
    else
        fprintf(out, "%" PRIu32, position->line);
}

static void print_stack(FILE *out, const struct function *function, uint32_t point,
                        bool long_name)
{
    struct function_frames frames = function_frames(function, point);
    struct function_frame frame;
    bool first = true;
    while (function_frames_next(&frames, &frame)) {
        const char *name = frame.source->name;
        if (!first)
            fputs(" < ", out);
        print_clean(out, long_name ? name : text_last_component(name));
        putc(' ', out);
        print_position(out, function->unit, &frame);
        first = false;
    }
    if (first)
        putc('?', out);
}

void where_print(FILE *out, struct tables *tables, uint64_t address, bool long_name)
{
    struct tables_point point;
    fprintf(out, "0x%" PRIx64 ": ", address);
    if (tables_find(tables, address, &point))
        print_stack(out, tables_function(tables, point.function), point.point, long_name);
    else
        putc('?', out);
    putc('\n', out);
}

bool where_address(const char *text, uint64_t *address)
{
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        text += 2;
    if (!*text || text[strspn(text, "0123456789abcdefABCDEF")])
        return false;
    errno = 0;
    *address = strtoull(text, NULL, 16);
    return errno == 0;
}

/* Input that was read but not processed yet. */
struct input {
    char *text;
    size_t size, capacity;
    unsigned long line;
};

/* Prints the local stacks of the addresses in TEXT, which is one line. */
static bool answer_line(FILE *out, struct tables *tables, char *text, bool long_name,
                        unsigned long line, struct fault *fault)
{
    char *rest;
    for (char *word = strtok_r(text, " \t\r", &rest); word;
         word = strtok_r(NULL, " \t\r", &rest)) {
        uint64_t address;
        if (!where_address(word, &address))
            return fault_set(fault, FAULT_GARBLED, "standard input",
                             "line %lu: not a hexadecimal address: %s", line, word);
        where_print(out, tables, address, long_name);
    }
    return true;
}

/* Processes the complete lines of INPUT and, if FINAL, a last line without a newline. */
static bool answer(FILE *out, struct tables *tables, struct input *input, bool final,
                   bool long_name, struct fault *fault)
{
    char *cursor = input->text, *end = cursor + input->size;
    bool good = true;
    while (good && cursor < end) {
        char *newline = memchr(cursor, '\n', (size_t)(end - cursor));
        if (!newline && !final)
            break;
        char *stop = newline ? newline : end;
        *stop = '\0';
        good = answer_line(out, tables, cursor, long_name, ++input->line, fault);
        cursor = newline ? newline + 1 : end;
    }
    input->size = (size_t)(end - cursor);
    memmove(input->text, cursor, input->size);
    fflush(out);
    return good;
}

bool where_stream(FILE *out, struct tables *tables, int in, bool long_name,
                  struct fault *fault)
{
    struct input input = {0};
    bool good = true;
    ssize_t count = 1;
    while (good && count > 0) {
        input.text = buf_grow(input.text, &input.capacity, input.size + BLOCK + 1, 1);
        do
            count = read(in, input.text + input.size, BLOCK);
        while (count < 0 && errno == EINTR);
        if (count < 0)
            good = fault_set(fault, FAULT_FILE, "standard input", "%s", strerror(errno));
        else
            input.size += (size_t)count;
        if (good)
            good = answer(out, tables, &input, count == 0, long_name, fault);
    }
    free(input.text);
    return good;
}
