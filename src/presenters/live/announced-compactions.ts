import { realpath } from 'node:fs/promises';
import { SharedFile } from '../../agent/locks/shared-file.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { liveSentences } from '../../language/english/live-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { strategyTitle } from '../../language/english/strategy-titles-english.ts';

/** Maximum number of remembered compactions. Older ones can be forgotten, because only new ones are announced. */
const mostRemembered = 300;

/** Compactions of other agents that any window has announced to the user. */
export class AnnouncedCompactions {
  private readonly file: SharedFile;

  /** @param path path of the file that all windows share */
  constructor(path: string) {
    this.file = new SharedFile(path);
  }

  /** Records an announcement. @returns false if it was already recorded @throws errors of the file system */
  async isNew(path: string, { id, createdAt }: CompactionRecord): Promise<boolean> {
    const identity = `${await realpath(path).catch(() => path)} ${id} ${createdAt}`;
    let isNew = false;
    await this.file.change((text = '') => {
      const told = text.split('\n').filter((line) => line !== '');
      isNew = !told.includes(identity);
      return isNew ? [...told, identity].slice(-mostRemembered).join('\n') : undefined;
    });
    return isNew;
  }
}

/** Kinds of facts that a notice counts, with the names of its sentences, in order. */
const counted = [
  ['files', 'lostFiles'],
  ['commands', 'lostCommands'],
  ['userMessages', 'lostMessages'],
  ['errors', 'lostErrors'],
  ['identifiers', 'lostNames'],
] as const;

/** Notice of the facts that another agent's compaction lost, as counted by `lostByRecord`. */
export function compactionNotice(
  { actualStrategy, coverage, outputs }: CompactionRecord,
  isOfSubAgent = false,
): Sentence {
  const agent = strategyTitle(actualStrategy);
  const who = isOfSubAgent ? liveSentences.say('subAgentOf', { agent }) : agent;
  const isCutOff = outputs.length === 0;
  const parts = counted.flatMap(([kind, sentence]): readonly Sentence[] => {
    const { kept, total } = coverage[kind];
    if (kept >= total) return [];
    const isOnlyMessage = kind === 'userMessages' && total === 1;
    return [
      isOnlyMessage
        ? liveSentences.say('lostMessage')
        : liveSentences.say(sentence, { lost: total - kept, total }),
    ];
  });
  const last = parts.at(-1);
  if (last === undefined)
    return liveSentences.say(isCutOff ? 'cutOffKeepingAll' : 'compactedKeepingAll', { who });
  const first = parts.slice(0, -1);
  const lost = first.length === 0 ? last : liveSentences.say('lostAndLost', { first, last });
  return liveSentences.say(isCutOff ? 'cutOff' : 'compacted', { who, lost });
}

/** True if a compaction lost facts that a notice counts. */
export function hasLost({ coverage }: CompactionRecord): boolean {
  return counted.some(([kind]) => coverage[kind].kept < coverage[kind].total);
}
