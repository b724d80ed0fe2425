/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports a gate to services that run tests (gate.h): as JUnit XML, in the form that
   Jenkins' schema (junit-10.xsd) accepts, and as GitHub's workflow commands. */

#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/base/index.h"
#include "mlprof/base/path.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/gate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns PATH, relative to HERE if it is below HERE. The caller frees it. */
static char *path_below(const char *here, const char *path)
{
    size_t length = strlen(here);
    bool below = length > 1 && strncmp(path, here, length) == 0 && path[length] == '/';
    return text_clean(below ? path + length + 1 : path);
}

/* Returns the path of the source file of a check, which the caller frees, and sets *LINE.
   If it is unknown, returns the path of the gate's file. */
static char *position_of(const struct gate *gate, const struct gate_check *check,
                         const char *here, uint64_t *line)
{
    const char *file;
    *line = gate_position(check, &file);
    if (!*line && check->function) {
        file = check->function->path;
        *line = file ? check->function->line : 0;
    }
    if (*line)
        return path_below(here, file);
    *line = check->line;
    return path_below(here, gate->path);
}

/* Returns the name of a check, which the caller frees. */
static char *name_of(const struct gate_check *check)
{
    BUF_OWN char *name = gate_name(check);
    return text_clean(name);
}

/* Returns both compilers in a sentence, which the caller frees. */
static char *compilers_text(const struct gate *gate)
{
    return buf_format("another compiler: %s, now %s", gate->compilers[0],
                      gate->compilers[1]);
}

static void print_attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    markup_print(out, text);
    putc('"', out);
}

static void print_property(FILE *out, const char *name, const char *value)
{
    if (!value)
        return;
    fputs("      <property", out);
    print_attribute(out, "name", name);
    print_attribute(out, "value", value);
    fputs("/>\n", out);
}

/* Prints a test case. Services ignore a second test of the same class and name, so a
   number makes such names different; SEEN counts them. */
static void print_case(FILE *out, const struct gate *gate, const struct gate_check *check,
                       const char *here, struct tally *seen, struct intern *texts)
{
    uint64_t line;
    BUF_OWN char *path = position_of(gate, check, here, &line);
    BUF_OWN char *name = name_of(check);
    BUF_OWN char *unit = gate_unit(check);
    BUF_OWN char *test = gate_points(check) && check->nth != GATE_ALL
                             ? buf_format("%s %s, line %" PRIu64, name, unit, line)
                             : buf_format("%s %s", name, unit);
    uint32_t nth = tally_add(seen, intern_put(texts, path), intern_put(texts, test), 0);
    BUF_OWN char *unique =
        nth ? buf_format("%s (%" PRIu32 ")", test, nth + 1) : buf_copy(test);
    fputs("    <testcase", out);
    print_attribute(out, "classname", path);
    print_attribute(out, "name", unique);
    if (!check->failed) {
        fputs("/>\n", out);
        return;
    }
    BUF_OWN char *sentence = gate_sentence(check);
    BUF_OWN char *where = line ? buf_format("%s:%" PRIu64, path, line) : buf_copy(path);
    BUF_OWN char *text = buf_format("%s: %s: %s\n", where, name, sentence);
    fputs(">\n      <failure", out);
    print_attribute(out, "type", "limit");
    print_attribute(out, "message", sentence);
    fputs(">", out);
    markup_print(out, text);
    if (gate_has_new_compiler(gate)) {
        BUF_OWN char *compilers = compilers_text(gate);
        markup_print(out, compilers);
        putc('\n', out);
    }
    fputs("</failure>\n    </testcase>\n", out);
}

void gate_write_junit(FILE *out, const struct gate *gate, const char *here)
{
    struct tally seen = {0};
    struct intern texts = {0};
    BUF_OWN char *path = text_clean(gate->path);
    BUF_OWN char *counts = buf_format(" tests=\"%zu\" failures=\"%zu\" errors=\"0\"",
                                      gate->check_count, gate->failed);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
    print_attribute(out, "name", "mlprof -gate");
    fprintf(out, "%s>\n  <testsuite", counts);
    print_attribute(out, "name", path);
    fprintf(out, "%s>\n", counts);
    if (gate->compilers[0] || gate->compilers[1]) {
        fputs("    <properties>\n", out);
        print_property(out, "compiler before", gate->compilers[0]);
        print_property(out, "compiler now", gate->compilers[1]);
        fputs("    </properties>\n", out);
    }
    for (size_t i = 0; i < gate->check_count; i++)
        print_case(out, gate, &gate->checks[i], here, &seen, &texts);
    fputs("  </testsuite>\n</testsuites>\n", out);
    tally_free(&seen);
    intern_free(&texts);
}

/* Prints TEXT as the value of a property of a command or, if not PROPERTY, as its
   message, escaped as in GitHub's package @actions/core. GitHub's log is a terminal:
   other control characters are escaped as everywhere. */
static void print_escaped(FILE *out, const char *text, bool property)
{
    BUF_OWN char *clean = text_clean_but(text, "\r\n");
    BUF_OWN char *valid = utf8_valid(clean);
    for (const char *cursor = valid; *cursor; cursor++)
        if (strchr("%\r\n", *cursor) || (property && strchr(":,", *cursor)))
            fprintf(out, "%%%02X", (unsigned)*cursor);
        else
            putc(*cursor, out);
}

void gate_print_github(FILE *out, const struct gate *gate, const char *here, size_t top)
{
    if (gate->failed && gate_has_new_compiler(gate)) {
        BUF_OWN char *compilers = compilers_text(gate);
        fputs("::warning title=Another compiler::", out);
        print_escaped(out, compilers, false);
        putc('\n', out);
    }
    for (size_t i = 0; i < gate->failed && (!top || i < top); i++) {
        const struct gate_check *check = &gate->checks[i];
        uint64_t line;
        BUF_OWN char *path = position_of(gate, check, here, &line);
        BUF_OWN char *name = name_of(check);
        BUF_OWN char *sentence = gate_sentence(check);
        fputs("::error file=", out);
        print_escaped(out, path, true);
        if (line)
            fprintf(out, ",line=%" PRIu64, line);
        fputs(",title=Limit exceeded::", out);
        print_escaped(out, name, false);
        fputs(": ", out);
        print_escaped(out, sentence, false);
        putc('\n', out);
    }
}
