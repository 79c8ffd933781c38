import * as vscode from 'vscode';
import { Workspace } from '../../agent/files/workspace.ts';
import { gitChanges } from '../../agent/tools/support/git-changes.ts';
import { extractLedger } from '../../compaction/ledger/extract.ts';
import { textOfFact } from '../../compaction/messages/ledger.ts';
import { noSession } from '../../compaction/quoting/session-tags.ts';
import { CancelledError } from '../../compaction/signals/cancellation.ts';
import { writeSummary } from '../../compaction/summary/write-summary.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { quotedHistory } from '../../compaction/transcript/quoted-history.ts';
import { discussionOf, handoffLimit, handoffOf } from '../../insights/handoff/handoff.ts';
import { sectionText } from '../../insights/handoff/handoff-text.ts';
import { commandSentences } from '../../language/english/commands-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { commandText } from './manual-edits.ts';
import { viewIds } from '../editor/ids.ts';
import type { AgentHost } from '../agent/agent-host.ts';
import type { ModelProvider } from '../models/model-provider.ts';
import type { InspectedSession, InspectorModel } from '../../presenters/inspector/inspector-model.ts';
import { shownTitle } from '../sessions/session-notices.ts';
import type { SessionHub } from '../sessions/session-hub.ts';
import { signalOf, noticeText } from '../editor/plain-notices.ts';
import { saveAs } from '../editor/links.ts';

/** One of our chats, or an opened session of another agent. */
export type SessionToHandOff = Pick<InspectorModel, 'id' | 'session'>;

type Destination = 'chat' | 'clipboard' | 'file' | 'summary';

interface ShownHandoff {
  readonly chatId: string;
  readonly session: InspectedSession;
  readonly note: string | undefined;
  readonly document: vscode.TextDocument;
  /** The written text, before the user edits it. */
  readonly text: string;
}

/** Services of the window that a handoff needs. */
interface HandOffPorts {
  readonly hub: SessionHub;
  readonly meterOf: () => UsageMeter;
  readonly provider: Pick<ModelProvider, 'models'>;
  readonly agent: Pick<AgentHost, 'folders'>;
}

/** Hands a chat off: writes a text for continuing it elsewhere. The user edits the text and chooses its use. */
export class HandOff {
  private readonly ports: HandOffPorts;
  private shown: ShownHandoff | undefined;

  constructor(ports: HandOffPorts) {
    this.ports = ports;
  }

  /** Hands a session off, by default the active chat. Continues with the last handoff if it is still open. */
  async run(note: string | undefined, inspected?: SessionToHandOff): Promise<void> {
    const { id, session } = inspected ?? (await this.ports.hub.current());
    const { shown } = this;
    const isOpen = shown !== undefined && !shown.document.isClosed && shown.chatId === id;
    if (isOpen && note === undefined) {
      await vscode.window.showTextDocument(shown.document, { preview: false });
      return this.deliver(shown, true);
    }
    const text = await this.write(session, note);
    if (text === undefined) throw new SentenceError(commandSentences.say('nothingToHandOff'));
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: text });
    await vscode.window.showTextDocument(document, { preview: false });
    const next: ShownHandoff = { chatId: id, session, note, document, text };
    this.shown = next;
    return this.deliver(next, true);
  }

  private async write(
    session: InspectedSession,
    note: string | undefined,
    discussion?: string,
  ): Promise<string | undefined> {
    const messages = quotedHistory(session.transcript);
    const changes = await this.changes(extractLedger(messages).filesModified.map(textOfFact));
    const meter = this.ports.meterOf();
    return handoffOf(
      { title: shownTitle(session.title), messages, folder: session.folder, note, changes, discussion },
      handoffLimit(session.compaction.budget.window),
      (texts) => meter.countTexts(texts),
    );
  }

  /** Changed files according to git; undefined if git fails, because a handoff does not need them. */
  private async changes(named: readonly string[]) {
    const workspace = new Workspace(this.ports.agent.folders);
    if (workspace.isEmpty) return undefined;
    const never = new AbortController().signal;
    return gitChanges(workspace, named, process.env, never).catch(() => undefined);
  }

  private async deliver(shown: ShownHandoff, offersSummary: boolean): Promise<void> {
    const { document, session } = shown;
    switch (await pickDestination(session, offersSummary)) {
      case 'summary':
        if (await this.addSummary(shown)) return this.deliver(shown, false);
        return this.deliver(shown, true);
      case 'chat': {
        const text = document.getText();
        await this.ports.hub.newChat(text);
        await discard(document);
        await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
        return;
      }
      case 'clipboard':
        await vscode.env.clipboard.writeText(document.getText());
        await discard(document);
        void vscode.window.setStatusBarMessage(commandText('handoffCopied'), 4_000);
        return;
      case 'file':
        return saveAsFile(document, session);
      case undefined:
        void vscode.window.setStatusBarMessage(commandText('handoffStaysOpen'), 8_000);
    }
  }

  /** @returns false if the user stopped the summary */
  private async addSummary({ session, note, document, text }: ShownHandoff): Promise<boolean> {
    const discussion = await this.summarise(session, note);
    if (discussion === undefined) return false;
    const written = document.getText();
    // Keeps text that the user has edited.
    const next =
      written === text
        ? ((await this.write(session, note, discussion)) ?? text)
        : `${written.trimEnd()}\n\n${sectionText(discussionOf(discussion))}\n`;
    const edit = new vscode.WorkspaceEdit();
    const everything = new vscode.Range(document.positionAt(0), document.positionAt(written.length));
    edit.replace(document.uri, everything, next);
    await vscode.workspace.applyEdit(edit);
    return true;
  }

  private async summarise(session: InspectedSession, note: string | undefined): Promise<string | undefined> {
    const { chat, compaction = chat } = await this.ports.provider.models();
    const title = noticeText(commandText('handoffSummarising', { model: compaction.id }));
    const location = vscode.ProgressLocation.Notification;
    return vscode.window.withProgress({ location, title, cancellable: true }, async (_, token) => {
      // A session of another agent has no spending limit here.
      const model = (await session.compaction.charged?.(compaction)) ?? compaction;
      const task = { sources: session.transcript.view, model, focus: note, tagSuffix: noSession };
      try {
        return (await writeSummary(task, this.ports.meterOf(), signalOf(token))).body;
      } catch (error) {
        if (error instanceof CancelledError) return undefined;
        throw error;
      }
    });
  }
}

async function pickDestination(
  session: InspectedSession,
  offersSummary: boolean,
): Promise<Destination | undefined> {
  const { total: tokens } = await session.compaction.usage();
  const destinations: readonly (vscode.QuickPickItem & { readonly destination: Destination })[] = [
    { destination: 'chat', label: commandText('handoffToChat'), detail: commandText('handoffToChatDetail') },
    { destination: 'clipboard', label: commandText('handoffToClipboard') },
    { destination: 'file', label: commandText('handoffToFile'), detail: commandText('handoffToFileDetail') },
    {
      destination: 'summary',
      label: commandText('handoffAddSummary'),
      detail: commandText('handoffAddSummaryDetail', { tokens }),
    },
  ];
  const picked = await vscode.window.showQuickPick(
    destinations.filter(({ destination }) => offersSummary || destination !== 'summary'),
    // The picker stays open while the user edits the text.
    {
      title: commandText('handOffTitle'),
      placeHolder: commandText('handOffPlaceholder'),
      ignoreFocusOut: true,
    },
  );
  return picked?.destination;
}

/** Saves the text in a file that the user chooses. If the user chooses none, the draft stays open. */
async function saveAsFile(document: vscode.TextDocument, session: InspectedSession): Promise<void> {
  const title = shownTitle(session.title).replace(/[^\p{L}\p{N} _-]+/gu, ' ');
  const dialog = { title: commandText('handOffTitle'), filters: { Markdown: ['md'] } };
  const uri = await saveAs(`${`handoff ${title}`.trim()}.md`, () => document.getText(), dialog);
  if (uri === undefined) return;
  await discard(document);
  await vscode.window.showTextDocument(uri, { preview: false });
}

/** Closes the draft without a question about saving it. */
async function discard(document: vscode.TextDocument): Promise<void> {
  if (document.isClosed) return;
  await vscode.window.showTextDocument(document, { preview: false });
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}
