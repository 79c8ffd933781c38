import * as vscode from 'vscode';
import { inCountedTokens, type Outlook } from '../compaction/service/outlook.ts';
import { kinds, type Kind } from '../compaction/messages/message.ts';
import type { Meter } from '../protocol/chat.ts';
import { commandIds } from './ids.ts';

/** How full the window is, in the status bar. */
export class StatusItem implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;

  constructor() {
    this.item = vscode.window.createStatusBarItem('contextBudget.usage', vscode.StatusBarAlignment.Right, 90);
    this.item.name = 'Context Budget';
    this.item.command = commandIds.openInspector;
  }

  show(meter: Meter): void {
    const { tokens, window } = meter;
    this.item.text = `$(pulse) ${window === undefined ? format(tokens) : `${percent(tokens, window)} %`}`;
    this.item.tooltip = tooltip(meter);
    this.item.accessibilityInformation = { label: vscode.l10n.t('Context window: {0}', describe(meter)) };
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

function tooltip(meter: Meter): vscode.MarkdownString {
  const rows = kinds
    .filter((kind) => meter.byKind[kind] > 0)
    .map((kind) => `| ${kindNames()[kind]} | ${format(meter.byKind[kind])} |`);
  const pause = pauseOf(meter);
  return new vscode.MarkdownString(
    [
      describe(meter),
      '',
      `| | ${vscode.l10n.t('tokens')} |`,
      '|:--|--:|',
      ...rows,
      `| **${vscode.l10n.t('total')}** | **${format(meter.tokens)}** |`,
      ...(pause === undefined ? [] : ['', pause]),
    ].join('\n'),
  );
}

/** Why summaries are not written by themselves now. */
function pauseOf({ isBreakerOpen, isSpendingLimitReached }: Meter): string | undefined {
  if (isBreakerOpen) {
    return vscode.l10n.t(
      'Automatic compaction with a model is paused after three failures in a row. Compact Now starts it again.',
    );
  }
  if (!isSpendingLimitReached) return undefined;
  return vscode.l10n.t(
    'Automatic compaction with a model is paused: this chat has reached its limit for summaries. Compact Now still works.',
  );
}

/** The language is not known before the extension is activated. */
function kindNames(): Readonly<Record<Kind, string>> {
  return {
    system: vscode.l10n.t('System'),
    tools: vscode.l10n.t('Tool schemas'),
    memory: vscode.l10n.t('Memory'),
    user: vscode.l10n.t('You'),
    assistant: vscode.l10n.t('Assistant'),
    reasoning: vscode.l10n.t('Thinking'),
    toolCall: vscode.l10n.t('Tool calls'),
    toolResult: vscode.l10n.t('Tool results'),
    summary: vscode.l10n.t('Summaries'),
    reminder: vscode.l10n.t('Reminders'),
    skill: vscode.l10n.t('Skills'),
    skillMetadata: vscode.l10n.t('List of skills'),
  };
}

function describe(meter: Meter): string {
  const { tokens, window } = meter;
  const { trigger, background = trigger, asks } = inCountedTokens<Outlook>(meter);
  if (window === undefined) {
    return vscode.l10n.t('{0} tokens; the window of this model is unknown', format(tokens));
  }
  const numbers = [format(tokens), format(window), percent(tokens, window)];
  if (background === undefined) return vscode.l10n.t('{0} of {1} tokens, {2} %', ...numbers);
  return asks === true
    ? vscode.l10n.t(
        '{0} of {1} tokens, {2} %; you are asked about a compaction at {3}',
        ...numbers,
        format(background),
      )
    : vscode.l10n.t('{0} of {1} tokens, {2} %; compaction starts at {3}', ...numbers, format(background));
}

function percent(tokens: number, window: number): number {
  return Math.round((tokens / window) * 100);
}

function format(value: number): string {
  return value.toLocaleString(vscode.env.language);
}
