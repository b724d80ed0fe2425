/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts virtual functions, templates and exceptions, in steps that end with SIGUSR1,
   which is to write a slice.  */

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct shape {
    virtual ~shape() = default;
    virtual long area() const = 0;
};

template <int N> struct box : shape {
    long side;
    explicit box(long side) : side(side)
    {
    }
    long area() const override
    {
        if (side % (N + 3) == 0)
            throw std::runtime_error("a side");
        return side * side * N;
    }
};

static long add_up(const std::vector<std::unique_ptr<shape>> &shapes)
{
    long sum = 0;

    for (const auto &shape : shapes) {
        try {
            sum += shape->area();
        } catch (const std::runtime_error &error) {
            sum -= static_cast<long>(std::strlen(error.what()));
        }
    }
    return sum;
}

static void cut()
{
    std::raise(SIGUSR1);
}

int main(int, char **words)
{
    std::vector<std::unique_ptr<shape>> shapes;
    std::map<std::string, long> sums;

    for (int i = 1; i <= std::atoi(words[1]); i++) {
        for (int j = 0; j < 5 * i; j++) {
            shapes.push_back(std::make_unique<box<1>>(j));
            shapes.push_back(std::make_unique<box<2>>(i + j));
        }
        sums[std::to_string(i % 5)] += add_up(shapes);
        cut();
    }
    return sums.size() == 0;
}
