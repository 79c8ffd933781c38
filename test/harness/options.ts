/** Chromium options for every suite that needs a browser. */
export { chromiumOptions, missingChromium } from '../../scripts/chromium.ts';
