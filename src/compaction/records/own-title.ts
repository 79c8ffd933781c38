import type { SentenceValue } from '../../language/sentence.ts';
import { strategyTitle, strategyTitles } from '../../language/english/strategy-titles-english.ts';
import { ellipsised } from '../text/clip.ts';
import type { CompactionRecord } from './record.ts';

/** Longest title of a custom strategy, in characters. */
export const longestTitle = 60;

/** Titles and ids of everything that has one here: no custom strategy passes for it. */
const taken: ReadonlySet<string> = new Set(
  Object.entries(strategyTitles.english).flatMap((titled) => titled.map((name) => name.toLowerCase())),
);

/**
 * The title that a custom strategy declares, in one line and without characters that cannot be seen.
 *
 * @param declared by the author of the strategy, or read from a file
 * @returns undefined if it declares none that can be shown, or the title of another strategy
 */
export function ownTitleOf(declared: unknown): string | undefined {
  if (typeof declared !== 'string') return undefined;
  const line = declared
    .slice(0, 10 * longestTitle)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim();
  return line === '' || taken.has(line.toLowerCase()) ? undefined : ellipsised(line, longestTitle);
}

/** The title of a strategy in a sentence about a record of it: a custom one's own, if it declares one. */
export function titleInRecord(
  strategy: string,
  record: Pick<CompactionRecord, 'strategyTitle'>,
): SentenceValue {
  const own = strategy === 'custom' ? ownTitleOf(record.strategyTitle) : undefined;
  return own ?? strategyTitle(strategy);
}

/** The strategies of a record as rows show them: a custom one by its own title, every other by its id. */
export function shownStrategies({
  actualStrategy,
  requestedStrategy,
  strategyTitle,
}: Pick<CompactionRecord, 'actualStrategy' | 'requestedStrategy' | 'strategyTitle'>): {
  readonly actualStrategy: string;
  readonly requestedStrategy: string;
} {
  const title = ownTitleOf(strategyTitle) ?? 'custom';
  const shown = (id: string) => (id === 'custom' ? title : id);
  return { actualStrategy: shown(actualStrategy), requestedStrategy: shown(requestedStrategy) };
}
