import { realpath } from 'node:fs/promises';
import { SharedFile } from '../../agent/locks/shared-file.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { liveSentences } from '../../language/live-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { strategyTitle } from '../../language/strategy-titles-english.ts';

/** Compactions that are remembered; one older than these is not told again, because only new ones are. */
const mostRemembered = 300;

/** Compactions of other agents that a person was told of, in whatever window. */
export class ToldCompactions {
  private readonly file: SharedFile;

  /** @param path of the file that all windows keep them in */
  constructor(path: string) {
    this.file = new SharedFile(path);
  }

  /**
   * Notes a compaction as told.
   *
   * @param path of the session's file
   * @returns false if it was told before
   * @throws what the file system throws
   */
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

/**
 * Names what a compaction of another agent took from its context.
 *
 * @param isOfSubAgent the session is not the one that the person talks to
 */
export function compactionNotice(
  { actualStrategy, coverage }: CompactionRecord,
  isOfSubAgent = false,
): Sentence {
  const agent = strategyTitle(actualStrategy);
  const { files, commands } = coverage;
  const [lostFiles, lostCommands] = [files.total - files.kept, commands.total - commands.kept];
  if (lostFiles + lostCommands === 0) {
    return liveSentences.say(isOfSubAgent ? 'subAgentKeptAll' : 'compactedKeepingAll', { agent });
  }
  return liveSentences.say(isOfSubAgent ? 'subAgentCompacted' : 'compacted', {
    agent,
    files: lostFiles,
    allFiles: files.total,
    commands: lostCommands,
    allCommands: commands.total,
  });
}
