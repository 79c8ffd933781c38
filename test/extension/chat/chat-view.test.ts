import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChatView, type ChatViewPorts } from '../../../src/extension/chat/chat-view.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import type { ChatChange } from '../../../src/protocol/chat.ts';
import { createMeter } from '../../support/engine.ts';
import { commandsRun, EventEmitter, FakeWebview } from '../../support/vscode-window.ts';
import { HubWindow } from '../sessions/hub-window.ts';
import { until } from '../../support/eventually.ts';

vi.mock('vscode', () => import('../../support/vscode-window.ts'));

let meter: UsageMeter;
let storage: string;
let window: HubWindow;
let webview: FakeWebview;
let changed: EventEmitter<readonly ChatChange[]>;
let chat: ChatView;
const warnings: string[] = [];
const failures: unknown[] = [];

beforeAll(async () => {
  meter = await createMeter();
});
beforeEach(async () => {
  storage = await mkdtemp(join(tmpdir(), 'chat-view-'));
  for (const list of [commandsRun, failures, warnings]) list.length = 0;
  window = new HubWindow(storage, meter);
  webview = new FakeWebview();
  changed = new EventEmitter();
  chat = new ChatView({
    extensionUri: {},
    hub: window.hub,
    onDidChange: changed.event,
    actions: { report: (error: unknown) => failures.push(error) },
    labels: () => ({
      model: { label: 'Offline model', isOffline: true },
      strategy: 'ladder',
      isTrusted: true,
    }),
    composer: () => Promise.reject(new Error('nothing is completed')),
    log: { warn: (line: string) => void warnings.push(line), error: () => {} },
  } as unknown as ChatViewPorts);
  const view = { webview, onDidDispose: () => {} };
  chat.resolveWebviewView(view as unknown as vscode.WebviewView);
  return async () => {
    await window.hub.close();
    await rm(storage, { recursive: true });
  };
});

const ready = async () => {
  webview.send({ type: 'ready' });
  await until(() => expect(webview.postedOf('snapshot')).toHaveLength(1));
};

describe('the view of the chat', () => {
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
    const change: ChatChange = { type: 'state', state: { title: 'Another name' } };
    changed.fire([change]);
    expect(webview.posted).toEqual([]);
    await ready();
    changed.fire([change]);
    expect(webview.postedOf('changes')).toEqual([{ type: 'changes', revision: 2, changes: [change] }]);
  });

  it('shows the chat that is switched to', async () => {
    await window.say('Keep this.');
    await ready();
    const { id } = await window.hub.newChat();
    await until(() => expect(webview.postedOf('snapshot')).toHaveLength(2));
    expect(webview.postedOf('snapshot')[1]).toMatchObject({ state: { sessionId: id, rows: [] } });
  });

  it('gives back a command that does not exist, and says so', async () => {
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

  it('ignores what is no request, and logs that', () => {
    webview.send({ type: 'format-disk' });
    expect(warnings).toEqual(['A webview sent a message that is no request; it was ignored.']);
    expect(failures).toEqual([]);
  });

  it('comes forward to show a message', async () => {
    await chat.reveal('m3');
    expect(commandsRun).toEqual([['contextBudget.chat.focus']]);
    expect(webview.postedOf('reveal')).toEqual([{ type: 'reveal', messageId: 'm3' }]);
  });
});
