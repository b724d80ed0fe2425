// Changes of stacks between two sides, in two views. The flame graph has boxes whose width is the
// value after, the value before, or (the default) the greater of both, so that removed stacks are
// visible, too. The tree of lines first opens along the greatest change. Changes that are not
// certain are grey. Transforms have no effect, because the tests were made for the original stacks.

import {bar_add, faint, make} from './elements.js';
import {state} from './state.js';
import {choice_buttons} from './transformbar.js';
import {
    compare_growth,
    compare_colour_cell,
    compare_sign,
    compare_style,
    compare_text,
} from './compare.js';
import {boxes_children} from './boxes.js';
import {flame_show} from './flame.js';
import {tree_show} from './tree.js';

// Returns the width of each node of CHANGES. If WIDE is a side, it is the value on that side. If
// WIDE is `both', it is the greater of the node's own values on the two sides plus the widths of
// its children.
function difference_widths(changes, wide) {
    const side = name => Float64Array.from(changes[name], value => value || 0);
    if (wide !== 'both')
        return side(wide);
    const [before, after] = ['before', 'after'].map(function (name) {
        const values = side(name);
        changes.parent.forEach(function (parent, i) {
            if (parent >= 0)
                values[parent] -= changes[name][i] || 0;
        });
        return values;
    });
    const widths = before.map((value, i) => Math.max(0, value, after[i]));
    for (let i = widths.length; i-- > 0;)
        if (changes.parent[i] >= 0)
            widths[changes.parent[i]] += widths[i];
    return widths;
}

function difference_tree(model, wide) {
    const changes = model.data.compare.stacks;
    const trees = model.differences || (model.differences = {});
    const size = changes.parent.length;
    if (trees[wide])
        return trees[wide];
    const widths = difference_widths(changes, wide);
    // Node 0 is the root.
    const tree = {
        changes: changes,
        parent: changes.parent,
        function: changes.function,
        weight: widths,
        count: widths.slice(),
        child: new Array(size).fill(-1),
        sibling: new Array(size).fill(-1),
    };
    for (let i = 1; i < size; i++) {
        const parent = changes.parent[i];
        tree.sibling[i] = tree.child[parent];
        tree.child[parent] = i;
        tree.count[parent] -= widths[i];
    }
    return (trees[wide] = tree);
}

// Returns the values of a node before and after, its change, and whether the change is certain.
function difference_of({changes}, node) {
    const before = changes.before[node] || 0;
    const after = changes.after[node] || 0;
    return {before, after, change: after - before, certain: changes.certain[node]};
}

// Returns the text that explains the signs.
const difference_legend = (model, grey) =>
    faint(
        '\u25b2 more, \u25bc less: certain; ' + grey + ': may be chance, or no change' +
            (model.transforms.length ? '; focus and the like have no effect here' : '')
    );

const difference_look = {
    tree: function (main, model) {
        const wide = ['before', 'after'].includes(state.wide) ? state.wide : 'both';
        bar_add(main,
            ...choice_buttons(
                'wide',
                [
                    ['both', 'as wide as the greater'],
                    ['after', 'as after'],
                    ['before', 'as before'],
                ],
                wide,
                {zoom: 0}
            ),
            difference_legend(model, 'grey')
        );
        return difference_tree(model, wide);
    },
    name: function (model, tree, node) {
        const f = tree.function[node];
        return f < 0 ? '<outside>' : model.data.texts[model.data.compare.matched.name[f]];
    },
    row: (model, tree, node) =>
        tree.function[node] < 0 ? -1 : model.data.compare.matched.row[tree.function[node]],
    colour: function (tree, node) {
        const dark = document.body.classList.contains('dark');
        const {before, after, change, certain} = difference_of(tree, node);
        if (!certain || !change)
            return dark ? '#3a3d45' : '#d5d6da';
        const strength = Math.min(1, Math.abs(change) / Math.max(before, after));
        const light = dark ? 26 + 16 * strength : 84 - 24 * strength;
        return 'hsl(' + (change > 0 ? 24 : 208) + ',' + (dark ? 70 : 85) + '%,' + light + '%)';
    },
    mark: function (tree, node) {
        const {change, certain} = difference_of(tree, node);
        return certain && change ? compare_sign(change, certain) : '';
    },
    brief: function (model, tree, node) {
        const {change, certain} = difference_of(tree, node);
        return compare_sign(change, certain) + ' ' + compare_style(model.data).signed(change);
    },
    tip: function (model, tree, node) {
        const change = difference_of(tree, node);
        const style = compare_style(model.data);
        const changes = tree.changes;
        return (
            compare_text(style, change) +
            (changes.exact[node]
                ? ''
                : '\n95% range of this change ' +
                  style.range(changes.least[node], changes.most[node]) +
                  (change.certain ? ', certain' : ', may be chance'))
        );
    },
};

const difference_has_stacks = data =>
    data.compare && data.compare.stacks && data.compare.stacks.parent.length > 1;

export const difference_view = {
    title: 'Difference',
    key: 'd',
    only: difference_has_stacks,
    show: flame_show(true, difference_look),
};

const difference_size = (tree, node) => Math.abs(difference_of(tree, node).change);

// Returns the children of a node, by decreasing change.
const difference_children = (tree, node) =>
    boxes_children(tree, node).sort(
        (a, b) => difference_size(tree, b) - difference_size(tree, a) || a - b
    );

function difference_columns(model, tree) {
    const style = compare_style(model.data);
    const changes = tree.changes;
    const each = (node, text) => text(difference_of(tree, node));
    return [
        {head: 'before', text: node => each(node, ({before}) => style.plain(before))},
        {head: 'after', text: node => each(node, ({after}) => style.plain(after))},
        {
            head: 'change',
            text: node => difference_look.brief(model, tree, node),
            look: function (node, cell) {
                const {before, after, change, certain} = difference_of(tree, node);
                compare_colour_cell(
                    cell,
                    change,
                    certain,
                    Math.min(1, Math.abs(change) / (Math.max(before, after) || 1))
                );
            },
        },
        {
            head: 'in %',
            text: node => each(node, ({before, after}) => compare_growth(before, after)),
        },
        changes.exact.some(exact => !exact) && {
            head: "row's 95%",
            text: node =>
                changes.exact[node]
                    ? 'exact'
                    : style.range(changes.least[node], changes.most[node]),
        },
    ].filter(Boolean);
}

export const changetree_view = {
    title: 'Change tree',
    key: 'e',
    only: difference_has_stacks,
    show: tree_show(function (model, main) {
        const tree = difference_tree(model, 'after');
        const children = node => difference_children(tree, node);
        const all = difference_of(tree, 0);
        const style = compare_style(model.data);
        bar_add(main,
            make('span', {},
                'all: before ' + style.plain(all.before) + ', after ' + style.plain(all.after) +
                    ', ' + difference_look.brief(model, tree, 0)
            ),
            difference_legend(model, '\u00b7 grey')
        );
        return {
            tree: tree,
            children: children,
            head: 'function',
            middle: true,
            name: node => difference_look.name(model, tree, node),
            row: node => difference_look.row(model, tree, node),
            columns: difference_columns(model, tree),
            counts: () => true,
            next: function (node) {
                const first = children(node)[0];
                const size = node => difference_size(tree, node);
                return first !== undefined && size(first) > Math.max(size(node) / 3, size(0) / 20)
                    ? first
                    : -1;
            },
        };
    }),
};
