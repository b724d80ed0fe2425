// SPDX-License-Identifier: GPL-3.0-or-later
// Branches and allocations for lists.py: templates whose names are shortened, a switch,
// and allocations of several types, some of them inside of the library.
#include <cstdio>
#include <utility>
#include <vector>

namespace shop
{
struct Item {
    int kind, price;
};

template <typename Value>
void add(std::vector<std::pair<int, Value>> &rows, int key, Value value)
{
    for (auto &row : rows)
        if (row.first == key) {
            row.second = value;
            return;
        }
    rows.push_back({key, value});
}

__attribute__((noinline)) int weigh(const Item &item)
{
    switch (item.kind) {
    case 1:
        return item.price > 20 ? 40 : 2;
    case 2:
        return std::puts("two");
    case 3:
        return std::puts("three");
    case 4:
        return item.price;
    }
    return 0;
}
} // namespace shop

int main()
{
    std::vector<std::pair<int, long>> numbers;
    std::vector<std::pair<int, std::pair<long, double>>> pairs;
    for (int i = 0; i < 50; i++) {
        shop::Item *item = new shop::Item{i % 9 < 5 ? 1 : i % 6, i};
        shop::add<long>(numbers, i % 7, shop::weigh(*item));
        double *room = new double[i % 3 + 1]();
        shop::add(pairs, i % 5, {numbers.size(), room[0]});
        delete[] room;
        delete item;
    }
}
