/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/source-paths.h"
#include "mlprof/compare/formula.h"
#include "testsuite/fuzz/targets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The bytes as a word of the command line; to be freed.  */
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

/* `FROM=TO', and behind a newline a path that is looked for.  */
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
    free(source_paths_tell(&paths, path));
    source_paths_list_free(&list);
    source_paths_free(&paths);
    free(wrong);
    free(word);
    return good;
}
