/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the pages of -live with ncurses. */

#define _GNU_SOURCE
#define _XOPEN_SOURCE_EXTENDED 1
#include "mlprof/live/screen.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* How long ncurses waits for the rest of a key that begins with Escape. */
#define ESCAPE_MS 50

/* The pairs of colours. */
enum { PAIR_BAR = 1, PAIR_CHOSEN };

struct screen {
    SCREEN *curses;
    bool colours;
    int messages; /* what was written to stderr, a file in memory */
    int errors;   /* stderr, as it was */
};

/* Makes Ctrl-C a key, so that the end is always the same. */
static void free_interrupt(void)
{
    struct termios modes;
    if (tcgetattr(STDIN_FILENO, &modes) != 0)
        return;
    modes.c_cc[VINTR] = _POSIX_VDISABLE;
    tcsetattr(STDIN_FILENO, TCSANOW, &modes);
    def_prog_mode();
}

static void set_colours(struct screen *screen)
{
    screen->colours = terminal_colours(stdout) && has_colors() && start_color() == OK;
    if (!screen->colours)
        return;
    /* The terminal's background stays, which may be light. */
    use_default_colors();
    init_pair(PAIR_BAR, COLOR_BLACK, COLOR_CYAN);
    init_pair(PAIR_CHOSEN, COLOR_WHITE, COLOR_BLUE);
}

bool screen_check(struct fault *fault)
{
    bool input = isatty(STDIN_FILENO);
    return (input && isatty(STDOUT_FILENO)) ||
           fault_set(fault, FAULT_FILE, "-live",
                     "standard %s is no terminal; mlprof -pid PID -seconds N prints a "
                     "report",
                     input ? "output" : "input");
}

struct screen *screen_open(struct fault *fault)
{
    const char *kind = getenv("TERM");
    setlocale(LC_CTYPE, "");
    struct screen *screen = buf_alloc(sizeof *screen);
    screen->curses = newterm(NULL, stdout, stdin);
    bool moves = screen->curses && tigetstr("cup");
    if (!moves) {
        if (screen->curses) {
            endwin();
            delscreen(screen->curses);
        }
        fault_set(fault, FAULT_FILE, "-live", "%s: TERM=%s",
                  screen->curses ? "this kind of terminal cannot show a page"
                                 : "unknown kind of terminal",
                  kind ? kind : "");
        free(screen);
        return NULL;
    }
    screen->errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    screen->messages = memfd_create("mlprof", MFD_CLOEXEC);
    if (screen->errors >= 0 && screen->messages >= 0)
        dup2(screen->messages, STDERR_FILENO);
    cbreak();
    noecho();
    free_interrupt();
    set_escdelay(ESCAPE_MS);
    keypad(stdscr, true);
    set_colours(screen);
    return screen;
}

void screen_close(struct screen *screen)
{
    if (!screen)
        return;
    /* A terminal without an alternate screen keeps the last page. */
    move(getmaxy(stdscr) - 1, 0);
    clrtoeol();
    refresh();
    endwin();
    delscreen(screen->curses);
    if (screen->errors >= 0) {
        dup2(screen->errors, STDERR_FILENO);
        close(screen->errors);
    }
    if (screen->messages >= 0)
        close(screen->messages);
    free(screen);
}

size_t screen_columns(void)
{
    return (size_t)getmaxx(stdscr);
}

size_t screen_lines(void)
{
    int lines = getmaxy(stdscr);
    return lines > 2 ? (size_t)lines - 2 : 0;
}

/* Draws the LENGTH bytes of TEXT at LINE and COLUMN, as far as they fit. If they are not
   in the terminal's encoding, only ASCII is drawn. */
static void draw_at(int line, int column, const char *text, size_t length)
{
    BUF_OWN char *copy = buf_copy_prefix(text, length);
    BUF_OWN wchar_t *wide = buf_alloc((length + 1) * sizeof *wide);
    size_t count = mbstowcs(wide, copy, length + 1);
    if (count == (size_t)-1)
        for (count = 0; count < length; count++)
            wide[count] = copy[count] & 0x80 ? L'?' : (wchar_t)copy[count];
    int room = getmaxx(stdscr) - column, fits = 0;
    for (size_t i = 0; i < count; i++, fits++) {
        int width = wcwidth(wide[i]);
        room -= width > 0 ? width : 0;
        if (room < 0)
            break;
    }
    mvaddnwstr(line, column, wide, fits);
}

/* Draws a line over the whole width, with ATTRIBUTES. */
static void draw_line(int line, const char *text, size_t length, attr_t attributes)
{
    attrset(attributes);
    mvhline(line, 0, (chtype)' ' | (chtype)attributes, getmaxx(stdscr));
    draw_at(line, 0, text, length);
    attrset(A_NORMAL);
}

static void draw_head(const struct screen_page *page, attr_t bar)
{
    int columns = getmaxx(stdscr);
    draw_line(0, page->head, strlen(page->head), bar);
    if (!page->note)
        return;
    /* If both do not fit, the note is more important. */
    int width = (int)text_width(page->note), column = columns - width - 1;
    attrset(bar | A_BOLD);
    mvaddstr(0, column > 2 ? column - 1 : 0, " ");
    draw_at(0, column > 2 ? column : 0, page->note, strlen(page->note));
    attrset(A_NORMAL);
}

static void draw_text(const struct screen *screen, const struct screen_page *page)
{
    const char *line = page->text;
    const attr_t chosen = screen->colours ? (attr_t)COLOR_PAIR(PAIR_CHOSEN) : A_REVERSE;
    for (size_t i = 0; *line; i++) {
        size_t length = strcspn(line, "\n");
        bool fixed = i < page->fixed;
        size_t row = fixed ? i : i - page->first;
        if ((fixed || i >= page->fixed + page->first) && row < screen_lines())
            draw_line((int)row + 1, line, length,
                      i == page->chosen ? chosen
                      : fixed           ? A_BOLD
                                        : A_NORMAL);
        line += length + (line[length] == '\n');
    }
}

void screen_draw(const struct screen *screen, const struct screen_page *page)
{
    const attr_t bar = screen->colours ? (attr_t)COLOR_PAIR(PAIR_BAR) : A_REVERSE;
    erase();
    draw_text(screen, page);
    draw_head(page, bar);
    draw_line(getmaxy(stdscr) - 1, page->last, strlen(page->last),
              page->typing ? A_NORMAL : bar);
    curs_set(page->typing);
    if (page->typing)
        move(getmaxy(stdscr) - 1, (int)text_width(page->last));
    refresh();
}

int screen_key(unsigned milliseconds)
{
    static const struct {
        int curses;
        enum screen_key key;
    } keys[] = {
        {ERR, SCREEN_NOTHING},         {KEY_UP, SCREEN_UP},
        {KEY_DOWN, SCREEN_DOWN},       {KEY_PPAGE, SCREEN_PAGE_UP},
        {KEY_NPAGE, SCREEN_PAGE_DOWN}, {KEY_HOME, SCREEN_HOME},
        {KEY_END, SCREEN_END},         {KEY_ENTER, SCREEN_ENTER},
        {'\n', SCREEN_ENTER},          {'\r', SCREEN_ENTER},
        {KEY_BACKSPACE, SCREEN_BACK},  {'\b', SCREEN_BACK},
        {'\177', SCREEN_BACK},         {'\033', SCREEN_ESCAPE},
        {KEY_RESIZE, SCREEN_RESIZED},
    };
    timeout((int)milliseconds);
    int key = getch();
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (key == ERR && poll(&input, 1, 0) > 0 && input.revents & (POLLHUP | POLLERR))
        return SCREEN_CLOSED;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].curses == key)
            return keys[i].key;
    return key < 256 ? key : SCREEN_NOTHING;
}

char *screen_message(struct screen *screen)
{
    char *message = fault_last_message(screen->messages);
    if (message && ftruncate(screen->messages, 0) == 0)
        lseek(screen->messages, 0, SEEK_SET);
    return message;
}
