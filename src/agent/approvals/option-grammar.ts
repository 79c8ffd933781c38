/**
 * The form required of an operand or of an option's value. Each kind that names a path requires a path in the
 * workspace. A `name` is only shown, a `path` is not a secret, and a `file` exists. A `tree` is searched without
 * hidden files, a `whole` with them. A `script` belongs to sed, `columns` to awk.
 */
type ValueKind =
  | 'columns'
  | 'format'
  | 'file'
  | 'glob'
  | 'lines'
  | 'name'
  | 'number'
  | 'path'
  | 'range'
  | 'ref'
  | 'revision'
  | 'script'
  | 'separator'
  | 'text'
  | 'tree'
  | 'whole'
  | 'word';

export interface TypedValue {
  readonly kind: ValueKind;
  readonly value: string;
}

/** The complete set of words that a program may get. */
export interface Grammar {
  readonly options: ReadonlyMap<string, OptionValue | undefined>;
  readonly operands: readonly ValueKind[];
  /** The kind of further operands; undefined if there are no others. */
  readonly others: ValueKind | undefined;
  /** True if a number with a dash, such as `-5`, is a number of lines. */
  readonly takesCount: boolean;
  /** True if a word with one dash is one option and not several letters. */
  readonly hasLongWords: boolean;
}

interface OptionValue {
  readonly kind: ValueKind;
  /** True if the value may be left out. It is then never a separate word. */
  readonly isOptional: boolean;
}

/**
 * Parses a grammar. `-s` and `--short` take no value, and `-n:number` and `--author=text` need one. The value
 * of `-u[word]` and `--stat[=text]` is optional. `-5` stands for any number. Operands are kinds. A star after
 * the last kind allows any number of such operands.
 */
export function grammarOf(options: string, operands = '', hasLongWords = false): Grammar {
  const read = new Map<string, OptionValue | undefined>();
  const words = options.split(/\s+/).filter((word) => word !== '');
  for (const word of words) {
    // eslint-disable-next-line regexp/no-super-linear-backtracking -- a word of our own tables
    const [, name = '', optional, kind] = /^(--?[\w-]+)(?:(\[=?)|[:=])?(\w+)?\]?$/.exec(word) ?? [];
    read.set(
      name,
      kind === undefined ? undefined : { kind: kind as ValueKind, isOptional: optional !== undefined },
    );
  }
  const kinds = operands.split(' ').filter((kind) => kind !== '');
  const others = kinds.at(-1)?.endsWith('*') === true ? kinds.pop()?.slice(0, -1) : undefined;
  return {
    options: read,
    operands: kinds as ValueKind[],
    others: others as ValueKind | undefined,
    takesCount: words.includes('-5'),
    hasLongWords,
  };
}

/** Parses arguments. @returns undefined if the grammar does not allow one of them */
export function parseWords(grammar: Grammar, words: readonly string[]): readonly TypedValue[] | undefined {
  const values: TypedValue[] = [];
  const operands: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (word === '--') {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith('-')) {
      operands.push(word);
      continue;
    }
    const option = readOption(grammar, word);
    if (option === undefined) return undefined;
    if (option.value !== undefined) values.push(option.value);
    if (option.awaits === undefined) continue;
    const value = words[++index];
    // The program may read a value that begins with a dash as an option.
    if (value === undefined || value.startsWith('-')) return undefined;
    values.push({ kind: option.awaits, value });
  }
  if (operands.length < grammar.operands.length) return undefined;
  for (const [index, value] of operands.entries()) {
    const kind = grammar.operands[index] ?? grammar.others;
    if (kind === undefined) return undefined;
    values.push({ kind, value });
  }
  const isEverything = grammar.others === 'tree' || grammar.others === 'whole';
  if (isEverything && operands.length === grammar.operands.length) {
    values.push({ kind: grammar.others, value: '.' });
  }
  return values;
}

interface ReadOption {
  readonly value?: TypedValue;
  /** The kind of the next word, which is the value of this option. */
  readonly awaits?: ValueKind;
}

function readOption(grammar: Grammar, word: string): ReadOption | undefined {
  const { options, takesCount, hasLongWords } = grammar;
  if (takesCount && /^-\d{1,9}$/.test(word)) return {};
  if (options.has(word)) {
    const value = options.get(word);
    return value === undefined || value.isOptional ? {} : { awaits: value.kind };
  }
  if (word.startsWith('--')) {
    const equals = word.indexOf('=');
    const value = equals < 0 ? undefined : options.get(word.slice(0, equals));
    return value === undefined ? undefined : { value: { kind: value.kind, value: word.slice(equals + 1) } };
  }
  return hasLongWords ? undefined : readLetters(options, word);
}

/** Reads several one-letter options in one word; the last one may be followed by its value. */
function readLetters(options: Grammar['options'], word: string): ReadOption | undefined {
  for (let at = 1; at < word.length; at++) {
    const name = `-${word[at]!}`;
    if (!options.has(name)) return undefined;
    const value = options.get(name);
    if (value === undefined) continue;
    const rest = word.slice(at + 1);
    if (rest !== '') return { value: { kind: value.kind, value: rest } };
    return value.isOptional ? {} : { awaits: value.kind };
  }
  return word.length > 1 ? {} : undefined;
}
