/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "mlprof/base/save.h"
#include "mlprof/base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* So many random names are tried for a new file.  */
#define NAMES_TRIED 100

bool save_is_output(const char *path)
{
    return strcmp(path, "-") == 0;
}

static bool save_output(const char *text, size_t size, struct fault *fault)
{
    if (fwrite(text, 1, size, stdout) == size && fflush(stdout) == 0)
        return true;
    return fault_set(fault, FAULT_FILE, "standard output", "%s", strerror(errno));
}

/* Writes the text to OUT, which is closed, and opened as PATH.  */
static bool write_text(FILE *out, const char *path, const char *text, size_t size,
                       struct fault *fault)
{
    bool good = fwrite(text, 1, size, out) == size && fflush(out) == 0;
    int error = errno;
    if (fclose(out) == 0 && good)
        return true;
    return fault_set(fault, FAULT_FILE, path, "%s", strerror(good ? errno : error));
}

bool save_file(const char *path, const char *text, size_t size, struct fault *fault)
{
    if (save_is_output(path))
        return save_output(text, size, fault);
    FILE *out = fopen(path, "we");
    if (!out)
        return fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
    return write_text(out, path, text, size, fault);
}

/* Whether a file at PATH may be made or replaced.  If there is one, *OLD describes it;
   otherwise its st_nlink is 0.  */
static bool may_replace(const char *path, struct stat *old, struct fault *fault)
{
    *old = (struct stat){0};
    if (lstat(path, old) != 0)
        return errno == ENOENT ||
               fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
    if (S_ISLNK(old->st_mode))
        return fault_set(fault, FAULT_FILE, path,
                         "is a symbolic link, which is not followed");
    if (S_ISDIR(old->st_mode))
        return fault_set(fault, FAULT_FILE, path, "%s", strerror(EISDIR));
    if (!S_ISREG(old->st_mode))
        return fault_set(fault, FAULT_FILE, path, "is not a regular file");
    return access(path, W_OK) == 0 ||
           fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
}

/* Opens a new file in the folder of PATH.  *NAME gets its path, to be freed.  -1 and
   errno if there is none.  */
static int open_new(const char *path, char **name)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    *name = NULL;
    for (int i = 0; i < NAMES_TRIED; i++) {
        uint64_t number = 0;
        free(*name);
        *name = NULL;
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            return -1;
        *name = buf_format("%.*s.mlprof-%016" PRIx64, folder, path, number);
        int file =
            open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* Gives FILE the owner and the permissions of the file OLD, as far as allowed.  */
static bool keep_owner(int file, const struct stat *old)
{
    struct stat now;
    if (!old->st_nlink || fstat(file, &now) != 0)
        return !old->st_nlink;
    if ((now.st_uid != old->st_uid || now.st_gid != old->st_gid) &&
        fchown(file, old->st_uid, old->st_gid) != 0 &&
        fchown(file, (uid_t)-1, old->st_gid) != 0)
        errno = 0;
    return fchmod(file, old->st_mode & 0777) == 0;
}

bool save_made_up(const char *path, const char *text, size_t size, struct fault *fault)
{
    struct stat old;
    if (!may_replace(path, &old, fault))
        return false;
    char *name;
    int file = open_new(path, &name);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    bool good = out && keep_owner(file, &old);
    if (!good)
        fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
    if (out && good)
        good = write_text(out, path, text, size, fault);
    else if (out)
        fclose(out);
    if (good && rename(name, path) != 0)
        good = fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
    if (!good && file >= 0)
        unlink(name);
    free(name);
    return good;
}
