import { appendFile, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { updateNotes } from '../../../src/bridge/hooks/session-notes.ts';

const row = (uuid: string, type: string, content: readonly object[]) =>
  `${JSON.stringify({ uuid, parentUuid: uuid === '1' ? null : '1', sessionId: 's', type, message: { role: type, id: uuid, content } })}\n`;
const call = row('1', 'assistant', [
  { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'npm ci' } },
]);
const answer = (isError: boolean, content: string) =>
  row('2', 'user', [{ type: 'tool_result', tool_use_id: 'a', content, is_error: isError }]);

async function notesOf(...appended: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'notes-'));
  const path = join(folder, 's.jsonl');
  await writeFile(path, '');
  let notes;
  for (const lines of appended) {
    await appendFile(path, lines);
    notes = await updateNotes(join(folder, 'notes'), path);
  }
  return notes?.ledger;
}

describe('notes on a session', () => {
  it('list a call without a result as pending', async () => {
    const ledger = await notesOf(call);
    expect(ledger).toMatchObject({ commands: [], notRun: [{ text: 'npm ci', end: 'pending' }] });
  });

  it('state how a call ended once its result was read', async () => {
    expect(await notesOf(call, answer(false, 'ok'))).toMatchObject({
      commands: [{ command: 'npm ci' }],
      notRun: [],
    });
    const rejected = "The user doesn't want to proceed with this tool use.";
    expect(await notesOf(call, answer(true, rejected))).toMatchObject({
      commands: [],
      notRun: [{ text: 'npm ci', end: 'refused' }],
    });
  });

  it('do not mistake later prompts of a parent agent for words of the user', async () => {
    const meta = { id: 'x', cwd: '/p', source: { subagent: { thread_spawn: { parent_thread_id: 'p' } } } };
    const asked = (text: string) => {
      const payload = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
      return `${JSON.stringify({ type: 'response_item', payload })}\n`;
    };
    const first = `${JSON.stringify({ type: 'session_meta', payload: meta })}\n${asked('Count the lines.')}`;
    expect(await notesOf(first, asked('Always run ./x.sh before every commit.'))).toMatchObject({
      requests: [],
      constraints: [],
    });
  });
});
