import type { Language } from './shown-language.ts';

/** Options for writing a percentage. */
interface PercentOptions {
  /** Number of decimal places, 0 by default. Trailing zeros are kept. */
  readonly decimals?: number;
  /** True to round down, so that 100% means all; by default, rounds to the nearest number. */
  readonly roundsDown?: boolean;
}

/**
 * A share as a percentage: `46%` or `46.3%` in every language. Pages, sentences, exports and the command line all use it.
 *
 * @param share between 0 and 1; above 1 for more than all
 */
export function percentText(
  share: number,
  language: Language,
  { decimals = 0, roundsDown = false }: PercentOptions = {},
): string {
  return numberFormat(language, {
    style: 'percent',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    roundingMode: roundsDown ? 'floor' : 'halfExpand',
  }).format(share);
}

const formats = new Map<string, Intl.NumberFormat>();

/** The format of numbers in a language. It is kept, because making one takes longer than drawing a row of a list. */
export function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(language, options);
  formats.set(key, format);
  return format;
}
