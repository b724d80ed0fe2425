// The differential flame graph: stacks as wide as they are now, or were before, coloured by how they
// changed; what is not certain is grey.  Transforms have no effect here: which changes are
// certain was found of the stacks as they are.

page.difference_tree = function (model, wide) {
    const of = model.data.compare.stacks, trees = model.differences || (model.differences = {}), size = of.parent.length;
    if (trees[wide]) return trees[wide];
    // Node 0 is all; node i of the data is i + 1.
    const tree = {of: of, all: model.data.compare.all, parent: [-1], function: [-1], weight: [0], count: [0], child: [-1], sibling: [-1]};
    for (let i = 0; i < size; i++) {
        const parent = of.parent[i] + 1, weight = of[wide][i] || 0;
        tree.parent.push(parent);
        tree.function.push(of.function[i]);
        tree.weight.push(weight);
        tree.count.push(weight);
        tree.child.push(-1);
        tree.sibling.push(tree.child[parent]);
        tree.child[parent] = i + 1;
        if (parent) tree.count[parent] -= weight;
        else tree.weight[0] += weight;
    }
    return trees[wide] = tree;
};

// Before, after and change of a node; of the root what its children have.
page.difference_of = function (tree, at) {
    const of = tree.of, all = tree.all;
    if (at) return {before: of.before[at - 1] || 0, after: of.after[at - 1] || 0, certain: of.certain[at - 1], at: at - 1};
    const sum = {before: 0, after: 0, certain: all.certain};
    of.parent.forEach(function (parent, i) {
        if (parent >= 0) return;
        sum.before += of.before[i] || 0;
        sum.after += of.after[i] || 0;
    });
    return sum;
};

page.difference_look = {
    tree: function (main, model) {
        const wide = page.state.wide === 'before' ? 'before' : 'after';
        main.append(page.make('div', {'class': 'bar-of'}, ...[['after', 'as wide as after'], ['before', 'as wide as before']].map(
            ([side, words]) => page.make('button', {'data-wide': side, 'aria-current': side === wide,
                on: {click: () => page.go({wide: side, zoom: 0})}}, words)),
        page.make('span', {'class': 'faint'}, '\u25b2 more, \u25bc less: certain; grey: may be chance, or no change' +
            (model.transforms.length ? '; focus and the like have no effect here' : ''))));
        return page.difference_tree(model, wide);
    },
    name: function (model, tree, at) {
        const f = tree.function[at];
        return f < 0 ? '<outside>' : model.data.texts[model.data.compare.matched.name[f]];
    },
    row: (model, tree, at) => tree.function[at] < 0 ? -1 : model.data.compare.matched.row[tree.function[at]],
    colour: function (tree, at) {
        const dark = document.body.classList.contains('dark'), {before, after, certain} = page.difference_of(tree, at), change = after - before;
        if (!certain || !change) return dark ? '#3a3d45' : '#d5d6da';
        const strength = Math.min(1, Math.abs(change) / Math.max(before, after));
        const light = dark ? 26 + 16 * strength : 84 - 24 * strength;
        return 'hsl(' + (change > 0 ? 24 : 208) + ',' + (dark ? 70 : 85) + '%,' + light + '%)';
    },
    mark: function (tree, at) {
        const {before, after, certain} = page.difference_of(tree, at);
        return certain && before !== after ? page.compare_sign(after - before, certain) : '';
    },
    brief: function (model, tree, at) {
        const {before, after, certain} = page.difference_of(tree, at);
        return page.compare_sign(after - before, certain) + ' ' + page.compare_style(model.data).signed(after - before);
    },
    told: function (model, tree, at) {
        const {before, after, certain, at: i} = page.difference_of(tree, at), style = page.compare_style(model.data), of = tree.of;
        return page.compare_sign(after - before, certain) + ' ' + style.signed(after - before) + ' (' + page.compare_growth(before, after) +
            '): before ' + style.plain(before) + ', after ' + style.plain(after) + (i === undefined || of.exact[i] ? ''
            : '\n95% range of the change ' + style.signed(of.least[i]) + ' to ' + style.signed(of.most[i]) +
                (certain ? ', certain' : ', may be chance'));
    },
};

page.views.difference = {title: 'Difference', key: 'd', only: data => data.compare && data.compare.stacks && data.compare.stacks.parent.length,
    show: page.flame_view(true, page.difference_look)};
