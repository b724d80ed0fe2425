/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads addresses from the command line or a stream, and prints the functions at each,
   for -where. */

#include "mlprof/view/where.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* Prints the local stacks of the addresses in TEXT, which is one line. */
static bool answer_line(FILE *out, struct tables *tables, char *text, bool long_name,
                        unsigned long line, struct fault *fault)
{
    char *rest;
    for (char *word = strtok_r(text, " \t\r\n", &rest); word;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        uint64_t address;
        if (!where_address(word, &address))
            return fault_set(fault, FAULT_GARBLED, "standard input",
                             "line %lu: not a hexadecimal address: %s", line, word);
        where_print(out, tables, address, long_name);
    }
    return true;
}

bool where_stream(FILE *out, struct tables *tables, FILE *in, bool long_name,
                  struct fault *fault)
{
    BUF_OWN char *text = NULL;
    size_t capacity = 0;
    bool good = true;
    for (unsigned long line = 1; good && getline(&text, &capacity, in) >= 0; line++) {
        good = answer_line(out, tables, text, long_name, line, fault);
        fflush(out);
    }
    if (good && !feof(in))
        good = fault_set(fault, FAULT_FILE, "standard input", "%s", strerror(errno));
    return good;
}
