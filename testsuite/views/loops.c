/* Loops of each form; what begins one has a line of its own. */
#include <stdio.h>
#include <stdlib.h>

volatile unsigned sink;

static inline unsigned mix(unsigned x)
{
    return (x ^ x >> 15) * 0x2c1b3c6du;
}

static inline unsigned spin(unsigned x, int n)
{
    int i = 0;
    while (i < n) {
        x = mix(x);
        i++;
    }
    return x;
}

__attribute__((noinline)) unsigned outer(unsigned n)
{
    unsigned s = n, i = 0, k;
    while (i < n) {
        k = 0;
        while (k < 10) {
            s = mix(s + k);
            k++;
        }
        s = spin(s, 5);
        if (s == 3)
            break;
        i++;
    }
    return s;
}

__attribute__((noinline)) unsigned chain(unsigned n)
{
    unsigned s = n, left = n;
    while (left && s != 4711 && n)
        left--, s = mix(mix(s));
    do {
        s = mix(s);
        left++;
    } while (left < n);
    return s;
}

struct node {
    struct node *next;
    unsigned v;
};

__attribute__((noinline)) unsigned list(struct node *p, unsigned v)
{
    unsigned n = 0;
    while (p && p->v != v) {
        if (p->v == 5) {
            p = p->next;
            continue;
        }
        n++;
        p = p->next;
    }
    for (;;) {
        sink++;
        if (n-- == 0)
            break;
    }
    return n;
}

int main(int count, char **words)
{
    unsigned n = count > 1 ? (unsigned)atoi(words[1]) : 1000, s;
    struct node *first = NULL;
    s = outer(n);
    s += chain(3 * n);
    for (unsigned i = 0; i < 100; i++) {
        struct node *node = malloc(sizeof *node);
        *node = (struct node){first, i};
        first = node;
    }
    s += list(first, 0);
    /* clang-format off */
    for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) sink++;
    /* clang-format on */
    printf("%u\n", s);
    return 0;
}
