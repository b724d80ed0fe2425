// The tree of calls as a table of lines that open, from the top or from the bottom. Also shows
// another tree, whose lines LOOK describes (difference.js).

import {percent_text} from './numbers.js';
import {matcher} from './names.js';
import {ROW, make, rows_fill, rows_scroll} from './elements.js';
import {go, state} from './state.js';
import {folded_button} from './clipboard.js';
import {boxes_children, boxes_matched, boxes_empty} from './boxes.js';

// Returns a description of the lines of the tree of calls, with their total and self shares. Adds
// the bar above the lines to MAIN.
function tree_calls(model, main, down) {
    const tree = model.tree(down);
    const children = at => boxes_children(tree, at);
    const name = at => model.label(tree.function[at]);
    main.append(
        make('div', {class: 'bar-of'},
            folded_button(model),
            boxes_matched(model, tree, name)
        )
    );
    return {
        tree: tree,
        children: children,
        name: name,
        row: at => tree.function[at],
        head: down ? 'function' : 'function, called by',
        columns: [
            {
                head: down ? 'total' : 'share',
                text: at => percent_text(tree.weight[at], model.total),
            },
            // From the bottom, the whole value of a line is self time of the first function.
            down && {
                head: 'self',
                text: at => (tree.count[at] ? percent_text(tree.count[at], model.total) : ''),
            },
        ].filter(Boolean),
        counts: at => tree.weight[at] >= model.total / 1000,
        // Returns the child that is opened initially, along the greatest shares; -1 if there is
        // none.
        next: function (at) {
            const first = children(at)[0];
            return first !== undefined &&
                tree.weight[first] > Math.max(tree.weight[at] / 3, model.total / 20)
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
            for (let at = 1; at < tree.parent.length; at++)
                if (matches(name(at)) && counts(at))
                    for (let up = tree.parent[at]; up >= 0; up = tree.parent[up])
                        open.add(up);
        if (open.size === 1 && !matches)
            for (let at = 0; at >= 0 && open.size < 30; at = next(at))
                open.add(at);
        const rows = [];
        const waiting = children(0)
            .reverse()
            .map(at => [at, 0]);
        while (waiting.length) {
            const [at, depth] = waiting.pop();
            rows.push([at, depth]);
            if (open.has(at))
                for (const child of children(at).reverse())
                    waiting.push([child, depth + 1]);
        }
        // Redraws the rows with the cursor on AT.
        function move(at) {
            const top = main.scrollTop;
            tree.cursor = at;
            go({f: row_of(at)}, true);
            main.scrollTop = top;
            if (main.onscroll)
                main.onscroll();
        }
        function toggle(at) {
            if (open.has(at))
                open.delete(at);
            else
                open.add(at);
            move(at);
        }
        const row = ([at, depth]) =>
            make('tr', {
                'data-at': at,
                class: at === tree.cursor ? 'cursor' : undefined,
                'aria-selected': String(row_of(at)) === state.f ? 'true' : 'false',
                'aria-expanded': tree.child[at] < 0 ? undefined : String(open.has(at)),
                on: {click: () => toggle(at)},
            },
                ...columns.map(function (column) {
                    const cell = make('td', {}, column.text(at));
                    if (column.look)
                        column.look(at, cell);
                    return cell;
                }),
                make('td', {class: 'tree function' + (middle ? ' middle' : ''), title: name(at)},
                    ' '.repeat(2 * Math.min(depth, 60)) +
                        (tree.child[at] < 0 ? '  ' : open.has(at) ? '\u25be ' : '\u25b8 '),
                    matches && matches(name(at)) ? make('mark', {}, name(at)) : name(at)
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
        const found = matches ? rows.findIndex(([at]) => matches(name(at))) : -1;
        if (found > 0)
            rows_scroll(main, found, ROW);
        return function (event) {
            const i = rows.findIndex(([at]) => at === tree.cursor);
            const at = i < 0 ? -1 : tree.cursor;
            const is_open = open.has(at);
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
                tree.child[at] >= 0 &&
                (event.key === 'Enter' || is_open === (event.key === 'ArrowLeft'))
            )
                toggle(at);
            else if (event.key === 'ArrowRight' && is_open)
                move(children(at)[0]);
            else if (event.key === 'ArrowLeft' && tree.parent[at] > 0)
                move(tree.parent[at]);
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
