import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wires } from '../../../scripts/agents/server/model-server.ts';
import { plainRequests, type Said } from '../../../scripts/agents/server/plain-requests.ts';
import { proxyOf } from '../../../src/agent/governed/asked-changes.ts';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import { strategyOf } from '../../../src/compaction/strategies/index.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import { InspectorModel } from '../../../src/presenters/inspector/inspector-model.ts';
import { recordedSession } from '../../../src/presenters/inspector/inspector-target.ts';
import { WhatIfHost } from '../../../src/presenters/inspector/what-if-host.ts';
import { tryStrategies } from '../../../src/presenters/inspector/what-if-trial.ts';
import { LiveSession } from '../../../src/presenters/live/live-session.ts';
import { readerOf } from '../../../src/presenters/live/session-reader.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import type { WhatIfView } from '../../../src/protocol/inspector-what-if.ts';
import { createMeter } from '../../support/engine.ts';
import { until } from '../../support/eventually.ts';
import { type LoopbackServer, loopbackServer } from '../../support/loopback-server.ts';

const program = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const meter = await createMeter();
const never = new AbortController().signal;
/** More turns than fit into the window. */
const mostTurns = 40;
const reply = 'It opens.';

let state: string;
let provider: LoopbackServer;
let proxy: ChildProcess;
let baseUrl: string;

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'undone-'));
  provider = await loopbackServer((request, response) => {
    const path = request.url ?? '';
    const wire = wires.find((one) => one.accepts(path));
    // A proxy trusts the size that a provider reports, about four characters a token.
    const input = Math.round((provider.requests.at(-1)?.body.length ?? 0) / 4);
    const question = { number: 1, path, body: { stream: true }, usage: { input, output: 4 } };
    const answer = wire?.answer({ text: reply }, question);
    response.setHeader('content-type', 'text/event-stream');
    response.end(answer !== undefined && 'events' in answer ? answer.events.join('') : '');
  });
  const options = ['--compact', 'sliding-window', '--window', '8000', '--with-parent'];
  proxy = spawn(process.execPath, [program, 'proxy', '--upstream', provider.origin, ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CONTEXT_BUDGET_STATE: state },
  });
  [baseUrl] = (await once(createInterface({ input: proxy.stdout! }), 'line')) as [string];
});

afterAll(async () => {
  proxy.kill();
  await provider.close();
  await rm(state, { recursive: true });
});

/** A client of one wire that asks until its history is compacted, and the inspector of its recording. */
class Watched {
  private readonly said: Said[] = [];
  private readonly wire: keyof typeof plainRequests;
  private inspector: InspectorModel | undefined;
  private live: LiveSession | undefined;

  private readonly topic: string;

  /** @param topic word that only this conversation begins with */
  constructor(wire: keyof typeof plainRequests, topic: string) {
    this.wire = wire;
    this.topic = topic;
  }

  /** Asks the next question. @returns true if the provider got the client's own history */
  async ask(): Promise<boolean> {
    const { path, body } = plainRequests[this.wire];
    const turn = this.said.length / 2 + 1;
    // After a long question, short ones reach the trigger without filling the window.
    const times = turn === 2 ? 1_200 : 8;
    this.said.push({ role: 'user', text: `${this.topic} ${turn}: ${'does the door open? '.repeat(times)}` });
    const sent = JSON.stringify(body(this.said));
    const headers = { 'content-type': 'application/json', 'user-agent': `opencode/${this.wire}` };
    await (await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: sent })).text();
    this.said.push({ role: 'assistant', text: reply });
    return provider.requests.at(-1)?.body === sent;
  }

  async untilCompacted(): Promise<void> {
    for (let turn = 1; await this.ask(); turn++)
      if (turn > mostTurns) throw new Error('Nothing was compacted.');
  }

  /** The compactions as the inspector shows them, newest first. */
  async records(): Promise<readonly RecordView[]> {
    this.live ??= await this.open();
    await this.live.look();
    this.inspector ??= new InspectorModel({
      id: 'file-1',
      session: this.live,
      meterOf: () => meter,
      wording: englishWording,
    });
    const labels = { chatId: 'chat', otherSessions: [], model: '', strategy: 'ladder' };
    return (await this.inspector.state(labels)).records;
  }

  /** Tries all strategies on the current context, as the tab What if does. */
  async tryStrategies(): Promise<readonly WhatIfView[]> {
    const views: WhatIfView[] = [];
    const host = new WhatIfHost((told) => void (told.type === 'what-if' && views.push(told.view)), {
      settings: () => ({
        ...{ current: '', protectFirst: true, focus: '' },
        optionsOf: (id) => resolveOptions(strategyOf(id).options, {}).options,
      }),
      customStrategy: () => undefined,
      tryAll: (trial, { transcript }, customStrategy, tell, signal) =>
        tryStrategies(trial, transcript, { meter, customStrategy, now: () => 0 }, tell, signal),
      useStrategy: () => Promise.resolve(),
      wording: englishWording,
      tell: () => {},
      now: () => 0,
    });
    const model = { isOffline: true, label: '', encoding: 'o200k_base', isStandIn: false } as const;
    const target = { inspector: this.inspector!, isChat: false, changes: undefined, model };
    await host.handle({ type: 'what-if-run' }, target);
    return views;
  }

  get session() {
    return recordedSession(this.live!)!;
  }

  close(): void {
    this.live?.dispose();
  }

  private async open(): Promise<LiveSession> {
    const folder = join(state, 'wire', 'opencode');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();
    for (const name of names.toReversed()) {
      const path = join(folder, name);
      const live = await LiveSession.open(
        {
          ...{ meterOf: () => meter, budget: () => ({ triggerRatio: 0.85, targetRatio: 0.5 }) },
          ...{ factsOf: (model) => factsOfModel(model), reader: readerOf({ path }), name, failed: () => {} },
          proxy: proxyOf(path),
        },
        never,
      );
      if (live.title.startsWith(`${this.topic} 1:`)) return live;
      live.dispose();
    }
    throw new Error(`There is no recording of ${this.topic}.`);
  }
}

describe.each(['chat', 'responses', 'messages', 'gemini'] as const)(
  'a compaction by a proxy, over the wire of %s,',
  (wire) => {
    const client = new Watched(wire, `Undone ${wire}`);
    afterAll(() => client.close());

    it('can be undone in the inspector while the proxy runs', async () => {
      await client.untilCompacted();
      await until(async () => expect(await client.records()).toMatchObject([{ isOfProxy: true }]));
      const [{ id } = { id: '' }] = await client.records();
      await client.session.undo(id);
      await until(async () => expect(await client.records()).toMatchObject([{ isUndone: true }]));
    });

    it('is not in the next request after it was undone', async () => {
      expect(await client.ask()).toBe(true);
    });
  },
);

describe('a recorded conversation', () => {
  it('shows what any strategy would do next, without changing anything', async () => {
    const client = new Watched('messages', 'Tried');
    await client.untilCompacted();
    await until(async () => expect(await client.records()).toHaveLength(1));
    const views = await client.tryStrategies();
    const { phase, rows } = views.at(-1)!;
    expect(phase).toBe('done');
    expect(rows.map(({ status }) => status)).toContain('applied');
    expect(await client.records()).toHaveLength(1);
    client.close();
  });
});

describe('a proxy that was killed', () => {
  it('offers no undo any more', async () => {
    const client = new Watched('chat', 'Killed');
    await client.untilCompacted();
    await until(async () => expect(await client.records()).toMatchObject([{ isOfProxy: true }]));
    const ended = once(proxy, 'close');
    proxy.kill('SIGKILL');
    await ended;
    const [record] = await client.records();
    expect(record).not.toHaveProperty('isOfProxy');
    await expect(client.session.undo(record!.id)).rejects.toThrow(
      'The proxy of this conversation has stopped',
    );
    client.close();
  });
});
