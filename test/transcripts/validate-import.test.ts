import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/compaction/messages/message.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { openaiFormat } from '../../src/transcripts/formats/openai-format.ts';
import type { ForeignCompaction } from '../../src/transcripts/reading/transcript-format.ts';
import { validateImport, withResultsBehindCalls } from '../../src/transcripts/validate-import.ts';
import { called, entriesOf, result, typed } from '../support/messages.ts';

describe('validateImport', () => {
  const read = (...messages: readonly Message[]) =>
    validateImport({ entries: entriesOf(messages), tools: [], compactions: [], problems: ['one thing'] });
  const picture = (url: unknown) => ({ type: 'image_url', image_url: { url } });

  describe('an import', () => {
    it('is unchanged if it is valid', () => {
      const messages = [
        {
          ...typed('m1', ''),
          content: [picture('data:image/png;base64,AA=='), picture('https://a.example/b.png')],
        },
        called('m2', ['c1', 'read_file']),
        result('m3', 'c1', 'text'),
      ];
      const imported = read(...messages);
      expect(messagesOf(imported)).toEqual(messages);
      expect(imported.problems).toEqual(['one thing']);
    });

    it.each(['', ' ', 'data:image/png;base64,', 'data:image/png;base64', undefined, 3])(
      'has a placeholder and a warning for a picture whose data is %j',
      (url) => {
        const shown = { type: 'text', text: 'see' };
        const imported = read({ ...typed('m1', ''), content: [shown, picture(url)] });
        expect(messagesOf(imported)[0]?.content).toEqual([shown, { type: 'text', text: '[image]' }]);
        expect(imported.problems).toEqual([
          'one thing',
          'A picture in message m1 was skipped: it has no data.',
        ]);
      },
    );

    it('has a warning for each result without an earlier call', () => {
      const { problems } = read(
        result('m1', 'c1', 'early'),
        called('m2', ['c1', 'x']),
        result('m3', 'c1', 'a'),
        result('m4', 'c1', 'b'),
      );
      expect(problems).toEqual([
        'one thing',
        'Message m1 was skipped: a tool result has a call before it.',
        'Message m4 was skipped: a tool result has a call before it.',
      ]);
    });
  });
});

describe('withResultsBehindCalls', () => {
  const user = (content: string) => ({ role: 'user', content });
  const call = (...ids: readonly string[]) => ({
    role: 'assistant',
    content: null,
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'run', arguments: '{}' } })),
  });
  const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
  const ordered = (messages: readonly object[], compactions: readonly ForeignCompaction[] = []) =>
    withResultsBehindCalls(openaiFormat.parse(JSON.stringify({ messages, compactions })));
  const contents = (...messages: readonly object[]) =>
    messagesOf(ordered(messages)).map(({ content }) => content);

  describe('results', () => {
    it('directly follow their call, before the messages that came between', () => {
      expect(contents(call('a', 'b'), result('a', 'A'), user('wait'), result('b', 'B'))).toEqual([
        null,
        'A',
        'B',
        'wait',
      ]);
    });

    it('follow their call, even if the file has them before the call', () => {
      expect(contents(user('go'), result('a', 'A'), call('a'), user('on'))).toEqual(['go', null, 'A', 'on']);
    });

    it('belong to the nearest earlier call if an id is reused', () => {
      expect(contents(call('a'), result('a', 'A'), call('a'), user('wait'), result('a', 'B'))).toEqual([
        null,
        'A',
        null,
        'B',
        'wait',
      ]);
    });

    it('stay in place if they have no call', () => {
      expect(contents(user('go'), result('z', 'Z'), user('on'))).toEqual(['go', 'Z', 'on']);
    });

    it('shift the positions of compactions', () => {
      const compactions = [{ beforeMessageIndex: 2, keptFromIndex: 1, summary: 'So far.' }];
      const messages = [user('go'), call('a'), user('wait'), result('a', 'A'), user('on')];
      const moved = ordered(messages, compactions);
      expect(moved.compactions).toMatchObject([{ beforeMessageIndex: 3, keptFromIndex: 1 }]);
      const imported = openaiFormat.parse(JSON.stringify(messages));
      const kept = [{ beforeMessageIndex: 5, alsoKept: [2, 3], summary: 'So far.' }];
      expect(withResultsBehindCalls({ ...imported, compactions: kept }).compactions).toMatchObject([
        { beforeMessageIndex: 5, alsoKept: [3, 2] },
      ]);
    });

    it('leave the session unchanged if all results are already in order', () => {
      const imported = openaiFormat.parse(JSON.stringify([call('a'), result('a', 'A')]));
      expect(withResultsBehindCalls(imported)).toBe(imported);
    });
  });
});
