/** The languages people can be shown. */
export type Language = 'en' | 'zh-CN';

/** Tags read as Simplified Chinese; those of Traditional Chinese are not among them. */
const simplifiedChinese = /^zh(?:-(?:cn|sg|hans)\b.*)?$/i;

/**
 * The language shown to a person: the only place that decides it, for pages, host and exports alike.
 *
 * @param tag BCP 47, as the editor or a page states it; English for a language without texts
 */
export function shownLanguage(tag: string): Language {
  return simplifiedChinese.test(tag) ? 'zh-CN' : 'en';
}
