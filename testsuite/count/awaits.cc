// SPDX-License-Identifier: GPL-3.0-or-later
// Coroutines that wait for each other and for what may be ready, in expressions, lambdas and templates; exceptions.
#include <coroutine>
#include <exception>
#include <stdexcept>
#include <vector>
static volatile int sink;
static std::vector<std::coroutine_handle<>> ready_list;
template <class T> struct task {
    struct promise_type {
        T value{};
        std::exception_ptr error;
        std::coroutine_handle<> then;
        task get_return_object() { return task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        struct last {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept
            {
                return h.promise().then ? h.promise().then : std::noop_coroutine();
            }
            void await_resume() noexcept {}
        };
        last final_suspend() noexcept { return {}; }
        void return_value(T v) { value = v; }
        void unhandled_exception() { error = std::current_exception(); }
    };
    std::coroutine_handle<promise_type> h;
    bool await_ready() { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> c) { h.promise().then = c; return h; }
    T await_resume()
    {
        if (h.promise().error)
            std::rethrow_exception(h.promise().error); //= 3
        return h.promise().value;
    }
};
struct maybe { // ready when even
    int n;
    bool await_ready() { return n % 2 == 0; }
    bool await_suspend(std::coroutine_handle<> h)
    {
        if (n % 3 == 0)
            return false;
        ready_list.push_back(h);
        return true;
    }
    int await_resume() { return n; }
};
static task<int> leaf(int n)
{
    int r = co_await maybe{n};        //= 12
    if (r > 8)                        //= 12
        throw std::runtime_error(""); //= 3
    co_return r + 1;                  //= 9
}
static task<int> sum(int n)
{
    int s = 0;                              //= 1
    for (int i = 0; i < n; i++) {
        try {
            s += co_await leaf(i);          //= 12
            sink = s;                       //= 9
        } catch (std::runtime_error &) {
            s += 100;                       //= 3
        }
        if (co_await maybe{i} > 3)          //= 12
            sink = i;                       //= 8
        while (co_await maybe{sink} < 0)    //= 12
            sink = 1;                       //= 0
        sink = co_await maybe{1} + co_await maybe{3}; //= 12
        sink = i < 6 ? co_await maybe{5} : 7; //= 12
    }
    co_return s;                            //= 1
}
template <class T> struct holder {
    T v;
    task<T> get()
    {
        auto twice = [this](T x) -> task<T> {
            sink = x;                       //= 2
            co_return v * x;                //= 2
        };
        T a = co_await twice(2);            //= 2
        co_return a;                        //= 2
    }
};
int main()
{
    task<int> t = sum(12);
    t.h.resume();
    while (!ready_list.empty()) {
        auto h = ready_list.back();
        ready_list.pop_back();
        h.resume();
    }
    holder<int> a{3}; holder<long> b{4};
    auto x = a.get(); x.h.resume();
    auto y = b.get(); y.h.resume();
    return t.h.promise().value != (1+2+3+4+5+6+7+8+9+300) || !t.h.done() || !y.h.done();
}
