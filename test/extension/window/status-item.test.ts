import { beforeEach, describe, expect, it, vi } from 'vitest';
import { kinds } from '../../../src/compaction/messages/message.ts';
import { StatusItem } from '../../../src/extension/window/status-item.ts';
import type { ForeignStatus } from '../../../src/extension/live/live-status.ts';
import type { Meter } from '../../../src/protocol/chat.ts';

const item = { text: '', tooltip: { text: '' }, show: () => {}, hide: () => {}, dispose: () => {} };

vi.mock('vscode', async () => ({
  ...(await import('../../support/editor/vscode-texts.ts')),
  StatusBarAlignment: { Right: 2 },
  MarkdownString: class {
    readonly text: string;
    constructor(text: string) {
      this.text = text;
    }
  },
  window: { createStatusBarItem: () => item },
}));

const meter: Meter = {
  tokens: 4_500,
  byKind: Object.fromEntries(kinds.map((kind) => [kind, 0])) as Meter['byKind'],
  window: 10_000,
  isBreakerOpen: false,
  isSpendingLimitReached: false,
};

let status: StatusItem;
beforeEach(() => {
  status = new StatusItem(() => 'ladder');
});

describe('the status bar', () => {
  it('says that the share is that of the chat', () => {
    status.show(meter);
    expect(item.text).toBe('$(pulse) Chat · 45%');
  });

  it('shows tokens with their unit if the window is unknown', () => {
    status.show({ ...meter, window: undefined });
    expect(item.text).toBe('$(pulse) Chat · 4,500 tokens');
  });

  it('shows another agent instead, once its session grew after the chat was used', () => {
    status.show(meter);
    status.showForeign({ text: 'Codex · 69%', changedAt: Date.now() } as ForeignStatus);
    expect(item.text).toBe('$(pulse) Codex · 69%');
  });

  it('says that automatic compaction is paused after an undo', () => {
    status.show({ ...meter, isPaused: true });
    expect(item.tooltip.text).toContain('Automatic compaction is paused after your undo.');
  });
});
