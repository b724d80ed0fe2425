// SPDX-License-Identifier: GPL-3.0-or-later
// Eight threads: each counts the primes of its own numbers, sorts its own array and
// multiplies its own matrices; each adds to a sum that all share, under a lock. Three end
// with pthread_exit in a callee. How often a thread waits for the lock depends on the
// others, but the instructions of this file do not. Prints a checksum.
// threads [ROUNDS [SIZE]]

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, SIDE = 48 };

typedef struct Job {
    pthread_t thread;
    int number, work, size;
    uint64_t result;
} Job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t sum;

static int is_prime(unsigned n)
{
    if (n < 4)
        return n > 1;
    if (n % 2 == 0)
        return 0;
    for (unsigned i = 3; i * i <= n; i += 2)
        if (n % i == 0)
            return 0;
    return 1;
}

static uint64_t primes(unsigned first, unsigned count)
{
    uint64_t found = 0;
    for (unsigned n = first; n < first + count; n++)
        found += (uint64_t)is_prime(n);
    return found;
}

static int compare(const void *a, const void *b)
{
    uint32_t left, right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return (left > right) - (left < right);
}

static void sort(uint32_t *values, int count)
{
    while (count > 16) {
        uint32_t middle = values[count / 2];
        int i = 0, j = count - 1;
        while (i <= j) {
            while (values[i] < middle)
                i++;
            while (values[j] > middle)
                j--;
            if (i <= j) {
                uint32_t value = values[i];
                values[i++] = values[j];
                values[j--] = value;
            }
        }
        sort(values, j + 1);
        values += i;
        count -= i;
    }
    qsort(values, (size_t)count, sizeof *values, compare);
}

static uint64_t sorted(int count, uint32_t seed)
{
    uint32_t *values = malloc((size_t)count * sizeof *values);
    if (values == NULL)
        abort();
    for (int i = 0; i < count; i++)
        values[i] = seed = seed * 1664525 + 1013904223;
    sort(values, count);
    uint64_t result = 0;
    for (int i = 0; i < count; i += 7)
        result = result * 31 + values[i];
    free(values);
    return result;
}

static double multiply(int seed, int side)
{
    double a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE] = {{0}}, trace = 0;
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            a[i][j] = (i * j + seed) % 13;
            b[i][j] = (i + j * seed) % 11;
        }
    for (int i = 0; i < side; i++)
        for (int k = 0; k < side; k++)
            for (int j = 0; j < side; j++)
                c[i][j] += a[i][k] * b[k][j];
    for (int i = 0; i < side; i++)
        trace += c[i][i];
    return trace;
}

static void add(uint64_t value)
{
    pthread_mutex_lock(&lock);
    sum += value;
    pthread_mutex_unlock(&lock);
}

static void finish(Job *job)
{
    add(job->result);
    if (job->number % 3 == 0)
        pthread_exit(job);
}

static void *work(void *data)
{
    Job *job = data;
    unsigned number = (unsigned)job->number;
    for (int i = 0; i < job->work; i++) {
        job->result += primes(number * 10000, (unsigned)job->size);
        job->result ^= sorted(2 * job->size + job->number * 10, number);
        job->result +=
            (uint64_t)multiply(job->number + i, job->size < SIDE ? job->size : SIDE);
        add((uint64_t)i);
    }
    finish(job);
    return job;
}

int main(int count, char **arguments)
{
    static Job jobs[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i].number = i;
        jobs[i].work = count > 1 ? atoi(arguments[1]) : 120;
        jobs[i].size = count > 2 ? atoi(arguments[2]) : 3000;
        if (pthread_create(&jobs[i].thread, NULL, work, &jobs[i]) != 0)
            return 1;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(jobs[i].thread, NULL);
    printf("sum %llx\n", (unsigned long long)sum);
    return 0;
}
