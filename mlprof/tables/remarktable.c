/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the loops of each compiled function with their copies and remarks. */

#include "mlprof/tables/remarktable.h"
#include "mlprof/base/buf.h"
#include "mlprof/tables/reader.h"

#include <stdlib.h>
#include <string.h>

struct context {
    struct remarktable *table;
    const struct units *units;
};

static uint32_t read_number(struct reader *reader)
{
    return (uint32_t)reader_uleb_to(reader, UINT32_MAX, "no number is so large");
}

static uint32_t read_source(struct reader *reader, const struct unit *unit)
{
    return (uint32_t)reader_uleb_to(reader, unit->source_count,
                                    "no source has this number");
}

static uint32_t read_file(struct reader *reader, const struct unit *unit)
{
    return (uint32_t)reader_uleb_to(reader, unit->file_count, "no file has this number");
}

static void read_copies(struct remarktable *table, struct remarktable_function *function,
                        struct reader *reader)
{
    function->first_copy = table->copies.count;
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--) {
        size_t number = table->copies.count - function->first_copy + 1;
        uint64_t distance = reader_uleb_to(reader, number, "no copy has this number");
        struct remarktable_copy copy = {.parent = (uint32_t)(number - distance)};
        if (!reader->wrong && distance == 0)
            reader_fail(reader, "a copy inlined in itself");
        copy.source = read_source(reader, function->unit);
        copy.file = read_file(reader, function->unit);
        if (copy.file) {
            copy.line = read_number(reader);
            copy.column = read_number(reader);
        }
        BUF_PUSH(table->copies) = copy;
    }
    function->copies = table->copies.count - function->first_copy;
}

static void read_remarks(struct remarktable *table, struct remarktable_loop *loop,
                         struct reader *reader, const struct unit_strings *strings)
{
    loop->first_remark = table->remarks.count;
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--) {
        struct remarktable_remark remark = {.what = reader_uleb(reader)};
        remark.number = reader_uleb(reader);
        remark.line = read_number(reader);
        remark.text = unit_string(reader, strings);
        remark.about = unit_string(reader, strings);
        BUF_PUSH(table->remarks) = remark;
    }
    loop->remarks = table->remarks.count - loop->first_remark;
}

/* Reads loop NUMBER of the function. */
static void read_loop(struct remarktable *table,
                      const struct remarktable_function *function, size_t number,
                      struct reader *reader, const struct unit_strings *strings)
{
    struct remarktable_loop loop = {0};
    uint64_t distance = reader_uleb_to(reader, number - 1, "no loop has this number");
    loop.outer = distance ? (uint32_t)(number - distance) : 0;
    loop.copy =
        (uint32_t)reader_uleb_to(reader, function->copies, "no copy has this number");
    loop.file = read_file(reader, function->unit);
    if (!reader->wrong && loop.file == 0)
        reader_fail(reader, "a loop in no file");
    loop.line = read_number(reader);
    loop.column = read_number(reader);
    loop.first_line = reader_sleb_from(reader, loop.line, "no such line");
    loop.first_column = read_number(reader);
    loop.last_line = reader_sleb_from(reader, loop.line, "no such line");
    loop.last_column = read_number(reader);
    read_remarks(table, &loop, reader, strings);
    BUF_PUSH(table->loops) = loop;
}

static void read_function(void *data, unsigned version, struct reader *reader)
{
    const struct context *context = data;
    struct remarktable *table = context->table;
    struct remarktable_function function = {
        .unit = units_at(context->units, reader_u32(reader))};
    (void)version;
    if (!reader->wrong && !function.unit)
        reader_fail(reader, "no unit at this offset");
    if (reader->wrong)
        return;
    function.address = reader_u64(reader);
    function.source = read_source(reader, function.unit);
    read_copies(table, &function, reader);
    function.first_loop = table->loops.count;
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--)
        read_loop(table, &function, table->loops.count - function.first_loop + 1, reader,
                  &context->units->strings);
    function.loops = table->loops.count - function.first_loop;
    BUF_PUSH(table->functions) = function;
}

bool remarktable_read(struct remarktable *table, const struct units *units,
                      const struct elffile *file, struct fault *fault)
{
    struct context context = {table, units};
    return contributions_read(file, CCPROF_SECTION_REMARKS, CCPROF_TABLES_VERSION,
                              read_function, &context, fault);
}

void remarktable_free(struct remarktable *table)
{
    free(table->functions.list);
    free(table->copies.list);
    free(table->loops.list);
    free(table->remarks.list);
    memset(table, 0, sizeof *table);
}
