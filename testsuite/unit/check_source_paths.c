/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof/base/path.c mlprof/base/buf.c */
/* The places where mlprof searches for a moved source file. */

#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "testsuite/unit/tests.h"

/* Returns the places of PATH, separated by spaces. The caller frees them. */
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

#define PACKAGE "/build/pkg-1.0=/home/me/pkg /build/=/mnt"
/* -ffile-prefix-map=/build=. , and the complete file system of another machine. */
#define PREFIXES ".=/src/ /=/mnt/root gone="
#define OBJECTS  "/b/obj=/new/obj /b/src=/new/src"
#define FOLDERS  "one /two"

/* Maps and folders: a path, and the places where it is searched. (The messages:
   mlprof-sources.test.) */
static const struct {
    const char *maps, *folders, *path, *places;
} rows[] = {
    /* Maps replace whole components, and the map given first has priority. The last place
       is the original file. */
    {PACKAGE, "", "/build/pkg-1.0/x.c",
     "/home/me/pkg/x.c /mnt/pkg-1.0/x.c /build/pkg-1.0/x.c"},
    {PACKAGE, "", "/build/pkg-1.0.1/x.c", "/mnt/pkg-1.0.1/x.c /build/pkg-1.0.1/x.c"},
    {PACKAGE, "", "/usr/build/x.c", "/usr/build/x.c"},
    {PREFIXES, "", "/usr/include/x.h", "/mnt/root/usr/include/x.h /usr/include/x.h"},
    {PREFIXES, "", "gone/x.c", "x.c gone/x.c"},
    /* The new folder is everything after the first =. */
    {"a=b=c", "", "a/x.c", "b=c/x.c a/x.c"},
    /* A path with `..': first unchanged, then simplified. */
    {OBJECTS, "", "/b/obj/../src/./x.c",
     "/new/obj/../src/./x.c /new/src/x.c /b/obj/../src/./x.c"},
    {"", FOLDERS, "/a/b/x.c",
     "/a/b/x.c one/a/b/x.c one/b/x.c one/x.c /two/a/b/x.c /two/b/x.c /two/x.c"},
    /* No place is outside of the given folders. */
    {"", FOLDERS, "../../x.c", "../../x.c one/x.c /two/x.c"},
    {"", FOLDERS, "/a/../../../b//x.c",
     "/a/../../../b//x.c one/b/x.c one/x.c /two/b/x.c /two/x.c"},
};

TEST_ROWS(where_it_is_looked_for, rows)
{
    struct source_paths paths = {0};
    char *maps = buf_copy(rows[_i].maps), *folders = buf_copy(rows[_i].folders);
    for (char *map = strtok(maps, " "); map; map = strtok(NULL, " "))
        ck_assert_ptr_null(source_paths_add_map(&paths, map));
    for (char *folder = strtok(folders, " "); folder; folder = strtok(NULL, " "))
        source_paths_add_folder(&paths, folder);
    assert_text(places(&paths, rows[_i].path), rows[_i].places);
    source_paths_free(&paths);
    free(maps);
    free(folders);
}

TEST(wrong_maps)
{
    struct source_paths paths = {0};
    assert_text(source_paths_add_map(&paths, "=/a"), "nothing before `='");
    ck_assert_uint_eq(paths.maps.count, 0);
    source_paths_free(&paths);
}
