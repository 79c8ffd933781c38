import * as vscode from 'vscode';
import { kinds, type Kind } from '../../compaction/messages/message.ts';
import { startsOf, usageSentence } from '../../presenters/chat/usage-sentence.ts';
import type { Meter } from '../../protocol/chat.ts';
import { percentText } from '../../language/percent.ts';
import { strategyTitle } from '../../language/english/strategy-titles-english.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import { commandIds } from '../editor/ids.ts';
import type { ForeignStatus } from '../live/live-status.ts';

/** The status bar item that shows how full the window is, for our chat or another agent's live session. */
export class StatusItem implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly strategyId: () => string;
  private meter: Meter | undefined;
  private foreign: ForeignStatus | undefined;
  /** Time when our chat was last used, in milliseconds since 1970. */
  private usedAt = 0;

  /** @param strategyId returns the id of the configured strategy */
  constructor(strategyId: () => string) {
    this.strategyId = strategyId;
    this.item = vscode.window.createStatusBarItem('contextBudget.usage', vscode.StatusBarAlignment.Right, 90);
    this.item.name = 'Context Budget';
  }

  show(meter: Meter): void {
    this.meter = meter;
    this.draw();
  }

  /** Shows another agent's live session if it has changed since our chat was last used. */
  showForeign(foreign: ForeignStatus | undefined): void {
    this.foreign = foreign;
    this.draw();
  }

  /** Records that our chat is being used. */
  used(): void {
    this.usedAt = Date.now();
    this.draw();
  }

  dispose(): void {
    this.item.dispose();
  }

  private draw(): void {
    const { foreign, meter } = this;
    if (foreign !== undefined && foreign.changedAt > this.usedAt) this.drawForeign(foreign);
    else if (meter !== undefined) this.drawOwn(meter);
    else this.item.hide();
  }

  private drawForeign({ text, tooltip, command }: ForeignStatus): void {
    this.item.text = `$(pulse) ${text}`;
    this.item.tooltip = tooltip;
    this.item.command = command;
    this.item.accessibilityInformation = { label: text };
    this.item.show();
  }

  private drawOwn(meter: Meter): void {
    const { tokens, window } = meter;
    const share = window === undefined ? undefined : percentText(tokens / window, editorWording.language);
    this.item.text = `$(pulse) ${hostText('chatFill', { fill: share ?? hostText('tokenCount', { count: tokens }) })}`;
    this.item.tooltip = tooltip(meter, this.strategyId());
    this.item.command = {
      title: hostText('menuHint'),
      command: commandIds.showMenu,
      arguments: [describe(meter)],
    };
    this.item.accessibilityInformation = { label: hostText('contextWindow', { usage: describe(meter) }) };
    this.item.show();
  }
}

function tooltip(meter: Meter, strategyId: string): vscode.MarkdownString {
  const rows = kinds
    .filter((kind) => meter.byKind[kind] > 0)
    .map((kind) => `| ${kindNames()[kind]} | ${format(meter.byKind[kind])} |`);
  const { window } = meter;
  const counted = kinds.reduce((sum, kind) => sum + meter.byKind[kind], 0);
  const pause = pauseOf(meter);
  return new vscode.MarkdownString(
    [
      describe(meter),
      '',
      `| | ${hostText('tokens')} |`,
      '|:--|--:|',
      ...rows,
      ...(counted === meter.tokens
        ? []
        : [`| ${hostText('beyondCount')} | ${format(meter.tokens - counted)} |`]),
      `| **${hostText('total')}** | **${format(meter.tokens)}** |`,
      ...(window === undefined ? [] : [`| ${hostText('window')} | ${format(window)} |`]),
      ...startsOf(meter).map(({ key, tokens }) => `| ${hostText(key)} | ${format(tokens)} |`),
      `| ${hostText('strategy')} | ${editorWording.text(strategyTitle(strategyId))} |`,
      ...(pause === undefined ? [] : ['', pause]),
    ].join('\n'),
  );
}

/** Reason why automatic compaction is paused, or at least its summaries by a model. */
function pauseOf({ isPaused, isBreakerOpen, isSpendingLimitReached }: Meter): string | undefined {
  if (isPaused === true) return hostText('pausedAfterUndo');
  if (isBreakerOpen) return hostText('pausedAfterFailures');
  return isSpendingLimitReached ? hostText('pausedBySpending') : undefined;
}

/** Returns the names of kinds. A function, because the language is unknown before activation. */
function kindNames(): Readonly<Record<Kind, string>> {
  return {
    system: hostText('kindSystem'),
    tools: hostText('kindTools'),
    memory: hostText('kindMemory'),
    user: hostText('kindUser'),
    assistant: hostText('kindAssistant'),
    reasoning: hostText('kindReasoning'),
    toolCall: hostText('kindToolCall'),
    toolResult: hostText('kindToolResult'),
    summary: hostText('kindSummary'),
    reminder: hostText('kindReminder'),
    skill: hostText('kindSkill'),
    skillMetadata: hostText('kindSkillMetadata'),
    file: hostText('kindFile'),
  };
}

function describe(meter: Meter): string {
  return editorWording.text(usageSentence(meter));
}

function format(value: number): string {
  return value.toLocaleString(editorWording.language);
}
