// SPDX-License-Identifier: GPL-3.0-or-later
// Work that is nothing but accessors of a nanosecond, inside each other, as in a solver
// of formulas in propositional logic; compiled with a stopwatch on each, and without,
// each time under another name: ROUND.  Each round is the same work.

#define CLAUSES 4096

struct clause {
    int size, literal[7];
};

static struct clause clause[CLAUSES];
static signed char values[2 * CLAUSES];
static unsigned seed;

int ROUND(int n);

static inline int negated(int literal)
{
    return literal ^ 1;
}

static inline int variable(int literal)
{
    return literal >> 1;
}

static inline int size_of(const struct clause *of)
{
    return of->size;
}

static inline int literal_at(const struct clause *of, int i)
{
    return of->literal[i];
}

static inline int value(int literal)
{
    return values[negated(literal)];
}

static inline int is_true(int literal)
{
    return value(literal) == 1;
}

__attribute__((noinline)) static unsigned next(void)
{
    return (seed = seed * 1103515245 + 12345) >> 8;
}

__attribute__((noinline)) static int satisfied(const struct clause *of)
{
    for (int i = 0; i < size_of(of); i++)
        if (is_true(literal_at(of, i)))
            return variable(literal_at(of, i));
    return 0;
}

__attribute__((ccprof_exclude)) static void make(void)
{
    for (int i = 0; i < CLAUSES; i++) {
        clause[i].size = 1 + (int)((seed = seed * 1103515245 + 12345) >> 8) % 7;
        for (int j = 0; j < clause[i].size; j++)
            clause[i].literal[j] =
                (int)((seed = seed * 1103515245 + 12345) >> 8) % (2 * CLAUSES);
    }
    for (int i = 0; i < 2 * CLAUSES; i++)
        values[i] = (signed char)(((seed = seed * 1103515245 + 12345) >> 8) % 3);
}

int ROUND(int n)
{
    int sum = 0;

    if (clause[0].size == 0)
        make();
    seed = 1;
    for (int i = 0; i < n; i++)
        sum += satisfied(&clause[next() % CLAUSES]);
    return sum;
}
