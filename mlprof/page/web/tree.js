// The tree of calls as a table of lines that open, from the top or from the bottom.

page.tree_view = function (down) {
    return function (main, model) {
        const tree = model.tree(down), open = tree.open || (tree.open = new Set([0]));
        const matches = page.state.search ? page.matcher(page.state.search) : null;
        // What is searched for is opened up to where it is.
        if (matches)
            for (let at = 1; at < tree.parent.length; at++)
                if (matches(model.label(tree.function[at])) && tree.weight[at] >= model.total / 1000)
                    for (let up = tree.parent[at]; up >= 0; up = tree.parent[up]) open.add(up);
        // The way of the greatest parts is open at first.
        if (open.size === 1 && !matches)
            for (let at = 0; at >= 0 && open.size < 30;) {
                open.add(at);
                const first = page.boxes_children(tree, at)[0];
                at = first !== undefined && tree.weight[first] > Math.max(tree.weight[at] / 3, model.total / 20) ? first : -1;
            }
        const rows = [], waiting = page.boxes_children(tree, 0).reverse().map(at => [at, 0]);
        while (waiting.length) {
            const [at, depth] = waiting.pop();
            rows.push([at, depth]);
            if (open.has(at)) for (const child of page.boxes_children(tree, at).reverse()) waiting.push([child, depth + 1]);
        }
        // Shows the rows again, with the cursor on one of them; that is where keys go on from.
        function move(at) {
            const top = main.scrollTop;
            tree.cursor = at;
            page.go({f: tree.function[at]}, true);
            main.scrollTop = top;
            if (main.onscroll) main.onscroll();
        }
        function toggle(at) {
            if (open.has(at)) open.delete(at);
            else open.add(at);
            move(at);
        }
        const row = ([at, depth]) => page.make('tr', {'data-at': at, 'class': at === tree.cursor ? 'cursor' : undefined,
            'aria-selected': String(tree.function[at]) === page.state.f ? 'true' : 'false',
            'aria-expanded': tree.child[at] < 0 ? undefined : String(open.has(at)), on: {click: () => toggle(at)}},
        page.make('td', {}, page.percent(tree.weight[at], model.total)),
        page.make('td', {}, tree.count[at] ? page.percent(tree.count[at], model.total) : ''),
        page.make('td', {'class': 'tree', title: model.label(tree.function[at])}, ' '.repeat(2 * Math.min(depth, 60)) +
            (tree.child[at] < 0 ? '  ' : open.has(at) ? '\u25be ' : '\u25b8 '),
        matches && matches(model.label(tree.function[at])) ? page.make('mark', {}, model.label(tree.function[at]))
            : model.label(tree.function[at])));
        const body = page.make('tbody', {});
        main.append(page.make('div', {'class': 'bar-of'}, page.folded_button(model)), page.make('table', {id: 'tree'}, page.make('thead', {}, page.make('tr', {}, page.make('th', {}, down ? 'stack' : 'share'),
            page.make('th', {}, 'self'), page.make('th', {'class': 'name'}, down ? 'function' : 'function, called by'))),
        body));
        page.rows(main, body, rows.length, ROW, i => row(rows[i]), () => page.make('tr', {}));
        page.views[page.state.view].keys = function (event) {
            const i = rows.findIndex(([at]) => at === tree.cursor), at = i < 0 ? -1 : tree.cursor, is_open = open.has(at);
            const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
            if (!rows.length || !(step || ['ArrowLeft', 'ArrowRight', 'Enter'].includes(event.key)) || event.target.closest('button')) return false;
            if (i < 0) move(rows[0][0]);
            else if (step) move(rows[Math.max(0, Math.min(rows.length - 1, i + step))][0]);
            else if (tree.child[at] >= 0 && (event.key === 'Enter' || is_open === (event.key === 'ArrowLeft'))) toggle(at);
            else if (event.key === 'ArrowRight' && is_open) move(page.boxes_children(tree, at)[0]);
            else if (event.key === 'ArrowLeft' && tree.parent[at] > 0) move(tree.parent[at]);
            const line = main.querySelector('tr.cursor');
            if (line) line.scrollIntoView({block: 'nearest'});
            else page.rows_to(main, rows.findIndex(([other]) => other === tree.cursor), ROW);
            return true;
        };
    };
};

page.views.tree = {title: 'Tree', key: '5', show: page.tree_view(true)};
page.views.bottom = {title: 'Bottom up', key: '6', show: page.tree_view(false)};
