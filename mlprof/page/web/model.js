// Makes the profile for the views from the data: functions, and trees of calls.

import {map_get, map_push} from './maps.js';
import {
    HIDDEN,
    groups_of,
    transforms_keep,
    transforms_show,
    transforms_shown_as,
} from './transforms.js';
import {cells_amounts, cells_known, cells_what, times_counts, times_range} from './times.js';
import {arcs_make, arcs_neighbours} from './arcs.js';

// Returns the measures of DATA, one for each unit. Each measure has its word in the address, and
// says whether stacks have it. A measure that stacks do not have is known for functions, other rows
// and source positions.
export function measures_of(data) {
    if (!data.by_unit)
        data.by_unit = data.measures.flatMap((measure, index) =>
            measure.units.map((unit, i) => ({
                ...measure,
                data: data,
                index: index,
                name: measure.word,
                unit: unit,
                word:
                    !i
                        ? measure.word
                        : measure.word === measure.units[0]
                          ? unit
                          : measure.word + '-' + unit,
                text: measure.units.length > 1 ? measure.text + ', ' + unit : measure.text,
                stacks: Boolean(measure.values && measure.values[unit]),
            }))
        );
    return data.by_unit;
}

// Returns the measure that was chosen on mlprof's command line.
export const measure_shown = data => measures_of(data).find(({word}) => word === data.shown);

// Returns the order in which a depth-first walk enters and leaves the nodes: i when the walk enters
// node i, ~i when it leaves node i. The function is not recursive, because stacks can be deep.
function model_order(nodes, size) {
    const order = new Int32Array(2 * size);
    const child = new Int32Array(size + 1).fill(-1);
    const sibling = new Int32Array(size).fill(-1);
    for (let i = size; i-- > 0;) {
        const parent = nodes.parent[i] < 0 ? size : nodes.parent[i];
        sibling[i] = child[parent];
        child[parent] = i;
    }
    for (let node = child[size], end = 0; node >= 0;) {
        order[end++] = node;
        if (child[node] >= 0) {
            node = child[node];
            continue;
        }
        order[end++] = ~node;
        while (node >= 0 && sibling[node] < 0) {
            node = nodes.parent[node];
            if (node >= 0)
                order[end++] = ~node;
        }
        if (node >= 0)
            node = sibling[node];
    }
    return order;
}

// Returns the own value of each node for a measure, in the range of time if one is chosen.
function model_values(model, measure) {
    if (measure.stacks && model.range)
        return times_counts(model.data, model.range);
    if (measure.stacks && model.span && cells_known(measure))
        return cells_amounts(model, measure);
    const values = new Float64Array(model.size);
    const {node, [measure.unit]: amount} = measure.stacks ? measure.values : {node: []};
    for (let i = 0; i < node.length; i++)
        values[node[i]] = amount[i];
    return values;
}

// Returns the total to which the shares of a measure refer, in the range of time if one is chosen.
function model_total(model, measure, values) {
    const {data} = model;
    const {branch} = data.functions;
    if (measure.word === data.shown && !model.range && !model.span)
        return data.total;
    const all = measure.stacks
        ? values
        : data.functions[measure.unit].map((amount, f) => (branch[f] ? 0 : Math.max(0, amount)));
    return all.reduce((sum, amount) => sum + amount, 0);
}

// Returns the values of a measure that the transforms keep: `counts' of each node, and `weight' of
// each node including all nodes below it. `kept' is the sum of `counts', and `whole' is the sum in
// the whole run. Shares refer to `total'. The result is cached, together with everything derived
// from it.
export function model_sums(model, measure) {
    if (model.sums.has(measure.word))
        return model.sums.get(measure.word);
    const parent = model.data.nodes.parent;
    const values = model_values(model, measure);
    const counts = values.map((amount, i) => (model.keep[i] ? amount : 0));
    const weight = Float64Array.from(counts);
    const total = model_total(model, measure, values);
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

// Sets the measure that the model shows, the transforms and, for the heap, the SPAN of time in
// which memory was allocated.
export function model_choose(model, measure, transforms, span) {
    const key = [...transforms, span && Object.values(span)].join('\n');
    if (model.key !== key) {
        model.key = key;
        model.transforms = transforms;
        model.span = span;
        model.range = times_range(model.data, transforms);
        model.keep = transforms_keep(model, transforms);
        model.grouped = groups_of(model, transforms);
        model.shown_as = transforms_shown_as(model, transforms);
        model.hides = model.shown_as.includes(HIDDEN);
        model.sums = new Map();
        model_set_shown(model);
    }
    const {total, whole, counts, weight, kept, trees} = model_sums(model, measure);
    Object.assign(model, {measure, total, whole, counts, weight, kept, trees});
    model.counts_alone = !measure.stacks;
    model.stacks = measure.stacks && model.data.stacks;
    model.what = measure.memory ? cells_what(model, measure) : '';
}

// For each node, sets the function that the node is shown as, and whether the node is shown merged
// into its parent.
function model_set_shown(model) {
    const {size} = model;
    const parent = model.data.nodes.parent;
    const shown = new Int32Array(size);
    const part = new Uint8Array(size);
    for (let i = 0; i < size; i++) {
        const self = model.shown_as[model.function_of(i) + 1];
        const outer = parent[i] < 0 ? -1 : shown[parent[i]];
        shown[i] = self === HIDDEN ? outer : self;
        part[i] = self === HIDDEN || (model.grouped && parent[i] >= 0 && self === outer) ? 1 : 0;
    }
    model.shown = shown;
    model.part = part;
}

// Returns an empty tree, and a function that adds nodes to it. Each function has at most one node
// below the same parent.
function tree_make(count) {
    const tree = {parent: [-1], function: [-1], count: [0], child: [-1], sibling: [-1]};
    const known = new Map();
    function put(parent, f) {
        const key = parent * (count + 1) + f + 1;
        let node = known.get(key);
        if (node === undefined) {
            node = tree.parent.length;
            known.set(key, node);
            tree.parent.push(parent);
            tree.function.push(f);
            tree.count.push(0);
            tree.child.push(-1);
            tree.sibling.push(tree.child[parent]);
            tree.child[parent] = node;
        }
        return node;
    }
    return {tree: tree, put: put};
}

// Returns a tree of functions. If a function calls another function on several lines, all these
// calls share one node. If FROM_ROOT, the tree starts with the outermost function, otherwise with
// the innermost function and continues with its callers.
function model_tree(model, from_root) {
    if (model.trees[from_root])
        return model.trees[from_root];
    const {size} = model;
    const nodes = model.data.nodes;
    const {tree, put} = tree_make(model.count);
    const shown = transforms_show(model, model.transforms);
    if (from_root) {
        const tree_nodes = new Int32Array(size);
        for (let i = 0; i < size; i++) {
            if (!model.weight[i])
                continue;
            const outer = nodes.parent[i] < 0 ? 0 : tree_nodes[nodes.parent[i]];
            const f = shown(model.function_of(i), tree, outer);
            tree_nodes[i] = f === null ? outer : put(outer, f);
            tree.count[tree_nodes[i]] += model.counts[i];
        }
    } else {
        for (let i = 0; i < size; i++) {
            if (!model.counts[i])
                continue;
            let node = 0;
            for (let k = i; k >= 0; k = nodes.parent[k]) {
                const f = shown(model.function_of(k), tree, node);
                if (f !== null)
                    node = put(node, f);
            }
            tree.count[node] += model.counts[i];
        }
    }
    tree.weight = Float64Array.from(tree.count);
    for (let i = tree.parent.length; i-- > 1;)
        tree.weight[tree.parent[i]] += tree.weight[i];
    model.trees[from_root] = tree;
    return tree;
}

// Groups the nodes by KEY, a function of a node. Each group has two sums: the samples of its nodes
// themselves, and their samples including callees, where each sample counts once. A node with a
// negative key is in no group.
function model_group(model, key) {
    const groups = new Map();
    for (const event of model.order) {
        const i = event < 0 ? ~event : event;
        const group_key = model.weight[i] ? key(i) : -1;
        if (group_key < 0)
            continue;
        const group = map_get(groups, group_key, () => ({cur: 0, stack: 0, nodes: [], active: 0}));
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

// Returns the values of functions for a measure, including their branches. The values have no nodes
// if stacks do not have the measure.
function model_functions(model, measure) {
    if (measure.stacks)
        return model_group(model_sums(model, measure), i => model.shown[i]);
    const {[measure.unit]: amounts, branch} = model.data.functions;
    const groups = new Map();
    for (let f = 0; f < model.count; f++) {
        const shown = model.shown_as[f + 1];
        if (shown < 0 || branch[f] || amounts[f] < 0)
            continue;
        map_get(groups, shown, () => ({cur: 0, stack: 0, nodes: []})).cur += amounts[f];
    }
    return groups;
}

// Returns, by file and position, the allocated bytes and blocks. If the heap is shown, these are
// the bytes and blocks of the current measure, otherwise all allocated bytes and blocks.
function model_sites(model) {
    const {data, measure} = model;
    const sums = model_sums(model, measure);
    if (sums.sites)
        return sums.sites;
    const [bytes, blocks] = data.heap
        ? measures_of(data)
              .filter(({index}) => index === measure.index)
              .map(other => model_values(model, other))
        : [data.sites.bytes, data.sites.blocks];
    const {file, position} = data.heap ? data.nodes : data.sites;
    sums.sites = new Map();
    blocks.forEach(function (count, i) {
        if (!count)
            return;
        const file_sites = map_get(sums.sites, file[i], () => new Map());
        const site = map_get(file_sites, position[i], () => ({bytes: 0, blocks: 0}));
        site.bytes += bytes[i];
        site.blocks += count;
    });
    return sums.sites;
}

// Like model_group, for the nodes in FILE. If COPY is not negative, only nodes of this copy are
// grouped. KEY is called with positions.
function model_group_file(model, file, copy, key) {
    const nodes = model.data.nodes;
    return model_group(model, function (i) {
        if (nodes.file[i] !== file || (copy >= 0 && nodes.copy[i] !== copy))
            return -1;
        return key(nodes.position[i]);
    });
}

// Returns how often the lines of a file were executed, by line, summed over all functions.
function model_executions(data, file) {
    const counts = new Map();
    data.lines.function.forEach(function (f, i) {
        const line = data.lines.line[i];
        if (data.functions.file[f] === file)
            counts.set(line, (counts.get(line) || 0) + data.lines.count[i]);
    });
    return counts;
}

// Returns the counted calls of F by caller, and the counted calls by F by callee. If functions are
// grouped, the calls between groups are added, and calls inside a group are ignored.
function model_counted(model, f) {
    const counted = {callers: new Map(), callees: new Map()};
    const calls = model.data.calls;
    const group = g => (model.grouped && g >= 0 ? model.grouped.first[g] : g);
    function add(map, other, i) {
        const sum = map_get(map, other, () => ({calls: 0, least: 0, most: 0}));
        for (const key of Object.keys(sum))
            sum[key] += calls[key][i];
    }
    calls.caller.forEach(function (caller, i) {
        const [from_group, to_group] = [group(caller), group(calls.callee[i])];
        if (model.grouped && from_group === to_group)
            return;
        if (to_group === f)
            add(counted.callers, from_group, i);
        if (from_group === f)
            add(counted.callees, to_group, i);
    });
    if (model.arcs.turned.size && !model.grouped)
        arcs_neighbours(model.data, model.arcs, f, counted);
    return counted;
}

// Returns the callers and the callees of F with their amounts and counted calls. The amount is the
// number of samples, where each sample counts once. If there are no samples, the amount is the
// number of calls.
function model_neighbours(model, f) {
    const parent = model.data.nodes.parent;
    const {shown, part} = model;
    const caller_of = i => (parent[i] < 0 ? -1 : shown[parent[i]]);
    const sampled = side =>
        new Map(Array.from(model_group(model, side), ([other, group]) => [other - 1, group.stack]));
    const callers = sampled(i => (!part[i] && shown[i] === f ? caller_of(i) + 1 : -1));
    const callees = sampled(i => (!part[i] && caller_of(i) === f ? shown[i] + 1 : -1));
    const counted = model_counted(model, f);
    const calls = row => (row.counted ? row.counted.calls : 0);
    function list(amounts, counts) {
        const all = new Set(
            [...amounts.keys(), ...counts.keys()].filter(
                other => model.shown_as[other + 1] !== HIDDEN
            )
        );
        const rows = Array.from(all, other => ({
            function: other,
            amount: model.counts_alone
                ? calls({counted: counts.get(other)})
                : amounts.get(other) || 0,
            counted: counts.get(other),
        }));
        return rows.sort((a, b) => b.amount - a.amount || calls(b) - calls(a));
    }
    return {callers: list(callers, counted.callers), callees: list(callees, counted.callees)};
}

// Returns how often the expressions of a file were executed, by position. Expressions without
// samples get new positions at the end.
function model_executed(model, file) {
    const {executed, positions} = model.data;
    if (!model.executed_of) {
        const columns = Object.keys(positions);
        // If an expression has only samples, its range may be known only in part.
        const keys = model.counts_alone ? columns : ['line', 'column'];
        const known = new Map();
        const key = (ranges, i, file_number) =>
            file_number + ':' + keys.map(name => ranges[name][i]).join(':');
        const {nodes} = model.data;
        const sampled = new Map();
        const meet = (file_number, p) => sampled.set(file_number + ' ' + p, [file_number, p]);
        nodes.position.forEach((p, i) => meet(nodes.file[i], p));
        for (const [site_file, sites] of model_sites(model))
            for (const p of sites.keys())
                meet(site_file, p);
        for (const [file_number, p] of sampled.values())
            map_push(known, key(positions, p, file_number), p);
        model.executed_of = new Map();
        executed.count.forEach(function (count, i) {
            const range = key(executed, i, executed.file[i]);
            if (!known.has(range)) {
                map_push(known, range, positions.line.length);
                for (const name of columns)
                    positions[name].push(executed[name][i]);
            }
            const counts = map_get(model.executed_of, executed.file[i], () => new Map());
            for (const p of known.get(range))
                counts.set(p, (counts.get(p) || 0) + count);
        });
    }
    return model.executed_of.get(file) || new Map();
}

// Returns the hottest line of function F and its file. This is the line with the most samples of F
// itself. If there are none, it is the line with the most samples including callees, otherwise the
// line with the most executions, otherwise the line where F starts.
function model_hottest(model, f) {
    const {functions, nodes, positions, lines} = model.data;
    const begins = {file: functions.file[f], line: functions.line[f]};
    for (const amount of [model.counts, model.weight]) {
        const sums = new Map();
        for (let i = 0; i < model.size; i++)
            if (amount[i] && model.function_of(i) === f && positions.line[nodes.position[i]]) {
                const place = nodes.file[i] + ':' + positions.line[nodes.position[i]];
                sums.set(place, (sums.get(place) || 0) + amount[i]);
            }
        const [most] = Array.from(sums).sort((a, b) => b[1] - a[1]);
        if (most) {
            const [file, line] = most[0].split(':').map(Number);
            return {file: file, line: line};
        }
    }
    let most = 0;
    lines.function.forEach(function (g, i) {
        if (g === f && lines.count[i] > most) {
            most = lines.count[i];
            begins.line = lines.line[i];
        }
    });
    return begins;
}

// Returns the lines of a file, or null if the page does not have its text.
function model_source(model, file) {
    const text = model.data.files.text[file];
    return map_get(model.sources, file, () => (text === null ? null : text.split('\n')));
}

// Returns for each node the row of its branch, or a number less than 0 if its samples belong to the
// function itself.
function model_branches(data, size) {
    const branches = new Int32Array(size).fill(-1);
    if (data.branched)
        data.branched.node.forEach((node, i) => {
            branches[node] = data.branched.row[i];
        });
    return branches;
}

// Returns whether a function, a label or a thread has this name.
export function model_has_name(model, name) {
    for (let f = 0; f < model.count; f++)
        if (model.name(f) === name || model.full(f) === name)
            return true;
    return false;
}

// Decodes the numbers of nodes, which are stored as differences to the preceding number, and the
// parents, which are stored as distances from their children.
function model_decode({nodes, times, heap, measures}) {
    for (const list of [times, heap && heap.cells, ...measures.map(({values}) => values)]) {
        let node = 0;
        if (list)
            list.node = list.step.map(step => (node += step));
    }
    nodes.parent = nodes.parent.map((far, i) => (far ? i - far : -1));
}

export function model_make(data) {
    model_decode(data);
    const {functions, nodes, texts} = data;
    const size = nodes.parent.length;
    const model = {
        data: data,
        count: functions.name.length,
        size: size,
        arcs: arcs_make(data),
        order: model_order(nodes, size),
        branch_of: model_branches(data, size),
        // By file.
        sources: new Map(),
        marks: new Map(),
        verdicts: new Map(),
    };
    // The name of an unknown caller, as in mlprof -callers.
    const outermost = data.stacks || data.calls.calls.length ? '<outside>' : '<not known>';
    model.name = f => (f < 0 ? outermost : texts[functions.name[f]]);
    model.full = f => (f < 0 ? outermost : texts[functions.full[f]]);
    // The name of a node in the trees, which is a function or a group of functions.
    model.label = f => (f >= 0 && model.grouped ? model.grouped.name[f] : model.name(f));
    model.path = file => (file < 0 ? '' : data.files.path[file]);
    model.last = path => path.slice(path.lastIndexOf('/') + 1);
    model.seconds = samples => samples / (data.rate || 1);
    model.function_of = node => data.copies.function[nodes.copy[node]];
    model.position_of = node =>
        model.last(model.path(nodes.file[node])) + ':' + data.positions.line[nodes.position[node]];
    model.tree = from_root => model_tree(model, from_root);
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
