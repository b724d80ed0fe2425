// Common parts of the views that draw boxes on a canvas: the order of children, the zoomed box, the
// canvas with its colours, and the pointer. The first of these views is the tree map: a function is
// an area in proportion to its share, and the areas of its callees are inside it. The other one is
// the flame graph.

import {amount_text, percent_text, plural_text} from './numbers.js';
import {matcher, shorten} from './names.js';
import {make, tip_on} from './elements.js';
import {name_colour} from './drawing.js';
import {go, state} from './state.js';

// Returns the children of a node of a tree: by decreasing weight, or by name if the function NAME
// is given.
export function boxes_children(tree, node, name) {
    const list = [];
    for (let child = tree.child[node]; child >= 0; child = tree.sibling[child])
        list.push(child);
    if (!name)
        return list.sort((a, b) => tree.weight[b] - tree.weight[a]);
    return list
        .map(child => [name(child), child])
        .sort(([a, i], [b, k]) => (a < b ? -1 : a > b ? 1 : i - k))
        .map(([, child]) => child);
}

// Returns the zoomed node; 0 is the root.
export function boxes_zoom(tree) {
    const zoom = Number(state.zoom);
    return zoom > 0 && zoom < tree.parent.length ? zoom : 0;
}

export const boxes_name = (model, tree, node) =>
    node ? model.label(tree.function[node]) : model.data.title;

// Returns the message for a tree without boxes or lines.
export const boxes_empty = model =>
    make('div', {class: 'empty'},
        model.whole
            ? 'Nothing is left of the stacks: what is chosen above leaves none (u takes it back).'
            : model.measure.sampled
              ? 'There are no stacks, since there are no samples.'
              : 'There are no stacks, since nothing was ' +
                model.what + '.'
    );

// Returns an element with the result of the filter in a tree, or '' if there is no filter. The
// result has the number of different names that match, and the weight of all matching nodes. A
// matching node inside another matching node is not added again. NAME returns the name of a node.
// The weight is shown as a share of the measured total or, if IS_WIDTH, of the tree.
export function boxes_matched(model, tree, name, is_width) {
    if (!state.search)
        return '';
    const matches = matcher(state.search);
    const names = new Set();
    const is_inner = new Uint8Array(tree.parent.length);
    let weight = 0;
    for (let node = 1; node < tree.parent.length; node++) {
        is_inner[node] = is_inner[tree.parent[node]];
        if (!tree.weight[node] || !matches(name(node)))
            continue;
        names.add(name(node));
        weight += is_inner[node] ? 0 : tree.weight[node];
        is_inner[node] = 1;
    }
    return make('span', {id: 'matched', title: 'what the filter finds, in each stack once'},
        'filter: ' + plural_text(names.size, 'function') + ', ' +
            percent_text(weight, is_width ? tree.weight[0] : model.total) +
            (is_width ? ' of the width' : ', ' + amount_text(model, weight))
    );
}

// Adds a canvas to MAIN. It has the resolution of the screen, within the height limit of browsers,
// but drawing uses CSS pixels. Returns the canvas, its pen, the width of a letter, and the colours.
export function boxes_canvas(main, width, height, font) {
    const ratio = Math.min(devicePixelRatio || 1, 32000 / height);
    const dark = document.body.classList.contains('dark');
    const canvas = make('canvas', {tabindex: 0, width: width * ratio, height: height * ratio});
    const pen = canvas.getContext('2d');
    const matches = state.search ? matcher(state.search) : null;
    canvas.style.width = width + 'px';
    canvas.style.height = height + 'px';
    main.append(canvas);
    pen.scale(ratio, ratio);
    pen.font = font;
    return {
        canvas: canvas,
        pen: pen,
        letter: pen.measureText('x').width,
        ink: dark ? '#fff' : '#111',
        ground: dark ? '#16181d' : '#fff',
        found: name => matches !== null && matches(name),
        // Returns the colour for a box by its name, or the colour OTHER if given. Boxes that match
        // the filter get a distinct colour.
        fill: (name, found, other) =>
            found && matches && matches(name)
                ? dark
                    ? '#5a3fd0'
                    : '#b39dff'
                : other || name_colour(name, dark),
    };
}

// Handles the pointer. FIND returns the box at a position, TIP_OF returns the tip of a box, and
// OPEN is called with a clicked box.
export function boxes_pointer(canvas, find, tip_of, open) {
    const box_under = function (event) {
        const where = canvas.getBoundingClientRect();
        return find(event.clientX - where.left, event.clientY - where.top);
    };
    tip_on(canvas, function (event) {
        const box = box_under(event);
        return box && tip_of(box);
    });
    canvas.onclick = function (event) {
        const box = box_under(event);
        if (box)
            open(box);
    };
}

// Divides a rectangle among weights, which are sorted by decreasing size, so that the parts are
// nearly square (Bruls, Huizing, van Wijk, "Squarified treemaps", 2000). Calls PLACE with the index
// and the part.
function treemap_divide(weights, left, top, width, height, place) {
    let sum = weights.reduce((a, b) => a + b, 0);
    for (let first = 0; first < weights.length && sum > 0 && width > 0 && height > 0;) {
        const side = Math.min(width, height);
        const area = (width * height) / sum;
        const worst = (row, least, most) =>
            Math.max(
                (side * side * most) / (row * row * area),
                (row * row * area) / (side * side * least)
            );
        let end = first + 1;
        let row = weights[first];
        while (
            end < weights.length &&
            worst(row + weights[end], weights[end], weights[first]) <=
                worst(row, weights[end - 1], weights[first])
        )
            row += weights[end++];
        const thick = (row * area) / side;
        for (let i = first, offset = 0; i < end; i++) {
            const long = (weights[i] / row) * side;
            if (width >= height)
                place(i, left, top + offset, thick, long);
            else
                place(i, left + offset, top, long, thick);
            offset += long;
        }
        if (width >= height) {
            left += thick;
            width -= thick;
        } else {
            top += thick;
            height -= thick;
        }
        sum -= row;
        first = end;
    }
}

const EDGE = 15;

export const treemap_view = {
    title: 'Tree map',
    key: '8',
    needs: 'stacks',
    show: function (main, model) {
        const tree = model.tree(true);
        if (!tree.weight[0]) {
            main.append(boxes_empty(model));
            return;
        }
        const zoom = boxes_zoom(tree);
        const boxes = [];
        const matched = boxes_matched(model, tree, node => boxes_name(model, tree, node));
        const bar = matched && main.appendChild(make('div', {class: 'bar-of'}, matched));
        const width = main.clientWidth;
        const height = main.clientHeight - 4 - (bar ? bar.offsetHeight : 0);
        const {canvas, pen, letter, ink, ground, fill, found} = boxes_canvas(
            main,
            width,
            height,
            '11px system-ui, sans-serif'
        );
        pen.textBaseline = 'top';
        const waiting = [{node: zoom, left: 0, top: 0, width: width, height: height}];
        while (waiting.length) {
            const box = waiting.pop();
            const name = boxes_name(model, tree, box.node);
            boxes.push(Object.assign({name: name, weight: tree.weight[box.node]}, box));
            pen.fillStyle = fill(name, box.node);
            pen.fillRect(box.left, box.top, box.width, box.height);
            pen.strokeStyle = ground;
            pen.strokeRect(box.left + 0.5, box.top + 0.5, box.width - 1, box.height - 1);
            // Mark matches by more than their colour: with a frame in the margin around the inner
            // boxes.
            if (box.node && found(name)) {
                pen.strokeStyle = ink;
                pen.lineWidth = 2;
                pen.strokeRect(
                    box.left + 1,
                    box.top + 1,
                    Math.max(0, box.width - 2),
                    Math.max(0, box.height - 2)
                );
                pen.lineWidth = 1;
            }
            const room = Math.floor((box.width - 6) / letter);
            if (room >= 3 && box.height >= EDGE) {
                const share = '  ' + percent_text(tree.weight[box.node], model.total);
                pen.fillStyle = ink;
                pen.fillText(
                    name.length + share.length <= room ? name + share : shorten(name, room),
                    box.left + 3,
                    box.top + 2
                );
            }
            // Leave room for the name and for the function's self time.
            const inner = {
                left: box.left + 2,
                top: box.top + EDGE,
                width: box.width - 4,
                height: box.height - EDGE - 2,
            };
            const children = boxes_children(tree, box.node);
            const part =
                children.reduce((sum, child) => sum + tree.weight[child], 0) /
                (tree.weight[box.node] || 1);
            if (inner.width < 4 || inner.height < 4)
                continue;
            treemap_divide(
                children.map(child => tree.weight[child]),
                inner.left,
                inner.top,
                inner.width >= inner.height ? inner.width * part : inner.width,
                inner.width >= inner.height ? inner.height : inner.height * part,
                function (i, left, top, wide, high) {
                    if (wide >= 2 && high >= 2)
                        waiting.push({
                            node: children[i],
                            left: left,
                            top: top,
                            width: wide,
                            height: high,
                        });
                }
            );
        }
        // Search from the end, because the innermost box was drawn last.
        boxes_pointer(
            canvas,
            (x, y) =>
                boxes.findLast(
                    b => x >= b.left && x < b.left + b.width && y >= b.top && y < b.top + b.height
                ),
            box =>
                box.name + '\n' + percent_text(box.weight, model.total) + ', itself ' +
                percent_text(tree.count[box.node], model.total),
            box =>
                go({
                    zoom: box.node === zoom ? Math.max(0, tree.parent[box.node]) : box.node,
                    f: box.node ? tree.function[box.node] : -1,
                })
        );
        canvas.boxes = boxes;
    },
};
