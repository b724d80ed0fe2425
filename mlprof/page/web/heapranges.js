// The ranges of what was estimated of the heap, by function, where blocks were sampled: the tips of
// the tables have them.

import {number_text} from './numbers.js';
import {heaptimes_range} from './heaptimes.js';

// By function and measure where its range is in the list; made once.
function heapranges_index(heap) {
    if (!heap.ranges_index) {
        const {function: of, measure} = heap.ranges;
        heap.ranges_index = new Map();
        for (let i = 0; i < of.length; i++)
            heap.ranges_index.set(of[i] * heap.measures.length + measure[i], i);
    }
    return heap.ranges_index;
}

// The text about the bytes that function F has of the measure AT, by itself or, if STACK, with what
// it called; undefined where nothing was estimated, or the figures are of something else: of a
// range of time, or what transforms leave.
export function heapranges_text(model, at, f, stack) {
    const {heap} = model.data;
    if (!heap || !heap.ranges || model.transforms.length || heaptimes_range(heap))
        return undefined;
    const i = heapranges_index(heap).get(f * heap.measures.length + at);
    if (i === undefined)
        return undefined;
    const [least, most] = stack ? ['stack_least', 'stack_most'] : ['least', 'most'];
    return (
        'estimated, 95% range ' + number_text(heap.ranges[least][i]) + '-' +
        number_text(heap.ranges[most][i])
    );
}
