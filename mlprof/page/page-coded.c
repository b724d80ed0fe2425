/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the lines of the page's files for which the tables say that the program has
   machine code, measured or not, for page-data.c.  */

#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"

#include <stdlib.h>

/* A line of a function; FUNCTION is -1 if the function has no row.  */
struct coded {
    int64_t function, file;
    uint32_t line;
};

struct search {
    struct page_data *data;
    struct index index; /* key: function, file, line */
    struct coded *lines;
    size_t count, capacity;
    struct intern paths; /* the page's files come first, with their numbers */
    struct index names;  /* key: directory and name, by their addresses */
    uint32_t *of_name;
    size_t name_capacity;
};

/* The number of the page's file; DATACOLUMNS_NONE: the page does not have the file.  */
static int64_t file_of(struct search *search, const struct unit *unit, uint32_t file)
{
    const char *name = unit_file(unit, file);
    bool fresh;
    if (!name)
        return DATACOLUMNS_NONE;
    uint32_t known =
        index_put(&search->names, (uintptr_t)unit->directory, (uintptr_t)name, 0, &fresh);
    if (fresh) {
        BUF_OWN char *path = path_straight(unit->directory, name);
        search->of_name = buf_grow(search->of_name, &search->name_capacity,
                                   known + (size_t)1, sizeof *search->of_name);
        search->of_name[known] = intern_put(&search->paths, path);
    }
    return search->of_name[known] < search->data->files.count
               ? (int64_t)search->of_name[known]
               : DATACOLUMNS_NONE;
}

static void put_line(struct search *search, const struct unit *unit,
                     const struct function_frame *frame)
{
    int64_t file = file_of(search, unit, frame->position.file);
    bool fresh;
    if (file < 0 || !frame->position.line)
        return;
    int64_t function = page_row_of(search->data, frame->source);
    index_put(&search->index, (uint64_t)function, (uint64_t)file, frame->position.line,
              &fresh);
    if (!fresh)
        return;
    search->lines = buf_grow(search->lines, &search->capacity, search->count + 1,
                             sizeof *search->lines);
    search->lines[search->count++] = (struct coded){function, file, frame->position.line};
}

static void put_function(struct search *search, const struct function *function)
{
    for (size_t i = 0; i < function->entry_count; i++) {
        const struct function_entry *entry = &function->entries[i];
        uint64_t end = i + 1 < function->entry_count ? entry[1].offset : function->size;
        struct function_frames walk = function_frames(function, entry->point);
        struct function_frame frame;
        while (entry->offset < end && function_frames_next(&walk, &frame))
            put_line(search, function->unit, &frame);
    }
}

BUF_COMPARE(by_place, struct coded, BUF_ORDER(a->file, b->file) ?:
            BUF_ORDER(a->function, b->function) ?: BUF_ORDER(a->line, b->line))

PAGE_VALUE(coded_function, coded, at->function)
PAGE_VALUE(coded_file, coded, at->file)
PAGE_VALUE(coded_line, coded, at->line)

static const struct datacolumns_column coded_columns[] = {
    {"function", coded_function}, {"file", coded_file}, {"line", coded_line}, {0}};

void page_coded_print(struct page_data *data)
{
    const struct program *program = data->view->program;
    struct search search = {.data = data};
    /* Tables of other kinds than time-label have positions of calls alone.  */
    const struct profile *profile = data->view->profile;
    bool known = (profile->kind & CCPROF_KIND_TIME || profile->shown) &&
                 !program_has_field(program);
    for (uint32_t i = 0; i < data->files.count; i++)
        intern_put(&search.paths, intern_text(&data->files.paths, i));
    for (uint32_t module = 0; module < program->count; module++) {
        struct tables *tables = program->tables[module];
        for (uint32_t i = 0; tables && i < tables_unit_count(tables); i++)
            known = known && tables_unit(tables, i)->position != CCPROF_POSITION_NONE;
        for (uint32_t i = 0; tables && i < tables_function_count(tables); i++)
            put_function(&search, tables_function(tables, i));
    }
    BUF_SORT(search.lines, search.count, by_place);
    /* If a unit has no positions, it is not known which lines have no code.  */
    datacolumns_print(&data->columns, "coded", data, search.lines,
                      known ? search.count : 0, coded_columns);
    index_free(&search.index);
    index_free(&search.names);
    intern_free(&search.paths);
    free(search.of_name);
    free(search.lines);
}
