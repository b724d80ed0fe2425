/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The source file that a recorded name means. */

#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "testsuite/unit/tests.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *directory, *name, *path;
    const char *shown; /* NULL: NAME */
    const char *in;    /* the name relative to the folder /p/a; NULL: the path */
} rows[] = {
    {"/p/a", "a.c", "/p/a/a.c", NULL, "a.c"},
    /* A header reached from two folders in two ways is one file with its first name. */
    {"/p/a", "../include/h.h", "/p/include/h.h", NULL, "../include/h.h"},
    {"/p/b/c", "../../include/h.h", "/p/include/h.h", "../include/h.h", "../include/h.h"},
    {"/p/b/c", ".././../include//h.h", "/p/include/h.h", "../include/h.h",
     "../include/h.h"},
    {"/x", "/p/include/h.h", "/p/include/h.h", "../include/h.h", "../include/h.h"},
    /* Files with the same name in two folders are two files. */
    {"/p/b/c", "a.c", "/p/b/c/a.c", NULL, NULL},
    {"/p/a", "<stdin>", "/p/a/<stdin>", NULL, "<stdin>"},
    {"/p/b/c", "<stdin>", "/p/b/c/<stdin>", NULL, NULL},
    /* Folders mapped by the compiler, and an unknown folder. */
    {".", "a.c", "a.c", NULL, NULL},
    {"", "src/../b.c", "b.c", "src/../b.c", "src/../b.c"},
    {NULL, "/abs/./b.c", "/abs/b.c", "/abs/./b.c", "/abs/./b.c"},
};

TEST(recorded_names)
{
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *path = sourcefile_path(rows[i].directory, rows[i].name);
        const char *shown = rows[i].shown ? rows[i].shown : rows[i].name;
        ck_assert_str_eq(path, rows[i].path);
        ck_assert_str_eq(sourcefile_name(path), shown);
        ck_assert_str_eq(sourcefile_name_in("/p/a", path),
                         rows[i].in ? rows[i].in : rows[i].path);
        ck_assert_ptr_eq(sourcefile_path(rows[i].directory, rows[i].name), path);
        ck_assert_ptr_eq(sourcefile_find(rows[i].path), path);
    }
    ck_assert_str_eq(sourcefile_recorded("/p/include/h.h"), "/p/a/../include/h.h");
    ck_assert_ptr_null(sourcefile_find("/p/a/b.c"));
    ck_assert_str_eq(sourcefile_name("/p/a/b.c"), "/p/a/b.c");
    ck_assert_ptr_null(sourcefile_name(NULL));
    sourcefile_free();
}

static const char *below(const char *folder, const char *name)
{
    BUF_OWN char *here = realpath(".", NULL);
    BUF_OWN char *directory = buf_format("%s/%s", here, folder);
    return sourcefile_path(directory, name);
}

/* real/sub is a folder, and link leads to it. */
TEST(symbolic_links)
{
    ck_assert_int_eq(mkdir("real", 0755), 0);
    ck_assert_int_eq(mkdir("real/sub", 0755), 0);
    ck_assert_int_eq(mkdir("top", 0755), 0);
    ck_assert_int_eq(symlink("../real/sub", "top/link"), 0);
    /* A link and its target are one file, under the first path. */
    const char *linked = below("top/link", "a.c");
    ck_assert_str_eq(strstr(linked, "/top/"), "/top/link/a.c");
    ck_assert_ptr_eq(below("real", "sub/a.c"), linked);
    ck_assert_ptr_eq(below("real/sub/.", "a.c"), linked);
    /* `..' behind a link is the folder above the folder that the link leads to. */
    const char *above = below("top", "link/../b.c");
    ck_assert_str_eq(strstr(above, "/real/"), "/real/b.c");
    ck_assert_ptr_eq(below("real", "b.c"), above);
    ck_assert_ptr_ne(below("top", "b.c"), above);
    /* A folder that no longer exists. */
    ck_assert_str_eq(strstr(below("top", "gone/../b.c"), "/top/"), "/top/b.c");
    sourcefile_free();
}
