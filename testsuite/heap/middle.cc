// SPDX-License-Identifier: GPL-3.0-or-later
// A compiler in small, whose heap is largest in the middle of its run: it reads tokens,
// makes a tree of them, of the tree a graph that is larger, and of the graph a few
// numbers; each is freed when the next is there. For the page's pictures, too.

#include <cstdio>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tiny
{

struct Token {
    std::string text;
};

struct Node {
    std::string name;
    std::vector<std::unique_ptr<Node>> children;
};

struct Block {
    std::vector<int> next;
    std::vector<double> live;
};

using Graph = std::unordered_map<int, Block>;

__attribute__((noinline)) static std::vector<Token> scan(int count)
{
    std::vector<Token> tokens;
    for (int i = 0; i < count; i++)
        tokens.push_back({"token number " + std::to_string(i)});
    return tokens;
}

__attribute__((noinline)) static std::unique_ptr<Node>
parse(const std::vector<Token> &tokens, size_t from, size_t to)
{
    auto node = std::make_unique<Node>();
    node->name = tokens[from].text;
    const size_t part = (to - from) / 4;
    for (size_t i = 0; part && i < 4; i++)
        node->children.push_back(parse(tokens, from + i * part, from + (i + 1) * part));
    return node;
}

__attribute__((noinline)) static int build(const Node &node, Graph &graph)
{
    const int number = static_cast<int>(graph.size());
    graph[number].live.resize(24);
    for (const auto &child : node.children) {
        const int to = build(*child, graph);
        graph[number].next.push_back(to);
    }
    return number;
}

__attribute__((noinline)) static std::vector<double> optimize(Graph graph)
{
    std::vector<double> sums(16);
    for (int round = 0; round < 4; round++)
        for (auto &[number, block] : graph) {
            std::vector<double> live = block.live; // lives no longer than this
            for (size_t i = 0; i < live.size(); i++)
                live[i] += number + block.next.size();
            block.live.swap(live);
            sums[number % 16] += block.live[0];
        }
    return sums;
}

__attribute__((noinline)) static std::vector<double> compile(int tokens)
{
    Graph graph;
    {
        std::unique_ptr<Node> tree;
        {
            const auto list = scan(tokens);
            tree = parse(list, 0, list.size());
        }
        build(*tree, graph);
    }
    return optimize(std::move(graph));
}

} // namespace tiny

int main(int argc, char **argv)
{
    const auto sums = tiny::compile(argc > 1 ? std::stoi(argv[1]) : 20000);
    double sum = 0;
    for (double one : sums)
        sum += one;
    std::printf("%g\n", sum);
    return 0;
}
