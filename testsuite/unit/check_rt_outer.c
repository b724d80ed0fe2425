/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/unwind/stack.c rt/unwind/outer.c rt/unwind/fold.c rt/unwind/guess.c
   rt/unwind/guess-x86_64.c rt/unwind/unwind.c rt/unwind/unwind-rules.c
   rt/unwind/unwind-tables.c rt/unwind/cpu-x86_64.c rt/os/memory.c rt/os/lock.c */
/* Captures deep stacks that grow and shrink, and compares them with complete walks in the
   same handler. */

#include "rt_tests.h"
#include <sys/resource.h>

#include "rt/unwind/outer.h"

#define MOST 250000

static struct ccprof_stack_work work;
static struct ccprof_unwind other;
static uint64_t whole[MOST]; /* innermost first */
static uint32_t depth;
static int samples, wrong, cut;

static bool is_on(const struct ccprof_stack *stack, uint32_t from, uint64_t address)
{
    for (uint32_t i = from; i < stack->depth; i++)
        if (stack->address[i] == address)
            return true;
    return false;
}

/* Returns the outermost frame with this address that is further in than AT; AT if there
   is none. */
static uint32_t outermost(uint32_t at, uint64_t address)
{
    for (uint32_t i = at; i-- > 0;)
        if (whole[i] == address)
            return i;
    return at;
}

/* Returns the position of the stack's frame FRAME in the complete stack, where the next
   outer frame is at AT. The first frame of a call is the outermost one with its address,
   its caller is next to it, and so on. */
static uint32_t place(const struct ccprof_stack *stack, uint32_t frame, uint32_t at)
{
    uint64_t address = stack->address[frame], next = stack->address[frame - 1];

    if (is_on(stack, frame + 1, address) && next != CCPROF_STACK_REPEATED &&
        !is_on(stack, frame, next)) {
        uint32_t first = outermost(at, next) + 1;
        return first < at && whole[first] == address ? first : at;
    }
    return outermost(at, address);
}

/* Returns the error, or NULL. */
static const char *compare(const struct ccprof_stack *stack)
{
    uint32_t exact = 0, at = depth;
    bool mark = false;

    while (exact < stack->depth && exact < depth && stack->address[exact] == whole[exact])
        exact++;
    if (depth <= CCPROF_STACK_FRAMES || stack->depth == exact)
        return stack->depth == depth && exact == depth ? NULL : "not as it is";
    if (exact < CCPROF_STACK_INNER)
        return "the innermost frames are others";
    if (stack->address[stack->depth - 1] == CCPROF_STACK_CUT) {
        cut++;
        return NULL;
    }
    /* From the outermost frame inwards. */
    for (uint32_t i = stack->depth; i-- > exact;) {
        uint64_t address = stack->address[i];
        if (address == CCPROF_STACK_REPEATED) {
            mark = true;
            continue;
        }
        uint32_t here = place(stack, i, at);
        if (here == at)
            return "a frame that is not there";
        for (uint32_t left = here + 1; left < at; left++)
            if (mark ? !is_on(stack, i + 1, whole[left])
                     : at == depth || whole[left] != whole[at])
                return mark ? "left out and nowhere else" : "left out without a mark";
        at = here;
        mark = false;
    }
    if (!mark && at != exact)
        return "left out without a mark before the innermost frames";
    for (uint32_t left = exact; left < at; left++)
        if (!is_on(stack, exact, whole[left]))
            return "left out before the innermost frames and nowhere else";
    return NULL;
}

static void sample(int number, siginfo_t *info, void *context)
{
    const char *fault;
    ccprof_unwind_start(&other, context);
    depth = 0;
    do
        whole[depth++] = other.exact ? other.pc : other.pc - 1;
    while (ccprof_unwind_step(&other) && depth < MOST);
    ccprof_stack_capture(&work, context);
    samples++;
    fault = compare(&work.stack);
    if (fault && wrong++ == 0)
        fprintf(stderr, "sample %d, depth %u: %s\n", samples, depth, fault);
}

/* Recursions are deep. */
static void setup(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = limit.rlim_max < 64 << 20 ? limit.rlim_max : 64 << 20;
    setrlimit(RLIMIT_STACK, &limit);
    signal_handle(SIGPROF, sample, 0);
}

/* Functions that call the next level. All have frames of the same size. */
static void level(int number);
static int (*plan)(int number);

#define WAY(name)                                                                        \
    static __attribute__((noinline, noclone)) void name(int number)                      \
    {                                                                                    \
        level(number);                                                                   \
        __asm__ volatile("" ::: "memory");                                               \
    }
WAY(way_a)
WAY(way_b)
WAY(way_c)

#define WAYS 3
static void (*const ways[WAYS])(int) = {way_a, way_b, way_c};

/* At level `want', takes a sample and chooses the next level, until there are enough
   samples. */
static int want, enough, farthest, deepest;
static unsigned seed;

static void choose(void)
{
    int by = rand_r(&seed) % 4 == 0 ? farthest : 200;
    want += rand_r(&seed) % (2 * by + 1) - by;
    want = want < 1 ? 1 : want > deepest ? deepest : want;
}

static __attribute__((noinline, noclone)) void level(int number)
{
    while (samples < enough && want >= number) {
        if (want == number) {
            raise(SIGPROF);
            choose();
        } else {
            ways[plan(number)](number + 1);
        }
    }
}

/* Takes COUNT samples of a recursion between level 1 and level MOST, whose levels call
   each other as PLAN says. FAR is the largest number of levels between two samples. */
static void climb(int most, int far, int count)
{
    deepest = most;
    farthest = far;
    want = most / 2;
    enough = samples + count;
    level(1);
}

static int one_way(int number)
{
    return 0;
}

/* Each level always uses the same function. For most levels it is one of the first two,
   for others any. */
static int by_level(int number)
{
    unsigned hash = (unsigned)number * 2654435761u >> 8;
    return hash % 97 == 0 ? (int)(hash / 97 % WAYS) : number / 700 % 2;
}

static int mixed(int number)
{
    return (int)(((unsigned)number * 2654435761u >> 8) % WAYS);
}

/* The stack grows and shrinks. When a function has returned and is called again, its
   frame is the same as before. */
TEST_TIMES(test_random, 3)
{
    static int (*const plans[])(int) = {one_way, by_level, mixed};
    if (signals_held_back)
        return;
    seed = (unsigned)_i;
    plan = plans[_i];
    climb(6000, 2000, 3000);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(cut, 0);
    climb(400, 200, 100);
    climb(15000, 15000, 300);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(samples, 3000);
}

static int first_way, second_way, turning;

static int two_parts(int number)
{
    return number < turning ? first_way : number == turning ? second_way : 0;
}

/* Takes one sample at this depth, starting at the first level. */
static void once(int at)
{
    plan = two_parts;
    want = deepest = at;
    enough = samples + 1;
    level(1);
}

/* Another function replaces a frame of a recursion that the fold left out. The runtime
   does not notice this unless it happens to check the frame, until it makes the next
   complete walk. It notices when a third function or the recursion itself replaces the
   function. */
TEST(test_in_a_recursion)
{
    /* The cost of a complete walk, in samples. A level has two frames. */
    const int most = 6000 * 2 / CCPROF_OUTER_ALLOWANCE + 2;
    int overlooked = 0;

    if (signals_held_back)
        return;
    turning = 3000;
    for (int i = 0; i < most + 6; i++) {
        int before = wrong;
        second_way = i < 2 ? 0 : i < most + 2 ? 1 : i < most + 4 ? 2 : 0;
        once(6000);
        if (wrong == before)
            continue;
        ck_assert_int_eq(i, 2 + overlooked);
        overlooked++;
    }
    ck_assert_int_ge(overlooked, 1);
    ck_assert_int_lt(overlooked, most);
    ck_assert_int_eq(cut, 0);
}

/* In each sample one function far out has changed, and all inner frames are at the same
   addresses. The first sample already shows the change. Only a limited number of frames
   more than in other samples are walked. If the credit is used up, the stack is marked as
   cut. */
TEST(test_without_credit)
{
    int told = 0;
    if (signals_held_back)
        return;
    turning = 1;
    /* Each sample walks the outermost part again, from the changed frame inwards. */
    for (int i = 0; i < 300 && cut == 0; i++) {
        second_way = 1 + i % 2;
        once(50000);
        ck_assert_int_eq(wrong, 0);
        told = samples;
    }
    /* As often as the credit allows, and no more often. */
    ck_assert_int_ge(told, CCPROF_OUTER_CREDIT / (2 * 50000));
    ck_assert_int_le(told, CCPROF_OUTER_CREDIT / (2 * 49000) + 2);
    ck_assert_uint_eq(work.stack.address[work.stack.depth - 1], CCPROF_STACK_CUT);
    ck_assert(is_on(&work.stack, 0, whole[0]));
}

static pthread_barrier_t all;
static struct ccprof_outer *had[CCPROF_OUTERS + 8];

static void *takes(void *to)
{
    struct ccprof_outer **taken = to;
    *taken = ccprof_outer_take();
    pthread_barrier_wait(&all);
    if (*taken)
        ccprof_outer_give_back(*taken);
    return NULL;
}

/* More threads at the same time than there are outer stacks. */
TEST(test_threads)
{
    const int count = LENGTH(had);
    int got = 0;

    pthread_barrier_init(&all, NULL, (unsigned)count);
    threads_run(count, takes, had, sizeof *had);
    for (int i = 0; i < count; i++) {
        got += had[i] != NULL;
        for (int k = 0; k < i; k++)
            ck_assert(!had[i] || had[i] != had[k]);
    }
    ck_assert_int_ge(got, 1);
    ck_assert_int_le(got, CCPROF_OUTERS);
    ck_assert_ptr_nonnull(ccprof_outer_take());
    ck_assert_ptr_null(ccprof_outer_take());
    /* In the child of a fork all outer stacks are free. */
    ccprof_outer_drop();
    ck_assert_ptr_nonnull(ccprof_outer_take());
}

TEST_AROUND(setup, NULL)
