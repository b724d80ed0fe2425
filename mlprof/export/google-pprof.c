/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the CPU profile of gperftools with its symbols, which google-pprof reads
   without the program (github.com/gperftools: docs/cpuprofile-fileformat.html;
   src/pprof, ReadSymbols and ReadCPUProfile).  With real addresses, google-pprof would
   know inlined functions only if the program has debug information (-g).  So each
   function gets an artificial address.  Stacks have samples; a profile without samples
   is a FAULT.  Inlined functions are written as called functions.  */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/export/export.h"
#include "mlprof/rows/tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns the address of a function.  The address must not be 0, because 0 ends the
   profile.  */
static uint64_t address_of(uint32_t row)
{
    return (uint64_t)row + 1;
}

/* Returns the name of a row in a form that google-pprof reads.  The caller frees it.
   google-pprof uses two dashes to separate inlined functions, so a blank is inserted
   between two dashes in a name.  Angle brackets around a name become square brackets,
   because google-pprof removes template arguments.  */
static char *name_of(const struct view *view, const struct rows_row *row)
{
    BUF_OWN char *name = view_name(view, row);
    size_t length = strlen(name), size = 0;
    bool bracketed = length > 1 && name[0] == '<' && name[length - 1] == '>';
    char *result = buf_alloc(2 * length + 1);
    for (size_t i = 0; i < length; i++) {
        if (i && name[i] == '-' && name[i - 1] == '-')
            result[size++] = ' ';
        result[size++] = name[i];
    }
    if (bracketed) {
        result[0] = '[';
        result[size - 1] = ']';
    }
    return result;
}

static void print_symbols(FILE *out, const struct export_input *input)
{
    const struct rows *rows = input->view->rows;
    char *program = text_clean(input->program);
    fprintf(out, "--- symbol\nbinary=%s\n", program);
    free(program);
    for (uint32_t i = 0; i < rows->count; i++) {
        BUF_OWN char *name = name_of(input->view, &rows->rows[i]);
        fprintf(out, "0x%016" PRIx64 " %s\n", address_of(i), name);
    }
    fputs("---\n", out);
}

static void print_words(FILE *out, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words_put_two(out, words[i]);
}

static void print_samples(FILE *out, const struct profile *profile,
                          const struct tree *tree)
{
    uint64_t microseconds = 1000000 / (profile->rate ? profile->rate : 1);
    const uint64_t head[] = {0, 3, 0, microseconds, 0}, end[] = {0, 1, 0};
    fputs("--- profile\n", out);
    print_words(out, head, sizeof head / sizeof *head);
    struct tree_walk walk = {0};
    uint64_t sampled = 0;
    while (tree_walk_next(tree, &walk)) {
        if (tree->nodes[walk.node].count == 0)
            continue;
        sampled = address_of(tree->nodes[walk.node].row);
        words_put_two(out, tree->nodes[walk.node].count);
        words_put_two(out, walk.depth);
        for (uint32_t at = walk.node; at != TREE_EMPTY; at = tree->nodes[at].parent)
            words_put_two(out, address_of(tree->nodes[at].row));
    }
    /* If all stacks have the same second frame, google-pprof removes this frame,
       because it assumes a frame of a signal handler.  To prevent that, write a stack
       without a caller and without samples.  */
    const uint64_t alone[] = {0, 1, sampled};
    if (sampled)
        print_words(out, alone, sizeof alone / sizeof *alone);
    print_words(out, end, sizeof end / sizeof *end);
}

static bool google_pprof_write(FILE *out, const struct export_input *input,
                               struct fault *fault)
{
    const struct profile *profile = input->view->profile;
    if (!profile_measure(profile)->sampled)
        return fault_set(fault, FAULT_MISMATCH, "-google-pprof",
                         "there are no samples; -pprof writes other measures");
    struct tree tree;
    tree_of_stacks(&tree, input->view->rows);
    print_symbols(out, input);
    print_samples(out, profile, &tree);
    tree_free(&tree);
    return true;
}

const struct export_format google_pprof_format = {
    .name = "google-pprof",
    .help = "write the samples for google-pprof of gperftools",
    .affected_by = VIEWS_BY_COPIES,
    .write = google_pprof_write,
};
