import * as vscode from 'vscode';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import { hideSelection, type Hiding } from '../../compaction/manual-edits/hide.ts';
import { rewind } from '../../compaction/manual-edits/rewind.ts';
import { phraseText } from '../../compaction/records/reason.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { partOf } from '../../compaction/service/part.ts';
import { isStrategyId, strategyOf } from '../../compaction/strategies/index.ts';
import { commandSentences } from '../../language/english/commands-english.ts';
import { hidingOf, type Obstacle, obstaclesTo, rangeAfter, rangeOf } from '../../presenters/selection.ts';
import type { PartChoice, Selection } from '../../protocol/shared-requests.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import { commandIds } from '../editor/ids.ts';
import type { SessionHub } from '../sessions/session-hub.ts';
import { writeSetting } from '../settings/editor-settings.ts';
import { pickStrategy } from '../settings/strategy-picker.ts';
import type { Settings } from '../../presenters/settings/read-settings.ts';
import { showInformation, showWarning } from '../editor/plain-notices.ts';

const never = new AbortController().signal;

interface ManualEditPorts {
  readonly hub: SessionHub;
  readonly settings: () => Settings;
}

/** Manual changes to the context, which any view can request: hide, show, compact a part, continue from a message. */
export class ManualEdits {
  private readonly ports: ManualEditPorts;
  private readonly tellOutcome: (record: CompactionRecord) => void;

  /** @param tellOutcome reports why a compaction changed nothing */
  constructor(ports: ManualEditPorts, tellOutcome: (record: CompactionRecord) => void) {
    this.ports = ports;
    this.tellOutcome = tellOutcome;
  }

  /** Hides the selection after showing the user the freed tokens and the cost. */
  async hide(selection: Selection): Promise<void> {
    const { session } = await this.ports.hub.writable();
    const wanted = hidingOf(session.transcript, selection);
    const hiding = await this.withoutObstacles(session, wanted);
    if (hiding === undefined) return;
    const { record, base } = await session.preview({ strategy: hideSelection(hiding) }, never);
    if (record.status !== 'applied') {
      this.tellOutcome(record);
      return;
    }
    const messages = hiding.messages.length + (hiding.pictures ?? []).length;
    const choice = await showInformation(
      commandText('hideMessages', { count: messages }),
      { modal: true, detail: priceOf(record) },
      commandText('hide'),
    );
    if (choice !== undefined) this.tellOutcome(await session.applyRecord(record, base));
  }

  /** Shows hidden messages again, together with the messages that they need. */
  async show(messageIds: readonly string[]): Promise<void> {
    const { session } = await this.ports.hub.writable();
    for (const id of messageIds) await session.restore(id);
  }

  /** Compacts a part with a strategy that the user chooses. */
  async compactPart(choice: PartChoice): Promise<void> {
    const { session } = await this.ports.hub.writable();
    const range = rangeOf(session.transcript, choice);
    const part = range && partOf(session.transcript, range);
    if (part === undefined) {
      void vscode.window.setStatusBarMessage(hostText('nothingToCompact'), 4_000);
      return;
    }
    const messageIds = session.transcript.view.slice(part.start, part.end).map(({ id }) => id);
    const title = part.isWidened
      ? commandText('compactPartWidened', { count: messageIds.length })
      : commandText('compactPart', { count: messageIds.length });
    const way = await this.pickWay(title);
    if (way === undefined) return;
    if (way === 'preview') {
      await vscode.commands.executeCommand(commandIds.compactWithPreview, range);
      return;
    }
    if (way === 'hide') {
      const isProtected = session.compaction.protections();
      return this.hide({ messageIds: messageIds.filter((id) => !isProtected.has(id)) });
    }
    const focus = await focusFor(way);
    if (focus === undefined) return;
    const strategy = isStrategyId(way) ? strategyOf(way) : undefined;
    this.tellOutcome(
      await session.compactNow({ strategy, focus: focus === '' ? undefined : focus, part: range }),
    );
  }

  /** Continues from a message. Later messages leave the context, with or without a summary. */
  async rewind(messageId: string): Promise<void> {
    const { session } = await this.ports.hub.writable();
    const part = rangeAfter(session.transcript, messageId);
    if (part === undefined) {
      void vscode.window.setStatusBarMessage(commandText('nothingAfterMessage'), 4_000);
      return;
    }
    const [without, summarised] = [
      { label: commandText('rewindWithout'), detail: commandText('rewindWithoutDetail') },
      { label: commandText('rewindWithSummary'), detail: commandText('rewindWithSummaryDetail') },
    ];
    const picked = await vscode.window.showQuickPick([without, summarised], {
      title: commandText('rewindTitle'),
      placeHolder: commandText('rewindFilesStay'),
    });
    if (picked === undefined) return;
    const strategy = picked === without ? rewind : strategyOf('llm-summary');
    this.tellOutcome(await session.compactNow({ strategy, part }));
  }

  /** Asks the user whether to leave out protected messages or to remove their protection. */
  private async withoutObstacles(session: AgentSession, hiding: Hiding): Promise<Hiding | undefined> {
    const obstacles = obstaclesTo(hiding, session.transcript.view, session.compaction.protections());
    const [first] = obstacles;
    if (first === undefined) return hiding;
    const inTheWay = new Set(obstacles.map(({ id }) => id));
    const others: Hiding = {
      messages: hiding.messages.filter((id) => !inTheWay.has(id)),
      pictures: (hiding.pictures ?? []).filter((id) => !inTheWay.has(id)),
    };
    const remedy = remedyFor(first);
    const skip = others.messages.length > 0 ? commandText('hideTheOthers') : undefined;
    const choice = await showWarning(
      phraseText(commandSentences.say('isProtected', { excerpt: first.excerpt }), editorWording),
      { modal: true, detail: causeOf(first) },
      ...[remedy, skip].filter((button) => button !== undefined),
    );
    if (choice === undefined) return undefined;
    if (choice === skip) return others;
    await takeAway(first, session);
    return this.withoutObstacles(session, hiding);
  }

  /** Lets the user choose a strategy, or `hide` or `preview`. @returns the id of the choice */
  private pickWay(title: string): Promise<string | undefined> {
    const hide = { id: 'hide', label: commandText('hide'), detail: commandText('hidePartDetail') };
    const preview = {
      id: 'preview',
      label: commandText('compactWithPreview'),
      detail: commandText('compactWithPreviewDetail'),
    };
    // The current strategy is preselected, so the Enter key compacts as requested.
    return pickStrategy({ title, placeholder: hostText('howToCompact') }, this.ports.settings().strategy.id, {
      accepts: (id) => id !== 'none',
      others: [preview, hide],
    });
  }
}

/** Asks for a focus if the strategy writes summaries; empty for other strategies, undefined if the user cancels. */
async function focusFor(strategyId: string): Promise<string | undefined> {
  if (!isStrategyId(strategyId) || !strategyOf(strategyId).needsModel) return '';
  return vscode.window.showInputBox({
    title: commandText('focusTitle'),
    placeHolder: commandText('focusPlaceholder'),
    ignoreFocusOut: true,
  });
}

/** A sentence about the freed tokens, and the tokens that are written to the prompt cache again. */
function priceOf({ before, after, cost }: CompactionRecord): string {
  const freed = before.tokens - after.tokens;
  const { cacheMissTokens: rewritten, breakEvenCalls: calls } = cost;
  if (rewritten === 0) return commandText('hideFrees', { freed });
  return calls === null
    ? commandText('hideNeverPays', { freed, rewritten })
    : commandText('hidePays', { freed, rewritten, calls: Math.ceil(calls) });
}

function causeOf({ cause }: Obstacle): string {
  switch (cause) {
    case 'pin':
      return commandText('protectedByPin');
    case 'first-request':
      return commandText('protectedAsFirst');
    case 'newest-request':
      return commandText('protectedAsNewest');
    case 'memory':
      return commandText('protectedAsMemory');
    case 'system':
      return commandText('protectedAsSystem');
    case 'open-call':
      return commandText('protectedAsOpenCall');
  }
}

function remedyFor({ cause }: Obstacle): string | undefined {
  if (cause === 'pin') return commandText('unpinAndHide');
  return cause === 'first-request' ? commandText('unprotectFirst') : undefined;
}

async function takeAway({ id, cause }: Obstacle, session: AgentSession): Promise<void> {
  if (cause === 'pin') await session.pin([id], false);
  if (cause === 'first-request') await writeSetting('protectFirst', false);
}

export function commandText<Key extends keyof (typeof commandSentences)['english']>(
  ...said: Parameters<typeof commandSentences.say<Key>>
): string {
  return editorWording.text(commandSentences.say<Key>(...said));
}
