/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Not profiled. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "account.h"
#include "kernel.h"

#define FUNCTIONS 32

static struct {
    const char *name;
    uint64_t alone, active;
} functions[FUNCTIONS];

static struct account_list first;

struct account_list *account_active = &first;
volatile uint64_t account_sink;

int account_enter(const char *name)
{
    struct account_list *list = account_active;
    if (list->depth == sizeof list->name / sizeof *list->name)
        abort();
    list->name[list->depth] = name;
    return list->depth++;
}

void account_leave(int place)
{
    account_active->depth = place;
}

void account_back(int place)
{
    account_active->depth = place + 1;
}

uint64_t account_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int function(const char *name)
{
    for (int i = 0; i < FUNCTIONS; i++) {
        if (!functions[i].name)
            functions[i].name = name;
        if (strcmp(functions[i].name, name) == 0)
            return i;
    }
    abort();
}

void account_charge(uint64_t start)
{
    const struct account_list *list = account_active;
    uint64_t took = account_now() - start;
    int seen[FUNCTIONS] = {0};

    functions[function(list->name[list->depth - 1])].alone += took;
    for (int i = 0; i < list->depth; i++) {
        int at = function(list->name[i]);
        if (!seen[at])
            functions[at].active += took;
        seen[at] = 1;
    }
}

void account_print(void)
{
    for (int i = 0; i < FUNCTIONS && functions[i].name; i++)
        printf("%s %" PRIu64 " %" PRIu64 "\n", functions[i].name, functions[i].alone,
               functions[i].active);
    printf("end\n");
    fflush(stdout);
}

static __attribute__((constructor)) void before_main(void)
{
    int place = account_enter("<unprofiled>");
    ACCOUNT_SPEND(100);
    account_leave(place);
}
