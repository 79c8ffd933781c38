import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/compaction/message.ts';
import { messagesOf } from '../../src/compaction/transcript.ts';
import { soundImport } from '../../src/transcripts/sound-import.ts';
import { called, entriesOf, result, typed } from '../support/messages.ts';

const read = (...messages: readonly Message[]) =>
  soundImport({ entries: entriesOf(messages), tools: [], compactions: [], problems: ['one thing'] });
const picture = (url: unknown) => ({ type: 'image_url', image_url: { url } });

describe('every import', () => {
  it('stays as it is where nothing is wrong with it', () => {
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
    'has a mark in place of a picture whose data is %j, and says so',
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

  it('names the results that no call stands before', () => {
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
