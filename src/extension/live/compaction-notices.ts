import * as vscode from 'vscode';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { lostFrom, writeLostFacts } from '../../insights/handoff/lost-facts.ts';
import { strategyTitle } from '../../language/strategy-titles-english.ts';
import type { OpenedChange, OpenedTranscripts } from '../../presenters/live/opened-transcripts.ts';
import type { ShownSession } from '../../presenters/inspector/inspector-model.ts';
import { compactionNotice, ToldCompactions } from '../../presenters/live/told-compactions.ts';
import { editorWording } from '../editor/editor-wording.ts';
import { liveText } from './live-text.ts';

/** Most tokens of lost facts that are copied: a person pastes them into an agent that has just made room. */
const mostTokensCopied = 3_000;

/** Services of the window that the notices need. */
export interface NoticePorts {
  readonly kept: vscode.Memento;
  readonly meterOf: () => UsageMeter;
  /** Shows a compaction of a session in the inspector. */
  readonly inspect: (recordId: string, sessionId: string) => Promise<void>;
  readonly handOff: (subject: ShownSession) => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** Tells a person, once, that another agent has compacted, and offers to bring back what is missing. */
export class CompactionNotices {
  private readonly ports: NoticePorts;
  private readonly told: ToldCompactions;

  constructor(opened: Pick<OpenedTranscripts, 'onDidChange'>, ports: NoticePorts) {
    this.ports = ports;
    this.told = new ToldCompactions(ports.kept);
    opened.onDidChange((change) => void this.tell(change));
  }

  /** Of several compactions at once only the last one is told. */
  private async tell({ path, shown, compactions }: OpenedChange): Promise<void> {
    try {
      let newest: CompactionRecord | undefined;
      for (const record of compactions) if (await this.told.isNew(path, record)) newest = record;
      if (newest !== undefined) await this.offer(shown, newest);
    } catch (error) {
      this.ports.report(error);
    }
  }

  private async offer(shown: ShownSession, record: CompactionRecord): Promise<void> {
    const [diff, copy, handOff] = [liveText('diff'), liveText('copyMissing'), liveText('handOff')];
    const notice = editorWording.text(compactionNotice(record));
    const choice = await vscode.window.showInformationMessage(notice, diff, copy, handOff);
    if (choice === diff) await this.ports.inspect(record.id, shown.id);
    else if (choice === copy) await this.copy(shown, record);
    else if (choice === handOff) await this.ports.handOff(shown);
  }

  private async copy({ session }: ShownSession, { actualStrategy }: CompactionRecord): Promise<void> {
    const meter = this.ports.meterOf();
    const facts = lostFrom(session.transcript);
    const text = await writeLostFacts(facts, mostTokensCopied, (texts) => meter.countTexts(texts));
    if (text === '') {
      void vscode.window.setStatusBarMessage(liveText('nothingMissing'), 4_000);
      return;
    }
    await vscode.env.clipboard.writeText(text);
    const agent = strategyTitle(actualStrategy);
    void vscode.window.setStatusBarMessage(liveText('missingCopied', { agent }), 8_000);
  }
}
