/* SPDX-License-Identifier: MIT */
/* Owns the name of the run's file, the host and the rank, and the text of the command.
   The constructor calls start, read_launcher and command_start. The child of a fork
   calls child. The other functions are called when files are written, also in signal
   handlers. */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "rt/output/output.h"
#include "rt/format.h"
#include "rt/os/file.h"
#include "rt/os/proc.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"

/* Maximum number of digits of a rank. */
#define RANK_DIGITS 10

static struct {
    struct utsname system;
    char rank[RANK_DIGITS + 1], ranks[RANK_DIGITS + 1];
} launcher;

/* The environment variables of each launcher. NEEDS is a variable that must also be
   set. Launchers can be nested, and processes inherit the variables of the outer
   launcher, so inner launchers come first in the list. For example, in a job step that
   Slurm starts with PMIx, MPICH's launcher sets PMI_RANK. Slurm also sets rank 0 in a
   batch script, although it launches no processes there. */
static const struct {
    const char *rank, *ranks, *needs;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL},
    {"PMI_RANK", "PMI_SIZE", NULL},
    {"PMIX_RANK", NULL, NULL},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_NUM_TASKS"},
};

static bool launcher_copy(char to[RANK_DIGITS + 1], const char *variable)
{
    const char *text = variable ? getenv(variable) : NULL;
    size_t length = text ? strlen(text) : 0;

    if (length == 0 || length > RANK_DIGITS || strspn(text, "0123456789") != length)
        return false;
    strcpy(to, text);
    return true;
}

void ccprof_output_read_launcher(void)
{
    memset(&launcher, 0, sizeof launcher);
    syscall(SYS_uname, &launcher.system);
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers && !*launcher.rank; i++) {
        if (launchers[i].needs && !getenv(launchers[i].needs))
            continue;
        if (launcher_copy(launcher.rank, launchers[i].rank) &&
            (!launcher_copy(launcher.ranks, launchers[i].ranks) ||
             strtoull(launcher.rank, NULL, 10) >= strtoull(launcher.ranks, NULL, 10)))
            *launcher.ranks = '\0';
    }
}

const char *ccprof_output_host(void)
{
    return launcher.system.nodename;
}

const char *ccprof_output_rank(void)
{
    return launcher.rank;
}

const char *ccprof_output_ranks(void)
{
    return launcher.ranks;
}

static struct {
    const char *pattern;
    bool collects; /* the pattern is a folder */
    bool has_pid;  /* the name contains the process number */
    uint64_t time; /* time in the name of a file in a folder */
    char program[NAME_MAX + 1];
    /* The folder in which the program was started, the path at PATH, and the path's
       folder at FOLDER: a process copies each page that it changes. */
    unsigned path, folder;
    char text[3 * PATH_MAX];
} output;

#define OUTPUT_ENDING ".mlmon"

/* Maximum number of bytes of the program's name in the name of a file in a folder.
   File systems allow names of 255 bytes, and numbers are appended. */
#define OUTPUT_PROGRAM 100

bool ccprof_output_is_folder(const char *pattern)
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
    const char *path = ccprof_program();

    output_copy_name(output.program, sizeof output.program, *path ? path : "program");
}

/* Appends the value of the placeholder %C. */
static void output_placeholder(struct ccprof_text *text, char c)
{
    switch (c) {
    case 'p':
        ccprof_text_decimal(text, (uint64_t)ccprof_sys_getpid());
        output.has_pid = true;
        break;
    case 'e':
        ccprof_text_string(text, output.program);
        break;
    case 'h':
        ccprof_text_string(text, ccprof_output_host());
        break;
    case 'r':
        ccprof_text_string(text, *ccprof_output_rank() ? ccprof_output_rank() : "0");
        break;
    default:
        ccprof_text_char(text, c);
        break;
    }
}

static void output_expand(struct ccprof_text *text)
{
    output.has_pid = false;
    for (const char *cursor = output.pattern; *cursor; cursor++) {
        if (*cursor == '%' && cursor[1])
            output_placeholder(text, *++cursor);
        else
            ccprof_text_char(text, *cursor);
    }
}

/* Returns the number of bytes of the program's name that are used, without cutting a
   UTF-8 character. */
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

/* Appends the time with 19 digits, the length of all times since 2001. A shorter
   time, from a wrong clock, is padded with zeros. */
static void output_append_time(struct ccprof_text *text)
{
    for (uint64_t least = UINT64_C(1000000000000000000); least > output.time && least > 1;
         least /= 10)
        ccprof_text_char(text, '0');
    ccprof_text_decimal(text, output.time);
}

/* Appends the name of a file in a folder. The name contains the time, since process
   numbers are reused and each container has its own process numbers. */
static void output_unique_name(struct ccprof_text *text)
{
    size_t length = output_program_length();
    uint64_t now = ccprof_sys_clock(CLOCK_REALTIME);

    /* The time always increases, even if the clock was set back. */
    output.time = now > output.time ? now : output.time + 1;
    for (size_t i = 0; i < length; i++)
        ccprof_text_char(text, output.program[i]);
    ccprof_text_char(text, '.');
    ccprof_text_decimal(text, (uint64_t)ccprof_sys_getpid());
    ccprof_text_char(text, '.');
    output_append_time(text);
    ccprof_text_string(text, OUTPUT_ENDING);
}

static void output_find_folder(void)
{
    const char *path = output.text + output.path, *slash = strrchr(path, '/');
    size_t length = slash && slash != path ? (size_t)(slash - path) : 1;

    output.folder = output.path + (unsigned)strlen(path) + 1;
    memcpy(output.text + output.folder, slash ? path : ".", length);
    output.text[output.folder + length] = '\0';
}

/* Makes the path. CHILD: appends the process number, unless the name already contains
   it. A path that is too long is cut off, and opening the file then reports the
   error. */
static void output_make_path(bool child)
{
    struct ccprof_text text;

    output.path = (unsigned)strlen(output.text) + 1;
    ccprof_text_open(&text, output.text + output.path, PATH_MAX, NULL);
    if (*output.pattern != '/') {
        ccprof_text_string(&text, output.text);
        if (text.used > 1)
            ccprof_text_char(&text, '/');
    }
    output_expand(&text);
    if (output.collects) {
        output_unique_name(&text);
    } else if (child && !output.has_pid) {
        ccprof_text_char(&text, '.');
        ccprof_text_decimal(&text, (uint64_t)ccprof_sys_getpid());
    }
    ccprof_text_end(&text);
    output_find_folder();
}

void ccprof_output_start(const char *pattern)
{
    ssize_t length = ccprof_sys_getcwd(output.text, PATH_MAX);

    /* The kernel puts "(unreachable)" before a folder outside of the process's root. */
    if (length <= 1 || *output.text != '/')
        *output.text = '\0';
    output.pattern = pattern                 ? pattern
                     : *ccprof_output_rank() ? CCPROF_MLMON_DEFAULT ".%r"
                                             : CCPROF_MLMON_DEFAULT;
    output.collects = ccprof_output_is_folder(output.pattern);
    output_find_program();
    output_make_path(false);
}

void ccprof_output_child(void)
{
    output_make_path(true);
}

void ccprof_output_next(void)
{
    if (output.collects)
        output_make_path(true);
}

const char *ccprof_output_path(void)
{
    return output.text + output.path;
}

const char *ccprof_output_name(void)
{
    const char *path = ccprof_output_path(), *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

const char *ccprof_output_folder(void)
{
    return output.text + output.folder;
}

int ccprof_output_make_folder(void)
{
    if (!output.collects ||
        syscall(SYS_mkdirat, AT_FDCWD, ccprof_output_folder(), 0777) == 0)
        return 0;
    return errno == EEXIST ? 0 : errno;
}

static char command[CCPROF_COMMAND_SIZE];

/* The first argument when the process started, and now. */
#define TITLE_SIZE 256
static char first_argument[TITLE_SIZE], title[TITLE_SIZE];

/* Returns the length of the UTF-8 character (RFC 3629) at CURSOR, which must end before
   END. Returns 0 for an invalid character or a control character. */
static size_t command_character(const unsigned char *cursor, const unsigned char *end)
{
    size_t length = *cursor < 0x80 ? 1 : *cursor < 0xe0 ? 2 : *cursor < 0xf0 ? 3 : 4;
    uint32_t code = length == 1 ? *cursor : *cursor & (0xffu >> (length + 1));
    static const uint32_t least[] = {0, 0x20, 0xa0, 0x800, 0x10000};

    if ((*cursor >= 0x80 && *cursor < 0xc0) || *cursor >= 0xf8 ||
        (size_t)(end - cursor) < length)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((cursor[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (cursor[i] & 0x3f);
    }
    if (code < least[length] || code == 0x7f || (code >= 0xd800 && code < 0xe000) ||
        code > 0x10ffff)
        return 0;
    return length;
}

/* The form in which an argument is written. */
enum command_style { COMMAND_PLAIN, COMMAND_QUOTED, COMMAND_ESCAPED };

/* Returns whether a shell gives C no special meaning anywhere in a word. In the FIRST
   word, an equals sign would set a variable. */
static bool command_is_plain(unsigned char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c >= 0x80 || strchr("_@%+:,./-", c) || (c == '=' && !first);
}

static enum command_style command_style(const unsigned char *cursor,
                                        const unsigned char *end, bool first)
{
    enum command_style style = cursor == end ? COMMAND_QUOTED : COMMAND_PLAIN;

    while (cursor < end) {
        size_t length = command_character(cursor, end);
        if (length == 0)
            return COMMAND_ESCAPED;
        if (!command_is_plain(*cursor, first))
            style = COMMAND_QUOTED;
        cursor += length;
    }
    return style;
}

static void command_quote(struct ccprof_text *text, const unsigned char *cursor,
                          const unsigned char *end)
{
    ccprof_text_char(text, '\'');
    for (; cursor < end; cursor++) {
        if (*cursor == '\'')
            ccprof_text_string(text, "'\\''");
        else
            ccprof_text_char(text, (char)*cursor);
    }
    ccprof_text_char(text, '\'');
}

/* Writes an argument as $'...', a syntax of bash that POSIX includes since 2024. */
static void command_escape(struct ccprof_text *text, const unsigned char *cursor,
                           const unsigned char *end)
{
    ccprof_text_string(text, "$'");
    while (cursor < end) {
        size_t length = command_character(cursor, end);
        if (length == 0) {
            ccprof_text_char(text, '\\');
            ccprof_text_char(text, (char)('0' + (*cursor >> 6)));
            ccprof_text_char(text, (char)('0' + (*cursor >> 3 & 7)));
            ccprof_text_char(text, (char)('0' + (*cursor & 7)));
            length = 1;
        } else if (*cursor == '\'' || *cursor == '\\') {
            ccprof_text_char(text, '\\');
            ccprof_text_char(text, (char)*cursor);
        } else {
            for (size_t i = 0; i < length; i++)
                ccprof_text_char(text, (char)cursor[i]);
        }
        cursor += length;
    }
    ccprof_text_char(text, '\'');
}

static void command_argument(struct ccprof_text *text, const unsigned char *cursor,
                             const unsigned char *end)
{
    bool first = text->used == 0;
    enum command_style style = command_style(cursor, end, first);

    if (!first)
        ccprof_text_char(text, ' ');
    if (style == COMMAND_ESCAPED)
        command_escape(text, cursor, end);
    else if (style == COMMAND_QUOTED)
        command_quote(text, cursor, end);
    else
        for (; cursor < end; cursor++)
            ccprof_text_char(text, (char)*cursor);
}

/* Returns the number of bytes that the SIZE bytes of TEXT need in the file. */
static size_t command_size_in_file(const char *text, size_t size)
{
    size_t written = size;

    for (size_t i = 0; i < size; i++)
        written += text[i] == '\\';
    return written;
}

/* An argument is written completely or not at all. */
void ccprof_command_show(char *to, const char *arguments, size_t size)
{
    const unsigned char *cursor = (const unsigned char *)arguments, *end = cursor + size;
    struct ccprof_text text;
    size_t used = 0;

    ccprof_text_open(&text, to, CCPROF_COMMAND_MOST, NULL);
    while (cursor < end) {
        const unsigned char *stop = memchr(cursor, '\0', (size_t)(end - cursor));
        if (stop)
            command_argument(&text, cursor, stop);
        if (!stop || text.error ||
            command_size_in_file(to, text.used) > CCPROF_COMMAND_MOST) {
            strcpy(to + used, used ? " ..." : "...");
            return;
        }
        used = text.used;
        cursor = stop + 1;
    }
    to[used] = '\0';
}

/* The arguments of main, or null if libc does not pass them to constructors. */
static char **arguments_of_main;

/* Returns whether the needed arguments are still where the kernel stored them: one
   after the other, above the array of pointers. Main may have changed them before it
   loads a library with the runtime. */
static bool command_is_untouched(int count, char **arguments)
{
    const char *from = arguments[0], *next = from;

    if ((uintptr_t)from <= (uintptr_t)(arguments + count))
        return false;
    for (int i = 0; i < count && next - from <= CCPROF_COMMAND_MOST; i++) {
        if (arguments[i] != next)
            return false;
        next += strlen(next) + 1;
    }
    return true;
}

/* Records the arguments of main. Checks its parameters, since some C libraries call
   constructors without arguments. In a statically linked program the runtime starts
   before this constructor. */
__attribute__((constructor)) static void command_constructor(int count, char **arguments,
                                                             char **environment)
{
    if (count > 0 && arguments && environment == arguments + count + 1 &&
        command_is_untouched(count, arguments))
        arguments_of_main = arguments;
}

/* Copies the arguments one after the other, in the form of /proc/self/cmdline.
   Returns the number of bytes, at most SIZE. */
static size_t command_copy(char *to, size_t size)
{
    size_t used = 0;

    for (char **argument = arguments_of_main; *argument && used < size; argument++) {
        size_t length = strnlen(*argument, size - used - 1) + 1;
        memcpy(to + used, *argument, length);
        used += length;
    }
    return used;
}

static size_t command_read(char *to, size_t most)
{
    ssize_t got = ccprof_file_start(AT_FDCWD, "/proc/self/cmdline", O_RDONLY, to, most);
    return got > 0 ? (size_t)got : 0;
}

/* Keeps only the first argument. If there are more, appends an incomplete argument,
   which ccprof_command_show shows as ` ...'. */
static size_t command_keep_name(char *arguments, size_t size)
{
    size_t length = strnlen(arguments, size) + 1;

    if (length >= size)
        return size;
    arguments[length] = '.';
    return length + 1;
}

void ccprof_command_start(bool whole)
{
    char arguments[CCPROF_COMMAND_MOST + 2];
    size_t size = arguments_of_main ? command_copy(arguments, sizeof arguments)
                                    : command_read(arguments, sizeof arguments);

    if (size != 0)
        memcpy(first_argument, arguments, strnlen(arguments, TITLE_SIZE - 1));
    if (!whole)
        size = command_keep_name(arguments, size);
    if (size != 0)
        ccprof_command_show(command, arguments, size);
}

const char *ccprof_command(void)
{
    return command;
}

/* Reads a file of /proc into the SIZE bytes of TO, and appends NUL. Returns false if it
   cannot be read. */
static bool process_read(const char *path, char *to, size_t size)
{
    ssize_t got = ccprof_file_start(AT_FDCWD, path, O_RDONLY, to, size - 1);

    to[got > 0 ? got : 0] = '\0';
    return got > 0;
}

const char *ccprof_process_name(void)
{
    static char name[20]; /* the kernel's names have 15 bytes, and a newline follows */

    if (!process_read("/proc/self/comm", name, sizeof name))
        return "?";
    name[strlen(name) - 1] = '\0';
    return name;
}

const char *ccprof_process_title(void)
{
    size_t length;

    process_read("/proc/self/cmdline", title, sizeof title);
    if (strcmp(title, first_argument) == 0)
        return "";
    for (length = strlen(title); length > 0 && title[length - 1] == ' ';)
        title[--length] = '\0';
    return title;
}
