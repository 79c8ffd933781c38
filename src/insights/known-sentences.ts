/**
 * Translations by their English. What is filled in stands as `{0}`, `{1}`, … in both; in the English, `{#0}` stands
 * for a number only, which keeps a short template from being found where something else is said.
 */
export type SentenceTable = Readonly<Record<string, string>>;

/** Puts an English text into another language; undefined where it is not known. */
export type SentenceLookup = (english: string) => string | undefined;

interface Hole {
  /** By which the translation names it. */
  readonly name: string;
  readonly isNumber: boolean;
}

interface Template {
  /** What stands before the first hole. */
  readonly start: string;
  /** What stands between the holes. */
  readonly between: readonly string[];
  /** What stands behind the last hole. */
  readonly end: string;
  /** In the order in which they stand. */
  readonly holes: readonly Hole[];
  readonly translation: string;
  /** Number of characters beside the holes. */
  readonly characters: number;
}

interface Found {
  readonly text: string;
  /** Characters of it that were known. */
  readonly known: number;
}

/** Characters of the longest text that is looked up; longer ones are nobody's sentence. */
const longestText = 2_000;
/** Ends of sentences after which a text is tried to be taken apart. */
const mostEnds = 12;
/** Texts whose translation is remembered: lists say the same again and again. */
const mostRemembered = 1_000;
const hole = /\{(#?)(\d+)\}/gu;
const number = /^[+−-]?\d[\d.,]*$/u;

/**
 * Looks sentences up that arrive finished. A template is matched whole. What fills its holes is looked up too where
 * it is of several words, and so is each of several sentences that follow one another. Of all ways to read a text,
 * the one counts that knows most of it.
 */
export function sentenceLookup(table: SentenceTable): SentenceLookup {
  const templates = Object.entries(table).flatMap(([english, translation]) =>
    templateOf(english, translation),
  );

  const remembered = new Map<string, Found | undefined>();

  const find = (text: string): Found | undefined => {
    if (remembered.has(text)) return remembered.get(text);
    const found = best([asOne(text), asSeveral(text)]);
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(text, found);
    return found;
  };

  const asOne = (text: string): Found | undefined =>
    Object.hasOwn(table, text)
      ? { text: table[text] ?? text, known: text.length }
      : best(templates.map((template) => filledIn(template, text)));

  const filledIn = (template: Template, text: string): Found | undefined => {
    const { holes, translation, characters } = template;
    const values = valuesIn(text, template)?.map((value) => {
      const isWords = /\S\s+\S/u.test(value);
      return (isWords ? find(value) : undefined) ?? { text: value, known: 0 };
    });
    if (values === undefined) return undefined;
    const byName = new Map(holes.map(({ name }, index) => [name, values[index]?.text]));
    return {
      text: translation.replace(hole, (whole, _mark, name: string) => byName.get(name) ?? whole),
      known: values.reduce((sum, { known }) => sum + known, characters),
    };
  };

  /** The first of the sentences is the shortest beginning that is known. */
  const asSeveral = (text: string): Found | undefined => {
    for (const end of endsIn(text)) {
      const first = asOne(text.slice(0, end));
      if (first === undefined) continue;
      const rest = text.slice(end).trimStart();
      const others = find(rest) ?? { text: rest, known: 0 };
      return { text: joined(first.text, others.text), known: first.known + others.known };
    }
    return undefined;
  };

  return (english) => (english.length > longestText ? undefined : find(english)?.text);
}

function templateOf(english: string, translation: string): readonly Template[] {
  const holes = [...english.matchAll(hole)].map(([, mark, name = '']) => ({ name, isNumber: mark === '#' }));
  if (holes.length === 0) return [];
  const pieces = english.split(/\{#?\d+\}/u);
  const characters = pieces.join('').length;
  const [start = '', end = ''] = [pieces[0], pieces.at(-1)];
  return [{ start, between: pieces.slice(1, -1), end, holes, translation, characters }];
}

function best(readings: readonly (Found | undefined)[]): Found | undefined {
  return readings.reduce(
    (most, found) => ((found?.known ?? 0) > (most?.known ?? 0) ? found : most),
    undefined,
  );
}

/** What stands in the holes, each as short as can be; undefined where the text is another one. */
function valuesIn(text: string, { start, between, end, holes }: Template): readonly string[] | undefined {
  const last = text.length - end.length;
  if (last < start.length || !text.startsWith(start) || !text.endsWith(end)) return undefined;
  const values: string[] = [];
  let position = start.length;
  for (const piece of between) {
    const next = text.indexOf(piece, position);
    if (next < 0 || next + piece.length > last) return undefined;
    values.push(text.slice(position, next));
    position = next + piece.length;
  }
  values.push(text.slice(position, last));
  return holes.every(({ isNumber }, index) => !isNumber || number.test(values[index] ?? ''))
    ? values
    : undefined;
}

/** Positions behind a full stop, a question mark or an exclamation mark that something follows. */
function endsIn(text: string): readonly number[] {
  return [...text.matchAll(/[.?!](?=\s)/gu)].slice(0, mostEnds).map(({ index }) => index + 1);
}

/** Sentences follow one another without a space where the first ends with a wide mark. */
function joined(head: string, tail: string): string {
  return /[。？！：]$/u.test(head) ? head + tail : `${head} ${tail}`;
}
