(function () {
'use strict';
var svg = document.documentElement, box = svg.viewBox.baseVal, grip = null;
var home = {x: box.x, y: box.y, width: box.width, height: box.height};
function show(x, y, width, height) {
    box.x = x;
    box.y = y;
    box.width = width;
    box.height = height;
}
function reset() { show(home.x, home.y, home.width, home.height); }
function place(e) {
    return new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
}
function middle() { return {x: box.x + box.width / 2, y: box.y + box.height / 2}; }
function zoom(factor, p) {
    if (box.width * factor > 4 * home.width || box.width * factor < home.width / 1000) return;
    show(p.x - (p.x - box.x) * factor, p.y - (p.y - box.y) * factor, box.width * factor, box.height * factor);
}
function move(x, y) {
    show(box.x + x * box.width, box.y + y * box.height, box.width, box.height);
}
var keys = {
    '+': function () { zoom(0.8, middle()); },
    '=': function () { zoom(0.8, middle()); },
    '-': function () { zoom(1.25, middle()); },
    '0': reset,
    'Escape': reset,
    'ArrowLeft': function () { move(-0.1, 0); },
    'ArrowRight': function () { move(0.1, 0); },
    'ArrowUp': function () { move(0, -0.1); },
    'ArrowDown': function () { move(0, 0.1); }
};
/* Compresses texts that are wider than their boxes. Texts can be too wide because dot
   measured them in another font.  */
Array.prototype.forEach.call(svg.querySelectorAll('g.node'), function (g) {
    var shape = g.querySelector('polygon');
    if (!shape) return;
    var room = shape.getBBox().width - 6;
    Array.prototype.forEach.call(g.querySelectorAll('text'), function (text) {
        if (text.getComputedTextLength() <= room) return;
        text.setAttribute('textLength', room);
        text.setAttribute('lengthAdjust', 'spacingAndGlyphs');
    });
});
svg.setAttribute('width', '100%');
svg.setAttribute('height', '100%');
svg.style.cursor = 'move';
svg.addEventListener('wheel', function (e) {
    e.preventDefault();
    zoom(e.deltaY < 0 ? 0.8 : 1.25, place(e));
}, {passive: false});
svg.addEventListener('mousedown', function (e) {
    e.preventDefault();
    grip = place(e);
});
svg.addEventListener('mousemove', function (e) {
    if (!grip) return;
    var p = place(e);
    show(box.x + grip.x - p.x, box.y + grip.y - p.y, box.width, box.height);
});
window.addEventListener('mouseup', function () { grip = null; });
window.addEventListener('keydown', function (e) {
    if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
});
/* Zooms a large graph so that the largest letters, which belong to the costliest functions, can
   be read.  */
var least = 0.75, seen = svg.getBoundingClientRect();
var scale = Math.min(seen.width / home.width, seen.height / home.height);
if (scale > 0 && scale < least) {
    var most = null, size = 0;
    Array.prototype.forEach.call(svg.querySelectorAll('g.node text'), function (text) {
        var font = parseFloat(text.getAttribute('font-size'));
        if (font > size) { size = font; most = text; }
    });
    if (most) {
        var r = most.getBoundingClientRect();
        zoom(scale / least, place({clientX: r.left + r.width / 2, clientY: r.top + r.height / 2}));
    }
}
}());
