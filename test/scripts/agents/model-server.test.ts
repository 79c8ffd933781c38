import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type LoggedRequest,
  type ModelServer,
  serveModel,
} from '../../../scripts/agents/server/model-server.ts';
import { ScriptedModel, subTask } from '../../../scripts/agents/server/scripted-model.ts';

const question = 'What is in a.ts?';
const schema = { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] };

/** A request of each shape with the question, and a declared tool that reads a file. */
const shapes = {
  'chat completions': {
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: question },
      ],
      tools: [{ type: 'function', function: { name: 'read_file', parameters: schema } }],
    },
    streamed: { stream: true },
  },
  responses: {
    path: '/v1/responses',
    body: {
      model: 'm',
      instructions: 'Be brief.',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: question }] }],
      tools: [{ type: 'function', name: 'read_file', parameters: schema }],
    },
    streamed: { stream: true },
  },
  messages: {
    path: '/v1/messages?beta=true',
    body: {
      model: 'm',
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', content: question }],
      tools: [{ name: 'read_file', input_schema: schema }],
    },
    streamed: { stream: true },
  },
  generateContent: {
    path: '/v1beta/models/m:generateContent',
    body: {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: question }] }],
      tools: [{ functionDeclarations: [{ name: 'read_file', parametersJsonSchema: schema }] }],
    },
    streamed: {},
  },
} as const;

const shapeIds = Object.keys(shapes) as (keyof typeof shapes)[];

let model: ScriptedModel;
let server: ModelServer;
let log: LoggedRequest[];

beforeEach(async () => {
  log = [];
  model = new ScriptedModel();
  // One token for each character makes sizes readable.
  server = await serveModel(
    model,
    (text) => text.length,
    (request) => log.push(request),
  );
});

afterEach(() => server.close());

async function ask(path: string, body: object): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return response.text();
}

describe.each(shapeIds)('the server of a scripted model, asked in the form %s', (id) => {
  const { path, body, streamed } = shapes[id];

  it('calls the tool that the request declares for the step', async () => {
    model.begin(question, [{ do: 'read', path: '/a.ts' }]);
    const reply = await ask(path, body);
    expect(reply).toContain('read_file');
    expect(reply.replaceAll('\\', '')).toContain('"file_path":"/a.ts"');
  });

  it('ends the turn with text', async () => {
    model.begin(question, [{ say: 'It is empty.' }]);
    expect(await ask(path, body)).toContain('It is empty.');
  });

  it('reports the usage of the step instead of the size of the request', async () => {
    model.begin(question, [{ say: 'It is empty.', usage: 123_456 }]);
    expect(await ask(path, body)).toContain('123456');
  });

  it('streams events, one of which contains the call', async () => {
    model.begin(question, [{ do: 'read', path: '/a.ts' }]);
    const reply = await ask(path.replace(':generate', ':streamGenerate'), { ...body, ...streamed });
    const events = reply.split('\n\n').filter((event) => event.includes('data: '));
    expect(events.filter((event) => event.includes('read_file'))).not.toEqual([]);
    expect(reply.endsWith('\n\n')).toBe(true);
  });

  it('records the sizes of the request, by kind', async () => {
    model.begin(question, [{ say: 'It is empty.' }]);
    await ask(path, body);
    expect(log).toMatchObject([
      {
        number: 1,
        wire: id,
        kind: 'main',
        sizes: { system: 'Be brief.'.length + 3, messages: question.length + 3 },
        reply: { text: 'It is empty.' },
      },
    ]);
    expect(log[0]?.sizes.tools).toBeGreaterThan(JSON.stringify(schema).length);
  });
});

describe('the server in the form messages', () => {
  it('begins every reply with reasoning if the client enabled it, and passes its own rules', async () => {
    const { path, body } = shapes.messages;
    const enabled = { ...body, thinking: { type: 'enabled', budget_tokens: 1024 } };
    model.begin(question, [{ do: 'read', path: '/a.ts' }, { say: 'It is empty.' }]);
    const first = JSON.parse(await ask(path, enabled)) as { content: { type: string; id?: string }[] };
    expect(first.content.map(({ type }) => type)).toEqual(['thinking', 'tool_use']);
    const result = { type: 'tool_result', tool_use_id: first.content[1]?.id, content: '' };
    const messages = [
      ...body.messages,
      { role: 'assistant', content: first.content },
      { role: 'user', content: [result] },
    ];
    expect(await ask(path, { ...enabled, messages })).toContain('It is empty.');
  });
});

describe('a scripted model', () => {
  const { path, body } = shapes['chat completions'];
  const say = (content: string, tools: readonly object[] = body.tools) =>
    ask(path, { ...body, tools, messages: [{ role: 'user', content }] });

  it('answers a request for a summary without advancing its script', async () => {
    model.begin(question, [{ say: 'It is empty.' }]);
    expect(await say('Provide a detailed summary of our conversation.')).toContain('Summary 1.');
    expect(await say(question)).toContain('It is empty.');
    const together = `${question}\n\nCreate a detailed summary of this conversation.`;
    expect(await say(together)).toContain('Summary 2.');
    expect(log.map(({ kind }) => kind)).toEqual(['summary', 'main', 'summary']);
  });

  it('answers with a title if the request has no tools', async () => {
    model.begin(question, [{ say: 'It is empty.' }]);
    await say(question, []);
    expect(log[0]).toMatchObject({ kind: 'side', reply: { text: 'Parcel prices' } });
  });

  it('answers as a sub-agent if the newest task was delegated', async () => {
    model.begin(question, [{ say: 'It is empty.' }]);
    expect(await say(subTask)).toContain('70 lines');
    expect(log[0]?.kind).toBe('sub-agent');
  });

  it('skips a step for which the agent has no tool, and records it', async () => {
    model.begin(question, [{ do: 'delegate', task: subTask }, { say: 'It is empty.' }]);
    expect(await say(question)).toContain('It is empty.');
    expect(log[0]?.missed).toBe('delegate');
  });

  it('searches for an undeclared tool if the agent has a tool for that', async () => {
    const search = { type: 'tool_search', parameters: { properties: { query: { type: 'string' } } } };
    const { path, body } = shapes.responses;
    model.begin(question, [{ do: 'call', tool: 'recall', arguments: { id: 'm1' } }]);
    const searching = await ask(path, { ...body, tools: [search] });
    expect(searching).toContain('"type":"tool_search_call"');
    const found = {
      type: 'tool_search_output',
      tools: [{ type: 'namespace', name: 'budget', tools: [{ type: 'function', name: 'recall' }] }],
    };
    const calling = await ask(path, { ...body, tools: [search], input: [...body.input, found] });
    expect(calling).toContain('"namespace":"budget"');
    expect(log.map(({ reply }) => reply.tool)).toEqual(['tool_search', 'recall']);
  });

  it('reads with the shell if the agent has no other tool', async () => {
    model.begin(question, [{ do: 'read', path: '/a.ts' }]);
    const shell = {
      type: 'function',
      function: { name: 'bash', parameters: { properties: { command: { type: 'string' } } } },
    };
    expect((await say(question, [shell])).replaceAll('\\', '')).toContain('"command":"cat /a.ts"');
  });

  it('reports the usage of a step until the agent has compacted', async () => {
    model.begin(question, [{ say: 'One.', usage: 123_456 }, { say: 'Two.' }, { say: 'Three.' }]);
    await say(question);
    await say(question);
    await say('Provide a detailed summary of our conversation.');
    await say(question);
    const full = log.map(({ reported }) => reported === 123_456);
    expect(full).toEqual([true, true, false, false]);
  });

  it('drops unused steps of a turn', async () => {
    model.begin('Another question', [{ say: 'Never said.' }]);
    model.begin(question, [{ say: 'It is empty.' }]);
    expect(await say(question)).toContain('It is empty.');
  });
});
