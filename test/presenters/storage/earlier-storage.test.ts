import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { FolderCheckpoints } from '../../../src/agent/edits/folder-checkpoints.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { encodingCounter } from '../../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { messagesOf, recordsOf, transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { ApprovalStore } from '../../../src/presenters/storage/approval-store.ts';
import { CountFile, countedIn } from '../../../src/presenters/storage/count-file.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import { StateFile } from '../../../src/presenters/storage/state-file.ts';
import { readSession, type SessionContents } from '../../../src/transcripts/session/session-format.ts';
import { EarlierStorage } from '../../harness/earlier-storage.ts';

const fixtures = readdirSync(dirname(new EarlierStorage('').folder));
const versions = fixtures.flatMap((name) => /^storage-(.+)$/u.exec(name)?.[1] ?? []);

describe.each(versions)('the storage of version %s', (version) => {
  const storage = new EarlierStorage(version);
  const store = new SessionStore(join(storage.forWorkspace, 'sessions'));
  let path: string;
  let id: string;
  let contents: SessionContents;
  beforeAll(async () => {
    path = await storage.session();
    id = basename(path, '.jsonl');
    contents = readSession(readFileSync(path, 'utf8'));
  });

  it('contains a session that is read without a problem', () => {
    const { problems, title, isNewer, lastTurn, edits } = contents;
    expect(problems).toEqual([]);
    expect({ title, isNewer, outcome: lastTurn?.outcome }).toEqual({
      title: 'A lock to mend',
      isNewer: false,
      outcome: 'stopped',
    });
    expect(edits).toMatchObject([{ turnId: 'm8', isUndone: false, files: [{ path: 'notes.txt' }] }]);
  });

  it('contains each kind of message unchanged', () => {
    const messages = messagesOf(contents);
    expect(messages[1]).toMatchObject({ role: 'user', origin: 'person', id: 'm2' });
    expect(messages[1]?.content).toMatch(/^What does @src\/lock\.py do\?\n\n<attachment type="file"/u);
    expect(messages[2]).toMatchObject({ reasoning: 'I have to read it.', tool_calls: [{ id: 'call_0' }] });
    expect(messages[5]?.content).toMatchObject([{ type: 'text' }, { type: 'image_url' }]);
    expect(messages.filter(({ kind }) => kind === 'memory').map(({ source }) => source)).toEqual([
      'memory.md',
      'plan',
    ]);
  });

  it('contains compactions, one of them undone, with the right view', () => {
    const { view, pins } = transcriptOf(contents.entries);
    expect(recordsOf(contents).map(({ actualStrategy, status }) => `${actualStrategy} ${status}`)).toEqual([
      'tool-result-hiding applied',
      'hide applied',
      'whole-history applied',
    ]);
    expect([...pins]).toEqual(['m7']);
    expect(view.map(({ kind, id }) => kind ?? id)).toEqual([
      ...['m1', 'm2', 'm7', 'memory', 'memory', 'm26'],
      ...['summary', 'file', 'm30', 'm31', 'm32'],
    ]);
    expect(findViolations(view)).toEqual([]);
  });

  it('contains the counts of all messages', async () => {
    const { view } = transcriptOf(contents.entries);
    const options = { countsReasoning: false, vocabulary: 'o200k_base' };
    const counter = { count: () => Promise.reject(new Error('Nothing is left to count.')) };
    const meter = new UsageMeter(counter, options);
    await new CountFile(store.countsPathOf(id)).teach(meter, countedIn(contents.entries));
    const countedNow = await new UsageMeter(encodingCounter('o200k_base'), options).measure(view);
    expect(await meter.measure(view)).toEqual(countedNow);
  });

  it('contains the session of a sub-agent', async () => {
    const [subAgent, ...others] = await store.subAgentsOf(id);
    expect(others).toEqual([]);
    const opened = await store.open(subAgent!.id);
    expect(opened?.contents.problems).toEqual([]);
    expect(messagesOf(opened!.contents).at(-1)?.content).toBe('There are three.');
  });

  it('contains rules, a draft and the texts of a changed file', async () => {
    const rules = new ApprovalStore(join(storage.forWorkspace, 'approvals.json'), ({ english }) => {
      throw new Error(english);
    });
    expect(rules.load()).toEqual([
      { kind: 'edit', pattern: '**' },
      { kind: 'command', pattern: 'ls', shell: 'posix', reach: 'sandbox' },
      { kind: 'memory', pattern: 'remember' },
    ]);
    const state = new StateFile(join(storage.forWorkspace, 'state.json'));
    expect(await state.active()).toBe(id);
    expect(await state.draftOf(id)).toBe('A draft that was not sent');
    const checkpoints = new FolderCheckpoints(join(storage.forWorkspace, 'checkpoints', id));
    expect(await checkpoints.changesOf('m8')).toMatchObject([
      { shown: 'notes.txt', before: 'one\ntwo\nthree\n', after: 'one\nzwei\nthree\n' },
    ]);
  });
});
