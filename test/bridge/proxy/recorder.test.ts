import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveModel, type ModelServer } from '../../../scripts/agents/server/model-server.ts';
import { ScriptedModel } from '../../../scripts/agents/server/scripted-model.ts';
import { OfflineModel } from '../../../src/agent/offline/offline-model.ts';
import { startProxy } from '../../../src/bridge/proxy/proxy-server.ts';
import type { ToolSchema } from '../../../src/compaction/messages/message.ts';
import { Recorder } from '../../../src/bridge/proxy/recorder.ts';
import { loadEncoding } from '../../../src/compaction/tokens/token-counter.ts';
import { type StrategyId, strategyOf } from '../../../src/compaction/strategies/index.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import { readSession } from '../../../src/transcripts/session/session-format.ts';
import { recordingHead } from '../../../src/transcripts/session/recordings.ts';
import { importTranscript } from '../../../src/transcripts/import-transcript.ts';
import { chatWire } from '../../../src/wire/chat-wire.ts';
import { responsesWire } from '../../../src/wire/responses-wire.ts';
import { createMeter } from '../../support/engine.ts';

const count = await loadEncoding('o200k_base');
const meter = await createMeter();

interface Running {
  readonly baseUrl: string;
  readonly recorder: Recorder;
  readonly logged: readonly string[];
  close(): Promise<void>;
}

let folder: string;
let server: ModelServer;
let model: ScriptedModel;
let running: Running;
const bodies: unknown[] = [];
const begun: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recorder-'));
  model = new ScriptedModel();
  bodies.length = 0;
  begun.length = 0;
  server = await serveModel(model, count, ({ body }) => bodies.push(body));
});

afterEach(async () => {
  await running.close();
  await server.close();
  await rm(folder, { recursive: true });
});

/** Starts a proxy in front of the scripted model. @param compacts strategy and window of compactions */
async function start(compacts?: {
  readonly strategy: StrategyId;
  readonly window: number;
  readonly isBroken?: boolean;
}): Promise<Running> {
  const logged: string[] = [];
  const strategy = strategyOf(compacts?.strategy ?? 'none');
  const summaries = new OfflineModel();
  const recorder = new Recorder({
    recordings: folder,
    workingFolder: '/project',
    begun: (path) => begun.push(path),
    meter,
    settings: () => ({
      strategy,
      options: resolveOptions(strategy.options, {}).options,
      budget: { window: compacts?.window ?? 128_000, triggerRatio: 0.85, targetRatio: 0.5 },
      mode: compacts === undefined ? 'off' : 'auto',
      protectFirst: true,
    }),
    models: () =>
      compacts?.isBroken === true
        ? Promise.reject(new Error('The settings name no model.'))
        : Promise.resolve({ chat: summaries, named: () => summaries }),
    now: () => Date.now(),
    log: (line) => logged.push(line),
  });
  const proxy = await startProxy({
    upstream: new URL(`http://127.0.0.1:${server.port}/v1`),
    port: 0,
    token: 'token-of-the-test',
    wires: [responsesWire, chatWire],
    observe: (start) => recorder.observe(start),
    ...(compacts !== undefined && { rewrite: (start, body) => recorder.rewrite(start, body) }),
    log: (line) => logged.push(line),
  });
  running = {
    baseUrl: proxy.baseUrl,
    recorder,
    logged,
    close: async () => {
      await proxy.close();
      await recorder.close();
    },
  };
  return running;
}

type ChatBody = Readonly<Record<string, unknown>>;

async function ask(path: string, body: ChatBody): Promise<ChatBody> {
  const response = await fetch(`${running.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer sk-secret-of-the-test-0123456789',
      'user-agent': 'opencode/1.18.33',
    },
    body: JSON.stringify(body),
  });
  return (await response.json()) as ChatBody;
}

/** The recordings by path, without the folder. */
async function recordings(): Promise<Readonly<Record<string, string>>> {
  await running.recorder.settled();
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.jsonl')).sort();
  const texts = await Promise.all(
    paths.map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const),
  );
  return Object.fromEntries(texts);
}

const tools = [
  { type: 'function', function: { name: 'bash', parameters: { type: 'object', properties: {} } } },
];
const system = { role: 'system', content: 'You write code.' };
const prompt = (content: string) => ({ role: 'user', content });

describe('a recording of the wire', () => {
  it('shows the conversation of a client as the model saw it, with tools and reports', async () => {
    await start();
    model.begin('Say hello.', [{ say: 'Hello, and welcome to the project.' }]);
    await ask('/chat/completions', { model: 'a-model', tools, messages: [system, prompt('Say hello.')] });
    const [[path, text] = ['', '']] = Object.entries(await recordings());
    expect(path).toMatch(/^opencode[/\\][\w-]+\.jsonl$/u);
    const { entries, tools: recorded, exchanges, agent } = importTranscript(text);
    expect(entries).toMatchObject([
      { message: { role: 'system', content: 'You write code.' } },
      { message: { role: 'user', content: 'Say hello.' } },
      { message: { role: 'assistant', content: 'Hello, and welcome to the project.', modelId: 'a-model' } },
    ]);
    expect(recorded).toEqual(tools);
    expect(agent).toBe('opencode');
    expect(exchanges).toMatchObject([{ outcome: 'complete', status: 200, messageId: 'm3' }]);
  });

  it('begins with its title, which lists then find before the longest tools', async () => {
    await start();
    model.begin('Say hello.', [{ say: 'Hello.' }]);
    const description = 'A long description. '.repeat(20_000);
    const long = { type: 'function', function: { ...tools[0]!.function, description } };
    const messages = [system, prompt('Say hello.')];
    await ask('/chat/completions', { model: 'a-model', tools: [long], messages });
    const [text = ''] = Object.values(await recordings());
    expect(recordingHead(text.slice(0, 10_000)).title).toBe('Say hello.');
  });

  it('is announced once it exists, unless its request is beside the conversation', async () => {
    await start();
    model.begin('Name it.', [{ say: 'A greeting' }]);
    await ask('/chat/completions', { model: 'a-model', messages: [prompt('Name it.')] });
    expect(Object.keys(await recordings())).toHaveLength(1);
    expect(begun).toEqual([]);
    model.begin('Say hello.', [{ say: 'Hello.' }]);
    await ask('/chat/completions', { model: 'a-model', tools, messages: [system, prompt('Say hello.')] });
    await running.recorder.settled();
    expect(begun).toHaveLength(1);
    expect(await readFile(begun[0]!, 'utf8')).toContain('Say hello.');
  });

  it('is one file, to which every further request adds only what is new', async () => {
    await start();
    model.begin('Say hello.', [{ say: 'Hello.' }]);
    const first = [system, prompt('Say hello.')];
    await ask('/chat/completions', { model: 'a-model', tools, messages: first });
    model.begin('And again.', [{ say: 'Hello again.' }]);
    const messages = [...first, { role: 'assistant', content: 'Hello.' }, prompt('And again.')];
    await ask('/chat/completions', { model: 'a-model', tools, messages });
    const texts = Object.values(await recordings());
    expect(texts).toHaveLength(1);
    expect(importTranscript(texts[0]!).entries.map(({ type }) => type)).toEqual(Array(5).fill('message'));
  });

  it.each([
    ['after the proxy started again', 0],
    ['after so many other conversations that it is no longer followed', 16],
  ])('continues %s', async (_, others) => {
    await start();
    model.begin('Say hello.', [{ say: 'Hello.' }]);
    const first = [system, prompt('Say hello.')];
    await ask('/chat/completions', { model: 'a-model', tools, messages: first });
    for (let other = 1; other <= others; other++) {
      model.begin(`Say ${other}.`, [{ say: `${other}.` }]);
      await ask('/chat/completions', { model: 'a-model', tools, messages: [prompt(`Say ${other}.`)] });
    }
    await running.recorder.settled();
    if (others === 0) {
      await running.close();
      await start();
    }
    model.begin('And again.', [{ say: 'Hello again.' }]);
    const messages = [...first, { role: 'assistant', content: 'Hello.' }, prompt('And again.')];
    await ask('/chat/completions', { model: 'a-model', tools, messages });
    const texts = Object.values(await recordings());
    expect(texts).toHaveLength(1 + others);
    const { entries, exchanges } = importTranscript(texts.find((text) => text.includes('again'))!);
    expect(entries.map(({ type }) => type)).toEqual(Array(5).fill('message'));
    expect(exchanges).toHaveLength(2);
  });

  it('of requests without tools continues, too', async () => {
    await start();
    model.begin('Say hello.', [{ say: 'Hello.' }]);
    await ask('/chat/completions', { model: 'a-model', messages: [prompt('Say hello.')] });
    await running.recorder.settled();
    await running.close();
    await start();
    const said = [prompt('Say hello.'), { role: 'assistant', content: 'Hello.' }];
    for (const text of ['And again.', 'And once more.']) {
      model.begin(text, [{ say: 'Hello again.' }]);
      said.push(prompt(text));
      await ask('/chat/completions', { model: 'a-model', messages: said });
      said.push({ role: 'assistant', content: 'Hello again.' });
    }
    expect(Object.keys(await recordings())).toHaveLength(1);
  });

  it('contains no key, even if a message repeats it, and only its owner can read it', async () => {
    await start();
    model.begin('Hello.', [{ say: 'My key is sk-secret-of-the-test-0123456789.' }]);
    await ask('/chat/completions', { model: 'a-model', tools, messages: [prompt('Hello.')] });
    const [[path, text] = ['', '']] = Object.entries(await recordings());
    expect(text).toContain('My key is [key]');
    expect(text).not.toContain('0123456789');
    expect((await stat(join(folder, path))).mode & 0o777).toBe(0o600);
  });

  it('of a sub-agent is in a folder of the recording that started it', async () => {
    await start();
    const task = 'Count the lines of the files in src and report the sum.';
    model.begin('Delegate.', [{ do: 'delegate', task }]);
    const delegate = {
      type: 'function',
      function: {
        name: 'task',
        parameters: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
      },
    };
    await ask('/chat/completions', {
      model: 'a-model',
      tools: [delegate],
      messages: [system, prompt('Delegate.')],
    });
    await ask('/chat/completions', { model: 'a-model', tools, messages: [system, prompt(task)] });
    const paths = Object.keys(await recordings());
    expect(paths).toHaveLength(2);
    expect(paths.map((path) => path.split(/[/\\]/u).length).toSorted()).toEqual([2, 3]);
    const inner = Object.entries(await recordings()).find(([path]) => path.split(/[/\\]/u).length === 3);
    expect(importTranscript(inner![1]).entries[1]).toMatchObject({
      message: { origin: 'model', content: task },
    });
  });

  it('of a request for a summary, which has no tools, is in the folder of the conversation that it repeats', async () => {
    await start();
    model.begin('Say hello.', [{ say: 'Hello.' }]);
    const first = [system, prompt('Say hello.')];
    await ask('/chat/completions', { model: 'a-model', tools, messages: first });
    const rules = { role: 'system', content: 'You summarise conversations.' };
    const repeated = [rules, prompt('Say hello.'), { role: 'assistant', content: 'Hello.' }];
    const wish = prompt('Write a detailed summary of this conversation.');
    await ask('/chat/completions', { model: 'a-model', messages: [...repeated, wish] });
    const paths = Object.keys(await recordings());
    expect(paths.map((path) => path.split(/[/\\]/u).length).toSorted()).toEqual([2, 3]);
  });

  it.each([
    ['with an id of its session', { prompt_cache_key: 'session-of-the-test' }],
    ['without an id', {}],
  ])('%s goes on after its client replaced it by a summary from a request of its own', async (_, named) => {
    await start();
    const common = { model: 'a-model', ...named };
    model.begin('Say hello.', [{ say: 'Hello.' }]);
    await ask('/chat/completions', { ...common, tools, messages: [system, prompt('Say hello.')] });
    const wish = prompt('Write a detailed summary of this conversation. User: Say hello.');
    const answer = await ask('/chat/completions', { ...common, messages: [wish] });
    const [{ message }] = answer['choices'] as [{ message: ChatBody }];
    model.begin('And now?', [{ say: 'Nothing.' }]);
    const messages = [system, prompt('What did we do so far?'), message, prompt('And now?')];
    await ask('/chat/completions', { ...common, tools, messages });
    const texts = Object.values(await recordings());
    const kinds = texts.map((text) => importTranscript(text).entries.map(({ type }) => type));
    expect(kinds.filter((types) => types.includes('compaction'))).toHaveLength(1);
    expect(texts).toHaveLength(2);
  });

  it('keeps tools that the model finds on demand apart from those that it reads', async () => {
    await start();
    model.begin('Say hello.', [{ say: 'Hello.' }]);
    const declared = (name: string) => ({ type: 'function', name, parameters: { type: 'object' } });
    await ask('/responses', {
      model: 'a-model',
      tools: [declared('bash'), { ...declared('weather'), defer_loading: true }],
      input: 'Say hello.',
    });
    const [text = ''] = Object.values(await recordings());
    const { toolSet } = readSession(text);
    const namesOf = (schemas: readonly ToolSchema[] = []) => schemas.map(({ function: { name } }) => name);
    expect([namesOf(toolSet.tools), namesOf(toolSet.aside)]).toEqual([['bash'], ['weather']]);
  });

  it('says why a provider refused a request, and how often the client sent it again', async () => {
    await start();
    await server.close();
    for (let sent = 0; sent < 3; sent++) await ask('/chat/completions', { messages: [prompt('Hello.')] });
    await ask('/chat/completions', { messages: [prompt('Hello.'), prompt('Are you there?')] });
    const [text = ''] = Object.values(await recordings());
    const { exchanges = [] } = importTranscript(text);
    expect(exchanges.map(({ outcome, retry }) => [outcome, retry])).toEqual([
      ['unreachable', undefined],
      ['unreachable', 1],
      ['unreachable', 2],
      ['unreachable', undefined],
    ]);
    server = await serveModel(model, count, () => {});
  });
});

describe('a conversation that is compacted on the wire', () => {
  const long = (number: number) => `Step ${number}. ${'The file was read and changed again. '.repeat(60)}`;
  const history = (steps: number) => [
    system,
    ...Array.from({ length: steps }, (_, number) => [
      prompt(long(number)),
      { role: 'assistant', content: `Step ${number} is done.` },
    ]).flat(),
    prompt('What next?'),
  ];

  it('is sent as a view that begins alike with every request, and has its records', async () => {
    await start({ strategy: 'sliding-window', window: 4_000 });
    for (const steps of [12, 13]) {
      model.begin('What next?', [{ say: `That was step ${steps}.` }]);
      await ask('/chat/completions', { model: 'a-model', tools, messages: history(steps) });
    }
    const sent = bodies.map((body) => (body as { messages: readonly unknown[] }).messages);
    expect(sent.map((messages) => messages.length)).not.toEqual(history(12).length);
    expect(JSON.stringify(sent[0]).length).toBeLessThan(JSON.stringify(history(12)).length / 1.5);
    expect(sent[1]?.slice(0, 2)).toEqual(sent[0]?.slice(0, 2));
    const [text = ''] = Object.values(await recordings());
    const applied = importTranscript(text).entries.flatMap((entry) =>
      entry.type === 'compaction' && entry.record.status === 'applied' ? [entry.record.actualStrategy] : [],
    );
    expect(applied).toContain('sliding-window');
  });

  it('is passed on as it came if compacting fails, and says so', async () => {
    await start({ strategy: 'sliding-window', window: 4_000, isBroken: true });
    model.begin('What next?', [{ say: 'Nothing.' }]);
    const body = { model: 'a-model', tools, messages: history(12) };
    await ask('/chat/completions', body);
    expect(bodies[0]).toEqual(body);
    const [text = ''] = Object.values(await recordings());
    expect(importTranscript(text).exchanges).toMatchObject([{ status: 200, isUnchanged: true }]);
  });

  it('is sent byte for byte while it fits', async () => {
    await start({ strategy: 'ladder', window: 128_000 });
    model.begin('What next?', [{ say: 'Nothing.' }]);
    const body = { model: 'a-model', tools, messages: history(2) };
    await ask('/chat/completions', body);
    expect(bodies[0]).toEqual(body);
  });
});
