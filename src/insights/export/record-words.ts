import { percentText } from '../../language/percent.ts';
import type { CompactionRecord, Coverage, Fate, Kept } from '../../compaction/records/record.ts';

/** Fates as people read them. */
export const fateWords: Readonly<Record<Fate, string>> = {
  keep: 'kept',
  hide: 'hidden',
  clip: 'clipped',
  offload: 'offloaded',
  drop: 'dropped',
  summarise: 'summarised',
  insert: 'inserted',
};

/** A compaction in one line. */
export function summaryLine(record: CompactionRecord): string {
  const { actualStrategy, requestedStrategy, status, before, after } = record;
  const name =
    actualStrategy === requestedStrategy ? actualStrategy : `${actualStrategy} (for ${requestedStrategy})`;
  if (status !== 'applied') return `${name} · ${status} · ${format(before.tokens)} tokens`;
  const change = before.tokens === 0 ? 0 : 1 - after.tokens / before.tokens;
  return `${name} · applied · ${format(before.tokens)} → ${format(after.tokens)} tokens (−${percentText(change, 'en')})`;
}

const coverageWords: Readonly<Record<keyof Coverage, string>> = {
  files: 'files',
  commands: 'commands',
  errors: 'errors',
  identifiers: 'identifiers',
  userMessages: 'messages of the person',
};

/** The kept facts by section, for example `14 of 14 files`; empty sections are left out. */
export function coverageWordsOf({ coverage }: CompactionRecord): readonly string[] {
  return (Object.entries(coverageWords) as [keyof Coverage, string][]).flatMap(([section, words]) => {
    const { kept, total }: Kept = coverage[section];
    return total === 0 ? [] : [`${format(kept)} of ${format(total)} ${words}`];
  });
}

/** A count of something, for example `1 message`. */
export function counted(count: number, noun: string): string {
  return `${format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number with its thousands apart. */
export function format(value: number): string {
  return value.toLocaleString('en');
}

/** Stands at the head of everything that is exported. */
export const exportNotice =
  'This file holds what was said in a chat and what its tools read and put out. That can include secrets and personal data: read it before you share it.';
