import { shownLanguage } from '../../src/language/shown-language.ts';

/** Language of this page. */
export const pageLanguage = shownLanguage(document.documentElement.lang);
