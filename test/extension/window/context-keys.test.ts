import { beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyTranscript, append, type Transcript } from '../../../src/compaction/transcript/transcript.ts';
import { ContextKeys } from '../../../src/extension/window/context-keys.ts';
import { commandIds } from '../../../src/extension/editor/ids.ts';
import { until } from '../../support/eventually.ts';
import { entriesOf, typed } from '../../support/messages.ts';
import { EventEmitter } from '../../support/editor/vscode-window.ts';

/** Context key without its prefix → value. */
const set = new Map<string, unknown>();

vi.mock('vscode', () => ({
  commands: {
    executeCommand: (command: string, key: string, value: unknown) => {
      if (command === 'setContext') set.set(key.replace('contextBudget.', ''), value);
      return Promise.resolve();
    },
  },
}));

const switched = new EventEmitter<unknown>();
const opened = new EventEmitter<void>();
const happened = new EventEmitter<unknown>();
let sessionsChanged: EventEmitter<void>;

let transcript: Transcript;
let apiKey: string | undefined;
let servers: readonly string[];
let agents: readonly string[];
let keys: ContextKeys;

beforeEach(() => {
  set.clear();
  sessionsChanged = new EventEmitter<void>();
  transcript = emptyTranscript;
  [apiKey, servers, agents] = [undefined, [], []];
  const session = {
    get transcript() {
      return transcript;
    },
    get isEmpty() {
      return transcript.entries.length === 0;
    },
  };
  const ports = {
    hub: {
      onDidSwitch: switched.event,
      onDidOpenFirst: opened.event,
      onDidHappen: happened.event,
      current: () => Promise.resolve({ session }),
    },
    keys: { get: () => Promise.resolve(apiKey) },
    provider: { keyUrl: undefined },
    settings: () => ({ mcpServers: servers, baseUrl: 'https://api.test' }),
    foreignSessions: () =>
      Promise.resolve({
        catalogue: { listOnce: () => Promise.resolve(agents) },
        onDidChange: (listener: () => void) => {
          const subscription = sessionsChanged.event(listener);
          return () => subscription.dispose();
        },
      }),
    log: { debug: () => {} },
  };
  keys = new ContextKeys(ports as unknown as ConstructorParameters<typeof ContextKeys>[0]);
});

const say = (id: string, ...values: readonly object[]) => {
  for (const entry of values.length > 0 ? values : entriesOf([typed(id, 'go on')])) {
    transcript = append(transcript, entry as never);
    happened.fire({ type: 'entry', entry });
  }
};

describe('the context keys that hide commands', () => {
  it('offer nothing about an empty chat, and compacting once there is a message', async () => {
    opened.fire();
    await until(() => expect(set.get('hasMessages')).toBe(false));
    say('m1');
    await until(() => expect(set.get('hasMessages')).toBe(true));
    expect(set.get('hasCompaction')).toBe(false);
  });

  it('offer to undo only while a compaction is in force', async () => {
    const record = { id: 'c1', status: 'applied', actions: [], outputs: [] };
    say('m1');
    say('', { type: 'compaction', record });
    await until(() => expect(set.get('hasCompaction')).toBe(true));
    say('', { type: 'undo', recordIds: ['c1'], createdAt: '' });
    await until(() => expect(set.get('hasCompaction')).toBe(false));
  });

  it('offer to clear a key and to set secrets only if there is a key, and a server', async () => {
    await keys.readSettings();
    expect([set.get('hasApiKey'), set.get('hasMcpServers')]).toEqual([false, false]);
    [apiKey, servers] = ['secret', ['files']];
    await keys.readSettings();
    expect([set.get('hasApiKey'), set.get('hasMcpServers')]).toEqual([true, true]);
  });

  it('show the sessions once another agent has one', async () => {
    await until(() => expect(set.get('hasSessions')).toBe(false));
    agents = ['codex'];
    sessionsChanged.fire();
    await until(() => expect(set.get('hasSessions')).toBe(true));
  });

  it('tick the steps of the walkthrough after a session was opened and a compaction undone in the chat', async () => {
    await keys.readAfter(commandIds.newChat);
    expect([set.get('hasOpenedSession'), set.get('hasUndone')]).toEqual([undefined, undefined]);
    await keys.readAfter(commandIds.openTranscript);
    happened.fire({ type: 'entry', entry: { type: 'undo', recordIds: ['c1'], createdAt: '' } });
    expect([set.get('hasOpenedSession'), set.get('hasUndone')]).toEqual([true, true]);
  });

  it('do not offer to disconnect an agent if none is connected', async () => {
    await until(() => expect(set.get('isConnected')).toBe(false));
  });
});
