// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that libstdc++ makes, and objects of a thread that are destroyed when it ends.
//: main 1, object::use 8, object::~object 8, work 8, work.lambda 800028

#include <thread>

static volatile int sink;

struct object {
    ~object()
    {
        sink = 1;
    }
    void use()
    {
    }
};

static thread_local object local;

static void work(int n)
{
    local.use();
    for (int i = 0; i < n; i++)
        [](int x) { sink = x; }(i);
}

int main()
{
    std::thread threads[8];
    for (int i = 0; i < 8; i++)
        threads[i] = std::thread(work, 100000 + i);
    for (auto &thread : threads)
        thread.join();
}
