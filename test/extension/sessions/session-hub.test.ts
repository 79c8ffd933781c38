import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { GovernedHistories } from '../../../src/agent/governed/governed-histories.ts';
import { OfflineModel } from '../../../src/agent/offline/offline-model.ts';
import { recordsInForce } from '../../../src/compaction/transcript/view.ts';
import type { SessionHub } from '../../../src/extension/sessions/session-hub.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { settingsFor } from '../../agent/session/session-harness.ts';
import { createMeter } from '../../support/engine.ts';
import { called, result, textOfTokens, typed } from '../../support/messages.ts';
import { choices, documents, notices, window as vscodeWindow } from '../../support/editor/vscode-window.ts';
import { HubWindow } from './hub-window.ts';
import { until } from '../../support/eventually.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-window.ts'));

let meter: UsageMeter;
let storage: string;

beforeAll(async () => {
  meter = await createMeter();
});
beforeEach(async () => {
  storage = await mkdtemp(join(tmpdir(), 'hub-'));
  for (const list of [choices, documents, notices]) list.length = 0;
  // A window may still be writing after its notice was read.
  return () => rm(storage, { recursive: true, force: true, maxRetries: 5 });
});

describe('SessionHub', () => {
  it('returns to the chat that was open last', async () => {
    const before = new HubWindow(storage, meter);
    await before.say('What is a ledger?');
    await before.hub.close();
    expect(await new HubWindow(storage, meter).said()).toEqual(['What is a ledger?']);
  });

  it.each([
    ['renames', (hub: SessionHub, id: string) => hub.rename(id, 'Ledgers'), [{ title: 'Ledgers' }]],
    ['deletes', (hub: SessionHub, id: string) => hub.delete(id), []],
  ] as const)('%s the previous chat once it is closed', async (_name, change, listed) => {
    const window = new HubWindow(storage, meter);
    const { hub } = window;
    await window.say('What is a ledger?');
    const { id, session } = await hub.current();
    const busy = vi.spyOn(session, 'isBusy', 'get').mockReturnValue(true);
    await hub.newChat();
    const changed = change(hub, id);
    busy.mockReturnValue(false);
    await changed;
    expect(await hub.list()).toMatchObject(listed);
  });
});

/** Ways to damage a chat so that it cannot be opened. */
const damages: readonly (readonly [string, (path: string) => Promise<SessionStore | undefined>])[] = [
  [
    'a file that cannot be read',
    async (path) => {
      await rm(path);
      await mkdir(path);
      return undefined;
    },
  ],
  [
    'contents that cannot be counted or shown',
    (path) => {
      class Damaged extends SessionStore {
        override async open(id: string) {
          const found = await super.open(id);
          if (found === undefined || this.pathOf(id) !== path) return found;
          const [first, ...others] = found.contents.entries;
          const entries = [{ ...first, message: { role: 'user', id: 'm1' } }, ...others];
          return { ...found, contents: { ...found.contents, entries } } as unknown as typeof found;
        }
      }
      return Promise.resolve(new Damaged(join(storage, 'sessions')));
    },
  ],
];

describe.each(damages)('a chat with %s', (_name, damage) => {
  let id: string;
  let path: string;
  const window = () => new HubWindow(storage, meter, store);
  let store: SessionStore | undefined;

  beforeEach(async () => {
    const before = new HubWindow(storage, meter);
    await before.say('Keep this.');
    ({ id } = await before.hub.current());
    await before.hub.close();
    path = before.store.pathOf(id);
    store = await damage(path);
  });

  it('is reported by its title, and a new chat opens instead', async () => {
    const { hub } = window();
    expect((await hub.current()).id).not.toBe(id);
    expect((await hub.current()).session.isEmpty).toBe(true);
    await until(() => expect(notices).toEqual([expect.stringContaining('could not be opened')]));
  });

  it('does not prevent other chats from being used, opened, listed or deleted', async () => {
    const other = window();
    await other.say('Hello there.');
    expect(await other.said()).toEqual(['Hello there.']);
    await other.hub.open(id);
    expect(await other.said(), 'the chat that was open stays').toEqual(['Hello there.']);
    await other.hub.newChat();
    expect(await other.said()).toEqual([]);
    await expect(other.hub.list()).resolves.toBeDefined();
  });

  it('fails only once, because the window then opens its replacement', async () => {
    const told = window();
    const { id: instead } = await told.hub.current();
    await until(async () => expect(await told.state.active()).toBe(instead));
    await window().hub.current();
    expect(notices).toHaveLength(1);
  });

  it('is tried again after a reload if the user has not seen the failure', async () => {
    vi.spyOn(vscodeWindow, 'showWarningMessage').mockReturnValueOnce(new Promise(() => {}));
    const unread = window();
    await unread.hub.current();
    expect(await unread.state.active()).toBe(id);
    await window().hub.current();
    await until(() => expect(notices).toHaveLength(1));
  });

  it('offers to show its file, and leaves it unchanged', async () => {
    choices.push('Open File');
    const bytes = await readFile(path).catch(() => undefined);
    await window().hub.current();
    await until(() => expect(documents).toEqual([path]));
    expect(await readFile(path).catch(() => undefined)).toEqual(bytes);
  });
});

describe('a new chat with a draft', () => {
  it('has the draft before the chat is announced', async () => {
    const { hub } = new HubWindow(storage, meter);
    const drafts: Promise<string>[] = [];
    hub.onDidSwitch(({ id }) => void drafts.push(hub.draftOf(id)));
    await (await hub.current()).session.send('Hello there.');
    await hub.newChat('Go on with this.');
    expect(await Promise.all(drafts)).toEqual(['Go on with this.']);
    expect((await hub.current()).session.isEmpty).toBe(true);
  });
});

describe('the stored state of the window', () => {
  it('does not prevent chatting if it cannot be written', async () => {
    await writeFile(join(storage, 'state.json'), '{}');
    const window = new HubWindow(storage, meter);
    await window.hub.current();
    window.state.setActive = () => Promise.reject(new Error('disk full'));
    await window.say('Hello there.');
    await window.hub.newChat();
    expect((await window.hub.list()).map(({ title }) => title)).toEqual(['Hello there.']);
    expect(window.logged.join('\n')).toContain('disk full');
  });
});

describe('a chat that another window has open', () => {
  let first: HubWindow;
  let second: HubWindow;
  beforeEach(async () => {
    first = new HubWindow(storage, meter);
    await first.say('Said in the first window.');
    second = new HubWindow(storage, meter);
    return async () => {
      await Promise.all([first.hub.close(), second.hub.close()]);
    };
  });

  it('opens read-only', async () => {
    const { readOnly } = await second.hub.current();
    expect(readOnly).toEqual({ reason: 'other-window', window: 'project' });
    expect(await second.said()).toEqual(['Said in the first window.']);
    expect((await first.hub.current()).readOnly).toBeUndefined();
  });

  it('shows new messages', async () => {
    await second.hub.current();
    await first.say('Said later.');
    await until(async () => expect(await second.said()).toContain('Said later.'));
    const { feed } = (await second.hub.current()).view;
    await until(async () => {
      const rows = await feed.allRows();
      expect(rows.filter(({ type }) => type === 'user')).toHaveLength(2);
    });
  });

  it('refuses changes', async () => {
    const { session } = await second.hub.current();
    const path = second.store.pathOf((await second.hub.current()).id);
    const before = await readFile(path, 'utf8');
    await expect(second.hub.writable()).rejects.toThrow('This chat is open in another window');
    await expect(session.send('Said in the second window.')).rejects.toThrow('could not be saved');
    const { id } = await second.hub.current();
    await expect(second.hub.rename(id, 'Mine')).rejects.toThrow('open in another window');
    await expect(second.hub.delete(id)).rejects.toThrow('open in another window');
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('can be continued in a copy', async () => {
    await second.hub.forkAll();
    expect((await second.hub.current()).readOnly).toBeUndefined();
    await second.say('Said in the copy.');
    expect(await second.said()).toEqual(['Said in the first window.', 'Said in the copy.']);
    expect(await first.said()).toEqual(['Said in the first window.']);
  });

  it('can be taken over, and is then read-only in the first window', async () => {
    await second.hub.takeOver();
    await second.say('Said by the one who took over.');
    expect((await second.hub.current()).readOnly).toBeUndefined();
    await until(async () => {
      expect((await first.hub.current()).readOnly?.reason).toBe('other-window');
      expect(await first.said()).toEqual(['Said in the first window.', 'Said by the one who took over.']);
    });
  });

  it('can be continued if the other window crashed but its program still holds the chat', async () => {
    first.hasWindow = false;
    await second.hub.current();
    await until(async () => expect((await second.hub.current()).readOnly).toBeUndefined());
    await second.say('Said after the crash.');
    expect(await second.said()).toEqual(['Said in the first window.', 'Said after the crash.']);
    await until(async () => expect((await first.hub.current()).readOnly?.reason).toBe('other-window'));
  });

  it('can be continued once the other window is closed', async () => {
    expect((await second.hub.current()).readOnly).toBeDefined();
    await first.hub.close();
    await until(async () => expect((await second.hub.current()).readOnly).toBeUndefined());
    await second.say('Said by the one who is left.');
    expect(await second.said()).toEqual(['Said in the first window.', 'Said by the one who is left.']);
  });

  it('keeps the drafts of both windows', async () => {
    await Promise.all([first.hub.setDraft('one', 'half a thought'), second.hub.setDraft('two', 'another')]);
    expect([await first.hub.draftOf('two'), await second.hub.draftOf('one')]).toEqual([
      'another',
      'half a thought',
    ]);
  });
});

describe("a chat that VS Code's own chat continues", () => {
  it('is read-only, but its compactions can be undone', async () => {
    const store = new SessionStore(join(storage, 'sessions'));
    const model = new OfflineModel();
    const histories = new GovernedHistories({
      meter,
      models: () => Promise.resolve({ chat: model, named: () => model }),
      settings: () => ({ ...settingsFor(), budget: { window: 4_000, triggerRatio: 0.85, targetRatio: 0.5 } }),
      now: () => Date.now(),
      open: () => {
        const { id, file } = store.create(Date.now());
        return { id, log: (event) => file.append(event), close: () => file.close() };
      },
      warn: (error) => expect.fail(String(error)),
    });
    const results = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((id) => [
      called('', [id, 'read_file', { path: id }]),
      result('', id, `${id} ${textOfTokens(800)}`),
    ]);
    await histories.take([typed('', 'look'), ...results], [], new AbortController().signal);
    const [listing] = await store.list();
    const window = new HubWindow(storage, meter, store, (id) => Promise.resolve(histories.find(id)));
    await window.hub.open(listing!.id);
    const { session, readOnly } = await window.hub.current();
    expect(readOnly?.reason).toBe('other-window');
    const [record] = recordsInForce(session.transcript.entries);
    await (await window.hub.undoable()).undo(record!.id);
    await until(() => expect(recordsInForce(session.transcript.entries)).toEqual([]));
    await histories.close();
    await window.hub.close();
  });
});
