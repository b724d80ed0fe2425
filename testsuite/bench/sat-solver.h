// SPDX-License-Identifier: GPL-3.0-or-later
// The solver of sat.cc: conflict-driven clause learning with two watched literals.  add()
// clauses, then solve() once; after that value() tells the assignment.

#ifndef SAT_SOLVER_H
#define SAT_SOLVER_H

#include "sat-containers.h"

namespace sat
{

struct Clause {
    Vec<Lit>
        lits; // the first two are watched; of a reason the first one is what it implies
    int levels = 0; // of a learnt clause, how many it joined; 0: not learnt
    bool dropped = false;

    int size() const
    {
        return lits.size();
    }
    Lit &operator[](int i)
    {
        return lits[i];
    }
};

// CLAUSE is to be looked at, unless OTHER, one of its literals, is true.
struct Watch {
    Clause *clause;
    Lit other;
};

class Solver
{
    struct More {
        const Map<Var, double> &activity;

        bool operator()(Var a, Var b) const
        {
            return activity[a] > activity[b];
        }
    };

    Vec<Clause *> clauses, learnts;
    Map<Lit, Vec<Watch>> watches; // by the literal that makes the watched one false
    Map<Var, Truth> values;
    Map<Var, int> levels;
    Map<Var, Clause *> reasons;
    Map<Var, char> negative, seen; // whether it was false last, is in what is learnt
    Map<Var, double> activity;
    Heap<More> order;
    Vec<Lit> trail;  // what is true, in the order in which it became so
    Vec<int> limits; // where in it each level begins
    Vec<Lit> learnt;
    Vec<Var> touched;
    int variables, head = 0, room = 2000;
    double step = 1;
    bool possible = true;

    int level() const
    {
        return limits.size();
    }
    void enqueue(Lit p, Clause *reason);
    void attach(Clause *clause);
    bool rewatch(Clause &clause, Lit falsified);
    Clause *visit(Vec<Watch> &list, Lit falsified);
    Clause *propagate();
    void bump(Var v);
    void meet(Lit q, int &open);
    bool redundant(Lit q);
    int analyze(Clause *conflict);
    int joined();
    void learn(int back);
    void back_to(int level);
    void reduce();
    void decide();
    Truth search(int most);

  public:
    explicit Solver(int variables);
    ~Solver();
    Solver(const Solver &) = delete;
    Solver &operator=(const Solver &) = delete;

    Truth value(Lit p) const
    {
        return negated_if(sign(p), values[var(p)]);
    }
    void add(const Vec<Lit> &lits);
    bool solve();
};

} // namespace sat

#endif
