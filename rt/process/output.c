/* SPDX-License-Identifier: MIT */
/* Owns the name of the run's file.  The constructor calls start; the child of a fork
   calls child; the other functions are called where files are written, handlers
   included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>

#include "rt/process/output.h"
#include "rt/process/origin.h"
#include "rt/format.h"
#include "rt/os/proc.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"

static struct {
    const char *pattern;
    bool collects;        /* the pattern is a folder */
    bool numbered;        /* the name has the number of the process */
    char start[PATH_MAX]; /* the folder where the program was started */
    char program[NAME_MAX + 1];
    uint64_t time; /* the time in the name of a file in a folder */
    char path[PATH_MAX];
    char folder[PATH_MAX];
} output;

#define OUTPUT_ENDING ".mlmon"

/* The most bytes of the program's name in the name of a file in a folder: file systems
   allow names of 255 bytes, and numbers are appended to this name.  */
#define OUTPUT_PROGRAM 100

bool ccprof_output_collects(const char *pattern)
{
    size_t length = strlen(pattern);

    return length > 0 && pattern[length - 1] == '/';
}

static void output_copy_name(char *to, size_t size, const char *path)
{
    const char *slash = strrchr(path, '/');
    struct ccprof_text text;

    ccprof_text_open(&text, to, size, NULL);
    ccprof_text_string(&text, slash ? slash + 1 : path);
    ccprof_text_end(&text);
}

static void output_find_program(void)
{
    const char *run = (const char *)getauxval(AT_EXECFN), *path = ccprof_program();

    if (!*path)
        path = run ? run : "program";
    output_copy_name(output.program, sizeof output.program, path);
}

/* Appends what the percent sign and C stand for.  */
static void output_item(struct ccprof_text *text, char c)
{
    switch (c) {
    case 'p':
        ccprof_text_decimal(text, (uint64_t)ccprof_sys_getpid());
        output.numbered = true;
        break;
    case 'e':
        ccprof_text_string(text, output.program);
        break;
    case 'h':
        ccprof_text_string(text, ccprof_origin_host());
        break;
    case 'r':
        ccprof_text_string(text, *ccprof_origin_rank() ? ccprof_origin_rank() : "0");
        break;
    default:
        ccprof_text_char(text, c);
        break;
    }
}

static void output_expand(struct ccprof_text *text)
{
    output.numbered = false;
    for (const char *at = output.pattern; *at; at++) {
        if (*at == '%' && at[1])
            output_item(text, *++at);
        else
            ccprof_text_char(text, *at);
    }
}

/* Returns how much of the program's name is used, without cutting a character.  */
static size_t output_program_length(void)
{
    size_t length = strlen(output.program);

    if (length <= OUTPUT_PROGRAM)
        return length;
    length = OUTPUT_PROGRAM;
    while (length > 0 && ((unsigned char)output.program[length] & 0xc0) == 0x80)
        length--;
    return length;
}

/* Appends the time with the number of digits that times have from 2001 on, whatever the
   clock says.  */
static void output_time(struct ccprof_text *text)
{
    for (uint64_t least = UINT64_C(1000000000000000000); least > output.time && least > 1;
         least /= 10)
        ccprof_text_char(text, '0');
    ccprof_text_decimal(text, output.time);
}

/* Appends the name of a file in a folder.  Process numbers are reused, and each container
   has its own, so the name has the time.  */
static void output_own_name(struct ccprof_text *text)
{
    size_t length = output_program_length();
    uint64_t now = ccprof_sys_clock(CLOCK_REALTIME);

    /* The time grows even if the clock was set back.  */
    output.time = now > output.time ? now : output.time + 1;
    for (size_t i = 0; i < length; i++)
        ccprof_text_char(text, output.program[i]);
    ccprof_text_char(text, '.');
    ccprof_text_decimal(text, (uint64_t)ccprof_sys_getpid());
    ccprof_text_char(text, '.');
    output_time(text);
    ccprof_text_string(text, OUTPUT_ENDING);
}

/* Makes the path.  CHILD: appends the number of the process, unless the name has it
   already.  A path that is too long is cut off; the error comes when the file is
   opened.  */
static void output_settle(bool child)
{
    struct ccprof_text text;
    char *slash;

    ccprof_text_open(&text, output.path, sizeof output.path, NULL);
    if (*output.pattern != '/') {
        ccprof_text_string(&text, output.start);
        if (text.used > 1)
            ccprof_text_char(&text, '/');
    }
    output_expand(&text);
    if (output.collects) {
        output_own_name(&text);
    } else if (child && !output.numbered) {
        ccprof_text_char(&text, '.');
        ccprof_text_decimal(&text, (uint64_t)ccprof_sys_getpid());
    }
    ccprof_text_end(&text);

    strcpy(output.folder, output.path);
    slash = strrchr(output.folder, '/');
    if (slash)
        slash[slash == output.folder] = '\0';
    else
        strcpy(output.folder, ".");
}

void ccprof_output_start(const char *pattern)
{
    ssize_t length = ccprof_sys_getcwd(output.start, sizeof output.start);

    /* The kernel puts a word in front of a folder outside of the process's root.  */
    if (length <= 1 || *output.start != '/')
        *output.start = '\0';
    output.pattern = pattern                 ? pattern
                     : *ccprof_origin_rank() ? CCPROF_MLMON_DEFAULT ".%r"
                                             : CCPROF_MLMON_DEFAULT;
    output.collects = ccprof_output_collects(output.pattern);
    output_find_program();
    output_settle(false);
}

void ccprof_output_child(void)
{
    output_settle(true);
}

void ccprof_output_next(void)
{
    if (output.collects)
        output_settle(true);
}

const char *ccprof_output_path(void)
{
    return output.path;
}

const char *ccprof_output_name(void)
{
    const char *slash = strrchr(output.path, '/');

    return slash ? slash + 1 : output.path;
}

const char *ccprof_output_folder(void)
{
    return output.folder;
}

int ccprof_output_make_folder(void)
{
    if (!output.collects || syscall(SYS_mkdirat, AT_FDCWD, output.folder, 0777) == 0)
        return 0;
    return errno == EEXIST ? 0 : errno;
}
