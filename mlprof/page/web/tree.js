// The tree of calls as a table of lines that open, from the top or from the bottom. Also shows
// another tree, whose lines LOOK describes (difference.js).

import {percent_text} from './numbers.js';
import {matcher} from './names.js';
import {ROW, bar_add, make, rows_fill, rows_scroll} from './elements.js';
import {go, state} from './state.js';
import {folded_button} from './clipboard.js';
import {boxes_children, boxes_matched, boxes_empty} from './boxes.js';

// Returns a description of the lines of the tree of calls, with their total and self shares. Adds
// the bar above the lines to MAIN.
function tree_calls(model, main, from_root) {
    const tree = model.tree(from_root);
    const children = node => boxes_children(tree, node);
    const name = node => model.label(tree.function[node]);
    bar_add(main, folded_button(model), boxes_matched(model, tree, name));
    return {
        tree: tree,
        children: children,
        name: name,
        row: node => tree.function[node],
        head: from_root ? 'function' : 'function, called by',
        columns: [
            {
                head: from_root ? 'total' : 'share',
                text: node => percent_text(tree.weight[node], model.total),
            },
            // From the bottom, the whole value of a line is self time of the first function.
            from_root && {
                head: 'self',
                text: node => (tree.count[node] ? percent_text(tree.count[node], model.total) : ''),
            },
        ].filter(Boolean),
        counts: node => tree.weight[node] >= model.total / 1000,
        // Returns the child that is opened initially, along the greatest shares; -1 if there is
        // none.
        next: function (node) {
            const first = children(node)[0];
            return first !== undefined &&
                tree.weight[first] > Math.max(tree.weight[node] / 3, model.total / 20)
                ? first
                : -1;
        },
    };
}

export function tree_show(look) {
    return function (main, model) {
        const looks = look(model, main);
        const {tree, children, name, row: row_of, columns, counts, next, head, middle} = looks;
        const open = tree.open || (tree.open = new Set([0]));
        const matches = state.search ? matcher(state.search) : null;
        // Open all ancestors of the matching lines.
        if (matches)
            for (let node = 1; node < tree.parent.length; node++)
                if (matches(name(node)) && counts(node))
                    for (let a = tree.parent[node]; a >= 0; a = tree.parent[a])
                        open.add(a);
        if (open.size === 1 && !matches)
            for (let node = 0; node >= 0 && open.size < 30; node = next(node))
                open.add(node);
        const rows = [];
        const waiting = children(0)
            .reverse()
            .map(node => [node, 0]);
        while (waiting.length) {
            const [node, depth] = waiting.pop();
            rows.push([node, depth]);
            if (open.has(node))
                for (const child of children(node).reverse())
                    waiting.push([child, depth + 1]);
        }
        // Redraws the rows with the cursor on NODE.
        function move(node) {
            const top = main.scrollTop;
            tree.cursor = node;
            go({f: row_of(node)}, true);
            main.scrollTop = top;
            if (main.onscroll)
                main.onscroll();
        }
        function toggle(node) {
            if (open.has(node))
                open.delete(node);
            else
                open.add(node);
            move(node);
        }
        const row = ([node, depth]) =>
            make('tr', {
                'data-at': node,
                class: node === tree.cursor ? 'cursor' : undefined,
                'aria-selected': String(row_of(node)) === state.f ? 'true' : 'false',
                'aria-expanded': tree.child[node] < 0 ? undefined : String(open.has(node)),
                events: {click: () => toggle(node)},
            },
                ...columns.map(function (column) {
                    const cell = make('td', {}, column.text(node));
                    if (column.look)
                        column.look(node, cell);
                    return cell;
                }),
                make('td', {class: 'tree function' + (middle ? ' middle' : ''), title: name(node)},
                    ' '.repeat(2 * Math.min(depth, 60)) +
                        (tree.child[node] < 0 ? '  ' : open.has(node) ? '\u25be ' : '\u25b8 '),
                    matches && matches(name(node)) ? make('mark', {}, name(node)) : name(node)
                )
            );
        const body = make('tbody', {});
        main.append(
            make('table', {id: 'tree'},
                make('thead', {},
                    make('tr', {},
                        ...columns.map(column => make('th', {}, column.head)),
                        make('th', {class: 'name'}, head)
                    )
                ),
                body
            )
        );
        if (!rows.length)
            main.append(boxes_empty(model));
        rows_fill(
            main,
            body,
            rows.length,
            ROW,
            i => row(rows[i]),
            () => make('tr', {})
        );
        // Scroll to the first matching row.
        const found = matches ? rows.findIndex(([node]) => matches(name(node))) : -1;
        if (found > 0)
            rows_scroll(main, found, ROW);
        return function (event) {
            const i = rows.findIndex(([node]) => node === tree.cursor);
            const node = i < 0 ? -1 : tree.cursor;
            const is_open = open.has(node);
            const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
            if (
                !rows.length ||
                !(step || ['ArrowLeft', 'ArrowRight', 'Enter'].includes(event.key)) ||
                event.target.closest('button')
            )
                return false;
            if (i < 0)
                move(rows[0][0]);
            else if (step)
                move(rows[Math.max(0, Math.min(rows.length - 1, i + step))][0]);
            else if (
                tree.child[node] >= 0 &&
                (event.key === 'Enter' || is_open === (event.key === 'ArrowLeft'))
            )
                toggle(node);
            else if (event.key === 'ArrowRight' && is_open)
                move(children(node)[0]);
            else if (event.key === 'ArrowLeft' && tree.parent[node] > 0)
                move(tree.parent[node]);
            const line = main.querySelector('tr.cursor');
            if (line)
                line.scrollIntoView({block: 'nearest'});
            else
                rows_scroll(
                    main,
                    rows.findIndex(([other]) => other === tree.cursor),
                    ROW
                );
            return true;
        };
    };
}

export const tree_view = {
    title: 'Tree',
    key: '5',
    needs: 'stacks',
    show: tree_show((model, main) => tree_calls(model, main, true)),
};

export const bottom_view = {
    title: 'Bottom up',
    key: '6',
    needs: 'stacks',
    show: tree_show((model, main) => tree_calls(model, main, false)),
};
