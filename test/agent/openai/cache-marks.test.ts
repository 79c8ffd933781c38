import { describe, expect, it } from 'vitest';
import { OpenaiModel, type OpenaiModelOptions } from '../../../src/agent/openai/openai-model.ts';
import { createTools } from '../../../src/agent/tools/catalogue.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import type { ContentPart } from '../../../src/compaction/messages/message.ts';
import { createMeter } from '../../support/engine.ts';
import { said, typed } from '../../support/messages.ts';
import { SessionHarness } from '../session/session-harness.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';
import { eventsOf, failureOf, modelAt } from './ask-model.ts';
import type { RecordedRequest, RequestBody } from './scripted-reply.ts';
import { server, useServer } from './server-for-each-test.ts';

const mark = { type: 'ephemeral' };

/** Positions of a request's messages with a mark. */
const marked = ({ messages }: RequestBody) =>
  messages.flatMap(({ content }, position) =>
    Array.isArray(content) && content.some((part: ContentPart) => part['cache_control'] !== undefined)
      ? [position]
      : [],
  );

/** The part of a request a cache compares: tools and messages without marks. */
const withoutMarks = ({ tools, messages }: RequestBody, end: number) =>
  JSON.stringify([tools, messages.slice(0, end)], (name, value: unknown) =>
    name === 'cache_control' ? undefined : value,
  );

/**
 * A cache that stores marked beginnings and finds them only at marks. Returns the number of messages read by
 * each request.
 */
function readFromCache(requests: readonly RecordedRequest[]): readonly number[] {
  const written = new Set<string>();
  return requests.map(({ body }) => {
    const ends = marked(body).map((position) => position + 1);
    const read = ends.filter((end) => written.has(withoutMarks(body, end)));
    for (const end of ends) written.add(withoutMarks(body, end));
    return Math.max(0, ...read);
  });
}

const modelOf = (options: Partial<OpenaiModelOptions> = {}) =>
  modelAt(server, { cacheMarks: true, ...options });
const bodies = () => server.requests.map(({ body }) => body);

useServer();

describe('a session with a model that needs cache marks', () => {
  it('reads the whole previous request from the cache, in tool loops and new turns', async () => {
    await using workspace = await TemporaryWorkspace.create({ 'a.ts': 'a', 'b.ts': 'b' });
    const tools = createTools({ workspace: new Workspace([workspace.path]), recall: () => undefined });
    await using harness = await SessionHarness.start(await createMeter(), { tools: () => tools });
    const { server } = harness;
    const model = new OpenaiModel({
      baseUrl: server.baseUrl,
      apiKey: 'key',
      model: 'scripted',
      maxRetries: 0,
      cacheMarks: true,
    });
    const session = harness.open(
      { title: undefined, entries: [], tools: [], lastTurn: undefined },
      { tools: () => tools, models: () => Promise.resolve({ chat: model, named: () => model }) },
    );
    const read = (path: string) => ({ name: 'read_file', arguments: { path } });
    const batch = { toolCalls: Array.from({ length: 30 }, (_, index) => read(index % 2 ? 'a.ts' : 'b.ts')) };
    server.reply({ toolCalls: [read('a.ts')] }, batch, { text: 'Done.' }, batch, { text: 'Again.' });
    await session.send('Look at both.');
    await session.send('And again.');
    const lengths = server.requests.map(({ body }) => body.messages.length);
    expect(lengths).toHaveLength(5);
    expect(readFromCache(server.requests)).toEqual([0, ...lengths.slice(0, -1)]);
    for (const { body } of server.requests) expect(marked(body).length).toBeLessThanOrEqual(4);
  });
});

describe('cache marks', () => {
  const long = [
    { role: 'system', content: 'Rules.' },
    { role: 'system', content: 'Memory.' },
    { role: 'user', content: 'First' },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'Second' },
    { role: 'assistant', content: 'Of course.' },
    { role: 'user', content: 'Third' },
    { role: 'assistant', content: 'Sure.' },
    { role: 'user', content: 'Fourth' },
  ] as const;

  it('follow the system messages and the first, the previous and the current request', async () => {
    server.reply({ text: 'Hi' });
    await eventsOf(modelOf(), { messages: long, tools: [] });
    expect(bodies().map(marked)).toEqual([[1, 2, 6, 8]]);
    expect(bodies()[0]?.messages[1]?.content).toEqual([
      { type: 'text', text: 'Memory.', cache_control: mark },
    ]);
  });

  it('are on the last non-empty text, and on no picture', async () => {
    server.reply({ text: 'Hi' });
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
    const text = { type: 'text', text: 'See' };
    await eventsOf(modelOf(), {
      messages: [
        { role: 'user', content: [text, picture, { type: 'text', text: ' ' }] },
        { role: 'user', content: [picture] },
        { role: 'user', content: '\n' },
      ],
      tools: [],
    });
    expect(bodies()[0]?.messages[0]?.content).toEqual([
      { ...text, cache_control: mark },
      picture,
      { type: 'text', text: ' ' },
    ]);
    expect(bodies().map(marked)).toEqual([[0]]);
  });

  it('are not sent to endpoints that are not known to accept them', async () => {
    server.reply({ text: 'Hi' });
    await eventsOf(modelOf({ cacheMarks: undefined }), { messages: long, tools: [] });
    expect(bodies()[0]?.messages).toEqual(long);
  });

  it('are removed from tool results, and then everywhere, if the endpoint refuses them', async () => {
    const refusal = {
      status: 400,
      body: {
        error: { message: 'tool_result.content.0.text: cache_control: Extra inputs are not permitted' },
      },
    };
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } } as const;
    const messages = [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'done' },
    ] as const;
    server.reply(refusal, { text: 'Hi' }, refusal, { text: 'Hi' }, { text: 'Hi' });
    const model = modelOf();
    for (const _ of [1, 2, 3]) await eventsOf(model, { messages, tools: [] });
    expect(bodies().map(marked)).toEqual([[0, 2], [0], [0], [], []]);
    expect(bodies()[1]?.messages[2]).toEqual(messages[2]);
    expect(bodies()[4]?.messages).toEqual(messages);
  });

  it('do not hide a refusal for another reason', async () => {
    server.reply({ status: 400, body: { error: { message: 'Unknown model.' } } });
    await expect(failureOf(modelOf())).resolves.toMatchObject({ status: 400 });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a summary', () => {
  const signal = new AbortController().signal;
  const asked = {
    instructions: 'i',
    prompt: 'p',
    sources: [],
    focus: '',
    tag: 'summary',
    maxOutputTokens: 99,
  };

  it('reads the part of the chat from the cache, and adds nothing to the cache', async () => {
    server.reply({ text: 'Hi' }, { text: 'Notes' });
    const view = [typed('a', 'First'), said('b', 'Yes.')];
    const model = modelOf();
    await eventsOf(model, { messages: [{ role: 'user', content: 'First' }], tools: [] });
    await model.summarise({ ...asked, continues: { view, tools: [] } }, signal);
    expect(readFromCache(server.requests)).toEqual([0, 1]);
    expect(bodies().map(marked)).toEqual([[0], [0]]);
  });

  it('has no cache marks in a separate request', async () => {
    server.reply({ text: 'Notes' });
    await modelOf().summarise(asked, signal);
    expect(bodies().map(marked)).toEqual([[]]);
  });
});
