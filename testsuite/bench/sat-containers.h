// SPDX-License-Identifier: GPL-3.0-or-later
// Literals, and what the solver of sat.cc keeps of them and of variables: vectors, maps
// and a heap, each in functions of a line or two.

#ifndef SAT_CONTAINERS_H
#define SAT_CONTAINERS_H

#include <stddef.h>
#include <vector>

namespace sat
{

typedef int Var;

// Variable v or its negation.
class Lit
{
    int code;

    explicit Lit(int code) : code(code)
    {
    }

  public:
    Lit() : code(-2)
    {
    }
    Lit(Var v, bool negated) : code(2 * v + negated)
    {
    }
    friend Lit operator~(Lit p)
    {
        return Lit(p.code ^ 1);
    }
    friend bool operator==(Lit p, Lit q)
    {
        return p.code == q.code;
    }
    friend bool sign(Lit p)
    {
        return p.code & 1;
    }
    friend Var var(Lit p)
    {
        return p.code >> 1;
    }
    friend int index(Lit p)
    {
        return p.code;
    }
};

inline int index(Var v)
{
    return v;
}

enum Truth { YES, NO, OPEN };

inline Truth negated_if(bool negated, Truth truth)
{
    return truth == OPEN ? OPEN : Truth(int(truth) ^ int(negated));
}

// Of plain things, at the price of an array.
template <class T> class Vec
{
    std::vector<T> items;

  public:
    int size() const
    {
        return int(items.size());
    }
    T &operator[](int i)
    {
        return items[size_t(i)];
    }
    const T &operator[](int i) const
    {
        return items[size_t(i)];
    }
    T &last()
    {
        return items.back();
    }
    void push(const T &item)
    {
        items.push_back(item);
    }
    void pop()
    {
        items.pop_back();
    }
    void shrink(int size)
    {
        items.resize(size_t(size));
    }
    void grow(int size, const T &item)
    {
        items.resize(size_t(size), item);
    }
    T *begin()
    {
        return items.data();
    }
    T *end()
    {
        return items.data() + size();
    }
};

// One item for each variable or literal.
template <class Key, class T> class Map
{
    Vec<T> items;

  public:
    T &operator[](Key key)
    {
        return items[index(key)];
    }
    const T &operator[](Key key) const
    {
        return items[index(key)];
    }
    void grow(int size, const T &item)
    {
        items.grow(size, item);
    }
    T *begin()
    {
        return items.begin();
    }
    T *end()
    {
        return items.end();
    }
};

// A binary heap of variables, the best one first, that knows where each of them is.
template <class Better> class Heap
{
    Vec<Var> heap;
    Map<Var, int> places;
    Better better;

    static int parent(int i)
    {
        return (i - 1) >> 1;
    }
    static int child(int i)
    {
        return 2 * i + 1;
    }
    void put(int i, Var v)
    {
        heap[i] = v;
        places[v] = i;
    }
    void rise(int i)
    {
        Var v = heap[i];

        for (; i > 0 && better(v, heap[parent(i)]); i = parent(i))
            put(i, heap[parent(i)]);
        put(i, v);
    }
    int best_child(int i) const
    {
        int c = child(i);

        return c + 1 < heap.size() && better(heap[c + 1], heap[c]) ? c + 1 : c;
    }
    void sink(int i)
    {
        Var v = heap[i];
        int c;

        for (; child(i) < heap.size() && better(heap[c = best_child(i)], v); i = c)
            put(i, heap[c]);
        put(i, v);
    }

  public:
    explicit Heap(const Better &better) : better(better)
    {
    }
    bool empty() const
    {
        return heap.size() == 0;
    }
    bool holds(Var v) const
    {
        return places[v] >= 0;
    }
    void grow(int size)
    {
        places.grow(size, -1);
    }
    void insert(Var v)
    {
        if (holds(v))
            return;
        places[v] = heap.size();
        heap.push(v);
        rise(places[v]);
    }
    // V has become better.
    void improved(Var v)
    {
        if (holds(v))
            rise(places[v]);
    }
    Var take_best()
    {
        Var best = heap[0], v = heap.last();

        heap.pop();
        places[best] = -1;
        if (!empty()) {
            put(0, v);
            sink(0);
        }
        return best;
    }
};

} // namespace sat

#endif
