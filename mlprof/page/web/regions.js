// The real time of regions (mlprof/page/page-regions.c): a table of them, of the copies of functions
// or of paths, and the histogram of the chosen one.

Object.assign(page.defaults, {regions: ''});

page.regions_kinds = {changes: 'changes', names: 'regions', copies: 'copies', paths: 'paths'};

// Those that the page has, and the one that is shown.
page.regions_shown = data => Object.keys(page.regions_kinds).filter(kind => kind === 'changes' ? data.region_changes
    : kind === 'copies' ? data.regions.copies.some(row => row.place) : true);
page.regions_kind = data => page.regions_shown(data).includes(page.state.regions) ? page.state.regions : page.regions_shown(data)[0];

// Nothing but regions was measured.
page.regions_alone = data => data.regions && !data.timed && !data.counted && !data.allocated;

// Nanoseconds, as mlprof has them (text_time).
page.regions_time = function (value) {
    const [size, name] = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us']].find(([unit]) => value >= unit) || [1, 'ns'], part = value / size;
    return page.fixed(part, part <= 0 ? 0 : part < 10 ? 2 : part < 100 ? 1 : 0) + name;
};

// A time that was measured: of what is less than a tick nothing is known (regiontimes_text).
page.regions_measured = (value, tick = page.data.data.regions.tick) => value >= tick ? page.regions_time(value) : '<' + page.regions_time(tick);

// A bound of a bucket.
page.regions_bound = value => value > 0 ? page.regions_measured(value) : page.regions_time(0);

page.regions_rows = data => data.regions[page.regions_kind(data)];

page.regions_columns = function (data) {
    const kind = page.regions_kind(data), rows = page.regions_rows(data);
    return [...page.table_columns(data.regions.tables[kind]),
        {id: 'name', head: page.regions_kinds[kind], name: true, of_functions: kind !== 'paths', value: i => rows[i].name, text: i => rows[i].name},
        {id: 'place', head: 'place', place: true, value: i => rows[i].place || '', text: i => rows[i].place || ''},
    ];
};

// What is told of one row below its histogram.
page.regions_told = function (row) {
    const time = page.regions_measured, told = [];
    if (row.calls) told.push('median between ' + time(row.p50[0]) + ' and ' + time(row.p50[2]) + ', 99th percentile between ' + time(row.p99[0]) + ' and ' + time(row.p99[2]));
    if (row.cold_calls) told.push(page.number(row.cold_calls) + ' cold: mean ' + time(row.cold) + ', ' + time(row.cold_min) + ' to ' + time(row.cold_max) +
        (row.cold_calls < row.calls ? '; warm: mean ' + time(row.warm) : ''));
    if (row.left) told.push(page.number(row.left) + ' did not come to the end');
    if (row.open) told.push(page.number(row.open) + ' had not ended, and took ' + time(row.spent) + ' so far');
    return told.join('\n');
};

// Buckets of which nothing is left, since measuring cost as much, are part of the next one.
page.regions_buckets = function (row) {
    const list = [];
    let before = 0;
    for (const [least, end, calls] of row.buckets) {
        if (end <= 0) before += calls;
        else list.push({least: Math.max(0, least), end: end, calls: calls + before});
        if (end > 0) before = 0;
    }
    if (before) list.push({least: 0, end: 1, calls: before});
    return list;
};

// Where the axis is marked: at powers of ten, of a short one at 1, 2 and 5 times these, and where there is
// none of them at its beginning and at what is near its end.
page.regions_ticks = function (least, most) {
    const ticks = [];
    for (let power = Math.floor(Math.log10(least)); power <= Math.log10(most); power++)
        for (const of of most / least < 100 ? [1, 2, 5] : [1]) ticks.push(of * 10 ** power);
    const inside = ticks.filter(value => value >= least && value <= most);
    return inside.length > 1 ? inside : [least, most * 0.9 > least ? most * 0.9 : most];
};

// From which time on a bucket is drawn: there is no 0 on the axis.
page.regions_from = bucket => Math.max(bucket.least, bucket.end / 2);

// How high the area of a bucket is, so that it is as large as it has of all calls.
page.regions_height = (row, bucket) => bucket.calls / row.calls / Math.log(bucket.end / page.regions_from(bucket));

// Draws an area for each bucket of a row on a logarithmic axis of time, from TOP on; as high as they are
// in proportion to MOST, between the times of RANGE.
page.regions_panel = function (svg, row, top, range, most) {
    const W = 380, H = top + 240, L = 10, R = 14, T = top + 34, B = 44, buckets = page.regions_buckets(row), [x0, x1] = range;
    const x = value => L + (W - L - R) * Math.log(Math.min(Math.max(value, x0), x1) / x0) / Math.log(x1 / x0);
    const line = (fromX, fromY, toX, toY, kind) => svg.append(page.draw('line', {x1: fromX, y1: fromY, x2: toX, y2: toY, 'class': kind}));
    for (const bucket of buckets) {
        const tall = Math.max(1, (H - B - T) * page.regions_height(row, bucket) / most), from = x(page.regions_from(bucket));
        svg.append(page.draw('rect', {x: from, y: H - B - tall, width: Math.max(1, x(bucket.end) - from), height: tall, 'class': 'bar'},
            page.draw('title', {}, page.regions_bound(bucket.least) + ' to ' + page.regions_bound(bucket.end) + ': ' + page.number(bucket.calls))));
    }
    line(L, H - B, W - R, H - B, 'axis');
    let free = -1;
    for (const value of page.regions_ticks(x0, x1)) {
        const text = page.regions_time(value).replace(/\.0+(?=[a-z])/, ''), half = 3.5 * text.length;
        const at = x(value), middle = Math.max(half, Math.min(W - half, at));
        line(at, H - B, at, H - B + 5, 'axis');
        if (middle - half < free) continue;
        svg.append(page.draw('text', {x: middle, y: H - B + 18, 'text-anchor': 'middle'}, text));
        free = middle + half;
    }
    // The median's word stands to the left of its line where there is room, the other one's to the right.
    for (const [word, value, y] of [['p50', row.p50[1], T - 18], ['p99', row.p99[1], T - 4]]) {
        line(x(value), y, x(value), H - B, 'mark');
        const left = x(value) > W - 110;
        svg.append(page.draw('text', {x: x(value) + (left ? -4 : 4), y: y + 4, 'text-anchor': left ? 'end' : 'start'}, word + ' ' + page.regions_measured(value)));
    }
    if (row.cold_calls) {
        line(x(row.cold_min) - 1, H - B + 25, x(row.cold_max) + 1, H - B + 25, 'cold');
        svg.append(page.draw('text', {x: (x(row.cold_min) + x(row.cold_max)) / 2, y: H - 6,
            'text-anchor': x(row.cold_min) + x(row.cold_max) < 60 ? 'start' : x(row.cold_min) + x(row.cold_max) > 2 * W - 60 ? 'end' : 'middle'}, 'cold'));
    }
};

// The histograms of rows, each with a word above it, above each other over the same times: areas are as large as
// shares of the calls of each.
page.regions_plot = function (rows, words) {
    const H = 240, HEAD = words ? 20 : 0, called = rows.filter(row => row && row.calls);
    const all = called.flatMap(page.regions_buckets), tall = rows.reduce((sum, row) => sum + HEAD + (row && row.calls ? H : HEAD), 0) || H;
    const svg = page.draw('svg', {id: 'histogram', width: 380, height: tall, viewBox: '0 0 380 ' + tall, role: 'img',
        'aria-label': rows.map((row, i) => (words ? words[i] + ': ' : '') + 'how long ' + page.number(row ? row.calls : 0) + ' calls ' +
            (row ? 'of ' + row.name + ' ' : '') + 'took').join('; ') + '; the table below has the numbers'});
    const range = all.length && [Math.min(...all.map(page.regions_from)), Math.max(...all.map(bucket => bucket.end))];
    const most = Math.max(...called.flatMap(row => page.regions_buckets(row).map(bucket => page.regions_height(row, bucket))));
    let top = 0;
    rows.forEach(function (row, i) {
        if (words) svg.append(page.draw('text', {x: 10, y: top + 14, 'class': 'title'}, words[i] + (row && row.calls ? '' : ': no calls')));
        top += HEAD;
        if (row && row.calls) page.regions_panel(svg, row, top, range, most);
        else if (!words) svg.append(page.draw('text', {x: 10, y: H / 2}, 'No call has ended.'));
        top += row && row.calls ? H : HEAD;
    });
    return svg;
};

// The same as a table.
page.regions_numbers = function (row, id) {
    const cells = (kind, texts) => page.make('tr', {}, ...texts.map(text => page.make(kind, {}, text)));
    let sum = 0;
    return page.make('table', {id: id || 'buckets', 'class': 'buckets'}, page.make('thead', {}, cells('th', ['from', 'below', 'calls', 'up to'])),
        page.make('tbody', {}, ...page.regions_buckets(row).map(function (bucket) {
            sum += bucket.calls;
            return cells('td', [page.regions_bound(bucket.least), page.regions_bound(bucket.end), page.number(bucket.calls), page.percent(sum, row.calls)]);
        })));
};

// What was sampled while the region was open: samples stand below its label.
page.regions_inside = function (row) {
    const pattern = '^\\[' + row.label.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + '\\]$';
    page.state_write({view: 'flame'});
    page.transforms_add('+/' + pattern + '/');
};

page.regions_has_samples = (model, row) => row.label !== null && Array.from({length: model.count}, (_, i) => i).some(i => model.name(i) === '[' + row.label + ']' || model.full(i) === '[' + row.label + ']');

// Which tables there are, as buttons, and what the measuring costs.
page.regions_bar = function (left, data, copied) {
    const of = data.regions;
    left.append(page.make('div', {'class': 'bar-of'}, ...page.regions_shown(data).map(kind =>
        page.make('button', {'data-regions': kind, 'aria-current': kind === page.regions_kind(data), on: {click: () => page.go({regions: kind, row: -1, order: ''})}}, page.regions_kinds[kind])),
    page.views.tracks && page.make('button', {id: 'in-time', title: 'each call where it was (k)', on: {click: () => page.go({view: 'tracks'})}}, 'in time order'),
    page.make('button', {id: 'copy', title: 'the rows as comma-separated values', on: {click: () => page.copy(copied())}}, 'copy CSV')),
    page.make('div', {id: 'region-cost', 'class': 'faint'}, 'real time; measuring makes a call ' + page.regions_time(of.inner) + ' longer, and what is around it ' +
        page.regions_time(of.outer) + ': ' + (of.subtracted ? 'subtracted' : 'not subtracted') +
        (of.cpu && of.measuring >= of.cpu / 100 ? '. It took ' + page.regions_time(Math.min(of.measuring, of.cpu)) + ' of ' + page.regions_time(of.cpu) + ' of CPU time' : '') +
        (of.events ? '' : '. When each call was: CCPROF=events=N keeps the N longest of one run')));
};

page.views.regions = {
    title: 'Regions', key: 'w',
    only: data => data.regions,
    show: function (main, model) {
        const data = model.data, left = page.make('div', {'class': 'top'}), right = page.make('div', {'class': 'plot'});
        main.append(page.make('div', {'class': 'growth-of'}, left, right));
        if (page.regions_kind(data) === 'changes') page.region_changes_show(left, right, data);
        else page.regions_show(left, right, model);
    },
};

page.regions_show = function (left, right, model) {
    const data = model.data, rows = page.regions_rows(data), columns = page.regions_columns(data);
    const order = page.compare_rows(columns, rows.length);
    page.regions_bar(left, data, () => page.csv(columns, order));
    // A place stands behind its name, and both are in the tip where they have no room.
    page.views.regions.keys = page.compare_table(left, columns.filter(column => !column.place), order, function (i, column, cell) {
        if (!column.name || !rows[i].place) return;
        cell.append(page.make('span', {'class': 'faint'}, '  ' + page.summary_short_place(rows[i].place)));
        cell.title = rows[i].name + '  ' + rows[i].place;
    }, i => page.go({row: i}));
    const chosen = rows[Number(page.state.row)] || rows[order[0]];
    if (!chosen) return;
    right.append(page.make('h2', {}, chosen.name), page.make('div', {'class': 'faint'}, chosen.place || ''), page.regions_plot([chosen]), page.make('div', {id: 'region-told', 'class': 'faint'}, page.regions_told(chosen)));
    if (page.regions_has_samples(model, chosen))
        right.append(page.make('button', {id: 'inside', on: {click: () => page.regions_inside(chosen)}}, 'What ran inside'));
    if (page.views.tracks && page.regions_kind(data) === 'names')
        right.append(page.make('button', {id: 'tracked', on: {click: () => page.go({view: 'tracks', region: rows.indexOf(chosen), call: -1})}}, 'In time order'));
    right.append(page.make('button', {id: 'svg', on: {click: () => page.copy(page.picture(right.querySelector('#histogram')), 'histogram.svg')}}, 'copy SVG'),
        page.regions_numbers(chosen));
};
