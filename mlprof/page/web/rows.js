// Returns the values of a measure for the rows of tables: functions, and all other groups of
// samples. Adds up the samples that the transforms keep, by the same rules as mlprof.

import {map_get} from './maps.js';
import {number_text} from './numbers.js';
import {FRAME, HIDDEN} from './transforms.js';
import {model_sums} from './model.js';

// Returns the row of each node, or -1.
function rows_of_nodes(model, key) {
    const data = model.data;
    const nodes = data.nodes;
    const row_of = data.row_of;
    const size = model.size;
    const rows = new Int32Array(size);
    if (row_of.node[key])
        rows.set(row_of.node[key]);
    else if (row_of.copy[key])
        for (let i = 0; i < size; i++)
            rows[i] = row_of.copy[key][nodes.copy[i]];
    else {
        const points = rows_points(model);
        for (let i = 0; i < size; i++)
            rows[i] = row_of.point[key][points[i]];
    }
    return rows;
}

// Returns for each node the number of its pair of copy and position. Pairs are numbered in the
// order of their first nodes.
function rows_points(model) {
    if (model.points)
        return model.points;
    const nodes = model.data.nodes;
    const size = model.size;
    const points = new Int32Array(size);
    const known = new Map();
    const many = model.data.positions.line.length + 1;
    for (let i = 0; i < size; i++) {
        const key = nodes.copy[i] * many + nodes.position[i];
        points[i] = map_get(known, key, () => known.size);
    }
    return (model.points = points);
}

// Returns the samples of each row: its own samples (cur), samples including callees (stack), and
// samples including inlined code (within). Each sample counts once.
function rows_group_figures(model, key, measure) {
    const {counts, weight, others} = model_sums(model, measure);
    if (others[key])
        return others[key];
    const {
        nodes,
        groups,
        texts,
        row_of: {around: outer_loop},
    } = model.data;
    const facts = model.data.keys[key];
    const count = groups[key].name.length;
    const size = model.size;
    const rows = rows_of_nodes(model, key);
    const parent = nodes.parent;
    // Time in the kernel belongs to the row of the kernel, not to the module.
    const kernel = key === 'modules'
        ? groups.modules.name.findIndex(name => texts[name] === '[kernel]')
        : -1;
    const outer = (r, i) =>
        key === 'loops' ? outer_loop[r] : r !== kernel && nodes.kernel[i] ? kernel : -1;
    // A hidden function is part of its caller. Threads, phases and memory are not affected.
    if (model.hides && facts.what === FRAME.code && !facts.memory)
        for (let i = 0; i < size; i++)
            if (model.shown_as[model.function_of(i) + 1] === HIDDEN)
                rows[i] = parent[i] < 0 ? -1 : rows[parent[i]];
    const cur = new Float64Array(count);
    const stack = new Float64Array(count);
    const with_inlined = new Float64Array(count);
    const active = new Int32Array(count);
    const seen = new Int32Array(count);
    for (const event of facts.memory ? [] : model.order) {
        const i = event < 0 ? ~event : event;
        if (!weight[i])
            continue;
        for (let r = rows[i]; r >= 0; r = outer(r, i)) {
            if (event < 0)
                active[r]--;
            else if (!active[r]++)
                stack[r] += weight[i];
        }
    }
    for (let i = 0; i < size; i++) {
        if (!counts[i])
            continue;
        const row = kernel >= 0 && nodes.kernel[i] ? kernel : rows[i];
        if (row >= 0)
            cur[row] += counts[i];
        for (let node = i; node >= 0; node = nodes.inlined[node] ? parent[node] : -1)
            for (let r = rows[node]; r >= 0; r = outer(r, node)) {
                if (seen[r] === i + 1)
                    continue;
                seen[r] = i + 1;
                with_inlined[r] += counts[i];
            }
    }
    const total = facts.memory ? cur : stack;
    return (others[key] = {cur: cur, stack: total, within: with_inlined});
}

// Returns the values of each function that the transforms keep.
function rows_function_figures(model, measure) {
    const figures = {cur: new Float64Array(model.count), stack: new Float64Array(model.count)};
    for (const [f, group] of model.functions(measure))
        [figures.cur[f], figures.stack[f]] = [group.cur, group.stack];
    const {branched, functions} = model.data;
    if (!branched)
        return figures;
    // The branches of a function are hidden if another function is shown for it. Samples of a
    // branch's callees are not known here.
    functions.branch.forEach((branch, f) => {
        if (branch)
            [figures.cur[f], figures.stack[f]] = [
                model.grouped || functions.cur[f] < 0 ? -1 : 0,
                -1,
            ];
    });
    const {counts} = model_sums(model, measure);
    for (const node of model.grouped ? [] : branched.node)
        if (model.shown[node] === model.function_of(node)) {
            figures.cur[model.branch_of[node]] += counts[node];
            figures.cur[model.shown[node]] -= counts[node];
        }
    return figures;
}

// Returns the table of functions or of another kind of row.
export const rows_table = (model, key) =>
    key === 'functions' ? model.data.functions : model.data.groups[key];

// Returns the values of a measure for each row: its own (cur), including callees (stack) and,
// except for functions, including inlined code (within). They are the values that mlprof computed,
// unless the reader chose something else. Ranks always have the values of the whole run.
export function rows_figures(model, key, measure) {
    const {data} = model;
    const table = rows_table(model, key);
    const grouped = key === 'functions' && model.grouped;
    const plain = !model.transforms.length || key === 'ranks' || (!measure.stacks && !grouped);
    if (plain && measure.word === data.shown && !model.span)
        return table;
    if (!measure.stacks && !grouped)
        return {cur: table[measure.unit], stack: table[measure.unit]};
    return key === 'functions'
        ? rows_function_figures(model, measure)
        : rows_group_figures(model, key, measure);
}

// Returns the total to which the shares of rows refer.
export function rows_total(model, key, measure) {
    const {total} = model_sums(model, measure);
    if (key === 'functions' || measure.stacks && (model.range || model.span))
        return total;
    return measure.word === model.data.shown
        ? model.data.totals[key]
        : measure.stacks
          ? total
          : rows_table(model, key)[measure.unit].reduce(
                (sum, amount) => sum + Math.max(0, amount),
                0
            );
}

// Returns the text about the confidence interval of an estimate: the bytes of a heap measure for
// function F itself or, if STACK, including its callees. Returns undefined if nothing was
// estimated, or if a span of time or transforms are chosen.
export function rows_range(model, measure, f, stack) {
    const {heap} = model.data;
    if (!heap || !heap.ranges || measure.unit !== 'bytes' || model.transforms.length || model.span)
        return undefined;
    const {ranges} = heap;
    const key = (f, index) => f * model.data.measures.length + index;
    if (!model.ranges)
        model.ranges = new Map(ranges.function.map((f, i) => [key(f, ranges.measure[i]), i]));
    const i = model.ranges.get(key(f, measure.index));
    const [least, most] = stack ? ['stack_least', 'stack_most'] : ['least', 'most'];
    return i === undefined
        ? undefined
        : 'estimated, 95% range ' + number_text(ranges[least][i]) + '-' +
              number_text(ranges[most][i]);
}
