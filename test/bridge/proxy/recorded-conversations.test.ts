import { appendFile, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proxyOf } from '../../../src/agent/governed/asked-changes.ts';
import type { RecordedConversation } from '../../../src/agent/governed/governed-conversation.ts';
import { Recordings } from '../../../src/bridge/proxy/recorded-conversations.ts';
import {
  type SessionEvent,
  sessionVersion,
  type WireOrigin,
} from '../../../src/transcripts/session/session-event.ts';
import { readSession } from '../../../src/transcripts/session/session-format.ts';
import { typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordings-'));
});
afterEach(() => rm(folder, { recursive: true }));

const here: WireOrigin = { api: 'chat', client: 'opencode', folder: '/project' };
const said = (text: string, id = 'm1'): SessionEvent => ({ type: 'message', message: typed(id, text) });
const tools: SessionEvent = { type: 'tools', tools: [{ type: 'function', function: { name: 'bash' } }] };

function recordings(begun: (path: string) => void = () => {}): Recordings {
  return new Recordings({ recordings: folder, begun, asked: () => {}, log: () => {} });
}

let minutes = 0;
/** Records a conversation after all others. @returns its path */
async function record(
  title: string,
  origin: WireOrigin,
  ...events: readonly SessionEvent[]
): Promise<string> {
  const at = new Date(Date.UTC(2026, 0, 1, 0, ++minutes));
  const paths: string[] = [];
  const conversation = recordings((path) => paths.push(path)).begin({ at, origin });
  for (const event of [{ type: 'title', title } as const, ...events, said(title)])
    await conversation.log(event);
  await conversation.close();
  await utimes(paths[0]!, at, at);
  return paths[0]!;
}

/** The recordings that a request may continue. */
async function found(origin: WireOrigin, hasTools = false): Promise<readonly RecordedConversation[]> {
  const conversations: RecordedConversation[] = [];
  for await (const one of recordings().earlier(origin, hasTools)) conversations.push(one);
  return conversations;
}

async function titles(origin: WireOrigin, hasTools = false): Promise<readonly (string | undefined)[]> {
  return (await found(origin, hasTools)).map(({ contents }) => contents.title);
}

describe('the recordings that a request may continue', () => {
  it('are those of its session, and then those without a session in its folder, newest first', async () => {
    const session = 'session-of-the-test';
    await record('of the session', { ...here, session });
    await record('older', here);
    await record('newer', here);
    await record('elsewhere', { ...here, folder: '/other' });
    await record('of another session', { ...here, session: 'another-session' });
    expect(await titles({ ...here, session })).toEqual(['of the session', 'newer', 'older']);
    expect(await titles({ ...here, session, folder: '/other' })).toEqual(['of the session', 'elsewhere']);
    expect(await titles({ ...here, client: 'codex' })).toEqual([]);
  });

  it('have tools if the request has tools', async () => {
    await record('with tools', here, tools);
    await record('without tools', here);
    expect(await titles(here, true)).toEqual(['with tools']);
    expect(await titles(here, false)).toEqual(['without tools']);
  });

  it('are neither of a newer version nor without a header', async () => {
    const path = await record('of a newer version', here);
    const text = await readFile(path, 'utf8');
    await rm(path);
    const version = `"version":${sessionVersion + 1}`;
    await appendFile(path, text.replace(`"version":${sessionVersion}`, version));
    await appendFile(path.replace('.jsonl', '0.jsonl'), `${JSON.stringify(said('a message'))}\n`);
    expect(await found(here)).toEqual([]);
  });

  it('may be in the folder of the recording that started them', async () => {
    const all = recordings();
    const main = all.begin({ at: new Date(0), origin: here });
    const parent = { id: main.id, callKey: 'call_1' };
    const inner = all.begin({ at: new Date(1_000), origin: here, parent });
    await main.log(said('main'));
    await inner.log(said('inner'));
    await Promise.all([main, inner].map((one) => one.close()));
    const ids = (await found(here)).map(({ file }) => file.id);
    expect(ids.toSorted()).toEqual([main.id, inner.id].toSorted());
  });
});

describe('a recording that continues', () => {
  it('begins a new line after one that was cut off', async () => {
    const path = await record('cut off', here);
    await appendFile(path, '{"type":"message","mess');
    const [conversation] = await found(here);
    expect(await conversation?.claim()).toBe(true);
    await conversation?.file.log(said('and on', 'm2'));
    await conversation?.file.close();
    const { entries, problems } = readSession(await readFile(path, 'utf8'));
    expect(entries).toHaveLength(2);
    expect(problems).toHaveLength(1);
  });

  it('is left to the program that writes it', async () => {
    await record('of both', here);
    const [[first], [second]] = [await found(here), await found(here)];
    expect(await first?.claim()).toBe(true);
    expect(await second?.claim()).toBe(false);
    await first?.file.close();
    expect(await second?.claim()).toBe(true);
    await second?.file.close();
  });

  it('is not taken after another program continued it', async () => {
    await record('of both', here);
    const [[first], [second]] = [await found(here), await found(here)];
    await first?.claim();
    await first?.file.log(said('and on', 'm2'));
    await first?.file.close();
    expect(await second?.claim()).toBe(false);
  });

  it('takes the changes that the user asks for if it was compacted', async () => {
    const compaction: SessionEvent = { type: 'compaction', record: recordWith('c1', [], []) };
    const path = await record('compacted', here, compaction);
    expect(await proxyOf(path).isRunning()).toBe(false);
    const [conversation] = await found(here);
    await conversation?.claim();
    await conversation?.file.log(said('and on', 'm2'));
    expect(await proxyOf(path).isRunning()).toBe(true);
    await conversation?.file.close();
  });

  it('leaves no lock behind', async () => {
    await record('closed', here);
    const [conversation] = await found(here);
    await conversation?.claim();
    await conversation?.file.close();
    const names = await readdir(join(folder, 'opencode'));
    expect(names.map((name) => name.replace(/^.*\./u, ''))).toEqual(['jsonl']);
  });

  it('has no lock after a line that comes once it is closed', async () => {
    const conversation = recordings().begin({ at: new Date(0), origin: here });
    await conversation.log(said('first'));
    await conversation.close();
    await conversation.log(said('late', 'm2'));
    const [taken] = await found(here);
    expect(await taken?.claim()).toBe(true);
    await taken?.file.close();
    expect(taken?.contents.problems).toEqual([]);
    expect(taken?.contents.entries).toHaveLength(2);
  });
});
