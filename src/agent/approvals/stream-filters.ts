import type { SimpleCommand } from './command-words.ts';

/** Options of `grep` that neither name files nor take an argument. */
const grepFlags = /^-[EFGPHhinovwxcqasz]+$|^--(?:color=never|ignore-case|invert-match|line-number)$/;

/**
 * Whether a command can do no more than show something of what the command before it puts out, or a text: those need
 * no rule of their own.
 */
export function isHarmless({ words, after }: SimpleCommand): boolean {
  const [program, ...rest] = words;
  if (program === 'echo' || program === 'true') return true;
  if (after !== '|' && after !== '|&') return false;
  switch (program) {
    case 'cat':
      return rest.length === 0;
    case 'head':
    case 'tail':
      return rest.every(
        (word, index) => /^-(?:[cn]?\d*|n\+\d+)$/.test(word) || isNumberFor(/^-[cn]$/, rest, index),
      );
    case 'wc':
      return rest.every((word) => /^-[clmw]+$/.test(word));
    case 'sort':
      return rest.every((word) => /^-[bfhnruV]+$/.test(word));
    case 'uniq':
      return rest.every((word) => /^-[cdiu]+$/.test(word));
    case 'grep': {
      const operands = rest.filter((_word, index) => !isGrepOption(rest, index));
      return operands.length === 1 && !operands[0]!.startsWith('-');
    }
    default:
      return false;
  }
}

function isGrepOption(words: readonly string[], index: number): boolean {
  const word = words[index]!;
  return grepFlags.test(word) || /^-[ABCm]\d*$/.test(word) || isNumberFor(/^-[ABCm]$/, words, index);
}

function isNumberFor(option: RegExp, words: readonly string[], index: number): boolean {
  return /^\+?\d+$/.test(words[index]!) && option.test(words[index - 1] ?? '');
}
