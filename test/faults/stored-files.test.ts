import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { messageOf } from '../../src/compaction/records/reason.ts';
import { soak } from '../support/soak.ts';
import { Damage } from './support/damage.ts';
import { fault } from './support/fault.ts';
import { agentFiles } from './support/agent-files.ts';
import { isOneSentence } from './support/one-sentence.ts';
import { storedFiles } from './support/stored-files.ts';

/** Replacements of a file other than a change of its text. */
const replacements: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  empty: (path) => writeFile(path, ''),
  'all NUL bytes': (path) => writeFile(path, Buffer.alloc(300)),
  'other bytes': (path) => writeFile(path, Buffer.alloc(300, 0xfe)),
  gone: () => Promise.resolve(),
  'a folder': (path) => mkdir(path),
  'a folder with a file in it': (path) => mkdir(path).then(() => writeFile(join(path, 'own.txt'), 'mine')),
  'a link to itself': (path) => symlink(path, path),
};

/** Damages a file. @returns the kind of damage */
async function damageFile(path: string, round: number): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const changes = Object.entries(new Damage(text, round, 0.9).kinds);
  const index = round % (changes.length + Object.keys(replacements).length);
  const [kind, change] = changes[index] ?? [];
  if (kind !== undefined && change !== undefined) {
    try {
      const changed = change();
      await rm(path, { recursive: true, force: true });
      await writeFile(path, changed);
      return kind;
    } catch (error) {
      // Kinds that change values need JSON.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  const [name, replace] = Object.entries(replacements)[round % Object.keys(replacements).length]!;
  await rm(path, { recursive: true, force: true });
  await replace(path);
  return name;
}

describe('the extension survives damaged files', () => {
  for (const [what, make] of Object.entries({ ...storedFiles, ...agentFiles })) {
    fault(`damaged: ${what}`, async (count) => {
      for (let round = 0; round < soak(18, 500); round++) {
        const folder = await mkdtemp(join(tmpdir(), 'stored-'));
        const { path, use } = await make(folder);
        const how = await damageFile(path, round);
        count.tried();
        try {
          for (const harm of await use()) count.harmed(`${how} (${round}): ${harm}`);
        } catch (error) {
          const text = messageOf(error);
          count.harmed(`${how} (${round}): ${isOneSentence(text) ? 'still refused' : 'told badly'}: ${text}`);
        }
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
});
