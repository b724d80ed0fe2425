// SPDX-License-Identifier: GPL-3.0-or-later
// Recursive calls and hardly anything else: the worst case for a profiler that
// does something at each call.

#include <stdio.h>
#include <stdlib.h>

// An expression: each kind of node has a function of its own that evaluates it, so
// that GCC can inline none of the calls.
typedef struct Node Node;
typedef long Evaluate(const Node *node);

struct Node {
    Evaluate *evaluate;
    const Node *left, *right;
    long value;
};

static long evaluate_number(const Node *node)
{
    return node->value;
}

static long evaluate_sum(const Node *node)
{
    return node->left->evaluate(node->left) + node->right->evaluate(node->right);
}

static long evaluate_difference(const Node *node)
{
    return node->left->evaluate(node->left) - node->right->evaluate(node->right);
}

static long evaluate_product(const Node *node)
{
    return node->left->evaluate(node->left) * node->right->evaluate(node->right) & 0xffff;
}

static long evaluate_choice(const Node *node)
{
    long condition = node->left->evaluate(node->left);

    return condition & 1 ? node->right->evaluate(node->right) : condition;
}

static const Node *expression(int depth, unsigned *random)
{
    static Evaluate *const inner[] = {evaluate_sum, evaluate_difference, evaluate_product,
                                      evaluate_choice};
    Node *node = calloc(1, sizeof *node);

    if (!node)
        exit(1);
    *random = *random * 1103515245 + 12345;
    if (depth == 0) {
        node->evaluate = evaluate_number;
        node->value = (long)(*random >> 16 & 0xff);
        return node;
    }
    node->evaluate = inner[*random >> 16 & 3];
    node->left = expression(depth - 1, random);
    node->right = expression(depth - 1, random);
    return node;
}

static long expressions(int times)
{
    unsigned random = 1;
    const Node *node = expression(14, &random);
    long result = 0;

    for (int i = 0; i < times; i++)
        result += node->evaluate(node) + i;
    return result;
}

// Takeuchi's function.
static int tak(int x, int y, int z)
{
    return y >= x ? z : tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y));
}

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

int main(void)
{
    printf("%ld %d %d\n", expressions(12000), tak(28, 18, 8), ackermann(3, 10));
    return 0;
}
