import type { SentenceValue } from '../../language/sentence.ts';
import { strategyTitle, strategyTitles } from '../../language/english/strategy-titles-english.ts';
import { ellipsised } from '../text/clip.ts';
import type { CompactionRecord } from './record.ts';

export const longestTitle = 60;

/** Titles and ids of built-in strategies and actions, which no custom strategy may use. */
const taken: ReadonlySet<string> = new Set(
  Object.entries(strategyTitles.english).flatMap((titled) => titled.map((name) => name.toLowerCase())),
);

/** Returns the title that a custom strategy declares, on one visible line; undefined if missing, empty or taken. */
export function declaredTitleOf(declared: unknown): string | undefined {
  if (typeof declared !== 'string') return undefined;
  const line = declared
    .slice(0, 10 * longestTitle)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim();
  return line === '' || taken.has(line.toLowerCase()) ? undefined : ellipsised(line, longestTitle);
}

/** Returns the title of a strategy for a sentence about a record: the title that a custom strategy declares, if any. */
export function titleInRecord(
  strategy: string,
  record: Pick<CompactionRecord, 'strategyTitle'>,
): SentenceValue {
  const own = strategy === 'custom' ? declaredTitleOf(record.strategyTitle) : undefined;
  return own ?? strategyTitle(strategy);
}

/** Returns the strategies of a record for rows: a custom strategy by its title, others by id. */
export function shownStrategies({
  actualStrategy,
  requestedStrategy,
  strategyTitle,
}: Pick<CompactionRecord, 'actualStrategy' | 'requestedStrategy' | 'strategyTitle'>): {
  readonly actualStrategy: string;
  readonly requestedStrategy: string;
} {
  const title = declaredTitleOf(strategyTitle) ?? 'custom';
  const shown = (id: string) => (id === 'custom' ? title : id);
  return { actualStrategy: shown(actualStrategy), requestedStrategy: shown(requestedStrategy) };
}
