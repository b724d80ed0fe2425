// SPDX-License-Identifier: GPL-3.0-or-later
// Satisfiability: are there truth values for variables with which each clause, a set of
// literals, holds a true one?  Solved by learning a clause from each conflict, in
// templates and functions of a line or two: the worst case for a profiler that counts the
// calls of functions that GCC inlines.
//
// The clauses are of two sorts, so that the answer is known beforehand.  Random ones
// agree with an assignment that is drawn first: they can be satisfied, and what the
// solver finds is tried on them.  And n + 1 pigeons in n holes cannot.

#include "random.h"
#include "sat-solver.h"
#include "units.h"

#include <stddef.h>
#include <stdint.h>
#include <vector>

using namespace sat;

namespace
{

// Whether the solver finds an assignment for random clauses of three literals.
bool finds(int variables, int clauses, uint32_t seed)
{
    Random random(seed);
    Solver solver(variables);
    std::vector<bool> hidden;
    std::vector<Vec<Lit>> all;

    for (int v = 0; v < variables; v++)
        hidden.push_back(random.below(2));
    while (int(all.size()) < clauses) {
        Vec<Lit> clause;
        bool agrees = false;

        for (int i = 0; i < 3; i++) {
            clause.push(Lit(int(random.below(unsigned(variables))), random.below(2)));
            agrees = agrees || hidden[size_t(var(clause[i]))] != sign(clause[i]);
        }
        if (!agrees || var(clause[0]) == var(clause[1]) ||
            var(clause[0]) == var(clause[2]) || var(clause[1]) == var(clause[2]))
            continue;
        solver.add(clause);
        all.push_back(clause);
    }
    if (!solver.solve())
        return false;
    for (const Vec<Lit> &c : all)
        if (solver.value(c[0]) != YES && solver.value(c[1]) != YES &&
            solver.value(c[2]) != YES)
            return false;
    return true;
}

// Whether the solver finds that there is no hole for each of HOLES + 1 pigeons, which are
// put in an order that depends on SEED.
bool refutes(int holes, uint32_t seed)
{
    Random random(seed);
    Solver solver((holes + 1) * holes);
    std::vector<int> pigeons;

    for (int p = 0; p <= holes; p++)
        pigeons.insert(pigeons.begin() + random.below(unsigned(p) + 1), p);
    for (int p : pigeons) {
        Vec<Lit> somewhere;

        for (int h = 0; h < holes; h++)
            somewhere.push(Lit(p * holes + h, false));
        solver.add(somewhere);
    }
    for (int h = 0; h < holes; h++)
        for (int p : pigeons)
            for (int q : pigeons) {
                Vec<Lit> apart;

                apart.push(Lit(p * holes + h, true));
                apart.push(Lit(q * holes + h, true));
                if (p < q)
                    solver.add(apart);
            }
    return !solver.solve();
}

} // namespace

int unit_is_right(int number)
{
    uint32_t seed = uint32_t(number + 1) * 2654435761u;

    for (uint32_t i = 0; i < 8; i++)
        if (!finds(200, 840, seed + i))
            return false;
    return refutes(7, seed);
}
