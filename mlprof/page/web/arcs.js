// The call graph: call sites and the functions that they call. For open call sites only bounds of
// the calls are known. The calls of all open call sites form a table with one row for each site and
// one column for each function. The sums of the rows and columns are known. A dial sets one cell of
// the table. The bounds of the other cells are exact; they are computed as flows through the table.
// The estimates of the cells have the greatest entropy that the sums allow, like the estimates that
// mlprof prints.

import {map_get, map_push} from './maps.js';

// Callees of an arc that are not a single function: code outside the profile, and functions that
// are not distinguished.
export const OUTSIDE = -1;

export const OTHERS = -2;

// For components of the call graph with more functions, total times are not computed
// (aggregates.js).
const ARCS_LARGEST = 600;

export function arcs_make(data) {
    const {call_sites: sites, arcs, targets} = data;
    const count = arcs.site.length;
    const model = {
        count: count,
        of_site: new Map(),
        of_callee: new Map(),
        of_function: new Map(),
        of_line: new Map(),
        open: [],
        largest: ARCS_LARGEST,
    };
    const columns = new Set();
    for (let a = 0; a < count; a++) {
        const site = arcs.site[a];
        const open = site >= 0 ? sites.open[site] : arcs.least[a] !== arcs.most[a];
        map_push(model.of_site, site, a);
        map_push(model.of_callee, arcs.callee[a], a);
        if (site >= 0)
            map_push(model.of_function, sites.function[site], a);
        if (open && site >= 0)
            columns.add(arcs.callee[a]);
        if (arcs.least[a] !== arcs.most[a])
            model.open.push(a);
    }
    sites.line.forEach((line, s) => map_push(model.of_line, sites.file[s] + ':' + line, s));

    // The sums of the rows by call site and of the columns by callee. If the totals differ, an
    // additional row or column with calls from or to the outside makes them equal.
    const rows = new Map();
    const lefts = new Map();
    sites.open.forEach((open, s) => {
        if (open && sites.calls[s])
            rows.set(s, sites.calls[s]);
    });
    targets.function.forEach(function (f, i) {
        const key = columns.has(f) ? f : OTHERS;
        lefts.set(key, (lefts.get(key) || 0) + targets.calls[i]);
    });
    const sum = map => Array.from(map.values()).reduce((all, value) => all + value, 0);
    const site_total = sum(rows);
    const callee_total = sum(lefts);
    if (callee_total > site_total)
        rows.set(OUTSIDE, callee_total - site_total);
    if (site_total > callee_total)
        lefts.set(OUTSIDE, site_total - callee_total);
    model.rows = rows;
    model.lefts = lefts;
    model.is_cell = a =>
        rows.has(arcs.site[a]) &&
        lefts.has(arcs.callee[a]) &&
        (arcs.site[a] < 0 || Boolean(sites.open[arcs.site[a]]));

    // Parses the dials in the address: SITE.CALLEE=CALLS, ... If earlier dials do not allow a
    // number of calls, uses the nearest number that they allow.
    model.read = function (text) {
        const turned = new Map();
        for (const part of text ? text.split(',') : []) {
            const found = /^(-?\d+)\.(-?\d+)=(\d+)$/.exec(part);
            const a = found
                ? (model.of_site.get(Number(found[1])) || []).find(
                      i => arcs.callee[i] === Number(found[2])
                  )
                : undefined;
            if (a === undefined || !model.is_cell(a))
                continue;
            const [least, most] = arcs_range(data, model, turned, a);
            turned.set(a, Math.min(most, Math.max(least, Number(found[3]))));
        }
        return turned;
    };
    model.write = turned =>
        Array.from(turned, ([a, calls]) => arcs.site[a] + '.' + arcs.callee[a] + '=' + calls).join(
            ','
        );

    model.has_dial = a => arcs.least[a] !== arcs.most[a] && model.is_cell(a);

    // Sets the dials from TEXT. Afterwards, `calls' returns the calls of an arc, which can be a
    // fraction if they are estimated, and `range' returns the arc's bounds.
    model.turn = function (text) {
        if (model.text === text)
            return;
        model.text = text;
        model.turned = model.read(text);
        model.solved = arcs_solve(data, model, model.turned);
        model.inflow = model.aggregates = null;
    };
    model.calls = function (a) {
        if (!model.is_cell(a))
            return arcs.calls[a];
        return model.turned.has(a)
            ? model.turned.get(a)
            : model.solved(arcs.site[a], arcs.callee[a]);
    };
    model.range = a =>
        model.turned.size && model.is_cell(a)
            ? arcs_range(data, model, model.turned, a)
            : [arcs.least[a], arcs.most[a]];
    model.turn('');
    return model;
}

// Returns the table of calls. It has a row for each call site with a dial that was set, and a row
// for SITE. All other sites share one row, because they differ only in their sums. Cells with a
// dial that was set are removed from the table.
function arcs_table(data, model, turned, site) {
    const arcs = data.arcs;
    const keys = new Set(site === undefined ? [] : [site]);
    for (const a of turned.keys())
        keys.add(arcs.site[a]);
    const names = Array.from(keys);
    const columns = Array.from(model.lefts.keys());
    const row_sums = names.map(key => model.rows.get(key));
    const column_sums = Array.from(model.lefts.values());
    let rest = 0;
    for (const [key, sum] of model.rows)
        if (!keys.has(key))
            rest += sum;
    row_sums.push(rest);
    const allowed = row_sums.map(() => columns.map(() => true));
    for (const [a, calls] of turned) {
        const r = names.indexOf(arcs.site[a]);
        const c = columns.indexOf(arcs.callee[a]);
        allowed[r][c] = false;
        row_sums[r] -= calls;
        column_sums[c] -= calls;
    }
    return {
        names: names,
        columns: columns,
        rows: row_sums,
        sums: column_sums,
        allowed: allowed,
        rest: rest,
    };
}

// Moves calls between CELLS without changing the sums. If RAISED, the cell in row R and column C
// gets the maximum number of calls, otherwise the minimum.
function arcs_push(cells, allowed, r, c, raised) {
    const rows = cells.length;
    const columns = cells[0].length;
    const goal = raised ? r : rows + c;
    const start = raised ? rows + c : r;
    for (;;) {
        const before = new Int32Array(rows + columns).fill(-1);
        const queue = [start];
        before[start] = start;
        for (let i = 0; i < queue.length && before[goal] < 0; i++) {
            const node = queue[i];
            if (node < rows) {
                // Increase a cell of this row.
                for (let k = 0; k < columns; k++)
                    if (allowed[node][k] && before[rows + k] < 0 && !(node === r && k === c)) {
                        before[rows + k] = node;
                        queue.push(rows + k);
                    }
            } else {
                // Decrease a cell of this column that has calls.
                for (let k = 0; k < rows; k++)
                    if (
                        allowed[k][node - rows] &&
                        cells[k][node - rows] > 0 &&
                        before[k] < 0 &&
                        !(k === r && node - rows === c)
                    ) {
                        before[k] = node;
                        queue.push(k);
                    }
            }
        }
        if (before[goal] < 0)
            return;
        let amount = raised ? Infinity : cells[r][c];
        for (let node = goal; node !== start; node = before[node])
            if (node < rows)
                amount = Math.min(amount, cells[node][before[node] - rows]);
        if (!amount)
            return;
        for (let node = goal; node !== start; node = before[node]) {
            if (node < rows)
                cells[node][before[node] - rows] -= amount;
            else
                cells[before[node]][node - rows] += amount;
        }
        cells[r][c] += raised ? amount : -amount;
    }
}

// Returns cells with the required sums; several solutions are possible. The calls start in an
// additional row and column, and are then moved into the table.
function arcs_any(table) {
    const cells = [[...table.sums, 0], ...table.rows.map(sum => [...table.sums.map(() => 0), sum])];
    const allowed = [cells[0].map(() => true), ...table.allowed.map(row => [...row, true])];
    arcs_push(cells, allowed, 0, table.sums.length, true);
    return cells.slice(1).map(row => row.slice(0, -1));
}

// Returns the minimum and the maximum of the calls of arc A, given the other dials.
function arcs_range(data, model, turned, a) {
    const others = new Map(turned);
    others.delete(a);
    const table = arcs_table(data, model, others, data.arcs.site[a]);
    const cells = arcs_any(table);
    const r = table.names.indexOf(data.arcs.site[a]);
    const c = table.columns.indexOf(data.arcs.callee[a]);
    return arcs_ends(cells, table.allowed, r, c);
}

function arcs_ends(cells, allowed, r, c) {
    arcs_push(cells, allowed, r, c, false);
    const least = cells[r][c];
    arcs_push(cells, allowed, r, c, true);
    return [least, cells[r][c]];
}

// Returns a function of call site and callee that estimates a cell. Rows and columns are scaled to
// their sums alternately (W. E. Deming, F. F. Stephan, 1940). Cells with equal bounds are removed
// first.
function arcs_solve(data, model, turned) {
    const table = arcs_table(data, model, turned);
    const cells = arcs_any(table);
    const {rows, sums, allowed} = table;
    const found = rows.map(() => sums.map(() => 0));
    const free = allowed.map(row => row.slice());
    const row_sums = rows.slice();
    const column_sums = sums.slice();
    rows.forEach((_, r) =>
        sums.forEach(function (_, c) {
            if (!allowed[r][c])
                return;
            const [least, most] = arcs_ends(cells, allowed, r, c);
            if (least === most) {
                free[r][c] = false;
                found[r][c] = least;
                row_sums[r] -= least;
                column_sums[c] -= least;
            }
        })
    );
    const guess = rows.map((_, r) => sums.map((_, c) => (free[r][c] ? 1 : 0)));
    for (let turn = 0, deviation = 1; turn < 1000 && deviation > 1e-9; turn++) {
        deviation = 0;
        guess.forEach(function (row, r) {
            const sum = row.reduce((all, value) => all + value, 0);
            if (sum)
                row.forEach((value, c) => {
                    row[c] = (value * row_sums[r]) / sum;
                });
        });
        column_sums.forEach(function (required, c) {
            const sum = guess.reduce((all, row) => all + row[c], 0);
            if (sum)
                for (const row of guess)
                    row[c] *= required / sum;
            deviation = Math.max(deviation, Math.abs(sum - required) / (required || 1));
        });
    }
    return function (site, callee) {
        const r = table.names.indexOf(site);
        const c = table.columns.indexOf(callee);
        if (r >= 0)
            return found[r][c] + guess[r][c];
        const all = found[table.names.length][c] + guess[table.names.length][c];
        return table.rest ? (all * model.rows.get(site)) / table.rest : 0;
    };
}

// Adds the calls of the callers and callees of F to COUNTED, according to the dials. If several
// arcs connect two functions, their bounds are added.
export function arcs_neighbours(data, model, f, counted) {
    const {call_sites: sites, arcs} = data;
    const caller = a => (arcs.site[a] < 0 ? OUTSIDE : sites.function[arcs.site[a]]);
    function add(map, list, key) {
        const sums = new Map();
        for (const a of list) {
            const none = () => ({calls: 0, least: 0, most: 0, follows: false});
            const sum = map_get(sums, key(a), none);
            const [least, most] = model.turned.has(a)
                ? [model.calls(a), model.calls(a)]
                : model.range(a);
            sum.calls += model.calls(a);
            sum.least += least;
            sum.most += most;
            sum.follows = sum.follows || model.is_cell(a);
        }
        for (const [other, sum] of sums)
            if (sum.follows)
                map.set(other, {calls: Math.round(sum.calls), least: sum.least, most: sum.most});
    }
    add(counted.callers, model.of_callee.get(f) || [], caller);
    add(
        counted.callees,
        (model.of_function.get(f) || []).filter(a => arcs.callee[a] >= 0),
        a => arcs.callee[a]
    );
}
