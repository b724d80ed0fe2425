// SPDX-License-Identifier: GPL-3.0-or-later
// library MODE: threads that wait by means of C++'s library, in a way that the name of
// the mode says. Prints what the program knows itself (own.h).

#include <atomic>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "own.h"

static constexpr int rounds = 60;

static std::mutex mutex;
static std::shared_mutex shared;
static std::condition_variable condition;
static std::atomic<int> value;
static std::latch latch(4);
static std::counting_semaphore<100> semaphore(0);
static int items;

// Runs the work in COUNT threads, and waits for their ends.
template <class Work> static void make_all(int count, Work work)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < count; i++)
        threads.emplace_back([work, i] {
            own_begin();
            work(i);
            own_end();
        });
    for (auto &thread : threads)
        OWN("join", thread.join());
}

static void use_mutex(int number)
{
    for (int i = 0; i < rounds; i++) {
        OWN("mutex", mutex.lock());
        own_sleep(number ? 500 : 5000);
        mutex.unlock();
        own_burn(300);
    }
}

static void use_shared(int number)
{
    for (int i = 0; i < rounds; i++) {
        if (number) {
            OWN("rwlock", shared.lock_shared());
            own_sleep(2000);
            shared.unlock_shared();
        } else {
            OWN("rwlock", shared.lock());
            own_sleep(5000);
            shared.unlock();
        }
        own_burn(300);
    }
}

static void use_condition(int number)
{
    for (int i = 0; i < rounds; i++)
        if (number == 0) {
            own_sleep(6000);
            std::unique_lock lock(mutex);
            items++;
            condition.notify_one();
        } else {
            std::unique_lock lock(mutex);
            while (items == 0)
                OWN("condition", condition.wait(lock));
            items--;
        }
}

// One thread counts, another one waits for each number.
static void use_atomic(int number)
{
    for (int i = 0; i < rounds; i++)
        if (number == 0) {
            own_sleep(6000);
            value = i + 1;
            value.notify_all();
        } else
            for (int old = value; old <= i; old = value)
                OWN("futex", value.wait(old));
}

static void use_latch(int number)
{
    own_sleep(100000 * number);
    OWN("futex", latch.arrive_and_wait());
}

static void use_semaphore(int number)
{
    for (int i = 0; i < rounds; i++)
        if (number == 0) {
            own_sleep(6000);
            semaphore.release();
        } else
            OWN("futex", semaphore.acquire());
}

static void use_sleep(int)
{
    for (int i = 0; i < rounds; i++) {
        OWN("sleep", std::this_thread::sleep_for(std::chrono::milliseconds(4)));
        own_burn(500);
    }
}

int main(int argc, char **argv)
{
    std::string mode = argc > 1 ? argv[1] : "";
    own_begin();
    if (mode == "mutex")
        make_all(4, use_mutex);
    else if (mode == "rwlock")
        make_all(4, use_shared);
    else if (mode == "condition")
        make_all(2, use_condition);
    else if (mode == "atomic")
        make_all(2, use_atomic);
    else if (mode == "latch")
        make_all(4, use_latch);
    else if (mode == "semaphore")
        make_all(2, use_semaphore);
    else if (mode == "sleep")
        make_all(2, use_sleep);
    else
        return 2;
    own_report(stdout);
    return 0;
}
