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
  return share.toLocaleString(language, {
    style: 'percent',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    roundingMode: roundsDown ? 'floor' : 'halfExpand',
  });
}
