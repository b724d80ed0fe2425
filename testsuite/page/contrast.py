# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether texts can be read: each has at least the contrast to its ground that WCAG 2.1 asks for (1.4.3, AA:
4.5), light and dark. What is drawn in a canvas or an SVG is not looked at."""

from check import equal

LEAST = 4.5

# By tag, class and contrast, the first text that has less than LEAST. A colour that shines through is
# laid over those behind it.
LOW = '''(function () {
    const parts = colour => (p => p.length > 3 ? p : [...p, 1])(colour.match(/[\\d.]+/g)
        .map((part, i) => colour.startsWith('color(') && i < 3 ? part * 255 : Number(part)));
    const over = (ground, [r, g, b, a]) => [r, g, b].map((part, i) => ground[i] * (1 - a) + part * a);
    function light(colour) {
        const [r, g, b] = colour.map(part => part / 255)
            .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    }
    const low = new Map();
    for (const element of document.querySelectorAll('body *')) {
        const size = element.getBoundingClientRect();
        if (!size.width || !size.height || element.namespaceURI.includes('svg') ||
            !Array.from(element.childNodes).some(child => child.nodeType === 3 && child.data.trim()))
            continue;
        const around = [];
        for (let at = element; at; at = at.parentElement)
            around.unshift(at);
        const ground = around.map(at => parts(getComputedStyle(at).backgroundColor)).reduce(over, [255, 255, 255]);
        const text = over(ground, parts(getComputedStyle(element).color));
        const lights = [light(text), light(ground)].sort((a, b) => b - a);
        const contrast = (lights[0] + 0.05) / (lights[1] + 0.05);
        const key = [element.tagName, element.className, contrast.toFixed(2)].join(' ');
        if (contrast < %s && !low.has(key))
            low.set(key, element.textContent.slice(0, 30));
    }
    return Array.from(low);
})()''' % LEAST


def look(browser, page, *addresses):
    for address in addresses:
        browser.open(page, address)
        for _ in range(2):
            mode = 'dark' if browser.evaluate('document.body.classList.contains("dark")') else 'light'
            equal('%s%s, %s: what is hard to read' % (page, address, mode), browser.evaluate(LOW), [])
            browser.key('t')
            browser.wait_frame()
