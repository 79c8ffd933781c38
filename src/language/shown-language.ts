/** The display languages. */
export type Language = 'en' | 'zh-CN';

/** Language tags for Simplified Chinese, without tags for Traditional Chinese. */
const simplifiedChinese = /^zh(?:-(?:cn|sg|hans)\b.*)?$/i;

/**
 * The display language for pages, host and exports, decided only here.
 *
 * @param tag BCP 47, from VS Code or a page; English for a language without texts
 */
export function shownLanguage(tag: string): Language {
  return simplifiedChinese.test(tag) ? 'zh-CN' : 'en';
}
