/** Texts of a page: words, functions that make words of what they are told, and groups of both. */
export interface Texts {
  readonly [key: string]: TextsEntry;
}
type TextsEntry = string | readonly string[] | ((...told: never[]) => string) | Texts;

/** Placeholder for an argument of a text. */
const placeholder = (index: number) => `⟨${index}⟩`;

/** Every text by its path, for example `meter.open`. Arguments appear as `⟨0⟩`, `⟨1⟩` and so on. */
export function textsOf(texts: object, path = ''): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(texts as Texts).flatMap(([key, entry]): readonly (readonly [string, string])[] => {
      const at = path === '' ? key : `${path}.${key}`;
      if (typeof entry === 'string') return [[at, entry]];
      return typeof entry === 'function' ? [[at, textOf(entry)]] : [...textsOf(entry, at)];
    }),
  );
}

/** A text may be told words or a list of them, which can be named one by one and joined. */
function textOf(make: (...told: never[]) => string): string {
  const told: readonly unknown[] = Array.from({ length: make.length }, (_, index) => {
    const word = placeholder(index);
    return Object.assign(new String(word), { join: () => word, map: () => [word] });
  });
  return make(...(told as never[]));
}
