// The load: how the samples of each function are spread over ranks, or threads (mlprof/page/page-load.c),
// as a table with a strip for each function, in which every rank has its place; of the whole run.

// By function where its loads begin; those of one function stand together, by rank or thread.
page.load_starts = function (model) {
    if (model.load_starts) return model.load_starts;
    const loads = model.data.load.loads, starts = new Int32Array(model.count + 1).fill(loads.row.length);
    for (let i = loads.row.length; i--;) starts[loads.row[i]] = i;
    for (let f = model.count; f--;) if (starts[f] > starts[f + 1]) starts[f] = starts[f + 1];
    return model.load_starts = starts;
};

// By rank or thread the samples of a function.
page.load_of = function (model, f) {
    const {workers, loads} = model.data.load, starts = page.load_starts(model), counts = new Float64Array(workers.length);
    for (let i = starts[f]; i < starts[f + 1]; i++) counts[loads.worker[i]] = loads.count[i];
    return counts;
};

page.load_number = name => name.replace(/^[a-z]* /, '').replace(/,.*/, '');

page.load_columns = function (model) {
    const {rows, workers, over} = model.data.load, table = model.data.functions, one = over.slice(0, -1);
    const mean = f => rows.total[f] / workers.length, time = samples => page.fixed(model.seconds(samples), 2);
    const column = (id, head, value) => ({id: id, head: head, value: value, text: f => time(value(f))});
    const certain = (id, head, value, text) => ({id: id, head: head, value: f => rows.certain[f] ? value(f) : -1, text: f => rows.certain[f] ? text(value(f)) : '-'});
    return [
        {id: 'cur', head: 'self', value: f => rows.total[f], text: f => page.percent(rows.total[f], model.data.total)},
        column('mean', 'mean', mean), column('least', 'least', f => rows.least[f]), column('most', 'most', f => rows.most[f]),
        certain('ratio', 'most/mean', f => rows.most[f] / mean(f), ratio => page.fixed(ratio, 2)),
        certain('value', 'lost', f => rows.most[f] - mean(f), time),
        certain('at', one, f => rows.at[f], at => page.load_number(workers[at])),
        {id: 'strip', head: over, strip: true, value: f => rows.most[f] - rows.least[f], text: () => ''},
        {id: 'name', head: 'function', name: true, of_functions: true, value: f => model.data.texts[table.name[f]], text: f => model.data.texts[table.name[f]]},
        {id: 'place', head: 'place', place: true, value: f => page.summary_place(model, table, f), text: f => page.summary_place(model, table, f)},
    ];
};

page.load_heads = over => ({cur: 'what the function had itself', mean: 'seconds of one of the ' + over + ', on average', least: 'seconds of the one with the least',
    most: 'seconds of the one with the most', ratio: '1 where all have the same; - where chance alone may have made it', value: 'seconds by which the most exceeds the mean: what the others wait for if they meet',
    at: 'the one with the most', strip: 'each in its place, from the first to the last: the darker, the nearer to the most'});

// Draws the strip: several workers that share a pixel show the one with the most of them.
page.load_draw = function (canvas, counts, most, colour) {
    const wide = canvas.width, high = canvas.height, pen = canvas.getContext('2d');
    for (let x = 0; x < wide; x++) {
        const from = Math.floor(x * counts.length / wide), to = Math.max(from + 1, Math.floor((x + 1) * counts.length / wide));
        let here = 0;
        for (let i = from; i < to; i++) here = Math.max(here, counts[i]);
        pen.fillStyle = 'rgba(' + colour + ',' + (most ? here / most : 0).toFixed(3) + ')';
        pen.fillRect(x, 0, 1, high);
    }
};

// Which of them is under the pointer, and what it has.
page.load_tip = function (model, counts, event) {
    const box = event.target.getBoundingClientRect();
    const worker = Math.max(0, Math.min(counts.length - 1, Math.floor((event.clientX - box.left) / box.width * counts.length)));
    return model.data.load.workers[worker] + ': ' + page.fixed(model.seconds(counts[worker]), 2) + ' s';
};

page.load_strip = function (model, f, colour) {
    const counts = page.load_of(model, f), rows = model.data.load.rows;
    const canvas = page.make('canvas', {'class': 'strip', width: 240, height: 14, role: 'img',
        'aria-label': counts.length + ' ' + model.data.load.over + ', from ' + page.fixed(model.seconds(rows.least[f]), 2) + ' to ' + page.fixed(model.seconds(rows.most[f]), 2) + ' s',
        on: {mousemove: event => { canvas.title = page.load_tip(model, counts, event); }}});
    page.load_draw(canvas, counts, rows.most[f], colour);
    return canvas;
};

page.views.load = {
    title: 'Load', key: 'o',
    only: data => data.load && data.load.workers.length > 1,
    show: function (main, model) {
        const {rows, over, workers} = model.data.load, columns = page.load_columns(model);
        Object.assign(page.compare_heads, page.load_heads(over));
        const order = page.compare_rows(columns, model.count).filter(f => rows.total[f] > 0);
        main.append(page.make('div', {'class': 'bar-of'}, page.make('span', {'class': 'faint'}, workers.length + ' ' + over + ', ' + page.number(order.length) + ' functions; seconds' + page.times_whole(model)),
            page.make('button', {id: 'copy', title: 'the rows as comma-separated values', on: {click: () => page.copy(page.csv(columns.filter(column => !column.strip), order))}}, 'copy CSV')));
        const colour = getComputedStyle(document.body).getPropertyValue('--hot').trim();
        page.views.load.keys = page.compare_table(main, columns.filter(column => !column.place), order, function (f, column, cell) {
            if (column.strip) cell.append(page.load_strip(model, f, colour));
        }, f => page.go({row: f, f: f, view: 'source', file: model.data.functions.file[f], line: model.data.functions.line[f], position: -1}));
    },
};
