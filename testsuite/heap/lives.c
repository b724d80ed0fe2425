/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of which it is known what becomes of them, a function for each. */

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define BLOCKS 200

static void *volatile block[BLOCKS];

static void rest(long milliseconds)
{
    struct timespec time = {0, milliseconds * 1000000};
    while (nanosleep(&time, &time) != 0) {
    }
}

/* Each is freed before the next one is there: 200 of 100 bytes. */
__attribute__((noipa)) static void temporary(void)
{
    for (int i = 0; i < BLOCKS; i++) {
        block[0] = malloc(100);
        free(block[0]);
    }
}

/* The first ten are freed later than the next, of these one is the thread's newest. */
__attribute__((noipa)) static void pairs(void)
{
    for (int i = 0; i < 10; i++) {
        block[0] = malloc(20);
        block[1] = malloc(20);
        free(block[0]);
        free(block[1]);
    }
}

__attribute__((noipa)) static void allocate(void)
{
    for (int i = 0; i < BLOCKS; i++)
        block[i] = malloc(30);
}

static void *release(void *unused)
{
    for (int i = 0; i < BLOCKS; i++)
        free(block[i]);
    return unused;
}

/* Grows five times and is freed, ten times. */
__attribute__((noipa)) static void grow(void)
{
    for (int i = 0; i < 10; i++) {
        char *text = NULL;
        for (size_t size = 1; size <= 6; size++) {
            text = realloc(text, size * 10);
            text[0] = 1;
        }
        block[0] = text;
        free(block[0]);
    }
}

/* 7 for a moment, 8 for more than 10 ms and 9 for more than 100 ms. */
__attribute__((noipa)) static void live(void)
{
    for (int i = 0; i < 24; i++)
        block[i] = malloc(40);
    for (int i = 0; i < 7; i++)
        free(block[i]);
    rest(40);
    for (int i = 7; i < 15; i++)
        free(block[i]);
    rest(120);
    for (int i = 15; i < 24; i++)
        free(block[i]);
}

int main(void)
{
    pthread_t other;

    temporary();
    pairs();
    allocate();
    if (pthread_create(&other, NULL, release, NULL) != 0)
        abort();
    pthread_join(other, NULL);
    grow();
    live();
    return 0;
}
