/* SPDX-License-Identifier: MIT */
/* Prints the trace. Owns the copy of each thread's stack at the last print. Called
   by the thread, from the program's code. */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "rt/symbolize/trace.h"
#include "rt/os/lock.h"
#include "rt/os/text.h"
#include "rt/os/settings.h"
#include "rt/os/sys.h"
#include "rt/count/inclusive.h"
#include "rt/symbolize/chain.h"

/* Maximum length of a line in bytes, and maximum number of indentation steps. */
#define TRACE_LINE   1024
#define TRACE_INDENT 100

static unsigned max_lines;             /* maximum number of printed lines */
static _Atomic unsigned lines_begun;   /* lines that threads have begun to print */
static _Atomic unsigned lines_printed; /* lines printed completely */
static pid_t first_thread;             /* thread whose lines have no [TID] */

static struct ccprof_counts_thread *trace_thread(struct ccprof_stack_thread *stack)
{
    return (void *)((char *)stack - offsetof(struct ccprof_counts_thread, usual_stack));
}

/* PAIR is a thread's copy of a pair. Returns the module's own pair; null if there is
   none. */
static const void *trace_original(const struct ccprof_counts_thread *thread,
                                  const struct ccprof_pair *pair)
{
    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++) {
        const struct ccprof_counts_module *module = &ccprof_counts_modules[i];
        if (module->form != &ccprof_inclusive_form || module->unloaded)
            continue;
        uintptr_t original = (uintptr_t)pair - ccprof_inclusive_delta(module, thread);
        uintptr_t from = (uintptr_t)module->storage;
        if (original >= from && original - from < module->count * sizeof *pair)
            return (const void *)original;
    }
    return NULL;
}

static bool trace_name(void *text, const struct ccprof_symbolize_frame *found)
{
    for (const char *c = found->name; *c; c++)
        if ((unsigned char)*c >= ' ')
            ccprof_text_char(text, *c);
    return false;
}

static void trace_put_name(struct ccprof_text *text, const void *pair,
                           struct ccprof_pages *room)
{
    struct ccprof_chain_module module;
    const struct ccprof_symbolizer *symbolizer;

    ccprof_chain_find((uintptr_t)pair, &module);
    symbolizer = ccprof_chain_symbolizer(module.number);
    if (!symbolizer ||
        !ccprof_symbolize_find(symbolizer, module.offset, room, trace_name, text))
        ccprof_text_hex(text, (uintptr_t)pair);
}

/* Takes one of the remaining lines. Returns false if there is none. */
static bool trace_take_line(void)
{
    unsigned before = atomic_load(&lines_begun);

    do
        if (before == max_lines)
            return false;
    while (!atomic_compare_exchange_weak(&lines_begun, &before, before + 1));
    return true;
}

static void trace_end_line(void)
{
    if (atomic_fetch_add(&lines_printed, 1) + 1 == max_lines)
        ccprof_say(CCPROF_SETTINGS_VARIABLE
                   ": the trace ends here, at its limit; trace=LINES sets another one",
                   NULL);
}

static void trace_put_thread(struct ccprof_text *text)
{
    pid_t thread = ccprof_sys_gettid();

    if (thread == first_thread)
        return;
    ccprof_text_char(text, '[');
    ccprof_text_decimal(text, (uint64_t)thread);
    ccprof_text_string(text, "] ");
}

static void trace_line(const struct ccprof_counts_thread *thread, const char *what,
                       size_t depth, const struct ccprof_pair *pair)
{
    char buffer[TRACE_LINE];
    struct ccprof_text text;
    struct ccprof_pages room = {0};

    if (!trace_take_line())
        return;
    ccprof_text_open(&text, buffer, sizeof buffer, ccprof_say_file());
    trace_put_thread(&text);
    for (size_t i = 0; i < depth && i < TRACE_INDENT; i++)
        ccprof_text_string(&text, "  ");
    ccprof_text_string(&text, what);
    trace_put_name(&text, trace_original(thread, pair), &room);
    ccprof_text_char(&text, '\n');
    ccprof_text_flush(&text);
    ccprof_pages_free(&room);
    trace_end_line();
}

/* Prints the differences between the stack and its last printed state. */
static void trace_print_changes(struct ccprof_counts_thread *thread)
{
    size_t now = (size_t)(thread->stack->top - thread->entries), same = 0;

    while (same < now && same < thread->printed_count &&
           thread->printed[same] == thread->entries[same])
        same++;
    while (thread->printed_count > same) {
        thread->printed_count--;
        trace_line(thread, "leave ", thread->printed_count,
                   thread->printed[thread->printed_count]);
    }
    for (; thread->printed_count < now; thread->printed_count++) {
        thread->printed[thread->printed_count] = thread->entries[thread->printed_count];
        trace_line(thread, "enter ", thread->printed_count,
                   thread->printed[thread->printed_count]);
    }
}

static void trace_stack(struct ccprof_stack_thread *stack)
{
    struct ccprof_counts_thread *thread = trace_thread(stack);
    struct ccprof_blocked blocked;
    int saved = errno;

    if (ccprof_strict || atomic_load(&lines_begun) == max_lines)
        return;
    ccprof_blocked_begin(&blocked);
    ccprof_blocked_write(&blocked);
    trace_print_changes(thread);
    ccprof_blocked_end(&blocked);
    errno = saved;
}

static void trace_begin(struct ccprof_counts_thread *thread, size_t entries)
{
    void *printed;

    if (thread->stack != &thread->usual_stack)
        return;
    printed = mmap(NULL, entries * sizeof *thread->printed, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (printed == MAP_FAILED)
        return;
    thread->printed = printed;
    thread->printed_size = entries * sizeof *thread->printed;
    thread->printed_count = 0;
    thread->stack->trace = trace_stack;
}

void ccprof_trace_install(unsigned limit)
{
    max_lines = limit;
    first_thread = ccprof_sys_gettid();
    ccprof_inclusive_stack_made = trace_begin;
}

void ccprof_trace_end(void)
{
    if (max_lines && atomic_load(&lines_begun) == 0)
        ccprof_say(CCPROF_SETTINGS_VARIABLE
                   ": there is no trace: nothing that ran was compiled "
                   "with -fplugin-arg-ccprof-trace",
                   NULL);
}
