/* SPDX-License-Identifier: GPL-3.0-or-later */

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
   effects; afterwards, since the path may meanwhile name another file.  */
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
   NUL, but a hole in a file is read as NULs and may have any size.  */
static bool should_read_more(const char *text, size_t size, size_t count,
                             const char *start)
{
    return count > 0 && (!start || (begins_with(text, size, start) &&
                                    !memchr(text + size - count, '\0', count)));
}

/* Returns the size of FILE that the kernel reports; 0 if it reports none.  */
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
   end of the file is recognized at once.  */
static size_t next_read_size(size_t expected, size_t size)
{
    size_t left = expected >= size ? expected - size + 1 : BLOCK;
    return !expected || (size == 0 && left > BLOCK) ? BLOCK : left;
}

/* Reads FILE to its end or up to MOST bytes. Stops early if it turns out not to be a
   text that begins with START.  */
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

/* Reads and closes FILE. FILE is NULL if it could not be opened.  */
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

/* Number of random names to try for a new file.  */
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

/* Writes the text to OUT, which was opened as PATH, and closes OUT.  */
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

/* Returns whether a file at PATH may be created or replaced. If the file exists, *OLD
   describes it; otherwise st_nlink of *OLD is 0.  */
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

/* Creates a new file in the folder of PATH and returns its descriptor. Sets *NAME to
   its path, freed by free. On failure returns -1 and sets errno.  */
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

/* Gives FILE the owner and the permissions of the file OLD, as far as this process
   may.  */
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

/* For zlib, the largest window plus 16 requests a gzip header.  */
#define WINDOW (MAX_WBITS + 16)
#define MEMORY 8

/* Maximum number of bytes per call, since zlib counts in 32 bits.  */
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
