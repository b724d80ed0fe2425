// SPDX-License-Identifier: GPL-3.0-or-later
// What C++ makes of a program: templates of the library, above all those of std::regex,
// exceptions that pass several frames and are caught in part, virtual functions, lambdas
// that are kept, sorted with and given to threads. Prints what does not depend on how the
// threads are scheduled.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace words
{

static unsigned below(unsigned n, unsigned long *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*state >> 33) % n);
}

struct node {
    virtual ~node() = default;
    virtual long value() const = 0;
};

struct number : node {
    explicit number(long of) : held(of)
    {
    }
    long value() const override
    {
        return held;
    }

    long held;
};

template <typename Operation> struct both : node {
    both(std::unique_ptr<node> a, std::unique_ptr<node> b)
        : left(std::move(a)), right(std::move(b))
    {
    }
    long value() const override
    {
        return Operation()(left->value(), right->value()) % 1000003;
    }

    std::unique_ptr<node> left, right;
};

struct divide {
    long operator()(long a, long b) const
    {
        if (b == 0)
            throw std::domain_error("by zero");
        return a / b;
    }
};

// Numbers with signs between; anything else is an error, with things to destroy behind
// it.
static std::unique_ptr<node> parse(const std::string &text)
{
    static const std::regex form("\\s*([-+*/]?)(?:(\\d+)|(\\S+))");
    std::unique_ptr<node> so_far = std::make_unique<number>(0);

    for (std::sregex_iterator i(text.begin(), text.end(), form), end; i != end; ++i) {
        if (!(*i)[2].matched)
            throw std::runtime_error("token " + i->str());
        auto next = std::make_unique<number>(std::stol((*i)[2]));
        if ((*i)[1] == "/")
            so_far = std::make_unique<both<divide>>(std::move(so_far), std::move(next));
        else
            so_far = std::make_unique<both<std::plus<long>>>(std::move(so_far),
                                                             std::move(next));
    }
    return so_far;
}

static std::string expression(unsigned long *state)
{
    std::string text = std::to_string(below(1000, state));

    for (unsigned i = below(8, state); i-- > 0;) {
        text += " +/"[1 + below(2, state)];
        text += below(20, state) ? std::to_string(below(50, state)) : "x";
    }
    return text;
}

struct results {
    long sum = 0;
    std::map<std::string, long> endings;
};

// Destroyed on the way of an exception as on any other.
struct counter {
    ~counter()
    {
        to->endings["evaluated"]++;
    }

    results *to;
};

static long evaluate(const std::string &text, results *to)
{
    counter counted{to};

    try {
        return parse(text)->value();
    } catch (const std::domain_error &) {
        to->endings["by zero"]++;
        throw;
    }
}

static results work(unsigned long seed, unsigned count)
{
    results mine;

    for (unsigned i = 0; i < count; i++) {
        try {
            mine.sum += evaluate(expression(&seed), &mine);
        } catch (const std::exception &) {
            mine.endings["thrown"]++;
        }
    }
    return mine;
}

static unsigned long sorted(unsigned count)
{
    std::vector<std::string> list;
    unsigned long sum = 0, state = 7;

    for (unsigned i = 0; i < count; i++)
        list.push_back(std::to_string(below(100000, &state)));
    std::vector<std::function<bool(const std::string &, const std::string &)>> orders = {
        [](const std::string &a, const std::string &b) { return a < b; },
        [](const std::string &a, const std::string &b) { return a.back() < b.back(); },
    };
    for (const auto &by : orders)
        std::stable_sort(list.begin(), list.end(), by);
    for (const std::string &each : list)
        for (char c : each)
            sum = sum * 31 + (unsigned char)c;
    return sum;
}

} // namespace words

int main(int argc, char **argv)
{
    const unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 400;
    std::vector<std::thread> threads;
    words::results made[4];

    for (unsigned t = 0; t < 4; t++)
        threads.emplace_back(
            [t, count, &made] { made[t] = words::work(2 * t + 1, count); });
    for (auto &thread : threads)
        thread.join();
    for (const auto &each : made) {
        printf("%ld\n", each.sum);
        for (const auto &[name, times] : each.endings)
            printf("%s %ld\n", name.c_str(), times);
    }
    printf("%016lx\n", words::sorted(count));
    return 0;
}
