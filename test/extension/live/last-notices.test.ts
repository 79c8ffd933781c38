import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { LastNotices, type Notice } from '../../../src/extension/live/last-notices.ts';

/** The rows of the list, and what the user chooses. */
const shown: { readonly label: string; readonly detail: string; readonly notice: Notice }[] = [];
let placeholder: string | undefined;

vi.mock('vscode', async () => ({
  ...(await import('../../support/editor/vscode-texts.ts')),
  window: {
    showQuickPick: (items: typeof shown, options: { readonly placeHolder: string }) => {
      shown.push(...items);
      placeholder = options.placeHolder;
      return Promise.resolve(items[0]);
    },
  },
}));

let stored: unknown;
let notices: LastNotices;
beforeEach(() => {
  shown.length = 0;
  stored = undefined;
  const memory = {
    get: () => stored,
    update: (_key: string, value: unknown) => Promise.resolve(void (stored = value)),
  };
  notices = new LastNotices(memory as unknown as vscode.Memento);
});

const notice = (number: number): Notice => ({
  at: number,
  text: `Claude Code compacted, ${number}.`,
  path: `/sessions/${number}.jsonl`,
  recordId: `c${number}`,
});

describe('the last notices', () => {
  it('are the last twenty, newest first, and open the chosen one', async () => {
    for (let number = 1; number <= 22; number++) await notices.add(notice(number));
    expect(await notices.pick()).toEqual(notice(22));
    expect(shown).toHaveLength(20);
    expect(shown.at(-1)).toMatchObject({ label: 'Claude Code compacted, 3.', detail: '/sessions/3.jsonl' });
  });

  it('say so if there are none', async () => {
    expect(await notices.pick()).toBeUndefined();
    expect(placeholder).toBe('No agent has compacted yet');
  });

  it('leave out what another version stored in another form', () => {
    stored = [notice(1), { text: 'no time' }, 'text'];
    expect(notices.all).toEqual([notice(1)]);
  });

  it('show names of files without turning them into icons', async () => {
    await notices.add({ ...notice(1), path: '/$(trash).jsonl' });
    await notices.pick();
    expect(shown[0]?.detail).toBe('/$ (trash).jsonl');
  });
});
