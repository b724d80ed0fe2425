// SPDX-License-Identifier: GPL-3.0-or-later
// What C++ makes of a program: templates of the library, above all those of std::regex,
// exceptions that pass several frames and are caught in part, virtual functions, lambdas
// that are kept, sorted with and given to threads.  Prints what does not depend on how
// the threads are scheduled.

#include <algorithm>
#include <cinttypes>
#include <cstdint>
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

class random
{
  public:
    explicit random(uint64_t seed) : state(seed * 2 + 1)
    {
    }

    unsigned below(unsigned n)
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (unsigned)((state >> 33) % n);
    }

  private:
    uint64_t state;
};

// One that leaves things to destroy behind.
struct bad_token : std::runtime_error {
    explicit bad_token(const std::string &token)
        : std::runtime_error("token " + token), length(token.size())
    {
    }

    size_t length;
};

class node
{
  public:
    virtual ~node() = default;
    virtual long value() const = 0;
};

class number : public node
{
  public:
    explicit number(long of) : held(of)
    {
    }

    long value() const override
    {
        return held;
    }

  private:
    long held;
};

template <typename Operation> class both : public node
{
  public:
    both(std::unique_ptr<node> a, std::unique_ptr<node> b)
        : left(std::move(a)), right(std::move(b))
    {
    }

    long value() const override
    {
        return Operation()(left->value(), right->value()) % 1000003;
    }

  private:
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

// Sums of terms of numbers; anything else is a bad token.
class parser
{
  public:
    explicit parser(const std::string &text)
        : tokens(text.begin(), text.end(), form()), text(text)
    {
    }

    std::unique_ptr<node> sum()
    {
        std::unique_ptr<node> so_far = term();

        while (next() == "+")
            so_far = std::make_unique<both<std::plus<long>>>(std::move(so_far), after());
        return so_far;
    }

  private:
    static const std::regex &form()
    {
        static const std::regex made("\\s*(?:(\\d+)|([-+*/])|(\\S+))",
                                     std::regex::ECMAScript | std::regex::optimize);
        return made;
    }

    std::string next() const
    {
        return tokens == std::sregex_iterator() ? "" : (*tokens)[2].str();
    }

    std::unique_ptr<node> after()
    {
        ++tokens;
        return term();
    }

    std::unique_ptr<node> term()
    {
        std::unique_ptr<node> so_far = factor();

        for (std::string sign = next(); sign == "*" || sign == "/"; sign = next()) {
            ++tokens;
            if (sign == "*")
                so_far = std::make_unique<both<std::multiplies<long>>>(std::move(so_far),
                                                                       factor());
            else
                so_far = std::make_unique<both<divide>>(std::move(so_far), factor());
        }
        return so_far;
    }

    std::unique_ptr<node> factor()
    {
        if (tokens == std::sregex_iterator() || !(*tokens)[1].matched)
            throw bad_token(tokens == std::sregex_iterator() ? "" : tokens->str());
        long value = std::stol((*tokens)[1]);
        ++tokens;
        return std::make_unique<number>(value);
    }

    std::sregex_iterator tokens;
    std::string text;
};

struct results {
    long sum = 0, bad = 0, lengths = 0, by_zero = 0;
    std::map<std::string, long> endings;

    void operator+=(const results &other)
    {
        sum += other.sum;
        bad += other.bad;
        lengths += other.lengths;
        by_zero += other.by_zero;
        for (const auto &[name, count] : other.endings)
            endings[name] += count;
    }
};

static std::string expression(random *r)
{
    std::string text = std::to_string(r->below(1000));

    for (unsigned i = r->below(8); i-- > 0;) {
        text += " +*/"[1 + r->below(3)];
        text += r->below(20) ? std::to_string(r->below(50)) : "x" + std::to_string(i);
    }
    return text;
}

// Destroyed on the way of an exception as on any other.
class counter
{
  public:
    counter(results *of, const char *name) : to(of), name(name)
    {
    }

    ~counter()
    {
        to->endings[name]++;
    }

  private:
    results *to;
    const char *name;
};

static long evaluate(const std::string &text, results *to)
{
    counter counted(to, "evaluate");

    try {
        parser p(text);
        return p.sum()->value();
    } catch (const std::domain_error &) {
        to->by_zero++;
        throw;
    }
}

static results work(unsigned seed, unsigned count)
{
    random r(seed);
    results mine;

    for (unsigned i = 0; i < count; i++) {
        counter counted(&mine, "work");
        try {
            mine.sum += evaluate(expression(&r), &mine);
        } catch (const bad_token &caught) {
            mine.bad++;
            mine.lengths += (long)caught.length;
        } catch (const std::exception &) {
            mine.endings["other"]++;
        }
    }
    return mine;
}

static std::string shuffled(random *r, unsigned count)
{
    std::vector<std::string> list;
    std::string text;

    for (unsigned i = 0; i < count; i++)
        list.push_back(std::to_string(r->below(100000)));
    std::vector<std::function<bool(const std::string &, const std::string &)>> orders = {
        [](const std::string &a, const std::string &b) { return a < b; },
        [](const std::string &a, const std::string &b) {
            return a.back() != b.back() ? a.back() < b.back() : a > b;
        },
    };
    for (const auto &order : orders)
        std::stable_sort(list.begin(), list.end(), order);
    for (const auto &word : list)
        text += word + " ";
    return text;
}

// As C gives it to the library.
static int by_length(const void *a, const void *b)
{
    const std::string *one = *(const std::string *const *)a;
    const std::string *other = *(const std::string *const *)b;

    return one->size() != other->size() ? (one->size() < other->size() ? -1 : 1)
                                        : one->compare(*other);
}

static uint64_t sorted(const std::string &text)
{
    static const std::regex word("(\\w)\\w*");
    std::vector<std::string> list;
    std::vector<const std::string *> order;
    uint64_t sum = 0;

    for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end; ++i)
        list.push_back(i->str(1) + i->str());
    for (const auto &each : list)
        order.push_back(&each);
    qsort(order.data(), order.size(), sizeof order[0], by_length);
    for (const std::string *each : order)
        for (char c : *each)
            sum = sum * 31 + (unsigned char)c;
    return sum;
}

} // namespace words

int main(int argc, char **argv)
{
    const unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 400;
    std::vector<std::thread> threads;
    words::results made[4], all;
    words::random r(7);

    for (unsigned t = 0; t < 4; t++)
        threads.emplace_back([t, count, &made] { made[t] = words::work(t, count); });
    for (auto &thread : threads)
        thread.join();
    for (const auto &each : made)
        all += each;
    printf("%ld, %ld bad of %ld, %ld by zero\n", all.sum, all.bad, all.lengths,
           all.by_zero);
    for (const auto &[name, times] : all.endings)
        printf("%s %ld\n", name.c_str(), times);
    printf("%016" PRIx64 "\n", words::sorted(words::shuffled(&r, count)));
    return 0;
}
