import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChatView, type ChatViewPorts } from '../../../src/extension/chat/chat-view.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { commandIds } from '../../../src/extension/editor/ids.ts';
import { liveSentences } from '../../../src/language/english/live-english.ts';
import type { FoundSessions } from '../../../src/presenters/sessions/start-sentence.ts';
import type { ChatNotification } from '../../../src/protocol/chat.ts';
import { createMeter } from '../../support/engine.ts';
import { commandsRun, FakeWebview } from '../../support/editor/vscode-window.ts';
import { HubWindow } from '../sessions/hub-window.ts';
import { typed } from '../../support/messages.ts';
import { until } from '../../support/eventually.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-window.ts'));

type Snapshot = Extract<ChatNotification, { type: 'snapshot' }>;

let meter: UsageMeter;
let storage: string;
let window: HubWindow;
let webview: FakeWebview;
let chat: ChatView;
/** The sessions of other agents on the computer. */
let found: FoundSessions | undefined;
/** Called after a change of these sessions. */
const sessionsChanged = new Set<() => void>();
const warnings: string[] = [];
const failures: unknown[] = [];

beforeAll(async () => {
  meter = await createMeter();
});
beforeEach(async () => {
  storage = await mkdtemp(join(tmpdir(), 'chat-view-'));
  for (const list of [commandsRun, failures, warnings]) list.length = 0;
  sessionsChanged.clear();
  found = undefined;
  window = new HubWindow(storage, meter);
  openPage();
  return async () => {
    await window.hub.close();
    await rm(storage, { recursive: true, maxRetries: 5 });
  };
});

/** Opens the page of the chat in the window. */
function openPage(): void {
  webview = new FakeWebview();
  chat = new ChatView({
    extensionUri: {},
    hub: window.hub,
    actions: { report: (error: unknown) => failures.push(error) },
    labels: () => ({
      model: { label: 'Offline model', isOffline: true },
      strategy: 'ladder',
      isTrusted: true,
    }),
    composer: () => Promise.reject(new Error('nothing is completed')),
    foundSessions: () => Promise.resolve(found),
    watchSessions: (changed: () => void) => {
      sessionsChanged.add(changed);
      return Promise.resolve(() => sessionsChanged.delete(changed));
    },
    log: { warn: (line: string) => void warnings.push(line), error: () => {} },
  } as unknown as ChatViewPorts);
  const view = { webview, onDidDispose: () => {} };
  chat.resolveWebviewView(view as unknown as vscode.WebviewView);
}

const ready = async () => {
  webview.send({ type: 'ready' });
  await until(() => expect(webview.postedOf('snapshot')).toHaveLength(1));
};

describe('the view of the chat', () => {
  it('tells the page of a session of another agent, and opens it', async () => {
    await ready();
    const sentence = liveSentences.say('startElsewhere', { count: 2, agents: 'Codex' });
    found = { sentence, path: '/sessions/a.jsonl' };
    webview.send({ type: 'look-for-sessions' });
    await until(() => expect(webview.postedOf('other-sessions')).toHaveLength(1));
    expect(webview.postedOf('other-sessions')).toEqual([
      { type: 'other-sessions', found: '2 sessions of Codex on this computer.' },
    ]);
    webview.send({ type: 'open-found-session' });
    await until(() =>
      expect(commandsRun).toContainEqual(expect.arrayContaining([commandIds.openTranscript])),
    );
  });

  it('tells the page again after a change of these sessions, until the chat has a message', async () => {
    await ready();
    webview.send({ type: 'look-for-sessions' });
    await until(() => expect(sessionsChanged.size).toBe(1));
    found = { sentence: liveSentences.say('startElsewhere', { count: 1, agents: 'Codex' }), path: undefined };
    for (const changed of sessionsChanged) changed();
    await until(() =>
      expect(webview.postedOf('other-sessions')).toEqual([
        { type: 'other-sessions' },
        { type: 'other-sessions', found: '1 session of Codex on this computer.' },
      ]),
    );
    await window.say('What is a ledger?');
    for (const changed of sessionsChanged) changed();
    await until(() => expect(sessionsChanged.size).toBe(0));
    expect(webview.postedOf('other-sessions')).toHaveLength(2);
  });

  it('shows the active chat when its page is ready', async () => {
    await window.say('What is a ledger?');
    await ready();
    const { id } = await window.hub.current();
    expect(webview.postedOf('snapshot')).toEqual([
      expect.objectContaining({
        revision: 1,
        state: expect.objectContaining({ sessionId: id, strategy: 'ladder', activity: 'idle' }) as unknown,
      }),
    ]);
  });

  it('posts changes only to a page that is ready, with growing revisions', async () => {
    await window.say('What is a ledger?');
    const { id } = await window.hub.current();
    await window.hub.rename(id, 'A name');
    expect(webview.posted).toEqual([]);
    await ready();
    await window.hub.rename(id, 'Another name');
    await until(() => expect(webview.postedOf('changes')).not.toEqual([]));
    expect(webview.postedOf('changes')[0]).toEqual({
      type: 'changes',
      revision: 2,
      changes: [{ type: 'state', state: { title: 'Another name' } }],
    });
  });

  it('shows the other chat after a switch', async () => {
    await window.say('Keep this.');
    await ready();
    const { id } = await window.hub.newChat();
    await until(() => expect(webview.postedOf('snapshot')).toHaveLength(2));
    expect(webview.postedOf('snapshot')[1]).toMatchObject({ state: { sessionId: id, rows: [] } });
  });

  it('returns an unknown command to the composer, and says so', async () => {
    await ready();
    webview.send({ type: 'send', text: '/compat' });
    await until(() => expect(failures).toHaveLength(1));
    expect(webview.postedOf('not-sent')).toEqual([{ type: 'not-sent', text: '/compat' }]);
    expect(String(failures[0])).toContain('There is no command /compat. Did you mean /compact [focus]?');
    expect((await window.hub.current()).session.isEmpty).toBe(true);
  });

  it('keeps the draft of the chat', async () => {
    const { id } = await window.hub.current();
    webview.send({ type: 'draft', sessionId: id, text: 'half a thought' });
    await until(async () => expect(await window.hub.draftOf(id)).toBe('half a thought'));
  });

  it('ignores an invalid request, and logs it', () => {
    webview.send({ type: 'format-disk' });
    expect(warnings).toEqual(['A webview sent a message that is no request; it was ignored.']);
    expect(failures).toEqual([]);
  });

  it('shows a compaction or a sub-agent in the inspector', async () => {
    await ready();
    commandsRun.length = 0;
    webview.send({ type: 'open-inspector', recordId: 'r1' });
    webview.send({ type: 'open-sub-agent', sessionId: 's1.a' });
    await until(() =>
      expect(commandsRun).toEqual([
        ['contextBudget.openInspector', 'r1'],
        ['contextBudget.openInspector', undefined, 's1.a'],
      ]),
    );
  });

  it('is revealed to show a message', async () => {
    await chat.reveal('m3');
    expect(commandsRun).toEqual([['contextBudget.chat.focus']]);
    expect(webview.postedOf('reveal')).toEqual([{ type: 'reveal', messageId: 'm3' }]);
  });
});

describe('a long chat', () => {
  /** A chat with a long history, which is not open, and an open one. */
  async function twoChats(): Promise<{ readonly long: string; readonly open: string }> {
    const texts = {
      first: 'The first question.',
      filler: 'x'.repeat(1_200_000),
      newest: 'The newest question.',
    };
    const events = Object.entries(texts).map(
      ([id, text]) => ({ type: 'message', message: typed(id, text) }) as const,
    );
    const { id: long, file } = await window.store.write(Date.now(), events, new AbortController().signal);
    await file.close();
    const { id: open } = await window.hub.newChat('a draft');
    openPage();
    return { long, open };
  }
  const shown = () =>
    (webview.postedOf('snapshot') as readonly Snapshot[]).map(({ state }) => {
      const { sessionId, isLoading = false, rows } = state;
      return { sessionId, isLoading, rows: rows.map((row) => row.id) };
    });

  /** Delays the reading of the next opened chat. @returns a function that continues it */
  function holdReading(): () => void {
    let read = () => {};
    const isRead = new Promise<void>((resolve) => (read = resolve));
    const open = window.store.open.bind(window.store);
    vi.spyOn(window.store, 'open').mockImplementationOnce(async (...of) => {
      await isRead;
      return open(...of);
    });
    return read;
  }

  it('is shown from its end before all of it is read', async () => {
    const { long, open } = await twoChats();
    await ready();
    const read = holdReading();
    const opened = window.hub.open(long);
    await until(() => expect(shown().at(-1)).toMatchObject({ isLoading: true }));
    read();
    await opened;
    await until(() => expect(shown().at(-1)).toMatchObject({ sessionId: long, isLoading: false }));
    const [before, loading, ...whole] = shown();
    expect(before).toMatchObject({ sessionId: open, isLoading: false });
    expect(loading).toEqual({ sessionId: long, isLoading: true, rows: ['newest'] });
    expect(whole).toHaveLength(1);
    expect(whole[0]!.rows).toContain('newest');
  });

  it('is shown from its end when a window reopens it', async () => {
    const { long } = await twoChats();
    await window.hub.close();
    await window.state.setActive(long);
    window = new HubWindow(storage, meter);
    const read = holdReading();
    openPage();
    webview.send({ type: 'ready' });
    await until(() => expect(shown()).toEqual([{ sessionId: long, isLoading: true, rows: ['newest'] }]));
    read();
    await until(() => expect(shown().at(-1)).toMatchObject({ sessionId: long, isLoading: false }));
  });

  it('shows a requested message only once the chat is complete, and sends no message before', async () => {
    const { long } = await twoChats();
    await ready();
    const read = holdReading();
    const opened = window.hub.open(long);
    await until(() => expect(shown().at(-1)).toMatchObject({ isLoading: true }));
    webview.send({ type: 'send', text: 'Too early.' });
    webview.send({ type: 'show-message', messageId: 'filler' });
    expect(webview.postedOf('reveal')).toEqual([]);
    read();
    await opened;
    await until(() => expect(webview.postedOf('reveal')).toHaveLength(1));
    expect(webview.postedOf('not-sent')).toEqual([{ type: 'not-sent', text: 'Too early.' }]);
    expect(await window.said()).not.toContain('Too early.');
  });

  it('is replaced by the previous chat if it cannot be opened', async () => {
    const { long, open } = await twoChats();
    await ready();
    vi.spyOn(window.store, 'open').mockRejectedValue(new Error('the disk is gone'));
    await window.hub.open(long);
    await until(() => expect(shown()).toHaveLength(3));
    expect(shown()[1]).toMatchObject({ sessionId: long, isLoading: true });
    expect(shown()[2]).toMatchObject({ sessionId: open, isLoading: false });
  });
});
