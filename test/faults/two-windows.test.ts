import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';
import { Journal } from '../../src/agent/session/journal.ts';
import { textOf } from '../../src/compaction/messages/message.ts';
import { SessionStore } from '../../src/presenters/storage/session-store.ts';
import { typed } from '../support/messages.ts';
import { soak } from '../support/soak.ts';
import { bundledScript } from './support/bundled-script.ts';
import { fault } from './support/fault.ts';

/** A window in a separate process, with real files and locks, that follows commands. */
class WindowProcess {
  readonly acknowledged: string[] = [];
  readonly refused: string[] = [];
  private readonly child: ChildProcess;
  private readonly waiting: { readonly start: string; readonly done: (line: string) => void }[] = [];

  constructor(script: string, folder: string, id: string) {
    this.child = spawn(process.execPath, [script, folder, id], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.child.stdout! }).on('line', (line) => this.heard(line));
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Sends a command to the window. @returns its answer */
  ask(words: string): Promise<string> {
    const answer = new Promise<string>((done) => this.waiting.push({ start: words.split(' ')[0]!, done }));
    this.child.stdin!.write(`${words}\n`);
    return answer;
  }

  async kill(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.stdin!.end();
    await ended;
  }

  private heard(line: string): void {
    const [what = '', text = ''] = line.split(' ');
    if (what === 'kept') this.acknowledged.push(text);
    if (what === 'refused') this.refused.push(text);
    const start = what === 'kept' || what === 'refused' ? 'say' : what;
    const index = this.waiting.findIndex((one) => one.start === start);
    if (index >= 0) this.waiting.splice(index, 1)[0]!.done(line);
  }
}

let script: string;
let bareScript: string;
let folder: string;
let windows: WindowProcess[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'two-windows-'));
  script = await bundledScript('window-process', folder);
  bareScript = await bundledScript('bare-writer', folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Two windows that both open one session before either writes. */
async function open(): Promise<{ readonly store: SessionStore; readonly id: string }> {
  const storage = await mkdtemp(join(folder, 'sessions-'));
  const store = new SessionStore(storage);
  const { id, file } = store.create(Date.now());
  await file.append({ type: 'title', title: 'Both' });
  await file.close();
  windows = [new WindowProcess(script, storage, id), new WindowProcess(script, storage, id)];
  await Promise.all(windows.map((window) => window.ask('open')));
  return { store, id };
}

/** Acknowledged lines missing from the file, and unreadable lines in it. */
async function lostIn(store: SessionStore, id: string): Promise<readonly string[]> {
  const { contents } = (await store.open(id))!;
  const there = new Set(
    contents.entries.flatMap((entry) =>
      entry.type === 'message' ? [textOf(entry.message.content).split(':')[0]] : [],
    ),
  );
  const acknowledged = windows.flatMap((window) => window.acknowledged);
  return [
    ...acknowledged.filter((text) => !there.has(text)).map((text) => `lost ${text}`),
    ...contents.problems,
  ];
}

fault('two windows send a message at the same time', async (count) => {
  const { store, id } = await open();
  const each = soak(40, 400);
  await Promise.all(
    windows.map(async (window, number) => {
      for (let said = 0; said < each; said++) {
        // Every fourth line takes several writes.
        await window.ask(`say ${'ab'[number]}${said} ${said % 4 === 3 ? 1_200_000 : 100}`);
        count.tried();
      }
    }),
  );
  await Promise.all(windows.map((window) => window.end()));
  for (const loss of await lostIn(store, id)) count.harmed(loss);
  const told = windows.flatMap(({ acknowledged, refused }) => [...acknowledged, ...refused]).length;
  if (told !== 2 * each) count.harmed(`${2 * each - told} were neither kept nor refused`);
  if (windows.every(({ refused }) => refused.length === 0)) count.harmed('both were let write');
});

fault('two windows take the chat from each other again and again', async (count) => {
  const { store, id } = await open();
  for (let turn = 0; turn < soak(6, 60); turn++) {
    const window = windows[turn % 2]!;
    if ((await window.ask('take')) !== 'take done') count.harmed(`turn ${turn} could not take over`);
    for (let said = 0; said < 7; said++) {
      await Promise.all(
        windows.map((one, number) =>
          one.ask(`say ${'ab'[number]}${turn}-${said} ${said === 3 ? 700_000 : 50}`),
        ),
      );
      count.tried();
      count.tried();
    }
  }
  await Promise.all(windows.map((window) => window.end()));
  for (const loss of await lostIn(store, id)) count.harmed(loss);
});

fault('the window that owns the chat is killed, and another continues', async (count) => {
  for (let round = 0; round < soak(3, 30); round++) {
    const { store, id } = await open();
    const [owner, next] = windows as [WindowProcess, WindowProcess];
    await owner.ask('take');
    for (let said = 0; said < 5; said++) await owner.ask(`say a${said} ${said === 4 ? 900_000 : 60}`);
    const last = owner.ask(`say torn 3000000`);
    await owner.kill();
    if ((await next.ask('take')) !== 'take done') count.harmed(`round ${round}: not taken over`);
    for (let said = 0; said < 5; said++) {
      if (!(await next.ask(`say b${said} 60`)).startsWith('kept'))
        count.harmed(`round ${round}: b${said} refused`);
      count.tried();
    }
    await next.end();
    // A line that was cut off is reported; it contains no acknowledged message.
    const losses = (await lostIn(store, id)).filter((loss) => loss.startsWith('lost '));
    for (const loss of losses) count.harmed(loss);
    void last;
  }
});

fault('a window that was suspended too long resumes and writes', async (count) => {
  const { store, id } = await open();
  const [sleeper, next] = windows as [WindowProcess, WindowProcess];
  await sleeper.ask('take');
  await sleeper.ask('say a0 60');
  process.kill(sleeper.pid, 'SIGSTOP');
  const late = Array.from({ length: 5 }, (_, said) => sleeper.ask(`say late${said} 60`));
  if ((await next.ask('take')) !== 'take done') count.harmed('a sleeping window keeps the chat for good');
  await next.ask('say b0 60');
  process.kill(sleeper.pid, 'SIGCONT');
  for (const answer of await Promise.all(late)) {
    count.tried();
    if (!answer.startsWith('refused')) count.harmed(`was let write: ${answer}`);
  }
  for (let said = 1; said < 5; said++) await next.ask(`say b${said} 60`);
  await Promise.all(windows.map((window) => window.end()));
  for (const loss of await lostIn(store, id)) count.harmed(loss);
});

fault('two stores write one session, in one process or two, without a hub', async (count) => {
  const { store, id } = await open();
  const storage = dirname(store.pathOf(id));
  await Promise.all(windows.map((window) => window.end()));
  const each = soak(40, 400);

  windows = [0, 1].map(() => new WindowProcess(bareScript, storage, id));
  await Promise.all(windows.map((window) => window.ask('open')));
  for (let said = 0; said < each; said++) {
    const length = said % 4 === 3 ? 1_200_000 : 100;
    await Promise.all(windows.map((window, number) => window.ask(`say ${'ab'[number]}${said} ${length}`)));
    count.tried();
    count.tried();
  }
  await Promise.all(windows.map((window) => window.end()));
  for (const loss of await lostIn(store, id)) count.harmed(`in two processes: ${loss}`);
  const writers = windows.filter(({ acknowledged }) => acknowledged.length > 0);
  if (writers.length !== 1) count.harmed(`${writers.length} processes were let write`);

  const stores = [store, new SessionStore(storage)];
  const opened = await Promise.all(stores.map(async (one) => (await one.open(id))!));
  const kept = [0, 0];
  await Promise.all(
    opened.map(async ({ contents, file }, number) => {
      const journal = new Journal(
        contents,
        (event) => file.append(event),
        () => {},
      );
      for (let said = 0; said < each; said++) {
        count.tried();
        const message = typed(journal.nextMessageId(), `${'cd'[number]}${said}:`);
        const isKept = await journal.append({ type: 'message', message }).then(
          () => true,
          () => false,
        );
        if (!isKept) continue;
        kept[number]!++;
        windows[0]!.acknowledged.push(`${'cd'[number]}${said}`);
      }
    }),
  );
  await Promise.all(opened.map(({ file }) => file.close()));
  for (const loss of await lostIn(store, id)) count.harmed(`in one process: ${loss}`);
  if (kept.filter((lines) => lines > 0).length !== 1) count.harmed(`kept in one process: ${kept.join()}`);
});
