import { describe, expect, it } from 'vitest';
import { ChatWindow } from '../../../src/presenters/chat/chat-window.ts';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';

const row = (index: number, text = `Question ${index}`): ChatRow => ({
  type: 'user',
  id: `u${index}`,
  text,
  isPinned: false,
});
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => row(index));
const idsOf = (rows: readonly ChatRow[]) => rows.map(({ id }) => id);

describe('the rows on a page', () => {
  it('are all rows of a short chat', () => {
    const rows = rowsOf(20);
    expect(new ChatWindow().open(rows, [])).toEqual({ rows, earlier: 0, pinTexts: {} });
  });

  it('are the newest rows of a long chat, in less than 500 kB', () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => row(index, 'word '.repeat(500)));
    const opened = new ChatWindow().open(rows, []);
    expect(opened.rows.at(-1)).toBe(rows.at(-1));
    expect(opened.rows.length + (opened.earlier ?? 0)).toBe(2_000);
    expect(JSON.stringify(opened).length).toBeLessThan(500_000);
  });

  it('include at least one row, even if it is long', () => {
    const rows = [row(0), row(1, 'word '.repeat(200_000))];
    expect(idsOf(new ChatWindow().open(rows, []).rows)).toEqual(['u1']);
  });

  it('begin with the first row that waits for the user', () => {
    const call: ChatRow = {
      type: 'tool',
      id: 'call',
      tool: 'run_command',
      label: '',
      state: 'waiting',
      preview: '',
      isClipped: false,
    };
    const rows = [row(0), call, ...rowsOf(900).slice(1)];
    expect(new ChatWindow().open(rows, []).rows[0]).toBe(call);
  });

  it('are extended in batches up to the first row', () => {
    const rows = rowsOf(900);
    const window = new ChatWindow();
    let shown = window.open(rows, []).rows;
    for (let batch = window.earlier(rows); batch !== undefined; batch = window.earlier(rows)) {
      if (batch.type === 'earlier') shown = [...batch.rows, ...shown];
    }
    expect(shown).toEqual(rows);
  });

  it('are extended up to a requested row', () => {
    const rows = rowsOf(900);
    const window = new ChatWindow();
    window.open(rows, []);
    expect(window.isMissing('u3')).toBe(true);
    expect(window.earlier(rows, 'u3')).toMatchObject({ earlier: 3 });
    expect(window.isMissing('u3')).toBe(false);
  });

  it('receive later changes', () => {
    const rows = rowsOf(900);
    const window = new ChatWindow();
    window.open(rows, []);
    const old = { type: 'row', row: { ...row(3), isPinned: true } } as ChatRowChange;
    const shown = { type: 'row', row: { ...row(899), isPinned: true } } as ChatRowChange;
    const state = { type: 'state', state: { title: 'Title' } } as const;
    expect(window.concerning([old, shown, state])).toEqual([shown, state]);
  });

  it('include a row that moves to the end', () => {
    const rows = rowsOf(900);
    const window = new ChatWindow();
    window.open(rows, []);
    const moved = { type: 'row', row: row(3) } as const;
    expect(window.concerning([{ type: 'row-removed', id: 'u3' }, moved])).toEqual([moved]);
  });

  it('are fewer after the page has released rows', () => {
    const rows = rowsOf(100);
    const window = new ChatWindow();
    window.open(rows, []);
    window.startAt(rows, 'u50');
    expect(window.earlier(rows)).toMatchObject({ rows: rows.slice(0, 50), earlier: 0 });
  });

  it('come with the beginnings of pinned messages that are not among them', () => {
    const rows = rowsOf(900);
    expect(new ChatWindow().open(rows, ['u3', 'u899']).pinTexts).toEqual({ u3: 'Question 3' });
  });
});

interface ChatRowChange {
  readonly type: 'row';
  readonly row: ChatRow;
}
