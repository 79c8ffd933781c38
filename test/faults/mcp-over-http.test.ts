import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { McpConsents } from '../../src/agent/mcp/consents.ts';
import { McpServers } from '../../src/agent/mcp/mcp-servers.ts';
import { readMcpServers } from '../../src/agent/mcp/server-settings.ts';
import type { ActingTool } from '../../src/agent/tools/support/tool.ts';
import { consentsInMemory } from '../agent/mcp/consents-in-memory.ts';
import { keyEncodings } from '../support/key-encodings.ts';
import { fault } from './support/fault.ts';
import { noQuestion } from '../support/no-question.ts';

const kept = 'ghp_Canary7f3a91c2d4e5';
const ofOthers = 'zt-Canary0d8e6b1c9a7f';
const ofEnvironment = 'Canary5b7d9e1f3a2c8064';
const ofVariable = 'Canary2c4e6f8b1d3a5097';
const plain = 'q7Zk-Canary3f9Xa1b2W5t';

/** Ways in which settings give a server a key, or no key. */
const settings: Readonly<Record<string, readonly [key: string, server: (url: string) => object]>> = {
  'a stored secret, in a header': [kept, (url) => ({ url, headers: { 'X-Any': '${secret:github}' } })],
  'a stored secret, in the address': [kept, (url) => ({ url: `${url}?q=\${secret:github}` })],
  'a variable': [ofVariable, (url) => ({ url, headers: { 'X-Any': '${env:OF_USER}' } })],
  'plain, as a bearer': [plain, (url) => ({ url, headers: { Authorization: `Bearer ${plain}` } })],
  'plain, as a password': [
    plain,
    (url) => ({ url, headers: { authorization: `Basic ${btoa(`me:${plain}`)}` } }),
  ],
  'plain, in a header for keys': [plain, (url) => ({ url, headers: { 'x-api-key': plain } })],
  'plain, in a header of any name': [plain, (url) => ({ url, headers: { 'X-Workspace': plain } })],
  'plain, in a cookie': [plain, (url) => ({ url, headers: { Cookie: `a=1; sid=${plain}; b=2` } })],
  'plain, in the query': [plain, (url) => ({ url: `${url}?token=${plain}` })],
  'plain, in the query, by any name': [plain, (url) => ({ url: `${url}?k=${plain}&x=1` })],
  'plain, in the path': [plain, (url) => ({ url: url.replace('/mcp', `/s/${plain}/mcp`) })],
  'plain, in the address, before the host': [plain, (url) => ({ url: url.replace('//', `//me:${plain}@`) })],
  'of another server': [ofOthers, (url) => ({ url })],
  'of the environment': [ofEnvironment, (url) => ({ url })],
};

/** Results of calls with some text, by the name of the tool. */
const results: Readonly<Record<string, (said: string) => object>> = {
  result: (said) => ({ content: [{ type: 'text', text: said }] }),
  parts: (said) => ({
    content: [
      { type: 'text', text: said.slice(0, -14) },
      { type: 'text', text: said.slice(-14) },
    ],
  }),
  structured: (said) => ({ content: [], structuredContent: { [said]: { deep: [said] } } }),
  resource: (said) => ({ content: [{ type: 'resource', resource: { uri: `x:${said}`, text: said } }] }),
  binary: (said) => ({ content: [{ type: 'resource', resource: { uri: `x:${said}`, blob: 'AAAA' } }] }),
  link: (said) => ({ content: [{ type: 'resource_link', name: said, uri: `x:${said}` }] }),
  type: (said) => ({ content: [{ type: 'image', data: 'AAAA', mimeType: said }] }),
  failed: (said) => ({ isError: true, content: [{ type: 'text', text: said }] }),
};

type Place = 'tools' | 'list error' | 'status' | 'body' | 'redirect' | 'type of content';

describe('the extension does not leak', () => {
  let http: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  let logs: string[];
  let servers: McpServers;

  beforeAll(async () => {
    http = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    http.closeAllConnections();
    http.close();
  });
  beforeEach(() => {
    logs = [];
    servers = new McpServers({
      consents: new McpConsents(consentsInMemory()),
      unasked: () => {},
      sources: () => ({
        folder: undefined,
        environment: { OF_USER: ofVariable, DEPLOY_TOKEN: ofEnvironment },
        secret: (name) => Promise.resolve(name === 'github' ? kept : undefined),
        secrets: () => Promise.resolve([kept, ofOthers]),
      }),
      report: (problem) => logs.push(problem.english),
      log: (text) => logs.push(text),
    });
    return () => servers.dispose();
  });

  const url = () => `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const own = (given: object) => readMcpServers({ notes: given }, () => true).servers;

  /** A server that puts a text into every possible place. */
  function saying(place: Place, said: string) {
    return async (request: IncomingMessage, response: ServerResponse) => {
      const sent = await textOf(request);
      const json = (body: object, status = 200) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.method !== 'POST') return void response.writeHead(405).end();
      if (place === 'status') return void response.writeHead(401, said.replace(/[^ -~]/g, '')).end(said);
      if (place === 'body') return void response.writeHead(403).end(said);
      if (place === 'redirect')
        return void response.writeHead(302, { location: `/${encodeURI(said)}?${encodeURI(said)}` }).end();
      if (place === 'type of content')
        return void response.writeHead(200, { 'content-type': `x/${said}` }).end(said);
      const { id, method, params } = JSON.parse(sent) as {
        id?: number;
        method: string;
        params?: { name?: string; protocolVersion?: string };
      };
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'initialize')
        return void json({
          jsonrpc: '2.0',
          id,
          result: {
            protocolVersion: params?.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: said, version: said },
            instructions: said,
          },
        });
      if (place === 'list error')
        return void json({ jsonrpc: '2.0', id, error: { code: -1, message: said, data: said } });
      if (method === 'tools/list') {
        const inputSchema = {
          type: 'object',
          properties: { [said]: { type: 'string', enum: [said], default: said } },
        };
        const tools = [
          ...Object.keys(results),
          'error',
          'events',
          /[%\\&]/.test(said) ? 'other' : said.replace(/\W/g, '_'),
        ].map((name) => ({
          name,
          description: said,
          inputSchema,
          annotations: { title: said },
        }));
        return void json({ jsonrpc: '2.0', id, result: { tools } });
      }
      const result = results[params?.name ?? '']?.(said);
      if (result !== undefined) return void json({ jsonrpc: '2.0', id, result });
      if (params?.name !== 'events')
        return void json({ jsonrpc: '2.0', id, error: { code: -1, message: said, data: said } });
      const event = (body: object) =>
        `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...body })}\n\n`;
      const notices = [
        { method: 'notifications/message', params: { level: 'error', logger: said, data: said } },
        { method: 'notifications/progress', params: { progressToken: id, progress: 1, message: said } },
      ];
      const all = [...notices, { id, result: { content: [{ type: 'text', text: said }] } }]
        .map(event)
        .join('');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // Splits the text in the middle.
      for (let at = 0; at < all.length; at += 7) response.write(all.slice(at, at + 7));
      response.end();
    };
  }

  /** Everything that a call shows: its question and its outcome. */
  async function callOf(tool: ActingTool, input: Readonly<Record<string, unknown>>) {
    const { signal } = new AbortController();
    const shown: unknown[] = [];
    const proposed = await tool.propose(input, signal);
    if (!('perform' in proposed)) return [proposed];
    const result = await proposed.perform({
      signal,
      callKey: 'm1:0',
      ask: noQuestion,
      progress: (text) => shown.push(text),
    });
    return [...shown, proposed.approval, result];
  }

  fault('keys that a server over HTTP repeats, in every place and encoding', async (count) => {
    const places: readonly Place[] = ['tools', 'list error', 'status', 'body', 'redirect', 'type of content'];
    for (const [name, [key, server]] of Object.entries(settings)) {
      // One redactor handles all forms, however it gets the key.
      const forms =
        name === 'a stored secret, in a header' ? Object.keys(keyEncodings) : ['plain', 'in base64'];
      for (const form of forms) {
        const encode = keyEncodings[form]!;
        for (const place of places) {
          logs.length = 0;
          answer = saying(place, `key ${encode(key)} end`);
          const tools = await servers.tools(own(server(url())));
          const calls = [];
          for (const tool of tools) calls.push(await callOf(tool, { text: 'x' }));
          const shown: readonly unknown[] = [
            logs,
            tools.map(({ name: called, schema }) => [called, schema]),
            ...calls,
          ];
          for (const each of shown) {
            count.tried();
            const read = JSON.stringify(each).replaceAll('\\\\', '\\');
            const said = [
              encode(key),
              JSON.stringify(encode(key)).slice(1, -1),
              encode(key).replace(/\W/g, '_'),
            ];
            const isSaid = said.some((text) => text.length > 12 && read.includes(text.slice(2, 14)));
            if (isSaid) count.harmed(`${name}, ${form}, ${place}: ${read.slice(0, 300)}`);
          }
          await servers.tools([]);
        }
      }
    }
  });

  fault('keys in the arguments of calls of a server over HTTP', async (count) => {
    for (const [name, [key, server]] of Object.entries(settings)) {
      const sent: string[] = [];
      const saysNothing = saying('tools', 'nothing');
      answer = async (request, response) => {
        const body = await textOf(request);
        sent.push(body);
        await saysNothing(
          Object.assign(request, { [Symbol.asyncIterator]: () => [body].values() }),
          response,
        );
      };
      const tool = (await servers.tools(own(server(url())))).find(({ name: called }) =>
        called.endsWith('result'),
      );
      if (tool === undefined) {
        // An address with a password is refused before anything is sent.
        if (!name.includes('before the host')) count.harmed(`${name}: the tool is missing`);
        continue;
      }
      for (const input of [{ text: `use ${key}` }, { deep: [{ [key]: key }] }, { text: btoa(`k:${key}`) }]) {
        // Values of variables other than keys may be arguments: the home folder, for example.
        if (name === 'a variable') continue;
        count.tried();
        sent.length = 0;
        const shown = JSON.stringify(await callOf(tool, input));
        if (!shown.includes('[key]') && !shown.includes('[DEPLOY_TOKEN]'))
          count.harmed(`${name}: the question has it`);
        const forms = [key, btoa(`k:${key}`).slice(4, -4)];
        if (forms.some((form) => sent.join('').includes(form))) count.harmed(`${name}: ${sent.join('')}`);
      }
      await servers.tools([]);
    }
  });

  fault('keys in requests to any other address than the configured one', async (count) => {
    const requests: { readonly headers: string; readonly url: string; readonly body: string }[] = [];
    const says = saying('tools', 'nothing');
    for (const [name, [key, server]] of Object.entries(settings)) {
      if (!name.includes('header') && !name.includes('address') && !name.includes('query')) continue;
      requests.length = 0;
      answer = async (request, response) => {
        const body = await textOf(request);
        requests.push({ headers: JSON.stringify(request.headers), url: request.url ?? '', body });
        await says(Object.assign(request, { [Symbol.asyncIterator]: () => [body].values() }), response);
      };
      const tools = await servers.tools(own(server(url())));
      for (const tool of tools.slice(0, 2)) await callOf(tool, { text: key });
      count.tried();
      for (const { headers, url: asked, body } of requests) {
        const places = [headers.includes(key) ? 'header' : '', asked.includes(key) ? 'address' : ''].join('');
        const wanted = name.includes('header') ? 'header' : 'address';
        if (places !== wanted || body.includes(key)) count.harmed(`${name}: ${places} ${body}`);
      }
      await servers.tools([]);
    }
  });
});
