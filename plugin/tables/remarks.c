/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the loops and remarks of a function without duplicates, and encodes
   them. */

#include "plugin/tables/remarks.h"
#include "plugin/tables/memory.h"

#include <string.h>

bool remarks_put_loop(struct remarks *remarks, const struct remarks_loop *loop,
                      unsigned *number)
{
    const unsigned key[] = {loop->copy, loop->file, loop->head.line, loop->head.column};
    *number = distinct_add(&remarks->heads, key, sizeof key);
    if (*number <= remarks->loop_count)
        return false;
    remarks->loops = memory_reserve(remarks->loops, &remarks->loop_room,
                                    remarks->loop_count + 1, sizeof *remarks->loops);
    remarks->loops[remarks->loop_count++] = *loop;
    return true;
}

static bool is_equal(const struct remarks_remark *a, const struct remarks_remark *b)
{
    return a->loop == b->loop && a->what == b->what && a->number == b->number &&
           a->line == b->line && a->text == b->text && a->about == b->about;
}

void remarks_add(struct remarks *remarks, const struct remarks_remark *remark)
{
    for (size_t i = 0; i < remarks->remark_count; i++)
        if (is_equal(&remarks->remarks[i], remark))
            return;
    remarks->remarks =
        memory_reserve(remarks->remarks, &remarks->remark_room, remarks->remark_count + 1,
                       sizeof *remarks->remarks);
    remarks->remarks[remarks->remark_count++] = *remark;
}

static bool is_place_before(const struct remarks_place *a, const struct remarks_place *b)
{
    return a->line < b->line || (a->line == b->line && a->column < b->column);
}

unsigned remarks_find_around(const struct remarks *remarks, unsigned copy, unsigned file,
                             unsigned line, unsigned column)
{
    const struct remarks_place place = {line, column};
    unsigned best = 0;
    for (size_t i = 0; i < remarks->loop_count; i++) {
        const struct remarks_loop *loop = &remarks->loops[i];
        if (loop->copy != copy || loop->file != file ||
            is_place_before(&place, &loop->first) || is_place_before(&loop->last, &place))
            continue;
        /* Of equal ranges, the later one is the inner one. */
        if (!best || !is_place_before(&loop->first, &remarks->loops[best - 1].first))
            best = (unsigned)i + 1;
    }
    return best;
}

void remarks_clear(struct remarks *remarks)
{
    part_clear(&remarks->part);
    distinct_clear(&remarks->heads);
    remarks->loop_count = remarks->remark_count = 0;
}

void remarks_free(struct remarks *remarks)
{
    part_free(&remarks->part);
    distinct_free(&remarks->heads);
    memory_free(remarks->loops);
    memory_free(remarks->remarks);
}

static void put_number(const struct encode_sink *sink, unsigned number)
{
    leb_unsigned(sink->byte, sink->data, number);
}

static void put_copies(const struct remarks *remarks, const struct encode_sink *sink)
{
    put_number(sink, remarks->part.copies.count);
    for (unsigned i = 1; i <= remarks->part.copies.count; i++) {
        const struct part_copy *copy = distinct_get(&remarks->part.copies, i);
        put_number(sink, i - copy->parent);
        put_number(sink, copy->source);
        put_number(sink, copy->call_file);
        if (!copy->call_file)
            continue;
        put_number(sink, copy->call_line);
        put_number(sink, copy->call_column);
    }
}

static void put_place(const struct encode_sink *sink, const struct remarks_loop *loop,
                      const struct remarks_place *place)
{
    leb_signed(sink->byte, sink->data, (long)place->line - (long)loop->head.line);
    put_number(sink, place->column);
}

static void put_remarks(const struct remarks *remarks, unsigned loop,
                        const struct encode_sink *sink)
{
    unsigned count = 0;
    for (size_t i = 0; i < remarks->remark_count; i++)
        count += remarks->remarks[i].loop == loop;
    put_number(sink, count);
    for (size_t i = 0; i < remarks->remark_count; i++) {
        const struct remarks_remark *remark = &remarks->remarks[i];
        if (remark->loop != loop)
            continue;
        put_number(sink, remark->what);
        put_number(sink, remark->number);
        put_number(sink, remark->line);
        sink->string(sink->data, remark->text);
        sink->string(sink->data, remark->about);
    }
}

void remarks_encode(const struct remarks *remarks, const struct encode_sink *sink)
{
    put_number(sink, remarks->part.source);
    put_copies(remarks, sink);
    put_number(sink, (unsigned)remarks->loop_count);
    for (unsigned i = 1; i <= remarks->loop_count; i++) {
        const struct remarks_loop *loop = &remarks->loops[i - 1];
        put_number(sink, loop->outer ? i - loop->outer : 0);
        put_number(sink, loop->copy);
        put_number(sink, loop->file);
        put_number(sink, loop->head.line);
        put_number(sink, loop->head.column);
        put_place(sink, loop, &loop->first);
        put_place(sink, loop, &loop->last);
        put_remarks(remarks, i, sink);
    }
}
