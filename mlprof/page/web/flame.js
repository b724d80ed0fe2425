// The flame graph: what functions called, as boxes as wide as their share; drawn on a canvas.

const BOX = 20;

// LOOK, if it is given, says of another tree what it is, and how boxes are coloured and told.
page.flame_view = function (down, look) {
    return function (main, model) {
        const tree = look ? look.tree(main, model) : model.tree(down), zoom = page.boxes_zoom(tree);
        // Those around the zoomed one are as wide as all.
        const around = new Set();
        for (let at = zoom; at >= 0; at = tree.parent[at]) around.add(at);
        main.style.overflowY = 'scroll';
        const width = main.clientWidth, boxes = [];
        let depth = 0;
        const waiting = [{at: 0, left: 0, depth: 0}];
        while (waiting.length) {
            const box = waiting.pop(), inside = around.has(box.at);
            box.width = inside ? width : tree.weight[box.at] / (tree.weight[zoom] || 1) * width;
            if (box.width < 0.3) continue;
            boxes.push(box);
            depth = Math.max(depth, box.depth);
            let left = box.left;
            for (const child of page.boxes_children(tree, box.at)) {
                if (inside && box.at !== zoom && !around.has(child)) continue;
                waiting.push({at: child, left: left, depth: box.depth + 1});
                left += around.has(child) ? width : tree.weight[child] / (tree.weight[zoom] || 1) * width;
            }
        }
        const height = Math.max(main.clientHeight - 4 - (look ? look.above(main) : 0), (depth + 1) * BOX), name = at => at && look ? look.name(model, tree, at) : page.boxes_name(model, tree, at);
        const {canvas, pen, letter, ink, fill} = page.boxes_canvas(main, width, height, '12px ui-monospace, monospace');
        pen.textBaseline = 'middle';
        for (const box of boxes) {
            const label = name(box.at), y = box.depth * BOX;
            const faded = around.has(box.at) && box.at !== zoom;
            pen.globalAlpha = faded ? 0.5 : 1;
            pen.fillStyle = fill(label, box.at, look && look.colour(tree, box.at));
            pen.fillRect(box.left, y, Math.max(0.3, box.width - 0.6), BOX - 1);
            if (box.width < 4 * letter) continue;
            const room = Math.floor((box.width - 8) / letter);
            const whole = label + '  ' + (look ? look.brief(model, tree, box.at) : page.percent(tree.weight[box.at], model.total));
            const brief = whole.length <= room ? whole : page.shorten(label, room);
            pen.fillStyle = ink;
            pen.fillText(brief, box.left + 4, y + BOX / 2);
        }
        page.boxes_pointer(canvas,
            (x, y) => boxes.find(box => box.depth === Math.floor(y / BOX) && x >= box.left && x < box.left + box.width),
            box => look ? name(box.at) + '\n' + look.told(model, tree, box.at) : name(box.at) + '\n' + page.percent(tree.weight[box.at], model.total) + ', ' +
                page.amount(model, tree.weight[box.at]) + '; itself ' + page.amount(model, tree.count[box.at]),
            box => page.go({zoom: box.at, f: !box.at ? -1 : look ? look.row(model, tree, box.at) : tree.function[box.at]}));
        canvas.boxes = boxes.map(box => Object.assign({name: name(box.at), weight: tree.weight[box.at]}, box));
    };
};

page.views.flame = {title: 'Flame graph', key: '3', show: page.flame_view(true)};
page.views.inverted = {title: 'Inverted', key: '4', show: page.flame_view(false)};
