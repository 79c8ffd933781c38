import type { CompactionRecord } from '../../compaction/records/record.ts';
import { liveSentences } from '../../language/live-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { strategyTitle } from '../../language/strategy-titles-english.ts';

/** Compactions that are remembered; one older than these is not told again, because only new ones are. */
const mostRemembered = 300;

/** A small store of the editor, which outlives a window. */
export interface Kept {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const keptAs = 'toldCompactions';

/** Compactions of other agents that a person was told of, across windows and reloads. */
export class ToldCompactions {
  private readonly kept: Kept;

  constructor(kept: Kept) {
    this.kept = kept;
  }

  /**
   * @param path of the session's file
   * @returns false if it was told before
   */
  async isNew(path: string, { id, createdAt }: CompactionRecord): Promise<boolean> {
    const value = this.kept.get(keptAs);
    const told = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
    const identity = `${path} ${id} ${createdAt}`;
    if (told.includes(identity)) return false;
    await this.kept.update(keptAs, [...told, identity].slice(-mostRemembered));
    return true;
  }
}

/** Names what a compaction of another agent took from its context. */
export function compactionNotice({ actualStrategy, coverage }: CompactionRecord): Sentence {
  const agent = strategyTitle(actualStrategy);
  const { files, commands } = coverage;
  const [lostFiles, lostCommands] = [files.total - files.kept, commands.total - commands.kept];
  if (lostFiles + lostCommands === 0) return liveSentences.say('compactedKeepingAll', { agent });
  return liveSentences.say('compacted', {
    agent,
    files: lostFiles,
    allFiles: files.total,
    commands: lostCommands,
    allCommands: commands.total,
  });
}
