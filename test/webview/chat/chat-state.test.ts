import { describe, expect, it } from 'vitest';
import { applyChanges, SessionCopy } from '../../../webview/chat/state/chat-state.ts';
import { runningCommand } from '../support/action-fixtures.ts';
import { chatState, conversation } from '../support/chat-fixtures.ts';

describe('changes to the chat', () => {
  const state = chatState({
    rows: [
      { type: 'user', id: 'u1', text: 'Hello' },
      { type: 'assistant', id: 'a1', markdown: 'Good ', reasoning: '', state: 'streaming' },
    ],
  });

  it('append text to the answer they name', () => {
    const { rows } = applyChanges(state, [
      { type: 'text', id: 'a1', text: 'mor' },
      { type: 'text', id: 'a1', text: 'ning' },
    ]);
    expect(rows[1]).toMatchObject({ markdown: 'Good morning' });
  });

  it('append thinking to the answer they name', () => {
    const { rows } = applyChanges(state, [
      { type: 'reasoning', id: 'a1', text: 'First ' },
      { type: 'reasoning', id: 'a1', text: 'look.' },
    ]);
    expect(rows[1]).toMatchObject({ markdown: 'Good ', reasoning: 'First look.' });
  });

  it('append output to the call they name, and keep only the end of the output', () => {
    const running = chatState({ rows: [{ ...runningCommand, output: 'a\n' }] });
    const line = `${'x'.repeat(99)}\n`;
    const short = applyChanges(running, [{ type: 'output', id: 'running', text: 'b\n' }]);
    const long = applyChanges(running, [{ type: 'output', id: 'running', text: line.repeat(300) }]);
    expect(short.rows[0]).toMatchObject({ output: 'a\nb\n' });
    expect(long.rows[0]).toMatchObject({ output: line.repeat(149) });
  });

  it('replace a known row, add an unknown row, and remove a row', () => {
    const { rows } = applyChanges(state, [
      { type: 'row', row: { type: 'user', id: 'u1', text: 'Hi' } },
      { type: 'row', row: { type: 'user', id: 'u2', text: 'Bye' } },
      { type: 'row-removed', id: 'a1' },
    ]);
    expect(rows).toEqual([
      { type: 'user', id: 'u1', text: 'Hi' },
      { type: 'user', id: 'u2', text: 'Bye' },
    ]);
  });

  it('do not replace the objects of unchanged rows', () => {
    const { rows } = applyChanges(state, [{ type: 'text', id: 'a1', text: 'x' }]);
    expect(rows[0]).toBe(state.rows[0]);
  });

  it('change the rest of the state without touching the rows', () => {
    const next = applyChanges(state, [{ type: 'state', state: { activity: 'tools' } }]);
    expect(next.activity).toBe('tools');
    expect(next.rows).toBe(state.rows);
  });
});

describe('the copy of a session', () => {
  function connected(): { session: SessionCopy; requests: () => number } {
    let requests = 0;
    const session = new SessionCopy(() => requests++);
    session.refresh();
    session.receive({ type: 'snapshot', revision: 7, state: chatState() });
    return { session, requests: () => requests };
  }

  it('applies changes with the next revision', () => {
    const { session, requests } = connected();
    session.receive({ type: 'changes', revision: 8, changes: [{ type: 'row-removed', id: 'u1' }] });
    session.receive({ type: 'changes', revision: 9, changes: [{ type: 'row-removed', id: 't1' }] });
    expect(session.state?.rows).toEqual(conversation.slice(2));
    expect(requests()).toBe(1);
  });

  it('requests the whole state once when a revision is missing', () => {
    const { session, requests } = connected();
    const isChanged = session.receive({ type: 'changes', revision: 9, changes: [] });
    session.receive({ type: 'changes', revision: 10, changes: [] });
    expect(isChanged).toBe(false);
    expect(requests()).toBe(2);
  });

  it('continues from the requested snapshot', () => {
    const { session, requests } = connected();
    session.receive({ type: 'changes', revision: 9, changes: [] });
    session.receive({ type: 'snapshot', revision: 11, state: chatState({ rows: [] }) });
    session.receive({ type: 'changes', revision: 12, changes: [{ type: 'row', row: conversation[0]! }] });
    expect(session.state?.rows).toHaveLength(1);
    expect(requests()).toBe(2);
  });
});
