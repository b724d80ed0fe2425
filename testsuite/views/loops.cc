/* Loops over containers, with exceptions, in templates and in a lambda. */
#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

template <class T> __attribute__((noinline)) T all(const std::vector<T> &v)
{
    T sum = 0;
    for (T x : v)
        sum += x * x;
    return sum;
}

__attribute__((noinline)) int checked(const std::vector<int> &v, int limit)
{
    int caught = 0;
    for (size_t i = 0; i < v.size(); i++) {
        std::string s(20, 'a');
        try {
            if (v[i] > limit)
                throw std::runtime_error(s);
            caught += s.size() > 30;
        } catch (const std::exception &) {
            caught++;
        }
    }
    return caught;
}

__attribute__((noinline)) long words(const std::map<int, std::string> &m)
{
    long n = 0;
    for (auto &p : m)
        for (char c : p.second)
            n += c == 'a';
    return n;
}

int main()
{
    std::vector<int> a(1000);
    std::vector<double> b(500, 1.5);
    std::map<int, std::string> m;
    for (int i = 0; i < 1000; i++)
        a[i] = i;
    for (int i = 0; i < 10; i++)
        m[i] = std::string(i, 'a');
    int c = checked(a, 900);
    std::for_each(a.begin(), a.end(), [&c](int x) {
        for (int i = 0; i < x; i++)
            c += x == 3;
    });
    std::printf("%g %d %ld\n", all(a) + all(b), c, words(m));
}
