import { describe, expect, it } from 'vitest';
import { importTranscript } from '../../../src/transcripts/import-transcript.ts';
import { readSession } from '../../../src/transcripts/session/session-format.ts';
import type { SessionEvent } from '../../../src/transcripts/session/session-event.ts';
import { said, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

const header: SessionEvent = { type: 'session', version: 1, id: 's1', createdAt: '2026-01-01T00:00:00.000Z' };
const lines = (...events: readonly (SessionEvent | string)[]) =>
  events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event))).join('\n');
const message = (id: string, text: string): SessionEvent => ({ type: 'message', message: typed(id, text) });

describe('readSession', () => {
  it('returns the written session', () => {
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

  it('records which tools were sent in each part of a session', () => {
    const [first, second] = ['x', 'y'].map((name) => [{ type: 'function', function: { name } }] as const);
    const { tools, toolHistory } = readSession(
      lines(
        header,
        message('m1', 'hi'),
        { type: 'tools', tools: first! },
        message('m2', 'and'),
        message('m3', 'so'),
        { type: 'tools', tools: second! },
      ),
    );
    expect(toolHistory).toEqual([
      { entries: 1, tools: first },
      { entries: 3, tools: second },
    ]);
    expect(tools).toEqual(second);
  });

  it('returns the newest history of a client whose record follows', () => {
    const messages = [message('m1', 'hi'), message('m2', 'and')];
    const record: SessionEvent = { type: 'compaction', record: recordWith('c1', [], []) };
    const first: SessionEvent = { type: 'history', messageIds: ['m1'] };
    const second: SessionEvent = { type: 'history', messageIds: ['m2'], recordId: 'c1' };
    const historyOf = (...events: readonly SessionEvent[]) => readSession(lines(header, ...events)).history;
    expect(historyOf(...messages)).toBeUndefined();
    expect(historyOf(...messages, first, second)).toEqual({ messageIds: ['m1'], keys: {}, entries: 2 });
    expect(historyOf(...messages, first, second, record, message('m3', 'so'))).toEqual({
      messageIds: ['m2'],
      keys: {},
      entries: 3,
    });
  });

  it('reports a malformed line, skips it and reads the rest', () => {
    const session = readSession(lines(header, '{"type":"message","mess', message('m2', 'still here')));
    expect(session.problems).toEqual(['Line 2 was skipped: it is not valid JSON.']);
    expect(session.entries).toHaveLength(1);
  });

  it.each([
    ['3', 'it is not an object.'],
    ['{"type":"music"}', 'it is no event of a session.'],
    ['{"type":"message","message":3}', 'a message is an object.'],
    [
      '{"type":"message","message":{"id":"m1"}}',
      'a message has a role, one of system, developer, user, assistant, tool.',
    ],
    ['{"type":"tools","tools":[{"name":"x"}]}', 'it is no event of a session.'],
    ['{"type":"session","version":0,"id":"s1"}', 'it is no event of a session.'],
    ['{"type":"session","version":"2","id":"s1"}', 'it is no event of a session.'],
    ['{"type":"compaction","record":3}', 'a compaction is an object.'],
    ['{"type":"compaction","record":{"id":"c1"}}', 'the compaction has no createdAt.'],
    ['{"type":"undo","createdAt":"","recordIds":["c9"]}', 'The transcript has no c9.'],
  ])('skips %s', (line, reason) => {
    expect(readSession(lines(header, line)).problems).toEqual([`Line 2 was skipped: ${reason}`]);
  });

  it('reads the known part of a session from a newer version', () => {
    const session = readSession(lines({ ...header, version: 2 }, '{"type":"mood"}', message('m1', 'hi')));
    expect(session).toMatchObject({ header: { id: 's1', version: 2 }, isNewer: true });
    expect(session.entries).toHaveLength(1);
    expect(session.problems).toEqual([
      'A newer version of Context Budget wrote this session; what it added to the format is not read.',
      'Line 2 was skipped: it is no event of a session.',
    ]);
    expect(readSession(lines(header)).isNewer).toBe(false);
  });

  it('skips a message whose id already exists', () => {
    const session = readSession(lines(header, message('m1', 'one'), message('m1', 'two')));
    expect(session.entries).toHaveLength(1);
    expect(session.problems).toHaveLength(1);
  });

  it.each([
    ['role', 'narrator', 'a role, one of system, developer, user, assistant, tool'],
    ['content', 3, 'content that is a text, null or an array of parts'],
    ['content', [{ type: 'text', text: 3 }], 'content that is a text, null or an array of parts'],
    ['tool_calls', [{ id: 'k1' }], 'tool_calls with id, function.name and function.arguments'],
    ['origin', undefined, 'an origin'],
  ])('skips a message whose %s is %j', (name, value, expected) => {
    const event = { type: 'message', message: { ...typed('m1', 'hi'), [name]: value } };
    const { entries, problems } = readSession(
      lines(header, JSON.stringify(event), message('m2', 'still here')),
    );
    expect(problems).toEqual([`Line 2 was skipped: a message has ${expected}.`]);
    expect(entries).toHaveLength(1);
  });

  it('omits invalid optional fields, and replaces an invalid time with the time of the previous message', () => {
    const { createdAt } = typed('m1', 'hi');
    const odd = { ...typed('m2', 'more'), createdAt: 'noon', usage: { inputTokens: 'many' }, pinned: 1 };
    const event = JSON.stringify({ type: 'message', message: odd });
    const { entries, problems } = readSession(lines(header, message('m1', 'hi'), event));
    expect(entries[1]).toEqual({ type: 'message', message: { ...typed('m2', 'more'), createdAt } });
    expect(problems).toEqual(
      ['createdAt', 'usage', 'pinned'].map(
        (name) => `Of line 3, ${name} was skipped: it is not what it should be.`,
      ),
    );
  });

  it.each([
    ['actions', [null], 'is not what it should be.'],
    ['actions', [{ kind: 'melt', sourceIds: [], reason: '', tokensBefore: 0, tokensAfter: 0 }], 'is not'],
    ['outputs', [{ id: 'c1.1' }], 'is not what it should be.'],
    ['before', { tokens: 3 }, 'is not what it should be.'],
    ['coverage', {}, 'is not what it should be.'],
    ['status', 'done', 'is not what it should be.'],
  ])('skips a compaction in which "%s" is %j', (name, value, objection) => {
    const event = JSON.stringify({
      type: 'compaction',
      record: { ...recordWith('c1', [], []), [name]: value },
    });
    const { entries, problems } = readSession(lines(header, event));
    expect(entries).toEqual([]);
    expect(problems[0]).toContain(`Line 2 was skipped: the compaction's ${name} ${objection}`);
  });

  it('keeps a result without content, because its call needs a result', () => {
    const result = { ...typed('m2', ''), role: 'tool', origin: 'tool', tool_call_id: 'c', content: null };
    const { entries, problems } = readSession(
      lines(header, message('m1', 'hi'), JSON.stringify({ type: 'message', message: result })),
    );
    expect(entries[1]).toMatchObject({ message: { tool_call_id: 'c', content: '' } });
    expect(problems).toEqual(['Of line 3, content was skipped: it is not what it should be.']);
  });

  it('skips a compaction whose summary has the id of another message', () => {
    const record = recordWith('c1', [], [typed('m1', 'a summary')]);
    const { problems } = readSession(lines(header, message('m1', 'hi'), { type: 'compaction', record }));
    expect(problems).toEqual(['Line 3 was skipped: The transcript already has m1.']);
  });

  it.each([
    ['tokens below zero', 'before', { messages: 1, tokens: -1, byKind: {} }],
    ['more tokens than can be counted', 'after', { messages: 1, tokens: 1e300, byKind: {} }],
    ['a number that is null', 'coverage', { files: { kept: null, total: 0, missing: [] } }],
    ['an invalid time', 'createdAt', 'soon'],
    ['a sentence without values', 'reason', { code: 'x', message: 'y', sentence: { key: 'engine.x' } }],
    ['a sentence that is a string', 'warningSentences', ['engine.x']],
    ['an empty id', 'id', ''],
  ])('skips a compaction with %s', (_, name, value) => {
    const record = { ...recordWith('c1', [], []), [name]: value };
    const { entries, problems } = readSession(lines(header, JSON.stringify({ type: 'compaction', record })));
    expect(entries).toEqual([]);
    expect(problems).toEqual([`Line 2 was skipped: the compaction's ${name} is not what it should be.`]);
  });

  it('keeps the sentences of a compaction, even if another version wrote them', () => {
    const sentence = { key: 'engine.saidOnlyLater', values: { freed: 3, by: 'a' } };
    const reason = { code: 'nothing-to-do', message: 'Said only later.', sentence };
    const record = {
      ...recordWith('c1', [], []),
      reason,
      warnings: ['theirs', 'ours'],
      warningSentences: [null, sentence],
    };
    const { entries, problems } = readSession(lines(header, JSON.stringify({ type: 'compaction', record })));
    expect(problems).toEqual([]);
    expect(entries).toEqual([{ type: 'compaction', record }]);
  });

  it('keeps unknown fields of events', () => {
    const known = { ...typed('m1', 'hi'), mood: { of: ['day'] } };
    const { entries, problems } = readSession(
      lines(header, JSON.stringify({ type: 'message', message: known })),
    );
    expect(entries).toEqual([{ type: 'message', message: known }]);
    expect(problems).toEqual([]);
  });

  it('dates an undo without a valid time by the message before it', () => {
    const record = recordWith('c1', [], []);
    const { entries, problems } = readSession(
      lines(header, { type: 'compaction', record }, '{"type":"undo","recordIds":["c1"],"createdAt":"noon"}'),
    );
    expect(entries[1]).toEqual({
      type: 'undo',
      recordIds: ['c1'],
      createdAt: '1970-01-01T00:00:00.000Z',
    });
    expect(problems).toEqual(['Of line 3, createdAt was skipped: it is not what it should be.']);
  });

  it.each([
    ['deep nesting', `{"type":"title","title":"x","more":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['deep nesting of objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['NUL bytes', '\0'.repeat(100_000)],
    ['a number too large', '{"type":"session","version":1e999,"id":"s1"}'],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x7b]).toString('utf8')],
    ['half of a surrogate pair', '{"type":"title","title":"\\ud83d'],
  ])('reports a line with %s, and reads the rest', (_, line) => {
    const { entries, problems } = readSession(lines(header, line, message('m1', 'hi')));
    expect(problems).toEqual([expect.stringMatching(/^Line 2 was skipped: /)]);
    expect(entries).toHaveLength(1);
  });

  it('reads a line of 100 MB', () => {
    const { entries } = readSession(
      lines(header, message('m1', 'x'.repeat(100_000_000)), message('m2', 'hi')),
    );
    expect(entries).toHaveLength(2);
  });

  it("does not let a file change an object's prototype", () => {
    const line = `{"type":"message","message":${JSON.stringify(typed('m1', 'hi')).replace(
      /^\{/,
      '{"__proto__":{"role":"tool"},"extra":{"__proto__":{"x":1},"y":2},',
    )}}`;
    const { entries } = readSession(lines(header, line));
    expect(entries).toEqual([{ type: 'message', message: { ...typed('m1', 'hi'), extra: { y: 2 } } }]);
    expect(line).toContain('__proto__');
    expect(Object.prototype).not.toHaveProperty('x');
  });

  it('ignores the streamed pieces of a complete reply', () => {
    const session = readSession(
      lines(header, message('m1', 'hi'), { type: 'partial', messageId: 'm1', text: 'once more' }),
    );
    expect(session.unfinished).toBeUndefined();
  });

  it('restores the text of a reply that was never finished', () => {
    const session = readSession(
      lines(
        header,
        { type: 'partial', messageId: 'm2', text: 'half ' },
        { type: 'partial', messageId: 'm2', text: 'a reply' },
      ),
    );
    expect(session.unfinished).toEqual({ messageId: 'm2', text: 'half a reply' });
  });

  it('ignores streamed text once the complete message follows', () => {
    const session = readSession(
      lines(
        header,
        { type: 'partial', messageId: 'm2', text: 'half' },
        { type: 'message', message: said('m2', 'whole') },
      ),
    );
    expect(session.unfinished).toBeUndefined();
  });

  it('states how the last turn ended unless messages follow it', () => {
    const stopped: SessionEvent = { type: 'turn', outcome: 'stopped', message: 'Stopped.' };
    expect(readSession(lines(header, stopped)).lastTurn).toEqual(stopped);
    expect(readSession(lines(header, stopped, message('m1', 'again'))).lastTurn).toBeUndefined();
  });

  it('reads a long session in one pass', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => message(`m${index}`, 'x'));
    expect(readSession(lines(header, ...many)).entries).toHaveLength(20_000);
  });
});

describe('a session of our own', () => {
  it('is recognised by its first line', () => {
    const { transcript } = importTranscript(lines(header, message('m1', 'hi')));
    expect(transcript.view).toHaveLength(1);
  });

  it('is refused if it contains no event of a session', () => {
    expect(() => importTranscript('{"type":"music"}', 'session')).toThrow(
      'Line 1: expected a Context Budget session, JSON lines that begin with "type": "session"',
    );
  });
});
