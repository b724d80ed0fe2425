/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libFuzzer calls; FUZZ_TARGET names the target. */

#include "testsuite/fuzz/targets.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static targets_run *target;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const struct {
        const char *name;
        targets_run *run;
    } known[] = {{"mlmon", targets_mlmon},   {"elf", targets_elf},
                 {"tables", targets_tables}, {"formula", targets_formula},
                 {"map", targets_map},       {"keep", targets_keep},
                 {"gate", targets_gate},     {"route", targets_route}};
    const char *name = getenv("FUZZ_TARGET");
    (void)argc;
    (void)argv;
    for (size_t i = 0; name && i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            target = known[i].run;
    if (!target) {
        fputs("FUZZ_TARGET should be one of", stderr);
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            fprintf(stderr, " %s", known[i].name);
        fputs("\n", stderr);
        exit(2);
    }
    return 0;
}

/* What is refused is not kept as a seed unless it reaches new code. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    target(bytes, size);
    return 0;
}
