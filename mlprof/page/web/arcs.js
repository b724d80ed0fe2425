// Call sites and whom they called how often.  What an open site called is known only within bounds:
// the calls of all open sites, by the functions that they may have gone to, are a table whose rows
// and columns have known sums.  A dial sets one cell of it; the others then follow: their bounds
// exactly, by flows through the table, and their estimate as the one with the greatest entropy that
// the sums allow, as mlprof's own is (mlprof/arcs/arcs.h).

// The callee of an arc that is no function: what is outside, and those that are not told apart.
page.OUTSIDE = -1;
page.OTHERS = -2;

// In a circle of more functions than these it is not found how often one comes back to itself.
page.ARCS_LARGEST = 600;

page.arcs = function (data) {
    const {call_sites: sites, arcs, targets} = data, count = arcs.site.length;
    const model = {count: count, of_site: new Map(), of_callee: new Map(), of_function: new Map(), of_line: new Map(), open: []};
    const put = (map, key, value) => map.has(key) ? map.get(key).push(value) : map.set(key, [value]);
    const columns = new Set();
    for (let a = 0; a < count; a++) {
        const site = arcs.site[a], open = site >= 0 ? sites.open[site] : arcs.least[a] !== arcs.most[a];
        put(model.of_site, site, a);
        put(model.of_callee, arcs.callee[a], a);
        if (site >= 0) put(model.of_function, sites.function[site], a);
        if (open && site >= 0) columns.add(arcs.callee[a]);
        if (arcs.least[a] !== arcs.most[a]) model.open.push(a);
    }
    sites.line.forEach((line, s) => put(model.of_line, sites.file[s] + ':' + line, s));

    // The sums: of rows by site, of columns by callee.  What one side has more is from outside, or to it.
    const rows = new Map(), lefts = new Map();
    sites.open.forEach((open, s) => { if (open && sites.calls[s]) rows.set(s, sites.calls[s]); });
    targets.function.forEach(function (f, i) {
        const key = columns.has(f) ? f : page.OTHERS;
        lefts.set(key, (lefts.get(key) || 0) + targets.calls[i]);
    });
    const sum = map => Array.from(map.values()).reduce((all, value) => all + value, 0);
    const from = sum(rows), to = sum(lefts);
    if (to > from) rows.set(page.OUTSIDE, to - from);
    if (from > to) lefts.set(page.OUTSIDE, from - to);
    model.rows = rows;
    model.lefts = lefts;
    model.is_cell = a => rows.has(arcs.site[a]) && lefts.has(arcs.callee[a]) &&
        (arcs.site[a] < 0 || Boolean(sites.open[arcs.site[a]]));

    // The dials that are turned, as the address has them: SITE.CALLEE=CALLS, ...; each within what those
    // before it leave.
    model.read = function (text) {
        const turned = new Map();
        for (const part of text ? text.split(',') : []) {
            const found = /^(-?\d+)\.(-?\d+)=(\d+)$/.exec(part);
            const a = found ? (model.of_site.get(Number(found[1])) || []).find(i => arcs.callee[i] === Number(found[2])) : undefined;
            if (a === undefined || !model.is_cell(a)) continue;
            const [least, most] = page.arcs_range(data, model, turned, a);
            turned.set(a, Math.min(most, Math.max(least, Number(found[3]))));
        }
        return turned;
    };
    model.write = turned => Array.from(turned, ([a, calls]) => arcs.site[a] + '.' + arcs.callee[a] + '=' + calls).join(',');

    model.has_dial = a => arcs.least[a] !== arcs.most[a] && model.is_cell(a);

    // With the dials as they are: the calls of arc A, which an estimate gives fractions of, and bounds.
    model.turn = function (text) {
        if (model.text === text) return;
        model.text = text;
        model.turned = model.read(text);
        model.solved = page.arcs_solve(data, model, model.turned);
        model.inflow = model.aggregates = null;
    };
    model.calls = function (a) {
        if (!model.is_cell(a)) return arcs.calls[a];
        return model.turned.has(a) ? model.turned.get(a) : model.solved(arcs.site[a], arcs.callee[a]);
    };
    model.range = a => model.turned.size && model.is_cell(a) ? page.arcs_range(data, model, model.turned, a)
        : [arcs.least[a], arcs.most[a]];
    model.turn('');
    return model;
};

// The table with the rows of sites that have a dial turned, that of SITE, and one for all the
// others: these are alike but for their sums.  A turned cell is taken out of it.
page.arcs_table = function (data, model, turned, site) {
    const arcs = data.arcs, keys = new Set(site === undefined ? [] : [site]);
    for (const a of turned.keys()) keys.add(arcs.site[a]);
    const names = Array.from(keys), columns = Array.from(model.lefts.keys());
    const row_sums = names.map(key => model.rows.get(key)), column_sums = Array.from(model.lefts.values());
    let rest = 0;
    for (const [key, sum] of model.rows) if (!keys.has(key)) rest += sum;
    row_sums.push(rest);
    const allowed = row_sums.map(() => columns.map(() => true));
    for (const [a, calls] of turned) {
        const r = names.indexOf(arcs.site[a]), c = columns.indexOf(arcs.callee[a]);
        allowed[r][c] = false;
        row_sums[r] -= calls;
        column_sums[c] -= calls;
    }
    return {names: names, columns: columns, rows: row_sums, sums: column_sums, allowed: allowed, rest: rest};
};

// Moves calls around in CELLS, whose sums stay, so that the one in row R and column C has as many as it
// can have, or if not RAISED as few.
page.arcs_push = function (cells, allowed, r, c, raised) {
    const rows = cells.length, columns = cells[0].length, to = raised ? r : rows + c, from = raised ? rows + c : r;
    for (;;) {
        const before = new Int32Array(rows + columns).fill(-1), queue = [from];
        before[from] = from;
        for (let i = 0; i < queue.length && before[to] < 0; i++) {
            const at = queue[i];
            if (at < rows) {
                // One more in this row and column.
                for (let k = 0; k < columns; k++)
                    if (allowed[at][k] && before[rows + k] < 0 && !(at === r && k === c)) {
                        before[rows + k] = at;
                        queue.push(rows + k);
                    }
            } else {
                // One less.
                for (let k = 0; k < rows; k++)
                    if (allowed[k][at - rows] && cells[k][at - rows] > 0 && before[k] < 0 && !(k === r && at - rows === c)) {
                        before[k] = at;
                        queue.push(k);
                    }
            }
        }
        if (before[to] < 0) return;
        let amount = raised ? Infinity : cells[r][c];
        for (let at = to; at !== from; at = before[at]) if (at < rows) amount = Math.min(amount, cells[at][before[at] - rows]);
        if (!amount) return;
        for (let at = to; at !== from; at = before[at]) {
            if (at < rows) cells[at][before[at] - rows] -= amount;
            else cells[before[at]][at - rows] += amount;
        }
        cells[r][c] += raised ? amount : -amount;
    }
};

// Cells that add up to the sums: begins with a row and a column that nothing else has, which give way.
page.arcs_any = function (table) {
    const cells = [[...table.sums, 0], ...table.rows.map(sum => [...table.sums.map(() => 0), sum])];
    const allowed = [cells[0].map(() => true), ...table.allowed.map(row => [...row, true])];
    page.arcs_push(cells, allowed, 0, table.sums.length, true);
    return cells.slice(1).map(row => row.slice(0, -1));
};

// The least and the most that arc A can have, given the dials of others.
page.arcs_range = function (data, model, turned, a) {
    const others = new Map(turned);
    others.delete(a);
    const table = page.arcs_table(data, model, others, data.arcs.site[a]), cells = page.arcs_any(table);
    const r = table.names.indexOf(data.arcs.site[a]), c = table.columns.indexOf(data.arcs.callee[a]);
    return page.arcs_ends(cells, table.allowed, r, c);
};

page.arcs_ends = function (cells, allowed, r, c) {
    page.arcs_push(cells, allowed, r, c, false);
    const least = cells[r][c];
    page.arcs_push(cells, allowed, r, c, true);
    return [least, cells[r][c]];
};

// The estimate of each cell, as a function of site and callee: rows and columns are brought to their
// sums in turn (W. E. Deming, F. F. Stephan, 1940).  Cells that have no choice are taken out before.
page.arcs_solve = function (data, model, turned) {
    const table = page.arcs_table(data, model, turned), cells = page.arcs_any(table);
    const {rows, sums, allowed} = table, found = rows.map(() => sums.map(() => 0)), free = allowed.map(row => row.slice());
    const row_sums = rows.slice(), column_sums = sums.slice();
    rows.forEach((_, r) => sums.forEach(function (_, c) {
        if (!allowed[r][c]) return;
        const [least, most] = page.arcs_ends(cells, allowed, r, c);
        if (least === most) {
            free[r][c] = false;
            found[r][c] = least;
            row_sums[r] -= least;
            column_sums[c] -= least;
        }
    }));
    const guess = rows.map((_, r) => sums.map((_, c) => free[r][c] ? 1 : 0));
    for (let turn = 0, off = 1; turn < 1000 && off > 1e-9; turn++) {
        off = 0;
        guess.forEach(function (row, r) {
            const sum = row.reduce((all, value) => all + value, 0);
            if (sum) row.forEach((value, c) => { row[c] = value * row_sums[r] / sum; });
        });
        column_sums.forEach(function (wanted, c) {
            const sum = guess.reduce((all, row) => all + row[c], 0);
            if (sum) for (const row of guess) row[c] *= wanted / sum;
            off = Math.max(off, Math.abs(sum - wanted) / (wanted || 1));
        });
    }
    return function (site, callee) {
        const r = table.names.indexOf(site), c = table.columns.indexOf(callee);
        if (r >= 0) return found[r][c] + guess[r][c];
        const all = found[table.names.length][c] + guess[table.names.length][c];
        return table.rest ? all * model.rows.get(site) / table.rest : 0;
    };
};

// The time of each function itself, with that of its branches, which have none for themselves here.
page.arcs_own = function (data) {
    const own = Float64Array.from(data.functions.cur, (cur, f) => data.functions.branch[f] ? 0 : cur);
    if (data.branched) for (const node of data.branched.node) own[data.copies.function[data.nodes.copy[node]]] += data.nodes.count[node];
    return own;
};

// Aggregate times, by function: of itself, and of each other one the share of its calls that come, by
// whatever way, from it.  So what calls itself, or in a circle, counts once.
//
// Who goes from a function to its caller, and on, each caller as probable as its calls, comes to f some
// time with that share.  What is looked for is made of how often he comes there: `came' adds up that of all
// who begin in a function, weighed by its own time; `stays' is that of one who begins in f.
page.arcs_aggregates = function (data, model) {
    if (model.aggregates) return model.aggregates;
    const count = data.functions.name.length, inflow = page.arcs_inflow(data, model, count), self = [...page.arcs_own(data), 0];
    const came = Float64Array.from(self), stays = new Float64Array(count + 1).fill(1);
    const all = inflow.callers.map(list => list.reduce((sum, [, calls]) => sum + calls, 0));
    model.inflow = inflow;
    for (const circle of page.arcs_circles(inflow.callees)) {
        const place = new Map(circle.map((g, i) => [g, i])), own = Float64Array.from(circle, g => self[g]);
        const to = circle.map(() => new Map());
        circle.forEach(function (g, i) {
            for (const [callee, calls] of inflow.callees[g]) {
                const share = calls / all[callee];
                if (place.has(callee)) to[place.get(callee)].set(i, share);
                else own[i] += share * came[callee];
            }
        });
        page.arcs_visits(to, own, (i, visits, back) => {
            came[circle[i]] = visits;
            stays[circle[i]] = back;
        });
    }
    return model.aggregates = Float64Array.from(came, (value, g) => value / stays[g]).slice(0, count);
};

// Of places from which TO leads to others, each with a probability: calls TELL with a place, how often it is
// visited by all who begin anywhere, as many as OWN says, and how often by one who begins there.
page.arcs_visits = function (to, own, tell) {
    const size = to.length;
    if (size === 1) {
        const stays = 1 / Math.max(1e-12, 1 - (to[0].get(0) || 0));
        tell(0, own[0] * stays, stays);
        return;
    }
    if (size > page.ARCS_LARGEST) {
        page.arcs_visits_stepwise(to, own, tell);
        return;
    }
    // (I - to) inverted in place; no pivot is needed, it has no column that its diagonal does not outweigh.
    const matrix = to.map((row, i) => Float64Array.from(to, (_, k) => (i === k ? 1 : 0) - (row.get(k) || 0)));
    for (let p = 0; p < size; p++) {
        const row = matrix[p], pivot = Math.max(1e-12, row[p]);
        row[p] = 1;
        for (let k = 0; k < size; k++) row[k] /= pivot;
        for (let i = 0; i < size; i++) {
            const other = matrix[i], factor = other[p];
            if (i === p || !factor) continue;
            other[p] = 0;
            for (let k = 0; k < size; k++) other[k] -= factor * row[k];
        }
    }
    for (let i = 0; i < size; i++) tell(i, own.reduce((sum, value, k) => sum + value * matrix[k][i], 0), matrix[i][i]);
};

// The same where there are too many: step by step, and how often one comes back is not found (NaN).
page.arcs_visits_stepwise = function (to, own, tell) {
    const visits = Float64Array.from(own), most = own.reduce((sum, value) => sum + value, 0);
    let at = own;
    for (let step = 0, left = most; step < 2000 && left > 1e-6 * most; step++) {
        const next = new Float64Array(own.length);
        to.forEach((row, i) => { for (const [k, share] of row) next[k] += at[i] * share; });
        next.forEach((value, k) => { visits[k] += value; });
        at = next;
        left = next.reduce((sum, value) => sum + value, 0);
    }
    visits.forEach((value, i) => tell(i, value, NaN));
};

// The circles of functions that call each other, one or several, each behind all that it calls (R. Tarjan, 1972).
page.arcs_circles = function (callees) {
    const count = callees.length, number = new Int32Array(count).fill(-1), low = new Int32Array(count);
    const inside = new Uint8Array(count), held = [], circles = [];
    let next = 0;
    for (let root = 0; root < count; root++) {
        if (number[root] >= 0) continue;
        const open = [[root, 0]];
        while (open.length) {
            const top = open[open.length - 1], f = top[0];
            if (top[1] === 0) {
                number[f] = low[f] = next++;
                inside[f] = 1;
                held.push(f);
            }
            const call = callees[f][top[1]++];
            if (call) {
                const g = call[0];
                if (number[g] < 0) open.push([g, 0]);
                else if (inside[g]) low[f] = Math.min(low[f], number[g]);
                continue;
            }
            open.pop();
            if (open.length) low[open[open.length - 1][0]] = Math.min(low[open[open.length - 1][0]], low[f]);
            if (low[f] !== number[f]) continue;
            const circle = [];
            for (let g = -1; g !== f;) {
                g = held.pop();
                inside[g] = 0;
                circle.push(g);
            }
            circles.push(circle);
        }
    }
    return circles;
};

// By function who called it how often, and whom it called; those that are not told apart are called by
// one more, which open sites call.
page.arcs_inflow = function (data, model, count) {
    const {call_sites: sites, arcs, targets} = data, sums = Array.from({length: count + 1}, () => new Map());
    const together = new Set(model.of_callee.has(page.OTHERS) ? targets.function.filter(f => !model.lefts.has(f)) : []);
    let rest = model.lefts.get(page.OTHERS) || 0;
    for (let a = 0; a < model.count; a++) {
        const callee = arcs.callee[a] === page.OTHERS ? count : arcs.callee[a], calls = model.calls(a);
        const caller = arcs.site[a] < 0 ? page.OUTSIDE : sites.function[arcs.site[a]];
        if (callee < 0 || !calls || (caller < 0 && together.has(callee))) continue;
        sums[callee].set(caller, (sums[callee].get(caller) || 0) + calls);
        if (callee === count) rest -= calls;
    }
    if (together.size && rest > 0) sums[count].set(page.OUTSIDE, rest);
    targets.function.forEach((f, i) => { if (together.has(f)) sums[f].set(count, targets.calls[i]); });
    const callers = sums.map(map => Array.from(map)), callees = sums.map(() => []);
    callers.forEach((list, g) => list.forEach(([caller, calls]) => { if (caller >= 0) callees[caller].push([g, calls]); }));
    return {callers: callers, callees: callees};
};

// Functions whose aggregate depends on a dial: those that have an open arc below them.
page.arcs_dependent = function (data, model) {
    const count = data.functions.name.length, found = new Set(), queue = [];
    page.arcs_aggregates(data, model);
    for (const a of model.open) if (data.arcs.site[a] >= 0) queue.push(data.call_sites.function[data.arcs.site[a]]);
    while (queue.length) {
        const f = queue.pop();
        if (f < 0 || found.has(f)) continue;
        found.add(f);
        for (const [caller] of model.inflow.callers[f]) queue.push(caller);
    }
    return Array.from(found).filter(f => f < count);
};

// Puts into COUNTED what the dials say of the callers and callees of F; the bounds of several arcs are those of
// each, added up.
page.arcs_neighbours = function (data, model, f, counted) {
    const {call_sites: sites, arcs} = data, caller = a => arcs.site[a] < 0 ? page.OUTSIDE : sites.function[arcs.site[a]];
    function add(map, list, key) {
        const sums = new Map();
        for (const a of list) {
            if (!sums.has(key(a))) sums.set(key(a), {calls: 0, least: 0, most: 0, follows: false});
            const sum = sums.get(key(a)), [least, most] = model.turned.has(a) ? [model.calls(a), model.calls(a)] : model.range(a);
            sum.calls += model.calls(a);
            sum.least += least;
            sum.most += most;
            sum.follows = sum.follows || model.is_cell(a);
        }
        for (const [other, sum] of sums)
            if (sum.follows) map.set(other, {calls: Math.round(sum.calls), least: sum.least, most: sum.most});
    }
    add(counted.callers, model.of_callee.get(f) || [], caller);
    add(counted.callees, (model.of_function.get(f) || []).filter(a => arcs.callee[a] >= 0), a => arcs.callee[a]);
};
