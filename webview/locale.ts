/** Languages that the pages speak. */
export type Language = 'english' | 'chinese';

/** Simplified Chinese and what is read as it; the tags of Traditional Chinese are others. */
const simplifiedChinese = /^zh(?:-(?:cn|sg|hans)\b.*)?$/i;

/**
 * The language of the texts for a page.
 *
 * @param tag BCP 47, as it stands on the page; for one that the pages do not speak, English
 */
export function languageOf(tag: string): Language {
  return simplifiedChinese.test(tag) ? 'chinese' : 'english';
}

/** The language of this page. */
export const language: Language = languageOf(document.documentElement.lang);

/** The texts in the language of this page. */
export function localised<Texts>(texts: Readonly<Record<Language, Texts>>): Texts {
  return texts[language];
}
