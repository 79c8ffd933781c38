/**
 * The form an operand, or the value of an option, must have. All that name places name them in the workspace: `name` is
 * shown only, `path` may not be secret, `file` is there, `tree` is searched but for what is hidden, `whole` with it. A
 * `script` is one of sed, `columns` one of awk.
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

/** The words that a program takes, and no others. */
export interface Grammar {
  readonly options: ReadonlyMap<string, OptionValue | undefined>;
  /** Operands that have to be there, in this order. */
  readonly operands: readonly ValueKind[];
  /** The kind of any further ones; undefined if there are none. */
  readonly others: ValueKind | undefined;
  /** True if `-5` is a number of lines. */
  readonly takesCount: boolean;
  /** True if words with one dash are whole options, not letters of several. */
  readonly hasLongWords: boolean;
}

interface OptionValue {
  readonly kind: ValueKind;
  /** True if it may be left out; it is never a word of its own then. */
  readonly isOptional: boolean;
}

/**
 * Reads a grammar: `-s` and `--short` take no value, `-n:number` and `--author=text` do, `-u[word]` and
 * `--stat[=text]` may, `-5` means any number. Operands are kinds, with a star after the last if there may be any number
 * of it.
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

/** Takes arguments apart. @returns undefined if one of them is not in the grammar */
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
    // What begins with a dash could be an option after all, if the program sees it in another way.
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
  /** The kind of the word that has to come next. */
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

/** Several options of one letter in one word; the last one may have its value after it. */
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
