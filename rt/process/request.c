/* SPDX-License-Identifier: MIT */
/* Owns SIGURG, the answer, and the timer that closes the answer and ends sampling for
   requests. The constructor calls install, the child of a fork drop, and the
   replacements of libc's functions the others. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "rt/process/request.h"
#include "rt/format.h"
#include "rt/os/file.h"
#include "rt/os/libc.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/os/timer.h"
#include "rt/heap/heap.h"
#include "rt/process/choices.h"
#include "rt/process/gate.h"
#include "rt/process/run.h"
#include "rt/process/write.h"

#define SECOND 1000000000u

/* Shortest time between two answers; how much longer it is than the time that the
   answer took, so that the program makes progress; how long an answer stays open. */
#define REQUEST_INTERVAL (SECOND / 20)
#define REQUEST_REST     4
#define REQUEST_KEPT     (10 * (uint64_t)SECOND)

/* How much longer a process samples than a request said, since the request for the
   result comes a little later. */
#define REQUEST_GRACE (5 * (uint64_t)SECOND)

/* The note by which an asker recognizes the runtime. */
static const struct {
    uint32_t name_size, size, type;
    char name[8];
    uint32_t version;
} request_note __attribute__((used, section(".note.ccprof_requests"), aligned(4))) = {
    sizeof CCPROF_NOTE_NAME, 4, CCPROF_NOTE_REQUESTS, CCPROF_NOTE_NAME,
    CCPROF_REQUEST_VERSION};

/* The action that SIGURG would have without the profiler: the one of the two copies that
   is not being changed. */
static struct sigaction program_actions[2];
static _Atomic unsigned program_current;

static const struct sigaction *program_action(void)
{
    return &program_actions[atomic_load(&program_current)];
}

static void program_set(const struct sigaction *action)
{
    unsigned other = !atomic_load(&program_current);

    program_actions[other] = *action;
    atomic_store(&program_current, other);
}

static bool program_has_handler(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) ||
           (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

static struct {
    int (*wake)(void); /* starts the run at a request; null: it has started */
    int error;         /* of WAKE */
    ccprof_spin busy;  /* guards the members below; held with all signals blocked */
    bool has_timer;
    int timer;                     /* sends SIGURG at the next of the two times */
    struct ccprof_file answer;     /* the last answer */
    uint64_t next;                 /* earliest time of the next answer */
    uint64_t close_at;             /* time to close the answer; 0: it is closed */
    uint64_t stop_at;              /* time to end sampling for requests; 0: none */
    pid_t sampler;                 /* the only asker that has it sample; 0: several */
    struct ccprof_file unfinished; /* the answer that is being written */
    /* The request, and the time when its handling began: it may be postponed. */
    struct ccprof_request request;
    pid_t asker;
    uint64_t begun;
} server = {.answer = {.fd = -1}, .unfinished = {.fd = -1}};

/* Sets the timer to the first of the times that are due. */
static void server_set_timer(uint64_t now)
{
    uint64_t next = server.close_at;

    if (server.stop_at && (!next || server.stop_at < next))
        next = server.stop_at;
    if (next && !server.has_timer)
        server.has_timer = ccprof_timer_make(&server.timer, CLOCK_MONOTONIC,
                                             CCPROF_REQUEST_SIGNAL, 0, &server) == 0;
    if (server.has_timer && next)
        ccprof_timer_in(server.timer, next > now ? next - now : 1, 0);
    else if (server.has_timer)
        ccprof_timer_delete(server.timer);
    server.has_timer = server.has_timer && next;
}

static void server_close_answer(void)
{
    if (server.answer.fd >= 0)
        ccprof_file_close(&server.answer);
    server.close_at = 0;
}

static void server_stop_sampling(void)
{
    server.stop_at = 0;
    server.sampler = 0;
    ccprof_gate_reclaim();
}

/* Returns whether time is measured, or would be while the gate is open. */
static bool server_can_sample(void)
{
    const struct ccprof_run *run = &ccprof_run;

    return !(run->kinds & CCPROF_KINDS_SAMPLED) || !run->settings.samples ||
           (run->samples && run->signal_is_ours && run->signal_is_ours());
}

/* Returns as server_execute does. */
static int server_sample(uint64_t now)
{
    uint64_t until = now + (uint64_t)server.request.argument * SECOND + REQUEST_GRACE;

    if (!ccprof_run_enter())
        return ECANCELED;
    if (server_can_sample()) {
        server.sampler =
            !server.stop_at || server.sampler == server.asker ? server.asker : 0;
        if (server.stop_at < until)
            server.stop_at = until;
        ccprof_gate_lend();
    }
    ccprof_run_leave();
    return server_can_sample() ? 0 : ENODATA;
}

/* Returns 0 or an errno value; EOPNOTSUPP: the heap is not prepared. */
static int server_record_heap(void)
{
    if (!ccprof_run_enter())
        return ECANCELED;
    bool records = ccprof_heap_record(true);
    ccprof_run_leave();
    return records ? 0 : EOPNOTSUPP;
}

static void server_refuse(const struct ccprof_file *file, int error)
{
    char line[64];
    struct ccprof_text text;

    ccprof_text_open(&text, line, sizeof line, file);
    ccprof_text_string(&text, CCPROF_ANSWER_REFUSED);
    if (error == ECANCELED) {
        ccprof_text_string(&text, "ended");
    } else if (error == ENODATA) {
        ccprof_text_string(&text, "samples");
    } else if (error == EBUSY && server.request.operation == CCPROF_REQUEST_RATE) {
        ccprof_text_string(&text, "rate ");
        ccprof_text_decimal(&text, ccprof_run.settings.rate);
    } else if (error == EBUSY && server.request.operation == CCPROF_REQUEST_TIMES) {
        ccprof_text_string(&text, "times ");
        ccprof_text_decimal(&text, ccprof_run.settings.times);
    } else if (error == EOPNOTSUPP) {
        ccprof_text_string(&text, "heap");
    } else {
        ccprof_text_string(&text, "error ");
        ccprof_text_decimal(&text, (uint64_t)error);
    }
    ccprof_text_char(&text, '\n');
    ccprof_text_flush(&text);
}

/* Does what the request says before its answer. Returns 0 or an errno value; ENODATA:
   there are no samples, EBUSY: the run has samples of other rates or times, EOPNOTSUPP:
   the heap cannot be recorded. */
static int server_execute(uint64_t now)
{
    switch (server.request.operation) {
    case CCPROF_REQUEST_SAMPLE:
        return server_sample(now);
    case CCPROF_REQUEST_RATE:
        return ccprof_choices_rate(server.request.argument);
    case CCPROF_REQUEST_TIMES:
        return ccprof_choices_times(server.request.argument);
    case CCPROF_REQUEST_HEAP:
        return server_record_heap();
    default:
        return 0;
    }
}

/* Executes the request and writes the answer. Stops sampling after the answer, which so
   says whether the process was measuring. Returns as server_execute does. */
static int server_write_answer(const struct ccprof_file *file, uint64_t now)
{
    int error = server.error ? server.error : server_execute(now);

    if (!error)
        error = ccprof_write_answer(file);
    if (!error && server.request.operation == CCPROF_REQUEST_STOP && server.sampler &&
        server.sampler == server.asker)
        server_stop_sampling();
    return error;
}

static bool server_make_file(struct ccprof_file *file)
{
    char name[100];
    struct ccprof_text text;

    ccprof_text_open(&text, name, sizeof name, NULL);
    ccprof_text_string(&text, CCPROF_ANSWER_NAME);
    ccprof_text_decimal(&text, CCPROF_REQUEST_VERSION);
    ccprof_text_char(&text, ':');
    ccprof_text_decimal(&text, server.request.operation);
    ccprof_text_char(&text, ':');
    ccprof_text_decimal(&text, server.request.argument);
    ccprof_text_char(&text, ':');
    ccprof_text_decimal(&text, server.begun);
    ccprof_text_end(&text);
    return ccprof_file_make_memory(file, name);
}

/* Writes the answer. If another thread holds the run there is none, and the asker
   repeats the request. The new answer is complete before the old one is closed. */
static void server_write(uint64_t now)
{
    struct ccprof_file *file = &server.unfinished;
    int error;

    if (!server_make_file(file))
        return;
    error = server_write_answer(file, now);
    if (error == EAGAIN) {
        ccprof_file_close(file);
        return;
    }
    if (error) {
        syscall(SYS_ftruncate, file->fd, 0);
        syscall(SYS_lseek, file->fd, 0, SEEK_SET);
        server_refuse(file, error);
    }
    ccprof_sys_fcntl(file->fd, F_ADD_SEALS,
                     F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
    server_close_answer();
    server.answer = *file;
    file->fd = -1;
    server.close_at = now + REQUEST_KEPT;
}

/* Answers the request. A postponed request is answered outside of the handler. */
static void server_answer(void)
{
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    ccprof_blocked_write(&blocked);
    const uint64_t now = ccprof_sys_clock(CLOCK_MONOTONIC);
    server_write(now);
    const uint64_t end = ccprof_sys_clock(CLOCK_MONOTONIC);
    const uint64_t rest = REQUEST_REST * (end - now);
    server.next = end + (rest > REQUEST_INTERVAL ? rest : REQUEST_INTERVAL);
    server_set_timer(end);
    ccprof_spin_release(&server.busy);
    ccprof_blocked_end(&blocked);
}

/* Starts the run of a dormant process. A program that blocks SIGPROF may be waiting for
   its own. */
static int server_wake(bool is_blocked)
{
    if (!server.wake)
        return 0;
    return is_blocked && !ccprof_run_exists() ? ENODATA : server.wake();
}

/* Takes the server. Its holder may be waiting for its turn in the heap (below), so this
   waits for nothing. */
static bool server_take(void)
{
    return ccprof_spin_try_once(&server.busy);
}

/* IS_BLOCKED: the interrupted thread blocks SIGPROF. */
static void server_handle(const struct ccprof_request *request, pid_t asker,
                          bool is_blocked)
{
    const uint64_t now = ccprof_sys_clock(CLOCK_REALTIME);

    if (!ccprof_request_is_known(request) || ccprof_request_is_late(request, now) ||
        atomic_load(&ccprof_run.owner) != ccprof_sys_getpid() || !server_take())
        return;
    const uint64_t time = ccprof_sys_clock(CLOCK_MONOTONIC);
    server.error = time < server.next ? EAGAIN : server_wake(is_blocked);
    if (server.error == EAGAIN) {
        server_set_timer(time);
        ccprof_spin_release(&server.busy);
        return;
    }
    server.request = *request;
    server.asker = asker;
    server.begun = now;
    if (!ccprof_heap_postpone(server_answer))
        server_answer();
}

/* The timer has expired. If the server is busy, its holder sets the timer again before it
   releases the server. */
static void server_expire(void)
{
    const uint64_t now = ccprof_sys_clock(CLOCK_MONOTONIC);

    if (atomic_load(&ccprof_run.owner) != ccprof_sys_getpid() || !server_take())
        return;
    if (server.close_at && server.close_at <= now)
        server_close_answer();
    if (server.stop_at && server.stop_at <= now)
        server_stop_sampling();
    server_set_timer(now);
    ccprof_spin_release(&server.busy);
}

static bool request_is_timer(const siginfo_t *info)
{
    return info->si_code == SI_TIMER && info->si_value.sival_ptr == &server;
}

static bool request_is_asked(const siginfo_t *info, struct ccprof_request *request)
{
    return info->si_code == SI_QUEUE &&
           ccprof_request_decode((uint64_t)(uintptr_t)info->si_value.sival_ptr, request);
}

bool ccprof_request_serve(const siginfo_t *info)
{
    struct ccprof_request request;
    struct ccprof_blocked blocked;
    int saved = errno;
    bool is_timer = request_is_timer(info);

    if (!is_timer && !request_is_asked(info, &request))
        return false;
    ccprof_blocked_begin(&blocked);
    if (is_timer)
        server_expire();
    else
        server_handle(&request, info->si_pid, false);
    ccprof_blocked_end(&blocked);
    errno = saved;
    return true;
}

/* Runs the program's handler with the mask that the kernel would have set, except in
   strict mode. The handler may leave by a jump. */
static void request_pass_on(int number, siginfo_t *info, ucontext_t *context)
{
    const struct sigaction action = *program_action();
    ccprof_sys_signals mask, own;

    if (!program_has_handler(&action))
        return;
    if (action.sa_flags & (int)SA_RESETHAND)
        program_set(&(struct sigaction){.sa_handler = SIG_DFL});
    memcpy(&mask, &context->uc_sigmask, sizeof mask);
    memcpy(&own, &action.sa_mask, sizeof own);
    mask |= own | (action.sa_flags & SA_NODEFER ? 0 : CCPROF_SYS_SIGNAL(number));
    if (!ccprof_strict)
        ccprof_sys_mask(SIG_SETMASK, mask, NULL);
    if (action.sa_flags & SA_SIGINFO)
        action.sa_sigaction(number, info, context);
    else
        action.sa_handler(number);
}

/* Returns false if the signal is not the runtime's. */
static bool request_take(const siginfo_t *info, const ucontext_t *context)
{
    const int saved = errno;
    struct ccprof_request request;

    if (request_is_timer(info)) {
        if (!ccprof_strict)
            server_expire();
    } else if (!request_is_asked(info, &request)) {
        return false;
    } else if (!ccprof_strict &&
               ccprof_signals_have_room(context, CCPROF_SIGNALS_WRITE)) {
        server_handle(&request, info->si_pid,
                      sigismember(&context->uc_sigmask, SIGPROF) == 1);
    }
    errno = saved;
    return true;
}

static void request_signal(int number, siginfo_t *info, void *context)
{
    if (!request_take(info, context))
        request_pass_on(number, info, context);
}

/* The handler of a dormant process. The program's calls of sigaction are not seen, so it
   may know this function, and restore it or call it in its own handler. */
static void request_signal_dormant(int number, siginfo_t *info, void *context)
{
    (void)number;
    request_take(info, context);
}

static bool request_is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) &&
           (action->sa_sigaction == request_signal ||
            action->sa_sigaction == request_signal_dormant);
}

bool ccprof_request_is_installed(void)
{
    struct sigaction now;

    return ccprof_libc.sigaction(CCPROF_REQUEST_SIGNAL, NULL, &now) == 0 &&
           request_is_ours(&now);
}

/* Installs HANDLER with the flags of the program's handler that concern the interrupted
   code. */
static bool request_set(void (*handler)(int, siginfo_t *, void *),
                        const struct sigaction *program, struct sigaction *before)
{
    struct sigaction action = {.sa_sigaction = handler};
    int flags = SA_RESTART | SA_ONSTACK;

    if (program_has_handler(program))
        flags &= program->sa_flags;
    action.sa_flags = SA_SIGINFO | flags;
    ccprof_sys_fill(&action.sa_mask);
    return ccprof_libc.sigaction(CCPROF_REQUEST_SIGNAL, &action, before) == 0;
}

static bool request_is_wanted(const struct ccprof_settings *settings)
{
    return settings->ask && settings->toggle != CCPROF_REQUEST_SIGNAL &&
           settings->write != CCPROF_REQUEST_SIGNAL;
}

void ccprof_request_install(int (*wake)(void))
{
    struct sigaction before;
    bool was_dormant = server.wake != NULL;

    server.wake = wake;
    /* If the process was dormant, the program may have taken the signal meanwhile. */
    if (was_dormant || (!wake && !request_is_wanted(&ccprof_run.settings)) ||
        !request_set(wake ? request_signal_dormant : request_signal, program_action(),
                     &before) ||
        request_is_ours(&before))
        return;
    if (wake && program_has_handler(&before)) {
        ccprof_libc.sigaction(CCPROF_REQUEST_SIGNAL, &before, NULL);
        return;
    }
    program_set(&before);
    if (program_has_handler(&before))
        request_set(request_signal, &before, NULL);
}

bool ccprof_request_program(const struct sigaction *action, struct sigaction *old)
{
    const struct sigaction before = *program_action();

    if (atomic_load(&ccprof_run.owner) != ccprof_sys_getpid() ||
        !ccprof_request_is_installed())
        return false;
    if (action && request_is_ours(action))
        action = &(const struct sigaction){.sa_handler = SIG_DFL};
    if (action) {
        program_set(action);
        request_set(request_signal, action, NULL);
    }
    if (old)
        *old = before;
    return true;
}

void ccprof_request_give_up(void)
{
    struct ccprof_blocked blocked;

    if (atomic_load(&ccprof_run.owner) != ccprof_sys_getpid() ||
        !ccprof_request_is_installed())
        return;
    ccprof_blocked_begin(&blocked);
    if (server_take()) {
        server_close_answer();
        server_stop_sampling();
        server_set_timer(0);
        ccprof_spin_release(&server.busy);
    }
    ccprof_libc.sigaction(CCPROF_REQUEST_SIGNAL, program_action(), NULL);
    ccprof_blocked_end(&blocked);
}

/* The child has a copy of the parent's descriptor, but not its timer. */
void ccprof_request_drop(void)
{
    server_close_answer();
    if (server.unfinished.fd >= 0)
        ccprof_file_close(&server.unfinished);
    server.has_timer = false;
    server.next = 0;
    server.stop_at = 0;
    ccprof_spin_release(&server.busy);
}
