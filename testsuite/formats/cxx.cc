// SPDX-License-Identifier: GPL-3.0-or-later
// For the tests of formats: what is left of templates and lambdas of the library is
// inlined many deep.

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace
{
template <class T> struct summed {
    T sum{};
    void add(const T &x)
    {
        sum += x * x;
    }
};

template <class Iterator, class F> long fold(Iterator from, Iterator to, F f)
{
    summed<long> result;
    for (; from != to; ++from)
        result.add(f(*from));
    return result.sum;
}
} // namespace

int main()
{
    std::map<std::string, std::vector<int>> words;
    unsigned x = 1;
    for (int i = 0; i < 300000; i++) {
        x = x * 1103515245 + 12345;
        words[std::to_string(x % 500)].push_back(int(x >> 8));
    }
    long total = 0;
    for (auto &[word, numbers] : words) {
        std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a > b; });
        total +=
            fold(numbers.begin(), numbers.end(), [](int number) { return number / 3; });
    }
    std::printf("%ld\n", total);
}
