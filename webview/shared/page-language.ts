import { shownLanguage } from '../../src/language/shown-language.ts';

export const pageLanguage = shownLanguage(document.documentElement.lang);
