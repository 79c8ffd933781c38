import { pageTexts, type TextTable } from '../../src/language/page-texts.ts';
import { shownLanguage } from '../../src/language/shown-language.ts';

/** Translated texts of the pages. */
export type PageTables = Readonly<
  Record<'bothPages' | 'strategyTitles' | 'chatPage' | 'inspectorPage', TextTable>
>;

export const pageLanguage = shownLanguage(document.documentElement.lang);

const { translation } = globalThis as { readonly translation?: PageTables };

/** The texts of a table in the language of the page. A page in Chinese first runs `chinese-texts.ts`. */
export function textsInLanguage<const Table extends TextTable>(name: keyof PageTables, english: Table) {
  return pageTexts(pageLanguage, english, translation?.[name] ?? {});
}
