/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens regular files without touching devices, reads them whole, and writes a new file
   before it replaces the old one. Change the rules for output files (symbolic links,
   owner, permissions) here. */

#define _GNU_SOURCE
#include "mlprof/base/files.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static enum regular_state state_of(const struct stat *status)
{
    if (S_ISDIR(status->st_mode))
        return REGULAR_FOLDER;
    if (!S_ISREG(status->st_mode))
        return REGULAR_OTHER;
    return status->st_size > 0 ? REGULAR_IS : REGULAR_EMPTY;
}

/* Check the type of the file twice. Before opening, since opening a device may have
   effects; afterwards, since the path may meanwhile name another file. */
enum regular_state regular_open(const char *path, struct regular *file)
{
    struct stat status;
    if (stat(path, &status) < 0)
        return REGULAR_CANNOT;
    enum regular_state state = state_of(&status);
    if (state != REGULAR_IS)
        return state;
    file->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file->descriptor < 0)
        return REGULAR_CANNOT;
    state = fstat(file->descriptor, &status) < 0 ? REGULAR_CANNOT : state_of(&status);
    file->size = (uint64_t)status.st_size;
    if (state != REGULAR_IS) {
        int error = errno;
        close(file->descriptor);
        errno = error;
    }
    return state;
}

const char *regular_describe(enum regular_state state)
{
    switch (state) {
    case REGULAR_CANNOT:
        return strerror(errno);
    case REGULAR_EMPTY:
        return "empty";
    default:
        return "not a regular file";
    }
}

#define BLOCK 65536

static bool begins_with(const char *text, size_t size, const char *start)
{
    size_t length = strlen(start);
    return size < length || memcmp(text, start, length) == 0;
}

/* Returns whether to read more after SIZE bytes, of which the last COUNT bytes are
   new. If the file must begin with START, a NUL stops the reading. A text contains no
   NUL, but a hole in a file is read as NULs and may have any size. */
static bool should_read_more(const char *text, size_t size, size_t count,
                             const char *start)
{
    return count > 0 && (!start || (begins_with(text, size, start) &&
                                    !memchr(text + size - count, '\0', count)));
}

/* Returns the size of FILE that the kernel reports; 0 if it reports none. */
static size_t reported_size(FILE *file)
{
    struct stat status;
    return fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
                   status.st_size > 0
               ? (size_t)status.st_size
               : 0;
}

/* Returns how many bytes to read next after SIZE bytes. EXPECTED is the file's size,
   or 0 if the size is unknown. The result is one byte more than expected, so that the
   end of the file is recognized at once. */
static size_t next_read_size(size_t expected, size_t size)
{
    size_t left = expected >= size ? expected - size + 1 : BLOCK;
    return !expected || (size == 0 && left > BLOCK) ? BLOCK : left;
}

/* Reads FILE to its end or up to MOST bytes. Stops early if it turns out not to be a
   text that begins with START. */
static char *read_stream(FILE *file, const char *start, size_t most, size_t *size)
{
    char *text = NULL;
    size_t capacity = 0, expected = reported_size(file), count;
    *size = 0;
    do {
        size_t left = most - *size, next = next_read_size(expected, *size);
        next = next < left ? next : left;
        text = buf_grow(text, &capacity, *size + next + 1, 1);
        count = fread(text + *size, 1, next, file);
        *size += count;
    } while (*size < most && should_read_more(text, *size, count, start));
    text[*size] = '\0';
    return text;
}

static char *set_errno_fault(const char *path, struct fault *fault)
{
    fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
    return NULL;
}

/* Reads and closes FILE. FILE is NULL if it could not be opened. */
static char *read_file(FILE *file, const char *path, const char *start, size_t most,
                       size_t *size, struct fault *fault)
{
    if (!file)
        return set_errno_fault(path, fault);
    char *text = read_stream(file, start, most, size);
    if (ferror(file)) {
        free(text);
        text = set_errno_fault(path, fault);
    }
    fclose(file);
    return text;
}

char *content_read(const char *path, const char *start, size_t *size, struct fault *fault)
{
    return read_file(fopen(path, "re"), path, start, SIZE_MAX, size, fault);
}

char *content_read_regular(const struct regular *file, const char *path,
                           const char *start, size_t *size, struct fault *fault)
{
    size_t most = file->size < SIZE_MAX ? (size_t)file->size : SIZE_MAX;
    FILE *stream = fdopen(file->descriptor, "r");
    if (!stream)
        close(file->descriptor);
    return read_file(stream, path, start, most, size, fault);
}

char *content_read_found(const char *path, const char *start, size_t most, size_t *size,
                         struct fault *fault)
{
    struct regular file;
    enum regular_state state = regular_open(path, &file);
    if (state == REGULAR_CANNOT)
        return set_errno_fault(path, fault);
    if (state != REGULAR_IS) {
        fault_set(fault, FAULT_FORMAT, path, "%s", regular_describe(state));
        return NULL;
    }
    if (file.size > most)
        file.size = most;
    return content_read_regular(&file, path, start, size, fault);
}

/* Number of random names to try for a new file. */
#define NAMES_TRIED 100

bool save_is_output(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

/* The text for standard output that save_flush prints. */
static struct {
    char *text;
    size_t size, capacity;
} pending;

static void save_output(const char *text, size_t size)
{
    pending.text = buf_grow(pending.text, &pending.capacity, pending.size + size + 1, 1);
    memcpy(pending.text + pending.size, text, size);
    pending.size += size;
}

bool save_flush(struct fault *fault)
{
    bool good = (!pending.size || fwrite(pending.text, pending.size, 1, stdout) == 1) &&
                fflush(stdout) == 0;
    save_forget();
    return good || fault_set(fault, FAULT_FILE, "standard output", "%s", strerror(errno));
}

void save_forget(void)
{
    free(pending.text);
    pending.text = NULL;
    pending.size = pending.capacity = 0;
}

/* Writes TEXT to FILE, which stays open. On failure returns false and sets errno. */
static bool write_text(int file, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t count = write(file, text, size);
        if (count < 0 && errno != EINTR)
            return false;
        if (count > 0) {
            text += count;
            size -= (size_t)count;
        }
    }
    return true;
}

/* Returns whether a file at PATH may be created or replaced. If the file exists, *OLD
   describes it; otherwise st_nlink of *OLD is 0. */
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

/* Returns the length of the folder in PATH, with the slash at its end; 0 if PATH has no
   folder. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash + 1 - path) : 0;
}

/* Returns a random name for a file in the folder of PATH, freed by the caller. */
static char *random_name(const char *path)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        return NULL;
    return buf_format("%.*s.mlprof-%016" PRIx64, folder_length(path), path, number);
}

/* Creates a new file in the folder of PATH and returns its descriptor. If possible, the
   file has no name yet, so that nothing stays if mlprof is killed; then *NAME is NULL.
   Otherwise sets *NAME to its path, freed by free. On failure returns -1 and sets
   errno. */
static int open_new(const char *path, char **name)
{
    BUF_OWN char *folder = buf_format("%.*s.", folder_length(path), path);
    int file = access("/proc/self/fd", X_OK) == 0
                   ? open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666)
                   : -1;
    *name = NULL;
    for (int i = 0; file < 0 && i < NAMES_TRIED; i++) {
        free(*name);
        *name = random_name(path);
        file = *name ? open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                            0666)
                     : -1;
        if (file < 0 && (!*name || errno != EEXIST))
            break;
    }
    return file;
}

/* Gives FILE, which has no name yet, a random name in the folder of PATH. Returns the
   name, freed by free; NULL on failure, with errno set. */
static char *name_new(int file, const char *path)
{
    BUF_OWN char *now = buf_format("/proc/self/fd/%d", file);
    for (int i = 0; i < NAMES_TRIED; i++) {
        char *name = random_name(path);
        if (name && linkat(AT_FDCWD, now, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0)
            return name;
        int error = errno;
        free(name);
        errno = error;
        if (!name || error != EEXIST)
            break;
    }
    return NULL;
}

/* Gives FILE the owner and the permissions of the file OLD, as far as this process
   may. */
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
    bool good = file >= 0 && keep_owner(file, &old) && write_text(file, text, size) &&
                (name || (name = name_new(file, path)));
    int error = errno;
    if (file >= 0 && close(file) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && rename(name, path) != 0) {
        good = false;
        error = errno;
    }
    if (!good && name && file >= 0)
        unlink(name);
    free(name);
    return good || fault_set(fault, FAULT_FILE, path, "%s", strerror(error));
}

/* Maximum number of symbolic links to follow, as in the kernel. */
#define LINKS_MOST 40

/* Returns the path of the file that PATH names after all symbolic links, which need not
   exist; freed by free. Returns NULL if the file cannot be replaced by another one: it
   is no regular file, or a name of an open file, such as /dev/stdout. */
static char *replaceable(const char *path)
{
    struct stat status, kernels;
    char *target = buf_copy(path), text[4096];
    ssize_t length;
    if (stat("/proc/self/fd", &kernels) != 0)
        kernels.st_dev = 0;
    for (int i = 0; i < LINKS_MOST && lstat(target, &status) == 0; i++) {
        if (S_ISREG(status.st_mode))
            return target;
        if (!S_ISLNK(status.st_mode) || status.st_dev == kernels.st_dev ||
            (length = readlink(target, text, sizeof text)) < 0 || length == sizeof text)
            break;
        char *next = *text == '/' ? buf_format("%.*s", (int)length, text)
                                  : buf_format("%.*s%.*s", folder_length(target), target,
                                               (int)length, text);
        free(target);
        target = next;
    }
    if (lstat(target, &status) != 0 && errno == ENOENT)
        return target;
    free(target);
    return NULL;
}

/* Returns whether no new file can be created beside the file at PATH, which may be
   written. */
static bool folder_is_closed(const char *path)
{
    BUF_OWN char *folder = buf_format("%.*s.", folder_length(path), path);
    return access(path, W_OK) == 0 && access(folder, W_OK | X_OK) != 0;
}

bool save_file(const char *path, const char *text, size_t size, struct fault *fault)
{
    if (save_is_output(path)) {
        save_output(text, size);
        return true;
    }
    BUF_OWN char *target = replaceable(path);
    if (target && !folder_is_closed(target))
        return save_made_up(target, text, size, fault);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = file >= 0 && write_text(file, text, size);
    int error = errno;
    if (file >= 0 && close(file) != 0 && good) {
        good = false;
        error = errno;
    }
    return good || fault_set(fault, FAULT_FILE, path, "%s", strerror(error));
}

/* For zlib, the largest window plus 16 requests a gzip header. */
#define WINDOW (MAX_WBITS + 16)
#define MEMORY 8

/* Maximum number of bytes per call, since zlib counts in 32 bits. */
#define CHUNK ((size_t)1 << 30)

bool gzip_is_wanted(const char *path)
{
    return text_ends(path, ".gz");
}

char *gzip_compress(const char *text, size_t size, size_t *length)
{
    z_stream stream = {.next_in = (Bytef *)text};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        buf_no_memory();
    char *result = NULL;
    size_t capacity = 0;
    int status = Z_OK;
    *length = 0;
    while (status != Z_STREAM_END) {
        result = buf_grow(result, &capacity, *length + BUFSIZ, 1);
        size_t done = (size_t)(stream.next_in - (const Bytef *)text);
        size_t left = size - done, room = capacity - *length;
        stream.avail_in = (uInt)(left < CHUNK ? left : CHUNK);
        stream.next_out = (Bytef *)result + *length;
        stream.avail_out = (uInt)(room < CHUNK ? room : CHUNK);
        status = deflate(&stream, left <= CHUNK ? Z_FINISH : Z_NO_FLUSH);
        *length = (size_t)(stream.next_out - (Bytef *)result);
    }
    deflateEnd(&stream);
    return result;
}
