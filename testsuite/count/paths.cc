// SPDX-License-Identifier: GPL-3.0-or-later
// Ways through functions of C++, on 8 threads, or with an argument one after the other.
// Behind each line that has code stands how often it is executed on threads.

#include <stdexcept>
#include <thread>

static thread_local volatile int sink;

// Of a thread, destroyed when that ends.
struct object {
    ~object()
    {
        sink = 1; //= 8
    }
    void use()
    {
        sink = sink + 1; //= 8
    }
};

static thread_local object local;

struct guard {
    ~guard() //= 8000
    {
        sink = sink + 1; //= 8000
    } //= 8000
};

struct base {
    virtual ~base() = default;
    virtual int get(int x) const = 0;
};

struct twice : base {
    int get(int x) const override
    {
        return 2 * x; //= 4000
    }
};

struct thrice : base {
    int get(int x) const override
    {
        return 3 * x; //= 3200
    }
};

static int check(int x) //= 8000
{
    if (__builtin_expect(x % 100 == 0, 0)) //= 8000
        throw std::runtime_error("hundred"); //= 80
    if (x % 10 == 0) //= 7920
        throw x; //= 720
    return x; //= 7200
}

static int guarded(int x) //= 8000
{
    guard g;
    return check(x) + 1;
}

template <class T> T positive(T x) //= 8000
{
    if (x < 0) //= 8000
        return -x; //= 4000
    return x; //= 4000
}

static void work() //= 8
{
    twice two;
    thrice three;
    local.use(); //= 8
    auto add = [](int x) {
        sink = x; //= 8000
    };
    for (int i = 0; i < 1000; i++) { //= 8008
        const base &b = i % 2 ? static_cast<const base &>(two) : three; //= 8000
        try {
            add(b.get(guarded(i))); //= 8000
        } catch (const std::exception &) {
            add(0); //= 80
        } catch (int x) {
            add(x); //= 720
        }
        positive(i % 2 ? -i : i); //= 8000
    }
}

int main(int argc, char **) //= 1
{
    std::thread threads[8];
    for (auto &thread : threads) //= 9
        if (argc > 1) //= 8
            work(); //= 0
        else
            thread = std::thread(work); //= 8
    for (auto &thread : threads) //= 9
        if (thread.joinable()) //= 8
            thread.join(); //= 8
}
