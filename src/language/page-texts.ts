import {
  englishFormat,
  fillIn,
  type Format,
  type PlaceholderNames,
  type SentenceValues,
  type ValuesOf,
} from './sentence.ts';
import type { Language } from './shown-language.ts';
import type { Translations } from './translations.ts';

/** English templates of a page, in groups. */
export interface TextTable {
  readonly [name: string]: string | TextTable;
}

/** The texts of a page: a string for a template without a placeholder, a function for the others. */
type PageTexts<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends string ? PageText<Table[Name]> : PageTexts<Table[Name]>;
};

type PageText<Template extends string> = [PlaceholderNames<Template>] extends [never]
  ? string
  : (values: ValuesOf<Template>) => string;

/** Declares the translation of a page's texts. The compiler checks names and placeholders. */
export function pageTranslation<Table extends TextTable>() {
  return <const Translated extends TextTable>(
    table: Translated & Translations<Table, Translated>,
  ): Translated => table;
}

/** The texts of a page in one language. Texts without a translation are in English. */
export function pageTexts<const Table extends TextTable>(
  language: Language,
  english: Table,
  translation: TextTable,
): PageTexts<Table> {
  const format: Format = { ...englishFormat, language, decimals: 0 };
  return textsOf(english, translation, format) as PageTexts<Table>;
}

function textsOf(english: TextTable, shown: TextTable, format: Format): object {
  const texts = Object.entries(english).map(([name, entry]): [string, unknown] => {
    const other = shown[name] ?? entry;
    if (typeof entry !== 'string')
      return [name, textsOf(entry, typeof other === 'string' ? {} : other, format)];
    const template = typeof other === 'string' ? other : entry;
    return [name, entry.includes('{') ? filling(template, format) : template];
  });
  return Object.fromEntries<unknown>(texts);
}

function filling(template: string, format: Format): (values: SentenceValues) => string {
  return (values) => fillIn(template, values, format);
}
