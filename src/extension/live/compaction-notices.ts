import * as vscode from 'vscode';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { lostByRecord, withPathsFrom, writeLostFacts } from '../../insights/handoff/lost-facts.ts';
import { strategyTitle } from '../../language/english/strategy-titles-english.ts';
import { isOfSubAgent } from '../../presenters/import/sub-agent-conversations.ts';
import type { NewCompactions } from '../../presenters/live/compaction-watch.ts';
import type { InspectedSession, InspectorModel } from '../../presenters/inspector/inspector-model.ts';
import {
  compactionNotice,
  hasLost,
  AnnouncedCompactions,
} from '../../presenters/live/announced-compactions.ts';
import { editorWording, liveText } from '../editor/editor-wording.ts';
import type { LastNotices } from './last-notices.ts';
import { showInformation } from '../editor/plain-notices.ts';

interface NoticePorts {
  /** Path of the file in which all windows note announced compactions. */
  readonly toldPath: string;
  readonly notices: Pick<LastNotices, 'add'>;
  readonly meterOf: () => UsageMeter;
  /** Shows a compaction of a session in the inspector. */
  readonly inspect: (path: string, recordId: string) => Promise<void>;
  readonly handOff: (inspector: Pick<InspectorModel, 'id' | 'session'>) => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** Notifies the user once about each compaction by another agent, and offers to restore lost facts. */
export class CompactionNotices {
  private readonly ports: NoticePorts;
  private readonly told: AnnouncedCompactions;

  constructor(ports: NoticePorts) {
    this.ports = ports;
    this.told = new AnnouncedCompactions(ports.toldPath);
  }

  async tell(made: NewCompactions): Promise<void> {
    try {
      let newest: CompactionRecord | undefined;
      for (const record of made.compactions) if (await this.told.isNew(made.path, record)) newest = record;
      if (newest !== undefined) await this.offer(made, newest);
    } catch (error) {
      this.ports.report(error);
    }
  }

  private async offer({ path, session }: NewCompactions, record: CompactionRecord): Promise<void> {
    const isLost = hasLost(record);
    const [show, copy] = [liveText(isLost ? 'showLost' : 'showCompaction'), liveText('copyLost')];
    const handOff = liveText('handOff');
    const text = editorWording.text(compactionNotice(record, await isOfSubAgent(path)));
    await this.ports.notices.add({ at: Date.now(), text, path, recordId: record.id });
    const choice = await showInformation(text, ...(isLost ? [show, copy, handOff] : [show, handOff]));
    if (choice === show) await this.ports.inspect(path, record.id);
    else if (choice === copy) await copyMissing(session, record, this.ports.meterOf());
    else if (choice === handOff) await this.ports.handOff({ id: path, session });
  }
}

/** Maximum tokens of lost facts to copy. The user pastes them into a context that was just compacted. */
const mostTokensCopied = 3_000;

/** Copies the facts that a compaction lost to the clipboard, and confirms it in the status bar. */
export async function copyMissing(
  { transcript, foreign }: Pick<InspectedSession, 'transcript' | 'foreign'>,
  record: CompactionRecord,
  meter: UsageMeter,
): Promise<void> {
  const facts = withPathsFrom(record.folder, lostByRecord(transcript, record));
  const text = await writeLostFacts(facts, mostTokensCopied, (texts) => meter.countTexts(texts));
  if (text === '') {
    void vscode.window.setStatusBarMessage(liveText('nothingMissing'), 4_000);
    return;
  }
  await vscode.env.clipboard.writeText(text);
  const copied =
    foreign === undefined
      ? liveText('copiedMissing')
      : liveText('missingCopied', { agent: strategyTitle(record.actualStrategy) });
  void vscode.window.setStatusBarMessage(copied, 8_000);
}
