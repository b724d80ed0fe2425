// Shows a message if the browser is too old for the page. This script precedes the others and is
// not a module, so that it runs in browsers that do not support modules or newer syntax.
if (typeof DecompressionStream === 'undefined')
    document.getElementById('main').textContent = 'Error: this browser cannot decompress data; ' +
        'Chromium 80, Firefox 113, Safari 16.4 and later ones can';
