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
#include <sys/mman.h>
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

/* Functions that wait for the descriptor FD: result, name, parameters, arguments, reason,
   and whether they write to a socket. */
#define FILES(DO)                                                                        \
    DO(ssize_t, read, (int fd, void *a, size_t b), (fd, a, b), FILE, false)              \
    DO(ssize_t, __read_chk, (int fd, void *a, size_t b, size_t c), (fd, a, b, c), FILE,  \
       false)                                                                            \
    DO(ssize_t, pread, (int fd, void *a, size_t b, off_t c), (fd, a, b, c), FILE, false) \
    DO(ssize_t, pread64, (int fd, void *a, size_t b, off64_t c), (fd, a, b, c), FILE,    \
       false)                                                                            \
    DO(ssize_t, __pread_chk, (int fd, void *a, size_t b, off_t c, size_t d),             \
       (fd, a, b, c, d), FILE, false)                                                    \
    DO(ssize_t, __pread64_chk, (int fd, void *a, size_t b, off64_t c, size_t d),         \
       (fd, a, b, c, d), FILE, false)                                                    \
    DO(ssize_t, readv, (int fd, pieces a, int b), (fd, a, b), FILE, false)               \
    DO(ssize_t, preadv, (int fd, pieces a, int b, off_t c), (fd, a, b, c), FILE, false)  \
    DO(ssize_t, preadv64, (int fd, pieces a, int b, off64_t c), (fd, a, b, c), FILE,     \
       false)                                                                            \
    DO(ssize_t, preadv2, (int fd, pieces a, int b, off_t c, int d), (fd, a, b, c, d),    \
       FILE, false)                                                                      \
    DO(ssize_t, preadv64v2, (int fd, pieces a, int b, off64_t c, int d),                 \
       (fd, a, b, c, d), FILE, false)                                                    \
    DO(ssize_t, write, (int fd, const void *a, size_t b), (fd, a, b), FILE, true)        \
    DO(ssize_t, pwrite, (int fd, const void *a, size_t b, off_t c), (fd, a, b, c), FILE, \
       true)                                                                             \
    DO(ssize_t, pwrite64, (int fd, const void *a, size_t b, off64_t c), (fd, a, b, c),   \
       FILE, true)                                                                       \
    DO(ssize_t, writev, (int fd, pieces a, int b), (fd, a, b), FILE, true)               \
    DO(ssize_t, pwritev, (int fd, pieces a, int b, off_t c), (fd, a, b, c), FILE, true)  \
    DO(ssize_t, pwritev64, (int fd, pieces a, int b, off64_t c), (fd, a, b, c), FILE,    \
       true)                                                                             \
    DO(ssize_t, pwritev2, (int fd, pieces a, int b, off_t c, int d), (fd, a, b, c, d),   \
       FILE, true)                                                                       \
    DO(ssize_t, pwritev64v2, (int fd, pieces a, int b, off64_t c, int d),                \
       (fd, a, b, c, d), FILE, true)                                                     \
    DO(ssize_t, recv, (int fd, void *a, size_t b, int c), (fd, a, b, c), RECEIVE, false) \
    DO(ssize_t, __recv_chk, (int fd, void *a, size_t b, size_t c, int d),                \
       (fd, a, b, c, d), RECEIVE, false)                                                 \
    DO(ssize_t, recvfrom, (int fd, void *a, size_t b, int c, address d, socklen_t *e),   \
       (fd, a, b, c, d, e), RECEIVE, false)                                              \
    DO(ssize_t, __recvfrom_chk,                                                          \
       (int fd, void *a, size_t b, size_t c, int d, address e, socklen_t *f),            \
       (fd, a, b, c, d, e, f), RECEIVE, false)                                           \
    DO(ssize_t, recvmsg, (int fd, struct msghdr *a, int b), (fd, a, b), RECEIVE, false)  \
    DO(int, recvmmsg,                                                                    \
       (int fd, struct mmsghdr *a, unsigned b, int c, struct timespec *d),               \
       (fd, a, b, c, d), RECEIVE, false)                                                 \
    DO(ssize_t, send, (int fd, const void *a, size_t b, int c), (fd, a, b, c), SEND,     \
       true)                                                                             \
    DO(ssize_t, sendto,                                                                  \
       (int fd, const void *a, size_t b, int c, const struct sockaddr *d, socklen_t e),  \
       (fd, a, b, c, d, e), SEND, true)                                                  \
    DO(ssize_t, sendmsg, (int fd, const struct msghdr *a, int b), (fd, a, b), SEND,      \
       true)                                                                             \
    DO(int, sendmmsg, (int fd, struct mmsghdr *a, unsigned b, int c), (fd, a, b, c),     \
       SEND, true)                                                                       \
    DO(int, accept, (int fd, address a, socklen_t *b), (fd, a, b), ACCEPT, false)        \
    DO(int, accept4, (int fd, address a, socklen_t *b, int c), (fd, a, b, c), ACCEPT,    \
       false)                                                                            \
    DO(int, connect, (int fd, const struct sockaddr *a, socklen_t b), (fd, a, b),        \
       CONNECT, true)                                                                    \
    DO(ssize_t, sendfile, (int fd, int a, off_t *b, size_t c), (fd, a, b, c), SEND,      \
       true)                                                                             \
    DO(ssize_t, sendfile64, (int fd, int a, off64_t *b, size_t c), (fd, a, b, c), SEND,  \
       true)                                                                             \
    DO(ssize_t, splice, (int fd, off64_t *a, int b, off64_t *c, size_t d, unsigned e),   \
       (fd, a, b, c, d, e), PIPE, false)                                                 \
    DO(ssize_t, tee, (int fd, int a, size_t b, unsigned c), (fd, a, b, c), PIPE, false)  \
    DO(ssize_t, vmsplice, (int fd, pieces a, size_t b, unsigned c), (fd, a, b, c), PIPE, \
       true)                                                                             \
    DO(ssize_t, copy_file_range,                                                         \
       (int fd, off64_t *a, int b, off64_t *c, size_t d, unsigned e),                    \
       (fd, a, b, c, d, e), FILE, false)                                                 \
    DO(int, fsync, (int fd), (fd), SYNC, true)                                           \
    DO(int, fdatasync, (int fd), (fd), SYNC, true)                                       \
    DO(int, syncfs, (int fd), (fd), SYNC, true)                                          \
    DO(int, sync_file_range, (int fd, off64_t a, off64_t b, unsigned c), (fd, a, b, c),  \
       SYNC, true)                                                                       \
    DO(int, flock, (int fd, int a), (fd, a), FILELOCK, true)                             \
    DO(int, lockf, (int fd, int a, off_t b), (fd, a, b), FILELOCK, true)                 \
    DO(int, lockf64, (int fd, int a, off64_t b), (fd, a, b), FILELOCK, true)

#define FILE_CALL(type, name, parameters, arguments, why, sends)                         \
    static type wait_##name parameters                                                   \
    {                                                                                    \
        struct ccprof_wait wait;                                                         \
        CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_##why, CCPROF_WAIT_FD(fd));                 \
        type result = name arguments;                                                    \
        ccprof_wait_set_kind(&wait, fd, sends);                                          \
        ccprof_wait_end(&wait, false);                                                   \
        return result;                                                                   \
    }
FILES(FILE_CALL)

/* Functions that have no descriptor, or none afterwards. */
#define NAMELESS(DO)                                                                     \
    DO(int, msync, (void *a, size_t b, int c), (a, b, c), SYNC)                          \
    DO(int, fclose, (FILE * a), (a), FILE)

#define NAMELESS_CALL(type, name, parameters, arguments, why)                            \
    static type wait_##name parameters                                                   \
    {                                                                                    \
        struct ccprof_wait wait;                                                         \
        CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_##why, 0);                                  \
        type result = name arguments;                                                    \
        ccprof_wait_end(&wait, false);                                                   \
        return result;                                                                   \
    }
NAMELESS(NAMELESS_CALL)

/* fcntl has at most one more argument, which libc reads as a pointer, too. */
#define FCNTL(DO)                                                                        \
    DO(int, fcntl)                                                                       \
    DO(int, fcntl64)

#define FCNTL_CALL(type, name)                                                           \
    static __attribute__((noinline)) int locking_##name(int fd, int command,             \
                                                        void *argument)                  \
    {                                                                                    \
        struct ccprof_wait wait;                                                         \
        CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_FILELOCK, 0);                               \
        int result = name(fd, command, argument);                                        \
        ccprof_wait_set_kind(&wait, fd, true);                                           \
        ccprof_wait_end(&wait, false);                                                   \
        return result;                                                                   \
    }                                                                                    \
    static int wait_##name(int fd, int command, ...)                                     \
    {                                                                                    \
        va_list list;                                                                    \
        va_start(list, command);                                                         \
        void *argument = va_arg(list, void *);                                           \
        va_end(list);                                                                    \
        if (command == F_SETLKW || command == F_OFD_SETLKW)                              \
            return locking_##name(fd, command, argument);                                \
        return name(fd, command, argument);                                              \
    }
FCNTL(FCNTL_CALL)

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
    static int wait_##name parameters                                                    \
    {                                                                                    \
        struct ccprof_wait wait;                                                         \
        rest;                                                                            \
        CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_PIPE, 0);                                   \
        int result = name arguments;                                                     \
        ccprof_wait_set_kind(&wait, result, false);                                      \
        ccprof_wait_end(&wait, false);                                                   \
        return result;                                                                   \
    }
OPENS(OPEN)

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
    DO(char *, fgets, (char *a, int b, FILE *file), (a, b, file),                        \
       stdio_has(file, stdio_least(b)), false)                                           \
    DO(char *, fgets_unlocked, (char *a, int b, FILE *file), (a, b, file),               \
       stdio_has(file, stdio_least(b)), false)                                           \
    DO(char *, __fgets_chk, (char *a, size_t room, int b, FILE *file),                   \
       (a, room, b, file), stdio_has(file, stdio_least(b)), false)                       \
    DO(char *, __fgets_unlocked_chk, (char *a, size_t room, int b, FILE *file),          \
       (a, room, b, file), stdio_has(file, stdio_least(b)), false)                       \
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

#define STREAM(type, name, parameters, arguments, is_buffered, sends)                    \
    static __attribute__((noinline)) type slow_##name parameters                         \
    {                                                                                    \
        struct ccprof_wait wait;                                                         \
        const int fd = file ? file->_fileno : -1;                                        \
        CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_FILE, CCPROF_WAIT_FD(fd));                  \
        type result = name arguments;                                                    \
        ccprof_wait_set_kind(&wait, fd, sends);                                          \
        ccprof_wait_end(&wait, false);                                                   \
        return result;                                                                   \
    }                                                                                    \
    static type wait_##name parameters                                                   \
    {                                                                                    \
        return is_buffered ? name arguments : slow_##name arguments;                     \
    }
STREAMS(STREAM)

/* The same for stdout. */
#define OUTPUTS(DO)                                                                      \
    DO(int, puts, (const char *a), (a), STDIO_LINE)                                      \
    DO(int, putchar, (int a), (a), 1)

#define OUTPUT(type, name, parameters, arguments, room)                                  \
    static __attribute__((noinline)) type slow_##name parameters                         \
    {                                                                                    \
        struct ccprof_wait wait;                                                         \
        CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_FILE, CCPROF_WAIT_FD(STDOUT_FILENO));       \
        type result = name arguments;                                                    \
        ccprof_wait_set_kind(&wait, stdout->_fileno, true);                              \
        ccprof_wait_end(&wait, false);                                                   \
        return result;                                                                   \
    }                                                                                    \
    static type wait_##name parameters                                                   \
    {                                                                                    \
        return stdio_has_room(stdout, room) ? name arguments : slow_##name arguments;    \
    }
OUTPUTS(OUTPUT)

ccprof_hooks_function ccprof_wait_files_find(const char *wanted)
{
    FILES(CCPROF_WAIT_FIND)
    NAMELESS(CCPROF_WAIT_FIND)
    FCNTL(CCPROF_WAIT_FIND)
    OPENS(CCPROF_WAIT_FIND)
    STREAMS(CCPROF_WAIT_FIND)
    OUTPUTS(CCPROF_WAIT_FIND)
    return NULL;
}
