/**
 * Writes a session like the extension, until it is killed. Each printed line is one acknowledged message.
 *
 * Usage: node session-writer.ts FOLDER SESSION-ID SEED
 */
import { writeSync } from 'node:fs';
import { Journal } from '../../../src/agent/session/journal.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import { seeded } from './seeded.ts';

const [folder = '', id = '', seed = ''] = process.argv.slice(2);
const random = seeded(Number(seed));
const opened = (await new SessionStore(folder).open(id))!;
const journal = new Journal(
  opened.contents,
  (event) => opened.file.append(event),
  () => {},
);
const sizes = [20, 200, 1_000, 8_000, 90_000];

for (;;) {
  const burst = Array.from({ length: 1 + Math.floor(random() * 3) }, async () => {
    const messageId = journal.nextMessageId();
    const size = sizes[Math.floor(random() ** 2 * sizes.length)]!;
    const content = (random() < 0.3 ? '汉字😀' : 'x').repeat(Math.ceil(size * random()));
    const createdAt = '2026-01-01T00:00:00.000Z';
    await journal.append({
      type: 'message',
      message: { role: 'user', origin: 'person', id: messageId, createdAt, content },
    });
    writeSync(1, `${messageId} ${content.length}\n`);
  });
  await Promise.all(burst);
  if (random() < 0.1) await journal.append({ type: 'queue', texts: ['later'] });
}
