/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Files under names that mlprof has made up replace nothing but regular files.  */

#define _GNU_SOURCE
#include "mlprof/base/save.h"
#include "testsuite/unit/tests.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/check-save-XXXXXX";

static void enter(void)
{
    memcpy(strrchr(folder, '-') + 1, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    umask(022);
}

static int count(void)
{
    DIR *files = opendir(".");
    int found = 0;
    ck_assert_ptr_nonnull(files);
    for (struct dirent *file; (file = readdir(files));)
        found += file->d_name[0] != '.' || strncmp(file->d_name, ".mlprof", 7) == 0;
    closedir(files);
    return found;
}

static void leave(void)
{
    char command[sizeof folder + 20];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(system(command), 0);
}
TEST_AROUND(enter, leave)

static void put(const char *path, const char *text, mode_t mode)
{
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
    ck_assert_int_eq(chmod(path, mode), 0);
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

static void refused(const char *path, const char *why)
{
    struct fault fault = {0};
    int before = count();
    ck_assert(!save_made_up(path, "new", 3, &fault));
    ck_assert_str_eq(fault.text, why);
    ck_assert_int_eq(fault.kind, FAULT_FILE);
    ck_assert_int_eq(count(), before);
    fault_clear(&fault);
}

static void saved(const char *path)
{
    struct fault fault = {0};
    ck_assert(save_made_up(path, "new", 3, &fault));
}

TEST(regular)
{
    char longest[256];
    saved("a");
    expect("a", "new", 0644);
    put("b", "longer than new", 0640);
    ck_assert_int_eq(link("b", "other"), 0);
    saved("./b");
    expect("b", "new", 0640);
    /* Another name of the old file keeps its content.  */
    expect("other", "longer than new", 0640);
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    saved(longest);
    umask(077);
    saved("c");
    expect("c", "new", 0600);
    ck_assert_int_eq(count(), 5);
}

TEST(links)
{
    put("file", "old", 0644);
    ck_assert_int_eq(symlink("file", "link"), 0);
    ck_assert_int_eq(symlink("nothing", "dangling"), 0);
    ck_assert_int_eq(symlink("/dev/full", "device"), 0);
    refused("link", "link: is a symbolic link, which is not followed");
    refused("./dangling", "./dangling: is a symbolic link, which is not followed");
    refused("device", "device: is a symbolic link, which is not followed");
    expect("file", "old", 0644);
    ck_assert_int_eq(access("nothing", F_OK), -1);
    /* A folder that the user has named may be a link.  */
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    ck_assert_int_eq(symlink("folder", "linked"), 0);
    saved("linked/file");
    expect("folder/file", "new", 0644);
}

TEST(others)
{
    ck_assert_int_eq(mkfifo("pipe", 0666), 0);
    refused("pipe", "pipe: is not a regular file");
    refused("/dev/null", "/dev/null: is not a regular file");
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    refused("folder", "folder: Is a directory");
    refused("none/a", "none/a: No such file or directory");
    put("file", "old", 0444);
    refused("file/a", "file/a: Not a directory");
    if (geteuid() == 0)
        return;
    refused("file", "file: Permission denied");
    ck_assert_int_eq(chmod("folder", 0555), 0);
    refused("folder/a", "folder/a: Permission denied");
}

TEST(named)
{
    struct fault fault = {0};
    put("file", "old", 0644);
    ck_assert_int_eq(symlink("file", "link"), 0);
    ck_assert(save_file("link", "new", 3, &fault));
    expect("file", "new", 0644);
    ck_assert(save_file("/dev/null", "new", 3, &fault));
    ck_assert(!save_file("/dev/full", "new", 3, &fault));
    ck_assert_str_eq(fault.text, "/dev/full: No space left on device");
    fault_clear(&fault);
}
