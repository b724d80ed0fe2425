/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the programs that have data files in the given folders, with their numbers of
   files and times. Reads only the beginning of each file. */

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/path.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/input/datafiles.h"
#include "mlprof/columns/table.h"
#include "mlprof/commands/commands.h"
#include "mlprof/view/view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number of printed digits of a build ID. */
#define BUILD_DIGITS 12

/* If less than this fraction of the CPU time was sampled, the rest is printed. */
#define MISSED 0.95

struct program_row {
    const char *path; /* the first path that exists, or the first of all */
    char *build_id;   /* NULL: none */
    size_t paths;
    uint64_t files, samples;
    /* Nanoseconds: the run's time (mlprof(1), "TABLE"), and the time with what was not
       sampled. Both are the CPU time if time was not measured. */
    uint64_t time, whole;
    bool timed;   /* time was sampled */
    char *sample; /* a data file of the program */
};

struct programs {
    struct program_row *rows;
    size_t count, capacity;
    struct intern keys; /* indexed by row: build ID or path */
    struct intern paths;
    struct index places; /* key: row, path */
    bool on_clock;       /* some time was sampled on the clock */
};

static struct program_row *row_of(struct programs *programs, const char *file,
                                  const struct profile_module *program)
{
    const char *key = program->build_id ? program->build_id : program->path;
    uint32_t number = intern_put(&programs->keys, key);
    if (number == programs->count)
        BUF_NEXT(programs->rows, programs->count, programs->capacity) =
            (struct program_row){
                .build_id = program->build_id ? buf_copy(program->build_id) : NULL,
                .sample = buf_copy(file)};
    return &programs->rows[number];
}

static void put_path(struct programs *programs, struct program_row *row, const char *path)
{
    bool fresh;
    uint32_t number = intern_put(&programs->paths, path);
    index_put(&programs->places, (uint64_t)(row - programs->rows), number, 0, &fresh);
    if (!fresh)
        return;
    const char *text = intern_text(&programs->paths, number);
    if (row->paths++ == 0 || (access(row->path, F_OK) != 0 && access(text, F_OK) == 0))
        row->path = text;
}

/* Adds the beginning of a data file to DATA, a struct programs. A callback of
   datafolder_each. */
static bool add(void *data, const char *file, const struct profile *head)
{
    struct programs *programs = data;
    struct program_row *row = row_of(programs, file, &head->modules.list[0]);
    put_path(programs, row, head->modules.list[0].path);
    row->files++;
    bool timed = (head->kind & CCPROF_KIND_TIME) != 0;
    bool on_clock = timed && head->sampling.clock == PROFILE_WALL;
    uint64_t time =
        timed ? profile_nanoseconds(head, head->sampling.samples) : head->runs.cpu;
    row->time += time;
    row->whole += on_clock ? time : head->runs.cpu;
    row->samples += head->sampling.samples;
    row->timed |= timed;
    programs->on_clock |= on_clock;
    return true;
}

static void free_programs(struct programs *programs)
{
    for (size_t i = 0; i < programs->count; i++) {
        free(programs->rows[i].build_id);
        free(programs->rows[i].sample);
    }
    free(programs->rows);
    intern_free(&programs->keys);
    intern_free(&programs->paths);
    index_free(&programs->places);
}

/* Fills PROGRAMS. The caller calls free_programs in any case. */
static bool find(struct programs *programs, const struct options *options,
                 struct fault *fault)
{
    for (size_t i = 0; i < options->operand_count; i++)
        if (!datafolder_each(options->operands[i], options->tolerant, add, programs,
                             fault))
            return false;
    return programs->count > 0 || fault_set(fault, FAULT_FILE, options->operands[0],
                                            "there are no data files in it");
}

static int by_time(const void *one, const void *other)
{
    const struct program_row *a = one, *b = other;
    int order = BUF_ORDER(b->time, a->time)
                    ?: BUF_ORDER(b->files, a->files)
                    ?: strcmp(a->path, b->path);
    return order || !a->build_id || !b->build_id ? order
                                                 : strcmp(a->build_id, b->build_id);
}

/* Returns the number of files and the times of all programs. */
static struct program_row sum_of(const struct programs *programs)
{
    struct program_row sum = {0};
    for (size_t i = 0; i < programs->count; i++) {
        sum.files += programs->rows[i].files;
        sum.time += programs->rows[i].time;
        sum.whole += programs->rows[i].whole;
    }
    return sum;
}

/* Returns the path of the program. If the same build was run from other paths, the
   text also says from how many. The caller frees the text. */
static char *name_of(const struct program_row *row)
{
    if (row->paths == 1)
        return text_clean(row->path);
    BUF_OWN char *clean = text_clean(row->path);
    return buf_format("%s and %zu more", clean, row->paths - 1);
}

/* If another row has the same path, returns the build ID of the row, otherwise NULL.
   The caller frees the text. */
static char *build_of(const struct programs *programs, const struct program_row *row)
{
    size_t alike = 0;
    for (size_t i = 0; i < programs->count; i++)
        alike += strcmp(programs->rows[i].path, row->path) == 0;
    if (alike < 2)
        return NULL;
    return row->build_id ? buf_format("build-id %.*s", BUILD_DIGITS, row->build_id)
                         : buf_copy("no build-id");
}

/* The context of the columns. */
struct context {
    const struct programs *programs;
    struct program_row sum;
};

#define CELL(name, expression)                                                           \
    TABLE_CELL(name, const struct program_row *row = at, expression)

CELL(share, view_percent_of(row->time, ((const struct context *)of)->sum.time))
CELL(seconds, text_commas((double)row->time / 1e9, 2))
CELL(samples, row->timed ? text_commas((double)row->samples, 0) : buf_copy("-"))
CELL(files, text_commas((double)row->files, 0))

static const struct table_column columns[] = {
    TABLE_SHOWN("share", NULL, NULL, NULL, share_cell),
    TABLE_SHOWN("seconds", NULL, NULL, NULL, seconds_cell),
    TABLE_SHOWN("samples", NULL, NULL, NULL, samples_cell),
    TABLE_SHOWN("files", NULL, NULL, NULL, files_cell),
    {0}};

static void put_name(const void *of, struct sheet *sheet, const void *row)
{
    sheet_put_name(sheet, name_of(row),
                   build_of(((const struct context *)of)->programs, row));
}

static const struct table_view programs_view = {
    .name = "programs", .columns = columns, .names = {"program", put_name}};

static void print_table(const struct context *of, const struct options *options)
{
    const struct programs *programs = of->programs;
    struct table table = {.view = &programs_view, .of = of};
    for (size_t i = 0; i < programs->count; i++) {
        const struct program_row *row = &programs->rows[i];
        if (!of->sum.time ||
            100 * (double)row->time >= options->thresh * (double)of->sum.time)
            table_add(&table, row);
    }
    table_cut(&table, options_top(options));
    table_print(stdout, &table, options->layout == OPTIONS_MLTON);
    table_free(&table);
}

static void print(struct programs *programs, const struct options *options)
{
    const struct context of = {programs, sum_of(programs)};
    BUF_OWN char *seconds = text_commas((double)of.sum.time / 1e9, 2);
    BUF_OWN char *files = text_number(of.sum.files, "data file");
    BUF_OWN char *count = text_number(programs->count, "program");
    BUF_SORT(programs->rows, programs->count, by_time);
    progress_print();
    printf("%s seconds%s in %s of %s\n", seconds,
           programs->on_clock ? "" : " of CPU time", files, count);
    print_table(&of, options);
    if (options->balance != OPTIONS_NO_BALANCE &&
        (double)of.sum.time < MISSED * (double)of.sum.whole) {
        BUF_OWN char *missed = text_commas((double)(of.sum.whole - of.sum.time) / 1e9, 2);
        printf("\n%s s more of CPU time were not sampled\n", missed);
    }
    if (options->balance != OPTIONS_NO_BALANCE) {
        BUF_OWN char *folder = text_clean(options->operands[0]);
        printf("\nmlprof PROGRAM %s shows one of them\n", folder);
    }
}

bool programs_show(const struct options *options, struct fault *fault)
{
    struct programs programs = {0};
    bool good = find(&programs, options, fault);
    if (good)
        print(&programs, options);
    free_programs(&programs);
    return good;
}

/* Returns whether all programs have the same file name, so that they are builds of one
   program. */
static bool are_builds(const struct programs *programs)
{
    for (size_t i = 1; i < programs->count; i++)
        if (strcmp(path_last(programs->rows[i].path),
                   path_last(programs->rows[0].path)) != 0)
            return false;
    return true;
}

char *programs_only(const struct options *options, struct fault *fault)
{
    struct programs programs = {0};
    char *file = NULL;
    bool good = find(&programs, options, fault);
    if (good && (programs.count == 1 || (options->merge_builds && are_builds(&programs))))
        file = buf_copy(programs.rows[0].sample);
    else if (good)
        fault_set(fault, FAULT_MISMATCH, options->operands[0],
                  "there are data of %zu programs: name one before it; mlprof %s lists "
                  "them",
                  programs.count, options->operands[0]);
    free_programs(&programs);
    return file;
}
