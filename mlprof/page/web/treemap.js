// The tree map. A function is an area in proportion to its share, and the areas of its callees are
// inside it. The tree map is drawn on a canvas.

import {make} from './elements.js';
import {percent_text} from './numbers.js';
import {shorten} from './names.js';
import {go} from './state.js';
import {
    boxes_canvas,
    boxes_children,
    boxes_matched,
    boxes_name,
    boxes_empty,
    boxes_pointer,
    boxes_zoom,
} from './boxes.js';

// Divides a rectangle among weights, which are sorted by decreasing size, so that the parts are
// nearly square (Bruls, Huizing, van Wijk, "Squarified treemaps", 2000). Calls PLACE with the index
// and the part.
function treemap_divide(weights, left, top, width, height, place) {
    let sum = weights.reduce((a, b) => a + b, 0);
    for (let from = 0; from < weights.length && sum > 0 && width > 0 && height > 0;) {
        const side = Math.min(width, height);
        const area = (width * height) / sum;
        const worst = (row, least, most) =>
            Math.max(
                (side * side * most) / (row * row * area),
                (row * row * area) / (side * side * least)
            );
        let to = from + 1;
        let row = weights[from];
        while (
            to < weights.length &&
            worst(row + weights[to], weights[to], weights[from]) <=
                worst(row, weights[to - 1], weights[from])
        )
            row += weights[to++];
        const thick = (row * area) / side;
        for (let i = from, at = 0; i < to; i++) {
            const long = (weights[i] / row) * side;
            if (width >= height)
                place(i, left, top + at, thick, long);
            else
                place(i, left + at, top, long, thick);
            at += long;
        }
        if (width >= height) {
            left += thick;
            width -= thick;
        } else {
            top += thick;
            height -= thick;
        }
        sum -= row;
        from = to;
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
        const matched = boxes_matched(model, tree, at => boxes_name(model, tree, at));
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
        const waiting = [{at: zoom, left: 0, top: 0, width: width, height: height}];
        while (waiting.length) {
            const box = waiting.pop();
            const name = boxes_name(model, tree, box.at);
            boxes.push(Object.assign({name: name, weight: tree.weight[box.at]}, box));
            pen.fillStyle = fill(name, box.at);
            pen.fillRect(box.left, box.top, box.width, box.height);
            pen.strokeStyle = ground;
            pen.strokeRect(box.left + 0.5, box.top + 0.5, box.width - 1, box.height - 1);
            // Mark matches by more than their colour: with a frame in the margin around the inner
            // boxes.
            if (box.at && found(name)) {
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
                const share = '  ' + percent_text(tree.weight[box.at], model.total);
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
            const children = boxes_children(tree, box.at);
            const part =
                children.reduce((sum, child) => sum + tree.weight[child], 0) /
                (tree.weight[box.at] || 1);
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
                            at: children[i],
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
                percent_text(tree.count[box.at], model.total),
            box =>
                go({
                    zoom: box.at === zoom ? Math.max(0, tree.parent[box.at]) : box.at,
                    f: box.at ? tree.function[box.at] : -1,
                })
        );
        canvas.boxes = boxes;
    },
};
