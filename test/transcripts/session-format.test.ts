import { describe, expect, it } from 'vitest';
import { importTranscript } from '../../src/transcripts/import.ts';
import { readSession } from '../../src/transcripts/session-format.ts';
import type { SessionEvent } from '../../src/transcripts/session-event.ts';
import { said, typed } from '../support/messages.ts';
import { recordWith } from '../support/records.ts';

const header: SessionEvent = { type: 'session', version: 1, id: 's1', createdAt: '2026-01-01T00:00:00.000Z' };
const lines = (...events: readonly (SessionEvent | string)[]) =>
  events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event))).join('\n');
const message = (id: string, text: string): SessionEvent => ({ type: 'message', message: typed(id, text) });

describe('readSession', () => {
  it('reads what was written', () => {
    const tools = [{ type: 'function', function: { name: 'x' } }] as const;
    const session = readSession(
      lines(
        header,
        { type: 'title', title: 'first' },
        { type: 'tools', tools },
        message('m1', 'hi'),
        { type: 'compaction', record: recordWith('c1', [], []) },
        { type: 'title', title: 'second' },
      ),
    );
    expect(session).toMatchObject({ header: { id: 's1' }, title: 'second', tools, problems: [] });
    expect(session.entries.map(({ type }) => type)).toEqual(['message', 'compaction']);
  });

  it('reports a malformed line, skips it and reads the rest', () => {
    const session = readSession(lines(header, '{"type":"message","mess', message('m2', 'still here')));
    expect(session.problems).toEqual(['Line 2 was skipped: it is not valid JSON.']);
    expect(session.entries).toHaveLength(1);
  });

  it.each([
    ['3', 'it is not an object.'],
    ['{"type":"music"}', 'it is no event of a session.'],
    ['{"type":"message","message":{"id":"m1"}}', 'it is no event of a session.'],
    ['{"type":"undo","createdAt":"","recordIds":["c9"]}', 'The transcript has no c9.'],
  ])('skips %s', (line, reason) => {
    expect(readSession(lines(header, line)).problems).toEqual([`Line 2 was skipped: ${reason}`]);
  });

  it('skips a message whose id is there already', () => {
    const session = readSession(lines(header, message('m1', 'one'), message('m1', 'two')));
    expect(session.entries).toHaveLength(1);
    expect(session.problems).toHaveLength(1);
  });

  it('finds the text of a reply that was never finished', () => {
    const session = readSession(
      lines(
        header,
        { type: 'partial', messageId: 'm2', text: 'half ' },
        { type: 'partial', messageId: 'm2', text: 'a reply' },
      ),
    );
    expect(session.unfinished).toEqual({ messageId: 'm2', text: 'half a reply' });
  });

  it('forgets streamed text once the whole message is there', () => {
    const session = readSession(
      lines(
        header,
        { type: 'partial', messageId: 'm2', text: 'half' },
        { type: 'message', message: said('m2', 'whole') },
      ),
    );
    expect(session.unfinished).toBeUndefined();
  });

  it('knows how the last turn ended, until something comes after it', () => {
    const stopped: SessionEvent = { type: 'turn', outcome: 'stopped', message: 'Stopped.' };
    expect(readSession(lines(header, stopped)).lastTurn).toEqual(stopped);
    expect(readSession(lines(header, stopped, message('m1', 'again'))).lastTurn).toBeUndefined();
  });

  it('reads a long session in one pass', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => message(`m${index}`, 'x'));
    expect(readSession(lines(header, ...many)).entries).toHaveLength(20_000);
  });
});

describe('importing a session of ours', () => {
  it('is recognised by its first line', () => {
    const { transcript } = importTranscript(lines(header, message('m1', 'hi')));
    expect(transcript.view).toHaveLength(1);
  });
});
