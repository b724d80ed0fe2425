/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/compare/formula.h"
#include "mlprof/report/keep.h"
#include "testsuite/fuzz/targets.h"
#include "testsuite/unit/keep_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The bytes as a word of the command line; to be freed. */
static char *word_of(const unsigned char *bytes, size_t size)
{
    char *word = malloc(size + 1);
    memcpy(word, bytes, size);
    word[size] = '\0';
    return realloc(word, strlen(word) + 1);
}

bool targets_formula(const unsigned char *bytes, size_t size)
{
    struct formula formula = {0};
    char *word = word_of(bytes, size), *wrong = formula_read(&formula, word);
    bool good = !wrong;
    assert(good || *wrong);
    if (good) {
        struct formula_values values = {.a = 2, .b = 3, .size_a = 4, .size_b = 5};
        formula_has_sizes(&formula);
        formula_value(&formula, &values);
    }
    formula_free(&formula);
    free(wrong);
    free(word);
    return good;
}

/* `FROM=TO', and behind a newline a path that is looked for. */
bool targets_map(const unsigned char *bytes, size_t size)
{
    struct source_paths paths = {0};
    struct source_paths_list list = {0};
    char *word = word_of(bytes, size), *path = strchr(word, '\n');
    if (path)
        *path++ = '\0';
    else
        path = word + strlen(word);
    char *wrong = source_paths_add_map(&paths, word);
    bool good = !wrong;
    source_paths_add_folder(&paths, word);
    source_paths_list(&list, &paths, path);
    free(source_paths_searched(&paths, path));
    source_paths_list_free(&list);
    source_paths_free(&paths);
    free(wrong);
    free(word);
    return good;
}

/* What TEXT keeps of GRAPH; NULL if it is no expression. To be freed. */
static bool *kept_by(const char *text, const struct keep_graph *graph)
{
    const struct names_style style = {.long_name = true, .form = NAMES_PLAIN};
    struct keep keep = {0};
    bool *kept = NULL;
    char *wrong = keep_parse(&keep, text);
    assert((wrong == NULL) == (keep.count > 0));
    assert(!wrong || strncmp(wrong, "character ", 10) == 0);
    if (!wrong)
        kept = keep_rows(&keep, &graph->rows, NULL, &style);
    free(wrong);
    keep_free(&keep);
    return kept;
}

/* WORD within others keeps what it kept, KEPT, and more only if it MAY. FORMAT has a
   newline behind it, where comments end. */
__attribute__((format(printf, 1, 0))) static void
check_within(const char *format, const char *word, const struct keep_graph *graph,
             const bool *kept, bool may)
{
    char *text = buf_format(format, word);
    bool *within = kept_by(text, graph);
    for (size_t i = 0; within && i < graph->rows.count; i++)
        assert(within[i] == kept[i] || (may && within[i]));
    free(within);
    free(text);
}

static bool keep_of(const char *word, const struct keep_graph *graph)
{
    bool *kept = kept_by(word, graph);
    if (!kept)
        return false;
    check_within("(and %s\n)", word, graph, kept, false);
    check_within("(not (not %s\n))", word, graph, kept, false);
    check_within("(from %s\n)", word, graph, kept, true);
    check_within("(to %s\n)", word, graph, kept, true);
    free(kept);
    return true;
}

bool targets_keep(const unsigned char *bytes, size_t size)
{
    struct keep_graph graph;
    char *word = word_of(bytes, size);
    keep_graph_make(&graph);
    bool good = keep_of(word, &graph);
    keep_graph_catalog(&graph);
    bool again = keep_of(word, &graph);
    assert(good == again);
    keep_graph_free(&graph);
    free(word);
    return good;
}
