/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal of -live: draws a page of text with ncurses, and reads keys. While a
   screen is open, messages that go to stderr are kept for screen_message, so that they do
   not spoil it. ncurses permits one screen at a time. Used by mlprof/commands/live*.c. */

#ifndef MLPROF_SCREEN_H
#define MLPROF_SCREEN_H

#include "mlprof/base/fault.h"

#include <stdbool.h>
#include <stddef.h>

struct screen;

/* If standard input or standard output is no terminal, returns false and sets FAULT. */
bool screen_check(struct fault *fault);

/* Opens the terminal. If its kind is unknown, returns NULL and sets FAULT. */
struct screen *screen_open(struct fault *fault);

/* Restores the terminal and stderr, and frees SCREEN, which may be NULL. */
void screen_close(struct screen *screen);

/* Returns the width, and the number of lines between the header and the last line. */
size_t screen_columns(void);
size_t screen_lines(void);

struct screen_page {
    const char *head; /* the first line */
    const char *note; /* at the end of the first line; NULL: nothing */
    const char *text; /* lines */
    size_t fixed;     /* number of lines of TEXT that are not scrolled */
    size_t first;     /* number of other lines that are scrolled away */
    size_t chosen;    /* the line of TEXT that is highlighted; SIZE_MAX: none */
    const char *last; /* the last line */
    bool typing;      /* the cursor is shown behind the last line */
};

void screen_draw(const struct screen *screen, const struct screen_page *page);

/* Keys that are no characters. */
enum screen_key {
    SCREEN_NOTHING = -1, /* no key in time */
    SCREEN_UP = 0x110000,
    SCREEN_DOWN,
    SCREEN_PAGE_UP,
    SCREEN_PAGE_DOWN,
    SCREEN_HOME,
    SCREEN_END,
    SCREEN_ENTER,
    SCREEN_BACK, /* Backspace */
    SCREEN_ESCAPE,
    SCREEN_RESIZED,
    SCREEN_CLOSED /* the terminal is gone */
};

/* Waits for a key for MILLISECONDS. Returns a byte or an enum screen_key. Ctrl-C is the
   byte 3. */
int screen_key(unsigned milliseconds);

/* Returns the last line that was written to stderr since the last call, without
   `mlprof: ', or NULL if there is none. The caller frees it. */
char *screen_message(struct screen *screen);

#endif
