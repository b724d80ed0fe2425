/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the size and the colours of the terminal, and shows the progress line. A timer
   prints the line once a second, so that short runs print none. */

#include "mlprof/base/terminal.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#define FILE_COLUMNS 80

static bool unlimited_width;

/* The stream of terminal_page. */
static const FILE *page;
static size_t page_columns;

/* Returns the window size of OUT; all zero if OUT is not a terminal. */
static struct winsize size_of(FILE *out)
{
    struct winsize size = {0};
    int descriptor = fileno(out);
    if (descriptor < 0 || ioctl(descriptor, TIOCGWINSZ, &size) < 0)
        return (struct winsize){0};
    return size;
}

size_t terminal_columns(FILE *out)
{
    size_t columns = size_of(out).ws_col;
    const char *setting = getenv("COLUMNS");
    if (out == page)
        return page_columns;
    if (columns || unlimited_width || fileno(out) < 0)
        return columns;
    columns = setting ? strtoul(setting, NULL, 10) : 0;
    return columns ? columns : FILE_COLUMNS;
}

void terminal_page(const FILE *out, size_t columns)
{
    page = out;
    page_columns = columns;
}

void terminal_whole(void)
{
    unlimited_width = true;
}

size_t terminal_lines(FILE *out)
{
    return size_of(out).ws_row;
}

void terminal_print(FILE *out, const char *text)
{
    BUF_OWN char *clean = text_clean_but(text, "\n");
    BUF_OWN char *wrapped = text_wrap(clean, terminal_columns(out));
    fputs(wrapped, out);
}

bool terminal_colours(FILE *out)
{
    const char *refused = getenv("NO_COLOR"), *kind = getenv("TERM");
    int descriptor = fileno(out);
    if ((refused && refused[0]) || !kind || strcmp(kind, "dumb") == 0)
        return false;
    return descriptor >= 0 && isatty(descriptor);
}

/* Two buffers: the signal handler shows one buffer while the program fills the other. */
static char texts[2][256];
static volatile sig_atomic_t current, shown;
static bool active;

static void write_terminal(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

/* Moves to the beginning of the line and erases the line (ECMA-48). */
static void put_clear(void)
{
    write_terminal("\r\033[K");
}

static void tick(int signal)
{
    int error = errno;
    (void)signal;
    if (texts[current][0]) {
        put_clear();
        write_terminal(texts[current]);
        shown = 1;
    }
    errno = error;
}

static void set_timer(time_t seconds)
{
    const struct itimerval every = {.it_interval.tv_sec = seconds,
                                    .it_value.tv_sec = seconds};
    setitimer(ITIMER_REAL, &every, NULL);
}

void progress_begin(void)
{
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    if (!isatty(STDERR_FILENO))
        return;
    sigemptyset(&action.sa_mask);
    active = sigaction(SIGALRM, &action, NULL) == 0;
    if (active)
        set_timer(1);
}

void progress_set(const char *format, ...)
{
    if (!active)
        return;
    int other = !current;
    size_t most = terminal_columns(stderr);
    size_t room = most > 1 && most < sizeof texts[0] ? most : sizeof texts[0];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(texts[other], room, format, arguments);
    va_end(arguments);
    text_mask(texts[other]);
    current = other;
}

void progress_clear(void)
{
    if (!active)
        return;
    /* Show the line again after one second at the earliest. */
    set_timer(1);
    if (shown)
        put_clear();
    shown = 0;
}

void progress_print(void)
{
    if (isatty(STDOUT_FILENO))
        progress_end();
    else
        progress_set("mlprof: printing");
}

void progress_end(void)
{
    if (!active)
        return;
    progress_clear();
    set_timer(0);
    active = false;
}
