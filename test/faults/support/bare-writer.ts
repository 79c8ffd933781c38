import { createInterface } from 'node:readline';
import { Journal } from '../../../src/agent/session/journal.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';

/** Writes a session with only a store. Commands: `open`, `say NAME LENGTH`; each is answered with a line. */
const [folder = '', id = ''] = process.argv.slice(2);
const tell = (line: string) => process.stdout.write(`${line}\n`);
const opened = (await new SessionStore(folder).open(id))!;
const journal = new Journal(
  opened.contents,
  (event) => opened.file.append(event),
  () => {},
);

createInterface({ input: process.stdin })
  .on('line', (command) => {
    const [verb, name = '', length = ''] = command.split(' ');
    if (verb === 'open') {
      tell('open done');
      return;
    }
    const message = {
      role: 'user',
      origin: 'person',
      id: journal.nextMessageId(),
      createdAt: new Date().toISOString(),
      content: `${name}:${'y'.repeat(Number(length))}`,
    } as const;
    void journal.append({ type: 'message', message }).then(
      () => tell(`kept ${name}`),
      () => tell(`refused ${name}`),
    );
  })
  .on('close', () => void opened.file.close().then(() => process.exit(0)));
