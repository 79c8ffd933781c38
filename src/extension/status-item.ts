import * as vscode from 'vscode';
import { kinds } from '../compaction/message.ts';
import type { Meter } from './protocol/chat.ts';
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
    this.item.accessibilityInformation = { label: `Context window: ${describe(meter)}` };
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

function tooltip(meter: Meter): vscode.MarkdownString {
  const rows = kinds
    .filter((kind) => meter.byKind[kind] > 0)
    .map((kind) => `| ${kind} | ${format(meter.byKind[kind])} |`);
  const breaker = meter.isBreakerOpen
    ? [
        '',
        'Automatic compaction with a model is paused after three failures in a row. Compact Now starts it again.',
      ]
    : [];
  return new vscode.MarkdownString(
    [
      describe(meter),
      '',
      '| | tokens |',
      '|:--|--:|',
      ...rows,
      `| **total** | **${format(meter.tokens)}** |`,
      ...breaker,
    ].join('\n'),
  );
}

function describe({ tokens, window, trigger }: Meter): string {
  if (window === undefined) return `${format(tokens)} tokens; the window of this model is unknown`;
  const compaction = trigger === undefined ? '' : `; compaction starts at ${format(trigger)}`;
  return `${format(tokens)} of ${format(window)} tokens, ${percent(tokens, window)} %${compaction}`;
}

function percent(tokens: number, window: number): number {
  return Math.round((tokens / window) * 100);
}

function format(value: number): string {
  return value.toLocaleString(vscode.env.language);
}
