/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forgets some blocks among many others, a million or as many thousands of blocks as the
   argument says, all of which it frees: a line that forgets any says at its end how many
   and their bytes.  No two lines, and no two types, forget equally many bytes.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
    char text[10000];
};

struct entry {
    struct entry *next;
    long key, value;
};

struct image {
    unsigned char pixels[64 << 20];
};

/* Blocks that are alive at the same time.  */
#define OTHERS 5000

static struct entry *other[OTHERS];
static void *volatile last;

static struct entry *entry(size_t more)
{
    struct entry *made = malloc(sizeof *made + more);
    if (!made)
        abort();
    return made;
}

__attribute__((noinline)) static void use(unsigned *state)
{
    *state = *state * 1103515245 + 12345;
    struct entry **at = &other[(*state >> 8) % OTHERS];
    free(*at);
    *at = entry(*state >> 8 & 127);
}

__attribute__((noinline)) static void receive(int number)
{
    struct message *message = malloc(sizeof *message); /* keeps 2000 20000000 */
    if (!message)
        abort();
    message->text[0] = (char)number;
    last = message;
}

static void remember(int number)
{
    struct entry *list = calloc(1, sizeof *list); /* keeps 21 504 */
    char *text = malloc(30);                      /* keeps 21 630 */
    if (!list || !text)
        abort();
    list->key = number;
    last = list;
    last = text;
}

/* What the first call has got is freed by the second one.  */
__attribute__((noinline)) static void grow(void)
{
    long *numbers = malloc(1000 * sizeof *numbers);
    if (!numbers)
        abort();
    numbers[0] = 1;
    last = numbers;
    numbers = realloc(numbers, 10000 * sizeof *numbers); /* keeps 1 80000 */
    last = numbers;
}

/* Kernels give no memory for what nobody has written to.  */
__attribute__((noinline)) static void draw(void)
{
    struct image *image = malloc(sizeof *image); /* keeps 1 67108864 */
    if (!image)
        abort();
    image->pixels[0] = 1;
    last = image;
}

int main(int argc, char **argv)
{
    const long others = 1000 * (argc > 1 ? atol(argv[1]) : 1000);
    unsigned state = 1;

    if (others == 0)
        return 0;
    for (long i = 0; i < others; i++) {
        use(&state);
        if (i % (others / 2000) == 0)
            receive((int)i);
        if (i % (others / 20) == 0)
            remember((int)i);
    }
    remember(0);
    grow();
    draw();
    for (int i = 0; i < OTHERS; i++)
        free(other[i]);
    last = NULL;
    return 0;
}
