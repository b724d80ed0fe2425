// The calls of regions in time order (mlprof/regions/regionevents.h): a track for each thread, calls inside
// of others below them. Drawn on a canvas, of which a part can be looked at closer; what is chosen by mouse
// or keys is the range that all other views show, if samples have times.

const CALLS = {row: 17, rows: 24, kinds: 8, ruler: 22, name: 190};

Object.assign(page.defaults, {span: '', pick: '', call: '-1', region: '-1'});

// What belongs to each lane: by row the calls in time order.
page.tracks_lanes = function (model) {
    if (model.lanes) return model.lanes;
    const {lanes, events} = model.data.regions, list = lanes.map(name => ({name: name, rows: [], count: 0, hidden: 0, boxes: null}));
    for (let i = 0; i < events.start.length; i++) {
        const lane = list[events.lane[i]], row = events.row[i];
        lane.count++;
        if (row >= CALLS.rows) {
            lane.hidden++;
            continue;
        }
        while (lane.rows.length <= row) lane.rows.push([]);
        lane.rows[row].push(i);
    }
    return model.lanes = list;
};

// By region, a row of the names, how its calls are drawn: those with most time have a look of their own.
page.tracks_rank = function (model) {
    if (model.ranks) return model.ranks;
    const {events, region_of: of, names} = model.data.regions, any = new Set(events.path.map(path => of[path]));
    return model.ranks = new Map(names.map((_, region) => region).filter(region => any.has(region)).map((region, rank) => [region, rank]));
};

page.tracks_region = (model, call) => model.data.regions.region_of[model.data.regions.events.path[call]];

// Two numbers that the address has, or null.
page.tracks_pair = function (text) {
    const pair = /^(\d+)-(\d+)$/.exec(text);
    return pair && Number(pair[2]) > Number(pair[1]) ? {from: Number(pair[1]), to: Number(pair[2])} : null;
};

page.tracks_end = model => Math.max(1, model.data.regions.events_end, model.data.bucket_width ? model.data.bucket_span : 0);

// The part of the time that is in view, in nanoseconds.
page.tracks_axis = function (model, width) {
    const end = page.tracks_end(model), asked = page.tracks_pair(page.state.span) || {from: 0, to: end};
    const from = Math.min(asked.from, end - 1), to = Math.max(from + 1, Math.min(asked.to, end)), size = to - from;
    return {width: width, from: from, to: to, size: size, end: end, at: time => (time - from) / size * width, time: x => from + x / width * size};
};

// The range that is chosen: that of all views if samples have times.
page.tracks_range = function (model) {
    const width = model.data.bucket_width;
    if (!page.times_count(model.data)) return page.tracks_pair(page.state.pick);
    return model.range && {from: model.range.from * width, to: model.range.to * width};
};

page.tracks_go = function (changes, replaced) {
    const main = document.getElementById('main'), top = main.scrollTop;
    page.go(changes, replaced);
    main.scrollTop = top;
    if (main.onscroll) main.onscroll();
};

// Where samples have times, whole buckets of them are chosen.
page.tracks_choose = function (model, from, to, replaced) {
    const width = model.data.bucket_width;
    if (!page.times_count(model.data)) page.tracks_go({pick: to > from ? Math.floor(from) + '-' + Math.ceil(to) : ''}, replaced);
    else page.times_choose(to > from ? Math.floor(from / width) : 0, to > from ? Math.ceil(to / width) : 0, replaced);
};

page.tracks_zoom = function (model, from, to, replaced) {
    const end = page.tracks_end(model), size = Math.max(20, Math.min(end, to - from)), start = Math.round(Math.max(0, Math.min(end - size, from)));
    page.tracks_go({span: size >= end ? '' : start + '-' + Math.round(start + size)}, replaced);
};

// So many times as much, TIME staying where it is.
page.tracks_scale = (model, axis, times, time) =>
    page.tracks_zoom(model, time - (time - axis.from) * times, time + (axis.to - time) * times, true);

// A time with as many digits as tell it from what is beside it.
page.tracks_time = function (axis, time) {
    const [unit, of] = axis.to >= 1e8 ? ['s', 1e9] : axis.to >= 1e5 ? ['ms', 1e6] : ['us', 1e3];
    return (time / of).toFixed(Math.max(0, Math.ceil(Math.log10(of / axis.size)) + 3)) + ' ' + unit;
};

// What is drawn of a lane: a call, or several that are narrower than a pixel each and beside each other.
page.tracks_boxes = function (model, axis, lane) {
    const {start, end} = model.data.regions.events, boxes = [], pixel = axis.size / axis.width;
    lane.rows.forEach(function (calls, row) {
        let low = 0, high = calls.length, last = null;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (end[calls[middle]] <= axis.from && start[calls[middle]] < axis.from) low = middle + 1;
            else high = middle;
        }
        for (; low < calls.length && start[calls[low]] < axis.to; low++) {
            const i = calls[low], narrow = end[i] - start[i] < pixel;
            if (narrow && last && last.narrow && start[i] <= last.to + pixel) {
                last.count++;
                if (page.tracks_region(model, i) !== page.tracks_region(model, last.call)) last.mixed = true;
                last.to = end[i];
                if (end[i] - start[i] > end[last.call] - start[last.call]) last.call = i;
            } else boxes.push(last = {row: row, call: i, count: 1, narrow: narrow, mixed: false, from: start[i], to: end[i]});
        }
    });
    for (const box of boxes) {
        box.left = Math.max(-1, axis.at(box.from));
        box.width = Math.max(1, Math.min(axis.width + 1, axis.at(box.to)) - box.left);
    }
    return boxes;
};

// A colour and lines, the others grey.
page.tracks_fill = function (model, region, canvas) {
    const rank = page.tracks_rank(model).get(region);
    if (!(rank < CALLS.kinds)) return {plain: canvas.line, fill: canvas.line};
    const colour = 'hsl(' + [35, 205, 110, 285, 0, 165, 60, 325][rank] + ',' + (canvas.dark ? '38%,30%)' : '62%,78%)');
    return {plain: colour, fill: page.hatch(canvas.pen, rank, colour, canvas.ink)};
};

page.tracks_draw = function (model, axis, lane, canvas, height) {
    const {pen} = canvas, names = model.data.regions.names, fills = new Map(), chosen = Number(page.state.call), only = Number(page.state.region);
    const range = page.tracks_range(model);
    pen.textBaseline = 'middle';
    for (const box of lane.boxes) {
        const region = page.tracks_region(model, box.call), y = 3 + box.row * CALLS.row, tall = CALLS.row - 2, wide = Math.max(1, box.width - (box.width > 3 ? 1 : 0));
        if (!fills.has(region)) fills.set(region, page.tracks_fill(model, region, canvas));
        const look = fills.get(region);
        pen.globalAlpha = only >= 0 && region !== only ? 0.25 : 1;
        pen.fillStyle = box.mixed ? canvas.faint : look.fill;
        if (box.count > 1) pen.fillRect(box.left, y + tall / 2, wide, tall / 2);
        else pen.fillRect(box.left, y, wide, tall);
        const room = Math.floor((box.width - 8) / canvas.letter);
        if (room >= 3 && box.count === 1) {
            const name = names[region].name, whole = name + '  ' + page.regions_time(model.data.regions.events.length[box.call]);
            const text = whole.length <= room ? whole : page.shorten(name, room);
            pen.fillStyle = look.plain;
            pen.fillRect(box.left + 2, y + 1, Math.min(box.width - 5, pen.measureText(text).width + 4), tall - 2);
            pen.fillStyle = canvas.ink;
            pen.fillText(text, box.left + 4, y + tall / 2 + 0.5);
        }
        pen.globalAlpha = 1;
    }
    page.tracks_mask(axis, canvas, height, range);
    const {start, end, row, lane: of} = model.data.regions.events;
    if (!(chosen >= 0) || page.tracks_lanes(model)[of[chosen]] !== lane || row[chosen] >= CALLS.rows) return;
    if (end[chosen] < axis.from || start[chosen] > axis.to) return;
    const left = Math.max(1, axis.at(start[chosen]));
    pen.strokeStyle = canvas.ink;
    pen.lineWidth = 2;
    pen.strokeRect(left, 2 + row[chosen] * CALLS.row, Math.max(3, Math.min(axis.width - 1, axis.at(end[chosen])) - left), CALLS.row);
};

// Greys what is not in the range.
page.tracks_mask = function (axis, canvas, height, range) {
    const pen = canvas.pen, clip = x => Math.max(0, Math.min(axis.width, x));
    if (!range) return;
    const from = clip(axis.at(range.from)), to = clip(axis.at(range.to));
    pen.fillStyle = canvas.ground;
    pen.globalAlpha = 0.72;
    pen.fillRect(0, 0, from, height);
    pen.fillRect(to, 0, axis.width - to, height);
    pen.globalAlpha = 1;
    pen.fillStyle = canvas.link;
    for (const x of [axis.at(range.from), axis.at(range.to)]) if (x >= 0 && x <= axis.width) pen.fillRect(Math.min(axis.width - 1, x), 0, 1, height);
};

page.tracks_canvas = function (axis, height) {
    const canvas = page.time_canvas(axis, height);
    canvas.faint = getComputedStyle(document.body).getPropertyValue('--never').trim();
    return canvas;
};

page.tracks_ruler = function (model, axis) {
    const canvas = page.tracks_canvas(axis, CALLS.ruler), pen = canvas.pen, least = axis.size * 110 / axis.width;
    const power = 10 ** Math.floor(Math.log10(least)), step = power * ([1, 2, 5, 10].find(times => times * power >= least) || 10);
    const [unit, of] = axis.to >= 1e8 ? ['s', 1e9] : axis.to >= 1e5 ? ['ms', 1e6] : ['us', 1e3];
    pen.textBaseline = 'top';
    pen.fillStyle = canvas.ink;
    for (let i = Math.ceil(axis.from / step); i * step < axis.to; i++) {
        const x = axis.at(i * step), text = i ? Number((i * step / of).toFixed(12)) + ' ' + unit : '0';
        if (x + 3 + pen.measureText(text).width <= axis.width) pen.fillText(text, x + 3, 3);
        pen.fillRect(x, 0, 1, CALLS.ruler);
    }
    page.tracks_mask(axis, canvas, CALLS.ruler, page.tracks_range(model));
    return canvas.element;
};

page.tracks_tell = function (model, axis, call) {
    const {events, paths, names, lanes} = model.data.regions, name = names[page.tracks_region(model, call)].name, path = paths[events.path[call]].name;
    return [name, ...path === name ? [] : [path], 'at ' + page.tracks_time(axis, events.start[call]) + ', for ' + page.regions_time(events.length[call]),
        lanes[events.lane[call]]];
};

page.tracks_tip = function (model, axis, box) {
    const told = page.tracks_tell(model, axis, box.call);
    return (box.count === 1 ? told : [page.number(box.count) + ' calls, each narrower than a pixel, from ' + page.tracks_time(axis, box.from) + ' to ' +
        page.tracks_time(axis, box.to), 'the longest:', ...told]).join('\n');
};

// What ran in a region, or in one call of it where samples have times.
page.tracks_inside = function (model, region, call) {
    const {events, names, lanes} = model.data.regions, width = model.data.bucket_width, exact = text => '/^' + text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + '$/';
    const all = page.transforms_of(page.state).filter(t => t[0] !== '@' || call < 0), thread = '[' + lanes[events.lane[call]] + ']';
    all.push('+' + exact('[' + names[region].label + ']'));
    if (call >= 0) {
        const last = page.times_count(model.data), from = Math.min(last - 1, Math.floor(events.start[call] / width));
        all.push('@' + page.times_seconds(model.data, from) + '-' + page.times_seconds(model.data, Math.min(last, Math.max(from + 1, Math.ceil(events.end[call] / width)))));
        if (page.tracks_known(model, thread)) all.push('+' + exact(thread));
    }
    page.go({view: 'flame', change: Array.from(new Set(all)).join('\n'), zoom: 0});
};

page.tracks_known = (model, name) => Array.from({length: model.count}, (_, f) => f).some(f => model.name(f) === name || model.full(f) === name);

// What is told of the chosen call or region, and what leads on from it.
page.tracks_chosen = function (model, axis) {
    const call = Number(page.state.call), {names, events} = model.data.regions, given = call >= 0 && call < events.start.length;
    const region = given ? page.tracks_region(model, call) : Number(page.state.region), range = page.tracks_range(model), row = names[region];
    const bar = page.make('div', {'class': 'bar-of', id: 'call', role: 'status'});
    if (row) {
        const told = given ? page.tracks_tell(model, axis, call) : [row.name, page.number(row.calls) + ' calls, ' + page.regions_time(row.total)];
        bar.append(page.make('span', {id: 'told'}, page.make('b', {}, told[0]), ' \u00a0 ' + told.slice(1).join(' \u00a0 ')),
            page.make('button', {id: 'histogram-of', on: {click: () => page.go({view: 'regions', regions: 'names', row: region})}}, 'All its calls'));
        if (page.regions_has_samples(model, row)) {
            bar.append(page.make('button', {id: 'inside', on: {click: () => page.tracks_inside(model, region, -1)}}, 'What ran inside'));
            if (given && page.times_count(model.data))
                bar.append(page.make('button', {id: 'inside-call', on: {click: () => page.tracks_inside(model, region, call)}}, 'What ran in this call'));
        }
    } else if (range) {
        let count = 0, longest = -1;
        for (let i = 0; i < events.start.length; i++) {
            if (events.end[i] <= range.from || events.start[i] >= range.to) continue;
            count++;
            if (longest < 0 || events.length[i] > events.length[longest]) longest = i;
        }
        bar.append(page.make('span', {id: 'told'}, 'In the chosen ' + page.regions_time(range.to - range.from) + ': ' + page.number(count) + (count === 1 ? ' call' : ' calls') +
            (count ? ', the longest: ' : ''), longest < 0 ? '' : page.make('button', {id: 'longest', on: {click: () => page.tracks_go({call: longest, region: -1})}},
            page.tracks_tell(model, axis, longest)[0] + ', ' + page.regions_time(events.length[longest]))));
    } else bar.append(page.make('span', {id: 'told', 'class': 'faint'}, 'Choose a call: click, or arrows.'));
    return bar;
};

// Moves to the call that a key leads to: around, inside, before or behind in the same row.
page.tracks_step = function (model, axis, key) {
    const lanes = page.tracks_lanes(model), {start, end, lane, row} = model.data.regions.events, call = Number(page.state.call);
    if (!(call >= 0 && call < start.length)) {
        for (const of of lanes) for (const calls of of.rows) for (const i of calls) if (end[i] > axis.from && start[i] < axis.to) return i;
        return -1;
    }
    const rows = lanes[lane[call]].rows, at = row[call], calls = rows[at], beside = calls.indexOf(call);
    if (key === 'ArrowLeft') return calls[beside - 1] ?? call;
    if (key === 'ArrowRight') return calls[beside + 1] ?? call;
    if (key === 'ArrowUp') {
        for (let i = at; i-- > 0;) {
            const around = rows[i].find(other => start[other] <= start[call] && end[call] <= end[other]);
            if (around !== undefined) return around;
        }
        return call;
    }
    for (let i = at + 1; i < rows.length; i++) {
        const inside = rows[i].find(other => start[call] <= start[other] && end[other] <= end[call]);
        if (inside !== undefined) return inside;
    }
    return call;
};

// Chooses a call, and moves to where it is seen.
page.tracks_to = function (model, axis, call) {
    if (call < 0) return;
    const {start, end} = model.data.regions.events, seen = start[call] < axis.to && end[call] > axis.from, change = {call: call, region: -1};
    if (!seen) {
        const from = Math.max(0, Math.min(axis.end - axis.size, (start[call] + end[call] - axis.size) / 2));
        change.span = Math.round(from) + '-' + Math.round(from + axis.size);
    }
    page.tracks_go(change, true);
    const chosen = document.querySelector('.track[data-lane="' + model.data.regions.events.lane[call] + '"]');
    if (chosen) chosen.scrollIntoView({block: 'nearest'});
};

page.tracks_keys = function (event) {
    const model = page.data, axis = page.tracks_axis(model, 1), range = page.tracks_range(model), call = Number(page.state.call), events = model.data.regions.events;
    const given = call >= 0 && call < events.start.length, step = axis.size / 20, key = event.key;
    if (event.target.closest && event.target.closest('button') && key === 'Enter') return false;
    if (key === '+' || key === '=' || key === '-') {
        const middle = given ? Math.max(axis.from, Math.min(axis.to, (events.start[call] + events.end[call]) / 2)) : (axis.from + axis.to) / 2;
        page.tracks_scale(model, axis, key === '-' ? 2 : 0.5, middle);
    } else if (key === ',' || key === '.') page.tracks_zoom(model, axis.from + (key === ',' ? -4 : 4) * step, axis.to + (key === ',' ? -4 : 4) * step, true);
    else if (key === 'Home') page.tracks_zoom(model, 0, axis.size, true);
    else if (key === 'End') page.tracks_zoom(model, axis.end - axis.size, axis.end, true);
    else if (event.shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight')) {
        const by = key === 'ArrowLeft' ? -step : step, bucket = page.times_count(model.data) ? model.data.bucket_width : 1;
        const of = range || (given ? {from: events.start[call], to: events.end[call] - by} : {from: axis.from, to: axis.from});
        const to = Math.abs(by) < bucket ? of.to + Math.sign(by) * bucket : of.to + by;
        page.tracks_choose(model, of.from, Math.max(of.from + 1, Math.min(axis.end, to)), true);
    } else if (/^Arrow/.test(key)) page.tracks_to(model, axis, page.tracks_step(model, axis, key));
    else if (key === 'Enter' && given) page.tracks_zoom(model, events.start[call] - (events.end[call] - events.start[call]) / 10, events.end[call] + (events.end[call] - events.start[call]) / 10);
    else if (key === 'Enter' && range) page.tracks_zoom(model, range.from, range.to);
    else if (key !== 'Escape') return false;
    else if (given || Number(page.state.region) >= 0) page.tracks_go({call: -1, region: -1});
    else if (range) page.tracks_choose(model, 0, 0);
    else page.tracks_go({span: ''});
    return true;
};

// Chooses a range; without one the call that is there.
page.tracks_mouse = function (model, axis, area, event) {
    page.time_drag(axis, area, event, CALLS.name, 3, (from, until) => page.tracks_choose(model, axis.time(from), axis.time(until)), () => {
        const box = page.tracks_under(model, event);
        page.tracks_go(box ? {call: box.call, region: -1} : {call: -1, region: -1});
    });
};

// The box under the pointer.
page.tracks_under = function (model, event) {
    const track = event.target.closest && event.target.closest('.track'), lane = track && page.tracks_lanes(model)[track.dataset.lane];
    if (!lane || !lane.boxes || event.target.tagName !== 'CANVAS') return null;
    const area = event.target.getBoundingClientRect(), x = event.clientX - area.left, row = Math.floor((event.clientY - area.top - 3) / CALLS.row);
    const near = box => x < box.left ? box.left - x : x > box.left + box.width ? x - box.left - box.width : 0;
    const boxes = lane.boxes.filter(box => box.row === row && near(box) < 2);
    return boxes.sort((a, b) => near(a) - near(b))[0] || null;
};

page.tracks_wheel = function (model, axis, area, event) {
    if (!event.ctrlKey && !event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
    event.preventDefault();
    const by = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY, x = event.clientX - area.getBoundingClientRect().left - CALLS.name;
    if (event.ctrlKey) page.tracks_scale(model, axis, by > 0 ? 1.25 : 0.8, axis.time(Math.max(0, Math.min(axis.width, x))));
    else page.tracks_zoom(model, axis.from + Math.sign(by) * axis.size / 10, axis.to + Math.sign(by) * axis.size / 10, true);
};

page.tracks_legend = function (model, axis) {
    const names = model.data.regions.names, ranks = Array.from(page.tracks_rank(model).keys()), range = page.tracks_range(model), middle = (axis.from + axis.to) / 2;
    const swatch = function (fill, top) {
        const canvas = page.tracks_canvas({width: 16}, 16);
        canvas.element.className = 'swatch';
        canvas.pen.fillStyle = fill(canvas);
        canvas.pen.fillRect(0, top || 0, 16, 16);
        return canvas.element;
    };
    const button = (id, title, text, act) => page.make('button', {id: id, title: title, on: {click: act}}, text);
    const kinds = ranks.slice(0, CALLS.kinds), texts = page.shorten_all(kinds.map(region => names[region].name), kinds.map(() => 20));
    return page.make('div', {'class': 'bar-of', id: 'legend'},
        button('closer', 'closer (+)', '+', () => page.tracks_scale(model, axis, 0.5, middle)), button('farther', 'farther (-)', '\u2212', () => page.tracks_scale(model, axis, 2, middle)),
        axis.size < axis.end ? button('whole', 'the whole run (Escape)', 'all', () => page.tracks_go({span: ''})) : undefined,
        range ? button('to-range', 'only what is chosen (Enter)', 'zoom to the range', () => page.tracks_zoom(model, range.from, range.to)) : undefined,
        ...kinds.map((region, i) => page.make('button', {'data-region': region, 'aria-current': region === Number(page.state.region), title: (names[region].name + '  ' + (names[region].place || '')).trim(),
            on: {click: () => page.tracks_go({region: region === Number(page.state.region) ? -1 : region, call: -1})}},
        swatch(canvas => page.tracks_fill(model, region, canvas).fill), texts[i])),
        ranks.length > CALLS.kinds ? page.make('span', {'class': 'faint'}, swatch(canvas => canvas.line), 'others') : undefined,
        page.make('span', {'class': 'faint'}, swatch(canvas => canvas.faint, 8), 'low: several calls'));
};

// What is not there, and how to move.
page.tracks_note = function (model) {
    const {names, events, events_least: least} = model.data.regions, all = names.reduce((sum, row) => sum + row.calls, 0), there = events.start.length;
    const deep = page.tracks_lanes(model).reduce((sum, lane) => sum + lane.hidden, 0);
    return (there < all ? page.number(there) + ' of ' + page.number(all) + ' calls are here' + (least ? ': those of less than ' + page.regions_time(least) + ' are not' : '') +
        '; CCPROF=events=N keeps more. ' : '') + (deep ? page.number(deep) + ' calls are deeper than ' + CALLS.rows + ' rows and not drawn. ' : '') +
        'Places are those of the clock, lengths ' + (model.data.regions.subtracted ? 'without' : 'with') + ' the cost of measuring. ' +
        'Drag to choose a range' + (page.times_count(model.data) ? ', which all other views then show alone' : '') +
        '; Ctrl and the wheel, or + and \u2212, zoom; Shift and the wheel, or comma and full stop, move; arrows go along the calls, Enter zooms to one, Escape takes back.';
};

page.views.tracks = {
    title: 'Tracks', key: 'k', only: data => data.regions && data.regions.events && !data.compare && !data.growth, keys: page.tracks_keys,
    show: function (main, model) {
        main.style.overflowY = 'scroll';
        const axis = page.tracks_axis(model, Math.max(100, main.clientWidth - CALLS.name)), lanes = page.tracks_lanes(model);
        const area = page.make('div', {id: 'time'}), ruler = page.make('div', {id: 'ruler'},
            page.make('span', {'class': 'faint'}, page.number(lanes.length) + (lanes.length === 1 ? ' thread' : ' threads')), page.tracks_ruler(model, axis));
        const tracks = lanes.map((lane, i) => page.make('div', {'class': 'track', 'data-lane': i}, page.make('div', {'class': 'track-name'},
            page.make('span', {title: lane.name}, lane.name), lane.rows.length > 1 ? page.make('div', {'class': 'faint'}, page.number(lane.count) + (lane.count === 1 ? ' call' : ' calls')) : '')));
        for (const [i, track] of tracks.entries()) {
            lanes[i].high = Math.max(30, lanes[i].rows.length * CALLS.row + 8);
            track.style.height = lanes[i].high + 'px';
        }
        area.append(ruler, ...tracks, page.make('div', {id: 'span', hidden: true}));
        area.onmousedown = event => page.tracks_mouse(model, axis, area, event);
        area.onmousemove = function (event) {
            const box = area.querySelector('#span').hidden ? page.tracks_under(model, event) : null;
            page.tip(event, box ? page.tracks_tip(model, axis, box) : '');
        };
        area.onmouseleave = event => page.tip(event, '');
        area.ondblclick = function (event) {
            const box = page.tracks_under(model, event);
            if (box) page.tracks_zoom(model, box.from - (box.to - box.from) / 10, box.to + (box.to - box.from) / 10);
        };
        area.addEventListener('wheel', event => page.tracks_wheel(model, axis, area, event), {passive: false});
        main.append(page.tracks_legend(model, axis), page.tracks_chosen(model, axis), area, page.make('div', {'class': 'empty'}, page.tracks_note(model)));
        // Only those in view are drawn.
        main.onscroll = function () {
            const seen = main.getBoundingClientRect();
            for (const [i, track] of tracks.entries()) {
                const box = track.getBoundingClientRect();
                if (track.querySelector('canvas') || box.bottom < seen.top - 200 || box.top > seen.bottom + 200) continue;
                const canvas = page.tracks_canvas(axis, lanes[i].high);
                lanes[i].boxes = page.tracks_boxes(model, axis, lanes[i]);
                page.tracks_draw(model, axis, lanes[i], canvas, lanes[i].high);
                track.append(canvas.element);
            }
        };
        main.onscroll();
    },
};
