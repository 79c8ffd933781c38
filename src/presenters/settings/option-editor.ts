import { type OptionSpec, resolveOptions } from '../../compaction/strategies/contract/options.ts';
import type { Sentence } from '../../language/sentence.ts';

/** The way to edit an option of a strategy. */
type OptionInput =
  | { readonly kind: 'pick'; readonly choices: readonly unknown[] }
  | { readonly kind: 'text' }
  /** The value is too large for one line and is edited in the settings file. */
  | { readonly kind: 'file' };

export function inputFor(spec: OptionSpec): OptionInput {
  switch (spec.type) {
    case 'boolean':
      return { kind: 'pick', choices: [true, false] };
    case 'choice':
      return { kind: 'pick', choices: spec.choices };
    // Lists are typed even if choices exist, because their order matters and a picker cannot change it.
    case 'texts':
    case 'integer':
    case 'number':
    case 'string':
      return { kind: 'text' };
    case 'group':
    case 'list':
      return { kind: 'file' };
  }
}

/** The value of an option on one line, for display and editing. */
export function optionText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
    ? value.join(', ')
    : JSON.stringify(value);
}

/** Parses typed text as a value of an option. */
export function parseOption(
  spec: OptionSpec,
  name: string,
  typed: string,
): { readonly value: unknown; readonly problem?: undefined } | { readonly problem: Sentence } {
  const value = valueOf(spec, typed);
  const [problem] = resolveOptions({ [name]: spec }, { [name]: value }).problems;
  return problem === undefined ? { value } : { problem: problem.sentence };
}

function valueOf(spec: OptionSpec, typed: string): unknown {
  const text = typed.trim();
  switch (spec.type) {
    case 'integer':
    case 'number': {
      const number = Number(text.replace(/[,_\s]/g, ''));
      return text === '' || Number.isNaN(number) ? text : number;
    }
    case 'texts':
      return text
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '');
    default:
      return typed;
  }
}
