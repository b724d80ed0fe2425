// What each thread has in each part of the time axis, for the view of time (time.js): samples by
// function, and phases.

import {axis_make} from './drawing.js';
import {times_count} from './times.js';
import {transforms_keep} from './transforms.js';
import {state} from './state.js';

export const TRACK = {name: 190, high: 44, highest: 140, band: 14, levels: 3, hot: 8};

// By node, the thread and the innermost phase around it, which are nodes, and how many phases there
// are.
export function time_around(model) {
    if (model.around)
        return model.around;
    const {nodes, copies} = model.data;
    const size = model.size;
    const around = {
        thread: new Int32Array(size),
        phase: new Int32Array(size),
        level: new Uint8Array(size),
        levels: 0,
    };
    for (let i = 0; i < size; i++) {
        const parent = nodes.parent[i];
        const what = copies.what[nodes.copy[i]];
        around.thread[i] = what === 2 ? i : parent < 0 ? -1 : around.thread[parent];
        around.phase[i] = what === 1 ? i : parent < 0 ? -1 : around.phase[parent];
        around.level[i] = (parent < 0 ? 0 : around.level[parent]) + (what === 1);
        around.levels = Math.max(around.levels, around.level[i]);
    }
    around.levels = Math.min(around.levels, TRACK.levels);
    return (model.around = around);
}

const time_bare = name => name.replace(/^\[(.*)\]$/, '$1');

// The tracks in the order of their threads, with the times that belong to each.
export function time_tracks(model) {
    if (model.tracks)
        return model.tracks;
    const around = time_around(model);
    const times = model.data.times;
    const tracks = new Map();
    for (let i = 0; i < times.node.length; i++) {
        const thread = around.thread[times.node[i]];
        if (!tracks.has(thread))
            tracks.set(thread, []);
        tracks.get(thread).push(i);
    }
    const name = node =>
        node < 0 ? 'all threads' : time_bare(model.name(model.function_of(node)));
    const number = track => Number(/^thread (\d+)/.exec(track.name)?.[1] ?? Infinity);
    return (model.tracks = Array.from(tracks, ([node, entries]) => ({
        node: node,
        name: name(node),
        entries: entries,
    })).sort((a, b) => number(a) - number(b)));
}

// The axis, which is divided into bins of so many buckets that each bin is at least 2 pixels wide
// and has room for some samples, since chance alone would be seen otherwise.
export function time_axis(model, width) {
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

// What all tracks show: the functions with most samples, the nodes whose samples are kept, and the
// nodes with the chosen function on the stack.
export function time_shown(model) {
    const nodes = model.data.nodes;
    const times = model.data.times;
    const keep = transforms_keep(model, model.transforms);
    const own = new Map();
    const f = Number(state.f);
    const on = new Uint8Array(model.size);
    for (let i = 0; i < times.node.length; i++) {
        const node = times.node[i];
        if (keep[node])
            own.set(
                model.function_of(node),
                (own.get(model.function_of(node)) || 0) + times.count[i]
            );
    }
    if (f >= 0)
        for (let i = 0; i < model.size; i++)
            on[i] =
                model.function_of(i) === f || (nodes.parent[i] >= 0 && on[nodes.parent[i]]) ? 1 : 0;
    const hot = Array.from(own)
        .sort((a, b) => b[1] - a[1])
        .slice(0, TRACK.hot)
        .map(([of]) => of);
    return {
        keep: keep,
        hot: hot,
        rank: new Map(hot.map((of, i) => [of, i])),
        on: on,
        chosen: f >= 0 ? f : -1,
    };
}

// What a track has in each bin: samples by layer, a hot function or all others; samples with the
// chosen function; and by level the phase that has most of them.
export function time_bins(model, axis, shown, track) {
    const around = time_around(model);
    const {nodes, times} = model.data;
    const bins = {total: 0, all: new Float64Array(axis.bins)};
    bins.layers = Array.from({length: shown.hot.length + 1}, () => new Float64Array(axis.bins));
    bins.chosen = new Float64Array(axis.bins);
    const phases = Array.from({length: around.levels}, () =>
        Array.from({length: axis.bins}, () => null)
    );
    for (const i of track.entries) {
        const node = times.node[i];
        const bin = Math.floor(times.bucket[i] / axis.size);
        const count = times.count[i];
        for (let at = around.phase[node], most = around.level[node]; most > 0; most--) {
            if (most <= around.levels) {
                const there = phases[most - 1][bin] || (phases[most - 1][bin] = new Map());
                const name = model.function_of(at);
                there.set(name, (there.get(name) || 0) + count);
            }
            at = nodes.parent[at] < 0 ? -1 : around.phase[nodes.parent[at]];
        }
        bins.all[bin] += count;
        if (!shown.keep[node])
            continue;
        const rank = shown.rank.get(model.function_of(node));
        bins.layers[rank === undefined ? shown.hot.length : rank][bin] += count;
        if (shown.on[node])
            bins.chosen[bin] += count;
        bins.total += count;
    }
    bins.bands = phases.map(level => time_bands(model, level, bins.all));
    return bins;
}

// The spans of bins in which a phase has most samples, if phases have at least half. A span goes on
// where nothing was sampled.
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
            last.to = bin + 1;
        else
            bands.push(
                (last = {f: most, name: time_bare(model.name(most)), from: bin, to: bin + 1})
            );
    }
    return bands;
}
