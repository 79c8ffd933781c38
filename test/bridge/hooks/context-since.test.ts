import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextSince } from '../../../src/bridge/hooks/context-since.ts';
import { textOf } from '../../../src/compaction/messages/message.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'since-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The context since a position in a session, as texts. */
async function since(session: string, before: number | undefined, format: string) {
  const path = join(folder, 's.jsonl');
  await writeFile(path, session);
  const context = await contextSince(path, before, format);
  if (typeof context === 'string') return context;
  const view = context.view.map(({ role, content }) => `${role}: ${textOf(content)}`);
  return { compaction: context.compaction, view, errors: context.errors.map(({ text }) => text) };
}

const timestamp = '2026-02-03T04:05:06.000Z';

describe('the context after a compaction of Codex', () => {
  const line = (type: string, payload: object) => `${JSON.stringify({ timestamp, type, payload })}\n`;
  const message = (role: string, text: string) => ({
    type: 'message',
    role,
    content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
  });
  const says = (role: string, text: string) => line('response_item', message(role, text));
  const runs = (id: string, command: string, output: string) =>
    line('response_item', {
      type: 'function_call',
      call_id: id,
      name: 'shell',
      arguments: JSON.stringify({ command: ['bash', '-lc', command] }),
    }) + line('response_item', { type: 'function_call_output', call_id: id, output });
  const begun =
    line('session_meta', { id: 's1', cwd: '/p' }) +
    says('user', 'Make it faster') +
    runs('c1', 'npm test', 'TypeError: x is undefined') +
    says('user', 'And smaller');
  const compacted = (summary: string) =>
    line('compacted', { message: summary, replacement_history: [message('user', 'And smaller')] });

  it('has the summary, the kept messages and all later messages', async () => {
    const session = begun + compacted('We ran tests.') + says('assistant', 'I continue.');
    const context = { view: ['user: We ran tests.', 'user: And smaller', 'assistant: I continue.'] };
    expect(await since(session, begun.length, 'codex')).toMatchObject(context);
    expect(await since(session, undefined, 'codex')).toMatchObject(context);
    expect(await since(session, 0, 'codex')).toMatchObject(context);
  });

  it('is that of the last compaction', async () => {
    const session = begun + compacted('First.') + says('assistant', 'On.') + compacted('Second.');
    expect(await since(session, begun.length, 'codex')).toMatchObject({
      compaction: `${timestamp}\nSecond.`,
      view: ['user: Second.', 'user: And smaller'],
    });
  });

  it('has the open errors of calls and results, and none that anybody only mentions', async () => {
    const session =
      begun +
      compacted('We ran tests.') +
      says('user', 'RangeError: pasted') +
      says('assistant', 'Error: only mentioned') +
      runs('c2', 'npm run lint', 'SyntaxError: bad');
    expect(await since(session, begun.length, 'codex')).toMatchObject({
      errors: ['TypeError: x is undefined', 'SyntaxError: bad'],
    });
  });

  it('is not there yet before the agent continues', async () => {
    expect(await since(begun, begun.length, 'codex')).toBe('not yet');
    expect(await since(begun + says('user', 'Go on'), begun.length, 'codex')).toBe('not yet');
    expect(await since('', 0, 'codex')).toBe('not yet');
  });

  it('never comes if the agent continues without a summary', async () => {
    expect(await since(begun + says('assistant', 'On.'), begun.length, 'codex')).toBe('never');
  });

  it('is not that of a compaction before the announced one', async () => {
    const session = begun + compacted('First.');
    expect(await since(session, session.length, 'codex')).toBe('not yet');
    expect(await since(session + says('assistant', 'On.'), session.length, 'codex')).toBe('never');
  });

  it('waits for a summary if no compaction was announced', async () => {
    expect(await since(begun + says('assistant', 'On.'), undefined, 'codex')).toBe('not yet');
  });
});

describe('the context after a compaction of Copilot CLI without a summary in the file', () => {
  let events = 0;
  const line = (type: string, data: object) =>
    `${JSON.stringify({ type, data, id: `e${++events}`, timestamp, parentId: null })}\n`;
  const views = (id: string, path: string, success = true) =>
    line('assistant.message', {
      messageId: id,
      content: '',
      toolRequests: [{ toolCallId: id, name: 'view', arguments: { path } }],
    }) +
    line('tool.execution_complete', {
      toolCallId: id,
      success,
      ...(success ? { result: { content: 'text' } } : { error: { message: 'Error: no such file' } }),
    });
  const begun =
    line('session.start', { sessionId: 's1', version: 1, producer: 'copilot-agent' }) +
    line('user.message', { content: 'Make it faster' }) +
    views('c1', 'a.ts');
  const start = line('session.compaction_start', {});
  const end = (success: boolean) => line('session.compaction_complete', { success });
  const after = (...later: readonly string[]) => since(begun + later.join(''), begun.length, 'copilot-cli');

  it('has the messages since the announcement', async () => {
    const later = { compaction: `after ${begun.length}`, view: ['assistant: ', 'tool: text'] };
    expect(await after(views('c2', 'b.ts'))).toMatchObject(later);
    expect(await after(start, end(true), views('c2', 'b.ts'))).toMatchObject(later);
  });

  it('is there although a tool failed after the compaction', async () => {
    const failed = { view: ['assistant: ', expect.stringContaining('no such file')] };
    expect(await after(start, end(true), views('c2', 'b.ts', false))).toMatchObject(failed);
    expect(await after(views('c2', 'b.ts', false))).toMatchObject(failed);
  });

  it('is not there while a compaction runs', async () => {
    expect(await after(start, views('c2', 'b.ts'))).toBe('not yet');
    expect(await after(start, end(true), start, views('c2', 'b.ts'))).toBe('not yet');
  });

  it('never comes if the last compaction failed, also at the very end of the file', async () => {
    expect(await after(start, end(false), views('c2', 'b.ts'))).toBe('never');
    expect(await after(start, views('c2', 'b.ts'), end(false))).toBe('never');
    expect(await after(start, views('c2', 'b.ts'), end(false).trimEnd())).toBe('never');
  });
});
