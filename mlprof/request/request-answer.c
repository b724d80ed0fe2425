/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that a descriptor of a process is a complete answer of this process. Whatever
   the process has put there, a file is read only if it is sealed and its name and
   content are those of an answer. */

#define _GNU_SOURCE
#include "mlprof/request/request-inside.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/fields.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The largest answer that is read. */
#define SIZE_MOST ((uint64_t)1 << 30)

#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

/* The longest name of an answer, with a final NUL. */
#define NAME_MOST 128

bool request_name_read(struct request_name *name, const char *text)
{
    struct fields fields = {.cursor = text, .stop = text + strlen(text)};
    return fields_skip(&fields, "/memfd:" CCPROF_ANSWER_NAME) &&
           fields_decimal(&fields, &name->version) && fields_skip(&fields, ":") &&
           fields_decimal(&fields, &name->operation) && fields_skip(&fields, ":") &&
           fields_decimal(&fields, &name->argument) && fields_skip(&fields, ":") &&
           fields_decimal(&fields, &name->time) && fields_skip(&fields, " (deleted)") &&
           fields_end_of_line(&fields);
}

/* Returns whether the descriptor, which is now open here, still has the name TEXT: the
   process may have put another file in its place. */
static bool has_name(int descriptor, const char *text)
{
    char link[64], name[NAME_MOST];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, name, sizeof name);
    return length > 0 && (size_t)length == strlen(text) &&
           memcmp(name, text, (size_t)length) == 0;
}

/* Reads the numbers in the head of a data file, which TEXT of SIZE bytes is if it is an
   answer. Returns false if it is not a data file of the process. */
static bool read_head(struct request_answer *answer, pid_t process, const char *text,
                      size_t size)
{
    struct fault fault = {0};
    struct fields fields = {.next = text, .end = text + size, .fault = &fault};
    uint64_t number;
    bool own = false, good = fields_optional(&fields, CCPROF_MLMON_MAGIC " ");
    fields.path = "answer";
    while (good && fields_next_line(&fields) && !fields_skip(&fields, "module ")) {
        if (fields_skip(&fields, "process ") && fields_decimal(&fields, &number))
            own = number == (uint64_t)process;
        else if (fields_skip(&fields, "answer ") &&
                 fields_decimal(&fields, &answer->epoch) && fields_skip(&fields, " ")) {
            good = fields_decimal(&fields, &answer->files);
            answer->closed = fields_skip(&fields, " closed");
            break;
        }
    }
    fault_clear(&fault);
    return good && own;
}

/* Returns whether TEXT, a data file of SIZE bytes, contains the heap. No text in a data
   file contains the end of a line. */
static bool has_heap(const char *text, size_t size)
{
    static const char sampled[] = "\nheap sampled ", exact[] = "\nheap exact ";
    return memmem(text, size, sampled, sizeof sampled - 1) ||
           memmem(text, size, exact, sizeof exact - 1);
}

/* Returns what the content of the sealed file is. */
static enum request_check check_content(const struct request *request,
                                        struct request_answer *answer, char **reason)
{
    static const char refused[] = CCPROF_ANSWER_REFUSED;
    size_t size = (size_t)answer->size, length = sizeof refused - 1;
    if (!size)
        return REQUEST_CHECK_OTHER;
    char *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, answer->descriptor, 0);
    if (text == MAP_FAILED)
        return REQUEST_CHECK_OTHER;
    enum request_check check = read_head(answer, request->inner, text, size)
                                   ? REQUEST_CHECK_GOOD
                                   : REQUEST_CHECK_OTHER;
    answer->heap = check == REQUEST_CHECK_GOOD && has_heap(text, size);
    if (size > length && size < BUFSIZ && memcmp(text, refused, length) == 0 &&
        text[size - 1] == '\n') {
        *reason = buf_copy_prefix(text + length, size - length - 1);
        check = REQUEST_CHECK_REFUSED;
    }
    munmap(text, size);
    return check;
}

static enum request_check check_open(const struct request *request, const char *text,
                                     struct request_answer *answer, char **reason)
{
    struct stat status;
    int seals = fcntl(answer->descriptor, F_GET_SEALS);
    if (!has_name(answer->descriptor, text) || fstat(answer->descriptor, &status) != 0 ||
        !S_ISREG(status.st_mode) || seals < 0)
        return REQUEST_CHECK_OTHER;
    if ((seals & SEALS) != SEALS)
        return REQUEST_CHECK_UNFINISHED;
    answer->size = (uint64_t)status.st_size;
    if (answer->size > SIZE_MOST)
        return REQUEST_CHECK_LARGE;
    return check_content(request, answer, reason);
}

enum request_check request_check(const struct request *request, int files,
                                 const char *number, const char *text,
                                 struct request_answer *answer, char **reason)
{
    *answer = (struct request_answer){
        .descriptor =
            openat(files, number, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)};
    if (answer->descriptor < 0)
        return REQUEST_CHECK_OTHER;
    enum request_check check = check_open(request, text, answer, reason);
    if (check != REQUEST_CHECK_GOOD) {
        close(answer->descriptor);
        answer->descriptor = -1;
    }
    return check;
}
