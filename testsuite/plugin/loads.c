// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that only load or store, each at an offset or in a variable of its own, which
// their callers fold into what they compute: each instruction with such an offset or
// variable is the function's.

#include <stdio.h>
#include <stdlib.h>

struct node {
    char before[0x123450];
    struct node *next; // 0x123450
    long value;        // 0x123458
    int size;          // 0x123460
    unsigned char kind;
    char between[0x10003];
    long table[64]; // 0x133468
    long last;      // 0x133668
};

static long level, seen;
static int limit;

static struct node *get_next(struct node *q)
{
    return q->next;
}

static long get_value(struct node *q)
{
    return q->value;
}

static int get_size(struct node *q)
{
    return q->size;
}

static int get_kind(struct node *q)
{
    return q->kind;
}

static long get_entry(struct node *q, long i)
{
    return q->table[i];
}

static long get_level(void)
{
    return level;
}

static int get_limit(void)
{
    return limit;
}

static void set_last(struct node *q, long last)
{
    q->last = last;
}

static void set_seen(long n)
{
    seen = n;
}

__attribute__((noinline)) static long walk(struct node *q, long n)
{
    long sum = 0;

    while (n--) {
        q = get_next(q);
        sum += get_value(q);
        if (get_size(q) > n)
            sum ^= get_entry(q, n & 63);
        sum -= get_kind(q);
        if (get_kind(q) == 7)
            sum &= get_entry(q, n & 7);
        sum += get_level();
        if (get_limit() > n)
            sum ^= 5;
        set_last(q, sum >> 3);
        set_seen(sum << 1);
        __asm__ volatile("" : : : "memory");
    }
    return sum;
}

int main(int argc, char **argv)
{
    struct node *q = calloc(1, sizeof *q);

    (void)argv;
    q->next = q;
    level = limit = argc;
    printf("%ld %ld\n", walk(q, argc * 100), seen);
}
