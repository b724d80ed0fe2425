// Time order: a track for each thread, as high as the CPU time that it used, divided among the
// functions that have most; phases as bands above it. What is chosen by mouse or keys is all that
// the other views show.

const TRACK = {name: 190, high: 44, highest: 140, band: 14, levels: 3, hot: 8, ruler: 22};

// By node the thread and the innermost phase around it, nodes themselves, and how many phases there are.
page.time_around = function (model) {
    if (model.around) return model.around;
    const {nodes, copies} = model.data, size = model.size;
    const around = {thread: new Int32Array(size), phase: new Int32Array(size), level: new Uint8Array(size), levels: 0};
    for (let i = 0; i < size; i++) {
        const parent = nodes.parent[i], what = copies.what[nodes.copy[i]];
        around.thread[i] = what === 2 ? i : parent < 0 ? -1 : around.thread[parent];
        around.phase[i] = what === 1 ? i : parent < 0 ? -1 : around.phase[parent];
        around.level[i] = (parent < 0 ? 0 : around.level[parent]) + (what === 1);
        around.levels = Math.max(around.levels, around.level[i]);
    }
    around.levels = Math.min(around.levels, TRACK.levels);
    return model.around = around;
};

page.time_bare = name => name.replace(/^\[(.*)\]$/, '$1');

// The tracks in the order of their threads, with the times that belong to each.
page.time_tracks = function (model) {
    if (model.tracks) return model.tracks;
    const around = page.time_around(model), times = model.data.times, tracks = new Map();
    for (let i = 0; i < times.node.length; i++) {
        const thread = around.thread[times.node[i]];
        if (!tracks.has(thread)) tracks.set(thread, []);
        tracks.get(thread).push(i);
    }
    const name = node => node < 0 ? 'all threads' : page.time_bare(model.name(model.function_of(node)));
    const number = track => Number(/^thread (\d+)/.exec(track.name)?.[1] ?? Infinity);
    return model.tracks = Array.from(tracks, ([node, entries]) => ({node: node, name: name(node), entries: entries}))
        .sort((a, b) => number(a) - number(b));
};

// How the axis is divided: bins of so many buckets that each is a pixel wide at least, and can hold
// some samples, or chance alone would be seen.
page.time_axis = function (model, width) {
    const data = model.data, count = page.times_count(data);
    const size = Math.max(1, Math.ceil(2 * count / width), Math.min(Math.ceil(count / 40), Math.ceil(5e9 / (data.rate * data.bucket_width))));
    return {width: width, count: count, size: size, bins: Math.ceil(count / size), seconds: data.bucket_width / 1e9,
        at: bucket => bucket / count * width, bucket: x => Math.max(0, Math.min(count, x / width * count))};
};

// What is drawn of all tracks: the functions with most samples, whose stacks are kept, and whether
// the chosen function is on each stack.
page.time_shown = function (model) {
    const nodes = model.data.nodes, times = model.data.times, keep = page.transforms_keep(model, model.transforms);
    const own = new Map(), f = Number(page.state.f), on = new Uint8Array(model.size);
    for (let i = 0; i < times.node.length; i++) {
        const node = times.node[i];
        if (keep[node]) own.set(model.function_of(node), (own.get(model.function_of(node)) || 0) + times.count[i]);
    }
    if (f >= 0)
        for (let i = 0; i < model.size; i++)
            on[i] = model.function_of(i) === f || (nodes.parent[i] >= 0 && on[nodes.parent[i]]) ? 1 : 0;
    const hot = Array.from(own).sort((a, b) => b[1] - a[1]).slice(0, TRACK.hot).map(([of]) => of);
    return {keep: keep, hot: hot, rank: new Map(hot.map((of, i) => [of, i])), on: on, chosen: f >= 0 ? f : -1};
};

// What a track has in each bin: samples by layer, a hot function or all others; those with the
// chosen function; and of phases by level which has most of them.
page.time_bins = function (model, axis, shown, track) {
    const around = page.time_around(model), {nodes, times} = model.data, bins = {total: 0, all: new Float64Array(axis.bins)};
    bins.layers = Array.from({length: shown.hot.length + 1}, () => new Float64Array(axis.bins));
    bins.chosen = new Float64Array(axis.bins);
    const phases = Array.from({length: around.levels}, () => Array.from({length: axis.bins}, () => null));
    for (const i of track.entries) {
        const node = times.node[i], bin = Math.floor(times.bucket[i] / axis.size), count = times.count[i];
        for (let at = around.phase[node], most = around.level[node]; most > 0; most--) {
            if (most <= around.levels) {
                const there = phases[most - 1][bin] || (phases[most - 1][bin] = new Map()), name = model.function_of(at);
                there.set(name, (there.get(name) || 0) + count);
            }
            at = nodes.parent[at] < 0 ? -1 : around.phase[nodes.parent[at]];
        }
        bins.all[bin] += count;
        if (!shown.keep[node]) continue;
        const rank = shown.rank.get(model.function_of(node));
        bins.layers[rank === undefined ? shown.hot.length : rank][bin] += count;
        if (shown.on[node]) bins.chosen[bin] += count;
        bins.total += count;
    }
    bins.bands = phases.map(level => page.time_bands(model, level, bins.all));
    return bins;
};

// Where a phase has most samples of each bin that has any, as spans of bins; where nothing was
// sampled it goes on.
page.time_bands = function (model, level, all) {
    const bands = [];
    let last = null;
    for (let bin = 0; bin < all.length; bin++) {
        if (!all[bin]) continue;
        let most = -1, in_phases = 0;
        for (const [f, count] of level[bin] || []) {
            in_phases += count;
            if (most < 0 || count > level[bin].get(most)) most = f;
        }
        if (most < 0 || 2 * in_phases < all[bin]) last = null;
        else if (last && last.f === most) last.to = bin + 1;
        else bands.push(last = {f: most, name: page.time_bare(model.name(most)), from: bin, to: bin + 1});
    }
    return bands;
};

// The bands, the layers from below, the outline of the chosen function, and what is not in the range.
page.time_draw = function (model, axis, shown, track, canvas) {
    const bins = track.bins, pen = canvas.pen, top = bins.bands.length * TRACK.band, bottom = top + track.high;
    const full = axis.size * axis.seconds, cpus = bin => model.seconds(bins.all[bin]) / full;
    const edge = bin => axis.at(Math.min(axis.count, bin * axis.size));
    let peak = 1;
    for (let bin = 0; bin < axis.bins; bin++) peak = Math.max(peak, cpus(bin));
    const height = samples => model.seconds(samples) / full / peak * track.high;
    pen.textBaseline = 'middle';
    bins.bands.forEach((bands, level) => bands.forEach(function (band) {
        const left = edge(band.from), wide = Math.max(1, edge(band.to) - left);
        pen.fillStyle = canvas.line;
        pen.fillRect(left, level * TRACK.band, wide, TRACK.band - 1);
        pen.fillStyle = canvas.ink;
        if (wide > 4 * canvas.letter)
            pen.fillText(page.shorten(band.name, Math.floor((wide - 6) / canvas.letter)), left + 3, level * TRACK.band + TRACK.band / 2);
    }));
    const floor = new Float64Array(axis.bins);
    bins.layers.forEach(function (layer, rank) {
        pen.fillStyle = page.time_fill(model, shown, rank, pen, canvas);
        for (let bin = 0; bin < axis.bins; bin++) {
            if (!layer[bin]) continue;
            const low = floor[bin], high = floor[bin] += height(layer[bin]);
            pen.fillRect(edge(bin), bottom - high, Math.max(1, edge(bin + 1) - edge(bin)), Math.max(0.5, high - low - 0.5));
        }
    });
    if (shown.chosen >= 0) {
        pen.beginPath();
        for (let bin = 0; bin < axis.bins; bin++)
            for (const x of [edge(bin), edge(bin + 1)]) pen.lineTo(x, bottom - height(bins.chosen[bin]) - 0.5);
        pen.strokeStyle = canvas.link;
        pen.lineWidth = 1.5;
        pen.stroke();
    }
    pen.fillStyle = canvas.line;
    pen.fillRect(0, bottom, axis.width, 1);
    page.time_mask(model, axis, canvas, bottom);
};

// How a layer is told from the others: a function's colour with lines of its own, the others grey.
page.time_fill = (model, shown, rank, pen, canvas) => rank < shown.hot.length
    ? page.hatch(pen, rank, page.colour(model.name(shown.hot[rank]), canvas.dark), canvas.ink) : canvas.line;

// Greys what is not in the range, and draws the cursor.
page.time_mask = function (model, axis, canvas, height) {
    const pen = canvas.pen, range = model.range;
    pen.fillStyle = canvas.ground;
    pen.globalAlpha = 0.72;
    if (range) {
        pen.fillRect(0, 0, axis.at(range.from), height);
        pen.fillRect(axis.at(range.to), 0, axis.width - axis.at(range.to), height);
    }
    pen.globalAlpha = 1;
    pen.fillStyle = canvas.link;
    for (const at of range ? [range.from, range.to] : page.time_cursor >= 0 ? [page.time_cursor] : [])
        pen.fillRect(Math.min(axis.width - 1, axis.at(at)), 0, 1, height);
};

page.time_cursor = -1;

page.time_canvas = function (axis, height) {
    const ratio = devicePixelRatio || 1, dark = document.body.classList.contains('dark'), style = getComputedStyle(document.body);
    const element = page.make('canvas', {width: axis.width * ratio, height: height * ratio}), pen = element.getContext('2d');
    element.style.width = axis.width + 'px';
    element.style.height = height + 'px';
    pen.scale(ratio, ratio);
    pen.font = '11px system-ui, sans-serif';
    const colour = name => style.getPropertyValue('--' + name).trim();
    return {element: element, pen: pen, dark: dark, letter: pen.measureText('n').width, ink: colour('ink'), line: colour('line'),
        ground: colour('ground'), link: colour('link')};
};

// The units, at steps of 1, 2 or 5 times a power of 10 that leave room for what is written.
page.time_ruler = function (model, axis) {
    const canvas = page.time_canvas(axis, TRACK.ruler), pen = canvas.pen, total = axis.count * model.data.bucket_width;
    const least = total * 70 / axis.width, power = 10 ** Math.floor(Math.log10(least));
    const step = power * ([1, 2, 5, 10].find(times => times * power >= least) || 10);
    const [unit, of] = step >= 1e8 ? ['s', 1e9] : step >= 1e5 ? ['ms', 1e6] : ['us', 1e3];
    pen.textBaseline = 'top';
    for (let i = 0; i * step < total; i++) {
        const x = i * step / total * axis.width;
        pen.fillStyle = canvas.ink;
        pen.fillText(i ? Number((i * step / of).toPrecision(12)) + ' ' + unit : '0', x + 3, 3);
        pen.fillRect(x, 0, 1, TRACK.ruler);
    }
    page.time_mask(model, axis, canvas, TRACK.ruler);
    return canvas.element;
};

page.time_tip = function (model, axis, shown, track, x) {
    const bin = Math.min(axis.bins - 1, Math.floor(axis.bucket(x) / axis.size)), bins = track.bins, width = model.data.bucket_width;
    const told = [track.name + ', ' + page.times_unit(bin * axis.size * width) + ' to ' +
        page.times_unit(Math.min(model.data.bucket_span, (bin + 1) * axis.size * width)),
    page.percent(model.seconds(bins.all[bin]), axis.size * axis.seconds) + ' of a CPU'];
    for (const level of bins.bands)
        for (const band of level) if (band.from <= bin && bin < band.to) told.push('in ' + band.name + ', by most samples here');
    shown.hot.concat(-1).map((f, rank) => [f, bins.layers[rank][bin]]).filter(([, count]) => count)
        .sort((a, b) => b[1] - a[1]).forEach(([f, count]) =>
            told.push(page.percent(count, bins.all[bin]) + ' ' + (f < 0 ? 'others' : model.name(f))));
    return told.join('\n');
};

// From where the mouse is pressed in AREA, NAME behind its left edge, to where it is let go: shows what is between from
// LEAST pixels on, and then calls CHOSEN with both places, or if they are less than 3 apart CLICKED.
page.time_drag = function (axis, area, event, name, least, chosen, clicked) {
    const left = area.getBoundingClientRect().left + name, at = of => Math.max(0, Math.min(axis.width, of.clientX - left));
    const start = at(event), span = area.querySelector('#span');
    if (event.button || event.clientX < left) return;
    event.preventDefault();
    function move(to) {
        span.hidden = Math.abs(at(to) - start) < least;
        span.style.left = name + Math.min(start, at(to)) + 'px';
        span.style.width = Math.abs(at(to) - start) + 'px';
    }
    function end(to) {
        document.removeEventListener('mousemove', move);
        document.removeEventListener('mouseup', end);
        span.hidden = true;
        const [from, until] = [start, at(to)].sort((a, b) => a - b);
        if (until - from < 3) clicked(from);
        else chosen(from, until);
    }
    document.addEventListener('mousemove', move);
    document.addEventListener('mouseup', end);
};

page.time_mouse = function (axis, area, event) {
    page.time_drag(axis, area, event, TRACK.name, 0, (from, until) => {
        const first = Math.floor(axis.bucket(from) + 0.5);
        page.times_choose(first, Math.max(first + 1, Math.floor(axis.bucket(until) + 0.5)));
    }, at => {
        page.time_cursor = Math.floor(axis.bucket(at));
        page.times_choose(0, 0);
    });
};

// Arrows move the cursor, or the range; with Shift they make one, or move its end.
page.time_keys = function (event) {
    const model = page.data, count = page.times_count(model.data), range = model.range, step = Math.max(1, Math.round(count / 100));
    const by = {ArrowLeft: -step, ArrowRight: step, Home: -count, End: count}[event.key];
    const within = at => Math.max(0, Math.min(count, at));
    if (event.key === 'Escape' && range) page.times_choose(0, 0);
    else if (by === undefined) return false;
    else if (range && event.shiftKey) page.times_choose(range.from, Math.max(range.from + 1, within(range.to + by)), true);
    else if (range) {
        const moved = Math.max(-range.from, Math.min(count - range.to, by));
        page.times_choose(range.from + moved, range.to + moved, true);
    } else {
        const from = Math.max(0, page.time_cursor), to = within(from + by);
        page.time_cursor = to;
        page.times_choose(event.shiftKey ? Math.min(from, to) : 0, event.shiftKey ? Math.max(from, to) : 0, true);
    }
    return true;
};

page.time_legend = function (model, shown) {
    const swatch = function (rank) {
        const canvas = page.time_canvas({width: 16}, 16);
        canvas.element.className = 'swatch';
        canvas.pen.fillStyle = rank < 0 ? canvas.link : page.time_fill(model, shown, rank, canvas.pen, canvas);
        canvas.pen.fillRect(0, rank < 0 ? 7 : 0, 16, rank < 0 ? 2 : 16);
        return canvas.element;
    };
    const names = shown.hot.concat(shown.chosen).map(f => model.name(f)), texts = page.shorten_all(names, names.map(() => 24));
    return page.make('div', {'class': 'bar-of', id: 'legend'},
        ...shown.hot.map((f, rank) => page.make('button', {'data-f': f, title: model.full(f), 'aria-current': f === shown.chosen,
            on: {click: () => page.go({f: f === shown.chosen ? -1 : f}, true)}}, swatch(rank),
        texts[rank])),
        page.make('span', {'class': 'faint'}, swatch(shown.hot.length), 'others'),
        shown.chosen >= 0 ? page.make('span', {'class': 'faint', title: model.full(shown.chosen)}, swatch(-1), 'line: ' +
            texts[shown.hot.length] + ' on the stack') : undefined);
};

page.views.time = {
    title: 'Time', key: '0', only: data => page.times_count(data) > 0, keys: page.time_keys,
    show: function (main, model) {
        main.style.overflowY = 'scroll';
        const axis = page.time_axis(model, Math.max(100, main.clientWidth - TRACK.name)), shown = page.time_shown(model);
        const tracks = page.time_tracks(model), levels = page.time_around(model).levels;
        // As high as there is room for, if they are few.
        const room = (main.clientHeight - 140) / tracks.length - levels * TRACK.band - 6;
        const inner = Math.floor(Math.max(TRACK.high, Math.min(TRACK.highest, room)));
        const high = inner + levels * TRACK.band + 6, body = page.make('div', {}), area = page.make('div', {id: 'time'});
        const focus = name => page.transforms_add('+/^' + ('[' + name + ']').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + '$/');
        function row(i) {
            const track = tracks[i], canvas = page.time_canvas(axis, high);
            track.high = inner;
            track.bins = page.time_bins(model, axis, shown, track);
            page.time_draw(model, axis, shown, track, canvas);
            canvas.element.onmousemove = event => page.tip(event,
                page.time_tip(model, axis, shown, track, event.clientX - canvas.element.getBoundingClientRect().left));
            canvas.element.onmouseleave = event => page.tip(event, '');
            return page.make('div', {'class': 'track', 'data-track': i}, page.make('div', {'class': 'track-name'},
                page.make('button', {title: track.node < 0 ? undefined : 'this thread alone',
                    on: {click: () => track.node >= 0 && focus(track.name)}}, track.name),
                page.make('div', {'class': 'faint'}, page.amount(model, bins_sum(track.bins.all)))), canvas.element);
        }
        const bins_sum = bins => bins.reduce((sum, count) => sum + count, 0);
        const times = bins_sum(model.data.times.count), without = model.data.total - times;
        area.append(page.make('div', {id: 'ruler'}, page.make('span', {'class': 'faint'}, tracks.length + (tracks.length === 1 ? ' track' : ' tracks')),
            page.time_ruler(model, axis)), body, page.make('div', {id: 'span', hidden: true}));
        area.onmousedown = event => page.time_mouse(axis, area, event);
        main.append(page.time_legend(model, shown), area, page.make('div', {'class': 'empty'},
            'Drag to choose a range, or use the arrows with Shift: all other views then show it alone. A full track is one CPU. ' +
            'Time is in buckets of ' + page.times_unit(model.data.bucket_width) + (without > 0 ? '; ' + page.number(without) +
            ' samples were lost or have no time' : '') + '.' +
            (levels ? ' Phases stand where samples were in them, of which there is one in ' + page.times_unit(1e9 / model.data.rate) +
            ' of CPU time: a shorter phase may not be seen.' : '')));
        page.rows(main, body, tracks.length, high, row, () => page.make('div', {}));
    },
};
