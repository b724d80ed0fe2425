// SPDX-License-Identifier: GPL-3.0-or-later
// json [THREADS]: JSON texts, written and read with nlohmann's library, which is
// templates, small blocks of memory and exceptions: every fourth text is damaged, and the
// parser must throw. The work is the same with any number of threads.

#include <atomic>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

using nlohmann::json;
using Random = std::minstd_rand;

namespace
{

const int units = 1200;
std::atomic<int> next, wrong;

json make_value(Random &random, int depth)
{
    json result;

    switch (depth > 0 ? random() % 8 : 4 + random() % 4) {
    case 0:
    case 1:
    case 2:
        for (auto left = random() % 8; left > 0; left--)
            result.push_back(make_value(random, depth - 1));
        return result;
    case 3:
    case 4:
        for (auto left = random() % 6; left > 0; left--)
            result["name " + std::to_string(random() % 100)] =
                make_value(random, depth - 1);
        return result;
    case 5:
        return random() % 1000 / 8.0;
    case 6:
        return "text\n" + std::to_string(random());
    default:
        return random() % 2 == 0;
    }
}

bool throws(const std::string &text)
{
    try {
        return json::parse(text).is_null();
    } catch (const json::parse_error &) {
        return true;
    }
}

bool unit_is_right(int number)
{
    Random random(static_cast<unsigned>(number) + 1);
    const json value = json::array({make_value(random, 7)});
    const std::string text = value.dump();

    for (int i = 0; i < 12; i++)
        if (i % 4 == 3 ? !throws(text.substr(0, text.size() - 1))
                       : json::parse(text) != value)
            return false;
    return true;
}

void work()
{
    for (int number; (number = next++) < units;)
        if (!unit_is_right(number))
            wrong++;
}

} // namespace

int main(int argc, char **argv)
{
    std::vector<std::thread> threads;

    for (int count = argc > 1 ? std::atoi(argv[1]) : 1; count > 1; count--)
        threads.emplace_back(work);
    work();
    for (std::thread &thread : threads)
        thread.join();
    return wrong != 0;
}
