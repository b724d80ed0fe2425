/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of odd sizes and alignments, most of which no allocator has, and blocks whose
   addresses are used again after somebody freed them unseen. Prints what each call has
   given, without addresses. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The highest bit of alignments. */
#ifndef HIGHEST
#define HIGHEST 63
#endif

/* Volatile, so that the compiler does not know what fails. */
/* clang-format off */
static volatile const size_t sizes[] = {
    0, 1, (size_t)1 << 47, ((size_t)1 << 48) - 1, (size_t)1 << 48, ((size_t)1 << 48) + 16,
    (size_t)1 << 62, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX - 8, SIZE_MAX};
/* clang-format on */

static volatile const size_t alignments[] = {
    0, 1, 3, 8, 16, 24, 64, 4096, 4097, 1 << 20, (size_t)1 << 40, (size_t)1 << HIGHEST};

static void tell(const char *name, void *at)
{
    printf(" %s %d %s", name, at != NULL, strerrorname_np(errno));
    errno = 0;
}

static void give(const char *name, void *at)
{
    tell(name, at);
    free(at);
    tell("free", NULL);
}

/* AT is freed, whatever becomes of it. */
static void again(const char *name, void *at, void *to, size_t size)
{
    tell(name, to);
    free(to || size == 0 ? to : at);
}

static void try_size(size_t size)
{
    void *at;

    printf("%zx:", size);
    give("malloc", malloc(size));
    give("calloc", calloc(size, 1));
    give("calloc", calloc(3, size));
    give("realloc", realloc(NULL, size));
    at = malloc(10);
    again("realloc", at, realloc(at, size), size);
    at = malloc(11);
    again("reallocarray", at, reallocarray(at, size, 3), size);
    give("valloc", valloc(size));
    give("pvalloc", pvalloc(size));
    printf("\n");
}

static void try_alignment(size_t alignment, size_t size)
{
    void *at = &at;

    printf("%zx %zx:", alignment, size);
    give("memalign", memalign(alignment, size));
    give("aligned_alloc", aligned_alloc(alignment, size));
    int error = posix_memalign(&at, alignment, size);
    printf(" %s %d", strerrorname_np(error), error && at == &at);
    if (error)
        at = NULL;
    give("posix_memalign", at);
    printf("\n");
}

static void use_all(void)
{
    char *at = malloc(101);
    const size_t usable = malloc_usable_size(at);

    memset(at, 1, usable);
    at = realloc(at, usable + 1);
    printf("usable %d\n", at && usable >= 101);
    free(at);
}

/* The addresses of blocks that are freed unseen are used again. The runtime does not
   know of a dlsym that dlsym has found. */
static void unseen(void)
{
    void *(*their_dlsym)(void *, const char *) =
        (void *(*)(void *, const char *))dlsym(RTLD_DEFAULT, "dlsym");
    void (*their_free)(void *) = (void (*)(void *))their_dlsym(RTLD_DEFAULT, "free");

    for (int i = 0; i < 1000; i++)
        their_free(malloc(24 + (size_t)(i % 3)));
}

int main(void)
{
    errno = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        try_size(sizes[i]);
        for (size_t k = 0; k < sizeof alignments / sizeof *alignments; k++)
            try_alignment(alignments[k], sizes[i]);
    }
    use_all();
    unseen();
    return 0;
}
