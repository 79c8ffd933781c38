import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announcedAt } from '../../../src/bridge/hooks/note-files.ts';
import { runHook } from '../../../src/bridge/hooks/run-hook.ts';
import { readNotes } from '../../../src/bridge/hooks/stored-notes.ts';
import { markFile } from '../../../src/presenters/storage/mark-file.ts';
import { mostBytesBack } from '../../../src/bridge/hooks/answer-hook.ts';
import {
  claudeCodeSession,
  forgottenFile,
  rememberedFile,
  summary,
} from '../../support/claude-code-session.ts';
import { eventually } from '../../support/eventually.ts';
import {
  callHook,
  claudeCodeFields,
  contextIn,
  copilotCliFields,
  copilotFields,
  type HookFields,
  runHookProcess,
} from '../../support/agents/hook-agents.ts';

const lines = claudeCodeSession.trimEnd().split('\n');
const summaryAt = lines.findIndex((line) => line.includes('"isCompactSummary":true'));
const beforeCompaction = lines
  .slice(0, summaryAt)
  .map((line) => `${line}\n`)
  .join('');
const summaryLine = `${lines[summaryAt]}\n`;

let folder: string;
let session: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hooks-'));
  session = join(folder, 's1.jsonl');
  await writeFile(session, beforeCompaction);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const notes = () => join(folder, 'notes');

async function call(event: string, more: object = {}, fields: HookFields = claudeCodeFields) {
  const input = JSON.stringify(fields(event, session, more));
  return contextIn(await callHook(input, event, notes()));
}

/** A line of Claude Code with a typed message. */
function says(text: string): string {
  const message = { role: 'user', content: text };
  return `${JSON.stringify({ parentUuid: 'u1', sessionId: 's1', type: 'user', message })}\n`;
}

let commands = 0;

/** Lines of Claude Code that run a command. */
function runs(command: string, output: string): string {
  const id = `b${++commands}`;
  const use = { type: 'tool_use', id, name: 'Bash', input: { command } };
  const result = { type: 'tool_result', tool_use_id: id, content: output };
  const lines = [
    { type: 'assistant', message: { id, role: 'assistant', content: [use] } },
    { type: 'user', message: { role: 'user', content: [result] } },
  ];
  return lines.map((line) => `${JSON.stringify({ parentUuid: 'u1', sessionId: 's1', ...line })}\n`).join('');
}

/** Lines of Claude Code that read files. */
function reads(paths: readonly string[]): string {
  const lines = paths.map((path, index) => {
    const read = { type: 'tool_use', id: `t${index}`, name: 'Read', input: { file_path: path } };
    const message = { id: `m${index}`, role: 'assistant', content: [read] };
    return `${JSON.stringify({ parentUuid: 'u1', sessionId: 's1', type: 'assistant', message })}\n`;
  });
  return lines.join('');
}

async function log(): Promise<string> {
  return readFile(join(notes(), 'hooks.log'), 'utf8').catch(() => '');
}

describe('the log of failures', () => {
  it('has one short line for each call, without control characters from the path', async () => {
    const path = `/gone/\u001b[2J\u202e\n${'x'.repeat(1_000_000)}`;
    await call('PreCompact', { transcript_path: path });
    expect(await log()).toMatch(/^[^\p{Cc}\p{Cf}]{20,1100}\n$/u);
  });

  const failed = () => callHook('{', 'PreCompact', notes());

  it('names the time, the event and the reason, and can be read by its owner alone', async () => {
    await failed();
    expect(await log()).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z PreCompact: standard input is not JSON\n$/u);
    expect((await stat(join(notes(), 'hooks.log'))).mode & 0o077).toBe(0);
    await callHook('{', undefined, notes());
    expect(await log()).toMatch(/Z hook: standard input is not JSON\n$/u);
  });

  it('begins anew after 200,000 bytes, and the last log is kept', async () => {
    await mkdir(notes());
    await writeFile(join(notes(), 'hooks.log'), 'x'.repeat(200_000));
    await failed();
    expect((await log()).startsWith('xxx')).toBe(true);
    await failed();
    expect(await log()).toMatch(/^\S+ PreCompact: [^\n]+\n$/u);
    expect(await readFile(join(notes(), 'hooks.log.old'), 'utf8')).toMatch(/^x{200000}\S+ PreCompact/u);
  });
});

describe('a call without a compaction', () => {
  it.each(['PostToolUse', 'UserPromptSubmit'])('has no answer and leaves no note: %s', async (event) => {
    expect(await call(event)).toBeUndefined();
    expect(existsSync(notes())).toBe(false);
  });

  it('announces none at the end of a turn', async () => {
    expect(await call('Stop')).toBeUndefined();
    expect((await readdir(notes())).map((name) => name.split('.')[1])).toEqual(['notes']);
    await appendFile(session, summaryLine);
    expect(await call('PostToolUse')).toBeUndefined();
  });

  it.runIf(process.geteuid !== undefined)('has no answer if another user owns the notes', async () => {
    await mkdir(notes());
    const other = vi.spyOn(process, 'geteuid').mockReturnValue((await stat(notes())).uid + 1);
    expect(await call('PreCompact')).toBeUndefined();
    other.mockRestore();
    expect(await readdir(notes())).toEqual([]);
  });
});

describe('after a compaction of Claude Code', () => {
  it('returns the facts that the summary omits when the session starts again', async () => {
    expect(await call('PreCompact', { trigger: 'auto' })).toBeUndefined();
    await appendFile(session, summaryLine);
    const given = await call('SessionStart', { source: 'compact' });
    expect(given).toContain(forgottenFile);
    expect(given).not.toContain(rememberedFile);
    expect(given).toContain('not new requests');
  });

  it('returns the facts once, even if several events report the start', async () => {
    await call('PreCompact');
    await appendFile(session, summaryLine);
    const answers = await Promise.all(
      ['SessionStart', 'PostToolUse', 'UserPromptSubmit'].map((event) => call(event, { source: 'resume' })),
    );
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
    expect(await call('SessionStart', { source: 'compact' })).toBeUndefined();
  });

  it('returns the facts even if the hook was connected after the compaction began', async () => {
    await appendFile(session, summaryLine);
    expect(await call('SessionStart', { source: 'compact' })).toContain(forgottenFile);
    expect(await call('SessionStart', { source: 'compact' })).toBeUndefined();
  });

  it('waits for a summary that is written later', async () => {
    await call('PreCompact');
    expect(await call('SessionStart', { source: 'compact' })).toBeUndefined();
    await appendFile(session, summaryLine);
    expect(await call('PostToolUse')).toContain(forgottenFile);
  });

  it('returns the facts even if the agent has continued', async () => {
    await appendFile(session, summaryLine + reads(['src/later.ts']));
    const given = await call('SessionStart', { source: 'compact' });
    expect(given).toContain(forgottenFile);
    expect(given).not.toContain('src/later.ts');
  });

  it('does not compare the facts with the summary of an earlier compaction', async () => {
    await appendFile(session, summaryLine);
    expect(await call('SessionStart', { source: 'compact' })).toContain(forgottenFile);
    await appendFile(session, reads(['src/later.ts']));
    // The second one was not announced, and its summary is written after the start.
    expect(await call('SessionStart', { source: 'compact' })).toBeUndefined();
    await appendFile(session, summaryLine.replace(rememberedFile, forgottenFile));
    const given = await call('PostToolUse');
    expect(given).toContain(rememberedFile);
    expect(given).toContain('src/later.ts');
    expect(given).not.toContain(forgottenFile);
  });

  it('returns open errors and omits resolved ones', async () => {
    await appendFile(session, runs('npm test', 'TypeError: open') + runs('npm run lint', 'Error: resolved'));
    await appendFile(session, runs('npm run lint', 'ok'));
    await call('PreCompact');
    await appendFile(session, summaryLine);
    const given = await call('SessionStart', { source: 'compact' });
    expect(given).toContain('TypeError: open');
    expect(given).not.toContain('Error: resolved');
  });

  it('returns the state of the work first, even if the session was read in pieces', async () => {
    await appendFile(session, runs('npm test', 'Tests:       1 failed, 1 total'));
    await call('Stop');
    await appendFile(session, runs('git status -sb', '## main\n M src/a.ts'));
    await call('PreCompact');
    await appendFile(session, summaryLine);
    const given = await call('SessionStart', { source: 'compact' });
    expect(given?.match(/^## .*/mu)?.[0]).toMatch(/^## Where it stands/u);
    expect(given).toContain('Newest test: `npm test` failed, 1 call ago, no edits since');
    expect(given).toContain('Git: branch main; uncommitted: src/a.ts (in the newest call)');
  });

  it("returns the user's marks in the inspector first, without struck sentences", async () => {
    await appendFile(session, says('Never push to main.') + says('Always use tabs.'));
    const mark = { type: 'mark', createdAt: '', messageIds: [] } as const;
    await markFile(notes(), session).add({ ...mark, sentence: 'Never push to main.', as: 'struck' });
    await markFile(notes(), session).add({
      ...mark,
      sentence: 'Always use tabs.',
      as: 'rule',
      words: 'Tabs, but spaces in YAML.',
    });
    await call('PreCompact');
    await appendFile(session, summaryLine);
    const given = await call('SessionStart', { source: 'compact' });
    expect(given).toContain('## Marked (by the user)\n\n- Rule: Tabs, but spaces in YAML.');
    expect(given).not.toContain('Never push to main.');
    expect(given).not.toContain('Always use tabs.');
  });

  it('omits a decision that the user replaced later, even if both decisions were read separately', async () => {
    await appendFile(session, says('We decided to use Postgres.'));
    await call('Stop');
    await appendFile(session, says('Scratch that. We decided to use MySQL.'));
    await call('PreCompact');
    await appendFile(session, summaryLine);
    const given = await call('SessionStart', { source: 'compact' });
    expect(given).toContain('We decided to use MySQL.');
    expect(given).not.toContain('Postgres');
  });

  it('omits a command that was run again after the compaction', async () => {
    await appendFile(session, runs('npm run deploy', 'ok') + runs('npm run release', 'ok'));
    await call('PreCompact');
    await appendFile(session, summaryLine + runs('npm run deploy', 'ok'));
    const given = await call('PostToolUse');
    expect(given).toContain('npm run release');
    expect(given).not.toContain('npm run deploy');
  });

  it("omits files that the summary names relative to the agent's folder", async () => {
    await appendFile(session, reads(['/projects/printer/src/named.ts', '/projects/printer/src/lost.ts']));
    await call('PreCompact');
    await appendFile(session, summaryLine.replace(rememberedFile, 'src/named.ts'));
    const given = await call('SessionStart', { source: 'compact' });
    expect(given).toContain('\nsrc/lost.ts\n');
    expect(given).not.toContain('named.ts');
  });

  it('reads the first line even after a byte order mark', async () => {
    await writeFile(session, `\uFEFF${says('Never push.')}${beforeCompaction}`);
    await call('PreCompact');
    await appendFile(session, summaryLine);
    expect(await call('SessionStart', { source: 'compact' })).toContain('Never push.');
  });

  it('ignores calls of a sub-agent', async () => {
    await call('PreCompact');
    await appendFile(session, summaryLine);
    const subAgent = { agent_id: 'a1', agent_type: 'Explore' };
    expect(await call('PostToolUse', subAgent)).toBeUndefined();
    expect(await call('PreCompact', subAgent)).toBeUndefined();
    expect(await call('PostToolUse')).toContain(forgottenFile);
  });

  it('returns nothing if the agent continued without a summary', async () => {
    await call('PreCompact');
    await appendFile(session, beforeCompaction);
    expect(await call('PostToolUse')).toBeUndefined();
    expect((await readdir(notes())).filter((name) => name.endsWith('.pending.json'))).toEqual([]);
    await appendFile(session, summaryLine);
    expect(await call('SessionStart', { source: 'compact' })).toContain(forgottenFile);
  });

  it('returns the facts once to many calls at the same time', async () => {
    await call('PreCompact');
    await appendFile(session, summaryLine);
    const calls = Array.from({ length: 20 }, () => call('SessionStart', { source: 'compact' }));
    expect((await Promise.all(calls)).filter((answer) => answer !== undefined)).toHaveLength(1);
    expect(await log()).toBe('');
  });

  it('returns nothing if the summary names everything', async () => {
    await call('PreCompact');
    const whole = `${summary} ${forgottenFile} Make the formatter keep comments`;
    await appendFile(session, summaryLine.replace(JSON.stringify(summary), JSON.stringify(whole)));
    expect(await call('SessionStart', { source: 'compact' })).toBeUndefined();
    expect(await log()).toBe('');
  });

  it('omits files that the agent has used since', async () => {
    await call('PreCompact');
    const read = { type: 'tool_use', id: 'c9', name: 'Read', input: { file_path: forgottenFile } };
    const reply = {
      parentUuid: 'u1',
      sessionId: 's1',
      type: 'assistant',
      message: {
        id: 'r9',
        role: 'assistant',
        content: [{ type: 'text', text: `Again ${forgottenFile}` }, read],
      },
    };
    await appendFile(session, `${summaryLine}${JSON.stringify(reply)}\n`);
    expect((await call('PostToolUse')) ?? '').not.toContain(forgottenFile);
  });

  it('returns no more bytes than agents accept, even with 2,000 files', async () => {
    await appendFile(session, reads(Array.from({ length: 2_000 }, (_, index) => `src/文-${index}.ts`)));
    await call('PreCompact');
    await appendFile(session, summaryLine);
    const given = (await call('SessionStart', { source: 'compact' })) ?? '';
    expect(Buffer.byteLength(given)).toBeGreaterThan(mostBytesBack / 2);
    expect(Buffer.byteLength(given)).toBeLessThanOrEqual(mostBytesBack);
    expect(given).toContain('src/文-1999.ts');
  });
});

const copilotEvent = (type: string, data: object) =>
  `${JSON.stringify({ type, data, id: type, timestamp: '2026-02-03T04:05:06.000Z', parentId: null })}\n`;
const copilotRead = (callId: string, path: string) =>
  [
    copilotEvent('assistant.message', {
      messageId: callId,
      content: '',
      toolRequests: [{ toolCallId: callId, name: 'view', arguments: { path } }],
    }),
    copilotEvent('tool.execution_complete', {
      toolCallId: callId,
      success: true,
      result: { content: 'text' },
    }),
  ].join('');

/** Hand-made, in the shape of Copilot's events. */
const copilotSession = [
  copilotEvent('session.start', { sessionId: 's1', version: 1, producer: 'copilot-agent' }),
  copilotEvent('user.message', { content: 'Make the formatter keep comments' }),
  copilotRead('c1', rememberedFile),
  copilotRead('c2', forgottenFile),
].join('');

describe('after a compaction of Copilot', () => {
  beforeEach(() => writeFile(session, copilotSession));

  it('returns the facts with the result of the next tool', async () => {
    expect(await call('PreCompact', {}, copilotFields)).toBeUndefined();
    await appendFile(
      session,
      copilotEvent('session.compaction_complete', { success: true, summaryContent: `See ${rememberedFile}` }),
    );
    expect(await call('SessionStart', { source: 'new' }, copilotFields)).toBeUndefined();
    const given = await call('PostToolUse', { tool_name: 'read_file' }, copilotFields);
    expect(given).toContain(forgottenFile);
    expect(given).not.toContain(rememberedFile);
    expect(await call('PostToolUse', { tool_name: 'read_file' }, copilotFields)).toBeUndefined();
  });

  it('returns the facts once the agent has continued, even if the file lacks the summary', async () => {
    await call('PreCompact', {}, copilotFields);
    expect(await call('PostToolUse', {}, copilotFields)).toBeUndefined();
    await appendFile(session, copilotRead('c3', rememberedFile));
    expect(await call('PostToolUse', {}, copilotFields)).toContain(forgottenFile);
    expect(await call('PostToolUse', {}, copilotFields)).toBeUndefined();
  });
});

describe('after a compaction of Copilot CLI', () => {
  const compactionStart = copilotEvent('session.compaction_start', {});
  const compactionEnd = (data: object) =>
    copilotEvent('session.compaction_complete', { success: true, ...data });
  const afterTool = async () => {
    const input = JSON.stringify(copilotCliFields('PostToolUse', session));
    return callHook(input, 'PostToolUse', notes());
  };

  beforeEach(async () => {
    await writeFile(session, copilotSession);
    await call('PreCompact', {}, copilotCliFields);
  });

  it('returns the facts with the result of a tool, in the documented form', async () => {
    await appendFile(session, compactionStart + compactionEnd({ summaryContent: `See ${rememberedFile}` }));
    const answer = JSON.parse((await afterTool()) ?? '{}') as { additionalContext?: string };
    expect(answer.additionalContext).toContain(forgottenFile);
    expect(answer.additionalContext).not.toContain(rememberedFile);
    expect(await afterTool()).toBeUndefined();
  });

  it('waits until the compaction ends, even if the agent works on', async () => {
    await appendFile(session, compactionStart + copilotRead('c3', 'src/meanwhile.ts'));
    expect(await afterTool()).toBeUndefined();
    await appendFile(session, compactionEnd({ summaryContent: `See ${rememberedFile}` }));
    expect(await afterTool()).toContain(forgottenFile);
  });

  it('omits the facts of later messages', async () => {
    await appendFile(session, compactionStart + copilotRead('c3', 'src/meanwhile.ts'));
    await appendFile(session, compactionEnd({ summaryContent: `See ${rememberedFile}` }));
    const answer = await afterTool();
    expect(answer).toContain(forgottenFile);
    expect(answer).not.toContain('src/meanwhile.ts');
  });

  it('returns nothing if the compaction failed', async () => {
    await appendFile(
      session,
      compactionStart + compactionEnd({ success: false }) + copilotRead('c3', 'src/on.ts'),
    );
    expect(await afterTool()).toBeUndefined();
    await appendFile(session, copilotRead('c4', 'src/further.ts'));
    expect(await afterTool()).toBeUndefined();
  });

  it('returns and logs nothing for a session without an announced compaction', async () => {
    const input = JSON.stringify(copilotCliFields('PostToolUse', session, { session_id: 's2' }));
    expect(await callHook(input, 'PostToolUse', notes())).toBeUndefined();
    expect(await log()).toBe('');
  });
});

const codexLine = (type: string, payload: object) =>
  `${JSON.stringify({ timestamp: '2026-02-03T04:05:06.000Z', type, payload })}\n`;
const codexCall = (id: string, command: string) =>
  [
    codexLine('response_item', {
      type: 'function_call',
      call_id: id,
      name: 'shell',
      arguments: JSON.stringify({ command: ['bash', '-lc', command] }),
    }),
    codexLine('response_item', { type: 'function_call_output', call_id: id, output: 'ok' }),
  ].join('');

/** Hand-made, in the shape of Codex's rollouts. */
const codexSession = [
  codexLine('session_meta', { id: 's1', cwd: '/projects/printer' }),
  codexLine('response_item', {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'Make the formatter keep comments' }],
  }),
  codexCall('c1', 'npm run docs'),
  codexCall('c2', 'npm test -- printer'),
].join('');

describe('after a compaction of Codex', () => {
  it('returns the facts that the summary omits when the session starts again', async () => {
    await writeFile(session, codexSession);
    await call('PreCompact');
    const content = [{ type: 'input_text', text: 'Make the formatter keep comments' }];
    await appendFile(
      session,
      codexLine('compacted', {
        message: 'We ran `npm run docs`.',
        replacement_history: [{ type: 'message', role: 'user', content }],
      }),
    );
    const given = await call('SessionStart', { source: 'compact' });
    expect(given).toContain('npm test -- printer');
    expect(given).not.toContain('npm run docs');
    expect(given).not.toContain('## Asked');
  });
});

describe('notes on a session', () => {
  it('are complete after the session was read in pieces that split lines', async () => {
    await call('Stop');
    await rm(notes(), { recursive: true });
    const bytes = Buffer.from(beforeCompaction);
    await writeFile(session, '');
    for (const byte of [1, 700, 701, 1_900, bytes.length - 3, bytes.length]) {
      await writeFile(session, bytes.subarray(0, byte));
      await call('Stop');
    }
    await call('PreCompact');
    await appendFile(session, summaryLine);
    expect(await call('SessionStart', { source: 'compact' })).toContain(forgottenFile);
  });

  it('are made again if another session takes the same file name', async () => {
    await call('Stop');
    const other = beforeCompaction.replaceAll(forgottenFile, 'src/other-file-of-the-session.ts');
    await writeFile(session, other);
    await call('PreCompact');
    await appendFile(session, summaryLine);
    const given = await call('SessionStart', { source: 'compact' });
    expect(given).toContain('src/other-file-of-the-session.ts');
  });

  it('are made again if they are damaged', async () => {
    await call('Stop');
    for (const name of await readdir(notes())) await writeFile(join(notes(), name), '{"version":1,"ledger":');
    await call('PreCompact');
    await appendFile(session, summaryLine);
    expect(await call('SessionStart', { source: 'compact' })).toContain(forgottenFile);
  });

  it('can be read by their owner alone', async () => {
    await call('PreCompact');
    expect((await stat(notes())).mode & 0o077).toBe(0);
    for (const name of await readdir(notes())) {
      expect((await stat(join(notes(), name))).mode & 0o077, name).toBe(0);
    }
  });
});

describe('a call that cannot be answered', () => {
  it.each([
    ['is not JSON', '{"hook_event_name": "PreCompact"', 'not JSON'],
    ['is not an object', '[]', 'not a JSON object'],
    ['names no transcript', '{"hook_event_name": "PreCompact"}', 'names no transcript'],
    ['names a missing file', JSON.stringify(claudeCodeFields('PreCompact', '/no/such/file')), 'no such file'],
    ['names a folder', JSON.stringify(claudeCodeFields('PreCompact', tmpdir())), 'not a file'],
  ])('gets no answer, and a line in the log, if it %s', async (_what, input, reason) => {
    expect(await callHook(input, 'PreCompact', notes())).toBeUndefined();
    expect(await log()).toContain(reason);
    expect((await log()).trimEnd().split('\n')).toHaveLength(1);
  });

  it('gets no answer, and a line in the log, if its file is not a session', async () => {
    await writeFile(session, 'Dear diary\n');
    expect(await call('PreCompact')).toBeUndefined();
    expect(await log()).not.toBe('');
  });

  it('gets no answer and no line in the log if its event is unknown', async () => {
    expect(await call('Tuesday')).toBeUndefined();
    expect(await log()).toBe('');
  });

  it('causes no line in the log if it begins with a byte order mark', async () => {
    const input = `\uFEFF${JSON.stringify(claudeCodeFields('PreCompact', session))}`;
    expect(await callHook(input, 'PreCompact', notes())).toBeUndefined();
    expect(await log()).toBe('');
  });

  it.runIf(existsSync('/proc'))('gets no answer, without delay, if no folder can be created', async () => {
    const input = JSON.stringify(claudeCodeFields('PreCompact', session));
    expect(await callHook(input, 'PreCompact', '/proc/no/such/folder')).toBeUndefined();
  });

  it('gets no answer if no notes can be written', async () => {
    await writeFile(notes(), 'a file in the place of the folder');
    expect(await call('PreCompact')).toBeUndefined();
  });
});

describe('a session with more than a megabyte to read', () => {
  const later: string[] = [];
  const callOnly = (event: string, input: string) =>
    runHook(Promise.resolve(input), event, notes(), (call) => {
      later.push(call);
      return Promise.resolve();
    });
  const unread = `${reads(['src/before-the-log.ts'])}${runs('cat log', 'x'.repeat(1_000_000))}`;

  beforeEach(async () => {
    later.length = 0;
    await appendFile(session, unread);
  });

  it.each(['PreCompact', 'Stop'])('is left to another process: %s', async (event) => {
    const fields = claudeCodeFields(event, session);
    expect(await callOnly(event, JSON.stringify(fields))).toBeUndefined();
    expect(later).toEqual([JSON.stringify({ transcript_path: session })]);
    expect((await readdir(notes())).filter((name) => name.endsWith('.notes.json'))).toEqual([]);
  });

  it('is compacted where its last whole line ends', async () => {
    const half = '{"type":"user","message":{"role":"user","content":"Ha';
    await appendFile(session, half);
    await callOnly('PreCompact', JSON.stringify(claudeCodeFields('PreCompact', session)));
    expect(await announcedAt(notes(), session)).toBe((await stat(session)).size - half.length);
  });

  it.each([
    ['has ended', () => callHook(later[0]!, 'Read', notes())],
    ['has not begun', () => Promise.resolve()],
  ])('yields its facts after the compaction if the other process %s', async (_what, read) => {
    await callOnly('PreCompact', JSON.stringify(claudeCodeFields('PreCompact', session)));
    await read();
    await appendFile(session, summaryLine);
    const given = await call('SessionStart', { source: 'compact' });
    expect(given).toContain('src/before-the-log.ts');
    expect(await log()).toBe('');
  });

  it('is not left to another process again once it was read', async () => {
    await call('Stop');
    await callOnly('PreCompact', JSON.stringify(claudeCodeFields('PreCompact', session)));
    expect(later).toEqual([]);
  });

  it('is not read by each later call if it is in no known format', async () => {
    await writeFile(session, 'Dear diary\n'.repeat(100_000));
    await call('PreCompact');
    expect(await log()).toMatch(/^\S+ Read: the transcript is in no known format\n$/u);
    expect(await announcedAt(notes(), session)).toBeUndefined();
  });
});

describe('the hook command', () => {
  it('lets another process read a long session', async () => {
    await appendFile(session, runs('cat log', 'x'.repeat(1_000_000)));
    const input = JSON.stringify(claudeCodeFields('Stop', session));
    expect(await runHookProcess(notes(), 'Stop', input)).toEqual({ code: 0, out: '', notes: '' });
    const { size } = await stat(session);
    await eventually(async () => (await readNotes(notes(), session))?.read).toBe(size);
  });

  it('answers as a separate process, and always ends successfully', async () => {
    const run = (event: string, input: string) => runHookProcess(notes(), event, input);
    const before = await run('PreCompact', JSON.stringify(claudeCodeFields('PreCompact', session)));
    expect(before).toEqual({ code: 0, out: '', notes: '' });
    await appendFile(session, summaryLine);
    const fields = claudeCodeFields('SessionStart', session, { source: 'compact' });
    const after = await run('SessionStart', JSON.stringify(fields));
    expect(after).toMatchObject({ code: 0, notes: '' });
    expect(contextIn(after.out)).toContain(forgottenFile);
    expect(await run('PreCompact', 'nothing that can be read')).toEqual({ code: 0, out: '', notes: '' });
  });

  it('describes its purpose on request', async () => {
    const { code, out } = await runHookProcess(notes(), '--help', '');
    expect(code).toBe(0);
    expect(out).toContain('Usage: context-budget hook PreCompact|SessionStart|');
  });
});
