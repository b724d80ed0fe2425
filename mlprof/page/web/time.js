// The view of time: a track for each thread. The height of a track is the CPU time of the thread,
// divided among the functions with the most samples. Phases are bands above the track. The mouse or
// keys choose a range. Then all other views show only this range.

import {
    TRACK_NAME,
    axis_make,
    canvas_make,
    hatch,
    name_colour,
    range_keys,
    range_mask,
    range_mouse,
    ruler_make,
    swatch_make,
    track_make,
    tracks_area,
} from './drawing.js';
import {map_push} from './maps.js';
import {times_count} from './times.js';
import {FRAME, transforms_keep} from './transforms.js';
import {go, profile, state} from './state.js';
import {amount_text, number_text, percent_text, plural_text, unit_text} from './numbers.js';
import {matcher_exact, shorten, shorten_all} from './names.js';
import {button_make, faint, make, rows_fill, tip_on} from './elements.js';
import {range_choose, transforms_add} from './transformbar.js';

const TRACK = {high: 44, highest: 140, band: 14, levels: 3, hot: 8};

// Returns for each node its thread and its innermost phase, which are nodes, and the number of
// phases around it.
function time_contexts(model) {
    if (model.contexts)
        return model.contexts;
    const {nodes, copies} = model.data;
    const size = model.size;
    const contexts = {
        thread: new Int32Array(size),
        phase: new Int32Array(size),
        level: new Uint8Array(size),
        levels: 0,
    };
    for (let i = 0; i < size; i++) {
        const parent = nodes.parent[i];
        const what = copies.what[nodes.copy[i]];
        contexts.thread[i] = what === FRAME.thread ? i : parent < 0 ? -1 : contexts.thread[parent];
        contexts.phase[i] = what === FRAME.phase ? i : parent < 0 ? -1 : contexts.phase[parent];
        contexts.level[i] = (parent < 0 ? 0 : contexts.level[parent]) + (what === FRAME.phase);
        contexts.levels = Math.max(contexts.levels, contexts.level[i]);
    }
    contexts.levels = Math.min(contexts.levels, TRACK.levels);
    return (model.contexts = contexts);
}

const time_name = name => name.replace(/^\[(.*)\]$/, '$1');

// Returns the tracks in the order of their threads, with the times of each.
function time_tracks(model) {
    if (model.tracks)
        return model.tracks;
    const contexts = time_contexts(model);
    const times = model.data.times;
    const tracks = new Map();
    for (let i = 0; i < times.node.length; i++)
        map_push(tracks, contexts.thread[times.node[i]], i);
    const name = node =>
        node < 0 ? 'all threads' : time_name(model.name(model.function_of(node)));
    const number = track => Number(/^thread (\d+)/.exec(track.name)?.[1] ?? Infinity);
    return (model.tracks = Array.from(tracks, ([node, entries]) => ({
        node: node,
        name: name(node),
        entries: entries,
    })).sort((a, b) => number(a) - number(b)));
}

// Returns the axis. It is divided into bins of several buckets. Each bin is at least 2 pixels wide
// and long enough for several samples, so that the picture does not show random variation.
function time_axis(model, width) {
    const data = model.data;
    const count = times_count(data);
    const size = Math.max(
        1,
        Math.ceil((2 * count) / width),
        Math.min(Math.ceil(count / 40), Math.ceil(5e9 / (data.rate * data.bucket_width)))
    );
    return {
        ...axis_make(count, width),
        size: size,
        bins: Math.ceil(count / size),
        seconds: data.bucket_width / 1e9,
    };
}

// Returns the data that all tracks share: the functions with the most samples, the nodes whose
// samples are kept, and the nodes with the chosen function on the stack.
function time_shown(model) {
    const nodes = model.data.nodes;
    const times = model.data.times;
    const keep = transforms_keep(model, model.transforms);
    const self = new Map();
    const f = Number(state.f);
    const holds_chosen = new Uint8Array(model.size);
    for (let i = 0; i < times.node.length; i++) {
        const node = times.node[i];
        if (keep[node])
            self.set(
                model.function_of(node),
                (self.get(model.function_of(node)) || 0) + times.count[i]
            );
    }
    if (f >= 0)
        for (let i = 0; i < model.size; i++)
            holds_chosen[i] =
                model.function_of(i) === f ||
                (nodes.parent[i] >= 0 && holds_chosen[nodes.parent[i]])
                    ? 1
                    : 0;
    const hot = Array.from(self)
        .sort((a, b) => b[1] - a[1])
        .slice(0, TRACK.hot)
        .map(([g]) => g);
    return {
        keep: keep,
        hot: hot,
        rank: new Map(hot.map((g, i) => [g, i])),
        holds_chosen: holds_chosen,
        chosen: f >= 0 ? f : -1,
    };
}

// Returns the contents of the bins of a track: the samples of each layer, the samples with the
// chosen function on the stack, and for each level the phase with the most samples. A layer is one
// of the hot functions, or all other functions.
function time_bins(model, axis, shown, track) {
    const contexts = time_contexts(model);
    const {nodes, times} = model.data;
    const bins = {total: 0, all: new Float64Array(axis.bins)};
    bins.layers = Array.from({length: shown.hot.length + 1}, () => new Float64Array(axis.bins));
    bins.chosen = new Float64Array(axis.bins);
    const phases = Array.from({length: contexts.levels}, () =>
        Array.from({length: axis.bins}, () => null)
    );
    for (const i of track.entries) {
        const node = times.node[i];
        const bin = Math.floor(times.bucket[i] / axis.size);
        const count = times.count[i];
        for (let phase = contexts.phase[node], most = contexts.level[node]; most > 0; most--) {
            if (most <= contexts.levels) {
                const there = phases[most - 1][bin] || (phases[most - 1][bin] = new Map());
                const name = model.function_of(phase);
                there.set(name, (there.get(name) || 0) + count);
            }
            phase = nodes.parent[phase] < 0 ? -1 : contexts.phase[nodes.parent[phase]];
        }
        bins.all[bin] += count;
        if (!shown.keep[node])
            continue;
        const rank = shown.rank.get(model.function_of(node));
        bins.layers[rank === undefined ? shown.hot.length : rank][bin] += count;
        if (shown.holds_chosen[node])
            bins.chosen[bin] += count;
        bins.total += count;
    }
    bins.bands = phases.map(level => time_bands(model, level, bins.all));
    return bins;
}

// Returns the spans of bins in which the same phase has the most samples. A bin counts only if at
// least half of its samples are in phases. A span continues over bins without samples.
function time_bands(model, level, all) {
    const bands = [];
    let last = null;
    for (let bin = 0; bin < all.length; bin++) {
        if (!all[bin])
            continue;
        let most = -1,
            in_phases = 0;
        for (const [f, count] of level[bin] || []) {
            in_phases += count;
            if (most < 0 || count > level[bin].get(most))
                most = f;
        }
        if (most < 0 || 2 * in_phases < all[bin])
            last = null;
        else if (last && last.f === most)
            last.end = bin + 1;
        else
            bands.push(
                (last = {f: most, name: time_name(model.name(most)), start: bin, end: bin + 1})
            );
    }
    return bands;
}

// Returns the fill of a layer: the function's colour with a pattern, or grey for all other
// functions.
const time_fill = (model, shown, rank, canvas) =>
    rank < shown.hot.length
        ? hatch(canvas.pen, rank, name_colour(model.name(shown.hot[rank]), canvas.dark), canvas.ink)
        : canvas.line;

let time_cursor = -1;

// Draws a track: the bands, the layers from the bottom, the outline of the chosen function, and the
// range.
function time_draw(model, axis, shown, track, canvas) {
    const bins = track.bins;
    const pen = canvas.pen;
    const top = bins.bands.length * TRACK.band;
    const bottom = top + track.high;
    const full = axis.size * axis.seconds;
    const cpus = bin => model.seconds(bins.all[bin]) / full;
    const edge = bin => axis.x(Math.min(axis.count, bin * axis.size));
    let peak = 1;
    for (let bin = 0; bin < axis.bins; bin++)
        peak = Math.max(peak, cpus(bin));
    const height = samples => (model.seconds(samples) / full / peak) * track.high;
    pen.textBaseline = 'middle';
    bins.bands.forEach((bands, level) =>
        bands.forEach(function (band) {
            const left = edge(band.start);
            const wide = Math.max(1, edge(band.end) - left);
            pen.fillStyle = canvas.line;
            pen.fillRect(left, level * TRACK.band, wide, TRACK.band - 1);
            pen.fillStyle = canvas.ink;
            if (wide > 4 * canvas.letter)
                pen.fillText(
                    shorten(band.name, Math.floor((wide - 6) / canvas.letter)),
                    left + 3,
                    level * TRACK.band + TRACK.band / 2
                );
        })
    );
    const floor = new Float64Array(axis.bins);
    bins.layers.forEach(function (layer, rank) {
        pen.fillStyle = time_fill(model, shown, rank, canvas);
        for (let bin = 0; bin < axis.bins; bin++) {
            if (!layer[bin])
                continue;
            const low = floor[bin];
            const high = (floor[bin] += height(layer[bin]));
            pen.fillRect(
                edge(bin),
                bottom - high,
                Math.max(1, edge(bin + 1) - edge(bin)),
                Math.max(0.5, high - low - 0.5)
            );
        }
    });
    if (shown.chosen >= 0) {
        pen.beginPath();
        for (let bin = 0; bin < axis.bins; bin++)
            for (const x of [edge(bin), edge(bin + 1)])
                pen.lineTo(x, bottom - height(bins.chosen[bin]) - 0.5);
        pen.strokeStyle = canvas.link;
        pen.lineWidth = 1.5;
        pen.stroke();
    }
    pen.fillStyle = canvas.line;
    pen.fillRect(0, bottom, axis.width, 1);
    range_mask(axis, canvas, bottom, model.range, time_cursor);
}

function time_tip(model, axis, shown, track, x) {
    const bin = Math.min(axis.bins - 1, Math.floor(axis.bucket(x) / axis.size));
    const bins = track.bins;
    const width = model.data.bucket_width;
    const lines = [
        track.name + ', ' + unit_text(bin * axis.size * width) + ' to ' +
            unit_text(Math.min(model.data.bucket_span, (bin + 1) * axis.size * width)),
        percent_text(model.seconds(bins.all[bin]), axis.size * axis.seconds) + ' of a CPU',
    ];
    for (const level of bins.bands)
        for (const band of level)
            if (band.start <= bin && bin < band.end)
                lines.push('in ' + band.name + ', by most samples here');
    shown.hot
        .concat(-1)
        .map((f, rank) => [f, bins.layers[rank][bin]])
        .filter(([, count]) => count)
        .sort((a, b) => b[1] - a[1])
        .forEach(([f, count]) =>
            lines.push(
                percent_text(count, bins.all[bin]) + ' ' + (f < 0 ? 'others' : model.name(f))
            )
        );
    return lines.join('\n');
}

const time_move = bucket => (time_cursor = bucket);

function time_keys(event) {
    const model = profile();
    const count = times_count(model.data);
    return range_keys(
        event,
        count,
        Math.max(1, Math.round(count / 100)),
        model.range,
        time_cursor,
        range_choose,
        time_move
    );
}

function time_legend(model, shown) {
    const swatch = rank => swatch_make(canvas => time_fill(model, shown, rank, canvas));
    const names = shown.hot.concat(shown.chosen).map(f => model.name(f));
    const texts = shorten_all(
        names,
        names.map(() => 24)
    );
    return make('div', {class: 'bar-of', id: 'legend'},
        ...shown.hot.map((f, rank) =>
            button_make(
                () => go({f: f === shown.chosen ? -1 : f}, true),
                {'data-f': f, title: model.full(f), 'aria-current': f === shown.chosen},
                swatch(rank),
                texts[rank]
            )
        ),
        faint(swatch(shown.hot.length), 'others'),
        shown.chosen >= 0
            ? make('span', {class: 'faint', title: model.full(shown.chosen)},
                  swatch_make(canvas => canvas.link, 7, 2),
                  'line: ' + texts[shown.hot.length] + ' on the stack'
              )
            : undefined
    );
}

export const time_view = {
    title: 'Time',
    key: '0',
    needs: 'samples',
    only: data => times_count(data) > 0,
    show: function (main, model) {
        main.style.overflowY = 'scroll';
        const axis = time_axis(model, Math.max(100, main.clientWidth - TRACK_NAME));
        const shown = time_shown(model);
        const tracks = time_tracks(model);
        const levels = time_contexts(model).levels;
        // A few tracks use all the available height.
        const room = (main.clientHeight - 140) / tracks.length - levels * TRACK.band - 6;
        const inner = Math.floor(Math.max(TRACK.high, Math.min(TRACK.highest, room)));
        const high = inner + levels * TRACK.band + 6;
        const body = make('div', {});
        const focus = name => transforms_add('+' + matcher_exact('[' + name + ']'));
        function row(i) {
            const track = tracks[i];
            const canvas = canvas_make(axis, high);
            track.high = inner;
            track.bins = time_bins(model, axis, shown, track);
            time_draw(model, axis, shown, track, canvas);
            const left = () => canvas.element.getBoundingClientRect().left;
            tip_on(canvas.element, event =>
                time_tip(model, axis, shown, track, event.clientX - left())
            );
            return track_make(
                {'data-track': i},
                canvas.element,
                button_make(
                    () => track.node >= 0 && focus(track.name),
                    {title: track.node < 0 ? undefined : 'this thread alone'},
                    track.name
                ),
                make('div', {class: 'faint'}, amount_text(model, bins_sum(track.bins.all)))
            );
        }
        const bins_sum = bins => bins.reduce((sum, count) => sum + count, 0);
        const times = bins_sum(model.data.times.count);
        const without = model.data.total - times;
        const end = axis.count * model.data.bucket_width;
        const area = tracks_area(
            plural_text(tracks.length, 'track'),
            undefined,
            ruler_make(axis, 0, end, 70, model.range, time_cursor),
            body
        );
        const nearest = [Math.round, Math.round];
        area.onmousedown = event =>
            range_mouse(axis, area, event, nearest, range_choose, time_move);
        main.append(
            time_legend(model, shown),
            area,
            make('div', {class: 'empty'},
                'Drag to choose a range, or use the arrows with Shift: all other views then ' +
                    'show it alone. A full track is one CPU. ' +
                    'Time is in buckets of ' +
                    unit_text(model.data.bucket_width) +
                    (without > 0
                        ? '; ' + number_text(without) + ' samples were lost or have no time'
                        : '') +
                    '.' +
                    (levels
                        ? ' Phases stand where samples were in them, of which there is one in ' +
                          unit_text(1e9 / model.data.rate) +
                          ' of CPU time: a shorter phase may not be seen.'
                        : '')
            )
        );
        rows_fill(main, body, tracks.length, high, row, () => make('div', {}));
        return time_keys;
    },
};
