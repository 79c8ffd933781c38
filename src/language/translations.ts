import type { Catalogue, PlaceholderNames, SentenceTable } from './sentence.ts';

/**
 * Translations of an area or a page. They have no keys or placeholders that the English lacks; English replaces missing
 * texts.
 */
export type Translations<Table, Translated> = {
  readonly [Key in keyof Translated]: Key extends keyof Table
    ? Translated[Key] extends string
      ? Table[Key] extends string
        ? [PlaceholderNames<Translated[Key]>] extends [PlaceholderNames<Table[Key]>]
          ? Translated[Key]
          : never
        : never
      : Translations<Table[Key], Translated[Key]>
    : never;
};

/**
 * Declares the translations of an area's sentences; the compiler checks keys and placeholders. The area is given as a
 * type, so that a translated program does not load all the English.
 */
export function translations<Of extends Pick<Catalogue<SentenceTable>, 'area' | 'english'>>(
  area: Of['area'],
) {
  return <const Translated extends SentenceTable>(
    table: Translated & Translations<Of['english'], Translated>,
  ): AreaTranslations => ({ area, table });
}

/** The translations of one area into one language. */
export interface AreaTranslations {
  readonly area: string;
  readonly table: SentenceTable;
}
