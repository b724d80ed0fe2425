/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Identity: which sources are the same function. */

#include "mlprof/base/sourcefile.h"
#include "mlprof/names/identity.h"
#include "testsuite/unit/tests.h"

static const struct {
    struct {
        const char *name, *symbol, *file, *directory;
        uint32_t line, column;
    } source;
    uint32_t number;
} sources[] = {
    {{"f", "f", "a.c", "/d", 1, 2}, 0},
    {{"f", "f", "a.c", "/d", 1, 2}, 0},
    /* The shown name matters only if there is no symbol. */
    {{"g", "f", "a.c", "/d", 1, 2}, 0},
    {{"f", NULL, "a.c", "/d", 1, 2}, 0},
    {{"f", "", "a.c", "/d", 1, 2}, 0},
    {{"f", "_Z1fi", "a.c", "/d", 1, 2}, 1},
    /* The position. */
    {{"f", "f", "a.c", "/d", 2, 2}, 2},
    {{"f", "f", "a.c", "/d", 1, 3}, 3},
    {{"f", "f", "b.c", "/d", 1, 2}, 4},
    {{"f", "f", "a.c", "/e", 1, 2}, 5},
    {{"f", "f", NULL, "/d", 0, 0}, 6},
    {{"f", "f", NULL, NULL, 0, 0}, 6},
    /* One file under several names. */
    {{"f", "f", "/d/a.c", "/e", 1, 2}, 0},
    {{"f", "f", "../d/a.c", "/e", 1, 2}, 0},
    {{"f", "f", "./x/..//a.c", "/d/", 1, 2}, 0},
    {{"f", "f", "../../../d/./a.c", "/e/x", 1, 2}, 0},
    {{"f", "f", "x/y/../../a.c", "/d", 1, 2}, 0},
    {{"f", "f", "a.c", NULL, 1, 2}, 7},
    {{"f", "f", "./a.c", "", 1, 2}, 7},
    {{"f", "f", "../a.c", NULL, 1, 2}, 8},
    {{"f", "f", "x/../../a.c", NULL, 1, 2}, 8},
    {{"f", "f", "../../a.c", NULL, 1, 2}, 9},
    {{"f", "f", "/", NULL, 1, 2}, 10},
    {{"f", "f", "", NULL, 1, 2}, 11},
};

TEST(numbers)
{
    struct identity identity = {0};
    uint32_t known = 0;
    for (size_t i = 0; i < LENGTH(sources); i++) {
        bool fresh;
        const char *file = sources[i].source.file;
        const struct identity_source source = {
            .name = sources[i].source.name,
            .symbol = sources[i].source.symbol,
            .file = file ? sourcefile_path(sources[i].source.directory, file) : NULL,
            .line = sources[i].source.line,
            .column = sources[i].source.column};
        ck_assert_uint_eq(identity_put(&identity, &source, &fresh), sources[i].number);
        ck_assert_int_eq(fresh, sources[i].number == known);
        known += fresh;
    }
    identity_free(&identity);
    sourcefile_free();
}
