import type { SentenceValue } from '../../language/sentence.ts';
import { strategyTitle, strategyTitles } from '../../language/english/strategy-titles-english.ts';
import { ellipsised } from '../text/clip.ts';
import type { CompactionRecord } from './record.ts';

export const longestTitle = 60;

/** Titles and ids of built-in strategies and actions, which no custom strategy may use. */
const taken: ReadonlySet<string> = new Set(
  Object.entries(strategyTitles.english).flatMap((titled) => titled.map((name) => name.toLowerCase())),
);

/** Title that a custom strategy declares, on one visible line; undefined if it is missing, empty or taken. */
export function ownTitleOf(declared: unknown): string | undefined {
  if (typeof declared !== 'string') return undefined;
  const line = declared
    .slice(0, 10 * longestTitle)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim();
  return line === '' || taken.has(line.toLowerCase()) ? undefined : ellipsised(line, longestTitle);
}

/** Title of a strategy for a sentence about its record: the declared one of a custom strategy, if any. */
export function titleInRecord(
  strategy: string,
  record: Pick<CompactionRecord, 'strategyTitle'>,
): SentenceValue {
  const own = strategy === 'custom' ? ownTitleOf(record.strategyTitle) : undefined;
  return own ?? strategyTitle(strategy);
}

/** Strategies of a record, as rows show them: custom ones by their title, all others by id. */
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
