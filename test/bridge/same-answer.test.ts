import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerHook } from '../../src/bridge/hooks/answer-hook.ts';
import { distinctFiles, wholePath } from '../../src/compaction/text/file-names.ts';
import { shownCommand } from '../../src/compaction/ledger/call-words.ts';
import { type Ledger, textOfFact } from '../../src/compaction/messages/ledger.ts';
import { messagesOf, recordsOf, transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { viewBefore } from '../../src/compaction/transcript/view.ts';
import { workFacts } from '../../src/compaction/ledger/work-facts.ts';
import { handoffOf } from '../../src/insights/handoff/handoff.ts';
import { lostByRecord, lostFrom } from '../../src/insights/handoff/lost-facts.ts';
import { missingNames } from '../../src/presenters/inspector/record-diff.ts';
import { compactionNotice } from '../../src/presenters/live/announced-compactions.ts';
import { addForeignCompactions } from '../../src/transcripts/foreign-compactions.ts';
import { importTranscript } from '../../src/transcripts/import-transcript.ts';
import { runCommand } from '../support/command-line.ts';
import { createMeter } from '../support/engine.ts';

/** A session up to its compaction, and the lines of the compaction itself. */
interface Session {
  readonly name: string;
  readonly before: string;
  readonly compaction: string;
}

const folder = '/home/me/printer';
const lines = (...events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');

/** Files that the summary names in another form, files that it omits, and names that are not files. */
const calls: readonly (readonly [tool: string, input: object, output: string])[] = [
  ['Read', { file_path: `${folder}/src/store.ts` }, 'export const store = 1;'],
  ['Read', { file_path: `${folder}/src/lock.ts` }, 'export const lock = 1;'],
  ['Read', { file_path: `${folder}/src/forgotten.ts` }, 'export {};'],
  ['Edit', { file_path: `${folder}/src/alpha.ts`, old_string: 'a', new_string: 'b' }, 'done'],
  ['Grep', { pattern: 'openStore', path: folder }, 'src/store.ts:1'],
  ['Glob', { pattern: '**/*.ts', path: `${folder}/src` }, 'src/store.ts'],
  ['Bash', { command: 'git show HEAD:src/old.ts | head' }, 'old'],
  ['Bash', { command: 'cat src/store.ts ~/printer/src/alpha.ts' }, 'exit code 1'],
  ['mcp__context-budget__what_was_lost', {}, 'TypeError: from our own answer'],
];
const summary =
  'Read `src/store.ts:12` and file:///home/me/printer/src/lock.ts; changed [alpha](~/printer/src/alpha.ts).';

function claudeCode(): Session {
  const row = (type: string, content: unknown, more: object = {}) => ({
    parentUuid: null,
    sessionId: 's1',
    cwd: folder,
    timestamp: '2026-02-03T04:05:06.000Z',
    type,
    message: { role: type, content },
    ...more,
  });
  const attached = { type: 'file', filename: `${folder}/src/forgotten-no-more.ts`, content: 'export {};' };
  return {
    name: 'made for Claude Code',
    before: lines(
      row('user', 'Make the printer faster.'),
      ...[...calls, ['Read', { file_path: attached.filename }, 'export {};'] as const].flatMap(
        ([name, input, output], index) => [
          row('assistant', [{ type: 'tool_use', id: `c${index}`, name, input }]),
          row('user', [{ type: 'tool_result', tool_use_id: `c${index}`, content: output }]),
        ],
      ),
    ),
    compaction: lines(row('user', summary, { isCompactSummary: true }), {
      ...row('attachment', ''),
      attachment: attached,
    }),
  };
}

function codex(): Session {
  const item = (type: string, payload: object) => ({
    timestamp: '2026-02-03T04:05:06.000Z',
    type: 'response_item',
    payload: { type, ...payload },
  });
  return {
    name: 'made for Codex',
    before: lines(
      { type: 'session_meta', payload: { id: 's1', cwd: folder } },
      item('message', { role: 'user', content: [{ type: 'input_text', text: 'Make the printer faster.' }] }),
      ...calls.flatMap(([name, input, output], index) => [
        item('function_call', { call_id: `c${index}`, name, arguments: JSON.stringify(input) }),
        item('function_call_output', { call_id: `c${index}`, output }),
      ]),
    ),
    compaction: lines({ type: 'compacted', payload: { message: summary } }),
  };
}

function copilot(): Session {
  const event = (type: string, data: object) => ({ type, data, timestamp: '2026-02-03T04:05:06.000Z' });
  return {
    name: 'made for Copilot CLI',
    before: lines(
      event('session.start', { version: 1, context: { cwd: folder } }),
      event('user.message', { content: 'Make the printer faster.' }),
      ...calls.flatMap(([name, input, output], index) => [
        event('assistant.message', {
          content: '',
          toolRequests: [{ toolCallId: `c${index}`, name, arguments: input }],
        }),
        event('tool.execution_complete', {
          toolCallId: `c${index}`,
          success: true,
          result: { content: output },
        }),
      ]),
    ),
    compaction: lines(
      event('session.compaction_start', {}),
      event('session.compaction_complete', { success: true, summaryContent: summary }),
    ),
  };
}

const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));
const real = [
  'transcripts/original/claude-code-jsonl',
  'transcripts/original/codex-rollout-jsonl',
  'agents/sessions/codex',
]
  .filter((place) => existsSync(shared + place))
  .flatMap((place) => readdirSync(shared + place).map((name) => `${shared}${place}/${name}`))
  .filter((path) => path.endsWith('.jsonl'))
  .flatMap((path) => sessionsIn(path));

/** A session for each compaction of a file. */
function sessionsIn(path: string): readonly Session[] {
  const all = readFileSync(path, 'utf8').split(/(?<=\n)/u);
  return all.flatMap((line, index): Session[] =>
    /"isCompactSummary":true|"type":"compacted"/u.test(line)
      ? [
          {
            name: `${path.slice(shared.length)}:${index + 1}`,
            before: all.slice(0, index).join(''),
            compaction: line,
          },
        ]
      : [],
  );
}

const byCharacters = (texts: readonly string[]) => Promise.resolve(texts.map((text) => text.length / 1_000));
const filesOf = ({ filesModified, filesRead }: Pick<Ledger, 'filesModified' | 'filesRead'>) => [
  ...filesModified.map(textOfFact),
  ...filesRead,
];

/** The change of a file, after its path. */
const happened = / \((?:created|edited|deleted)[^()]*\)$/u;

/** The files in the blocks below headings of files, and the folder of most of them. */
function filesIn(text: string): readonly string[] {
  const blocks = text.matchAll(/^## Files [a-z ]+(?:, in (.*))?\n\n`{3,}text\n([\s\S]*?)\n`{3,}$/gmu);
  return [...blocks].flatMap(([, root, items = '']) =>
    items
      .split('\n')
      .filter((item) => !/^… /u.test(item))
      .map((item) => item.replace(happened, ''))
      .map((item) => (root === undefined ? item : wholePath(item, root))),
  );
}

describe('the files that a compaction lost', () => {
  let place: string;
  let meter: Awaited<ReturnType<typeof createMeter>>;
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'same-answer-'));
    meter = await createMeter();
  });
  afterAll(() => rm(place, { recursive: true }));

  /** The answers of all places, as whole paths in order. */
  async function answers({ before, compaction }: Session) {
    const path = join(place, `${Math.random()}.jsonl`);
    const imported = importTranscript(before + compaction);
    const { folder } = imported;
    const transcript = transcriptOf(await addForeignCompactions(imported, meter));
    const record = recordsOf(transcript).at(-1)!;
    const view = viewBefore(transcript.entries, record.id);
    const whole = (paths: readonly string[]) => paths.map((one) => wholePath(one, folder)).toSorted();
    const known = new Set(whole(distinctFiles(filesOf(workFacts(view)), folder)));
    const ofView = (paths: readonly string[]) => whole(paths).filter((one) => known.has(one));

    await writeFile(path, before);
    const call = { session: 's1', transcript: path, workspace: folder, isCopilotCli: false } as const;
    const notes = join(place, 'notes');
    await answerHook({ ...call, event: 'PreCompact' }, notes);
    await appendFile(path, compaction);
    const given = (await answerHook({ ...call, event: 'UserPromptSubmit' }, notes)) ?? '';
    const copied = lostByRecord(transcript, record);
    const names = missingNames({ record, before: view });
    const title = { title: 'a session', messages: messagesOf(transcript), folder };
    const handoff = (await handoffOf(title, 1_000_000, byCharacters)) ?? '';
    const printed = await runCommand('handoff', path, '--window', '100000000');
    return {
      known: [...known],
      record: whole(names.files),
      missing: {
        commands: names.commands,
        errors: names.errors,
        identifiers: names.identifiers,
        messages: names.userMessages.length,
      },
      copied: {
        commands: copied.commands.map(({ command }) => shownCommand(command)),
        errors: copied.errors.map(({ text }) => text),
        identifiers: copied.identifiers,
        messages: copied.requests.length,
      },
      counted: record.coverage.files,
      notice: compactionNotice(record).english,
      copy: whole(filesOf(copied)),
      server: ofView(filesOf(lostFrom(transcript, folder))),
      hooks: ofView(filesIn(given)),
      handoff: whole(filesIn(handoff)),
      commandLine: whole(filesIn(printed.out)),
      given,
    };
  }

  it.each([claudeCode(), codex(), copilot()])('are the same in every place: $name', async (session) => {
    const found = await answers(session);
    const lost = [`${folder}/src/forgotten.ts`];
    expect(found.copied).toEqual(found.missing);
    expect(found.record).toEqual(lost);
    expect(found.copy).toEqual(lost);
    expect(found.server).toEqual(lost);
    expect(found.hooks).toEqual(lost);
    expect(found.notice).toContain(`no longer mentions 1 of ${found.known.length} files`);
    expect(found.handoff).toEqual(found.known.toSorted());
    expect(found.commandLine).toEqual(found.known.toSorted());
    expect(found.given).not.toContain('from our own answer');
  });

  it.skipIf(real.length === 0).each(real)(
    'are the same in every place for a real session: $name',
    async (session) => {
      const found = await answers(session);
      expect(found.copied).toEqual(found.missing);
      expect(found.copy).toEqual(found.record);
      expect(found.server).toEqual(found.record);
      const { kept, total } = found.counted;
      expect(found.record).toHaveLength(total - kept);
      if (kept < total) expect(found.notice).toContain(`${total - kept} of ${total} file`);
      else expect(found.notice).not.toMatch(/\d files?/u);
      // The returned list is short and contains the newest.
      expect(found.record).toEqual(expect.arrayContaining([...found.hooks]));
      expect(found.handoff).toEqual(expect.arrayContaining([...found.record]));
      expect(found.commandLine).toEqual(found.handoff);
    },
  );
});
