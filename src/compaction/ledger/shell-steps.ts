import { memoisedByText } from '../messages/memoise.ts';

/** A program that a command line runs. */
export interface ShellStep {
  /** The program and its arguments, without quotes, redirections and variables set before the program. */
  readonly words: readonly string[];
  /** The step as written, with its quotes, redirections and variables. */
  readonly text: string;
  /** The operator before the step; a line feed counts as `;`. */
  readonly after: '' | '&&' | '||' | ';' | '|' | '&';
  /** True if some or all of the step's output goes to a file or is discarded. */
  readonly isRedirected: boolean;
  /** Paths after `<` and `>`, in order. */
  readonly redirections: readonly Redirection[];
}

interface Redirection {
  readonly path: string;
  readonly sign: '<' | '>' | '>>';
}

/** Maximum length of a command line that is read, in UTF-16 units. */
const longestLine = 20_000;
/** Words that begin or end a block. The commands of a block may run any number of times. */
const controlWords: ReadonlySet<string> = new Set(
  'if then elif else fi for while until do done case esac select function { } ! [['.split(' '),
);
const assignment = /^[A-Za-z_]\w*\+?=/u;

/**
 * Splits a command line into the programs that it runs, in order.
 *
 * @returns undefined for a line with conditions, loops, functions or open quotes, or with more than 20,000 characters
 */
export function shellSteps(line: string): readonly ShellStep[] | undefined {
  const steps = stepsIn(line);
  return steps?.some(({ words: [program = ''] }) => controlWords.has(program)) === true ? undefined : steps;
}

/** Words of blocks that may precede a program. A step with only such words runs no program. */
const blockWords: ReadonlySet<string> = new Set('if then elif else while until do { } ! fi done'.split(' '));
const listHeads: ReadonlySet<string> = new Set(['for', 'select']);

/**
 * Finds every program that a command line may run, including those in conditions and loops.
 *
 * @returns undefined for a line with functions, `case` or open quotes, or with more than 20,000 characters
 */
export function possibleSteps(line: string): readonly ShellStep[] | undefined {
  const steps = stepsIn(line)?.flatMap((step) => {
    const words = step.words.slice(step.words.findIndex((word) => !blockWords.has(word)));
    const isEmpty = step.words.every((word) => blockWords.has(word)) || listHeads.has(words[0] ?? '');
    return isEmpty ? (step.redirections.length > 0 ? { ...step, words: ['true'] } : []) : { ...step, words };
  });
  return steps?.some(({ words: [program = ''] }) => controlWords.has(program) && program !== '[[') === true
    ? undefined
    : steps;
}

function stepsIn(line: string): readonly ShellStep[] | undefined {
  return line.length > longestLine ? undefined : readSteps(line);
}

/** Cached, because the effects, the checks and the errors of a command are all found in its steps. */
const readSteps = memoisedByText((line): readonly ShellStep[] | undefined => {
  const steps: ShellStep[] = [];
  /** End words of the here-documents whose text begins on the next line. */
  const documents: string[] = [];
  let words: string[] = [];
  let word: string | undefined;
  let target: 'none' | 'file' | 'document' = 'none';
  let isRedirected = false;
  let redirections: Redirection[] = [];
  let direction: Redirection['sign'] = '>';
  let after: ShellStep['after'] = '';
  let start = 0;

  const endWord = (): void => {
    if (word === undefined) return;
    if (target === 'document') documents.push(word);
    else if (target === 'file') redirections.push({ path: word, sign: direction });
    else if (words.length > 0 || !assignment.test(word)) words.push(word);
    word = undefined;
    target = 'none';
  };
  const endStep = (operator: ShellStep['after'], end: number): void => {
    endWord();
    if (words.length > 0) {
      steps.push({ words, text: line.slice(start, end).trim(), after, isRedirected, redirections });
      after = operator;
    } else if (operator !== ';') after = operator;
    words = [];
    isRedirected = false;
    redirections = [];
  };

  for (let at = 0; at < line.length; at++) {
    const sign = line[at]!;
    if (sign === '\\') {
      at++;
      if (line[at] !== '\n') word = (word ?? '') + (line[at] ?? '');
    } else if (sign === "'" || sign === '"' || sign === '`') {
      const end = endOfQuote(line, at);
      if (end < 0) return undefined;
      const text = line.slice(at + 1, end);
      word = (word ?? '') + (sign === '"' ? text.replace(/\\(["\\$`])/gu, '$1') : text);
      at = end;
    } else if (sign === '$' && line[at + 1] === '(') {
      const end = endOfParentheses(line, at + 1);
      if (end < 0) return undefined;
      word = (word ?? '') + line.slice(at, end + 1);
      at = end;
    } else if (sign === '#' && word === undefined) {
      while (at + 1 < line.length && line[at + 1] !== '\n') at++;
    } else if (sign === '<' && line.startsWith('<<', at) && line[at + 2] !== '<') {
      endWord();
      target = 'document';
      at += line[at + 2] === '-' ? 2 : 1;
    } else if (sign === '>' || sign === '<') {
      if (/^\d$/u.test(word ?? '')) word = undefined;
      endWord();
      const start = at;
      while (/[<>&|]/u.test(line[at + 1] ?? '')) at++;
      direction = sign === '<' ? '<' : line.startsWith('>>', start) ? '>>' : '>';
      // `2>&1` only joins two outputs.
      if (line[at] === '&' && /\d/u.test(line[at + 1] ?? '')) at++;
      else {
        target = 'file';
        isRedirected ||= sign === '>';
      }
    } else if (sign === '&' && line[at + 1] === '>') {
      endWord();
    } else if (sign === '\n') {
      endStep(';', at);
      for (const end of documents.splice(0)) {
        const close = closingOf(line, at, end);
        at = close < 0 ? line.length : close - 1;
      }
      start = at + 1;
    } else if (sign === '&' || sign === '|') {
      const isDouble = line[at + 1] === sign;
      endStep(isDouble ? (sign === '&' ? '&&' : '||') : sign, at);
      if (isDouble || line.startsWith('|&', at)) at++;
      start = at + 1;
    } else if (sign === ';' || sign === ')') {
      endStep(';', at);
      start = at + 1;
    } else if (sign === '(') {
      if (word !== undefined || words.length > 0) return undefined;
      start = at + 1;
    } else if (/\s/u.test(sign)) endWord();
    else word = (word ?? '') + sign;
  }
  endStep('', line.length);
  return steps;
});

function endOfQuote(line: string, start: number): number {
  const quote = line[start];
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === quote) return at;
    if (quote === "'") continue;
    if (line[at] === '\\') at++;
    else if (quote === '"' && line[at] === '$' && line[at + 1] === '(') {
      at = endOfParentheses(line, at + 1);
      if (at < 0) return -1;
    }
  }
  return -1;
}

function endOfParentheses(line: string, start: number): number {
  let depth = 0;
  for (let at = start; at < line.length; at++) {
    const sign = line[at];
    if (sign === '(') depth++;
    else if (sign === ')' && --depth === 0) return at;
    else if (sign === '<' && line[at + 1] === '<') {
      at = endOfDocument(line, at);
      if (at < 0) return -1;
    } else if (sign === '\\') at++;
    else if (sign === "'" || sign === '"') {
      const end = line.indexOf(sign, at + 1);
      if (end < 0) return -1;
      at = end;
    }
  }
  return -1;
}

/** Finds the last character of a here-document that opens at an index. */
function endOfDocument(line: string, start: number): number {
  opening.lastIndex = start;
  const end = opening.exec(line)?.[1];
  if (end === undefined) return start + 1;
  const close = closingOf(line, start, end);
  return close < 0 ? -1 : close - 1;
}

const opening = /<<-?[ \t]*["']?(\w+)/uy;

/** Finds the index after the line that ends a here-document; -1 without such a line. */
function closingOf(line: string, start: number, end: string): number {
  const closing = new RegExp(`\\n[ \\t]*${escaped(end)}(?=[\\n)]|$)`, 'gu');
  closing.lastIndex = start;
  return closing.test(line) ? closing.lastIndex : -1;
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
}

/** Programs that run another program, with a pattern for the words before that program. */
const wrappers: Readonly<Record<string, RegExp>> = {
  sudo: /^-/u,
  time: /^-/u,
  env: /^-|=/u,
  command: /^-/u,
  nice: /^-|^\d+$/u,
  nohup: /^-/u,
  timeout: /^-|^[\d.]+[smhd]?$/u,
  npx: /^-/u,
  bunx: /^-/u,
  stdbuf: /^-/u,
};
/** Programs with subcommands that run another program. */
const runningWords: Readonly<Record<string, RegExp>> = {
  pnpm: /^(?:exec|dlx)$/u,
  yarn: /^(?:exec|dlx)$/u,
  npm: /^(?:exec|x)$/u,
  mise: /^(?:exec|x)$/u,
  uv: /^run$/u,
  poetry: /^run$/u,
  pipenv: /^run$/u,
  bundle: /^exec$/u,
};

/**
 * Returns the program that a step finally runs and its arguments, without a folder and without `sudo`, `npx`,
 * `uv run` and similar programs.
 */
export function innerWords(words: readonly string[]): readonly string[] {
  const [name = '', ...rest] = words;
  const program = name.slice(name.lastIndexOf('/') + 1);
  const own = Object.hasOwn(wrappers, program) ? wrappers[program] : undefined;
  const running = Object.hasOwn(runningWords, program) ? runningWords[program] : undefined;
  if (own !== undefined) {
    const first = rest.findIndex((word) => !own.test(word));
    return first < 0 ? [program] : innerWords(rest.slice(first));
  }
  if (running?.test(rest[0] ?? '') === true) {
    const first = rest.findIndex((word, index) => index > 0 && !word.startsWith('-'));
    return first < 0 ? [program, ...rest] : innerWords(rest.slice(first));
  }
  const isModule = /^(?:python|python3|py)(?:\.\d+)?$/u.test(program) && rest[0] === '-m' && rest.length > 1;
  return isModule ? innerWords(rest.slice(1)) : [program, ...rest];
}
