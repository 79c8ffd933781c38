import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toChatMessage, type ChatMessage, type ToolSchema } from '../../src/compaction/messages/message.ts';
import type { CompactionRecord } from '../../src/compaction/records/record.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { SessionLock } from '../../src/agent/locks/session-lock.ts';
import { recordsOf, transcriptOf, type Transcript } from '../../src/compaction/transcript/transcript.ts';
import { recordsInForce } from '../../src/compaction/transcript/view.ts';
import { readSession } from '../../src/transcripts/session/session-format.ts';
import { runCommand } from '../support/command-line.ts';
import { createMeter } from '../support/engine.ts';
import { called, result, said, textOfTokens, typed } from '../support/messages.ts';
import { idsIn, ownStrategyIds, sessionStories, sessionText, tell } from '../support/own-sessions.ts';
import { soak } from '../support/soak.ts';

const tools: readonly ToolSchema[] = [{ type: 'function', function: { name: 'read_file' } }];

let meter: UsageMeter;
let folder: string;
beforeAll(async () => {
  meter = await createMeter();
  folder = await mkdtemp(join(tmpdir(), 'own-session-'));
});
afterAll(() => rm(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const readText = (name: string) => readFile(at(name), 'utf8');
const readJson = async <T>(name: string) => JSON.parse(await readText(name)) as T;
const chatOf = ({ view }: Transcript) => JSON.stringify(view.map(toChatMessage));
const readTranscript = async (name: string) => transcriptOf(readSession(await readText(name)).entries);

/** Sixteen turns, whose first ones are summarised from the eighth on. */
async function summarisedSession(): Promise<Transcript> {
  const turns = Array.from({ length: 16 }, (_, turn) => [
    typed(`m${turn * 4 + 1}`, `Turn ${turn}`),
    called(`m${turn * 4 + 2}`, [`k${turn}`, 'read_file', { path: `src/f${turn}.ts` }]),
    result(`m${turn * 4 + 3}`, `k${turn}`, textOfTokens(500)),
    said(`m${turn * 4 + 4}`, `Item ${turn} is done.`),
  ]);
  const happening = {
    kind: 'compact',
    place: 23,
    choice: 1,
    strategy: 'llm-summary',
    window: 2_000,
  } as const;
  return tell({ history: { messages: turns.flat(), pins: new Set() }, happenings: [happening] }, meter);
}

/** Tokens of a view file, counted by this program. */
async function countOf(name: string) {
  const { out } = await runCommand('count', at(name), '--json');
  return JSON.parse(out) as { messages: number; total: number };
}

describe('a session with its own compactions', () => {
  it('is compacted, written and undone on the basis of its own compactions', async () => {
    const statuses = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        sessionStories,
        fc.constantFrom(...ownStrategyIds),
        fc.constantFrom('soft', 'hard'),
        async (story, strategy, requirement) => {
          const session = await tell(story, meter);
          await writeFile(at('any.jsonl'), sessionText(session, tools));
          const choice = ['--strategy', strategy, '--requirement', requirement, '--window', '2000'];
          const files = [
            '--out',
            at('view.json'),
            '--record',
            at('record.json'),
            '--session',
            at('next.jsonl'),
          ];
          const { out, notes } = await runCommand('compact', at('any.jsonl'), ...choice, ...files, '--json');
          const record = JSON.parse(out) as CompactionRecord;
          statuses.add(record.status);

          const taken = idsIn(session);
          for (const { id } of [record, ...record.outputs.filter(({ kind }) => kind === 'summary')]) {
            const isOfAnEarlierSummary = record.actions.some(
              ({ outputId, sourceIds }) => outputId === id && sourceIds.includes(id),
            );
            if (!isOfAnEarlierSummary) expect(taken).not.toContain(id);
          }
          expect(record.before.messages, notes.join()).toBe(session.view.length);
          const { messages, total } = await countOf('view.json');
          expect({ messages, tokens: total + record.after.byKind.tools }).toEqual({
            messages: record.after.messages,
            tokens: record.after.tokens,
          });

          await runCommand('undo', at('record.json'), '--view', at('view.json'), '--out', at('back.json'));
          expect(JSON.stringify(await readJson('back.json'))).toBe(chatOf(session));

          const next = await readTranscript('next.jsonl');
          expect(chatOf(next)).toBe(JSON.stringify(await readJson('view.json')));
          if (record.status !== 'applied') return;
          await runCommand('undo', at('next.jsonl'), '--id', record.id, '--out', at('back.json'));
          expect(JSON.stringify(await readJson('back.json'))).toBe(chatOf(session));
        },
      ),
      { numRuns: soak(15, 100) },
    );
    expect(statuses).toContain('applied');
  });

  it('can be undone through a chain of compactions, in view files and in the session', async () => {
    await writeFile(at('0.jsonl'), sessionText(await summarisedSession()));
    const views = [chatOf(await readTranscript('0.jsonl'))];
    for (const [step, strategy] of ['tool-result-hiding', 'llm-summary'].entries()) {
      const files = ['--out', at(`view${step + 1}.json`), '--record', at(`record${step + 1}.json`)];
      const session = ['--session', at(`${step + 1}.jsonl`)];
      const input = at(`${step}.jsonl`);
      expect(
        await runCommand('compact', input, '--strategy', strategy, '--window', '3000', ...files, ...session),
      ).toMatchObject({ code: 0 });
      views.push(JSON.stringify(await readJson(`view${step + 1}.json`)));
    }
    expect(new Set(views).size).toBe(3);

    await runCommand('undo', at('record2.json'), '--view', at('view2.json'), '--out', at('back1.json'));
    await runCommand('undo', at('record1.json'), '--view', at('back1.json'), '--out', at('back0.json'));
    await runCommand('undo', at('2.jsonl'), '--session', at('3.jsonl'));
    await runCommand('undo', at('3.jsonl'), '--session', at('4.jsonl'));
    const inFiles = [
      JSON.stringify(await readJson('back1.json')),
      JSON.stringify(await readJson('back0.json')),
    ];
    const inSession = [chatOf(await readTranscript('3.jsonl')), chatOf(await readTranscript('4.jsonl'))];
    expect(inFiles).toEqual([views[1], views[0]]);
    expect(inSession).toEqual([views[1], views[0]]);
  });

  it('is only appended to if it is written to its own file', async () => {
    const before = sessionText(await summarisedSession());
    await writeFile(at('same.jsonl'), before);
    const choice = ['--strategy', 'tool-result-hiding', '--window', '3400'];
    await runCommand('compact', at('same.jsonl'), ...choice, '--session', at('same.jsonl'));
    const compacted = await readText('same.jsonl');
    expect(compacted.startsWith(before)).toBe(true);
    await runCommand('undo', at('same.jsonl'), '--session', at('same.jsonl'));
    const undone = await readText('same.jsonl');
    expect(undone.startsWith(compacted)).toBe(true);
    expect(recordsInForce(readSession(undone).entries).map(({ id }) => id)).toEqual(['c1']);
  });

  it('is not written while a window has it open, and can be written afterwards', async () => {
    const before = sessionText(await summarisedSession());
    await writeFile(at('open.jsonl'), before);
    await symlink(at('open.jsonl'), at('link.jsonl'));
    const commands = [
      ['compact', at('open.jsonl'), '--strategy', 'tool-result-hiding', '--window', '3400', '--session'],
      ['undo', at('open.jsonl'), '--session'],
    ];
    const window = new SessionLock(at('open.jsonl'), 'project');
    await window.hold();
    for (const command of commands) {
      for (const target of [at('open.jsonl'), at('link.jsonl')]) {
        expect(await runCommand(...command, target)).toEqual({
          code: 1,
          out: '',
          notes: [
            `${target} is open in another window (project), and only that window may write to it; nothing was changed.`,
          ],
        });
      }
    }
    expect(await readText('open.jsonl')).toBe(before);
    await window.release();
    for (const command of commands) {
      expect(await runCommand(...command, at('open.jsonl'))).toMatchObject({ code: 0 });
    }
    expect((await readdir(folder)).filter((name) => name.startsWith('open.'))).toEqual(['open.jsonl']);
  });

  it('loses later compactions that build on the undone one, and a note names them', async () => {
    await writeFile(at('first.jsonl'), sessionText(await summarisedSession()));
    const choice = ['--strategy', 'llm-summary', '--window', '3000'];
    await runCommand('compact', at('first.jsonl'), ...choice, '--session', at('second.jsonl'));
    const { code, notes } = await runCommand(
      'undo',
      at('second.jsonl'),
      '--id',
      'c1',
      '--out',
      at('all.json'),
    );
    expect({ code, notes: notes[0] }).toEqual({
      code: 0,
      notes: 'Also undone, because they build on it: c2.',
    });
    expect(await readJson<ChatMessage[]>('all.json')).toHaveLength(64);
  });

  it('shows the effect of each compaction on the context at that time', async () => {
    await writeFile(at('0.jsonl'), sessionText(await summarisedSession()));
    const choice = ['--strategy', 'tool-result-hiding', '--window', '3400'];
    const files = ['--record', at('record.json'), '--session', at('1.jsonl')];
    await runCommand('compact', at('0.jsonl'), ...choice, ...files);
    const ofRecord = await runCommand('diff', at('record.json'));
    expect(await runCommand('diff', at('1.jsonl'))).toEqual(ofRecord);
    expect(await runCommand('diff', at('1.jsonl'), '--id', 'c2')).toEqual(ofRecord);
    expect(ofRecord.out).toMatch(/kept +\d+ messages/);
    const first = await runCommand('diff', at('1.jsonl'), '--id', 'c1');
    expect(first.out).toContain('llm-summary · applied');
    const [record] = recordsOf(await readTranscript('1.jsonl'));
    for (const id of record?.actions.find(({ kind }) => kind === 'summarise')?.sourceIds ?? []) {
      expect(first.out).toContain(`  - ${id} `);
    }
  });

  it('compares its context at two points, the earlier one first', async () => {
    await writeFile(at('points.jsonl'), sessionText(await summarisedSession()));
    const forth = await runCommand('diff', at('points.jsonl'), '--from', '1', '--to', 'c1');
    expect(forth.out).toMatch(/^[\d,]+ → [\d,]+ messages · [\d,]+ → [\d,]+ tokens/u);
    expect(forth.out).toMatch(/inserted +1 message/u);
    expect(await runCommand('diff', at('points.jsonl'), '--from', 'c1', '--to', '1')).toEqual(forth);
    const { out } = await runCommand('diff', at('points.jsonl'), '--from', 'c1', '--json');
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ kind: 'insert', outputId: 'm64' }));
  });

  it('keeps pinned messages, and refuses to pin a removed message', async () => {
    await writeFile(at('pins.jsonl'), sessionText(await summarisedSession()));
    const args = ['compact', at('pins.jsonl'), '--strategy', 'tool-result-hiding', '--window', '3400'];
    const gone = await runCommand(...args, '--pin', '2');
    expect({ code: gone.code, notes: gone.notes }).toEqual({
      code: 2,
      notes: [
        '--pin 2: an earlier compaction removed that message from context; undo that compaction first.',
      ],
    });
    const hiddenWith = async (...pins: readonly string[]) => {
      const { out } = await runCommand(...args, ...pins, '--json');
      const { actions } = JSON.parse(out) as CompactionRecord;
      return actions.flatMap(({ kind, sourceIds }) => (kind === 'hide' ? sourceIds : []));
    };
    expect(await hiddenWith()).toContain('m35');
    expect(await hiddenWith('--pin', '34')).not.toContain('m35');
  });

  it.each([
    [
      ['undo', 'SESSION', '--view', 'SESSION'],
      2,
      '--view requires FILE to be a record; a session has its own messages.',
    ],
    [['undo', 'SESSION', '--id', 'c7'], 2, 'session.jsonl has no compaction c7. Its compactions: c1.'],
    [['undo', 'BARE'], 1, 'bare.jsonl has no compaction in force; nothing was undone.'],
    [['undo', 'RECORD', '--id', 'c1'], 2, '--id and --session require FILE to be a session.'],
    [['diff', 'BARE'], 2, 'bare.jsonl has no compaction.'],
    [['diff', 'RECORD', '--id', 'c1'], 2, '--id requires FILE to be a session.'],
    [['diff', 'BARE', '--from', '1'], 2, '--from names no point: 1. Points: none.'],
    [['diff', 'SESSION', '--from', '99'], 2, '--from names no point: 99. Points: requests 1 to 32, c1.'],
    [['diff', 'SESSION', '--to', '2'], 2, '--to requires --from.'],
    [['diff', 'SESSION', '--from', '2', '--id', 'c1'], 2, '--from does not go with --id or --html.'],
    [['compact', 'PLAIN', '--session', 'SESSION'], 2, '--session requires FILE to be a session.'],
  ])('causes one error line for the arguments %j', async (args, code, line) => {
    await writeFile(at('session.jsonl'), sessionText(await summarisedSession()));
    await writeFile(at('bare.jsonl'), sessionText(transcriptOf([])));
    await writeFile(at('plain.json'), '[{"role":"user","content":"x"}]');
    await runCommand('compact', at('plain.json'), '--record', at('plain-record.json'));
    const names: Readonly<Record<string, string>> = {
      SESSION: at('session.jsonl'),
      BARE: at('bare.jsonl'),
      RECORD: at('plain-record.json'),
      PLAIN: at('plain.json'),
    };
    const run = await runCommand(...args.map((arg) => names[arg] ?? arg));
    expect({ code: run.code, out: run.out }).toEqual({ code, out: '' });
    expect(run.notes).toHaveLength(1);
    expect(run.notes[0]).toContain(line);
  });
});
