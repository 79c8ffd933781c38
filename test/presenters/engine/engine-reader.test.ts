import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/compaction/signals/cancellation.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { EngineClient } from '../../../src/presenters/engine/engine-client.ts';
import { importOn } from '../../../src/presenters/engine/engine-reader.ts';
import { readImportedChat } from '../../../src/presenters/import/imported-chat.ts';
import { createMeter } from '../../support/engine.ts';
import { buildEngine, type EngineScripts } from '../../support/engine-script.ts';

/** More messages than are sent at once, two compactions of their agent, and an unreadable line. */
const session = Array.from({ length: 900 }, (_, index): readonly object[] => [
  {
    type: 'user',
    uuid: `u${index}`,
    ...(index > 0 && index % 400 !== 0 ? { parentUuid: `a${index - 1}` } : {}),
    ...(index > 0 && index % 400 === 0 ? { isCompactSummary: true } : {}),
    message: { role: 'user', content: `Look at src/f${index}.ts` },
  },
  {
    type: 'assistant',
    uuid: `a${index}`,
    parentUuid: `u${index}`,
    message: { role: 'assistant', content: [{ type: 'text', text: 'I looked. '.repeat(40) }] },
  },
])
  .flat()
  .map((line) => JSON.stringify({ ...line, sessionId: 's', timestamp: '2026-01-01T00:00:00.000Z' }))
  .concat('{ half a line')
  .join('\n');

describe('a session of another agent that the engine reads', () => {
  let scripts: EngineScripts;
  let engine: EngineClient;
  let folder: string;
  let path: string;
  beforeAll(async () => void (scripts = await buildEngine()), 60_000);
  afterAll(() => scripts.remove());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'import-'));
    path = join(folder, 'session.jsonl');
    await writeFile(path, session);
  });
  afterEach(async () => {
    await engine.dispose();
    await rm(folder, { recursive: true });
  });

  const start = (script = scripts.engine) => (engine = new EngineClient(script, () => {}));
  const read = (from = path, signal = new AbortController().signal) =>
    importOn(
      { engine, meterOf: () => engine.meterOf('o200k_base') },
      { path: from, name: 'file-name', systemPrompt: 'our rules' },
      signal,
    );
  const expected = async () =>
    readImportedChat(
      session,
      'file-name',
      { meter: await createMeter(), systemPrompt: () => 'our rules' },
      new AbortController().signal,
    );

  it('equals the session read on this thread, and all its messages are counted', async () => {
    start();
    const chat = await read();
    expect(chat).toEqual(await expected());
    const meter = engine.meterOf('o200k_base');
    const fresh = await createMeter();
    for (const message of messagesOf(chat)) {
      expect(meter.knownUsage(message)).toEqual((await fresh.measureEach([message]))[0]);
    }
  });

  it('may be a document of 17 MB', async () => {
    start();
    const large = join(folder, 'chat.json');
    await writeFile(large, JSON.stringify([{ role: 'user', content: 'x'.repeat(17_000_000) }]));
    expect(messagesOf(await read(large))).toHaveLength(2);
  });

  it('is read again from the beginning if the thread dies while reading', async () => {
    start(await scripts.dyingOnce('importing', 2));
    expect(await read()).toEqual(await expected());
  });

  it('is read on this thread if no other thread can be started', async () => {
    start(new URL('missing.mjs', scripts.engine));
    expect(await read()).toEqual(await expected());
  });

  it('is refused with an explanation for the user', async () => {
    start();
    await writeFile(path, '{"one": 1}');
    await expect(read()).rejects.toThrow('one');
    await writeFile(path, '');
    await expect(read()).rejects.toThrow('empty');
  });

  it('stops when it is cancelled', async () => {
    start();
    const stopper = new AbortController();
    const reading = read(path, stopper.signal);
    stopper.abort();
    await expect(reading).rejects.toThrow(CancelledError);
  });
});
