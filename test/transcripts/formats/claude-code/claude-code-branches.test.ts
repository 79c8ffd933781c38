import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { claudeCodeFormat } from '../../../../src/transcripts/formats/claude-code/claude-code-format.ts';
import { conversationsOf } from '../../../../src/transcripts/formats/claude-code/claude-code-branches.ts';
import type { Fields } from '../../../../src/transcripts/reading/fields.ts';

interface Row {
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly [key: string]: unknown;
}

const read = (...rows: readonly object[]) =>
  claudeCodeFormat.parse(rows.map((row) => JSON.stringify(row)).join('\n'));
const said = (imported: ReturnType<typeof read>) => messagesOf(imported).map(({ content }) => content);

const person = (uuid: string, parentUuid: string | null, content: unknown, more: object = {}): Row => ({
  uuid,
  parentUuid,
  sessionId: 's1',
  type: 'user',
  message: { role: 'user', content },
  ...more,
});
const reply = (uuid: string, parentUuid: string, content: string, more: object = {}): Row => ({
  uuid,
  parentUuid,
  sessionId: 's1',
  type: 'assistant',
  message: { id: `reply-${uuid}`, role: 'assistant', content: [{ type: 'text', text: content }] },
  ...more,
});
const calling = (uuid: string, parentUuid: string, replyId: string, callId: string): Row => ({
  uuid,
  parentUuid,
  type: 'assistant',
  message: {
    id: replyId,
    role: 'assistant',
    content: [{ type: 'tool_use', id: callId, name: 'Read', input: {} }],
  },
});
const result = (uuid: string, parentUuid: string, callId: string, content: string) =>
  person(uuid, parentUuid, [{ type: 'tool_result', tool_use_id: callId, content }]);

describe('the conversations of a Claude Code file', () => {
  it('contain each row once, even if the file repeats it', () => {
    const rows = [person('a', null, 'one'), reply('b', 'a', 'two'), person('c', 'b', 'three')];
    expect(said(read(...rows, rows[0]!, rows[1]!))).toEqual(['one', 'two', 'three']);
  });

  it('continue from the message to which the user returned, and have the abandoned messages as a branch', () => {
    const imported = read(
      person('a', null, 'one'),
      reply('b', 'a', 'two'),
      person('c', 'b', 'wrong way'),
      reply('d', 'c', 'as you like'),
      person('e', 'b', 'right way'),
      reply('f', 'e', 'done'),
    );
    expect(said(imported)).toEqual(['one', 'two', 'right way', 'done']);
    expect(imported.others).toMatchObject([{ kind: 'branch', id: 'd', opening: 'wrong way' }]);
    expect(said(imported.others![0]!.read())).toEqual(['one', 'two', 'wrong way', 'as you like']);
  });

  it('treat a repeated reply as a branch', () => {
    const imported = read(
      person('a', null, 'one'),
      reply('b', 'a', 'first try'),
      reply('c', 'a', 'second try'),
    );
    expect(said(imported)).toEqual(['one', 'second try']);
    expect(imported.others).toMatchObject([{ kind: 'branch', opening: 'first try' }]);
  });

  it('start with the newest of several first messages', () => {
    const imported = read(person('a', null, 'one'), reply('b', 'a', 'two'), person('c', null, 'another'));
    expect(said(imported)).toEqual(['another']);
    expect(imported.others).toMatchObject([{ opening: 'one' }]);
  });

  it('include branches of branches, newest first', () => {
    const imported = read(
      person('a', null, 'one'),
      person('b', 'a', 'two'),
      person('c', 'b', 'three'),
      person('d', 'b', 'four'),
      person('e', 'a', 'five'),
    );
    expect(said(imported)).toEqual(['one', 'five']);
    expect(imported.others?.map((other) => said(other.read()))).toEqual([
      ['one', 'two', 'four'],
      ['one', 'two', 'three'],
    ]);
  });

  it('keep all results of parallel calls, even under different parents', () => {
    const imported = read(
      person('a', null, 'look'),
      calling('b', 'a', 'r1', 'c1'),
      calling('c', 'b', 'r1', 'c2'),
      result('d', 'b', 'c1', 'alpha'),
      { type: 'progress', uuid: 'p', parentUuid: 'd' },
      result('e', 'c', 'c2', 'beta'),
      reply('f', 'd', 'Both seen.'),
    );
    expect(said(imported)).toEqual(['look', null, 'alpha', 'beta', 'Both seen.']);
    expect(imported.others).toEqual([]);
  });

  it('omit the earlier result of a repeated call, and the replies to that result', () => {
    const imported = read(
      person('a', null, 'look'),
      calling('b', 'a', 'r1', 'c1'),
      result('c', 'b', 'c1', 'refused'),
      person('d', 'c', 'stop'),
      result('e', 'b', 'c1', 'alpha'),
      reply('f', 'e', 'Seen.'),
    );
    expect(said(imported)).toEqual(['look', null, 'alpha', 'Seen.']);
    expect(said(imported.others![0]!.read())).toEqual(['look', null, 'refused', 'stop']);
  });

  it('continue across compactions and missing parents', () => {
    const imported = read(
      person('a', null, 'one'),
      reply('b', 'a', 'two'),
      {
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'c',
        parentUuid: null,
        logicalParentUuid: 'b',
      },
      person('d', 'c', 'We began.', { isCompactSummary: true }),
      person('e', 'nowhere', 'three'),
    );
    expect(said(imported)).toEqual(['one', 'two', 'three']);
    expect(imported.compactions).toMatchObject([{ beforeMessageIndex: 2 }]);
    expect(imported.others).toEqual([]);
  });

  it('omit a compaction of an abandoned branch', () => {
    const imported = read(
      person('a', null, 'one'),
      person('b', 'a', 'two'),
      { type: 'system', subtype: 'compact_boundary', uuid: 'c', parentUuid: null, logicalParentUuid: 'b' },
      person('d', 'c', 'We began.', { isCompactSummary: true }),
      person('e', 'a', 'three'),
    );
    expect(said(imported)).toEqual(['one', 'three']);
    expect(imported.compactions).toEqual([]);
    expect(imported.others![0]!.read().compactions).toHaveLength(1);
  });

  it('include one conversation for each sub-agent in the file', () => {
    const side = { isSidechain: true };
    const imported = read(
      person('a', null, 'ask both'),
      person('s1', null, 'find A', side),
      person('s2', null, 'find B', { ...side, agentId: 'b2' }),
      reply('s3', 's1', 'A found', side),
      reply('s4', 's2', 'B found', { ...side, agentId: 'b2' }),
      reply('b', 'a', 'both done'),
    );
    expect(said(imported)).toEqual(['ask both', 'both done']);
    expect(imported.others).toMatchObject([
      { kind: 'sub-agent', id: 's1', opening: 'find A' },
      { kind: 'sub-agent', id: 'b2', opening: 'find B' },
    ]);
    expect(imported.others?.map((other) => said(other.read()))).toEqual([
      ['find A', 'A found'],
      ['find B', 'B found'],
    ]);
  });

  it("contain only the sub-agent's conversation if the file contains nothing else", () => {
    const side = { isSidechain: true, agentId: 'a1' };
    const imported = read(person('a', null, 'find it', side), reply('b', 'a', 'found', side));
    expect(said(imported)).toEqual(['find it', 'found']);
    expect(imported.others).toEqual([]);
  });

  it('contain each row once, even if two rows name each other as parents', () => {
    const imported = read(person('a', 'b', 'one'), person('b', 'a', 'two'));
    expect(said(imported)).toEqual(['one', 'two']);
  });
});

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const anyMessage = fc.oneof(
  fc.record({ content: fc.constant('a prompt') }),
  fc.record({ id, content: fc.constant([{ type: 'text', text: 'a reply' }]) }),
  id.map((call) => ({ content: [{ type: 'tool_result', tool_use_id: call }] })),
);
const anyRow: fc.Arbitrary<Fields> = fc.record(
  {
    type: fc.constantFrom('user', 'assistant', 'system'),
    uuid: fc.oneof(fc.uuid(), id),
    parentUuid: fc.option(id),
    logicalParentUuid: id,
    isSidechain: fc.boolean(),
    isMeta: fc.boolean(),
    isApiErrorMessage: fc.boolean(),
    message: anyMessage,
  },
  { requiredKeys: ['type'] },
);

it('finds the same conversations in a file that grows as in the whole file', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 12 }), (rows) => {
      const events = rows.map((fields, index) => ({ line: index + 1, fields }));
      for (let length = 1; length <= events.length; length++) {
        const soFar = events.slice(0, length);
        expect(conversationsOf(soFar)).toEqual(conversationsOf(structuredClone(soFar)));
      }
    }),
    { numRuns: 300 },
  );
});
