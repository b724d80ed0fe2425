/* SPDX-License-Identifier: MIT */
/* The replacements of libc's functions that wait for files, pipes, sockets and devices
   (wait-calls.h). Owns nothing. What a descriptor is, and so the reason, is found out
   only if the wait was long. */

#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "rt/entry/wait-calls.h"

/* What programs call with _FORTIFY_SOURCE. */
ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t size, off64_t at, size_t room);
ssize_t __recv_chk(int fd, void *to, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *to, size_t size, size_t room, int flags,
                       struct sockaddr *peer, socklen_t *peer_size);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);
size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *file);
size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t count, FILE *file);
char *__fgets_chk(char *to, size_t room, int size, FILE *file);
char *__fgets_unlocked_chk(char *to, size_t room, int size, FILE *file);
ssize_t __getdelim(char **line, size_t *size, int end, FILE *file);

typedef const struct iovec *pieces;
typedef struct sockaddr *address;

/* Arguments: a descriptor, and others. */
#define A1 (fd)
#define A2 (fd, a)
#define A3 (fd, a, b)
#define A4 (fd, a, b, c)
#define A5 (fd, a, b, c, d)
#define A6 (fd, a, b, c, d, e)
#define A7 (fd, a, b, c, d, e, f)

/* Functions that wait for the descriptor FD: result, name, parameters, arguments, reason,
   and whether they write to a socket. */
#define FILES(DO)                                                                        \
    DO(ssize_t, read, (int fd, void *a, size_t b), A3, FILE, false)                      \
    DO(ssize_t, __read_chk, (int fd, void *a, size_t b, size_t c), A4, FILE, false)      \
    DO(ssize_t, pread, (int fd, void *a, size_t b, off_t c), A4, FILE, false)            \
    DO(ssize_t, pread64, (int fd, void *a, size_t b, off64_t c), A4, FILE, false)        \
    DO(ssize_t, __pread_chk, (int fd, void *a, size_t b, off_t c, size_t d), A5, FILE,   \
       false)                                                                            \
    DO(ssize_t, __pread64_chk, (int fd, void *a, size_t b, off64_t c, size_t d), A5,     \
       FILE, false)                                                                      \
    DO(ssize_t, readv, (int fd, pieces a, int b), A3, FILE, false)                       \
    DO(ssize_t, preadv, (int fd, pieces a, int b, off_t c), A4, FILE, false)             \
    DO(ssize_t, preadv64, (int fd, pieces a, int b, off64_t c), A4, FILE, false)         \
    DO(ssize_t, preadv2, (int fd, pieces a, int b, off_t c, int d), A5, FILE, false)     \
    DO(ssize_t, preadv64v2, (int fd, pieces a, int b, off64_t c, int d), A5, FILE,       \
       false)                                                                            \
    DO(ssize_t, write, (int fd, const void *a, size_t b), A3, FILE, true)                \
    DO(ssize_t, pwrite, (int fd, const void *a, size_t b, off_t c), A4, FILE, true)      \
    DO(ssize_t, pwrite64, (int fd, const void *a, size_t b, off64_t c), A4, FILE, true)  \
    DO(ssize_t, writev, (int fd, pieces a, int b), A3, FILE, true)                       \
    DO(ssize_t, pwritev, (int fd, pieces a, int b, off_t c), A4, FILE, true)             \
    DO(ssize_t, pwritev64, (int fd, pieces a, int b, off64_t c), A4, FILE, true)         \
    DO(ssize_t, pwritev2, (int fd, pieces a, int b, off_t c, int d), A5, FILE, true)     \
    DO(ssize_t, pwritev64v2, (int fd, pieces a, int b, off64_t c, int d), A5, FILE,      \
       true)                                                                             \
    DO(ssize_t, recv, (int fd, void *a, size_t b, int c), A4, RECEIVE, false)            \
    DO(ssize_t, __recv_chk, (int fd, void *a, size_t b, size_t c, int d), A5, RECEIVE,   \
       false)                                                                            \
    DO(ssize_t, recvfrom, (int fd, void *a, size_t b, int c, address d, socklen_t *e),   \
       A6, RECEIVE, false)                                                               \
    DO(ssize_t, __recvfrom_chk,                                                          \
       (int fd, void *a, size_t b, size_t c, int d, address e, socklen_t *f), A7,        \
       RECEIVE, false)                                                                   \
    DO(ssize_t, recvmsg, (int fd, struct msghdr *a, int b), A3, RECEIVE, false)          \
    DO(int, recvmmsg,                                                                    \
       (int fd, struct mmsghdr *a, unsigned b, int c, struct timespec *d), A5, RECEIVE,  \
       false)                                                                            \
    DO(ssize_t, send, (int fd, const void *a, size_t b, int c), A4, SEND, true)          \
    DO(ssize_t, sendto,                                                                  \
       (int fd, const void *a, size_t b, int c, const struct sockaddr *d, socklen_t e),  \
       A6, SEND, true)                                                                   \
    DO(ssize_t, sendmsg, (int fd, const struct msghdr *a, int b), A3, SEND, true)        \
    DO(int, sendmmsg, (int fd, struct mmsghdr *a, unsigned b, int c), A4, SEND, true)    \
    DO(int, accept, (int fd, address a, socklen_t *b), A3, ACCEPT, false)                \
    DO(int, accept4, (int fd, address a, socklen_t *b, int c), A4, ACCEPT, false)        \
    DO(int, connect, (int fd, const struct sockaddr *a, socklen_t b), A3, CONNECT, true) \
    DO(ssize_t, sendfile, (int fd, int a, off_t *b, size_t c), A4, SEND, true)           \
    DO(ssize_t, sendfile64, (int fd, int a, off64_t *b, size_t c), A4, SEND, true)       \
    DO(ssize_t, splice, (int fd, off64_t *a, int b, off64_t *c, size_t d, unsigned e),   \
       A6, PIPE, false)                                                                  \
    DO(ssize_t, tee, (int fd, int a, size_t b, unsigned c), A4, PIPE, false)             \
    DO(ssize_t, vmsplice, (int fd, pieces a, size_t b, unsigned c), A4, PIPE, true)      \
    DO(ssize_t, copy_file_range,                                                         \
       (int fd, off64_t *a, int b, off64_t *c, size_t d, unsigned e), A6, FILE, false)   \
    DO(int, fsync, (int fd), A1, SYNC, true)                                             \
    DO(int, fdatasync, (int fd), A1, SYNC, true)                                         \
    DO(int, syncfs, (int fd), A1, SYNC, true)                                            \
    DO(int, sync_file_range, (int fd, off64_t a, off64_t b, unsigned c), A4, SYNC, true) \
    DO(int, flock, (int fd, int a), A2, FILELOCK, true)                                  \
    DO(int, lockf, (int fd, int a, off_t b), A3, FILELOCK, true)                         \
    DO(int, lockf64, (int fd, int a, off64_t b), A3, FILELOCK, true)

#define RECORD(type, function, parameters, call, why, what, fd, sends)                   \
    CCPROF_WAIT_RECORD(type, function, parameters, call, why, what,                      \
                       ccprof_wait_set_kind(&record, fd, sends), false)
#define FILE_CALL(type, name, parameters, arguments, why, sends)                         \
    RECORD(type, wait_##name, parameters, CCPROF_WAIT_LIBC(name) arguments, why,         \
           CCPROF_WAIT_FD(fd), fd, sends)

/* fcntl has at most one more argument, which libc reads as a pointer, too. */
#define FCNTL(DO)                                                                        \
    DO(int, fcntl)                                                                       \
    DO(int, fcntl64)

#define FCNTL_CALL(type, name)                                                           \
    RECORD(int, locking_##name, (int fd, int command, void *argument),                   \
           CCPROF_WAIT_LIBC(name)(fd, command, argument), FILELOCK, 0, fd, true)         \
    static int wait_##name(int fd, int command, ...)                                     \
    {                                                                                    \
        va_list list;                                                                    \
        va_start(list, command);                                                         \
        void *argument = va_arg(list, void *);                                           \
        va_end(list);                                                                    \
        if (command == F_SETLKW || command == F_OFD_SETLKW)                              \
            return locking_##name(fd, command, argument);                                \
        return CCPROF_WAIT_LIBC(name)(fd, command, argument);                            \
    }

/* Functions that open a file. Opening a pipe waits for its other end. REST: how the mode
   is read, which is there only if the file may be made. */
#define OPENS(DO)                                                                        \
    DO(int, open, (const char *path, int flags, ...), (path, flags, mode), MODE)         \
    DO(int, open64, (const char *path, int flags, ...), (path, flags, mode), MODE)       \
    DO(int, openat, (int folder, const char *path, int flags, ...),                      \
       (folder, path, flags, mode), MODE)                                                \
    DO(int, openat64, (int folder, const char *path, int flags, ...),                    \
       (folder, path, flags, mode), MODE)                                                \
    DO(int, __open_2, (const char *path, int flags), (path, flags), )                    \
    DO(int, __open64_2, (const char *path, int flags), (path, flags), )                  \
    DO(int, __openat_2, (int folder, const char *path, int flags),                       \
       (folder, path, flags), )                                                          \
    DO(int, __openat64_2, (int folder, const char *path, int flags),                     \
       (folder, path, flags), )

#define MODE                                                                             \
    va_list list;                                                                        \
    mode_t mode = 0;                                                                     \
    va_start(list, flags);                                                               \
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE)                           \
        mode = va_arg(list, mode_t);                                                     \
    va_end(list);

#define OPEN(type, name, parameters, arguments, rest)                                    \
    RECORD(int, wait_##name, parameters, ({ rest CCPROF_WAIT_LIBC(name) arguments; }),   \
           PIPE, 0, result, false)

/* A call for a line that finds this many bytes, or this much room, in the buffer of the
   stream does not wait, unless the line is longer. Most calls are so not timed. */
#define STDIO_LINE 512

/* The buffer of a stream, read without the stream's lock: it is only a guess. */
static inline size_t stdio_left(const char *from, const char *to)
{
    return to > from ? (size_t)(to - from) : 0;
}

static inline bool stdio_has(const FILE *file, size_t bytes)
{
    return stdio_left(file->_IO_read_ptr, file->_IO_read_end) >= bytes;
}

static inline bool stdio_has_room(const FILE *file, size_t bytes)
{
    return stdio_left(file->_IO_write_ptr, file->_IO_write_end) >= bytes;
}

static inline int stdio_fd(const FILE *file)
{
    return file ? file->_fileno : -1;
}

static inline size_t stdio_product(size_t size, size_t count)
{
    size_t bytes;

    return __builtin_mul_overflow(size, count, &bytes) ? SIZE_MAX : bytes;
}

static inline size_t stdio_least(int size)
{
    return size > STDIO_LINE ? STDIO_LINE : size > 0 ? (size_t)size : 0;
}

/* Functions for the stream FILE: result, name, parameters, arguments, whether they need
   no system call as far as the buffer tells, and whether they write. */
#define HAS_ITEMS  stdio_has(file, stdio_product(b, c))
#define HAS_LINE   stdio_has(file, STDIO_LINE)
#define HAS_PART   stdio_has(file, stdio_least(b))
#define ROOM_ITEMS stdio_has_room(file, stdio_product(b, c) + 1)
#define ROOM_LINE  stdio_has_room(file, STDIO_LINE)
#define STREAMS(DO)                                                                      \
    DO(size_t, fread, (void *a, size_t b, size_t c, FILE *file), (a, b, c, file),        \
       HAS_ITEMS, false)                                                                 \
    DO(size_t, fread_unlocked, (void *a, size_t b, size_t c, FILE *file),                \
       (a, b, c, file), HAS_ITEMS, false)                                                \
    DO(size_t, __fread_chk, (void *a, size_t room, size_t b, size_t c, FILE *file),      \
       (a, room, b, c, file), HAS_ITEMS, false)                                          \
    DO(size_t, __fread_unlocked_chk,                                                     \
       (void *a, size_t room, size_t b, size_t c, FILE *file), (a, room, b, c, file),    \
       HAS_ITEMS, false)                                                                 \
    DO(char *, fgets, (char *a, int b, FILE *file), (a, b, file), HAS_PART, false)       \
    DO(char *, fgets_unlocked, (char *a, int b, FILE *file), (a, b, file), HAS_PART,     \
       false)                                                                            \
    DO(char *, __fgets_chk, (char *a, size_t room, int b, FILE *file),                   \
       (a, room, b, file), HAS_PART, false)                                              \
    DO(char *, __fgets_unlocked_chk, (char *a, size_t room, int b, FILE *file),          \
       (a, room, b, file), HAS_PART, false)                                              \
    DO(ssize_t, getline, (char **a, size_t *b, FILE *file), (a, b, file), HAS_LINE,      \
       false)                                                                            \
    DO(ssize_t, getdelim, (char **a, size_t *b, int c, FILE *file), (a, b, c, file),     \
       HAS_LINE, false)                                                                  \
    DO(ssize_t, __getdelim, (char **a, size_t *b, int c, FILE *file), (a, b, c, file),   \
       HAS_LINE, false)                                                                  \
    DO(int, fgetc, (FILE * file), (file), stdio_has(file, 1), false)                     \
    DO(int, getc, (FILE * file), (file), stdio_has(file, 1), false)                      \
    DO(int, __uflow, (FILE * file), (file), false, false)                                \
    DO(size_t, fwrite, (const void *a, size_t b, size_t c, FILE *file), (a, b, c, file), \
       ROOM_ITEMS, true)                                                                 \
    DO(size_t, fwrite_unlocked, (const void *a, size_t b, size_t c, FILE *file),         \
       (a, b, c, file), ROOM_ITEMS, true)                                                \
    DO(int, fputs, (const char *a, FILE *file), (a, file), ROOM_LINE, true)              \
    DO(int, fputs_unlocked, (const char *a, FILE *file), (a, file), ROOM_LINE, true)     \
    DO(int, fputc, (int a, FILE *file), (a, file), stdio_has_room(file, 1), true)        \
    DO(int, putc, (int a, FILE *file), (a, file), stdio_has_room(file, 1), true)         \
    DO(int, __overflow, (FILE * file, int a), (file, a), false, true)                    \
    DO(int, fflush, (FILE * file), (file), false, true)                                  \
    DO(int, fflush_unlocked, (FILE * file), (file), false, true)

/* The same for stdout. */
#define OUTPUTS(DO)                                                                      \
    DO(int, puts, (const char *a), (a), stdio_has_room(stdout, STDIO_LINE), true)        \
    DO(int, putchar, (int a), (a), stdio_has_room(stdout, 1), true)

#define STREAM_OF(stream, type, name, parameters, arguments, is_buffered, sends)         \
    RECORD(type, slow_##name, parameters, CCPROF_WAIT_LIBC(name) arguments, FILE,        \
           CCPROF_WAIT_FD(stdio_fd(stream)), stdio_fd(stream), sends)                    \
    static type wait_##name parameters                                                   \
    {                                                                                    \
        return is_buffered ? CCPROF_WAIT_LIBC(name) arguments : slow_##name arguments;   \
    }
#define STREAM(...) STREAM_OF(file, __VA_ARGS__)
#define OUTPUT(...) STREAM_OF(stdout, __VA_ARGS__)

#define ALL(DO) FILES(DO) FCNTL(DO) OPENS(DO) STREAMS(DO) OUTPUTS(DO)
ALL(CCPROF_WAIT_POINTER)
FILES(FILE_CALL)
FCNTL(FCNTL_CALL)
OPENS(OPEN)
STREAMS(STREAM)
OUTPUTS(OUTPUT)

void ccprof_wait_files_start(void)
{
    ALL(CCPROF_WAIT_SET);
}

ccprof_hooks_function ccprof_wait_files_find(const char *wanted)
{
    ALL(CCPROF_WAIT_FIND)
    return NULL;
}
