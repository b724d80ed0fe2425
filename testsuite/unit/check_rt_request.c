/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/process/request.c rt/process/request-number.c rt/os/file.c rt/os/text.c
   rt/os/timer.c rt/os/lock.c rt/os/libc-shared.c */
/* Requests to this process, sent by itself: which of them it answers, with what, and
   when. Only the numbers in doc/requests.md are used. */

#include "rt_tests.h"
#include <dirent.h>
#include "rt/os/libc.h"
#include "rt/heap/heap.h"
#include "rt/process/choices.h"
#include "rt/process/gate.h"
#include "rt/process/request.h"
#include "rt/process/run.h"
#include "rt/process/write.h"
#include "standins.h"

#define SECOND 1000000000u

struct ccprof_run ccprof_run;

/* sigqueue is declared as a leaf: GCC does not expect that the handler uses these. */
static volatile int lent, reclaimed, result;
static volatile bool postpones, signal_is_ours = true, is_active = true, exists = true;
static volatile int woken, wake_result;
static volatile unsigned chosen_rate, chosen_times;
static volatile int choice_result;
static volatile bool prepared;
static volatile int recorded;
static void (*later)(void);

DOES(ccprof_gate_lend, (void), lent++)
DOES(ccprof_gate_reclaim, (void), reclaimed++)
DOES_NOTHING(ccprof_run_leave, (void))
RETURNS(int, ccprof_choices_rate, (unsigned hz), (chosen_rate = hz, choice_result))
RETURNS(int, ccprof_choices_times, (unsigned ms), (chosen_times = ms, choice_result))
RETURNS(bool, ccprof_run_enter, (void), is_active)
RETURNS(bool, ccprof_run_exists, (void), exists)

bool ccprof_heap_postpone(void (*function)(void))
{
    later = function;
    return postpones;
}

bool ccprof_heap_record(bool is_later)
{
    ck_assert(is_later);
    recorded++;
    return prepared;
}

/* Writes half of an answer before an error. */
int ccprof_write_answer(const struct ccprof_file *file)
{
    ck_assert_int_eq(ccprof_file_write(file, "data\n", 5), 5);
    return result;
}

RETURNS(bool, ccprof_signals_are_default, (const struct sigaction *action), true)

static bool is_ours(void)
{
    return signal_is_ours;
}

static uint64_t now(void)
{
    return ccprof_sys_clock(CLOCK_REALTIME);
}

static uint64_t value(uint64_t operation, uint64_t argument, uint64_t deadline)
{
    return UINT64_C(0xcca5) << 48 | UINT64_C(1) << 44 | operation << 40 | argument << 24 |
           (deadline >> 26 & 0xffffff);
}

static void start(void)
{
    ccprof_run.owner = getpid();
    ccprof_run.settings.ask = ccprof_run.settings.samples = ccprof_run.samples = true;
    ccprof_run.kinds = CCPROF_KIND_TIME;
    ccprof_run.signal_is_ours = is_ours;
    ccprof_request_install(NULL);
}

static void ask(uint64_t request)
{
    sigqueue(getpid(), SIGURG, (union sigval){.sival_ptr = (void *)request});
}

/* Waits until the process answers requests again. */
static void pause_between(void)
{
    usleep(60000);
}

/* Returns the content of the only answer, and its NAME; null if there is none. */
static const char *answer(char *name)
{
    static char text[100];
    DIR *folder = opendir("/proc/self/fd");
    int found = 0;

    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[300], link[100] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        if (readlink(path, link, sizeof link - 1) < 0 ||
            strncmp(link, "/memfd:ccprof:", 14) != 0)
            continue;
        found++;
        memcpy(name, link, sizeof link);
        int fd = open(path, O_RDONLY);
        ck_assert_int_eq(fcntl(fd, F_GET_SEALS) & 15, 15);
        ssize_t length = read(fd, text, sizeof text - 1);
        text[length > 0 ? length : 0] = '\0';
        close(fd);
    }
    closedir(folder);
    ck_assert_int_le(found, 1);
    return found ? text : NULL;
}

TEST(test_decode)
{
    struct ccprof_request request;

    ck_assert(ccprof_request_decode(0xcca52f1234abcdef, &request));
    ck_assert_uint_eq(request.version, 2);
    ck_assert_uint_eq(request.operation, 15);
    ck_assert_uint_eq(request.argument, 0x1234);
    ck_assert_uint_eq(request.deadline, 0xabcdef);
    ck_assert(!ccprof_request_decode(0xcca42f1234abcdef, &request));
    ck_assert(!ccprof_request_decode(0, &request));
}

/* The deadline is the unit 5; the clock of 24 bits has gone round once. */
TEST(test_late)
{
    const uint64_t unit = UINT64_C(1) << 26, around = unit << 24;
    struct ccprof_request request = {.deadline = 5};

    ck_assert(!ccprof_request_is_late(&request, around + 4 * unit));
    ck_assert(!ccprof_request_is_late(&request, around + 5 * unit));
    ck_assert(!ccprof_request_is_late(&request, around + 6 * unit - 1));
    ck_assert(ccprof_request_is_late(&request, around + 6 * unit));
    ck_assert(ccprof_request_is_late(&request, around + (5 + (1 << 23) - 1) * unit));
    ck_assert(!ccprof_request_is_late(&request, around + (5 + (1 << 23)) * unit));
    ck_assert(!ccprof_request_is_late(&request, around - unit));
}

TEST(test_answers)
{
    char name[100], due[100];
    uint64_t before = now(), at;
    int end = 0;

    start();
    ask(value(1, 7, now() + SECOND));
    ck_assert_str_eq(answer(name), "data\n");
    ck_assert_int_eq(sscanf(name, "/memfd:ccprof:1:1:7:%lu (deleted)%n", &at, &end), 1);
    ck_assert_int_eq(name[end], '\0');
    ck_assert(before <= at && at <= now());
    ck_assert_int_eq(lent, 1);
    /* Too early for another one, unless this thread has waited for a processor. */
    ask(value(0, 0, now() + SECOND));
    answer(due);
    ck_assert(strcmp(name, due) == 0 || now() - before > SECOND / 20);
    pause_between();
    ask(value(2, 0, now() + SECOND));
    ck_assert_str_eq(answer(name), "data\n");
    ck_assert_int_eq(strncmp(name, "/memfd:ccprof:1:2:0:", 20), 0);
    ck_assert_int_eq(reclaimed, 1);
}

static void ask_as(pid_t pid, uint64_t request)
{
    siginfo_t info = {.si_signo = SIGURG, .si_code = SI_QUEUE};

    info.si_pid = pid;
    info.si_value.sival_ptr = (void *)request;
    syscall(SYS_rt_sigqueueinfo, getpid(), SIGURG, &info);
}

/* Sends the request of the asker PID and returns its answer. */
static const char *answer_to(pid_t pid, uint64_t operation, uint64_t argument)
{
    static char name[100];

    pause_between();
    ask_as(pid, value(operation, argument, now() + SECOND));
    return answer(name);
}

/* An asker ends only its own sampling, and only if it was the only one. */
TEST(test_stop)
{
    start();
    answer_to(1, 1, 5);
    answer_to(1, 1, 6);
    answer_to(2, 2, 0);
    ck_assert_int_eq(reclaimed, 0);
    answer_to(1, 2, 0);
    ck_assert_int_eq(reclaimed, 1);
    answer_to(1, 2, 0);
    ck_assert_int_eq(reclaimed, 1);
    answer_to(1, 1, 5);
    answer_to(2, 1, 6);
    answer_to(1, 1, 7);
    answer_to(1, 2, 0);
    answer_to(2, 2, 0);
    answer_to(0, 1, 1);
    answer_to(0, 2, 0);
    ck_assert_int_eq(reclaimed, 1);
    ccprof_request_drop();
}

/* The numbers are accepted in their range, and the refusal names the present ones. */
TEST(test_choices)
{
    char name[100];

    start();
    ccprof_run.settings.rate = 250;
    ccprof_run.settings.times = 0;
    ck_assert_str_eq(answer_to(1, 3, 10000), "data\n");
    ck_assert_uint_eq(chosen_rate, 10000);
    ck_assert_str_eq(answer_to(1, 4, 60000), "data\n");
    ck_assert_uint_eq(chosen_times, 60000);
    ck_assert_str_eq(answer_to(1, 4, 0), "data\n");
    ck_assert_uint_eq(chosen_times, 0);
    choice_result = EBUSY;
    ck_assert_str_eq(answer_to(1, 3, 1), "refused rate 250\n");
    ck_assert_str_eq(answer_to(1, 4, 10), "refused times 0\n");
    choice_result = ENODATA;
    ck_assert_str_eq(answer_to(1, 3, 1), "refused samples\n");
    ccprof_request_drop();
    answer_to(1, 3, 0);
    answer_to(1, 3, 10001);
    answer_to(1, 4, 60001);
    answer_to(1, 5, 1);
    answer_to(1, 6, 0);
    ck_assert_ptr_null(answer(name));
    ck_assert_uint_eq(chosen_rate, 1);
    ck_assert_uint_eq(chosen_times, 10);
}

/* Only a complete answer replaces the one before. */
TEST(test_errors)
{
    char name[100], before[100];

    start();
    result = EIO;
    ask(value(0, 0, now() + SECOND));
    ck_assert_str_eq(answer(before), "refused error 5\n");
    pause_between();
    result = EAGAIN;
    ask(value(0, 0, now() + SECOND));
    ck_assert_str_eq(answer(name), "refused error 5\n");
    ck_assert_str_eq(name, before);
    pause_between();
    result = ECANCELED;
    ask(value(0, 0, now() + SECOND));
    ck_assert_str_eq(answer(name), "refused ended\n");
    pause_between();
    result = 0;
    signal_is_ours = false;
    ask(value(1, 1, now() + SECOND));
    ck_assert_str_eq(answer(name), "refused samples\n");
    pause_between();
    is_active = false;
    ask(value(1, 1, now() + SECOND));
    ck_assert_str_eq(answer(name), "refused ended\n");
    ck_assert_int_eq(lent, 0);
}

/* A request switches the heap on if it is prepared. */
TEST(test_heap)
{
    char name[100];

    start();
    ask(value(5, 1, now() + SECOND));
    ask(value(6, 0, now() + SECOND));
    ck_assert_ptr_null(answer(name));
    ck_assert_int_eq(recorded, 0);
    ask(value(5, 0, now() + SECOND));
    ck_assert_str_eq(answer(name), "refused heap\n");
    ck_assert_int_eq(recorded, 1);
    pause_between();
    prepared = true;
    ask(value(5, 0, now() + SECOND));
    ck_assert_str_eq(answer(name), "data\n");
    ck_assert_int_eq(strncmp(name, "/memfd:ccprof:1:5:0:", 20), 0);
    ck_assert_int_eq(recorded, 2);
    pause_between();
    is_active = false;
    ask(value(5, 0, now() + SECOND));
    ck_assert_str_eq(answer(name), "refused ended\n");
    ck_assert_int_eq(recorded, 2);
}

/* A child of vfork shares the memory, but is another process. In the middle of the heap,
   the answer comes later, and no other one in between. */
TEST(test_others)
{
    char name[100];

    start();
    ccprof_run.owner = getpid() + 1;
    ask(value(0, 0, now() + SECOND));
    ck_assert_ptr_null(answer(name));
    ccprof_run.owner = getpid();
    postpones = true;
    ask(value(0, 0, now() + SECOND));
    postpones = false;
    ask(value(1, 1, now() + SECOND));
    ck_assert_ptr_null(answer(name));
    later();
    ck_assert_str_eq(answer(name), "data\n");
    ck_assert_int_eq(strncmp(name, "/memfd:ccprof:1:0:0:", 20), 0);
    ccprof_request_drop();
    ck_assert_ptr_null(answer(name));
}

static int wake(void)
{
    woken++;
    return wake_result;
}

/* A dormant process: the first request starts the run. If another thread is attaching
   modules there is no answer yet, and if nothing can be measured a refusal. */
TEST(test_wake)
{
    char name[100];

    start();
    ccprof_request_install(wake);
    wake_result = EAGAIN;
    ask(value(0, 0, now() + SECOND));
    ck_assert_int_eq(woken, 1);
    ck_assert_ptr_null(answer(name));
    wake_result = ENODATA;
    exists = false;
    ask(value(0, 0, now() + SECOND));
    ck_assert_int_eq(woken, 2);
    ck_assert_str_eq(answer(name), "refused samples\n");
    pause_between();
    wake_result = 0;
    exists = true;
    ask(value(0, 0, now() + SECOND));
    ck_assert_str_eq(answer(name), "data\n");
    ccprof_request_drop();
}

static volatile int handled, code;
static sigset_t mask;

static void handle(int number, siginfo_t *info, void *context)
{
    handled++;
    code = info->si_value.sival_int;
    sigprocmask(SIG_BLOCK, NULL, &mask);
}

/* The program's handler has its own mask and flags. */
TEST(test_program)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO}, old, set;

    start();
    sigaddset(&action.sa_mask, SIGUSR1);
    ck_assert(ccprof_request_program(&action, &old));
    ck_assert(old.sa_handler == SIG_DFL);
    sigaction(SIGURG, NULL, &set);
    ck_assert(!(set.sa_flags & (SA_RESTART | SA_ONSTACK)));
    ask(3);
    ck_assert(handled == 1 && code == 3);
    ck_assert(sigismember(&mask, SIGUSR1) == 1 && sigismember(&mask, SIGURG) == 1);
    ck_assert(sigismember(&mask, SIGUSR2) == 0);
    action.sa_flags |= SA_NODEFER | (int)SA_RESETHAND | SA_RESTART;
    ck_assert(ccprof_request_program(&action, &old));
    ck_assert(old.sa_sigaction == handle && !(old.sa_flags & SA_RESTART));
    sigaction(SIGURG, NULL, &set);
    ck_assert(set.sa_flags & SA_RESTART);
    ask(4);
    ck_assert(handled == 2 && code == 4 && sigismember(&mask, SIGURG) == 0);
    ask(5);
    ck_assert_int_eq(handled, 2);
    char name[100];
    ask(value(0, 0, now() + SECOND));
    ck_assert_str_eq(answer(name), "data\n");
    ccprof_request_give_up();
    ck_assert_ptr_null(answer(name));
    sigaction(SIGURG, NULL, &set);
    ck_assert(set.sa_handler == SIG_DFL);
    ck_assert(!ccprof_request_program(&action, &old));
}
