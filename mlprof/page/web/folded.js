// Stacks as text that other tools read: a line for each, its functions from the outermost inwards
// with semicolons between, and what it has; as mlprof -folded writes them.

page.folded = function (model) {
    const lines = [], clean = f => model.label(f).replace(/;/g, ':');
    // Calls that were counted have no stacks.
    if (model.data.measure === 'calls') {
        model.data.functions.calls.forEach(function (calls, f) {
            if (calls > 0 && !model.data.functions.branch[f]) lines.push(clean(f) + ' ' + calls + '\n');
        });
        return lines.join('');
    }
    const tree = model.tree(true), path = [''], names = new Map();
    for (let at = 1; at < tree.parent.length; at++) {
        const f = tree.function[at], above = path[tree.parent[at]];
        if (!names.has(f)) names.set(f, clean(f));
        path[at] = (above ? above + ';' : '') + names.get(f);
        if (tree.count[at]) lines.push(path[at] + ' ' + tree.count[at] + '\n');
    }
    return lines.join('');
};

page.folded_button = model => page.make('button', {id: 'folded', title: 'the stacks as text, as mlprof -folded writes them',
    on: {click: () => page.copy(page.folded(model), 'stacks.folded')}}, 'copy stacks');
