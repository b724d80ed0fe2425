/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program of Waddell and Ashley's figure 3: queens on a board, with backtracking by
   functions that are passed on for success and failure. Call sites have the letters of
   their figure 4, functions in its order have the numbers of its lambdas. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct board {
    const struct board *rest;
    int column;
};

struct failure {
    const struct board *(*call)(const struct failure *self);
};

struct success {
    const struct board *(*call)(const struct success *self, const struct board *board,
                                const struct failure *fail);
};

/* What lambda 7 has around it, and lambda 6. */
struct next {
    struct success own;
    const struct success *succeed;
};

struct again {
    struct failure own;
    int column;
    const struct board *board;
    const struct success *succeed;
    const struct failure *fail;
};

static int size;

static const struct board *queens(const struct board *board,
                                  const struct success *succeed,
                                  const struct failure *fail);

/* 9 */
static bool on_diagonal(int column, const struct board *board)
{
    int up = column - 1, down = column + 1;
    for (; board; board = board->rest, up--, down++)
        if (board->column == up || board->column == down)
            return true;
    return false;
}

/* 3 */
static const struct board *solved(const struct success *self, const struct board *board,
                                  const struct failure *fail)
{
    (void)self;
    (void)fail;
    return board;
}

/* 8 */
static const struct board *none(const struct failure *self)
{
    (void)self;
    return NULL;
}

static const struct board *again(const struct failure *self);

/* 5 */
static const struct board *try_column(int column, const struct board *board,
                                      const struct success *succeed,
                                      const struct failure *fail)
{
    bool taken = false;
    if (column == size)
        return fail->call(fail); /* h */
    for (const struct board *other = board; other; other = other->rest)
        taken |= other->column == column;
    if (!taken)
        taken = on_diagonal(column, board); /* i */
    if (taken)
        return try_column(column + 1, board, succeed, fail); /* k */
    struct board more = {board, column};
    struct again retry = {{again}, column, board, succeed, fail};
    return succeed->call(succeed, &more, &retry.own); /* g */
}

/* 6 */
static const struct board *again(const struct failure *self)
{
    const struct again *of = (const struct again *)self;
    return try_column(of->column + 1, of->board, of->succeed, of->fail); /* f */
}

/* 4 */
static const struct board *place_queen(const struct board *board,
                                       const struct success *succeed,
                                       const struct failure *fail)
{
    return try_column(0, board, succeed, fail); /* e */
}

/* 7 */
static const struct board *next_queen(const struct success *self,
                                      const struct board *board,
                                      const struct failure *fail)
{
    const struct next *of = (const struct next *)self;
    return queens(board, of->succeed, fail); /* j */
}

/* 2 */
static const struct board *queens(const struct board *board,
                                  const struct success *succeed,
                                  const struct failure *fail)
{
    int length = 0;
    for (const struct board *other = board; other; other = other->rest)
        length++;
    if (length == size)
        return succeed->call(succeed, board, fail); /* c */
    struct next next = {{next_queen}, succeed};
    return place_queen(board, &next.own, fail); /* d */
}

/* 1 */
static bool solve(void)
{
    struct success succeed = {solved};
    struct failure fail = {none};
    return queens(NULL, &succeed, &fail) != NULL; /* b */
}

int main(int argc, char **argv)
{
    size = (int)strtol(argv[argc - 1], NULL, 10);
    puts(solve() ? "solved" : "no solution"); /* a */
    return 0;
}
