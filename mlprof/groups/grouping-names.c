/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names the rows of the groups: the function around a loop or line, the name of a
   thread or rank, the path of a file if another file has the same name. */

#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"
#include "mlprof/groups/copies.h"
#include "mlprof/groups/grouping-inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *keep(struct rows *rows, char *text)
{
    return intern_keep(&rows->stacks.names, text);
}

/* Returns, by group, the number of its largest piece, or GROUPING_NONE. The caller
   frees the result. */
static uint32_t *find_most(const struct grouping_builder *build)
{
    const struct identity_source *sources = build->request->rows->stacks.sources.list;
    uint32_t *most = buf_alloc((build->keys.count + 1) * sizeof *most);
    for (size_t i = 0; i < build->keys.count; i++)
        most[i] = GROUPING_NONE;
    for (uint32_t i = 0; i < build->piece_index.count; i++) {
        const struct grouping_piece *piece = &build->pieces[i];
        uint32_t *best = &most[piece->group];
        const struct grouping_piece *other =
            &build->pieces[*best == GROUPING_NONE ? i : *best];
        bool more =
            piece->cur != other->cur ? piece->cur > other->cur
            : piece->weight != other->weight
                ? piece->weight > other->weight
                : strcmp(sources[piece->source].name, sources[other->source].name) < 0;
        if (*best == GROUPING_NONE || more)
            *best = i;
    }
    return most;
}

char *grouping_function_name(const struct grouping_builder *build, uint32_t source)
{
    const struct rows *rows = build->request->rows;
    uint32_t row = rows_of_source(rows, source);
    if (row != STACKS_NONE && rows->rows[row].shown)
        return buf_copy(rows->rows[row].shown);
    return names_of(&rows->stacks.sources.list[source], build->request->names);
}

static bool is_same_lines(const struct grouping_group *a, const struct grouping_group *b)
{
    return a->path == b->path && a->range.line == b->range.line &&
           a->range.end_line == b->range.end_line;
}

static bool is_same_range(const struct grouping_group *a, const struct grouping_group *b)
{
    return is_same_lines(a, b) && a->range.column == b->range.column &&
           a->range.end_column == b->range.end_column;
}

/* Returns the lines of a loop. If several loops have the same lines, the columns are
   added. If the columns are also equal, the loop around it is added. */
static char *loop_place(const struct grouping_builder *build,
                        const struct grouping_group *group)
{
    const struct grouping_group *groups = build->keys.groups;
    bool columns = false;
    uint32_t inside = 0;
    for (uint32_t i = 0; i < build->keys.count; i++)
        columns |= is_same_lines(&groups[i], group) && !is_same_range(&groups[i], group);
    for (uint32_t ancestor = group->outer; ancestor != GROUPING_NONE;
         ancestor = groups[ancestor].outer)
        inside += is_same_range(&groups[ancestor], group);
    BUF_OWN char *range = columns
                              ? buf_format("%" PRIu32 ":%" PRIu32 "-%" PRIu32 ":%" PRIu32,
                                           group->range.line, group->range.column,
                                           group->range.end_line, group->range.end_column)
                          : group->range.line == group->range.end_line
                              ? buf_format("%" PRIu32, group->range.line)
                              : buf_format("%" PRIu32 "-%" PRIu32, group->range.line,
                                           group->range.end_line);
    BUF_OWN char *depth = inside > 1 ? buf_format(", inner %" PRIu32, inside)
                                     : buf_copy(inside ? ", inner" : "");
    BUF_OWN char *file = text_part(sourcefile_name(group->file));
    char *place = buf_format("%s: %s%s", file, range, depth);
    return place;
}

static char *place_of(const struct grouping_builder *build,
                      const struct grouping_group *group)
{
    char *file = text_part(sourcefile_name(group->file)), *place;
    if (build->request->key == ROWS_LINES)
        place = buf_format("%s: %" PRIu32, file, group->line);
    else if (build->request->key == ROWS_LOOPS)
        place = loop_place(build, group);
    else if (!group->column)
        place = buf_format("%s: %" PRIu32 ":?", file, group->line);
    else if (group->range.line == group->range.end_line &&
             group->range.column == group->range.end_column)
        place = buf_format("%s: %" PRIu32 ":%" PRIu32, file, group->range.line,
                           group->range.column);
    else
        place = buf_format("%s: %" PRIu32 ":%" PRIu32 "-%" PRIu32 ":%" PRIu32, file,
                           group->range.line, group->range.column, group->range.end_line,
                           group->range.end_column);
    free(file);
    return place;
}

static void name_verdict(struct grouping_builder *build, struct rows_row *row,
                         const struct grouping_group *group)
{
    const struct verdicts *verdicts = build->request->verdicts;
    if (group->verdict == GROUPING_NONE)
        return;
    char *text = verdicts_text(verdicts, &verdicts->loops[group->verdict]);
    char *messages = verdicts_messages(verdicts, &verdicts->loops[group->verdict]);
    row->verdict = text ? keep(build->rows, text) : NULL;
    row->messages = messages ? keep(build->rows, messages) : NULL;
}

/* Names the row of a line or expression after the function to which most of its
   samples or counts belong. */
static void name_point(struct grouping_builder *build, struct rows_row *row,
                       const struct grouping_group *group, uint32_t source)
{
    row->source = build->request->rows->stacks.sources.list[source];
    row->shown = keep(build->rows, grouping_function_name(build, source));
    row->more = group->functions > 1 ? group->functions - 1 : 0;
    if (group->file) {
        row->start = row->source.line;
        row->place = keep(build->rows, place_of(build, group));
        if (build->request->key == ROWS_LOOPS)
            name_verdict(build, row, group);
        if (build->request->key == ROWS_EXPRESSIONS && group->column)
            row->range = group->range;
        row->source.file = group->file;
        row->source.line = group->line;
        row->source.column = group->column;
    } else if (row->source.file) {
        BUF_OWN char *file = text_part(sourcefile_name(row->source.file));
        row->place = keep(build->rows, buf_format("%s: ?", file));
    }
}

static void name_copy(struct grouping_builder *build, struct rows_row *row,
                      const struct grouping_group *group, struct copies *copies)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    row->source = stacks->sources.list[group->source];
    row->shown = keep(build->rows, grouping_function_name(build, group->source));
    if (group->copy == STACKS_NONE)
        return;
    const struct stacks_copy *copy = &stacks->copies.list[group->copy];
    row->place = keep(build->rows, copies_describe(copies, copy));
    row->code = copies_code(copies, copy);
}

/* Names a site or path after its function. */
static void name_site(struct grouping_builder *build, struct rows_row *row,
                      const struct grouping_group *group)
{
    const struct intern *names = &build->keys.paths;
    row->source = build->request->rows->stacks.sources.list[group->source];
    row->shown = keep(build->rows, grouping_function_name(build, group->source));
    if (group->type != GROUPING_NONE)
        row->type = keep(build->rows, buf_copy(intern_text(names, group->type)));
    if (group->called != GROUPING_NONE)
        row->called = keep(build->rows, buf_copy(intern_text(names, group->called)));
    bool inside = group->file && row->source.file &&
                  strcmp(group->file, row->source.file) == 0 &&
                  group->line >= row->source.line;
    row->start = inside ? row->source.line : 0;
    if (row->source.file) {
        BUF_OWN char *file =
            text_part(sourcefile_name(group->file ? group->file : row->source.file));
        row->place =
            keep(build->rows, group->file ? buf_format("%s: %" PRIu32, file, group->line)
                                          : buf_format("%s: ?", file));
    }
    row->source.file = group->file ? group->file : row->source.file;
    row->source.line = group->line;
    row->source.column = group->column;
}

/* Returns, by group, whether the file of another group has the same name. */
static bool *find_alike(const struct grouping_builder *build)
{
    bool *alike = buf_alloc((build->keys.count + 1) * sizeof *alike);
    BUF_OWN uint32_t *first = buf_alloc((build->keys.count + 1) * sizeof *first);
    struct intern texts = {0};
    for (uint32_t i = 0; i < build->keys.count; i++) {
        const struct grouping_group *group = &build->keys.groups[i];
        size_t count = texts.count;
        uint32_t number = group->file ? intern_put(&texts, sourcefile_name(group->file))
                                      : GROUPING_NONE;
        if (number == GROUPING_NONE)
            continue;
        if (texts.count > count)
            first[number] = i;
        else
            alike[i] = alike[first[number]] = true;
    }
    intern_free(&texts);
    return alike;
}

/* Returns the name of a rank. The caller frees it. */
static char *rank_name(const struct profile *profile, uint32_t origin)
{
    const struct origins_origin *entry = &profile->origins.origins[origin];
    const char *host = origins_host(&profile->origins, origin);
    BUF_OWN char *rank =
        entry->ranked ? buf_format("rank %" PRIu64, entry->rank) : buf_copy("no rank");
    return buf_format("[%s%s%s]", rank, host ? " " : "", host ? host : "");
}

/* Returns the position of an MPI call. FUNCTION is the name of the caller. The
   caller of mpi_place frees the result. */
static char *mpi_place(const struct grouping_group *group, const char *function)
{
    if (!group->file)
        return buf_format("in %s", function);
    BUF_OWN char *file = text_part(sourcefile_name(group->file));
    return buf_format("in %s, %s: %" PRIu32, function, file, group->line);
}

/* Returns the description of a group of several threads or processes: the name START of
   the start routine, which may be NULL, and the share of the thread with the most
   samples. The caller frees it. */
static char *threads_place(const struct grouping_builder *build,
                           const struct grouping_group *group, const char *start)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    const struct profile *profile = build->request->profile;
    const struct grouping_thread *most = &build->keys.threads[group->copy];
    uint64_t number = 0;
    bool processes = build->request->key == ROWS_PROCESSES;
    stacks_numbered(stacks, group->copy, rows_keys[build->request->key].what, &number);
    BUF_OWN char *time =
        !profile_measure(profile)->kinds || !profile->sampling.rate
            ? NULL
            : text_commas((double)most->samples / (double)profile->sampling.rate, 2);
    return buf_format("%s%s%s%s%s (%s %" PRIu64 ")", start ? start : "",
                      start ? ", " : "", time ? "longest " : "most", time ? time : "",
                      time ? " s" : "", processes ? "process" : "thread", number);
}

/* Names the row of a file, module, phase, thread, process, rank or type. If ALIKE is
   set, a file is named by its full path. */
static void name_whole(struct grouping_builder *build, struct rows_row *row,
                       const struct grouping_group *group, bool alike)
{
    bool processes = build->request->key == ROWS_PROCESSES;
    bool unknown = group->unknown || processes || build->request->key == ROWS_THREADS;
    const char *name = unknown                             ? "<unknown>"
                       : build->request->key == ROWS_LOOPS ? "<no loop>"
                       : build->request->key == ROWS_LOCKS ? "<no lock>"
                       : build->request->key == ROWS_MPI   ? "<no call of MPI>"
                                                           : "<no phase>";
    BUF_OWN char *rank = build->request->key == ROWS_RANKS
                             ? rank_name(build->request->profile, group->origin)
                             : NULL;
    if (rank)
        name = rank;
    else if (group->file)
        name = alike ? group->file : sourcefile_name(group->file);
    if (group->named)
        name = intern_text(&build->keys.paths, group->path);
    if (group->call && group->source != STACKS_NONE) {
        BUF_OWN char *caller = grouping_function_name(build, group->source);
        row->place = keep(build->rows, mpi_place(group, caller));
    }
    BUF_OWN char *threads = NULL;
    if (group->threads > 1) {
        uint32_t source = build->keys.threads[group->copy].start;
        char *start =
            source == STACKS_NONE ? NULL : grouping_function_name(build, source);
        uint64_t number = 0;
        row->place = keep(build->rows, threads_place(build, group, start));
        free(start);
        name = threads = buf_format(
            "[%" PRIu32 " %s %s", group->threads, processes ? "processes" : "threads",
            stacks_numbered(&build->request->rows->stacks, group->copy,
                            rows_keys[build->request->key].what, &number));
    }
    bool whole =
        rank || threads || group->file || group->named || group->source == STACKS_NONE;
    row->shown = keep(build->rows, whole ? buf_copy(name)
                                         : grouping_function_name(build, group->source));
    row->source = whole ? (struct identity_source){.name = row->shown}
                        : build->request->rows->stacks.sources.list[group->source];
}

/* Sets the row of each node and the loop around each loop. GROUPS has the group of
   each row. */
static void number_rows(struct grouping_builder *build, const uint32_t *groups)
{
    struct rows *rows = build->rows;
    size_t nodes = build->request->rows->stacks.nodes.count;
    BUF_OWN uint32_t *of_group = buf_alloc((build->keys.count + 1) * sizeof *of_group);
    for (size_t i = 0; i < build->keys.count; i++)
        of_group[i] = STACKS_NONE;
    for (uint32_t i = 0; i < rows->count; i++)
        of_group[groups[i]] = i;
    rows->of_node = buf_alloc((nodes + 1) * sizeof *rows->of_node);
    for (size_t i = 0; i < nodes; i++)
        rows->of_node[i] = build->by_node[i] == GROUPING_NONE
                               ? STACKS_NONE
                               : of_group[build->by_node[i]];
    if (build->request->key == ROWS_LOOPS) {
        rows->outer = buf_alloc((rows->count + 1) * sizeof *rows->outer);
        for (size_t i = 0; i < rows->count; i++) {
            uint32_t outer = build->keys.groups[groups[i]].outer;
            rows->outer[i] = outer == GROUPING_NONE ? STACKS_NONE : of_group[outer];
        }
    }
}

void grouping_name_rows(struct grouping_builder *build)
{
    const struct grouping *request = build->request;
    struct copies *copies = copies_new(request->program, request->rows, request->names);
    const struct measure *measure = profile_measure(request->profile);
    BUF_OWN uint32_t *most = find_most(build);
    BUF_OWN bool *alike = find_alike(build);
    bool points = rows_keys[build->rows->key].executed;
    BUF_OWN uint32_t *groups = buf_alloc((build->keys.count + 1) * sizeof *groups);
    build->rows->rows = buf_alloc((build->keys.count + 1) * sizeof *build->rows->rows);
    for (uint32_t i = 0; i < build->keys.count; i++) {
        const struct grouping_group *group = &build->keys.groups[i];
        struct rows_row row = {
            .measured = build->rows->measured, .number = i, .counted = group->counted};
        bool hidden = !measure_is_of_heap(measure) && !request->profile->beside;
        if (!rows_total(&row) && !row.counted && !rows_memory(&row, true).amount &&
            hidden)
            continue;
        if (points && !group->unknown && most[i] != GROUPING_NONE)
            name_point(build, &row, group, build->pieces[most[i]].source);
        else if (request->key == ROWS_COPIES)
            name_copy(build, &row, group, copies);
        else if (rows_keys[request->key].memory && group->source != STACKS_NONE)
            name_site(build, &row, group);
        else
            name_whole(build, &row, group, alike[i]);
        groups[build->rows->count] = i;
        build->rows->rows[build->rows->count++] = row;
    }
    build->rows->whole = build->rows->count;
    rows_sort(build->rows, groups);
    number_rows(build, groups);
    copies_free(copies);
}
