/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entries of the list of keys: add a key here. */

#include "mlprof/rows/keys.h"
#include "mlprof/base/buf.h"

#include <stdio.h>

const struct rows_key_entry rows_keys[ROWS_KEYS] = {
    [ROWS_FUNCTIONS] = {"function", "function", "functions", .counted = true,
                        .placed = true, .compared = true},
    [ROWS_COPIES] = {"copy", "copy", "copies", .alike = ROWS_SAME_COPY, .heap = true,
                     .placed = true},
    [ROWS_LINES] = {"line", "line", "lines", .alike = ROWS_SAME_POINT, .counted = true,
                    .executed = true, .heap = true, .placed = true, .compared = true},
    [ROWS_EXPRESSIONS] = {"expression", "expression", "expressions",
                          .alike = ROWS_SAME_POINT, .counted = true, .executed = true,
                          .heap = true, .placed = true, .compared = true},
    [ROWS_LOOPS] = {"loop", "loop", "loops", .alike = ROWS_SAME_NODE, .counted = true,
                    .executed = true, .placed = true},
    [ROWS_FILES] = {"file", "file", "files", .alike = ROWS_SAME_COPY, .counted = true,
                    .heap = true, .placed = true, .compared = true},
    [ROWS_MODULES] = {"module", "module", "modules", .alike = ROWS_SAME_COPY,
                      .counted = true, .heap = true, .placed = true},
    [ROWS_PHASES] = {"phase", "phase", "phases", STACKS_PHASE, ROWS_SAME_NODE,
                     .heap = true},
    [ROWS_THREADS] = {"thread", "thread", "threads", STACKS_THREAD, ROWS_SAME_NODE,
                      .heap = true},
    [ROWS_PROCESSES] = {"process", "process", "processes", STACKS_PROCESS,
                        ROWS_SAME_NODE},
    [ROWS_PARALLELISM] = {"parallelism", "parallelism", "parallelisms",
                          STACKS_PARALLELISM, ROWS_SAME_NODE},
    [ROWS_RANKS] = {"rank", "rank", "ranks"},
    [ROWS_MPI] = {"mpi", "call of MPI", "calls of MPI", .alike = ROWS_SAME_NODE,
                  .placed = true},
    [ROWS_TYPES] = {"type", "type", "types", .alike = ROWS_SAME_NODE, .memory = true,
                    .heap = true, .compared = true},
    [ROWS_SITES] = {"site", "site", "sites", .alike = ROWS_SAME_NODE, .memory = true,
                    .heap = true, .placed = true, .compared = true},
    [ROWS_PATHS] = {"path", "path", "paths", .alike = ROWS_SAME_NODE, .memory = true,
                    .heap = true, .placed = true, .compared = true},
    [ROWS_REASONS] = {"reason", "reason", "reasons", .alike = ROWS_SAME_COPY,
                      .waits = true, .compared = true},
    [ROWS_LOCKS] = {"lock", "lock", "locks", .alike = ROWS_SAME_COPY, .waits = true,
                    .compared = true},
};

char *rows_key_words(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    for (enum rows_key key = 0; key < ROWS_KEYS; key++)
        fprintf(out, "%c%s", key ? '|' : '{', rows_keys[key].word);
    putc('}', out);
    buf_close(out);
    return text;
}

char *rows_key_list(bool compared)
{
    char *text = NULL;
    size_t size;
    const char *last = NULL;
    FILE *out = buf_open(&text, &size);
    for (enum rows_key key = 0; key < ROWS_KEYS; key++) {
        const struct rows_key_entry *entry = &rows_keys[key];
        if (!(compared ? entry->compared : entry->heap))
            continue;
        if (last) {
            buf_separate(out, ", ");
            fputs(last, out);
        }
        last = entry->word;
    }
    fprintf(out, " or %s", last);
    buf_close(out);
    return text;
}
