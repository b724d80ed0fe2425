// SPDX-License-Identifier: GPL-3.0-or-later
// stress SECONDS OBJECT...: 16 threads that do, for so long on the clock, what is hard
// for a profiler that interrupts them anywhere: they throw exceptions through many
// frames, recurse deeply and on ever new paths, load and unload the shared objects, and
// make threads that jump out of signal handlers.  Each round's result is known and
// checked. Exit status 3 if all were right.

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#define KEEP __attribute__((noinline, noclone))

static double deadline;
static char **objects;
static int objects_number;
static std::atomic<unsigned long> rounds[4];

static double now()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

static void expect(const char *what, unsigned long got, unsigned long want)
{
    if (got == want)
        return;
    std::printf("%s: %lu, not %lu\n", what, got, want);
    std::fflush(stdout);
    _exit(1);
}

// xorshift64
static unsigned next(unsigned long *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return unsigned(*state >> 32);
}

struct Guard {
    explicit Guard(unsigned long *gone) : gone(gone)
    {
    }
    ~Guard()
    {
        ++*gone;
    }
    unsigned long *gone;
};

static KEEP unsigned long thrower(unsigned depth, unsigned long *gone)
{
    Guard guard(gone);
    if (depth == 0)
        throw gone;
    return thrower(depth - 1, gone) + 1;
}

static KEEP void throws(unsigned long *random)
{
    unsigned depth = next(random) % 100;
    unsigned long gone = 0;
    try {
        thrower(depth, &gone);
    } catch (unsigned long *caught) {
        expect("exception", caught == &gone, 1);
    }
    expect("destructors", gone, depth + 1);
}

static KEEP unsigned long sum(unsigned depth)
{
    volatile unsigned long here = depth;
    return depth == 0 ? 0 : sum(depth - 1) + here;
}

static KEEP unsigned long left(unsigned depth, unsigned long *random);

static KEEP unsigned long right(unsigned depth, unsigned long *random)
{
    if (depth == 0)
        return sum(30);
    if (next(random) & 1)
        return right(depth - 1, random) + 1;
    return left(depth - 1, random) + 1;
}

static KEEP unsigned long left(unsigned depth, unsigned long *random)
{
    return depth == 0 ? sum(30) : right(depth - 1, random) + 1;
}

static KEEP void recurses(unsigned long *random)
{
    unsigned long depth = next(random) % 20000;
    expect("sum", sum(unsigned(depth)), depth * (depth + 1) / 2);
    depth = next(random) % 80;
    expect("paths", right(unsigned(depth), random), 465 + depth);
}

static KEEP void loads(unsigned long *random)
{
    unsigned long x = next(random) % 1000;
    void *object =
        dlopen(objects[next(random) % unsigned(objects_number)], RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        std::printf("%s\n", dlerror());
        _exit(1);
    }
    auto work = reinterpret_cast<unsigned long (*)(unsigned long)>(dlsym(object, "work"));
    expect("work", work(x), 3 * x);
    dlclose(object);
}

static thread_local sigjmp_buf landing;

static void jump(int)
{
    siglongjmp(landing, 1);
}

static KEEP void *brief(void *argument)
{
    for (volatile int i = 0; i < 20; i++)
        if (sigsetjmp(landing, 1) == 0)
            raise(SIGUSR1);
    return argument;
}

static KEEP void makes(unsigned long *random)
{
    pthread_t thread;
    void *value;
    expect("pthread_create", unsigned(pthread_create(&thread, nullptr, brief, random)),
           0);
    pthread_join(thread, &value);
    expect("thread", value == random, 1);
}

static void (*const works[])(unsigned long *random) = {throws, recurses, loads, makes};

static void *run(void *number)
{
    auto n = reinterpret_cast<unsigned long>(number);
    unsigned long random = 88172645463325252u + n * 1000003;
    while (now() < deadline) {
        works[n % 4](&random);
        rounds[n % 4]++;
    }
    return nullptr;
}

int main(int argc, char **argv)
{
    pthread_t threads[16];

    if (argc < 3)
        return 2;
    deadline = now() + std::atof(argv[1]);
    objects = argv + 2;
    objects_number = argc - 2;
    std::signal(SIGUSR1, jump);
    for (unsigned long i = 0; i < 16; i++)
        pthread_create(&threads[i], nullptr, run, reinterpret_cast<void *>(i));
    for (pthread_t thread : threads)
        pthread_join(thread, nullptr);
    std::printf("%lu throws, %lu recursions, %lu loads, %lu threads\n", rounds[0].load(),
                rounds[1].load(), rounds[2].load(), rounds[3].load());
    return 3;
}
