import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { hookBundle, nodeBundles } from '../../../scripts/build/build-options.ts';
import { projectFolder } from '../../../scripts/project.ts';
import type { connectMcp as ConnectMcp } from '../../../src/agent/mcp/mcp-client.ts';
import type { McpServer } from '../../../src/agent/mcp/server-settings.ts';
import type { connectOpenai as Connect } from '../../../src/agent/openai/connection.ts';
import type { OpenaiModel as Model } from '../../../src/agent/openai/openai-model.ts';
import type { startContextServer as StartContextServer } from '../../../src/bridge/server/context-server.ts';
import type { SaidForm } from '../../../src/compaction/ledger/said-form.ts';
import { saidForms } from '../../../src/compaction/ledger/statements.ts';
import { createNotesServer } from '../../agent/mcp/notes-server.ts';
import { replyOf } from '../../agent/openai/ask-model.ts';
import { ScriptedServer } from '../../agent/openai/scripted-server.ts';

interface Bundle {
  readonly OpenaiModel: typeof Model;
  readonly connectOpenai: typeof Connect;
  readonly connectMcp: typeof ConnectMcp;
  readonly startContextServer: typeof StartContextServer;
}

const signal = new AbortController().signal;

/** The clients and the server of the bundles, without unreachable modules, against real servers. */
describe('without unreachable modules', () => {
  let bundle: Bundle;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'left-out-'));
    const { entryPoints: _entries, outdir: _folder, ...options } = nodeBundles({ isProduction: true });
    await build({
      ...options,
      stdin: {
        contents: `
          export { OpenaiModel } from './src/agent/openai/openai-model.ts';
          export { connectOpenai } from './src/agent/openai/connection.ts';
          export { connectMcp } from './src/agent/mcp/mcp-client.ts';
          export { startContextServer } from './src/bridge/server/context-server.ts';
        `,
        resolveDir: projectFolder,
        loader: 'ts',
      },
      outdir: folder,
    });
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    bundle = (await import(pathToFileURL(join(folder, 'stdin.js')).href)) as Bundle;
    return () => rm(folder, { recursive: true });
  });

  describe('the openai client', () => {
    const modelAt = (server: ScriptedServer, api: 'chat' | 'responses') =>
      new bundle.OpenaiModel({
        baseUrl: server.baseUrl,
        apiKey: 'key',
        model: 'scripted',
        maxRetries: 1,
        api,
      });

    it.each(['chat', 'responses'] as const)(
      'reads a stream of the API "%s", and the tool calls in it',
      async (api) => {
        await using server = await ScriptedServer.start();
        server.reply({
          text: 'One moment.',
          chunks: 3,
          toolCalls: [{ name: 'read_file', arguments: { path: 'a.ts' } }],
          usage: { inputTokens: 12, outputTokens: 3 },
        });
        expect(await replyOf(modelAt(server, api))).toMatchObject({
          content: 'One moment.',
          toolCalls: [{ function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }],
          usage: { inputTokens: 12, outputTokens: 3 },
        });
      },
    );

    it('repeats a request after an error of the server', async () => {
      await using server = await ScriptedServer.start();
      server.reply({ status: 500, headers: { 'retry-after-ms': '1' }, body: {} }, { text: 'There.' });
      expect(await replyOf(modelAt(server, 'chat'))).toMatchObject({ content: 'There.' });
      expect(server.retries).toBe(1);
    });

    it('distinguishes a refusal from a lost connection', async () => {
      const server = await ScriptedServer.start();
      const model = modelAt(server, 'chat');
      server.reply({ status: 401, body: { error: { message: 'No such key.' } } });
      await expect(replyOf(model)).rejects.toMatchObject({ code: 'unauthorised' });
      await server.close();
      await expect(replyOf(model)).rejects.toMatchObject({ code: 'network' });
    });

    it('names the removed part that a call needs', async () => {
      const { client } = await bundle.connectOpenai({
        baseUrl: 'http://127.0.0.1:9',
        apiKey: undefined,
        authentication: 'bearer',
        defaultQuery: {},
        timeoutMs: 1_000,
        maxRetries: 0,
        idleTimeoutMs: 1_000,
      });
      expect(() => client.images.generate({ prompt: 'a boat' })).toThrow(
        'openai/resources/images.mjs is not in this build.',
      );
    });
  });

  describe('the MCP client', () => {
    const options = { folder: undefined, signal, gone: () => {}, log: () => {} };
    async function addNote(server: McpServer) {
      const connection = await bundle.connectMcp(server, options);
      try {
        expect(connection.tools.map(({ name }) => name)).toContain('add.note');
        return await connection.call('add.note', {}, signal);
      } finally {
        await connection.close();
      }
    }
    const added = { content: [{ type: 'text', text: 'There are 1 notes.' }] };

    it('calls a tool of a program', async () => {
      const program = join(projectFolder, 'test/agent/mcp/notes-server.ts');
      expect(
        await addNote({
          type: 'stdio',
          declaredBy: 'person',
          name: 'notes',
          command: process.execPath,
          args: [program],
          environment: {},
        }),
      ).toMatchObject(added);
    });

    it('calls a tool over HTTP', async () => {
      const notes = createNotesServer();
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'one' });
      await notes.connect(transport);
      const http = createServer((request, response) => void transport.handleRequest(request, response));
      await once(http.listen(0, '127.0.0.1'), 'listening');
      const { port } = http.address() as AddressInfo;
      try {
        const url = `http://127.0.0.1:${port}/mcp`;
        expect(
          await addNote({ type: 'http', declaredBy: 'person', name: 'notes', url, headers: {} }),
        ).toMatchObject(added);
      } finally {
        http.closeAllConnections();
        http.close();
      }
    });
  });

  it('the MCP server offers its tools and answers calls', async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'anyone', version: '1' });
    const started = bundle.startContextServer(ours, {
      places: [],
      reading: { count: () => Promise.resolve([]) } as never,
      count: () => Promise.resolve([]),
      folder: tmpdir(),
      version: '1',
    });
    await Promise.all([started, client.connect(theirs)]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('what_was_lost');
    expect(await client.listResources()).toMatchObject({ resources: [] });
    await expect(client.callTool({ name: 'no such tool' })).rejects.toThrow(
      'There is no tool "no such tool".',
    );
    await client.close();
  });
});

/** The forms in a bundle, without the sentences that test them. */
describe('the bundle of hooks without the examples of the forms', () => {
  it('keeps every form', async () => {
    const { plugins = [] } = hookBundle({ isProduction: true });
    const stdin = {
      contents: "export { saidForms } from './src/compaction/ledger/statements.ts';",
      resolveDir: projectFolder,
    };
    const { outputFiles } = await build({
      stdin,
      bundle: true,
      format: 'esm',
      write: false,
      plugins: [...plugins],
    });
    const url = `data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`;
    const bundled = (await import(url)) as { readonly saidForms: readonly SaidForm[] };
    expect(bundled.saidForms).toEqual(saidForms.map(({ examples: _examples, ...form }) => form));
  });
});
