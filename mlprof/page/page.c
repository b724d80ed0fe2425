/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the page: the HTML around the data, and the data as one JSON document. page.c
   writes some fields itself, among them the source files, and calls the files page-*.c
   for the others. */

#include "mlprof/page/page.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/encoding.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/view/rows-table.h"
#include "mlprof/view/source-files.h"
#include "mlprof/view/views.h"

#include <sha2.h>
#include <stdlib.h>
#include <time.h>

/* Files of web/ that are included in each page. The symbol X_end is the end of the
   file X. */
extern const char page_style[], page_style_end[];
extern const char page_older[], page_older_end[];
extern const char page_script[], page_script_end[];
extern const char page_body[], page_body_end[];
EMBED("page_style", "mlprof/page/web/page.css");
EMBED("page_body", "mlprof/page/web/page.html");
EMBED("page_older", "mlprof/page/web/older.js");
EMBED("page_script", "page.js");

static int64_t row_of_source(const struct page_data *data, uint32_t source)
{
    const struct rows *rows = data->view->rows;
    return source < rows->source_count ? page_number(rows->of_source[source])
                                       : DATACOLUMNS_NONE;
}

PAGE_VALUE(copy_row, stacks_copy, row_of_source(data, row->source))
PAGE_VALUE(copy_module, stacks_copy, page_number(row->module))
PAGE_VALUE(copy_function, stacks_copy,
           row->module == STACKS_NONE ? -1 : (int64_t)row->function)

static const struct datacolumns_column copy_columns[] = {
    {"function", .value = copy_row},       {"module", .value = copy_module},
    {"number", .value = copy_function},    DATACOLUMNS_MEMBER(stacks_copy, copy),
    DATACOLUMNS_MEMBER(stacks_copy, what), {0}};

static const struct datacolumns_column position_columns[] = {
    DATACOLUMNS_MEMBER(stacks_position, line),
    DATACOLUMNS_MEMBER(stacks_position, column),
    DATACOLUMNS_MEMBER(stacks_position, start_line),
    DATACOLUMNS_MEMBER(stacks_position, start_column),
    DATACOLUMNS_MEMBER(stacks_position, end_line),
    DATACOLUMNS_MEMBER(stacks_position, end_column),
    {0}};

/* Returns the number of the file of a position of the stacks. */
static int64_t file_at(struct page_data *data, uint32_t position)
{
    return page_file(data, data->view->rows->stacks.positions.list[position].file);
}

/* The node's number minus its parent's number; 0: the node has no parent. */
PAGE_VALUE(node_parent, stacks_node,
           row->parent == STACKS_NONE ? 0 : (int64_t)number - row->parent)
PAGE_VALUE(node_file, stacks_node, file_at(data, row->position))

static const struct datacolumns_column node_columns[] = {
    {"parent", .value = node_parent},
    DATACOLUMNS_MEMBER(stacks_node, copy),
    {"file", .value = node_file},
    DATACOLUMNS_MEMBER(stacks_node, position),
    DATACOLUMNS_MEMBER(stacks_node, inlined),
    DATACOLUMNS_MEMBER(stacks_node, kernel),
    DATACOLUMNS_MEMBER(stacks_node, address),
    {0}};

/* A node whose samples belong to a branch, and the row of the branch. */
struct branched {
    uint32_t node, row;
};

static const struct datacolumns_column branched_columns[] = {
    DATACOLUMNS_MEMBER(branched, node), DATACOLUMNS_MEMBER(branched, row), {0}};

static void print_branched(struct page_data *data)
{
    const struct rows *rows = data->view->rows;
    if (!rows->branch_of_node)
        return;
    size_t nodes = rows->stacks.nodes.count, count = 0;
    BUF_OWN struct branched *list = buf_alloc((nodes + 1) * sizeof *list);
    for (uint32_t i = 0; i < nodes; i++)
        if (rows->branch_of_node[i] != STACKS_NONE)
            list[count++] = (struct branched){i, rows->branch_of_node[i]};
    datacolumns_print(&data->columns, "branched", data, list, count, branched_columns);
}

PAGE_STEP(time_step, shares_entry, owner)

static const struct datacolumns_column time_columns[] = {
    {"step", .value = time_step},
    DATACOLUMNS_NAMED("bucket", shares_entry, bin),
    DATACOLUMNS_MEMBER(shares_entry, count),
    {0}};

/* Prints the times at which nodes were sampled. Width and span are in nanoseconds.
   If times were not recorded, the width is 0. */
static void print_times(struct page_data *data)
{
    const struct times *times = &data->view->rows->stacks.times;
    json_unsigned_field(&data->columns.json, "bucket_width", times->width);
    json_unsigned_field(&data->columns.json, "bucket_span", times->span);
    datacolumns_print(&data->columns, "times", data, times->shares.entries,
                      times->shares.count, time_columns);
}

PAGE_VALUE(site_file, allocs_site, file_at(data, row->place))

static const struct datacolumns_column site_columns[] = {
    {"file", .value = site_file},
    DATACOLUMNS_NAMED("position", allocs_site, place),
    DATACOLUMNS_MEMBER(allocs_site, bytes),
    DATACOLUMNS_MEMBER(allocs_site, blocks),
    {0}};

/* Returns the paths at which the file compiled at PATH is searched, separated by
   commas. The caller frees the text. */
static char *places_of(const struct source_paths *paths, const char *path)
{
    struct source_paths_list list;
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    source_paths_list(&list, paths, path);
    for (size_t i = 0; i < list.count; i++)
        fprintf(out, "%s%s", i ? ", " : "", list.places[i]);
    source_paths_list_free(&list);
    buf_close(out);
    return text;
}

/* Returns for each file whether OUTER contains its path. The caller frees the array. */
static bool *known_files(const struct intern *files, struct intern *outer)
{
    bool *known = buf_alloc((files->count + 1) * sizeof *known);
    size_t count = outer ? outer->count : 0;
    for (uint32_t i = 0; outer && i < files->count; i++)
        known[i] = intern_put(outer, intern_text(files, i)) < count;
    return known;
}

/* Prints the field `files' with paths and texts. If a file cannot be read, its text
   is null, `looked' lists the paths that were searched, and a line is printed on
   stderr. If OUTER is not NULL and contains the path, neither the text nor the
   searched paths are printed. */
static void print_files(struct page_data *data, struct intern *outer)
{
    const struct view *view = data->view;
    const struct intern *files = &data->files;
    struct json *json = &data->columns.json;
    struct source_files texts;
    BUF_OWN bool *known = known_files(files, outer);
    source_files_open(&texts, view->program, view->sources);
    json_open_field(json, "files");
    datacolumns_print_texts(json, "path", files);
    json_open_list_field(json, "text");
    for (uint32_t i = 0; i < files->count; i++) {
        if (known[i]) {
            json_null(json);
            continue;
        }
        const struct source_files_text *file =
            source_files_get(&texts, intern_text(files, i));
        BUF_OWN char *text = file->text ? buf_copy_prefix(file->text, file->size) : NULL;
        json_text(json, text);
    }
    json_close_list(json);
    json_open_list_field(json, "looked");
    for (uint32_t i = 0; i < files->count; i++) {
        const char *path = intern_text(files, i);
        BUF_OWN char *places = known[i] || source_files_get(&texts, path)->text
                                   ? NULL
                                   : places_of(view->sources, path);
        json_text(json, places);
    }
    json_close_list(json);
    json_open_list_field(json, "withheld");
    for (uint32_t i = 0; i < files->count; i++)
        json_text(json, known[i]
                            ? NULL
                            : source_files_get(&texts, intern_text(files, i))->withheld);
    json_close_list(json);
    json_close(json);
    source_files_free(&texts);
}

static void print_modules(struct page_data *data)
{
    struct json *json = &data->columns.json;
    const struct profile *profile = data->view->profile;
    json_open_list_field(json, "modules");
    for (size_t i = 0; i < profile->modules.count; i++)
        json_text(json, profile->modules.list[i].path);
    json_close_list(json);
}

/* Returns the current time, or the time that a reproducible build prescribes
   (https://reproducible-builds.org/specs/source-date-epoch/). */
static time_t date(void)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    return epoch && *epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
}

static void print_about(struct page_data *data, const struct page_about *about,
                        const char *notes)
{
    struct json *json = &data->columns.json;
    const struct profile *profile = data->view->profile;
    char made[sizeof "YYYY-MM-DD HH:MM UTC"];
    time_t now = date();
    struct tm parts = {0};
    gmtime_r(&now, &parts);
    if (!strftime(made, sizeof made, "%Y-%m-%d %H:%M UTC", &parts))
        *made = '\0';
    json_text_field(json, "maker", about->maker);
    json_text_field(json, "program", about->program);
    json_text_field(json, "title", about->title);
    json_text_field(json, "made", made);
    json_text_field(json, "command", profile_command(profile));
    json_unsigned_field(json, "commands", profile->runs.commands.count);
    json_text_field(json, "notes", notes);
    json_bool_field(json, "timed", profile->kind & CCPROF_KIND_TIME);
    json_bool_field(json, "counted", profile->kind & CCPROF_KIND_COUNT);
    json_bool_field(json, "allocated", profile->kind & CCPROF_KIND_ALLOC);
    json_bool_field(json, "stacks", data->view->rows->stack);
    json_unsigned_field(json, "rate", profile->sampling.rate);
    json_unsigned_field(json, "total", data->view->rows->total);
}

/* Prints the meanings of the columns that the page's scripts declare. */
static void print_meanings(struct json *json)
{
    json_open_field(json, "means");
    table_print_meanings(json, "rows", &rows_table_groups);
    table_print_meanings(json, "load", imbalance_entry.data[0].table);
    table_print_meanings(json, "heap", heapview_entry.data[0].table);
    json_close(json);
}

/* Prints an object with all fields of VIEW. OUTER is the page that contains this
   object, or NULL. */
static void print_fields(struct json *json, const struct view *view,
                         const struct page_about *about, struct page_data *outer)
{
    struct page_data data = {.columns.json = *json, .view = view};
    struct datacolumns *columns = &data.columns;
    const struct stacks *stacks = &view->rows->stacks;
    json_open(&columns->json);
    BUF_OWN char *notes = outer ? about->notes_of(view) : NULL;
    print_about(&data, about, outer ? notes : about->notes);
    print_meanings(&columns->json);
    print_modules(&data);
    page_rows_print(&data);
    datacolumns_print(columns, "copies", &data, stacks->copies.list, stacks->copies.count,
                      copy_columns);
    datacolumns_print(columns, "positions", &data, stacks->positions.list,
                      stacks->positions.count, position_columns);
    datacolumns_print(columns, "nodes", &data, stacks->nodes.list, stacks->nodes.count,
                      node_columns);
    print_branched(&data);
    page_groups_print(&data);
    print_times(&data);
    page_load_print(&data);
    datacolumns_print(columns, "sites", &data, stacks->allocs.sites, stacks->allocs.count,
                      site_columns);
    page_lines_print(&data);
    page_verdicts_print(&data);
    page_executed_print(&data);
    page_calls_print(&data);
    page_code_print(&data);
    page_arcs_print(&data);
    page_lists_print(&data);
    page_measures_print(&data);
    page_heap_print(&data);
    page_regions_print(&data);
    page_waits_print(&data);
    if (about->print_more && !outer)
        about->print_more(columns, about->data);
    page_coded_print(&data);
    print_files(&data, outer ? &outer->files : NULL);
    json_open_list_field(&columns->json, "beside");
    for (enum report_beside what = 0; what < REPORT_BESIDES; what++) {
        const struct view *beside = view_beside(view, what);
        if (beside)
            print_fields(&columns->json, beside, about, &data);
    }
    json_close_list(&columns->json);
    datacolumns_print_texts(&columns->json, "texts", &columns->texts);
    json_close(&columns->json);
    *json = columns->json;
    intern_free(&columns->texts);
    intern_free(&data.files);
}

/* Prints the hash of TEXT in the notation of a Content-Security-Policy (W3C, CSP level
   3, 2.3.1), so that browsers run only this text. */
static void print_hash(FILE *out, const char *text, size_t size)
{
    uint8_t hash[SHA256_DIGEST_LENGTH];
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)text, size);
    SHA256Final(hash, &context);
    fputs("'sha256-", out);
    base64_print(out, hash, sizeof hash);
    putc('\'', out);
}

static void print_data(FILE *out, const struct view *view, const struct page_about *about)
{
    BUF_OWN char *text = NULL;
    size_t size, length;
    struct json json = {.out = buf_open(&text, &size)};
    print_fields(&json, view, about, NULL);
    buf_close(json.out);
    BUF_OWN char *compressed = gzip_compress(text, size, &length);
    base64_print(out, compressed, length);
}

void page_print(FILE *out, const struct view *view, const struct page_about *about)
{
    size_t style = (size_t)(page_style_end - page_style);
    size_t older = (size_t)(page_older_end - page_older);
    size_t script = (size_t)(page_script_end - page_script);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "script-src ",
          out);
    print_hash(out, page_older, older);
    putc(' ', out);
    print_hash(out, page_script, script);
    fputs("; style-src ", out);
    print_hash(out, page_style, style);
    fputs("\">\n<title>", out);
    markup_print(out, about->title);
    fputs("</title>\n<style>", out);
    fwrite(page_style, 1, style, out);
    fputs("</style>\n</head>\n", out);
    fwrite(page_body, 1, (size_t)(page_body_end - page_body), out);
    fputs("<script type=\"application/gzip\" id=\"data\">", out);
    print_data(out, view, about);
    fputs("</script>\n<script>", out);
    fwrite(page_older, 1, older, out);
    fputs("</script>\n<script type=\"module\">", out);
    fwrite(page_script, 1, script, out);
    fputs("</script>\n</html>\n", out);
}
