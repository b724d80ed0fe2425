// Adds up what rows of other things than functions have of the samples that the transforms leave,
// as mlprof does (mlprof/groups/grouping.c). Rows of functions are in model.js.

import {HIDDEN} from './transforms.js';

// By node the row that it is in; -1: none.
export function others_rows(model, of) {
    const data = model.data;
    const nodes = data.nodes;
    const by = data.row_of;
    const size = model.size;
    const rows = new Int32Array(size);
    if (by.node[of])
        rows.set(by.node[of]);
    else if (by.copy[of])
        for (let i = 0; i < size; i++)
            rows[i] = by.copy[of][nodes.copy[i]];
    else {
        const points = others_points(model);
        for (let i = 0; i < size; i++)
            rows[i] = by.point[of][points[i]];
    }
    return rows;
}

// By node, the number of its pair of copy and position, in the order of the pairs' first nodes.
function others_points(model) {
    if (model.points)
        return model.points;
    const nodes = model.data.nodes;
    const size = model.size;
    const points = new Int32Array(size);
    const known = new Map();
    const many = model.data.positions.line.length + 1;
    for (let i = 0; i < size; i++) {
        const key = nodes.copy[i] * many + nodes.position[i];
        let point = known.get(key);
        if (point === undefined)
            known.set(key, (point = known.size));
        points[i] = point;
    }
    return (model.points = points);
}

// By row: samples in it (cur), with what it called, each once (stack), and with what was inlined
// into it (within).
export function others_figures(model, of) {
    if (model.others[of])
        return model.others[of];
    const {
        nodes,
        groups,
        texts,
        row_of: {around},
    } = model.data;
    const count = groups[of].name.length;
    const size = model.size;
    const rows = others_rows(model, of);
    const parent = nodes.parent;
    // What a module did in the kernel is the kernel's own time.
    const kernel = of === 'modules'
        ? groups.modules.name.findIndex(name => texts[name] === '[kernel]')
        : -1;
    const outer = (r, i) =>
        of === 'loops' ? around[r] : r !== kernel && nodes.kernel[i] ? kernel : -1;
    // A hidden function is part of its caller. A thread, a phase or a type stays what it is.
    if (model.hides && of !== 'threads' && of !== 'phases' && of !== 'types')
        for (let i = 0; i < size; i++)
            if (model.stand[model.function_of(i) + 1] === HIDDEN)
                rows[i] = parent[i] < 0 ? -1 : rows[parent[i]];
    const cur = new Float64Array(count);
    const stack = new Float64Array(count);
    const within = new Float64Array(count);
    const active = new Int32Array(count);
    const seen = new Int32Array(count);
    // Types call nothing.
    for (const event of of === 'types' ? [] : model.order) {
        const i = event < 0 ? ~event : event;
        if (!model.weight[i])
            continue;
        for (let r = rows[i]; r >= 0; r = outer(r, i)) {
            if (event < 0)
                active[r]--;
            else if (!active[r]++)
                stack[r] += model.weight[i];
        }
    }
    for (let i = 0; i < size; i++) {
        if (!model.counts[i])
            continue;
        const row = kernel >= 0 && nodes.kernel[i] ? kernel : rows[i];
        if (row >= 0)
            cur[row] += model.counts[i];
        for (let at = i; at >= 0; at = nodes.inlined[at] ? parent[at] : -1)
            for (let r = rows[at]; r >= 0; r = outer(r, at)) {
                if (seen[r] === i + 1)
                    continue;
                seen[r] = i + 1;
                within[r] += model.counts[i];
            }
    }
    return (model.others[of] = {cur: cur, stack: of === 'types' ? cur : stack, within: within});
}
