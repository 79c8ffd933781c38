import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSessionText } from '../../../src/presenters/import/session-text.ts';
import { readerOf } from '../../../src/presenters/live/session-reader.ts';
import { type SessionSource, sourceOf } from '../../../src/presenters/live/session-source.ts';
import { importTranscript } from '../../../src/transcripts/import-transcript.ts';
import { openedLimits, unaskedLimits } from '../../../src/transcripts/reading/read-limits.ts';
import { clineSession, clineTask, rooTask, taskText } from '../../support/agents/cline-task.ts';
import { takenText } from '../../support/agents/taken-text.ts';
import { appendByAnotherProcess } from '../../support/agents/growing-file.ts';

const never = new AbortController().signal;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'source-'));
});
afterEach(() => rm(folder, { recursive: true }));

const files = ['api_conversation_history.json', 'ui_messages.json'] as const;
const sessionFiles = ['17_a.messages.json', '17_a.compaction.json'] as const;
describe.each([
  ['a task of Roo Code', files, rooTask.conversation, rooTask.shown, taskText(rooTask), '[]'],
  ['a task of Cline', files, clineTask.conversation, clineTask.shown, taskText(clineTask), '[]'],
  [
    'a session of Cline since version 4',
    sessionFiles,
    clineSession.session,
    clineSession.compaction,
    JSON.stringify(clineSession),
    '{}',
  ],
])('%s, in two files', (_what, [name, nameBeside], content, contentBeside, together, empty) => {
  const path = () => join(folder, name);
  const beside = () => join(folder, nameBeside);
  const [conversation, shown] = [JSON.stringify(content), JSON.stringify(contentBeside)];
  let source: SessionSource;
  beforeEach(() => void (source = sourceOf({ path: path() })));
  const compactions = (text: string) => importTranscript(text).compactions;

  it('is read from both files, and again only if one has changed', async () => {
    await writeFile(path(), conversation);
    expect(compactions((await takenText(source))!.text)).toEqual(compactions(conversation));
    expect(await takenText(source)).toBeUndefined();
    await writeFile(beside(), shown);
    const both = await takenText(source);
    expect(both?.isWhole).toBe(true);
    expect(compactions(both!.text)).toEqual(compactions(together));
    expect(compactions(both!.text)).not.toEqual(compactions(conversation));
    expect(await takenText(source)).toBeUndefined();
    expect(compactions(await readSessionText(path(), never, openedLimits))).toEqual(compactions(both!.text));
  });

  it('keeps the content of the second file while it is half-written or missing', async () => {
    await writeFile(path(), conversation);
    await writeFile(beside(), shown);
    const both = await takenText(source);
    await writeFile(beside(), shown.slice(0, -3));
    expect(await takenText(source)).toEqual(both);
    await rm(beside());
    expect(await takenText(source)).toEqual(both);
    await writeFile(beside(), empty);
    expect(compactions((await takenText(source))!.text)).toEqual(compactions(conversation));
  });

  it('is read with the same result as in full after another process has written both byte by byte', async () => {
    await writeFile(path(), '');
    await writeFile(beside(), '');
    const reader = readerOf({ path: path() });
    const writing = new AbortController();
    const looking = (async () => {
      while (!writing.signal.aborted) await reader.read(never).catch(() => {});
    })();
    await Promise.all([
      appendByAnotherProcess(path(), conversation, 5),
      appendByAnotherProcess(beside(), shown, 6),
    ]);
    writing.abort();
    await looking;
    await reader.read(never).catch(() => {});
    const whole = importTranscript(together);
    const fresh = await readerOf({ path: path() }).read(never);
    expect(fresh).toMatchObject({ entries: whole.entries, compactions: whole.compactions });
    await writeFile(path(), `${conversation}\n`);
    expect(await reader.read(never)).toEqual(fresh);
  });
});

describe('a document of 17 MB', () => {
  const documentWith = (...asked: readonly string[]) =>
    JSON.stringify([
      { role: 'user', content: [{ type: 'text', text: 'x'.repeat(17_000_000) }] },
      ...asked.map((text) => ({ role: 'user', content: [{ type: 'text', text }] })),
    ]);

  it.each(['chat.json', 'api_conversation_history.json'])(
    'is read and followed as %s only if the user opens it',
    async (name) => {
      const path = join(folder, name);
      await writeFile(path, documentWith('first'));
      await expect(readerOf({ path }).read(never)).rejects.toThrow('16 MB');
      const reader = readerOf({ path, limits: openedLimits });
      expect((await reader.read(never))?.entries).toHaveLength(2);
      await writeFile(path, documentWith('first', 'second'));
      expect((await reader.read(never))?.entries).toHaveLength(3);
    },
  );

  it('is refused if it exceeds the limit of its reader', async () => {
    const limits = { ...unaskedLimits, document: 1_000 };
    const path = join(folder, 'chat.json');
    await writeFile(path, documentWith());
    await expect(readerOf({ path, limits }).read(never)).rejects.toThrow('0.001 MB');
  });
});
