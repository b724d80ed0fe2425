// SPDX-License-Identifier: GPL-3.0-or-later

#include "sat-solver.h"

#include <algorithm>
#include <utility>

namespace sat
{

Solver::Solver(int variables) : order(More{activity}), variables(variables)
{
    watches.grow(2 * variables, Vec<Watch>());
    values.grow(variables, OPEN);
    levels.grow(variables, 0);
    reasons.grow(variables, nullptr);
    negative.grow(variables, true);
    seen.grow(variables, false);
    activity.grow(variables, 0);
    order.grow(variables);
    for (Var v = 0; v < variables; v++)
        order.insert(v);
}

Solver::~Solver()
{
    for (Clause *clause : clauses)
        delete clause;
    for (Clause *clause : learnts)
        delete clause;
}

void Solver::enqueue(Lit p, Clause *reason)
{
    values[var(p)] = sign(p) ? NO : YES;
    levels[var(p)] = level();
    reasons[var(p)] = reason;
    trail.push(p);
}

void Solver::attach(Clause *clause)
{
    Clause &c = *clause;

    watches[~c[0]].push(Watch{clause, c[1]});
    watches[~c[1]].push(Watch{clause, c[0]});
}

// LITS are of different variables, and nothing has been decided.
void Solver::add(const Vec<Lit> &lits)
{
    Clause *clause = new Clause;

    clause->lits = lits;
    clauses.push(clause);
    if (lits.size() > 1)
        attach(clause);
    else if (value(lits[0]) == OPEN)
        enqueue(lits[0], nullptr);
    else if (value(lits[0]) == NO)
        possible = false;
}

// Watches another literal in place of the second one, if there is one that is not false.
inline bool Solver::rewatch(Clause &c, Lit falsified)
{
    for (int i = 2; i < c.size(); i++) {
        if (value(c[i]) == NO)
            continue;
        c[1] = c[i];
        c[i] = falsified;
        return true;
    }
    return false;
}

// Goes through the clauses that watch FALSIFIED; returns one without a true literal, or
// null.
Clause *Solver::visit(Vec<Watch> &list, Lit falsified)
{
    Clause *conflict = nullptr;
    int kept = 0;

    for (int i = 0; i < list.size(); i++) {
        Watch watch = list[i];
        Clause &c = *watch.clause;

        if (conflict || value(watch.other) == YES) {
            list[kept++] = watch;
            continue;
        }
        if (c[0] == falsified)
            std::swap(c[0], c[1]);
        watch.other = c[0];
        if (value(c[0]) != YES && rewatch(c, falsified)) {
            watches[~c[1]].push(watch);
            continue;
        }
        list[kept++] = watch;
        if (value(c[0]) == NO)
            conflict = &c;
        else if (value(c[0]) == OPEN)
            enqueue(c[0], &c);
    }
    list.shrink(kept);
    return conflict;
}

Clause *Solver::propagate()
{
    Clause *conflict = nullptr;

    while (!conflict && head < trail.size()) {
        Lit p = trail[head++];

        conflict = visit(watches[p], ~p);
    }
    return conflict;
}

void Solver::bump(Var v)
{
    activity[v] += step;
    order.improved(v);
}

// Q is false, and why is to be learnt; OPEN: how many such there are on this level.
inline void Solver::meet(Lit q, int &open)
{
    Var v = var(q);

    if (seen[v] || levels[v] == 0)
        return;
    seen[v] = true;
    touched.push(v);
    bump(v);
    if (levels[v] == level())
        open++;
    else
        learnt.push(q);
}

// Whether Q is false because others that are learnt are.
inline bool Solver::redundant(Lit q)
{
    Clause *reason = reasons[var(q)];

    if (!reason)
        return false;
    for (Lit p : reason->lits)
        if (!seen[var(p)] && levels[var(p)] > 0)
            return false;
    return true;
}

// Resolves the conflict with the reasons on this level until one literal of the level is
// left, which comes first in what is learnt.  Returns the level on which that clause
// implies it; a literal of that level comes second.
int Solver::analyze(Clause *conflict)
{
    int open = 0, at = trail.size(), second = 1, kept = 1;
    Clause *reason = conflict;

    learnt.shrink(0);
    learnt.push(Lit());
    do {
        for (Lit q : reason->lits)
            meet(q, open);
        do
            at--;
        while (!seen[var(trail[at])]);
        reason = reasons[var(trail[at])];
    } while (--open > 0);
    learnt[0] = ~trail[at];
    for (int i = 1; i < learnt.size(); i++)
        if (!redundant(learnt[i]))
            learnt[kept++] = learnt[i];
    learnt.shrink(kept);
    for (Var v : touched)
        seen[v] = false;
    touched.shrink(0);
    if (kept == 1)
        return 0;
    for (int i = 2; i < kept; i++)
        if (levels[var(learnt[i])] > levels[var(learnt[second])])
            second = i;
    std::swap(learnt[1], learnt[second]);
    return levels[var(learnt[1])];
}

// How many levels what is learnt joins.
int Solver::joined()
{
    std::vector<int> all;

    for (Lit p : learnt)
        all.push_back(levels[var(p)]);
    std::sort(all.begin(), all.end());
    return int(std::unique(all.begin(), all.end()) - all.begin());
}

void Solver::learn(int back)
{
    Clause *clause = new Clause;

    clause->lits = learnt;
    clause->levels = joined();
    learnts.push(clause);
    back_to(back);
    if (clause->size() > 1)
        attach(clause);
    enqueue((*clause)[0], clause->size() > 1 ? clause : nullptr);
    step /= 0.95;
    if (step > 1e100) {
        for (Var v = 0; v < variables; v++)
            activity[v] *= 1e-100;
        step *= 1e-100;
    }
}

void Solver::back_to(int to)
{
    if (level() <= to)
        return;
    while (trail.size() > limits[to]) {
        Lit p = trail.last();

        values[var(p)] = OPEN;
        negative[var(p)] = sign(p);
        order.insert(var(p));
        trail.pop();
    }
    head = trail.size();
    limits.shrink(to);
}

// Forgets the worse half of what was learnt.  Nothing has been decided.
void Solver::reduce()
{
    int half = learnts.size() / 2;

    std::stable_sort(
        learnts.begin(), learnts.end(),
        [](const Clause *a, const Clause *b) { return a->levels < b->levels; });
    for (int i = half; i < learnts.size(); i++)
        learnts[i]->dropped = true;
    for (Vec<Watch> &list : watches)
        list.shrink(int(std::remove_if(list.begin(), list.end(),
                                       [](Watch w) { return w.clause->dropped; }) -
                        list.begin()));
    for (int i = half; i < learnts.size(); i++)
        delete learnts[i];
    learnts.shrink(half);
    room += room / 10;
}

void Solver::decide()
{
    Var v = order.take_best();

    while (values[v] != OPEN)
        v = order.take_best();
    limits.push(trail.size());
    enqueue(Lit(v, negative[v]), nullptr);
}

// Until there is an answer, or there have been MOST conflicts.
Truth Solver::search(int most)
{
    for (int conflicts = 0;;) {
        Clause *conflict = propagate();

        if (conflict && level() == 0)
            return NO;
        if (conflict) {
            learn(analyze(conflict));
            conflicts++;
        } else if (conflicts >= most) {
            back_to(0);
            return OPEN;
        } else if (trail.size() == variables) {
            return YES;
        } else {
            decide();
        }
    }
}

// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., the I-th one from 0 on.
static int luby(int i)
{
    int size = 1;

    while (size < i + 1)
        size = 2 * size + 1;
    while (size - 1 != i) {
        size = (size - 1) / 2;
        i %= size;
    }
    return (size + 1) / 2;
}

bool Solver::solve()
{
    Truth answer = possible ? OPEN : NO;

    for (int i = 0; answer == OPEN; i++) {
        if (learnts.size() > room)
            reduce();
        answer = search(100 * luby(i));
    }
    return answer == YES;
}

} // namespace sat
