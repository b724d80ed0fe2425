/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program of Waddell and Ashley's figure 3: queens on a board, with backtracking. It
   counts its calls itself and prints them. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct board {
    const struct board *rest;
    int column;
};

static unsigned long places, tests, loops;

static bool on_diagonal(const struct board *board, int up, int down)
{
    loops++;
    return board && (board->column == up || board->column == down ||
                     on_diagonal(board->rest, up - 1, down + 1));
}

static bool is_safe(const struct board *board, int column)
{
    tests++;
    for (const struct board *other = board; other; other = other->rest)
        if (other->column == column)
            return false;
    return !on_diagonal(board, column - 1, column + 1);
}

/* How many ways there are to put LEFT more queens on a board of SIZE columns. */
static unsigned long place(const struct board *board, int left, int size)
{
    unsigned long ways = 0;
    places++;
    if (left == 0)
        return 1;
    for (int column = 0; column < size; column++) {
        struct board next = {board, column};
        if (is_safe(board, column))
            ways += place(&next, left - 1, size);
    }
    return ways;
}

int main(int argc, char **argv)
{
    int size = (int)strtol(argv[argc - 1], NULL, 10);
    unsigned long ways = place(NULL, size, size);
    printf("ways %lu\nplace %lu\nis_safe %lu\non_diagonal %lu\n", ways, places, tests,
           loops);
    return 0;
}
