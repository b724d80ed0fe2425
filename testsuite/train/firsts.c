/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls by a pointer for train-firsts, as the arguments say: WHERE, WHOM and how often,
   as in `ma100'. WHERE is m (here), t (a thread) or l (an object that is opened and
   closed again), WHOM is one of the functions a, b and c. `f' alone: what follows is done
   in a child process. With -DOBJECT: the object, which has its own a, b and c. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static __attribute__((noipa)) int a(int n)
{
    return n + 1;
}
static __attribute__((noipa)) int b(int n)
{
    return n * 2;
}
static __attribute__((noipa)) int c(int n)
{
    return n ^ 3;
}

static int (*volatile table[])(int) = {a, b, c};

static __attribute__((noipa)) int call(const char *step)
{
    int sum = 0;
    for (int i = 0, n = atoi(step + 1); i < n; i++)
        sum += table[*step - 'a'](i);
    return sum;
}

#ifdef OBJECT

int late(const char *step);
int late(const char *step)
{
    return call(step) == -1;
}

#else

static void *in_thread(void *step)
{
    call(step);
    return NULL;
}

/* In another file, which is compiled without a profile: GCC does not tell whom a call
   called in an object that it was not linked with. */
int in_object(const char *step);

int main(int argc, char **argv)
{
    pthread_t thread;
    for (int i = 1; i < argc; i++) {
        const char *step = argv[i];
        if (*step == 'f') {
            pid_t child = fork();
            int status;
            if (child && (waitpid(child, &status, 0) != child || status))
                return 1;
            if (child)
                return 0;
        } else if (*step == 't') {
            pthread_create(&thread, NULL, in_thread, argv[i] + 1);
            pthread_join(thread, NULL);
        } else if (*step == 'l') {
            if (in_object(step + 1))
                return 1;
        } else {
            call(step + 1);
        }
    }
    return 0;
}

#endif
