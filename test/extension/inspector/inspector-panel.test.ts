import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  InspectorPanel,
  type InspectorPanelPorts,
} from '../../../src/extension/inspector/inspector-panel.ts';
import type { AskedChange } from '../../../src/agent/governed/asked-changes.ts';
import { strategyOf } from '../../../src/compaction/strategies/index.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import { InspectorModel } from '../../../src/presenters/inspector/inspector-model.ts';
import type { UndoableSession } from '../../../src/presenters/inspector/inspector-target.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { createMeter } from '../../support/engine.ts';
import { EventEmitter, type FakePanel, panels } from '../../support/editor/vscode-window.ts';
import { HubWindow } from '../sessions/hub-window.ts';
import { until } from '../../support/eventually.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-window.ts'));

let meter: UsageMeter;
let storage: string;
let window: HubWindow;
let inspector: InspectorPanel;
const undone: unknown[] = [];
const asked: AskedChange[] = [];
/** A session other than the chat. */
let other: InspectorModel | undefined;
const reopened: string[] = [];

beforeAll(async () => {
  meter = await createMeter();
});
beforeEach(async () => {
  storage = await mkdtemp(join(tmpdir(), 'inspector-panel-'));
  panels.length = 0;
  undone.length = asked.length = reopened.length = 0;
  other = undefined;
  window = new HubWindow(storage, meter);
  const nothing = () => Promise.resolve(undefined);
  inspector = new InspectorPanel({
    extensionUri: {},
    hub: window.hub,
    subAgents: { onDidChange: new EventEmitter().event, find: nothing, of: () => Promise.resolve([]) },
    opened: { find: () => Promise.resolve(other), choices: () => Promise.resolve([]), onDidChange: () => {} },
    reopen: (id: string) => Promise.resolve(void reopened.push(id)),
    actions: {
      undo: (id: string, session?: UndoableSession) =>
        session?.undo(id) ?? Promise.resolve(void undone.push(id)),
      report: () => {},
    },
    choices: () => ({
      model: { label: 'Offline model' },
      strategy: 'ladder',
      factsOf: () => ({}),
      customStrategy: undefined,
    }),
    log: { warn: () => {}, error: () => {} },
    showInChat: () => Promise.resolve(),
  } as unknown as InspectorPanelPorts);
  return async () => {
    await window.hub.close();
    await rm(storage, { recursive: true, maxRetries: 5 });
  };
});

const snapshots = ({ webview }: FakePanel) => webview.postedOf('snapshot');

async function shown(...what: Parameters<InspectorPanel['show']>): Promise<FakePanel> {
  inspector.show(...what);
  const panel = panels.at(-1)!;
  panel.webview.send({ type: 'ready' });
  await until(() => expect(snapshots(panel)).not.toEqual([]));
  return panel;
}

describe('the panel of the inspector', () => {
  it('shows the context of the active chat', async () => {
    await window.say('What is a ledger?');
    const panel = await shown();
    const { id } = await window.hub.current();
    expect(snapshots(panel)).toEqual([
      expect.objectContaining({
        revision: 1,
        state: expect.objectContaining({ sessionId: id, model: 'Offline model', records: [] }) as unknown,
      }),
    ]);
    expect(panel.title).toMatch(/^Context: \S/);
  });

  it('reopens the session that its page showed before a reload', async () => {
    inspector.show();
    panels[0]!.webview.send({ type: 'ready', sessionId: 'file-0123456789abcdef' });
    await until(() => expect(reopened).toEqual(['file-0123456789abcdef']));
  });

  it('exists once, and is revealed when requested again', async () => {
    const panel = await shown();
    inspector.show();
    expect(panels).toHaveLength(1);
    expect(panel.reveals).toBe(1);
  });

  it('is created again after it was closed', async () => {
    (await shown()).dispose();
    await shown();
    expect(panels).toHaveLength(2);
  });

  it('selects the requested compaction once the page is ready', async () => {
    const { webview } = await shown('r1');
    await until(() => expect(webview.postedOf('select')).toEqual([{ type: 'select', recordId: 'r1' }]));
  });

  it('shows the other chat after a switch', async () => {
    await window.say('Keep this.');
    const panel = await shown();
    const { id } = await window.hub.newChat();
    await until(() => expect(snapshots(panel).at(-1)).toMatchObject({ state: { sessionId: id } }));
  });

  it("undoes a compaction of the chat at the page's request", async () => {
    const { webview } = await shown();
    webview.send({ type: 'undo', recordId: 'r1' });
    await until(() => expect(undone).toEqual(['r1']));
  });

  it('asks the proxy of a recording, and shows afterwards whether it still runs', async () => {
    await window.say('What is a ledger?');
    const { session } = await window.hub.current();
    await session.compactNow({ strategy: strategyOf('last-n-messages') });
    const { transcript, title, activity, tools, compaction } = session;
    let isRunning = true;
    const ask = (change: AskedChange) => {
      asked.push(change);
      isRunning = false;
      return Promise.resolve();
    };
    const proxy = { isRunning: () => Promise.resolve(isRunning), ask };
    other = new InspectorModel({
      id: 'file-1',
      session: { transcript, title, activity, tools, compaction, proxy },
      meterOf: () => meter,
      wording: englishWording,
    });
    const panel = await shown(undefined, 'file-1');
    const offered = (isOfProxy: object) => ({ state: { records: [isOfProxy] } });
    await until(() => expect(snapshots(panel).at(-1)).toMatchObject(offered({ isOfProxy: true })));
    panel.webview.send({ type: 'undo', recordId: 'c1' });
    panel.webview.send({ type: 'restore', messageId: 'm1' });
    await until(() => expect(asked).toEqual([{ undo: 'c1' }, { restore: 'm1' }]));
    await until(() => expect(snapshots(panel).at(-1)).not.toMatchObject(offered({ isOfProxy: true })));
    expect(undone).toEqual([]);
  });
});
