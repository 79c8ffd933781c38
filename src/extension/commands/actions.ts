import { phraseText, reasonText } from '../../compaction/records/reason.ts';
import * as vscode from 'vscode';
import { pinSentence } from '../../agent/session/pins.ts';
import type { FileChange } from '../../agent/edits/file-editor.ts';
import { recordsInForce } from '../../compaction/transcript/view.ts';
import { isStrategyId, strategyOf } from '../../compaction/strategies/index.ts';
import type { UndoableSession } from '../../presenters/inspector/inspector-target.ts';
import type { Handlers } from '../../protocol/messages.ts';
import type { sharedRequests } from '../../protocol/shared-requests.ts';
import type { ManualEdits } from './manual-edits.ts';
import type { SessionToHandOff } from './hand-off.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { commandIds } from '../editor/ids.ts';
import { openWorkspaceFile } from '../editor/links.ts';
import { pickStrategy } from '../settings/strategy-picker.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import { writeSetting } from '../settings/editor-settings.ts';
import type { AgentHost } from '../agent/agent-host.ts';
import type { ApiKeys } from '../models/endpoint-access.ts';
import type { ModelProvider } from '../models/model-provider.ts';
import type { Settings } from '../../presenters/settings/read-settings.ts';
import type { SessionHub } from '../sessions/session-hub.ts';
import { showError, showInformation, showWarning } from '../editor/plain-notices.ts';
import { turnOfRow } from '../../presenters/chat/chat-row-builder.ts';
import { LoadedOnce } from '../editor/loaded-once.ts';

/** Services of the window that actions use. */
export interface ActionPorts {
  readonly hub: SessionHub;
  readonly keys: ApiKeys;
  readonly provider: Pick<ModelProvider, 'keyUrl' | 'models'>;
  readonly settings: () => Settings;
  readonly log: vscode.LogOutputChannel;
  readonly agent: Pick<AgentHost, 'review' | 'folders'>;
  readonly meterOf: () => UsageMeter;
}

/** Actions of the user, which any view or command can run. */
export class Actions {
  private readonly ports: ActionPorts;
  private readonly handOffs = new LoadedOnce(async () => {
    const { HandOff } = await import('./hand-off.ts');
    return new HandOff(this.ports);
  });
  private readonly open = new Set<'hide' | 'undo' | 'undo-edits'>();

  /** Handlers of the requests that both pages send in the same form. Each throws if the chat is read-only. */
  readonly handlers: Handlers<typeof sharedRequests, Promise<void>> = {
    compact: ({ focus, strategy }) => this.compactNow(focus, strategy),
    preview: async (choice) => {
      await vscode.commands.executeCommand(commandIds.compactWithPreview, choice);
    },
    undo: ({ recordId }) => this.undo(recordId),
    pin: ({ messageId, isPinned }) => this.pin(messageId, isPinned),
    hide: ({ selection }) => this.once('hide', async () => (await this.manualEdits()).hide(selection)),
    show: async ({ messageIds }) => (await this.manualEdits()).show(messageIds),
    'compact-part': async (part) => (await this.manualEdits()).compactPart(part),
    rewind: async ({ messageId }) => (await this.manualEdits()).rewind(messageId),
    'select-strategy': () => this.selectStrategy(),
  };

  constructor(ports: ActionPorts) {
    this.ports = ports;
  }

  /** @param strategyId strategy for this compaction only, instead of the configured one */
  async compactNow(focus?: string, strategyId?: string): Promise<void> {
    const { session } = await this.ports.hub.writable();
    if (session.isEmpty) {
      void vscode.window.setStatusBarMessage(hostText('nothingToCompact'), 4_000);
      return;
    }
    const strategy =
      strategyId !== undefined && isStrategyId(strategyId) ? strategyOf(strategyId) : undefined;
    tellOutcome(await session.compactNow({ focus, strategy }));
  }

  /** Writes a handoff of the chat or of another agent's session. The user edits it and chooses where it goes. */
  async handOff(note?: string, inspected?: SessionToHandOff): Promise<void> {
    await (await this.handOffs.get()).run(note, inspected);
  }

  /** Asks a question, unless the same question is still open, for example because a key was pressed twice. */
  private async once(question: 'hide' | 'undo' | 'undo-edits', ask: () => Promise<void>): Promise<void> {
    if (this.open.has(question)) return;
    this.open.add(question);
    try {
      await ask();
    } finally {
      this.open.delete(question);
    }
  }

  private async manualEdits(): Promise<ManualEdits> {
    const { ManualEdits: Loaded } = await import('./manual-edits.ts');
    return new Loaded(this.ports, tellOutcome);
  }

  /** Undoes a compaction, by default the newest of the chat. First asks if later ones must be undone with it. */
  undo(recordId?: string, other?: UndoableSession): Promise<void> {
    return this.once('undo', async () => this.undoOne(recordId, other ?? (await this.ports.hub.undoable())));
  }

  private async undoOne(recordId: string | undefined, session: UndoableSession): Promise<void> {
    const id = recordId ?? recordsInForce(session.transcript.entries).at(-1)?.id;
    if (id === undefined) {
      void showInformation(hostText('noCompactionToUndo'));
      return;
    }
    const others = session.compaction.undoneWith(id).length - 1;
    if (others > 0) {
      const question = hostText('undoWithLater', { count: others });
      const detail = hostText('undoKeepsTheRest');
      const choice = await showWarning(question, { modal: true, detail }, hostText('undo'));
      if (choice === undefined) return;
    }
    await session.undo(id);
  }

  /** Pins or unpins a message, and reports the other messages that this also affects. */
  async pin(messageId: string, isPinned: boolean): Promise<void> {
    const { session } = await this.ports.hub.writable();
    const outcome = await session.pin([messageId], isPinned);
    const sentence = isPinned ? pinSentence(outcome) : undefined;
    if (sentence !== undefined) void showInformation(phraseText(sentence, editorWording));
  }

  async review(rowId: string, path: string): Promise<void> {
    const { session, view } = await this.ports.hub.current();
    const turnId = turnOfRow(rowId);
    const changes =
      turnId === undefined
        ? (session.approvals.requestOf(rowId)?.changes ?? view.feed.changesOf(rowId))
        : await session.edits.changesOf(turnId);
    const change = changes.find(({ shown }) => shown === path);
    if (change === undefined) await openWorkspaceFile(path, undefined);
    else {
      const title = turnId === undefined ? hostText('editTitle', { path }) : hostText('turnTitle', { path });
      await this.ports.agent.review(change, title);
    }
  }

  reviewChange(change: FileChange, title: string): Promise<void> {
    return this.ports.agent.review(change, title);
  }

  /** Restores files to their state before a turn. Asks first if they have been changed since the turn. */
  undoEdits(rowId: string): Promise<void> {
    return this.once('undo-edits', () => this.undoEditsOf(rowId));
  }

  private async undoEditsOf(rowId: string): Promise<void> {
    const { session } = await this.ports.hub.writable();
    const turnId = turnOfRow(rowId);
    if (turnId === undefined) return;
    const conflicts = await session.edits.undo(turnId, false);
    if (conflicts.length === 0) return;
    const detail = hostText('changesThatWouldBeLost', { paths: conflicts.join('\n') });
    const choice = await showWarning(
      hostText('filesChangedSince'),
      { modal: true, detail },
      hostText('undoEdits'),
    );
    if (choice !== undefined) await session.edits.undo(turnId, true);
  }

  /** Sets the strategy, in the workspace if one is open. Without an id, the user chooses a strategy. */
  async selectStrategy(id?: string): Promise<void> {
    const texts = { title: hostText('compactionStrategy'), placeholder: hostText('howToCompact') };
    const chosen = id ?? (await pickStrategy(texts, this.ports.settings().strategy.id));
    if (chosen !== undefined) await writeSetting('strategy', chosen);
  }

  async setApiKey(): Promise<void> {
    const { askForKey } = await import('../models/select-model.ts');
    await askForKey(this.ports.keys, this.keyUrl);
  }

  async clearApiKey(): Promise<void> {
    const baseUrl = this.keyUrl;
    await this.ports.keys.clear(baseUrl);
    void vscode.window.setStatusBarMessage(hostText('apiKeyCleared', { host: new URL(baseUrl).host }), 4_000);
  }

  /** Address of the endpoint that the API key is for. */
  private get keyUrl(): string {
    return this.ports.provider.keyUrl ?? this.ports.settings().baseUrl;
  }

  /** Shows the user why an action failed, and logs the details. */
  report(error: unknown): void {
    this.ports.log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    void showError(`Context Budget: ${editorWording.error(error)}`);
  }
}

/** Reports why a compaction changed nothing. An applied compaction is visible in the chat. */
function tellOutcome(record: CompactionRecord): void {
  if (record.status !== 'applied') void vscode.window.setStatusBarMessage(outcomeOf(record), 8_000);
}

/** The reason why a requested compaction changed nothing, in one or two sentences. */
function outcomeOf({ status, reason }: CompactionRecord): string {
  const why = reason === undefined ? '' : reasonText(reason, editorWording);
  switch (status) {
    case 'refused':
      return hostText('compactionRefused', { reason: why });
    case 'failed':
      return hostText('compactionFailed', { reason: why });
    case 'cancelled':
      return hostText('compactionCancelled', { reason: why });
    default:
      return hostText('nothingCompacted', { reason: why });
  }
}
