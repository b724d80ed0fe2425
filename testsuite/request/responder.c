/* SPDX-License-Identifier: GPL-3.0-or-later */
/* responder FILE...: takes requests, and answers the first with the first file, and so
   on; the last file answers all others. Prints a line when it is ready, and one for each
   request: its operation and its argument. */

#define _GNU_SOURCE
#include "testsuite/unit/responder.h"

#define SIZE 65536

static char texts[8][SIZE];
static size_t sizes[8];
static int count;

/* Reads a data file. Adds the number of this process to its line `process'. */
static void read_text(const char *path)
{
    static const char word[] = "\nprocess ";
    static char text[SIZE];
    FILE *file = fopen(path, "r");
    size_t size = file ? fread(text, 1, SIZE / 2, file) : 0;
    if (!size || count == 8)
        exit(1);
    text[size] = '\0';
    fclose(file);
    const char *line = strstr(text, word);
    int length = line ? (int)(line - text) + (int)strlen(word) : 0;
    sizes[count] = (size_t)(line ? snprintf(texts[count], SIZE, "%.*s%d%s", length, text,
                                            (int)getpid(), text + length)
                                 : snprintf(texts[count], SIZE, "%s", text));
    count++;
}

static void handle(int number, siginfo_t *info, void *context)
{
    uint64_t request = (uint64_t)(uintptr_t)info->si_value.sival_ptr;
    static uint64_t last;
    static pid_t asker;
    static int next = -1;
    /* A repeated request has the same answer. */
    if (next + 1 < count && (request != last || info->si_pid != asker))
        next++;
    last = request;
    asker = info->si_pid;
    responder.text = texts[next];
    responder.size = sizes[next];
    if (!responder_is_late(request))
        dprintf(1, "%d %d\n", (int)(request >> CCPROF_REQUEST_OPERATION_SHIFT & 15),
                (int)(request >> CCPROF_REQUEST_ARGUMENT_SHIFT & 65535));
    responder_handle(number, info, context);
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_sigaction = handle,
                               .sa_flags = SA_SIGINFO | SA_RESTART};
    responder.seals = RESPONDER_SEALS;
    for (int i = 1; i < argc; i++)
        read_text(argv[i]);
    if (count)
        sigaction(CCPROF_REQUEST_SIGNAL, &action, NULL);
    dprintf(1, "ready\n");
    for (;;)
        pause();
}
