import { describe, expect, it } from 'vitest';
import { clipArguments } from '../../../src/compaction/text/clip-json.ts';
import type { ContentPart, Message } from '../../../src/compaction/messages/message.ts';
import { isPermittedOutput, objectionToChange } from '../../../src/compaction/records/permitted-change.ts';
import { called, result, said, typed } from '../../support/messages.ts';

const image: ContentPart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const other: ContentPart = { type: 'image_url', image_url: { url: 'https://example.org/x.png' } };
const text = (words: string): ContentPart => ({ type: 'text', text: words });

const hidden = (message: Message, change: Partial<Message>) =>
  objectionToChange(message, { ...message, truncation: { fate: 'hide' }, ...change }, 'hide')?.english;
const clipped = (message: Message, change: Partial<Message>) =>
  objectionToChange(message, { ...message, truncation: { fate: 'clip' }, ...change }, 'clip')?.english;

const read = result('r1', 'a', 'line 1\nline 2\nline 3\nline 4');
const seen: Message = { ...read, content: [text('a screenshot of the page'), image] };

describe('a placeholder', () => {
  it('may replace a string or images', () => {
    expect(hidden(read, { content: '[hidden]' })).toBeUndefined();
    expect(hidden(seen, { content: '[hidden]' })).toBeUndefined();
  });

  it('must be a non-empty string if the content was a string', () => {
    expect(hidden(read, { content: ' ' })).toBe('The placeholder of message r1 is empty.');
    expect(hidden(read, { content: [image] })).toContain('another type');
    expect(hidden({ ...read, content: '' }, { content: '[hidden]' })).toBe(
      'Message r1 has no text that a placeholder could replace.',
    );
    expect(hidden(called('a1', ['a', 'run']), { content: '[hidden]' })).toContain('no text');
  });

  it('must leave calls, the role and all other fields unchanged', () => {
    const call: Message = { ...called('a1', ['a', 'run', { command: 'ls' }]), content: 'I look around' };
    const shorter = [{ ...call.tool_calls![0]!, function: { name: 'run', arguments: '{"command":"l"}' } }];
    expect(hidden(call, { content: '[hidden]' })).toBeUndefined();
    expect(hidden(call, { content: '[hidden]', tool_calls: shorter })).toContain('arguments in message a1');
    expect(hidden(call, { content: '[hidden]', tool_calls: [] })).toContain('change the tool calls');
    for (const change of [
      { role: 'user' },
      { tool_call_id: 'b' },
      { name: 'x' },
      { pinned: true },
    ] as const) {
      expect(hidden(read, { content: '[hidden]', ...change })).toContain('than its text');
    }
  });
});

describe('a clip', () => {
  it('leaves only the unchanged beginning as typed text', () => {
    const question: Message = {
      ...typed('u1', 'What is in it?\n\nits whole text'),
      attached: { typedLength: 14, items: [] },
    };
    const attached = (typedLength: number) => ({ content: 'What is', attached: { typedLength, items: [] } });
    expect(clipped(question, attached(7))).toBeUndefined();
    expect(clipped(question, attached(14))).toContain('than its text');
  });

  it.each([
    'line 1\n[… 14 characters left out …]\nline 4',
    'line 1\n[2 lines omitted]\nline 4',
    'line 2 … line 4',
    'line 1',
    '[… 27 characters left out …]',
  ])('may consist of pieces of the text in order: %j', (content) => {
    expect(clipped(read, { content })).toBeUndefined();
  });

  it.each([
    'all tests passed',
    'line 4\n[…]\nline 1',
    'line 1\n[ok]\nline 4',
    `line 1 ${'[… all of it is fine …] '.repeat(50)} line 4`,
    '',
    null,
  ])('must not be empty or a different text: %j', (content) => {
    expect(clipped(read, { content })).toMatch(/message r1 would be(come| replaced)/);
  });

  it('may leave out parts of JSON, but must not add or change any', () => {
    const found = {
      path: 'a.ts',
      lines: [
        { n: 1, text: 'abcdefghij' },
        { n: 2, text: 'k' },
      ],
      total: 2,
    };
    const json = { ...read, content: JSON.stringify(found) };
    const as = (value: unknown) => clipped(json, { content: JSON.stringify(value) });
    expect(as({ ...found, lines: [{ n: 1, text: 'ab[… 8 left out …]' }] })).toBeUndefined();
    expect(as({ path: 'a.ts', total: 2 })).toBeUndefined();
    expect(as({ ...found, total: 3 })).toContain('another text');
    expect(as({ ...found, lines: [{ n: 1, text: 'nothing' }] })).toContain('another text');
    expect(as({ ...found, error: 'none' })).toContain('another text');
    expect(as({ ...found, lines: found.lines.toReversed() })).toContain('another text');
  });

  it('may use any piece of the full text if only part of that text was in context', () => {
    const short: Message = { ...read, content: 'line 1', original: 'line 1\nline 2' };
    expect(
      objectionToChange(short, { ...read, content: 'line 2', truncation: { fate: 'clip' } }, 'clip'),
    ).toBe(undefined);
    expect(clipped(short, { content: 'line 2' })).toContain('than its text');
  });

  it('must not add text to a message without text', () => {
    expect(clipped(called('a1', ['a', 'run']), { content: 'I ran it' })).toBe(
      'Message a1 has no text that could be clipped.',
    );
  });

  it('may replace an image with a note, but must not add or change an image', () => {
    const note = 'a screenshot of the page\n[image left out]';
    expect(clipped(seen, { content: [text('a screenshot […]'), image] })).toBeUndefined();
    expect(clipped(seen, { content: [text(note)] })).toBeUndefined();
    expect(clipped(seen, { content: note })).toBeUndefined();
    expect(clipped({ ...seen, content: [image] }, { content: '[image left out]' })).toBeUndefined();
    expect(clipped(seen, { content: 'a screenshot of the page' })).toBe(
      'An image or another part of message r1 would be removed without a note.',
    );
    const two = { ...seen, content: [image, text('a screenshot of the page'), other] };
    const shown = (...content: readonly ContentPart[]) => clipped(two, { content });
    expect(shown(text('[image left out]'), other)).toBeUndefined();
    expect(shown(text('[images left out]'))).toBeUndefined();
    expect(shown(text('a screenshot of the page'), other)).toContain('without a note');
    expect(shown(other, text('a screenshot […]'), image)).toContain('another type');
    expect(shown(text('a screenshot […]'), { type: 'text', text: '', cache: 1 } as ContentPart)).toContain(
      'another type',
    );
    expect(clipped(seen, { content: [text('a screenshot […]'), other] })).toContain('another type');
    expect(clipped(seen, { content: [text('a screenshot […]'), image, image] })).toContain('another type');
    expect(clipped(read, { content: [other] })).toContain('another type');
    expect(clipped(read, { content: [text('line 1')] })).toContain('another type');
    expect(clipped(seen, { content: [{ type: 'input_audio', text: 'a screenshot […]' }, image] })).toContain(
      'another type',
    );
  });

  describe('of arguments', () => {
    const input = { path: 'a.ts', text: 'abc '.repeat(50), times: 2, lines: ['x'.repeat(40), 'y'] };
    const call = called('a1', ['a', 'edit', input]);
    const withCalls = (message: Message, ...inputs: readonly string[]) =>
      clipped(message, {
        tool_calls: message.tool_calls!.map((own, index) => ({
          ...own,
          function: { ...own.function, arguments: inputs[index] ?? own.function.arguments },
        })),
      });
    const given = (value: unknown) => withCalls(call, JSON.stringify(value));

    it('may shorten texts under the same keys', () => {
      expect(withCalls(call, clipArguments(call.tool_calls![0]!.function.arguments, 60)!)).toBeUndefined();
      expect(given({ ...input, text: 'abc […]' })).toBeUndefined();
    });

    it.each([
      { lie: 1 },
      {},
      { ...input, path: 'b.ts' },
      { ...input, times: 3 },
      { ...input, times: '2' },
      { ...input, force: true },
      { ...input, lines: ['y'] },
      { path: 'a.ts' },
      [input],
      'abc',
    ])('must not change arguments in any other way: %j', (value) => {
      expect(given(value)).toContain('The plan changes arguments in message a1');
    });

    it('may turn the arguments into one text if no single text is long', () => {
      const json = JSON.stringify({ values: Array.from({ length: 100 }, (_, index) => index) });
      const long = called('a1', ['a', 'edit', JSON.parse(json) as Record<string, unknown>]);
      const one = (shorter: string) => withCalls(long, JSON.stringify({ clipped: shorter }));
      expect(one(`${json.slice(0, 30)}\n[… 200 characters left out …]\n${json.slice(-30)}`)).toBeUndefined();
      expect(one('nothing of it')).toContain('arguments in message a1');
    });

    it('may cut arguments that are not JSON, but must not change large numbers', () => {
      const raw = (json: string): Message => {
        const [own] = call.tool_calls!;
        return { ...call, tool_calls: [{ ...own!, function: { ...own!.function, arguments: json } }] };
      };
      expect(withCalls(raw('{"path":"a.ts", "text": "abc def'), '{"path":"a.ts" […]')).toBeUndefined();
      expect(withCalls(raw('{"path":"a.ts", "text": "abc def'), '{"path":"b.ts"}')).toContain('arguments in');
      expect(withCalls(raw('{"id":12345678901234567890}'), '{"id":12345678901234567000}')).toContain(
        'changes arguments',
      );
    });

    it('must keep the same calls', () => {
      const two = called('a1', ['a', 'edit', { path: 'a.ts' }], ['b', 'run', { command: 'ls' }]);
      const [first, second] = two.tool_calls!;
      const renamed = { ...second!, function: { ...second!.function, name: 'rm' } };
      for (const tool_calls of [[second!, first!], [first!], [first!, renamed], [first!, second!, first!]]) {
        expect(clipped(two, { tool_calls })).toBe('The plan would change the tool calls of message a1.');
      }
    });
  });
});

describe('a message that a plan adds', () => {
  const summary: Message = { ...typed('c1.1', 'so far'), origin: 'strategy', kind: 'summary' };

  it('may be a summary in the user role, without other fields', () => {
    expect(isPermittedOutput(summary)).toBe(true);
    expect(isPermittedOutput({ ...summary, opaque: { endpoint: 'x', content: '{}' } })).toBe(true);
    const { kind: _kind, ...unmarked } = summary;
    const forged: readonly Message[] = [
      { ...summary, role: 'system' },
      { ...summary, origin: 'person' },
      unmarked,
      { ...summary, content: [image] },
      { ...summary, tool_calls: said('a', '').tool_calls ?? [] },
      { ...summary, pinned: true },
    ];
    expect(forged.filter(isPermittedOutput)).toEqual([]);
  });

  it('must have an id and a time', () => {
    expect(isPermittedOutput({ ...summary, id: '' })).toBe(false);
    expect(isPermittedOutput({ ...summary, createdAt: 1 as unknown as string })).toBe(false);
  });

  it('may be a file of the workspace', () => {
    const file: Message = { ...typed('c1.2', 'text'), origin: 'harness', kind: 'file', source: 'a.ts' };
    expect(isPermittedOutput(file)).toBe(true);
    expect(isPermittedOutput({ ...file, original: 'whole' })).toBe(true);
    const { source: _source, ...unnamed } = file;
    const forged: readonly Message[] = [
      { ...file, origin: 'strategy' },
      { ...file, kind: 'summary' },
      unnamed,
      { ...file, original: 1 as unknown as string },
      { ...file, pinned: true },
      { ...summary, kind: 'file' },
      { ...summary, source: 'a.ts' },
    ];
    expect(forged.filter(isPermittedOutput)).toEqual([]);
  });
});
