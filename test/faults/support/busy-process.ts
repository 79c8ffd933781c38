/**
 * Acts like several windows, in random order, until it is killed: turns, compactions, hidden messages, undos,
 * restored messages, pins, imports, approvals, drafts, and connections of agents. Each printed line is one
 * acknowledgement: a word, and data for the check.
 *
 * Usage: node busy-process.ts FOLDER SESSION-ID SEED
 */
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatModel } from '../../../src/agent/model/chat-model.ts';
import { OfflineModel } from '../../../src/agent/offline/offline-model.ts';
import { AgentSession } from '../../../src/agent/session/agent-session.ts';
import {
  applyConfigChanges,
  planConnection,
  planDisconnection,
} from '../../../src/bridge/connect/config-changes.ts';
import { hideSelection } from '../../../src/compaction/manual-edits/hide.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import { type StrategyId, strategyOf } from '../../../src/compaction/strategies/index.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { recordsInForce } from '../../../src/compaction/transcript/view.ts';
import { ApprovalStore } from '../../../src/presenters/storage/approval-store.ts';
import { CountFile, countedIn } from '../../../src/presenters/storage/count-file.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import { StateFile } from '../../../src/presenters/storage/state-file.ts';
import { isEntry } from '../../../src/transcripts/session/session-event.ts';
import { busyPlaces } from './busy-places.ts';
import { seeded } from './seeded.ts';

const [folder = '', id = '', seed = ''] = process.argv.slice(2);
const { approvals, state, agentFiles, notes } = busyPlaces(folder);
const random = seeded(Number(seed));
const upTo = (count: number) => Math.floor(random() * count);
const pick = <Item>(items: readonly Item[]): Item | undefined => items[upTo(items.length)];
const tell = (...words: readonly (string | number)[]) => writeSync(1, `${words.join(' ')}\n`);

const countFast = {
  count: (texts: readonly string[]) => Promise.resolve(texts.map((text) => text.length / 4)),
};
const meter = new UsageMeter(countFast, { countsReasoning: false, vocabulary: 'o200k_base' });
const store = new SessionStore(join(folder, 'sessions'));
const opened = (await store.open(id))!;
const offline = new OfflineModel({ window: 32_000 });
const model: ChatModel = {
  id: 'one',
  label: 'one',
  window: undefined,
  summarise: () => Promise.reject(new Error('not asked to')),
  async *stream({ messages }) {
    const content = `says: ${'some words, '.repeat(20 + (messages.length % 60) * 10)}done.`;
    yield await Promise.resolve({ type: 'text-delta', text: content } as const);
    yield { type: 'end', reply: { content, reasoning: '', toolCalls: [], finishReason: 'stop' } };
  },
};
const ladder = strategyOf('ladder');
const session = new AgentSession(
  opened.contents,
  {
    log: async (event) => {
      await opened.file.append(event);
      if (isEntry(event)) tell('entry', createHash('sha1').update(JSON.stringify(event)).digest('hex'));
    },
    models: () => Promise.resolve({ chat: model, compaction: offline, named: () => offline }),
    tools: () => [],
    settings: () => ({
      strategy: ladder,
      options: resolveOptions(ladder.options, {}).options,
      budget: { window: 8_000, triggerRatio: 0.85, targetRatio: 0.5 },
      mode: 'auto',
      protectFirst: true,
    }),
    meter,
    systemPrompt: () => 'rules',
    approvals: { isAllowed: () => true, allow: () => {} },
    now: () => 0,
  },
  () => {},
);
const counts = new CountFile(store.countsPathOf(id));
const ids = () => messagesOf(session.transcript).map((message) => message.id);
const strategies: readonly StrategyId[] = ['tool-result-hiding', 'llm-summary', 'ladder', 'last-n-messages'];

const steps: Readonly<Record<string, () => Promise<unknown>>> = {
  turn: () => session.send(`Request ${upTo(1_000)}: ${'look at src/f.ts 汉字 '.repeat(1 + upTo(200))}`),
  compaction: () => {
    const strategy = strategyOf(pick(strategies)!);
    return session.compactNow({ strategy, options: resolveOptions(strategy.options, {}).options });
  },
  hide: () => session.compactNow({ strategy: hideSelection({ messages: [pick(ids()) ?? ''] }), options: {} }),
  undo: async () => {
    const record = pick(recordsInForce(session.transcript.entries));
    if (record !== undefined) await session.undo(record.id);
  },
  restore: () => session.restore(pick(ids()) ?? ''),
  pin: () => session.pin([pick(ids()) ?? ''], random() < 0.5),
  counts: () => counts.save(meter, countedIn(session.transcript.entries)),
  import: async () => {
    const { entries } = session.transcript;
    const imported = await store.write(Date.now(), entries, new AbortController().signal);
    await imported.file.close();
    tell('imported', imported.id, entries.length);
  },
  approval: async () => {
    const pattern = `f${upTo(1_000_000)}.ts`;
    let isKept = true;
    const approvalStore = new ApprovalStore(approvals, () => (isKept = false));
    await approvalStore.change((rules) => [...rules.slice(-20), { kind: 'read', pattern }]);
    if (isKept) tell('approved', pattern);
  },
  draft: async () => {
    const text = `draft-${upTo(1_000_000)}`;
    await new StateFile(state).setDraft('s1', text);
    tell('draft', text);
  },
  connection: async () => {
    const plan = await planConnection(agentFiles);
    const isConnecting = plan.length > 0;
    await applyConfigChanges(isConnecting ? plan : await planDisconnection(agentFiles, notes), notes);
    tell(isConnecting ? 'connected' : 'disconnected');
  },
};

for (let turn = 0; turn < 3; turn++) await steps['turn']!();
for (;;) {
  const step = pick(Object.values(steps))!;
  // Impossible steps are refused, such as a second undo.
  await step().catch(() => {});
}
