import { createHash } from 'node:crypto';
import { lutimes, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ApprovalRule } from '../../../src/agent/approvals/approval-request.ts';
import { PictureStore } from '../../../src/agent/attachments/picture-store.ts';
import { diskEditor } from '../../../src/agent/edits/disk-editor.ts';
import { FileEditError } from '../../../src/agent/edits/file-editor.ts';
import { FolderCheckpoints } from '../../../src/agent/edits/folder-checkpoints.ts';
import { SharedFolder } from '../../../src/agent/delegation/shared-files.ts';
import { SharedFile } from '../../../src/agent/locks/shared-file.ts';
import { readMemoryFiles } from '../../../src/agent/memory/memory-files.ts';
import { createRemember } from '../../../src/agent/tools/remember.ts';
import { launcherIn, refreshLauncher, writeLauncher } from '../../../src/bridge/connect/launcher.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { AnnouncedCompactions } from '../../../src/presenters/live/announced-compactions.ts';
import { ApprovalStore } from '../../../src/presenters/storage/approval-store.ts';
import { CountFile } from '../../../src/presenters/storage/count-file.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import { StateFile } from '../../../src/presenters/storage/state-file.ts';
import { noQuestion } from '../../support/no-question.ts';
import { called, result, said, typed } from '../../support/messages.ts';
import { bytesOf, pictures, pngOf } from '../../support/pictures.ts';
import { isOneSentence } from './one-sentence.ts';

/** A stored file of one kind, and its later use. */
export interface StoredFile {
  /** Absolute. */
  readonly path: string;
  /**
   * Uses the possibly damaged file like the extension, and writes it again.
   *
   * @returns the harm done
   * @throws the error that the user would see
   */
  readonly use: () => Promise<readonly string[]>;
}

/** Files of the editor's storage, by kind. Each is written into an empty folder. */
export const storedFiles: Readonly<Record<string, (folder: string) => Promise<StoredFile>>> = {
  'counts of a session': async (folder) => {
    const path = join(folder, 's1.counts');
    const right = JSON.stringify(await keepCounts(path, countingMeter()));
    return {
      path,
      use: async () => {
        const used = JSON.stringify(await keepCounts(path, countingMeter()));
        const kept = JSON.stringify(await keepCounts(path, meterThatKnowsAll()));
        return [
          ...(used === right ? [] : [`counted ${used}, not ${right}`]),
          ...(kept === right ? [] : [`kept ${kept}`]),
        ];
      },
    };
  },
  approvals: async (folder) => {
    const path = join(folder, 'approvals.json');
    await new ApprovalStore(path, () => {}).change(() => rules);
    return { path, use: () => useApprovals(path) };
  },
  'drafts and the open chat': async (folder) => {
    const path = join(folder, 'state.json');
    await new StateFile(path).setDraft('s1', 'a draft');
    await new StateFile(path).setActive('s1');
    return {
      path,
      use: async () => {
        const state = new StateFile(path);
        await state.active();
        await state.draftOf('s1');
        await state.setDraft('s2', 'another one');
        await state.setActive('s2');
        const read = [await new StateFile(path).active(), await new StateFile(path).draftOf('s2')];
        return read.join() === 's2,another one' ? [] : [`kept ${read.join()}`];
      },
    };
  },
  'announced compactions': async (folder) => {
    const path = join(folder, 'told-compactions');
    const record = (id: string) => ({ id, createdAt: '2026-01-01T00:00:00.000Z' }) as CompactionRecord;
    for (let id = 0; id < 5; id++) await new AnnouncedCompactions(path).isNew('/s1', record(`c${id}`));
    return {
      path,
      use: async () => {
        await new AnnouncedCompactions(path).isNew('/s1', record('c3'));
        await new AnnouncedCompactions(path).isNew('/s1', record('new'));
        return (await new AnnouncedCompactions(path).isNew('/s1', record('new'))) ? ['told twice'] : [];
      },
    };
  },
  'the index of checkpoints': (folder) => keepCheckpoints(folder, 'index.jsonl'),
  'a text of a checkpoint': (folder) => keepCheckpoints(folder, 'texts'),
  'a picture': async (folder) => {
    const store = new PictureStore(folder);
    const name = await store.keep(bytesOf(pictures.png), 'image/png');
    return {
      path: store.pathOf(name, 'image/png'),
      use: async () => {
        const read = await store.read(name);
        await store.keep(bytesOf(pictures.png), 'image/png');
        const again = await store.read(name);
        const other = await store.read(await store.keep(pngOf(3, 3), 'image/png'));
        return [
          ...(read === undefined || base64(read) === pictures.png ? [] : ['another picture was shown']),
          ...(base64(again) === pictures.png && other !== undefined ? [] : ['a picture was not kept']),
        ];
      },
    };
  },
  'the memory of the user': async (folder) => {
    const memory = { path: join(folder, 'memory.md'), shown: 'memory.md' };
    await remember(memory, 'Answer in French.');
    return {
      path: memory.path,
      use: async () => {
        await readMemoryFiles(undefined, memory, 32_000);
        const { isError } = await remember(memory, 'Never push to main.');
        const [file] = await readMemoryFiles(undefined, memory, undefined);
        return isError || file?.text.includes('Never push to main.') ? [] : ['kept, and not read'];
      },
    };
  },
  'a file that sub-agents share': (folder) => keepShared(folder, 'a/findings.json'),
  'the list of shared files': (folder) => keepShared(folder, 'changes.jsonl'),
  'a session among others': async (folder) => {
    const store = new SessionStore(folder);
    const [one, other] = [await keepSession(store, 'one'), await keepSession(store, 'other')];
    return {
      path: store.pathOf(one),
      use: async () => {
        const read = await store.open(one).catch((error: unknown) => error);
        if (read instanceof Error && !isOneSentence(read.message)) return [`told ${read.message}`];
        const titles = (await store.list()).map(({ title }) => title);
        const { contents } = (await store.open(other))!;
        await store.delete(one);
        return [
          ...(titles.includes('other') && contents.title === 'other' ? [] : ['another one is gone']),
          ...((await readdir(folder)).includes(basename(store.pathOf(one))) ? ['not deleted'] : []),
        ];
      },
    };
  },
  'the owner of a lock': (folder) => holdSession(folder, 'owner'),
  'a request for a lock': (folder) => holdSession(folder, 'ask'),
  'a lock that is held': (folder) => holdSession(folder, 'lock'),
  'a lock that was left behind': async (folder) => {
    const path = join(folder, 'state.json');
    const lock = `${path}.lock`;
    await mkdir(lock);
    return {
      path: lock,
      use: async () => {
        await lutimes(lock, 1, 1).catch(() => {});
        await new SharedFile(path).change(() => 'kept');
        return (await readFile(path, 'utf8')) === 'kept' ? [] : ['nothing was kept'];
      },
    };
  },
  'the script that agents call': (folder) => keepLauncher(folder, 'mjs'),
  'the shell script that starts this script': (folder) => keepLauncher(folder, 'sh'),
};

const rules: readonly ApprovalRule[] = [
  { kind: 'command', pattern: 'npm test', shell: 'posix', reach: 'sandbox' },
  { kind: 'command', pattern: 'git log', shell: 'posix', reach: 'network' },
  { kind: 'read', pattern: 'src/secrets.ts' },
  { kind: 'mcp', pattern: 'weather.forecast' },
];

async function useApprovals(path: string): Promise<readonly string[]> {
  const reports: string[] = [];
  const store = new ApprovalStore(path, ({ english }) => reports.push(english));
  const known = new Set(rules.map((rule) => JSON.stringify(rule)));
  const more = store.load().filter((rule) => !known.has(JSON.stringify(rule)));
  store.load();
  const told = reports.length;
  const added: ApprovalRule = { kind: 'mcp', pattern: 'clock.now' };
  await store.change((before) => [...before, added]);
  const again = new ApprovalStore(path, ({ english }) => reports.push(english)).load();
  return [
    ...more.map((rule) => `allowed ${JSON.stringify(rule)}`),
    ...(told <= 1 ? [] : [`told ${told} times: ${reports.join(' ')}`]),
    ...(again.some(({ pattern }) => pattern === added.pattern) ? [] : [`not kept: ${reports.join(' ')}`]),
  ];
}

const spoken = () => [
  typed('m1', 'find the bug'),
  called('m2', ['a', 'read_file', { path: 'src/a.ts' }]),
  result('m3', 'a', 'a long file '.repeat(20)),
  ...Array.from({ length: 12 }, (_, index) =>
    said(`m${index + 4}`, `it is in line ${'x'.repeat(index * 50)}`),
  ),
];

const countingOptions = { countsReasoning: false, vocabulary: 'o200k_base' } as const;
const countingMeter = () =>
  new UsageMeter({ count: (texts) => Promise.resolve(texts.map(({ length }) => length)) }, countingOptions);
const meterThatKnowsAll = () =>
  new UsageMeter({ count: () => Promise.reject(new Error('counted again')) }, countingOptions);

/** Opens and saves the counts of a session. */
async function keepCounts(path: string, meter: UsageMeter): Promise<readonly unknown[]> {
  const messages = spoken();
  const file = new CountFile(path);
  await file.teach(meter, messages);
  const usages = await meter.measureEach(messages);
  await file.save(meter, messages);
  return usages;
}

const texts = ['one\ntwo\n', 'one\nzwei\n', 'eins\nzwei\n'] as const;

async function keepCheckpoints(folder: string, damaged: 'index.jsonl' | 'texts'): Promise<StoredFile> {
  const checkpoints = join(folder, 'checkpoints');
  const file = join(folder, 'notes.txt');
  const bystander = join(folder, 'notes.tyt');
  const change = (before: string, after: string) => [{ path: file, shown: 'notes.txt', before, after }];
  await writeFile(bystander, 'mine');
  const kept = new FolderCheckpoints(checkpoints);
  await kept.note('m1', change(texts[0], texts[1]));
  await kept.note('m2', change(texts[1], texts[2]));
  await writeFile(file, texts[2]);
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
  return {
    path: damaged === 'texts' ? join(checkpoints, 'texts', digestOf(texts[1])) : join(checkpoints, damaged),
    use: async () => {
      const again = new FolderCheckpoints(checkpoints);
      const undone = await again.undo('m2', diskEditor, { force: false }).then(
        ({ conflicts }) => conflicts.length === 0,
        (error: unknown) => {
          if (error instanceof FileEditError) return false;
          throw error;
        },
      );
      const now = await readFile(file, 'utf8');
      await again.note('m3', change(now, 'drei\n'));
      await writeFile(file, 'drei\n');
      await new FolderCheckpoints(checkpoints).undo('m3', diskEditor, { force: false });
      const last = await readFile(file, 'utf8');
      const others = await readFile(bystander, 'utf8');
      return [
        ...(now === (undone ? texts[1] : texts[2]) ? [] : [`undone to ${now}`]),
        ...(last === now ? [] : [`later undone to ${last}`]),
        ...(others === 'mine' ? [] : ['another file was changed']),
      ];
    },
  };
}

const base64 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64');

async function remember(
  memory: { readonly path: string; readonly shown: string },
  text: string,
): Promise<{ readonly isError?: boolean }> {
  const { signal } = new AbortController();
  const proposed = await createRemember(memory, () => 0).propose({ text }, signal);
  if (!('perform' in proposed)) return proposed;
  return proposed.perform({ signal, callKey: 'm1:0', ask: noQuestion, progress: () => {} });
}

async function keepShared(folder: string, damaged: string): Promise<StoredFile> {
  const subAgents = [
    { name: 'a', task: 'look', dependsOn: [] },
    { name: 'b', task: 'write', dependsOn: ['a'] },
  ] as never;
  const shared = new SharedFolder(folder, subAgents, () => 0);
  const [one, other] = [shared.accessOf('a'), shared.accessOf('b')];
  await one.write('findings.json', '{"found":1}');
  return {
    path: join(folder, damaged),
    use: async () => {
      await other.read('a', 'findings.json').catch(() => '');
      await one.write('findings.json', '{"found":2}');
      const read = await other.read('a', 'findings.json');
      return read === '{"found":2}' ? [] : [`read ${read}`];
    },
  };
}

async function keepSession(store: SessionStore, title: string): Promise<string> {
  const { id, file } = store.create(0);
  await file.append({ type: 'title', title });
  for (const name of ['m1', 'm2', 'm3']) await file.append({ type: 'message', message: typed(name, title) });
  await file.close();
  return id;
}

/** A session that is being written, with its lock. */
async function holdSession(folder: string, damaged: 'owner' | 'ask' | 'lock'): Promise<StoredFile> {
  const store = new SessionStore(folder);
  const { id, file } = store.create(0);
  const say = (name: string) => file.append({ type: 'message', message: typed(name, `says ${name}`) });
  await say('m1');
  const path = `${store.pathOf(id)}.${damaged}`;
  if (damaged === 'ask') await writeFile(path, await readFile(`${store.pathOf(id)}.owner`));
  return {
    path,
    use: async () => {
      const harm: string[] = [];
      const kept = ['m1'];
      for (const name of ['m2', 'm3', 'm4']) {
        await say(name).then(
          () => kept.push(name),
          (error: unknown) => {
            if (name === 'm4') harm.push(`still refused: ${String(error)}`);
          },
        );
      }
      await file.close();
      // Another process can take the remains of a damaged lock after a while.
      await utimes(`${store.pathOf(id)}.lock`, 1, 1).catch(() => {});
      const again = (await new SessionStore(folder).open(id))!;
      const found = messagesOf(again.contents).map((message) => message.id);
      if (!kept.every((name) => found.includes(name))) harm.push(`${found.join()} of ${kept.join()}`);
      await again.file.append({ type: 'title', title: 'again' });
      await again.file.close();
      await new SessionStore(folder).delete(id);
      if ((await stat(store.pathOf(id)).catch(() => undefined)) !== undefined) harm.push('not deleted');
      return harm;
    },
  };
}

async function keepLauncher(folder: string, damaged: 'mjs' | 'sh'): Promise<StoredFile> {
  const program = join(folder, 'cli.js');
  await writeLauncher(folder, program, [process.execPath]);
  const script = launcherIn(folder, 'linux').script.replace(/\.sh$/u, '');
  const path = `${script}.${damaged}`;
  const right = await readFile(path, 'utf8');
  return {
    path,
    use: async () => {
      // Every start does this, and so does connecting again.
      await refreshLauncher(folder, program, []);
      await writeLauncher(folder, program, [process.execPath]);
      return (await readFile(path, 'utf8')) === right ? [] : ['not written again'];
    },
  };
}
