// SPDX-License-Identifier: GPL-3.0-or-later
// The example of doc/waiting.md: four workers take jobs from a queue, compute, and write
// an entry into a journal for each job. `journal group' syncs the journal outside of the
// mutex, once for all entries that are there.

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WORKERS 4
#define JOBS    400

static pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_filled = PTHREAD_COND_INITIALIZER;
static int queued, closed;

static pthread_mutex_t journal_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t sync_mutex = PTHREAD_MUTEX_INITIALIZER;
static int journal, written, synced, group;

static __attribute__((noinline)) int take_job(void)
{
    pthread_mutex_lock(&queue_mutex);
    while (!queued && !closed)
        pthread_cond_wait(&queue_filled, &queue_mutex);
    int taken = queued > 0;
    queued -= taken;
    pthread_mutex_unlock(&queue_mutex);
    return taken;
}

static __attribute__((noinline)) void compute(void)
{
    for (volatile int i = 0; i < 500000; i++) {
    }
}

static __attribute__((noinline)) void write_entry(void)
{
    static const char entry[4096];
    pthread_mutex_lock(&journal_mutex);
    if (write(journal, entry, sizeof entry) < 0)
        exit(1);
    int mine = ++written;
    if (!group)
        fdatasync(journal);
    pthread_mutex_unlock(&journal_mutex);
    if (!group)
        return;
    pthread_mutex_lock(&sync_mutex);
    if (synced < mine) {
        pthread_mutex_lock(&journal_mutex);
        int there = written;
        pthread_mutex_unlock(&journal_mutex);
        fdatasync(journal);
        synced = there;
    }
    pthread_mutex_unlock(&sync_mutex);
}

static void *work(void *argument)
{
    while (take_job()) {
        compute();
        write_entry();
    }
    return argument;
}

int main(int argc, char **argv)
{
    (void)argv;
    pthread_t workers[WORKERS];
    group = argc > 1;
    journal = open("journal.log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (int i = 0; i < JOBS; i++) {
        pthread_mutex_lock(&queue_mutex);
        queued++;
        pthread_cond_signal(&queue_filled);
        pthread_mutex_unlock(&queue_mutex);
    }
    pthread_mutex_lock(&queue_mutex);
    closed = 1;
    pthread_cond_broadcast(&queue_filled);
    pthread_mutex_unlock(&queue_mutex);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    return unlink("journal.log") != 0;
}
