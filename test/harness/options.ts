/** How tests find and start Chromium: the same for every suite that needs a browser. */
export { chromiumOptions, missingChromium } from '../../scripts/chromium.ts';
