// SPDX-License-Identifier: GPL-3.0-or-later
// What C++'s library allocates, in code of its own and in code of the program; with an
// argument nothing.

#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <vector>

struct alignas(64) Wide {
    char bytes[128];
};

static void *volatile kept;

__attribute__((noinline)) static void fill(int count)
{
    std::map<std::string, std::vector<int>> map;
    for (int i = 0; i < count; i++)
        map["a key that is long enough " + std::to_string(i)].assign(i % 50, 1);
    std::ostringstream out;
    for (const auto &entry : map)
        out << entry.first << entry.second.size();
    std::string text = out.str();
    auto shared = std::make_shared<std::string>(text);
    kept = new std::string(text.substr(0, 400));
}

__attribute__((noinline)) static void operators()
{
    delete new Wide;
    kept = new Wide[3];
    delete[] new (std::nothrow) char[1000];
    ::operator delete(::operator new(77));
    try {
        throw std::string("thrown, and long enough to be on the heap");
    } catch (const std::string &text) {
        kept = new char[text.size()];
    }
}

int main(int count, char **)
{
    if (count > 1)
        return std::string(count, 'x').size() == 1;
    fill(2000);
    operators();
}
