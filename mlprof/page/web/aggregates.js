// Computes the total time of functions from counts of calls, for profiles without stacks. The self
// time of each function is distributed among its callers in proportion to their calls. The
// positions of the dials are taken into account.

import {OTHERS, OUTSIDE} from './arcs.js';

// Returns the self time of each function, including its branches. The branches themselves get 0.
export function aggregates_own(data) {
    const self = Float64Array.from(data.functions.cur, (cur, f) =>
        data.functions.branch[f] ? 0 : cur
    );
    if (data.branched)
        for (const node of data.branched.node)
            self[data.copies.function[data.nodes.copy[node]]] += data.nodes.count[node];
    return self;
}

// Returns the total time of each function f. This is the self time of f plus, for each other
// function g, a share of the self time of g: the proportion of calls of g that come from f,
// directly or indirectly. A recursive function counts once.
//
// The share is computed with a random walk from g to its callers. A caller is chosen with a
// probability in proportion to its calls. The share is the probability that the walk reaches f. It
// equals the expected number of visits to f, divided by the number for a walk that starts at f
// (`stays'). `came' adds up the visits of the walks from all functions, weighted by the self times
// of the functions.
export function aggregates_of(data, model) {
    if (model.aggregates)
        return model.aggregates;
    const count = data.functions.name.length;
    const inflow = calls_by_function(data, model, count);
    const self = [...aggregates_own(data), 0];
    const came = Float64Array.from(self);
    const stays = new Float64Array(count + 1).fill(1);
    const all = inflow.callers.map(list => list.reduce((sum, [, calls]) => sum + calls, 0));
    model.inflow = inflow;
    for (const circle of components_of(inflow.callees)) {
        const place = new Map(circle.map((g, i) => [g, i]));
        const starts = Float64Array.from(circle, g => self[g]);
        const steps = circle.map(() => new Map());
        circle.forEach(function (g, i) {
            for (const [callee, calls] of inflow.callees[g]) {
                const share = calls / all[callee];
                if (place.has(callee))
                    steps[place.get(callee)].set(i, share);
                else
                    starts[i] += share * came[callee];
            }
        });
        visits_of(steps, starts, model.largest, (i, visits, back) => {
            came[circle[i]] = visits;
            stays[circle[i]] = back;
        });
    }
    return (model.aggregates = Float64Array.from(came, (value, g) => value / stays[g]).slice(
        0,
        count
    ));
}

// Computes a random walk. STEPS has, for each place, the probabilities of the next places.
// STARTS[i] walks start at place i. Calls REPORT for each place with two numbers: the visits to the
// place by all walks, and the visits by one walk that starts at the place. The second number is NaN
// if there are more than LARGEST places.
function visits_of(steps, starts, largest, report) {
    const size = steps.length;
    if (size === 1) {
        const stays = 1 / Math.max(1e-12, 1 - (steps[0].get(0) || 0));
        report(0, starts[0] * stays, stays);
        return;
    }
    if (size > largest) {
        visits_stepwise(steps, starts, report);
        return;
    }
    // Invert I - STEPS in place. This needs no pivoting, because the diagonal dominates each
    // column.
    const matrix = steps.map((row, i) =>
        Float64Array.from(steps, (_, k) => (i === k ? 1 : 0) - (row.get(k) || 0))
    );
    for (let p = 0; p < size; p++) {
        const row = matrix[p];
        const pivot = Math.max(1e-12, row[p]);
        row[p] = 1;
        for (let k = 0; k < size; k++)
            row[k] /= pivot;
        for (let i = 0; i < size; i++) {
            const other = matrix[i];
            const factor = other[p];
            if (i === p || !factor)
                continue;
            other[p] = 0;
            for (let k = 0; k < size; k++)
                other[k] -= factor * row[k];
        }
    }
    for (let i = 0; i < size; i++)
        report(
            i,
            starts.reduce((sum, value, k) => sum + value * matrix[k][i], 0),
            matrix[i][i]
        );
}

// Like visits_of, but by iteration, for many places. Visits by a walk that starts at the place are
// not computed (NaN).
function visits_stepwise(steps, starts, report) {
    const visits = Float64Array.from(starts);
    const most = starts.reduce((sum, value) => sum + value, 0);
    let walks = starts;
    for (let step = 0, left = most; step < 2000 && left > 1e-6 * most; step++) {
        const next = new Float64Array(starts.length);
        steps.forEach((row, i) => {
            for (const [k, share] of row)
                next[k] += walks[i] * share;
        });
        next.forEach((value, k) => {
            visits[k] += value;
        });
        walks = next;
        left = next.reduce((sum, value) => sum + value, 0);
    }
    visits.forEach((value, i) => report(i, value, NaN));
}

// Returns the strongly connected components of the call graph (R. Tarjan, 1972). A component comes
// after the components that it calls.
function components_of(callees) {
    const count = callees.length;
    const number = new Int32Array(count).fill(-1);
    const low = new Int32Array(count);
    const is_held = new Uint8Array(count);
    const held = [];
    const circles = [];
    let next = 0;
    for (let root = 0; root < count; root++) {
        if (number[root] >= 0)
            continue;
        const open = [[root, 0]];
        while (open.length) {
            const top = open[open.length - 1];
            const f = top[0];
            if (top[1] === 0) {
                number[f] = low[f] = next++;
                is_held[f] = 1;
                held.push(f);
            }
            const call = callees[f][top[1]++];
            if (call) {
                const g = call[0];
                if (number[g] < 0)
                    open.push([g, 0]);
                else if (is_held[g])
                    low[f] = Math.min(low[f], number[g]);
                continue;
            }
            open.pop();
            if (open.length)
                low[open[open.length - 1][0]] = Math.min(low[open[open.length - 1][0]], low[f]);
            if (low[f] !== number[f])
                continue;
            const circle = [];
            for (let g = -1; g !== f;) {
                g = held.pop();
                is_held[g] = 0;
                circle.push(g);
            }
            circles.push(circle);
        }
    }
    return circles;
}

// Returns the callers and the callees of each function, with the number of calls. An additional
// node connects the open call sites and the functions that are not distinguished (OTHERS): the
// sites call the node, and the node calls these functions.
function calls_by_function(data, model, count) {
    const {call_sites: sites, arcs, targets} = data;
    const sums = Array.from({length: count + 1}, () => new Map());
    const together = new Set(
        model.of_callee.has(OTHERS) ? targets.function.filter(f => !model.lefts.has(f)) : []
    );
    let rest = model.lefts.get(OTHERS) || 0;
    for (let a = 0; a < model.count; a++) {
        const callee = arcs.callee[a] === OTHERS ? count : arcs.callee[a];
        const calls = model.calls(a);
        const caller = arcs.site[a] < 0 ? OUTSIDE : sites.function[arcs.site[a]];
        if (callee < 0 || !calls || (caller < 0 && together.has(callee)))
            continue;
        sums[callee].set(caller, (sums[callee].get(caller) || 0) + calls);
        if (callee === count)
            rest -= calls;
    }
    if (together.size && rest > 0)
        sums[count].set(OUTSIDE, rest);
    targets.function.forEach((f, i) => {
        if (together.has(f))
            sums[f].set(count, targets.calls[i]);
    });
    const callers = sums.map(map => Array.from(map));
    const callees = sums.map(() => []);
    callers.forEach((list, g) =>
        list.forEach(([caller, calls]) => {
            if (caller >= 0)
                callees[caller].push([g, calls]);
        })
    );
    return {callers: callers, callees: callees};
}

// Returns the functions whose total time depends on a dial, because an open arc is below them.
export function aggregates_dependent(data, model) {
    const count = data.functions.name.length;
    const found = new Set();
    const queue = [];
    aggregates_of(data, model);
    for (const a of model.open)
        if (data.arcs.site[a] >= 0)
            queue.push(data.call_sites.function[data.arcs.site[a]]);
    while (queue.length) {
        const f = queue.pop();
        if (f < 0 || found.has(f))
            continue;
        found.add(f);
        for (const [caller] of model.inflow.callers[f])
            queue.push(caller);
    }
    return Array.from(found).filter(f => f < count);
}
