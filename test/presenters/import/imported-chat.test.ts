import { beforeAll, describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/compaction/signals/cancellation.ts';
import { textOf } from '../../../src/compaction/messages/message.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { messagesOf, recordsOf, transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { tagSuffixFrom } from '../../../src/compaction/quoting/session-tags.ts';
import { summaryText } from '../../../src/compaction/summary/summary-form.ts';
import { readImportedChat } from '../../../src/presenters/import/imported-chat.ts';
import {
  claudeCodeSession,
  firstQuestion,
  forgottenFile,
  laterQuestion,
  rememberedFile,
} from '../../support/claude-code-session.ts';
import { createMeter } from '../../support/engine.ts';

describe('an imported session of another agent', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });
  const read = (text: string, signal = new AbortController().signal) =>
    readImportedChat(text, 'file-name', { meter, systemPrompt: () => 'our rules' }, signal);
  const chatFile = (...messages: readonly object[]) => JSON.stringify({ messages });

  it('is named after the first typed message', async () => {
    expect((await read(claudeCodeSession)).title).toBe(firstQuestion);
  });

  it('is named after the file if nothing was typed', async () => {
    const { title } = await read(chatFile({ role: 'assistant', content: 'Hello.' }));
    expect(title).toBe('file-name');
  });

  it("has the agent's compactions as records, with the lost facts", async () => {
    const { entries } = await read(claudeCodeSession);
    const [record] = recordsOf({ entries });
    expect(record).toMatchObject({ actualStrategy: 'claude-code', status: 'applied' });
    expect(record?.coverage.files).toEqual({ kept: 1, total: 2, missing: [forgottenFile] });
    const view = transcriptOf(entries).view.map(({ content }) => textOf(content));
    expect(view[1]).toContain(rememberedFile);
    expect(view.slice(2)).toEqual([laterQuestion, 'It will, once they reach it.']);
  });

  it('starts with our system message if the file has none, and keeps its compactions in place', async () => {
    const { entries } = await read(claudeCodeSession);
    const [first, second] = messagesOf({ entries });
    expect([first?.role, first?.content, second?.content]).toEqual(['system', 'our rules', firstQuestion]);
    const place = entries.findIndex(({ type }) => type === 'compaction');
    expect(entries[place + 1]).toMatchObject({ message: { content: laterQuestion } });
    const [record] = recordsOf({ entries });
    expect(record?.before.messages).toBe(place);
  });

  it("has the agent's messages after our system message", async () => {
    const entry = (id: string, parentId: string | null, more: object) =>
      JSON.stringify({ id, parentId, timestamp: '2026-01-01T00:00:00.000Z', ...more });
    const said = (id: string, parentId: string | null, role: string, content: string) =>
      entry(id, parentId, { type: 'message', message: { role, content: [{ type: 'text', text: content }] } });
    const session = [
      JSON.stringify({
        type: 'session',
        version: 3,
        id: 's',
        timestamp: '2026-01-01T00:00:00.000Z',
        cwd: '/',
      }),
      said('1', null, 'user', 'one'),
      said('2', '1', 'assistant', 'two'),
      said('3', '2', 'user', 'three'),
      entry('4', '3', { type: 'compaction', summary: 'notes', firstKeptEntryId: '3', tokensBefore: 9 }),
    ].join('\n');
    const { view } = transcriptOf((await read(session)).entries);
    expect(view.map(({ content }) => textOf(content))).toEqual([
      'our rules',
      summaryText('notes', tagSuffixFrom(session)),
      'three',
    ]);
  });

  it('keeps a system message of its own, and gets no second one', async () => {
    const { entries } = await read(
      chatFile({ role: 'system', content: 'their rules' }, { role: 'user', content: 'hi' }),
    );
    expect(messagesOf({ entries }).map(({ content }) => content)).toEqual(['their rules', 'hi']);
  });

  it('reports unreadable parts', async () => {
    const { problems } = await read(`${claudeCodeSession}{"type":"us`);
    expect(problems).toEqual([expect.stringMatching(/^Line \d+ was skipped/)]);
  });

  it('is refused if the format is unknown, with a list of known formats', async () => {
    await expect(read('dear diary')).rejects.toThrow(
      /not a transcript in a known format \(.*claude-code.*\)/,
    );
  });

  it('is refused if it has no messages', async () => {
    await expect(read(chatFile())).rejects.toThrow('There are no messages in this session.');
  });

  it('is not counted further after cancellation', async () => {
    const stopper = new AbortController();
    const stuck = new UsageMeter(
      {
        count: () => {
          stopper.abort();
          return new Promise(() => {});
        },
      },
      { countsReasoning: false },
    );
    const reading = readImportedChat(
      claudeCodeSession,
      'file-name',
      { meter: stuck, systemPrompt: () => 'our rules' },
      stopper.signal,
    );
    await expect(reading).rejects.toThrow(CancelledError);
  });
});
