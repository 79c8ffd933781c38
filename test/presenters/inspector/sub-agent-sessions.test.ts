import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SubAgentHost } from '../../../src/agent/delegation/sub-agent-session.ts';
import type { ChatModel } from '../../../src/agent/model/chat-model.ts';
import { AgentSession } from '../../../src/agent/session/agent-session.ts';
import { SubAgentSessions } from '../../../src/presenters/inspector/sub-agent-sessions.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import type { SessionEvent } from '../../../src/transcripts/session/session-event.ts';
import { allowAll, settingsFor } from '../../agent/session/session-harness.ts';
import { createMeter, SummaryModelDouble } from '../../support/engine.ts';
import { called, said, system, typed } from '../../support/messages.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';

const task = [system('m1', 'rules'), typed('m2', 'Find the port.')];

describe('the sub-agents of a session', () => {
  let meter: UsageMeter;
  let ports: SubAgentHost['ports'];
  let store: SessionStore;
  let subAgents: SubAgentSessions;
  let chat: string;

  beforeAll(async () => {
    meter = await createMeter();
    const model = new SummaryModelDouble('') as unknown as ChatModel;
    const settings = settingsFor();
    ports = {
      models: () => Promise.resolve({ chat: model, named: () => model }),
      settings: () => settings,
      meter,
      systemPrompt: () => 'rules',
      now: () => 0,
    };
  });
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sub-agents-'));
    store = new SessionStore(folder);
    subAgents = new SubAgentSessions(store, () => ports, englishWording);
    chat = store.create(0).id;
    return () => rm(folder, { recursive: true });
  });

  /** Writes the session of a sub-agent until it ended or its window was closed. */
  const written = async (title: string, ...more: readonly SessionEvent[]) => {
    const { id, file } = store.create(0, { sessionId: chat, callKey: 'm3:0' });
    await file.append({ type: 'title', title });
    for (const message of task) await file.append({ type: 'message', message });
    for (const event of more) await file.append(event);
    await file.close();
    return id;
  };

  it('are found by their files, with the outcome of each', async () => {
    await written('reported', { type: 'message', message: said('m3', 'It is 42.') });
    await written('refused', { type: 'turn', outcome: 'failed', message: 'Wrong key.' });
    await written('stopped', { type: 'turn', outcome: 'stopped', message: 'Stopped.' });
    await written('cut off', { type: 'message', message: called('m3', ['a1', 'read_file', {}]) });
    const choices = await subAgents.of(chat);
    expect(Object.fromEntries(choices.map(({ name, state }) => [name, state]))).toEqual({
      reported: 'done',
      refused: 'failed',
      stopped: 'stopped',
      'cut off': 'stopped',
    });
    const { total } = await meter.measure(task);
    expect(choices.find(({ name }) => name === 'refused')?.tokens).toBe(total);
  });

  it('can be read once they have ended', async () => {
    const id = await written('api', { type: 'message', message: said('m3', 'It is 42.') });
    const inspector = (await subAgents.find(id))!;
    expect((await inspector.messages(0)).map(({ title, excerpt }) => [title, excerpt])).toEqual([
      ['System', 'rules'],
      ['Task', 'Find the port.'],
      ['Assistant', 'It is 42.'],
    ]);
  });

  it('can be read while they run, with new content', async () => {
    let changes = 0;
    subAgents.onDidChange(() => changes++);
    const place = subAgents.begin(chat, 'm3:0');
    const session = new AgentSession(
      { title: undefined, entries: [], tools: [], lastTurn: undefined },
      { ...ports, tools: () => [], approvals: allowAll, log: place.log },
      (event) => place.happened(event),
    );
    place.began(session);
    await session.rename('api');
    expect(changes).toBe(1);
    expect(await subAgents.of(chat)).toMatchObject([
      { sessionId: place.sessionId, name: 'api', state: 'running' },
    ]);
    expect((await subAgents.find(place.sessionId))?.session).toBe(session);

    await place.ended();
    expect(changes).toBe(2);
    expect(await subAgents.of(chat)).toMatchObject([{ state: 'stopped' }]);
    expect((await subAgents.of('another')).length).toBe(0);
    expect((await subAgents.find(place.sessionId))?.session, 'is read from its file').not.toBe(session);
  });

  it('are empty for a chat, and for a session without a file', async () => {
    const { id, file } = store.create(0);
    await file.append({ type: 'title', title: 'A chat' });
    await file.close();
    expect(await subAgents.find(id)).toBeUndefined();
    expect(await subAgents.find(`${id}.none`)).toBeUndefined();
    expect(await subAgents.of(id)).toEqual([]);
  });
});
