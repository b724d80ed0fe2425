// The graph of calls around one function: who called it on the left, whom it called on the right,
// boxes and arrows as thick as their share; what has less than a threshold is left out.

const GRAPH = {levels: 2, most: 14, wide: 190, gap: 90, high: 44, space: 12};

// The functions around F by level, less than 0 those that lead to it, with the pairs between them.
page.graph_around = function (model, f, least) {
    const level = new Map([[f, 0]]), edges = new Map();
    for (const [side, step] of [['callers', -1], ['callees', 1]])
        for (let depth = 1, edge = [f]; depth <= GRAPH.levels; depth++) {
            const found = [];
            for (const from of edge)
                for (const other of model.neighbours(from)[side]) {
                    const amount = other.amount || 0, calls = other.told ? other.told.calls : 0;
                    if (other.function < 0 || (amount < least && !(least === 0 && calls))) continue;
                    if (!level.has(other.function)) found.push([other.function, amount]);
                    const pair = step < 0 ? [other.function, from] : [from, other.function];
                    edges.set(pair.join(' '), {from: pair[0], to: pair[1], amount: amount, calls: other.told});
                }
            found.sort((a, b) => b[1] - a[1]);
            edge = [];
            for (const [other] of found)
                if (!level.has(other) && edge.length < GRAPH.most) {
                    level.set(other, step * depth);
                    edge.push(other);
                }
        }
    return {level: level, edges: Array.from(edges.values()).filter(e => level.has(e.from) && level.has(e.to))};
};


page.views.graph = {
    title: 'Graph', key: '9',
    show: function (main, model) {
        const own = model.functions(), cost = f => own.get(f) || {cur: 0, stack: 0};
        let f = Number(page.state.f);
        if (!(f >= 0 && f < model.count)) f = 0;
        if (model.stand[f + 1] >= 0) f = model.stand[f + 1];
        const threshold = Number(page.state.least) >= 0 ? Number(page.state.least) : 1;
        const {level, edges} = page.graph_around(model, f, threshold / 100 * model.total);
        const columns = new Map(), places = new Map();
        for (const [g, at] of level) columns.set(at, (columns.get(at) || []).concat(g));
        const levels = Array.from(columns.keys()).sort((a, b) => a - b);
        const rows = Math.max(...Array.from(columns.values(), list => list.length)), height = rows * (GRAPH.high + GRAPH.space) + 40;
        levels.forEach(function (at, i) {
            const list = columns.get(at).sort((a, b) => cost(b).stack - cost(a).stack);
            const top = (height - list.length * (GRAPH.high + GRAPH.space)) / 2;
            list.forEach((g, k) => places.set(g, {x: 20 + i * (GRAPH.wide + GRAPH.gap), y: top + k * (GRAPH.high + GRAPH.space)}));
        });
        const width = 40 + levels.length * (GRAPH.wide + GRAPH.gap) - GRAPH.gap;
        const svg = page.draw('svg', {id: 'graph', viewBox: '0 0 ' + Math.max(width, main.clientWidth) + ' ' + Math.max(height, main.clientHeight - 50),
            width: '100%', height: main.clientHeight - 46});
        for (const edge of edges) {
            const a = places.get(edge.from), b = places.get(edge.to), forward = b.x > a.x;
            const x1 = forward ? a.x + GRAPH.wide : a.x, x2 = forward ? b.x : b.x + GRAPH.wide, y1 = a.y + GRAPH.high / 2, y2 = b.y + GRAPH.high / 2;
            const bend = edge.from === edge.to ? 0 : forward ? GRAPH.gap / 2 : -GRAPH.gap / 2;
            const told = page.percent(edge.amount, model.total) + (edge.calls ? ', ' + page.number(edge.calls.calls) + ' calls' + page.times_whole(model) : '');
            const path = page.draw('path', {'class': 'arrow', d: edge.from === edge.to
                ? 'M' + (a.x + GRAPH.wide - 30) + ' ' + a.y + 'c-10 -26 40 -26 24 0'
                : 'M' + x1 + ' ' + y1 + 'C' + (x1 + bend) + ' ' + y1 + ' ' + (x2 - bend) + ' ' + y2 + ' ' + x2 + ' ' + y2,
            'stroke-width': Math.max(1, 12 * edge.amount / (model.total || 1))},
            page.draw('title', {}, model.label(edge.from) + ' calls ' + model.label(edge.to) + ': ' + told));
            svg.append(path);
        }
        const shown = Array.from(places), names = shown.map(([g]) => model.label(g)), texts = page.shorten_all(names, names.map(() => 25));
        shown.forEach(function ([g, place], at) {
            const share = cost(g), box = page.draw('g', {'class': g === f ? 'box chosen' : 'box', 'data-f': g, transform: 'translate(' + place.x + ',' + place.y + ')'},
                page.draw('rect', {width: GRAPH.wide, height: GRAPH.high, rx: 5}),
                page.draw('rect', {'class': 'self', width: GRAPH.wide * share.cur / (model.total || 1), height: 4, y: GRAPH.high - 4}),
                page.draw('text', {x: 8, y: 18}, texts[at]),
                page.draw('text', {'class': 'faint', x: 8, y: 34}, page.percent(share.cur, model.total) + ' itself' +
                    (model.data.stacks ? ', ' + page.percent(share.stack, model.total) + ' stack' : '')),
                page.draw('title', {}, model.grouped ? model.label(g) : model.full(g)));
            box.addEventListener('click', () => page.go({f: g}));
            svg.append(box);
        });
        page.graph_move(svg);
        main.append(page.make('div', {'class': 'bar-of'}, page.make('label', {}, 'at least ', page.make('input', {id: 'least', type: 'range',
            min: 0, max: 10, step: 0.25, value: threshold, on: {change: event => page.go({least: event.target.value}, true)}}),
        ' ' + threshold + ' %'), page.make('button', {on: {click: () => page.copy(page.picture(svg), 'graph.svg')}}, 'copy SVG'),
        page.make('span', {'class': 'faint'}, page.number(level.size) + ' functions; the wheel zooms, dragging moves')), svg);
    },
};

// The wheel zooms around the pointer, dragging moves.
page.graph_move = function (svg) {
    const view = svg.viewBox.baseVal;
    const scale = () => view.width / svg.clientWidth;
    svg.addEventListener('wheel', function (event) {
        const factor = event.deltaY > 0 ? 1.15 : 1 / 1.15, x = view.x + event.offsetX * scale(), y = view.y + event.offsetY * scale();
        view.x = x - (x - view.x) * factor;
        view.y = y - (y - view.y) * factor;
        view.width *= factor;
        view.height *= factor;
        event.preventDefault();
    }, {passive: false});
    svg.addEventListener('mousemove', function (event) {
        if (event.buttons !== 1) return;
        view.x -= event.movementX * scale();
        view.y -= event.movementY * scale();
    });
};
