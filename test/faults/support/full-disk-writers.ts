import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PictureStore } from '../../../src/agent/attachments/picture-store.ts';
import { SharedFolder } from '../../../src/agent/delegation/shared-files.ts';
import { diskEditor } from '../../../src/agent/edits/disk-editor.ts';
import { FolderCheckpoints } from '../../../src/agent/edits/folder-checkpoints.ts';
import { checkpointed } from '../../../src/agent/edits/session-edits.ts';
import { Journal } from '../../../src/agent/session/journal.ts';
import { createRemember } from '../../../src/agent/tools/remember.ts';
import { configFiles } from '../../../src/bridge/connect/agent-config.ts';
import {
  applyConfigChanges,
  planConnection,
  planDisconnection,
} from '../../../src/bridge/connect/config-changes.ts';
import { writeLauncher } from '../../../src/bridge/connect/launcher.ts';
import { writeText } from '../../../src/cli/files.ts';
import { writeSession } from '../../../src/cli/record-file.ts';
import { messagesOf, transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { textOf } from '../../../src/compaction/messages/message.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import { AnnouncedCompactions } from '../../../src/presenters/live/announced-compactions.ts';
import { ApprovalStore } from '../../../src/presenters/storage/approval-store.ts';
import { CountFile } from '../../../src/presenters/storage/count-file.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import { StateFile } from '../../../src/presenters/storage/state-file.ts';
import { readSession } from '../../../src/transcripts/session/session-format.ts';
import { forgottenFile } from '../../support/claude-code-session.ts';
import { noQuestion } from '../../support/no-question.ts';
import { said, typed } from '../../support/messages.ts';
import { pngOf } from '../../support/pictures.ts';
import { HookCalls } from './agent-files.ts';

/** A writer to a disk that may be full. */
export interface DiskWriter {
  /**
   * Writes the next entry.
   *
   * @throws the error that the user would see
   */
  readonly write: (number: number) => Promise<void>;
  /**
   * @param kept numbers of the acknowledged entries, in order
   * @returns lost or truncated entries
   */
  readonly check: (kept: readonly number[]) => Promise<readonly string[]>;
  readonly close?: () => Promise<void>;
}

/** A text of a number, of up to 30 kB: over several blocks of the disk, or within one. */
export const textFor = (number: number) => `${number}:${'x'.repeat((number * 7_919) % 30_000)}`;
const numberIn = (text: string) => Number(text.split(':')[0]);

/** Writers of everything that the extension and its program store, by kind. Each gets an empty folder. */
export const diskWriters: Readonly<Record<string, (folder: string) => Promise<DiskWriter>>> = {
  'messages of a session': (folder) => {
    const store = new SessionStore(folder);
    const { id, file } = store.create(0);
    const journal = new Journal(
      { entries: [], tools: [] },
      (event) => file.append(event),
      () => {},
    );
    return Promise.resolve({
      write: (number) =>
        journal.append({ type: 'message', message: typed(journal.nextMessageId(), textFor(number)) }),
      close: () => file.close(),
      check: async (kept) => {
        const contents = (await store.open(id))?.contents;
        const found = messagesOf({ entries: contents?.entries ?? [] }).map(({ content }) => textOf(content));
        return found.join() === kept.map(textFor).join()
          ? []
          : [`${found.map(numberIn).join()} of ${kept.join()}`];
      },
    });
  },
  'imported conversations': (folder) => {
    const store = new SessionStore(folder);
    const ids: string[] = [];
    return Promise.resolve({
      write: async (number) => {
        const events = Array.from({ length: 20 }, (_, index) => ({
          type: 'message' as const,
          message: said(`m${index}`, textFor(number + index)),
        }));
        const { id, file } = await store.write(number, events, new AbortController().signal);
        await file.close();
        ids.push(id);
      },
      check: async () => {
        const listed = (await store.list()).map(({ id }) => id).toSorted();
        const whole = await Promise.all(
          ids.map(async (id) => (await store.open(id))?.contents.entries.length === 20),
        );
        const isRight = listed.join() === ids.toSorted().join() && whole.every(Boolean);
        // Each takes a lot of room.
        for (const id of ids.splice(0)) await store.delete(id);
        return isRight ? [] : [`there are ${listed.join()}`];
      },
    });
  },
  approvals: (folder) => {
    const path = join(folder, 'approvals.json');
    const reports: string[] = [];
    const store = new ApprovalStore(path, ({ english }) => reports.push(english));
    return Promise.resolve({
      write: async (number) => {
        reports.length = 0;
        await store.change((rules) => [...rules.slice(-3), { kind: 'read', pattern: textFor(number) }]);
        if (reports.length > 1) throw new Error(`told twice:\n${reports.join('\n')}`);
        if (reports.length > 0) throw new Error(reports[0]);
      },
      check: (kept) => {
        const patterns = new ApprovalStore(path, () => {}).load().map(({ pattern }) => numberIn(pattern));
        const last = kept.at(-1);
        return Promise.resolve(
          last === undefined || patterns.includes(last) ? [] : [`${patterns.join()}, not ${last}`],
        );
      },
    });
  },
  drafts: (folder) => {
    const path = join(folder, 'state.json');
    const state = new StateFile(path);
    return Promise.resolve({
      write: (number) => state.setDraft(`s${number % 2}`, textFor(number)),
      check: async (kept) => {
        const last = kept.at(-1);
        if (last === undefined) return [];
        const draft = await new StateFile(path).draftOf(`s${last % 2}`);
        return draft === textFor(last) ? [] : [`the draft is ${numberIn(draft)}, not ${last}`];
      },
    });
  },
  'announced compactions': (folder) => {
    const path = join(folder, 'told');
    const record = (number: number) => ({ id: textFor(number), createdAt: '' }) as CompactionRecord;
    return Promise.resolve({
      write: async (number) => void (await new AnnouncedCompactions(path).isNew('/s', record(number))),
      check: async (kept) => {
        const told = (await readFile(path, 'utf8').catch(() => '')).split('\n').filter(Boolean);
        return told.length === kept.length ? [] : [`${told.length} of ${kept.length}`];
      },
    });
  },
  'counts of a session': (folder) => {
    const path = join(folder, 's.counts');
    const options = { countsReasoning: false, vocabulary: 'o200k_base' } as const;
    const meter = new UsageMeter(
      { count: (texts) => Promise.resolve(texts.map(({ length }) => length)) },
      options,
    );
    const messages = [said('m0', 'first')];
    const file = new CountFile(path);
    return Promise.resolve({
      write: async (number) => {
        for (let more = 0; more < 200; more++) messages.push(said(`m${number}-${more}`, `${number} ${more}`));
        await meter.measureEach(messages);
        await file.save(meter, messages);
      },
      check: async (kept) => {
        if (kept.length === 0) return [];
        const known = new UsageMeter({ count: () => Promise.reject(new Error('counted again')) }, options);
        const [first] = messages;
        await new CountFile(path).teach(known, [first!]);
        return known.measureEach([first!]).then(
          () => [],
          (error: unknown) => [String(error)],
        );
      },
    });
  },
  'files that the agent edits': async (folder) => {
    const path = join(folder, 'notes.txt');
    await writeFile(path, textFor(3));
    const checkpoints = new FolderCheckpoints(join(folder, 'checkpoints'));
    const editor = checkpointed(diskEditor, checkpoints, () => 'm1');
    return {
      write: async (number) => {
        const before = await readFile(path, 'utf8');
        await editor.apply([{ path, shown: 'notes.txt', before, after: textFor(number) }]);
      },
      check: async (kept) => {
        const now = await readFile(path, 'utf8');
        const [change] = await new FolderCheckpoints(join(folder, 'checkpoints')).changesOf('m1');
        const left = (await readdir(folder)).filter(
          (name) => !['notes.txt', 'checkpoints', 'ballast'].includes(name),
        );
        return [
          ...(now === textFor(kept.at(-1) ?? 3) ? [] : [`the file is ${numberIn(now)}`]),
          ...(change === undefined || change.before === textFor(3) ? [] : ['the original is gone']),
          ...left.map((name) => `left ${name}`),
        ];
      },
    };
  },
  pictures: (folder) => {
    const store = new PictureStore(join(folder, 'pictures'));
    const names = new Map<number, string>();
    return Promise.resolve({
      write: async (number) =>
        void names.set(number, await store.keep(pngOf(number + 1, number + 1), 'image/png')),
      check: async (kept) => {
        const read = await Promise.all(kept.map((number) => store.read(names.get(number) ?? '')));
        return read.flatMap((bytes, index) => (bytes === undefined ? [`${kept[index]} is gone`] : []));
      },
    });
  },
  'the memory of the user': (folder) => {
    // Approximate number of notes in one file.
    const many = 50;
    const memoryOf = (number: number) => ({
      path: join(folder, `memory-${Math.floor(number / many)}.md`),
      shown: 'memory.md',
    });
    const noteOf = (number: number) => `${number}: ${'y'.repeat(480)}`;
    const { signal } = new AbortController();
    return Promise.resolve({
      write: async (number) => {
        const proposed = await createRemember(memoryOf(number), () => 0).propose(
          { text: noteOf(number) },
          signal,
        );
        if (!('perform' in proposed)) throw new Error(proposed.content);
        const { isError, content } = await proposed.perform({
          signal,
          callKey: 'm1:0',
          ask: noQuestion,
          progress: () => {},
        });
        if (isError) throw new Error(content);
      },
      check: async (kept) => {
        const last = kept.at(-1);
        if (last === undefined) return [];
        const { path } = memoryOf(last);
        const right = kept.filter((number) => memoryOf(number).path === path);
        const text = right.map((number) => `- 1970-01-01: ${noteOf(number)}\n`).join('');
        const found = await readFile(path, 'utf8').catch(() => '');
        return found === text ? [] : [`the file has ${found.length} characters, not ${text.length}`];
      },
    });
  },
  'files that sub-agents share': (folder) => {
    const shared = new SharedFolder(folder, [{ name: 'a', task: 'look', dependsOn: [] }], () => 0);
    const access = shared.accessOf('a');
    return Promise.resolve({
      write: (number) => access.write('findings.txt', textFor(number)),
      check: async (kept) => {
        const last = kept.at(-1);
        if (last === undefined) return [];
        const read = await access.read('a', 'findings.txt');
        return read === textFor(last) ? [] : [`${numberIn(read)}, not ${last}`];
      },
    });
  },
  'notes of hooks': async (folder) => {
    const sessions: string[] = [];
    const give = async (number: number) => {
      const home = join(folder, `s${number % 2}`);
      await rm(home, { recursive: true, force: true });
      await mkdir(home);
      return HookCalls.about(home);
    };
    return {
      // A hook does not report what it could not write. It returns later what it noted, or what the file
      // contains.
      write: async (number) => {
        const session = await give(number);
        await session.call('PreCompact');
        const given = await session.goOn();
        if (given === undefined) throw new Error('nothing was given back');
        if (!given.includes(forgottenFile)) sessions.push(given);
      },
      check: () => Promise.resolve(sessions.map((given) => `gave ${given}`)),
    };
  },
  'configurations of agents': (folder) => keepConnections(folder),
  'the scripts that agents call': (folder) =>
    Promise.resolve({
      write: (number) => writeLauncher(join(folder, 'state'), textFor(number), [process.execPath]),
      check: async (kept) => {
        const last = kept.at(-1);
        if (last === undefined) return [];
        const script = await readFile(join(folder, 'state', 'bin', 'context-budget.mjs'), 'utf8');
        return script.includes('.catch(() => {});') ? [] : ['the script is cut'];
      },
    }),
  'exports of the command line': async (folder) => {
    const path = join(folder, 'out.json');
    await writeFile(path, textFor(1));
    return {
      write: (number) => writeText(path, textFor(number)),
      check: async (kept) => {
        const now = await readFile(path, 'utf8');
        return now === textFor(kept.at(-1) ?? 1)
          ? []
          : [`the file is ${now.length} bytes of ${numberIn(now)}`];
      },
    };
  },
  'compactions by the command line': async (folder) => {
    const path = join(folder, 's.jsonl');
    await writeFile(path, `{"type":"session","version":1,"id":"s","createdAt":"2026-01-01T00:00:00.000Z"}\n`);
    return {
      write: async (number) => {
        const text = await readFile(path, 'utf8');
        const session = { path, text, transcript: transcriptOf(readSession(text).entries) };
        await writeSession(path, session, [
          { type: 'message', message: typed(`m${number}`, textFor(number)) },
        ]);
      },
      check: async (kept) => {
        const { entries, problems } = readSession(await readFile(path, 'utf8'));
        const found = messagesOf({ entries }).map(({ id }) => id);
        const right = kept.map((number) => `m${number}`);
        return [
          ...(found.join() === right.join() ? [] : [`${found.join()} of ${right.join()}`]),
          ...problems.map(String),
        ];
      },
    };
  },
};

const configuration = `{ "theme": "dark", "more": "${'z'.repeat(9_000)}" }\n`;

/** Connects and disconnects by turns. */
async function keepConnections(folder: string): Promise<DiskWriter> {
  const files = configFiles(
    'claude-code',
    { program: 'node', script: '/state/bin/context-budget.mjs' },
    { home: folder, platform: 'linux', environment: {} },
  );
  const notes = join(folder, 'notes');
  for (const { path } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, configuration);
  }
  const textsOf = () => Promise.all(files.map(({ path }) => readFile(path, 'utf8')));
  let right = await textsOf();
  return {
    write: async () => {
      const connection = await planConnection(files);
      await applyConfigChanges(
        connection.length > 0 ? connection : await planDisconnection(files, notes),
        notes,
      );
      right = await textsOf();
      if (connection.length === 0 && right.some((text) => text !== configuration)) {
        throw new Error('it was not taken out again');
      }
    },
    check: async () => {
      const now = await textsOf();
      const left = (await Promise.all([folder, dirname(files[0]!.path)].map((one) => readdir(one)))).flat();
      return [
        ...now.flatMap((text, index) =>
          text === right[index] ? [] : [`${files[index]!.path} has ${text.length} bytes`],
        ),
        ...left.filter((name) => name.endsWith('.tmp')).map((name) => `left ${name}`),
      ];
    },
  };
}
