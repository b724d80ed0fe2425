// Makes of the data the profile as the views need it: functions, and trees of what they called.

import {
    HIDDEN,
    groups_of,
    transforms_keep,
    transforms_show,
    transforms_stand,
} from './transforms.js';
import {cells_amounts, cells_told, cells_what, times_counts, times_range} from './times.js';
import {arcs_make, arcs_neighbours} from './arcs.js';

// The measures of DATA (mlprof/page/page-measures.c), one for each unit, with the word of the
// address for it, and whether stacks have it. Otherwise functions, other rows and places in the
// source do.
export function measures_of(data) {
    if (!data.by_unit)
        data.by_unit = data.measures.flatMap((of, at) =>
            of.units.map((unit, i) => ({
                ...of,
                data: data,
                at: at,
                name: of.word,
                unit: unit,
                word: !i ? of.word : of.word === of.units[0] ? unit : of.word + '-' + unit,
                text: of.units.length > 1 ? of.text + ', ' + unit : of.text,
                stacks: Boolean(of.values && of.values[unit]),
            }))
        );
    return data.by_unit;
}

// The measure that mlprof was asked for.
export const measure_shown = data => measures_of(data).find(({word}) => word === data.shown);

// The nodes as a walk enters and leaves them: the number of a node and, behind all nodes below it,
// the complement of its number. There is no recursion, since stacks may be deep.
function model_order(nodes, size) {
    const order = new Int32Array(2 * size);
    const child = new Int32Array(size + 1).fill(-1);
    const sibling = new Int32Array(size).fill(-1);
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
            if (at >= 0)
                order[end++] = ~at;
        }
        if (at >= 0)
            at = sibling[at];
    }
    return order;
}

// By node what it has of a measure itself, in the range of time if there is one.
function model_values(model, measure) {
    if (measure.stacks && model.range)
        return times_counts(model.data, model.range);
    if (measure.stacks && model.span && cells_told(measure))
        return cells_amounts(model, measure);
    const own = new Float64Array(model.size);
    const {node, [measure.unit]: amount} = measure.stacks ? measure.values : {node: []};
    for (let i = 0; i < node.length; i++)
        own[node[i]] = amount[i];
    return own;
}

// What shares of a measure are of: all of it, in the range of time if there is one.
function model_total(model, measure, own) {
    const {data} = model;
    const {branch} = data.functions;
    if (measure.word === data.shown && !model.range && !model.span)
        return data.total;
    const all = measure.stacks
        ? own
        : data.functions[measure.unit].map((amount, f) => (branch[f] ? 0 : Math.max(0, amount)));
    return all.reduce((sum, amount) => sum + amount, 0);
}

// Adds up what the transforms leave of a measure: `counts' by node, `weight' by node with all nodes
// below it, and `kept' of the `whole' run. Shares are of `total'. It is added up once, and so is
// what is made of it.
export function model_sums(model, measure) {
    if (model.sums.has(measure.word))
        return model.sums.get(measure.word);
    const parent = model.data.nodes.parent;
    const own = model_values(model, measure);
    const counts = own.map((amount, i) => (model.keep[i] ? amount : 0));
    const weight = Float64Array.from(counts);
    const total = model_total(model, measure, own);
    let kept = 0;
    for (let i = model.size; i-- > 0;)
        if (parent[i] >= 0)
            weight[parent[i]] += weight[i];
        else
            kept += weight[i];
    const sums = {
        measure: measure,
        order: model.order,
        total: total,
        whole: measure.word === model.data.shown && !model.span ? model.data.total : total,
        counts: counts,
        weight: weight,
        kept: kept,
        trees: {},
        others: {},
    };
    model.sums.set(measure.word, sums);
    return sums;
}

// Chooses what the model tells of: the measure, what the transforms leave of it and, of the heap,
// the SPAN of time in which it was allocated.
export function model_choose(model, measure, transforms, span) {
    const key = [...transforms, span && Object.values(span)].join('\n');
    if (model.key !== key) {
        model.key = key;
        model.transforms = transforms;
        model.span = span;
        model.range = times_range(model.data, transforms);
        model.keep = transforms_keep(model, transforms);
        model.grouped = groups_of(model, transforms);
        model.stand = transforms_stand(model, transforms);
        model.hides = model.stand.includes(HIDDEN);
        model.sums = new Map();
        model_stand(model);
    }
    const {total, whole, counts, weight, kept, trees} = model_sums(model, measure);
    Object.assign(model, {measure, total, whole, counts, weight, kept, trees});
    model.counts_alone = !measure.stacks;
    model.stacks = measure.stacks && model.data.stacks;
    model.what = measure.memory ? cells_what(model, measure) : '';
}

// Sets by node the function that stands for it, and whether it is part of its parent.
function model_stand(model) {
    const {size} = model;
    const parent = model.data.nodes.parent;
    const shown = new Int32Array(size);
    const part = new Uint8Array(size);
    for (let i = 0; i < size; i++) {
        const own = model.stand[model.function_of(i) + 1];
        const above = parent[i] < 0 ? -1 : shown[parent[i]];
        shown[i] = own === HIDDEN ? above : own;
        part[i] = own === HIDDEN || (model.grouped && parent[i] >= 0 && own === above) ? 1 : 0;
    }
    model.shown = shown;
    model.part = part;
}

// An empty tree, and a function that puts nodes into it. The same function below the same parent is
// one node.
function tree_begin(count) {
    const tree = {parent: [-1], function: [-1], count: [0], child: [-1], sibling: [-1]};
    const known = new Map();
    function put(parent, f) {
        const key = parent * (count + 1) + f + 1;
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
    return {tree: tree, put: put};
}

// A tree of functions, in which the calls of one function by another are one node, from whatever
// line. DOWN: the tree begins with the outermost function, otherwise with the innermost, and leads
// to its callers.
function model_tree(model, down) {
    if (model.trees[down])
        return model.trees[down];
    const {size} = model;
    const nodes = model.data.nodes;
    const {tree, put} = tree_begin(model.count);
    const shown = transforms_show(model, model.transforms);
    if (down) {
        const of = new Int32Array(size);
        for (let i = 0; i < size; i++) {
            if (!model.weight[i])
                continue;
            const above = nodes.parent[i] < 0 ? 0 : of[nodes.parent[i]];
            const f = shown(model.function_of(i), tree, above);
            of[i] = f === null ? above : put(above, f);
            tree.count[of[i]] += model.counts[i];
        }
    } else {
        for (let i = 0; i < size; i++) {
            if (!model.counts[i])
                continue;
            let at = 0;
            for (let k = i; k >= 0; k = nodes.parent[k]) {
                const f = shown(model.function_of(k), tree, at);
                if (f !== null)
                    at = put(at, f);
            }
            tree.count[at] += model.counts[i];
        }
    }
    tree.weight = Float64Array.from(tree.count);
    for (let i = tree.parent.length; i-- > 1;)
        tree.weight[tree.parent[i]] += tree.weight[i];
    model.trees[down] = tree;
    return tree;
}

// The samples of each key that KEY gives to nodes: of the nodes themselves, and with what they
// called, each sample once. A key less than 0 is none.
function model_group(model, key) {
    const groups = new Map();
    for (const event of model.order) {
        const i = event < 0 ? ~event : event;
        const own = model.weight[i] ? key(i) : -1;
        if (own < 0)
            continue;
        let group = groups.get(own);
        if (!group) {
            group = {cur: 0, stack: 0, nodes: [], active: 0};
            groups.set(own, group);
        }
        if (event < 0) {
            group.active--;
            continue;
        }
        group.cur += model.counts[i];
        group.nodes.push(i);
        if (!group.active++)
            group.stack += model.weight[i];
    }
    return groups;
}

// What functions have of a measure, with their branches. If stacks do not have it, nodes have none.
function model_functions(model, measure) {
    if (measure.stacks)
        return model_group(model_sums(model, measure), i => model.shown[i]);
    const {[measure.unit]: amounts, branch} = model.data.functions;
    const groups = new Map();
    for (let f = 0; f < model.count; f++) {
        const own = model.stand[f + 1];
        if (own < 0 || branch[f] || amounts[f] < 0)
            continue;
        if (!groups.has(own))
            groups.set(own, {cur: 0, stack: 0, nodes: []});
        groups.get(own).cur += amounts[f];
    }
    return groups;
}

// By file, and by position there, the bytes and blocks that were allocated or, of the heap, of
// which there is what is shown.
function model_sites(model) {
    const {data, measure} = model;
    const sums = model_sums(model, measure);
    if (sums.sites)
        return sums.sites;
    const [bytes, blocks] = data.heap
        ? measures_of(data)
              .filter(({at}) => at === measure.at)
              .map(of => model_values(model, of))
        : [data.sites.bytes, data.sites.blocks];
    const {file, position} = data.heap ? data.nodes : data.sites;
    sums.sites = new Map();
    blocks.forEach(function (its, i) {
        if (!its)
            return;
        const of = sums.sites.get(file[i]) || new Map();
        const site = of.get(position[i]) || {bytes: 0, blocks: 0};
        site.bytes += bytes[i];
        site.blocks += its;
        of.set(position[i], site);
        sums.sites.set(file[i], of);
    });
    return sums.sites;
}

// Like model_group, for the nodes of a FILE, and of one COPY alone if that is not less than 0. KEY
// is called with positions.
function model_group_file(model, file, copy, key) {
    const nodes = model.data.nodes;
    return model_group(model, function (i) {
        if (nodes.file[i] !== file || (copy >= 0 && nodes.copy[i] !== copy))
            return -1;
        return key(nodes.position[i]);
    });
}

// How often the lines of a file were executed, all functions together.
function model_executions(data, file) {
    const counts = new Map();
    data.lines.function.forEach(function (f, i) {
        const line = data.lines.line[i];
        if (data.functions.file[f] === file)
            counts.set(line, (counts.get(line) || 0) + data.lines.count[i]);
    });
    return counts;
}

// The counted calls of F, by caller, and those that F made, by callee. Those between groups are
// added up, and calls inside of a group are none.
function model_counted(model, f) {
    const counted = {callers: new Map(), callees: new Map()};
    const calls = model.data.calls;
    const group = g => (model.grouped && g >= 0 ? model.grouped.first[g] : g);
    function add(map, other, i) {
        const told = map.get(other) || {calls: 0, least: 0, most: 0};
        for (const what of Object.keys(told))
            told[what] += calls[what][i];
        map.set(other, told);
    }
    calls.caller.forEach(function (caller, i) {
        const [from, to] = [group(caller), group(calls.callee[i])];
        if (model.grouped && from === to)
            return;
        if (to === f)
            add(counted.callers, from, i);
        if (from === f)
            add(counted.callees, to, i);
    });
    if (model.arcs.turned.size && !model.grouped)
        arcs_neighbours(model.data, model.arcs, f, counted);
    return counted;
}

// Who called F and whom F called, with the samples below, each sample once, and the counted calls,
// which are also the amount where there is nothing else.
function model_neighbours(model, f) {
    const parent = model.data.nodes.parent;
    const {shown, part} = model;
    const above = i => (parent[i] < 0 ? -1 : shown[parent[i]]);
    const sampled = side =>
        new Map(Array.from(model_group(model, side), ([other, group]) => [other - 1, group.stack]));
    const callers = sampled(i => (!part[i] && shown[i] === f ? above(i) + 1 : -1));
    const callees = sampled(i => (!part[i] && above(i) === f ? shown[i] + 1 : -1));
    const counted = model_counted(model, f);
    const calls = row => (row.told ? row.told.calls : 0);
    function list(amounts, told) {
        const all = new Set(
            [...amounts.keys(), ...told.keys()].filter(other => model.stand[other + 1] !== HIDDEN)
        );
        const rows = Array.from(all, other => ({
            function: other,
            amount: model.counts_alone
                ? calls({told: told.get(other)})
                : amounts.get(other) || 0,
            told: told.get(other),
        }));
        return rows.sort((a, b) => b.amount - a.amount || calls(b) - calls(a));
    }
    return {callers: list(callers, counted.callers), callees: list(callees, counted.callees)};
}

// How often the expressions of a file were executed, by the number of the position of each. Those
// that have no samples get positions behind the others.
function model_executed(model, file) {
    const {executed, positions} = model.data;
    if (!model.executed_of) {
        const columns = Object.keys(positions);
        // Samples may have less of an expression's range than the counts.
        const keys = model.counts_alone ? columns : ['line', 'column'];
        const known = new Map();
        const key = (of, i, at) => at + ':' + keys.map(name => of[name][i]).join(':');
        const put = (at, p) => known.set(at, (known.get(at) || []).concat(p));
        const {nodes} = model.data;
        const sampled = new Map();
        const meet = (at, p) => sampled.set(at + ' ' + p, [at, p]);
        nodes.position.forEach((p, i) => meet(nodes.file[i], p));
        for (const [at, of] of model_sites(model))
            for (const p of of.keys())
                meet(at, p);
        for (const [at, p] of sampled.values())
            put(key(positions, p, at), p);
        model.executed_of = new Map();
        executed.count.forEach(function (count, i) {
            const at = key(executed, i, executed.file[i]);
            if (!known.has(at)) {
                put(at, positions.line.length);
                for (const name of columns)
                    positions[name].push(executed[name][i]);
            }
            const of = model.executed_of.get(executed.file[i]) || new Map();
            model.executed_of.set(executed.file[i], of);
            for (const p of known.get(at))
                of.set(p, (of.get(p) || 0) + count);
        });
    }
    return model.executed_of.get(file) || new Map();
}

// The line of a function, and its file, that has most of its own samples; if it has none, most of
// the samples below, or was executed most often. A function without all of these begins there.
function model_hottest(model, f) {
    const {functions, nodes, positions, lines} = model.data;
    const begins = {file: functions.file[f], line: functions.line[f]};
    for (const amount of [model.counts, model.weight]) {
        const sums = new Map();
        for (let i = 0; i < model.size; i++)
            if (amount[i] && model.function_of(i) === f && positions.line[nodes.position[i]]) {
                const at = nodes.file[i] + ':' + positions.line[nodes.position[i]];
                sums.set(at, (sums.get(at) || 0) + amount[i]);
            }
        const [most] = Array.from(sums).sort((a, b) => b[1] - a[1]);
        if (most) {
            const [file, line] = most[0].split(':').map(Number);
            return {file: file, line: line};
        }
    }
    let most = 0;
    lines.function.forEach(function (of, i) {
        if (of === f && lines.count[i] > most) {
            most = lines.count[i];
            begins.line = lines.line[i];
        }
    });
    return begins;
}

// The lines of a file's text; null: the page does not have it.
function model_source(model, file) {
    const text = model.data.files.text[file];
    if (!model.sources.has(file))
        model.sources.set(file, text === null ? null : text.split('\n'));
    return model.sources.get(file);
}

// By node, the row of the branch that its samples are of; less than 0: they are its function's.
function model_branches(data, size) {
    const branches = new Int32Array(size).fill(-1);
    if (data.branched)
        data.branched.node.forEach((node, i) => {
            branches[node] = data.branched.row[i];
        });
    return branches;
}

// Whether a function, a label or a thread has this name.
export function model_knows(model, name) {
    for (let f = 0; f < model.count; f++)
        if (model.name(f) === name || model.full(f) === name)
            return true;
    return false;
}

// Numbers of nodes in the place of how far each is behind the one before it, and of parents in that
// of how far they are in front (mlprof/page/page-inside.h).
function model_unfold({nodes, times, heap, measures}) {
    for (const of of [times, heap && heap.cells, ...measures.map(({values}) => values)]) {
        let at = 0;
        if (of)
            of.node = of.step.map(step => (at += step));
    }
    nodes.parent = nodes.parent.map((far, i) => (far ? i - far : -1));
}

export function model_make(data) {
    model_unfold(data);
    const {functions, nodes, texts} = data;
    const size = nodes.parent.length;
    const model = {
        data: data,
        count: functions.name.length,
        size: size,
        arcs: arcs_make(data),
        order: model_order(nodes, size),
        branch_of: model_branches(data, size),
        sources: new Map(),
    };
    // Who is around a function of which no caller is known, as mlprof -callers has it.
    const around = data.stacks || data.calls.calls.length ? '<outside>' : '<not known>';
    model.name = f => (f < 0 ? around : texts[functions.name[f]]);
    model.full = f => (f < 0 ? around : texts[functions.full[f]]);
    // The name of a box or row of the trees, which is a function or a group of functions.
    model.label = f => (f >= 0 && model.grouped ? model.grouped.name[f] : model.name(f));
    model.path = file => (file < 0 ? '' : data.files.path[file]);
    model.last = path => path.slice(path.lastIndexOf('/') + 1);
    model.seconds = samples => samples / (data.rate || 1);
    model.function_of = node => data.copies.function[nodes.copy[node]];
    model.position_of = node =>
        model.last(model.path(nodes.file[node])) + ':' + data.positions.line[nodes.position[node]];
    model.tree = down => model_tree(model, down);
    model.group = key => model_group(model, key);
    model.functions = function (measure = model.measure) {
        const sums = model_sums(model, measure);
        return sums.functions || (sums.functions = model_functions(model, measure));
    };
    model.sites = file => model_sites(model).get(file) || new Map();
    model.lines = (file, copy) =>
        model_group_file(model, file, copy, position => data.positions.line[position] || -1);
    model.expressions = (file, copy) => model_group_file(model, file, copy, position => position);
    model.source = file => model_source(model, file);
    model.executions = file => model_executions(data, file);
    model.executed = file => model_executed(model, file);
    model.hottest = f => model_hottest(model, f);
    model.neighbours = f => model_neighbours(model, f);
    model_choose(model, measure_shown(data), [], null);
    return model;
}
