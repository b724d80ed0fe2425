// SPDX-License-Identifier: GPL-3.0-or-later
// The bodies of coroutines, which GCC moves into functions that are entered at each resumption.
#include <coroutine>
#include <utility>

struct generator {
    struct promise_type {
        int value;
        generator get_return_object()
        {
            return generator(std::coroutine_handle<promise_type>::from_promise(*this)); //= 4
        }
        std::suspend_always initial_suspend() noexcept { return {}; }          //= 4
        std::suspend_always final_suspend() noexcept { return {}; }            //= 3
        std::suspend_always yield_value(int x)
        {
            value = x;                                                         //= 124
            return {};                                                         //= 124
        }
        void return_void() {}                                                  //= 3
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
    explicit generator(std::coroutine_handle<promise_type> h) : handle(h) {}
    generator(generator &&other) noexcept : handle(std::exchange(other.handle, {})) {}
    ~generator()
    {
        if (handle)
            handle.destroy();
    }
    bool next()
    {
        handle.resume();                                                       //= 127
        return !handle.done();                                                 //= 127
    }
};

static volatile int sink;

static generator count_to(int n)
{
    sink = n;             //= 1
    for (int i = 0; i < n; i++) {
        if (i % 4 == 0)   //= 100
            sink = i;     //= 25
        else if (i < 0)   //= 75
            sink = 0;     //= 0
        co_yield i;       //= 100
    }
    sink = -1;            //= 1
}

struct list {
    int size;
    generator all()
    {
        auto each = [](int from, int to) -> generator {
            while (from < to) {
                int twice = [&] {
                    return from * 2; //= 20
                }();
                sink = twice;    //= 20
                co_yield from++; //= 20
            }
        };
        generator inner = each(0, size); //= 1
        while (inner.next())             //= 21
            if (inner.handle.promise().value % 5 == 0) //= 20
                co_yield 5;              //= 4
        co_return;                       //= 1
    }
};

// One that is left in the middle.
static generator endless()
{
    for (;;) {
        co_yield 1;  //= 0
        sink = 1;    //= 0
    }
}

int main()
{
    generator first = count_to(100);
    while (first.next()) //= 101
        ;
    list numbers = {20};
    generator second = numbers.all();
    while (second.next()) //= 5
        ;
    generator third = endless(); //= 1
    return sink == 17;           //= 1
}
