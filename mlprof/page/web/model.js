// The profile as the views need it: functions, and trees of what they called, from the data.

page.model = function (data) {
    const functions = data.functions, nodes = data.nodes, text = data.texts, size = nodes.parent.length;
    const model = {data: data, count: functions.name.length, size: size, total: data.total, arcs: page.arcs(data)};
    model.name = f => f < 0 ? '<outside>' : text[functions.name[f]];
    model.full = f => f < 0 ? '<outside>' : text[functions.full[f]];
    // What a box or row of the trees is called: a function, or a group of them.
    model.label = f => f >= 0 && model.grouped ? model.grouped.name[f] : model.name(f);
    model.path = file => file < 0 ? '' : data.files.path[file];
    model.last = path => path.slice(path.lastIndexOf('/') + 1);
    model.seconds = samples => samples / (data.rate || 1);
    model.function_of = node => data.copies.function[nodes.copy[node]];
    model.position_of = node => model.last(model.path(nodes.file[node])) + ':' + data.positions.line[nodes.position[node]];

    // The nodes as a walk enters and leaves them: a number, and behind all below it the number's
    // complement.  Made once, since nothing here may go by recursion: stacks are deep.
    const order = model.order = new Int32Array(2 * size);
    {
        const child = new Int32Array(size + 1).fill(-1), sibling = new Int32Array(size).fill(-1);
        for (let i = size; i-- > 0;) {
            const parent = nodes.parent[i] < 0 ? size : nodes.parent[i];
            sibling[i] = child[parent];
            child[parent] = i;
        }
        for (let at = child[size], end = 0; at >= 0;) {
            order[end++] = at;
            if (child[at] >= 0) {
                at = child[at];
                continue;
            }
            order[end++] = ~at;
            while (at >= 0 && sibling[at] < 0) {
                at = nodes.parent[at];
                if (at >= 0) order[end++] = ~at;
            }
            if (at >= 0) at = sibling[at];
        }
    }

    // What was sampled, as the transforms leave it: `counts' of each node, `weight' of it and all
    // below, `kept' of all.  Shares are of `total', all that was sampled, in the range of time if
    // there is one.
    model.transform = function (transforms) {
        const counts = model.counts = new Float64Array(size), keep = page.transforms_keep(model, transforms);
        const range = model.range = page.times_range(data, transforms), taken = range ? page.times_counts(data, range) : nodes.count;
        model.total = range ? taken.reduce((sum, count) => sum + count, 0) : data.total;
        const weight = model.weight = new Float64Array(size);
        model.kept = 0;
        for (let i = size; i-- > 0;) {
            counts[i] = keep[i] ? taken[i] : 0;
            weight[i] += counts[i];
            if (nodes.parent[i] >= 0) weight[nodes.parent[i]] += weight[i];
            else model.kept += weight[i];
        }
        model.transforms = transforms;
        model.grouped = page.groups_of(model, transforms);
        model.stand = page.transforms_stand(model, transforms);
        // By node the function that stands for it, and whether it is part of its parent.
        const shown = model.shown = new Int32Array(size), part = model.part = new Uint8Array(size);
        for (let i = 0; i < size; i++) {
            const own = model.stand[model.function_of(i) + 1], above = nodes.parent[i] < 0 ? -1 : shown[nodes.parent[i]];
            shown[i] = own === HIDDEN ? above : own;
            part[i] = own === HIDDEN || (model.grouped && nodes.parent[i] >= 0 && own === above) ? 1 : 0;
        }
        model.hides = model.stand.includes(HIDDEN);
        model.trees = {};
        model.others = {};
        model.costs = null;
    };

    // A tree of functions: what the same function called, from wherever in it, is one.  DOWN
    // begins with the outermost; otherwise with the innermost, and leads to its callers.
    model.tree = function (down) {
        if (model.trees[down]) return model.trees[down];
        const tree = {parent: [-1], function: [-1], count: [0], child: [-1], sibling: [-1]};
        const known = new Map(), shown = page.transforms_show(model, model.transforms);
        function put(parent, f) {
            const key = parent * (model.count + 1) + f + 1;
            let at = known.get(key);
            if (at === undefined) {
                at = tree.parent.length;
                known.set(key, at);
                tree.parent.push(parent);
                tree.function.push(f);
                tree.count.push(0);
                tree.child.push(-1);
                tree.sibling.push(tree.child[parent]);
                tree.child[parent] = at;
            }
            return at;
        }
        if (down) {
            const of = new Int32Array(size);
            for (let i = 0; i < size; i++) {
                if (!model.weight[i]) continue;
                const parent = nodes.parent[i], above = parent < 0 ? 0 : of[parent], f = shown(model.function_of(i), tree, above);
                of[i] = f === null ? above : put(above, f);
                tree.count[of[i]] += model.counts[i];
            }
        } else {
            for (let i = 0; i < size; i++) {
                if (!model.counts[i]) continue;
                let at = 0;
                for (let k = i; k >= 0; k = nodes.parent[k]) {
                    const f = shown(model.function_of(k), tree, at);
                    if (f !== null) at = put(at, f);
                }
                tree.count[at] += model.counts[i];
            }
        }
        tree.weight = Float64Array.from(tree.count);
        for (let i = tree.parent.length; i-- > 1;) tree.weight[tree.parent[i]] += tree.weight[i];
        return model.trees[down] = tree;
    };

    // What each key that KEY gives to nodes has: itself, and with what it called, each sample
    // once.  Less than 0: no key.
    model.group = function (key) {
        const groups = new Map();
        for (const event of model.order) {
            const i = event < 0 ? ~event : event, own = model.weight[i] ? key(i) : -1;
            if (own < 0) continue;
            let group = groups.get(own);
            if (!group) groups.set(own, group = {cur: 0, stack: 0, nodes: [], active: 0});
            if (event < 0) {
                group.active--;
                continue;
            }
            group.cur += model.counts[i];
            group.nodes.push(i);
            if (!group.active++) group.stack += model.weight[i];
        }
        return groups;
    };
    // By node the row of the branch that its samples are of; less than 0: they are its function's.
    model.branch_of = new Int32Array(size).fill(-1);
    if (data.branched) data.branched.node.forEach((node, i) => { model.branch_of[node] = data.branched.row[i]; });
    // With their branches.
    model.functions = () => model.costs || (model.costs = model.group(i => model.shown[i]));
    model.lines = (file, copy) => model.group(i => nodes.file[i] === file && !(copy >= 0 && nodes.copy[i] !== copy) ? data.positions.line[nodes.position[i]] || -1 : -1);
    model.expressions = (file, copy) => model.group(i => nodes.file[i] === file && !(copy >= 0 && nodes.copy[i] !== copy) ? nodes.position[i] : -1);

    // The lines of a file's text; null where it was not found.
    const sources = new Map();
    model.source = function (file) {
        if (!sources.has(file)) sources.set(file, data.files.text[file] === null ? null : data.files.text[file].split('\n'));
        return sources.get(file);
    };

    // How often the lines of a file were executed, all functions together.
    model.executions = function (file) {
        const counts = new Map();
        data.lines.function.forEach(function (f, i) {
            if (functions.file[f] === file)
                counts.set(data.lines.line[i], (counts.get(data.lines.line[i]) || 0) + data.lines.count[i]);
        });
        return counts;
    };

    // Who called F and whom it called: what was sampled below, each sample once, and counted calls.
    model.neighbours = function (f) {
        const shown = model.shown, above = i => nodes.parent[i] < 0 ? -1 : shown[nodes.parent[i]];
        const sampled = side => new Map(Array.from(model.group(side), ([other, group]) => [other - 1, group.stack]));
        const callers = sampled(i => !model.part[i] && shown[i] === f ? above(i) + 1 : -1);
        const callees = sampled(i => !model.part[i] && above(i) === f ? shown[i] + 1 : -1);
        const counted = {callers: new Map(), callees: new Map()}, calls = data.calls;
        if (!model.grouped) calls.caller.forEach(function (caller, i) {
            const told = {calls: calls.calls[i], least: calls.least[i], most: calls.most[i]};
            if (calls.callee[i] === f) counted.callers.set(caller, told);
            if (caller === f) counted.callees.set(calls.callee[i], told);
        });
        if (model.arcs.turned.size && !model.grouped) page.arcs_neighbours(data, model.arcs, f, counted);
        const list = (map, told) => Array.from(new Set([...map.keys(), ...told.keys()].filter(key => model.stand[key + 1] !== HIDDEN)), key =>
            ({function: key, amount: map.get(key) || 0, told: told.get(key)}))
            .sort((a, b) => b.amount - a.amount || (b.told ? b.told.calls : 0) - (a.told ? a.told.calls : 0));
        return {callers: list(callers, counted.callers), callees: list(callees, counted.callees)};
    };
    model.transform([]);
    return model;
};
