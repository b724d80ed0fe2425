/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes Cobertura's XML, which GitLab and Jenkins read (Cobertura: coverage-04.dtd).
   Packages are folders. Classes are source files, whose names are relative to the
   common folder of all files. Files in /usr, and names such as <built-in>, are
   omitted unless all files are of this kind. */

#include "mlprof/base/buf.h"
#include "mlprof/names/readable.h"
#include "mlprof/base/encoding.h"
#include "mlprof/export/export.h"
#include "mlprof/flow/coverage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The folder that contains the headers of compilers and libraries. */
#define SYSTEM "/usr/"

struct file {
    const char *path;
    size_t folder; /* length of its folder */
    uint32_t number;
};

struct cobertura {
    FILE *out;
    struct coverage coverage;
    struct file *files; /* files to write, sorted by folder, then name */
    size_t file_count;
    size_t root; /* length of the common folder of all files, with the slash */
};

static const char *path_of(const struct cobertura *cobertura, size_t number)
{
    return cobertura->files[number].path;
}

static bool is_system(const char *path)
{
    return strncmp(path, SYSTEM, strlen(SYSTEM)) == 0 || path[0] == '<';
}

BUF_COMPARE(by_folder, struct file,
            memcmp(a->path, b->path, a->folder < b->folder ? a->folder : b->folder) ?:
            BUF_ORDER(a->folder, b->folder) ?: strcmp(a->path, b->path))

static void choose_files(struct cobertura *cobertura)
{
    const struct coverage *coverage = &cobertura->coverage;
    size_t program_files = 0;
    cobertura->files = buf_alloc((coverage->files.count + 1) * sizeof *cobertura->files);
    for (uint32_t i = 0; i < coverage->files.count; i++)
        program_files += !is_system(intern_text(&coverage->files, i));
    for (uint32_t i = 0; i < coverage->files.count; i++) {
        const char *path = intern_text(&coverage->files, i), *slash = strrchr(path, '/');
        if (program_files == 0 || !is_system(path))
            cobertura->files[cobertura->file_count++] = (struct file){
                .path = path, .folder = slash ? (size_t)(slash - path) : 0, .number = i};
    }
    BUF_SORT(cobertura->files, cobertura->file_count, by_folder);
}

/* Sets ROOT to the length of the common prefix of all paths that ends in a slash. */
static void find_root(struct cobertura *cobertura)
{
    if (cobertura->file_count == 0)
        return;
    const char *first = path_of(cobertura, 0);
    size_t length = (size_t)(strrchr(first, '/') ? strrchr(first, '/') + 1 - first : 0);
    for (size_t i = 1; i < cobertura->file_count; i++) {
        const char *path = path_of(cobertura, i);
        while (length && strncmp(first, path, length) != 0)
            do
                length--;
            while (length && first[length - 1] != '/');
    }
    cobertura->root = length;
}

static void print_attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    markup_print(out, text);
    putc('"', out);
}

/* Returns the fraction of ALL that was hit, or 1 if ALL is 0. */
static double rate(size_t hit, size_t all)
{
    return all ? (double)hit / (double)all : 1;
}

static void print_rates(FILE *out, const struct coverage_sum *sum)
{
    fprintf(out, " line-rate=\"%.4f\" branch-rate=\"%.4f\"",
            rate(sum->lines_hit, sum->lines), rate(sum->branches_hit, sum->branches));
}

static void print_line(const struct cobertura *cobertura,
                       const struct coverage_line *line)
{
    FILE *out = cobertura->out;
    size_t number = (size_t)(line - cobertura->coverage.lines.list);
    struct coverage_sum sum =
        coverage_sum(&cobertura->coverage, (struct coverage_span){number, number + 1});
    fprintf(out, "<line number=\"%" PRIu32 "\" hits=\"%" PRIu64 "\"", line->line,
            line->count);
    if (sum.branches == 0) {
        fputs(" branch=\"false\"/>\n", out);
        return;
    }
    /* Round down, so that 100 percent means all. */
    size_t part = 100 * sum.branches_hit / sum.branches;
    fprintf(out,
            " branch=\"true\" condition-coverage=\"%zu%% (%zu/%zu)\">"
            "<conditions><condition number=\"0\" type=\"jump\" coverage=\"%zu%%\"/>"
            "</conditions></line>\n",
            part, sum.branches_hit, sum.branches, part);
}

/* Returns the lines from START to END in SPAN. */
static struct coverage_span lines_between(const struct coverage *coverage,
                                          struct coverage_span span, uint32_t start,
                                          uint32_t end)
{
    size_t low;
    BUF_SEARCH(low, span.end - span.first, i,
               coverage->lines.list[span.first + i].line < start);
    struct coverage_span result = {span.first + low, span.first + low};
    while (result.end < span.end && coverage->lines.list[result.end].line <= end)
        result.end++;
    return result;
}

static void print_lines(const struct cobertura *cobertura, struct coverage_span span)
{
    fputs("<lines>\n", cobertura->out);
    for (size_t i = span.first; i < span.end; i++)
        print_line(cobertura, &cobertura->coverage.lines.list[i]);
    fputs("</lines>\n", cobertura->out);
}

/* Prints a method. The function's symbol is used as its signature. */
static void print_method(const struct cobertura *cobertura,
                         const struct coverage_function *function,
                         struct coverage_span file)
{
    FILE *out = cobertura->out;
    const struct coverage *coverage = &cobertura->coverage;
    struct coverage_span span =
        lines_between(coverage, file, function->start, function->end);
    struct coverage_sum sum = coverage_sum(coverage, span);
    BUF_OWN char *whole = demangle(function->symbol);
    fputs("<method", out);
    print_attribute(out, "name", whole ? whole : function->symbol);
    print_attribute(out, "signature", function->symbol);
    print_rates(out, &sum);
    fputs(" complexity=\"0\">\n", out);
    print_lines(cobertura, span);
    fputs("</method>\n", out);
}

static void print_class(const struct cobertura *cobertura, size_t number)
{
    FILE *out = cobertura->out;
    const struct coverage *coverage = &cobertura->coverage;
    const char *path = path_of(cobertura, number) + cobertura->root;
    const char *slash = strrchr(path, '/');
    struct coverage_span span = coverage_lines(coverage, cobertura->files[number].number);
    struct coverage_span functions =
        coverage_functions(coverage, cobertura->files[number].number);
    struct coverage_sum sum = coverage_sum(coverage, span);
    fputs("<class", out);
    print_attribute(out, "name", slash ? slash + 1 : path);
    print_attribute(out, "filename", path);
    print_rates(out, &sum);
    fputs(" complexity=\"0\">\n<methods>\n", out);
    for (size_t i = functions.first; i < functions.end; i++)
        print_method(cobertura, &coverage->functions.list[i], span);
    fputs("</methods>\n", out);
    print_lines(cobertura, span);
    fputs("</class>\n", out);
}

static struct coverage_sum sum_of(const struct cobertura *cobertura, size_t first,
                                  size_t end)
{
    struct coverage_sum all = {0};
    for (size_t i = first; i < end; i++) {
        struct coverage_sum sum = coverage_sum(
            &cobertura->coverage,
            coverage_lines(&cobertura->coverage, cobertura->files[i].number));
        all.lines += sum.lines;
        all.lines_hit += sum.lines_hit;
        all.branches += sum.branches;
        all.branches_hit += sum.branches_hit;
    }
    return all;
}

/* Files are sorted by folder. Returns the index after the last file that is in the
   folder of file FIRST. */
static size_t package_end(const struct cobertura *cobertura, size_t first)
{
    const struct file *files = cobertura->files;
    size_t end = first + 1;
    while (end < cobertura->file_count && files[end].folder == files[first].folder &&
           memcmp(files[end].path, files[first].path, files[first].folder) == 0)
        end++;
    return end;
}

static void print_package(const struct cobertura *cobertura, size_t first, size_t end)
{
    FILE *out = cobertura->out;
    struct coverage_sum sum = sum_of(cobertura, first, end);
    size_t root = cobertura->root, folder = cobertura->files[first].folder;
    BUF_OWN char *name = buf_copy_prefix(path_of(cobertura, first) + root,
                                         folder > root ? folder - root : 0);
    fputs("<package", out);
    print_attribute(out, "name", name);
    print_rates(out, &sum);
    fputs(" complexity=\"0\">\n<classes>\n", out);
    for (size_t i = first; i < end; i++)
        print_class(cobertura, i);
    fputs("</classes>\n</package>\n", out);
}

static void print_all(const struct cobertura *cobertura, const char *maker)
{
    FILE *out = cobertura->out;
    struct coverage_sum sum = sum_of(cobertura, 0, cobertura->file_count);
    char *root =
        buf_copy_prefix(cobertura->file_count ? path_of(cobertura, 0) : "",
                        cobertura->root > 1 ? cobertura->root - 1 : cobertura->root);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<!DOCTYPE coverage SYSTEM "
          "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage",
          out);
    print_rates(out, &sum);
    fprintf(out,
            " lines-covered=\"%zu\" lines-valid=\"%zu\" branches-covered=\"%zu\""
            " branches-valid=\"%zu\" complexity=\"0\"",
            sum.lines_hit, sum.lines, sum.branches_hit, sum.branches);
    print_attribute(out, "version", maker);
    fputs(" timestamp=\"0\">\n<sources>\n<source>", out);
    markup_print(out, root);
    fputs("</source>\n</sources>\n<packages>\n", out);
    for (size_t first = 0, end; first < cobertura->file_count; first = end) {
        end = package_end(cobertura, first);
        print_package(cobertura, first, end);
    }
    fputs("</packages>\n</coverage>\n", out);
    free(root);
}

static void cobertura_write(FILE *out, const struct export_input *input)
{
    struct cobertura cobertura = {.out = out};
    coverage_find(&cobertura.coverage, report_flows(input->view->report));
    choose_files(&cobertura);
    find_root(&cobertura);
    print_all(&cobertura, input->maker);
    free(cobertura.files);
    coverage_free(&cobertura.coverage);
}

const struct export_format cobertura_format = {
    .name = "cobertura",
    .help = "write coverage as XML, for GitLab and Jenkins",
    .kind = OUTPUTS_COVERAGE,
    .needs = EXPORT_BLOCKS,
    .write = cobertura_write,
};
