import { createInterface } from 'node:readline';
import { Journal } from '../../../src/agent/session/journal.ts';
import type { SessionLock } from '../../../src/agent/locks/session-lock.ts';
import { Writer } from '../../../src/extension/sessions/session-opener.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';

/**
 * The session part of a window: reads it, writes it under its lock, and releases it on request. Commands
 * arrive line by line: `open`, `take`, `say NAME LENGTH`; each is answered with a line.
 */
const [folder = '', id = ''] = process.argv.slice(2);
const store = new SessionStore(folder);
const tell = (line: string) => process.stdout.write(`${line}\n`);
let writer: Writer;
let journal: Journal;

/** Reads the session, and writes it like the hub. */
async function read(lock: SessionLock): Promise<void> {
  const found = await store.open(id, lock);
  if (found === undefined) throw new Error('There is no session.');
  writer = new Writer(found.file);
  journal = new Journal(
    found.contents,
    (event) => writer.append(event),
    () => {},
  );
  lock.listen({ asked: () => void writer.close(), lost: () => {} });
}

async function run(command: string): Promise<void> {
  const [verb = '', name = '', length = ''] = command.split(' ');
  if (verb === 'open') {
    await read(store.lockOf(id));
    tell('open done');
  } else if (verb === 'take') {
    const lock = store.lockOf(id);
    try {
      await writer.close();
      await lock.takeOver(120_000);
      await read(lock);
      tell('take done');
    } catch (error) {
      tell(`take ${String(error)}`);
    }
  } else if (verb === 'say') {
    const message = {
      role: 'user',
      origin: 'person',
      id: journal.nextMessageId(),
      createdAt: new Date().toISOString(),
      content: `${name}:${'y'.repeat(Number(length))}`,
    } as const;
    await journal.append({ type: 'message', message }).then(
      () => tell(`kept ${name}`),
      () => tell(`refused ${name}`),
    );
  }
}

let running = Promise.resolve();
createInterface({ input: process.stdin })
  .on('line', (command) => {
    running = running.then(() => run(command));
  })
  .on('close', () => {
    void running.then(() => process.exit(0));
  });
