/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/page/page-moved.h"
#include "mlprof/base/buf.h"
#include "mlprof/elf/cfg.h"

#include <stdlib.h>

/* The lines of one file that a copy has in a loop.  */
struct lines {
    uint32_t first, last;
};

/* What is inside of a loop.  */
struct inside {
    struct index files;  /* key: copy, file; number of the lines */
    struct index places; /* key: copy, file and line, column of code in the loop */
    struct lines *lines;
    size_t count, capacity;
};

struct search {
    struct page_data *data;
    const struct function *function;
    uint64_t start;
    const struct cfg *cfg;
};

static struct function_frames frames_at(const struct search *search, uint32_t number)
{
    uint64_t address = search->cfg->code.list[number].address;
    return function_frames(search->function,
                           function_point_at(search->function, address - search->start));
}

static uint64_t line_of(const struct function_position *position)
{
    return (uint64_t)position->file << 32 | position->line;
}

static void put_inside(struct inside *inside, const struct search *search,
                       uint32_t number)
{
    struct function_frames walk = frames_at(search, number);
    struct function_frame frame;
    bool fresh;
    for (bool inner = true; function_frames_next(&walk, &frame); inner = false) {
        if (inner)
            index_put(&inside->places, frame.copy, line_of(&frame.position),
                      frame.position.column, &fresh);
        if (!frame.position.file || !frame.position.line)
            continue;
        uint32_t found =
            index_put(&inside->files, frame.copy, frame.position.file, 0, &fresh);
        if (fresh) {
            inside->lines = buf_grow(inside->lines, &inside->capacity, found + (size_t)1,
                                     sizeof *inside->lines);
            inside->lines[inside->count++] =
                (struct lines){frame.position.line, frame.position.line};
        }
        struct lines *lines = &inside->lines[found];
        if (frame.position.line < lines->first)
            lines->first = frame.position.line;
        if (frame.position.line > lines->last)
            lines->last = frame.position.line;
    }
}

static int64_t file_of(const struct search *search, uint32_t file)
{
    const struct unit *unit = search->function->unit;
    return page_files_put(&search->data->files, unit->directory, unit_file(unit, file));
}

static void put_place(struct page_moved *moved, const struct search *search,
                      const struct function_position *position, uint32_t loop_file,
                      const struct lines *lines)
{
    struct page_moved_place place = {.file = file_of(search, position->file),
                                     .line = position->line,
                                     .column = position->column,
                                     .loop_file = file_of(search, loop_file),
                                     .first = lines->first,
                                     .last = lines->last};
    bool fresh;
    uint32_t loop = index_put(&moved->loop_index, (uint64_t)place.loop_file, lines->first,
                              lines->last, &fresh);
    index_put(&moved->index, (uint64_t)place.file << 32 | loop, position->line,
              position->column, &fresh);
    if (!fresh)
        return;
    moved->places = buf_grow(moved->places, &moved->capacity, moved->count + 1,
                             sizeof *moved->places);
    moved->places[moved->count++] = place;
}

/* Adds the place of an instruction that is always executed before the loop, if the
   instruction, or the call that it was inlined for, is on a line of the loop.  The first
   line does not count, since the start of a `for' belongs before the loop.  A place that
   has code in the loop, too, was not moved but copied.  */
static void look_at(struct page_moved *moved, const struct search *search,
                    const struct inside *inside, uint32_t number)
{
    enum insns_transfer transfer = search->cfg->code.list[number].transfer;
    struct function_frames walk = frames_at(search, number);
    struct function_frame frame;
    struct function_position own = {0};
    if (transfer != INSNS_NEXT && transfer != INSNS_CALL)
        return;
    for (bool inner = true; function_frames_next(&walk, &frame); inner = false) {
        uint32_t found;
        if (inner)
            own = frame.position;
        if (!own.file || !own.line ||
            (inner &&
             index_get(&inside->places, frame.copy, line_of(&own), own.column, &found)))
            return;
        if (!index_get(&inside->files, frame.copy, frame.position.file, 0, &found))
            continue;
        const struct lines *lines = &inside->lines[found];
        if (frame.position.line > lines->first && frame.position.line <= lines->last) {
            put_place(moved, search, &own, frame.position.file, lines);
            return;
        }
    }
}

static void look_before(struct page_moved *moved, const struct search *search,
                        const struct cfg_loops *loops, uint32_t number)
{
    const struct cfg_loop *loop = &loops->loops[number];
    struct inside inside = {0};
    for (size_t i = 0; i < loop->count; i++)
        put_inside(&inside, search, loop->inside[i]);
    for (uint32_t at = loops->dominator[loop->head]; at != CFG_LOOPS_NONE;
         at = loops->dominator[at])
        /* Instructions of loops that are not around this one are left out.  */
        if (loops->inner[at] == CFG_LOOPS_NONE ||
            cfg_loops_is_in(loops, number, loops->inner[at]))
            look_at(moved, search, &inside, at);
    index_free(&inside.files);
    index_free(&inside.places);
    free(inside.lines);
}

void page_moved_add(struct page_moved *moved, struct page_data *data,
                    const struct function *function, uint64_t start,
                    const struct cfg *cfg)
{
    const struct search search = {data, function, start, cfg};
    struct cfg_loops loops;
    if (cfg_loops_find(&loops, cfg))
        for (uint32_t i = 0; i < loops.count; i++)
            look_before(moved, &search, &loops, i);
    cfg_loops_free(&loops);
}

PAGE_VALUE(moved_file, page_moved_place, at->file)
PAGE_VALUE(moved_line, page_moved_place, at->line)
PAGE_VALUE(moved_column, page_moved_place, at->column)
PAGE_VALUE(moved_loop_file, page_moved_place, at->loop_file)
PAGE_VALUE(moved_first, page_moved_place, at->first)
PAGE_VALUE(moved_last, page_moved_place, at->last)

static const struct datacolumns_column moved_columns[] = {{"file", moved_file},
                                                          {"line", moved_line},
                                                          {"column", moved_column},
                                                          {"loop_file", moved_loop_file},
                                                          {"first", moved_first},
                                                          {"last", moved_last},
                                                          {0}};

void page_moved_print(struct page_moved *moved, struct page_data *data)
{
    datacolumns_print(&data->columns, "moved", data, moved->places, moved->count,
                      moved_columns);
}

void page_moved_free(struct page_moved *moved)
{
    index_free(&moved->index);
    index_free(&moved->loop_index);
    free(moved->places);
}
