// SPDX-License-Identifier: GPL-3.0-or-later
// Names of templates that no terminal has room for, in all that mlprof has views of.

#include <algorithm>
#include <ccprof.h>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace processing_of_measurements {
namespace strategies_for_containers {

template <class Key, class Value>
using ordered_table = std::map<Key, std::vector<std::pair<Key, Value>>>;

template <class Key, class Value, class Order = std::less<std::pair<Key, Value>>>
struct collector_of_ordered_values {
    ordered_table<Key, Value> table;

    template <class Maker>
    __attribute__((noinline)) void insert_what_a_maker_has_made(int number, Maker make)
    {
        CCPROF_STOPWATCH("collector_of_ordered_values::insert_what_a_maker_has_made, each");
        for (int i = 0; i < number; i++) {
            std::pair<Key, Value> made = make(i);
            if (i % 3)
                table[made.first].push_back(made);
            else
                table[made.first].insert(table[made.first].begin(), std::move(made));
        }
    }

    __attribute__((noinline)) size_t sort_by_the_order_and_count()
    {
        size_t count = 0;
        for (auto &entry : table) {
            std::stable_sort(entry.second.begin(), entry.second.end(), Order());
            count += entry.second.size();
        }
        return count;
    }
};

template <class Key> struct by_number {
    std::function<Key(int)> key;
    std::pair<Key, std::map<std::string, double>> operator()(int i) const
    {
        return {key(i), {{std::to_string(i * 7919 % 1000), i}, {std::to_string(i), 1.0 / (i + 1)}}};
    }
};

template <class Key> size_t measure(int number, std::function<Key(int)> key)
{
    collector_of_ordered_values<Key, std::map<std::string, double>> collector;
    collector.insert_what_a_maker_has_made(number, by_number<Key>{key});
    return collector.sort_by_the_order_and_count();
}
}
}

int main(int argc, char **argv)
{
    namespace used = processing_of_measurements::strategies_for_containers;
    int number = argc > 1 ? atoi(argv[1]) : 1000;
    size_t count = 0, other = 0;
    std::thread thread([&] { other = used::measure<std::vector<std::pair<int, std::string>>>(number, [](int i) {
        return std::vector<std::pair<int, std::string>>(3, {i % 100, std::to_string(i)});
    }); });
    count += used::measure<std::string>(number, [](int i) { return std::to_string(i % 50); });
    thread.join();
    return count + other == 2u * number ? 0 : 1;
}
