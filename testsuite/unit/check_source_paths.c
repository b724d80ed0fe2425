/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof/base/source-paths.c mlprof/base/buf.c */
/* Where a source file that has moved is looked for.  */

#include "mlprof/base/buf.h"
#include "mlprof/base/source-paths.h"
#include "testsuite/unit/tests.h"

#include <string.h>

/* The places of PATH, a blank between them; to be freed.  */
static char *places(const struct source_paths *paths, const char *path)
{
    struct source_paths_list list;
    char *text = buf_copy("");
    source_paths_list(&list, paths, path);
    for (size_t i = 0; i < list.count; i++) {
        char *longer = buf_format("%s%s%s", text, i ? " " : "", list.places[i]);
        free(text);
        text = longer;
    }
    source_paths_list_free(&list);
    return text;
}

static void expect(const struct source_paths *paths, const char *path, const char *want)
{
    assert_text(places(paths, path), want);
}

static void add_map(struct source_paths *paths, const char *word)
{
    ck_assert_ptr_null(source_paths_add_map(paths, word));
}

TEST(nothing_given)
{
    struct source_paths paths = {0};
    expect(&paths, "/a/../b.c", "/a/../b.c");
    expect(&paths, "b.c", "b.c");
    assert_text(source_paths_tell(&paths, "b.c"), "");
    source_paths_free(&paths);
}

/* Whole components, the map given first first; the file where it was is last.  */
TEST(maps)
{
    struct source_paths paths = {0};
    add_map(&paths, "/build/pkg-1.0=/home/me/pkg");
    add_map(&paths, "/build/=/mnt");
    expect(&paths, "/build/pkg-1.0/src/x.c",
           "/home/me/pkg/src/x.c /mnt/pkg-1.0/src/x.c /build/pkg-1.0/src/x.c");
    expect(&paths, "/build/pkg-1.0.1/x.c", "/mnt/pkg-1.0.1/x.c /build/pkg-1.0.1/x.c");
    expect(&paths, "/buildx/x.c", "/buildx/x.c");
    expect(&paths, "/usr/build/x.c", "/usr/build/x.c");
    assert_text(source_paths_tell(&paths, "/build/pkg-1.0/x.c"),
                ", nor is it /home/me/pkg/x.c, nor is it /mnt/pkg-1.0/x.c");
    source_paths_free(&paths);

    /* -ffile-prefix-map=/build=. ; and the whole file system of another machine.  */
    add_map(&paths, ".=/src/");
    add_map(&paths, "/=/mnt/root");
    add_map(&paths, "gone=");
    expect(&paths, "./sub/x.c", "/src/sub/x.c ./sub/x.c");
    expect(&paths, "/usr/include/x.h", "/mnt/root/usr/include/x.h /usr/include/x.h");
    expect(&paths, "gone/x.c", "x.c gone/x.c");
    source_paths_free(&paths);

    /* A folder that is left again: as it stands, otherwise as it is meant.  */
    add_map(&paths, "/b/obj=/new/obj");
    add_map(&paths, "/b/src=/new/src");
    expect(&paths, "/b/obj/../src/./x.c",
           "/new/obj/../src/./x.c /new/src/x.c /b/obj/../src/./x.c");
    source_paths_free(&paths);
}

TEST(wrong_maps)
{
    struct source_paths paths = {0};
    char *why = source_paths_add_map(&paths, "/a");
    ck_assert_str_eq(why, "it has no `='");
    free(why);
    why = source_paths_add_map(&paths, "=/a");
    ck_assert_str_eq(why, "nothing before `='");
    free(why);
    ck_assert_uint_eq(paths.map_count, 0);
    /* What stands behind the first = is the other folder.  */
    add_map(&paths, "a=b=c");
    expect(&paths, "a/x.c", "b=c/x.c a/x.c");
    source_paths_free(&paths);
}

TEST(folders)
{
    struct source_paths paths = {0};
    source_paths_add_folder(&paths, "one");
    source_paths_add_folder(&paths, "/two");
    expect(&paths, "/a/b/x.c",
           "/a/b/x.c one/a/b/x.c one/b/x.c one/x.c /two/a/b/x.c /two/b/x.c /two/x.c");
    expect(&paths, "x.c", "x.c one/x.c /two/x.c");
    /* No place is outside of the folder.  */
    expect(&paths, "../../x.c", "../../x.c one/x.c /two/x.c");
    expect(&paths, "/a/../../../b//x.c",
           "/a/../../../b//x.c one/b/x.c one/x.c /two/b/x.c /two/x.c");
    assert_text(source_paths_tell(&paths, "/a/b/x.c"), ", nor is it in one, /two");
    source_paths_free(&paths);
}
