/* SPDX-License-Identifier: MIT */
/* Owns each registered thread's copies of pairs, and the thread's stack of the pairs
   that it has entered. Called under the lock of counts-lists.h. */

#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/count/inclusive.h"
#include "rt/count/called.h"
#include "rt/os/lock.h"
#include "rt/os/memory.h"
#include "rt/os/sys.h"
#include "rt/count/counts-lists.h"

/* Number of entries of a thread's stack of pairs: as many as a machine stack of 8 MiB
   has words. Unused entries need no memory. */
#define INCLUSIVE_ENTRIES (1u << 20)

/* The code at the start of a function, where vector registers have arguments, calls these
   functions. */
#ifdef __x86_64__
#define INCLUSIVE_GENERAL __attribute__((target("general-regs-only")))
#else
#define INCLUSIVE_GENERAL
#endif

/* Maximum number of attempts to read a pair while its thread changes it. */
#define INCLUSIVE_TRIES 1000

static _Atomic uint64_t last_serial;
static _Atomic bool
    switched; /* by an ended thread, or by resuming another thread's context */

void (*ccprof_inclusive_stack_made)(struct ccprof_counts_thread *thread, size_t entries);

static size_t inclusive_size(const struct ccprof_counts_module *module)
{
    return module->count * sizeof(struct ccprof_pair);
}

/* Returns the thread's word for the module. If the thread has two such words, their
   values are equal, and the word in the table is returned. */
static struct ccprof_stack_word *inclusive_word(const struct ccprof_counts_module *module,
                                                const struct ccprof_counts_thread *thread)
{
    return module->place
               ? ccprof_counts_words_of(module, thread)
               : (struct ccprof_stack_word *)(thread->pointer + module->distance);
}

static void inclusive_set(const struct ccprof_counts_module *module,
                          const struct ccprof_counts_thread *thread,
                          struct ccprof_stack_thread *stack, uintptr_t delta)
{
    struct ccprof_stack_word *const words[] = {
        module->place ? ccprof_counts_words_of(module, thread) : NULL,
        module->has_word
            ? (struct ccprof_stack_word *)(thread->pointer + module->distance)
            : NULL};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!words[i])
            continue;
        __atomic_store_n(&words[i]->delta, delta, __ATOMIC_RELAXED);
        words[i]->thread = stack;
    }
}

uintptr_t ccprof_inclusive_delta(const struct ccprof_counts_module *module,
                                 const struct ccprof_counts_thread *thread)
{
    return __atomic_load_n(&inclusive_word(module, thread)->delta, __ATOMIC_RELAXED);
}

/* Returns the thread's copy of the module's pairs; null if it has none. */
static struct ccprof_pair *inclusive_copy(const struct ccprof_counts_module *module,
                                          const struct ccprof_counts_thread *thread)
{
    uintptr_t delta = ccprof_inclusive_delta(module, thread);
    return delta ? (struct ccprof_pair *)((uintptr_t)module->storage + delta) : NULL;
}

INCLUSIVE_GENERAL static void inclusive_open(struct ccprof_stack_thread *stack,
                                             struct ccprof_pair *pair, uint64_t depth,
                                             bool function)
{
    pair->depth = depth;
    pair->inclusive -= stack->total;
    if (!function)
        return;
    ((struct ccprof_calls *)pair - 1)->next = stack->open;
    stack->open = pair;
}

INCLUSIVE_GENERAL static void inclusive_close(void *stack, struct ccprof_pair *pair,
                                              bool function)
{
    (void)function;
    pair->inclusive += ((struct ccprof_stack_thread *)stack)->total;
    atomic_signal_fence(memory_order_seq_cst);
    pair->depth = 0;
}

/* Calls VISIT for the thread's open pairs of the kind instructions whose depths are stack
   pointers below SP, innermost functions first. On one stack all functions after the
   first one that is not below SP are not below it either: others are on the stack that a
   signal handler has interrupted, which runs on an alternate stack. */
INCLUSIVE_GENERAL static void
inclusive_each_below(struct ccprof_stack_thread *stack, uint64_t sp,
                     void (*visit)(void *context, struct ccprof_pair *, bool function),
                     void *context)
{
    struct ccprof_pair *next;
    bool above = false;

    for (struct ccprof_pair *pairs = stack->open; pairs; pairs = next) {
        const struct ccprof_calls *calls = (const struct ccprof_calls *)pairs - 1;
        next = calls->next;
        if (pairs->depth >= sp)
            above = true;
        else if (above)
            continue;
        for (size_t i = calls->count; i-- > 0;)
            if (pairs[i].depth && pairs[i].depth < sp)
                visit(context, &pairs[i], i == CCPROF_CALLS_FUNCTION);
    }
}

/* The depth of a pair that is to be closed because control has arrived at a function
   whose stack pointer is SP. It is above all stack pointers, so that for a signal handler
   the pair is open in a caller. */
INCLUSIVE_GENERAL static uint64_t inclusive_mark(uint64_t sp)
{
    return ~sp;
}

INCLUSIVE_GENERAL static void inclusive_mark_pair(void *mark, struct ccprof_pair *pair,
                                                  bool function)
{
    (void)function;
    __atomic_store_n(&pair->depth, *(uint64_t *)mark, __ATOMIC_RELAXED);
}

/* Closes these pairs. The functions among them are at the start of the list. A signal
   handler may call them at any moment. So none is in the list and closed, where the
   handler would put it into the list again. A handler that arrives somewhere itself
   leaves what is marked here alone, but may mark more, with a greater number. */
INCLUSIVE_GENERAL static void inclusive_close_below(struct ccprof_stack_thread *stack,
                                                    uint64_t sp)
{
    uint64_t mark = inclusive_mark(sp);

    ccprof_called_cut(stack, sp);
    inclusive_each_below(stack, sp, inclusive_mark_pair, &mark);
    atomic_signal_fence(memory_order_seq_cst);
    for (struct ccprof_pair *pairs = stack->open; pairs;
         pairs = ((struct ccprof_calls *)pairs - 1)->next)
        for (size_t i = ((struct ccprof_calls *)pairs - 1)->count;
             i-- > CCPROF_CALLS_FIRST;)
            if (pairs[i].depth >= mark)
                inclusive_close(stack, &pairs[i], false);
    while (stack->open && stack->open->depth >= mark) {
        struct ccprof_pair *pair = stack->open;
        stack->open = ((struct ccprof_calls *)pair - 1)->next;
        atomic_signal_fence(memory_order_seq_cst);
        inclusive_close(stack, pair, true);
    }
}

/* A signal handler may run on a stack of its own. */
INCLUSIVE_GENERAL static bool inclusive_is_on_handlers_stack(void)
{
    stack_t now;
    return syscall(SYS_sigaltstack, NULL, &now) == 0 && now.ss_flags & SS_ONSTACK;
}

/* Returns whether the pair is of a call in an open function; otherwise it is of a
   function that begins. */
INCLUSIVE_GENERAL static bool inclusive_is_call(const struct ccprof_stack_thread *stack,
                                                const struct ccprof_pair *pair)
{
    for (const struct ccprof_pair *pairs = stack->open; pairs;
         pairs = ((const struct ccprof_calls *)pairs - 1)->next)
        if (pair > pairs &&
            pair < pairs + ((const struct ccprof_calls *)pairs - 1)->count)
            return true;
    return false;
}

/* ccprof_stack_thread.settle. A pair whose function was left without notice (by an
   exception that code without pairs has caught, or by a longjmp that has not arrived yet
   when a signal comes) is closed by the next call, if this call is certainly on the same
   stack. Otherwise all inclusive counts are wrong. */
INCLUSIVE_GENERAL static void inclusive_settle(struct ccprof_stack_thread *stack,
                                               struct ccprof_pair *pair,
                                               unsigned long long sp)
{
    bool inside = sp >= stack->low && sp <= stack->high;

    if (!pair) {
        inclusive_close_below(stack, sp);
        return;
    }
    if (pair->depth > sp && inside)
        return;
    if (!inclusive_is_on_handlers_stack()) {
        if (pair->depth && inside && stack->low)
            inclusive_close_below(stack, sp);
        else
            stack->switched = 1;
    }
    if (pair->depth == 0)
        inclusive_open(stack, pair, sp, !inclusive_is_call(stack, pair));
    else if (stack->switched)
        pair->depth = sp;
}

/* Sets the bounds of the calling thread's machine stack. The first thread's stack grows
   to a limit; that of other threads ends below the thread pointer (glibc, musl). */
static void inclusive_set_bounds(struct ccprof_stack_thread *stack)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    struct rlimit limit = {RLIM_INFINITY, 0};
    bool first = ccprof_sys_gettid() == ccprof_sys_getpid();

    stack->low = 0;
    stack->high = first ? UINTPTR_MAX : (uintptr_t)__builtin_thread_pointer();
    if (first && syscall(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit) == 0 &&
        limit.rlim_cur < here)
        stack->low = here - limit.rlim_cur;
}

static const struct ccprof_pair *
inclusive_module_pair(const struct ccprof_counts_module *module, size_t i)
{
    return (const struct ccprof_pair *)module->storage + i;
}

/* Returns whether pair I of the module is a struct ccprof_calls. */
static bool inclusive_is_head(const struct ccprof_counts_module *module, size_t i)
{
    return inclusive_module_pair(module, i)->inclusive >> 48 == CCPROF_CALLS_MARK >> 48;
}

/* The executable's code has begun to use OWN. The thread's other stack is known only to
   shared objects, which another thread may be executing. */
static bool inclusive_move(struct ccprof_counts_thread *thread,
                           struct ccprof_stack_thread *own)
{
    if (thread->tid != ccprof_sys_gettid())
        switched = true;
    *own = *thread->stack;
    own->trace = NULL; /* which needs the usual stack */
    thread->stack = own;
    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++) {
        const struct ccprof_counts_module *module = &ccprof_counts_modules[i];
        if (module->form == &ccprof_inclusive_form && inclusive_copy(module, thread))
            inclusive_set(module, thread, own, ccprof_inclusive_delta(module, thread));
    }
    return true;
}

/* OWN is the module's structure for this thread, or null. */
static bool inclusive_has_stack(struct ccprof_counts_thread *thread,
                                struct ccprof_stack_thread *own)
{
    void *entries;

    if (thread->entries && (!own || thread->stack == own))
        return true;
    if (thread->entries)
        return inclusive_move(thread, own);
    if (ccprof_strict)
        return false;
    entries =
        mmap(NULL, INCLUSIVE_ENTRIES * sizeof *thread->entries, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (entries == MAP_FAILED)
        return false;
    thread->entries = entries;
    thread->serial = atomic_fetch_add(&last_serial, 1) + 1;
    thread->stack = own ? own : &thread->usual_stack;
    *thread->stack = (struct ccprof_stack_thread){
        .top = thread->entries,
        .limit = thread->entries + INCLUSIVE_ENTRIES - CCPROF_STACK_ENTRIES,
        .settle = inclusive_settle,
        .indirect = ccprof_called_indirect};
    ccprof_called_begin(thread->stack);
    inclusive_set_bounds(thread->stack);
    if (ccprof_inclusive_stack_made)
        ccprof_inclusive_stack_made(thread, INCLUSIVE_ENTRIES);
    return true;
}

static void inclusive_give(const struct ccprof_counts_module *module,
                           struct ccprof_counts_thread *thread)
{
    struct ccprof_stack_thread *own =
        module->has_stacks
            ? (struct ccprof_stack_thread *)(inclusive_word(module, thread) + 1)
            : NULL;
    struct ccprof_pair *copy;

    if (!inclusive_has_stack(thread, own) ||
        (module->place && !ccprof_counts_words_make(thread)))
        return;
    copy = ccprof_pages_map(inclusive_size(module));
    if (!copy)
        return;
    for (size_t i = 0; i < module->count; i++)
        if (inclusive_is_head(module, i))
            copy[i].inclusive =
                inclusive_module_pair(module, i)->inclusive - CCPROF_CALLS_MARK;
    inclusive_set(module, thread, thread->stack,
                  (uintptr_t)copy - (uintptr_t)module->storage);
}

/* Reads the count of a pair. A count greater than the thread's total shows that the
   pair was read in the middle of a change; it is then read again. Returns 0 if all
   attempts fail. */
static uint64_t inclusive_read(const struct ccprof_pair *pair,
                               const struct ccprof_stack_thread *stack)
{
    for (int i = 0; i < INCLUSIVE_TRIES; i++) {
        uint64_t depth = __atomic_load_n(&pair->depth, __ATOMIC_SEQ_CST);
        uint64_t count = __atomic_load_n(&pair->inclusive, __ATOMIC_SEQ_CST);
        uint64_t total = __atomic_load_n(&stack->total, __ATOMIC_SEQ_CST);
        if (depth)
            count += total;
        if (depth == __atomic_load_n(&pair->depth, __ATOMIC_SEQ_CST) && count <= total)
            return count;
    }
    return 0;
}

static uint64_t inclusive_own(const struct ccprof_counts_module *module,
                              const struct ccprof_counts_thread *thread, size_t i)
{
    const struct ccprof_pair *copy = inclusive_copy(module, thread);
    return copy && !inclusive_is_head(module, i) ? inclusive_read(&copy[i], thread->stack)
                                                 : 0;
}

static void inclusive_take(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread)
{
    struct ccprof_pair *copy = inclusive_copy(module, thread);

    if (!copy)
        return;
    for (size_t i = 0; i < module->count; i++)
        module->totals[i] += inclusive_own(module, thread, i);
    inclusive_set(module, thread, module->none, 0);
    if (!thread->goes_on)
        munmap(copy, inclusive_size(module));
}

static void inclusive_count_open(void *count, struct ccprof_pair *pair, bool function)
{
    (void)pair;
    (void)function;
    ++*(size_t *)count;
}

static void inclusive_park_open(void *next, struct ccprof_pair *pair, bool function)
{
    struct ccprof_inclusive_entry **entry = next;
    *(*entry)++ = (struct ccprof_inclusive_entry){pair, pair->depth, function};
}

void ccprof_inclusive_park(struct ccprof_counts_thread *thread,
                           struct ccprof_inclusive_parked *parked, const stack_t *onto)
{
    struct ccprof_stack_thread *stack = thread->stack;
    struct ccprof_inclusive_entry *entries = parked->few;
    size_t entered = thread->entries ? (size_t)(stack->top - thread->entries) : 0;

    parked->more = NULL;
    parked->count = entered;
    parked->serial = thread->entries ? thread->serial : 0;
    if (!thread->entries)
        return;
    parked->low = stack->low;
    parked->high = stack->high;
    stack->low = onto->ss_size ? (uintptr_t)onto->ss_sp : 0;
    stack->high = onto->ss_size ? (uintptr_t)onto->ss_sp + onto->ss_size : UINTPTR_MAX;
    inclusive_each_below(stack, UINTPTR_MAX, inclusive_count_open, &parked->count);
    if (parked->count > CCPROF_INCLUSIVE_FEW) {
        parked->more = ccprof_pages_map(parked->count * sizeof *parked->more);
        entries = parked->more;
        if (!entries) {
            parked->count = entered = 0;
            switched = true;
        }
    }
    for (size_t i = 0; i < entered; i++)
        *entries++ = (struct ccprof_inclusive_entry){thread->entries[i], 0, false};
    if (parked->count > entered)
        inclusive_each_below(stack, UINTPTR_MAX, inclusive_park_open, &entries);
    inclusive_close_below(stack, UINTPTR_MAX >> 1);
    while (stack->top > thread->entries) {
        struct ccprof_pair **entry = stack->top - 1, *pair = *entry;
        /* Read the entry before it is removed: a signal handler overwrites entries
           above the top. */
        atomic_signal_fence(memory_order_seq_cst);
        stack->top = entry;
        if (pair && --pair->depth == 0)
            pair->inclusive += stack->total;
    }
}

static void inclusive_enter_again(struct ccprof_stack_thread *stack,
                                  struct ccprof_pair *pair)
{
    struct ccprof_pair **entry = stack->top;

    stack->top = entry + 1;
    atomic_signal_fence(memory_order_seq_cst);
    *entry = pair;
    if (pair && pair->depth++ == 0)
        pair->inclusive -= stack->total;
}

void ccprof_inclusive_resume(struct ccprof_counts_thread *thread,
                             struct ccprof_inclusive_parked *parked)
{
    const struct ccprof_inclusive_entry *entries =
        parked->more ? parked->more : parked->few;
    struct ccprof_stack_thread *stack = thread->stack;
    struct ccprof_inclusive_parked left;
    bool same = thread->entries ? thread->serial == parked->serial : parked->serial == 0;

    if (!same)
        switched = true;
    if (same && thread->entries) {
        const stack_t unknown = {.ss_size = 0};
        ccprof_inclusive_park(thread, &left, &unknown);
        stack->low = parked->low;
        stack->high = parked->high;
        if (left.more)
            munmap(left.more, left.count * sizeof *left.more);
        for (size_t i = 0; i < parked->count; i++)
            if (!entries[i].pointer)
                inclusive_enter_again(stack, entries[i].pair);
        for (size_t i = parked->count; i-- > 0;)
            if (entries[i].pointer)
                inclusive_open(stack, entries[i].pair, entries[i].pointer,
                               entries[i].function);
    }
    if (parked->more)
        munmap(parked->more, parked->count * sizeof *parked->more);
}

bool ccprof_inclusive_are_wrong(void)
{
    bool wrong = switched;

    for (const struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        wrong |= t->entries && t->stack->switched;
    return wrong;
}

void ccprof_inclusive_end(struct ccprof_counts_thread *thread)
{
    switched |= thread->entries && thread->stack->switched;
    if (thread->entries && !thread->goes_on)
        munmap(thread->entries, INCLUSIVE_ENTRIES * sizeof *thread->entries);
    if (thread->entries) {
        thread->stack->settle = NULL;
        thread->stack->indirect = NULL;
        ccprof_called_end(thread->stack);
        thread->stack->open = NULL;
    }
    thread->entries = NULL;
    if (thread->printed && !thread->goes_on)
        munmap(thread->printed, thread->printed_size);
    thread->printed = NULL;
}

static void inclusive_zero(const struct ccprof_counts_module *module,
                           struct ccprof_counts_thread *thread)
{
    struct ccprof_pair *copy = inclusive_copy(module, thread);

    if (thread->entries)
        thread->stack->total = thread->stack->switched = 0;
    if (thread->entries)
        ccprof_called_zero(thread->stack);
    switched = false;
    for (size_t i = 0; copy && i < module->count; i++)
        if (!inclusive_is_head(module, i))
            copy[i].inclusive = 0;
}

const struct ccprof_counts_form ccprof_inclusive_form = {
    .words = sizeof(struct ccprof_pair) / sizeof(uint64_t),
    .give = inclusive_give,
    .take = inclusive_take,
    .private_count = inclusive_own,
    .zero = inclusive_zero};
