import { type Language, shownLanguage } from '../../src/language/shown-language.ts';
import { isRecord } from '../../src/language/is-record.ts';

/** A string of a page, some of them, or a function that makes one of what it is told. */
type Entry = string | readonly string[] | ((...told: never[]) => string);

/** A table of strings in another language. What it leaves out is shown in English. */
export type Translation<Strings> = {
  readonly [Key in keyof Strings]?: Strings[Key] extends Entry ? Strings[Key] : Translation<Strings[Key]>;
};

/** A table of strings in every language that has them. */
export interface Languages<Strings> {
  readonly english: Strings;
  readonly chinese: Translation<Strings>;
}

/** The strings in the language of this page. */
export function localised<Strings extends object>(table: Languages<Strings>): Strings {
  return inLanguage(shownLanguage(document.documentElement.lang), table);
}

/** The strings in a language; in English if they are not translated. */
export function inLanguage<Strings extends object>(language: Language, table: Languages<Strings>): Strings {
  return language === 'zh-CN' ? withFallback(table.english, table.chinese) : table.english;
}

function withFallback<Strings extends object>(english: Strings, translation: object): Strings {
  const translated = translation as Readonly<Record<string, unknown>>;
  const entries = Object.entries(english).map(([key, entry]: [string, unknown]) => {
    const other = translated[key] ?? entry;
    return [key, isRecord(entry) && isRecord(other) ? withFallback(entry, other) : other] as const;
  });
  return Object.fromEntries(entries) as Strings;
}
