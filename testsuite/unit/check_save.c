/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Files whose names mlprof chooses replace only regular files. */

#define _GNU_SOURCE
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "testsuite/unit/tests.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/check-save-XXXXXX";

static void put(const char *path, const char *text, mode_t mode)
{
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
    ck_assert_int_eq(chmod(path, mode), 0);
}

/* A folder with all kinds of files. */
static void enter(void)
{
    memcpy(strrchr(folder, '-') + 1, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    umask(022);
    put("file", "old", 0640);
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    ck_assert_int_eq(mkfifo("pipe", 0666), 0);
    ck_assert_int_eq(symlink("file", "link"), 0);
    ck_assert_int_eq(symlink("nothing", "dangling"), 0);
    ck_assert_int_eq(symlink("folder", "linked"), 0);
}

static void leave(void)
{
    char command[sizeof folder + 20];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(system(command), 0);
}
TEST_AROUND(enter, leave)

static int count(void)
{
    DIR *files = opendir(".");
    int found = 0;
    ck_assert_ptr_nonnull(files);
    while (readdir(files))
        found++;
    closedir(files);
    return found;
}

static void expect(const char *path, const char *want, mode_t mode)
{
    char text[20] = "";
    struct stat status;
    FILE *in = fopen(path, "r");
    ck_assert_ptr_nonnull(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    ck_assert_str_eq(text, want);
    ck_assert_int_eq(lstat(path, &status), 0);
    ck_assert_uint_eq(status.st_mode, S_IFREG | mode);
}

static void saved(const char *path)
{
    struct fault fault = {0};
    ck_assert(save_made_up(path, "new", 3, &fault));
}

static const struct {
    const char *path, *why;
} others[] = {
    {"link", "is a symbolic link, which is not followed"},
    {"./dangling", "is a symbolic link, which is not followed"},
    {"pipe", "is not a regular file"},
    {"/dev/null", "is not a regular file"},
    {"folder", "Is a directory"},
    {"none/a", "No such file or directory"},
};

TEST_ROWS(refused, others)
{
    struct fault fault = {0};
    int before = count();
    ck_assert(!save_made_up(others[_i].path, "new", 3, &fault));
    ck_assert_int_eq(strncmp(fault.text, others[_i].path, strlen(others[_i].path)), 0);
    ck_assert_str_eq(fault.text + strlen(others[_i].path) + 2, others[_i].why);
    ck_assert_int_eq(fault.kind, FAULT_FILE);
    ck_assert_int_eq(count(), before);
    expect("file", "old", 0640);
    fault_clear(&fault);
}

TEST(regular)
{
    char longest[256] = "";
    int before = count();
    saved("a");
    expect("a", "new", 0644);
    /* The old content stays under the file's other name. */
    ck_assert_int_eq(link("file", "other"), 0);
    saved("./file");
    expect("file", "new", 0640);
    expect("other", "old", 0640);
    memset(longest, 'x', sizeof longest - 1);
    saved(longest);
    /* A folder named by the user may be a link. */
    saved("linked/file");
    expect("folder/file", "new", 0644);
    umask(077);
    saved("c");
    expect("c", "new", 0600);
    ck_assert_int_eq(count(), before + 4);
}

/* Files named by the user: links are followed and stay. The old file is replaced only
   after the new file is complete. */
TEST(named)
{
    struct fault fault = {0};
    struct stat status;
    int before = count();
    ck_assert_int_eq(link("file", "other"), 0);
    ck_assert(save_file("link", "new", 3, &fault));
    expect("file", "new", 0640);
    expect("other", "old", 0640);
    ck_assert(save_file("./dangling", "new", 3, &fault));
    ck_assert_int_eq(lstat("dangling", &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
    ck_assert_int_eq(count(), before + 2);
    ck_assert(!save_file("/dev/full", "new", 3, &fault));
    ck_assert_str_eq(fault.text, "/dev/full: No space left on device");
    ck_assert(!save_file("none/a", "new", 3, &fault));
    ck_assert_str_eq(fault.text, "none/a: No such file or directory");
    ck_assert(!save_file("folder", "new", 3, &fault));
    ck_assert_str_eq(fault.text, "folder: Is a directory");
    fault_clear(&fault);
}

/* A file that is already open is written in place. */
TEST(open_file)
{
    struct fault fault = {0};
    struct stat before, after;
    int file = open("file", O_RDWR);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(fstat(file, &before), 0);
    char *path = buf_format("/dev/fd/%d", file);
    ck_assert(save_file(path, "new", 3, &fault));
    ck_assert_int_eq(stat("file", &after), 0);
    ck_assert_uint_eq(before.st_ino, after.st_ino);
    expect("file", "new", 0640);
    close(file);
    free(path);
}
