import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { McpConsents } from '../../../src/agent/mcp/consents.ts';
import { McpServers } from '../../../src/agent/mcp/mcp-servers.ts';
import type { McpServer } from '../../../src/agent/mcp/server-settings.ts';
import type { ActingTool, ToolResult } from '../../../src/agent/tools/support/tool.ts';
import { consentsInMemory } from './consents-in-memory.ts';
import { createNotesServer } from './notes-server.ts';
import { noQuestion } from '../../support/no-question.ts';
import { words } from '../words.ts';

const program = path.join(import.meta.dirname, 'notes-server.ts');
const folder = import.meta.dirname;

/** Real servers: a process on standard input and output, and one over HTTP. */
describe('MCP servers', () => {
  let reported: string[];
  let secrets: Map<string, string>;
  let servers: McpServers;

  beforeEach(() => {
    reported = [];
    secrets = new Map([['notes', 'from the secret storage']]);
    servers = new McpServers({
      consents: new McpConsents(consentsInMemory()),
      unasked: () => {},
      sources: () => ({
        folder,
        environment: { HOME: '/nowhere' },
        secret: (name) => Promise.resolve(secrets.get(name)),
      }),
      report: (problem) => reported.push(problem.english),
      log: () => {},
    });
    return () => servers.dispose();
  });

  const stdio = (environment: Readonly<Record<string, string>> = {}): McpServer => ({
    type: 'stdio',
    declaredBy: 'person',
    name: 'notes',
    command: process.execPath,
    args: [program],
    environment,
  });
  const toolOf = (tools: readonly ActingTool[], name: string) =>
    tools.find((tool) => tool.name === `mcp_notes_${name}`)!;

  async function call(
    tool: ActingTool,
    input: Readonly<Record<string, unknown>> = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<ToolResult> {
    const proposed = await tool.propose(input, signal);
    if (!('perform' in proposed)) throw new Error('There was nothing to allow.');
    return proposed.perform({ signal, callKey: 'm1:0', ask: noQuestion, progress: () => {} });
  }

  it('offer their tools under names that providers accept, in a fixed order', async () => {
    const tools = await servers.tools([stdio()]);
    expect(tools.map(({ name }) => name)).toEqual(
      words(`mcp_notes_add_note mcp_notes_break mcp_notes_environment mcp_notes_leave
        mcp_notes_list_notes mcp_notes_picture mcp_notes_wait`),
    );
    expect(toolOf(tools, 'list_notes').schema.function.description).toContain('Lists the notes.');
    expect(reported).toEqual([]);
  });

  it('require approval before every call, by the name of the tool', async () => {
    const tools = await servers.tools([stdio()]);
    const proposed = await toolOf(tools, 'add_note').propose({ text: 'x' }, new AbortController().signal);
    expect(proposed).toMatchObject({
      approval: {
        kind: 'mcp',
        patterns: ['notes/add.note'],
        rule: { kind: 'mcp', pattern: 'notes/add.note' },
        details: '{\n  "text": "x"\n}',
      },
    });
  });

  it('keep their state between calls, in one process', async () => {
    const tools = await servers.tools([stdio()]);
    await call(toolOf(tools, 'add_note'));
    const again = await servers.tools([stdio()]);
    expect(await call(toolOf(again, 'add_note'))).toEqual({ content: 'There are 2 notes.', isError: false });
  });

  it('run in the folder, with the secrets in the settings, which their output does not show', async () => {
    const tools = await servers.tools([stdio({ NOTES_KEY: '${secret:notes}' })]);
    const { content } = await call(toolOf(tools, 'environment'));
    expect(content).toBe(`[key] in ${folder}`);
  });

  it('report failures, and name content that is not text', async () => {
    const tools = await servers.tools([stdio()]);
    expect(await call(toolOf(tools, 'break'))).toEqual({ content: 'the shelf is empty', isError: true });
    expect((await call(toolOf(tools, 'picture'))).content).toBe('[image, image/png, 3.0 kB: left out]');
    expect((await call(toolOf(tools, 'list_notes'))).content).toBe('The tool is done and returned nothing.');
  });

  it('end a stopped call', async () => {
    const tools = await servers.tools([stdio()]);
    const stopper = new AbortController();
    const running = call(toolOf(tools, 'wait'), {}, stopper.signal);
    stopper.abort();
    await expect(running).rejects.toThrow('Cancelled.');
  });

  it('are restarted after they have ended', async () => {
    const tools = await servers.tools([stdio()]);
    expect(await call(toolOf(tools, 'leave'))).toMatchObject({ isError: true });
    const again = await servers.tools([stdio()]);
    expect((await call(toolOf(again, 'add_note'))).content).toBe('There are 1 notes.');
  });

  it('are omitted, with a message, if they cannot start', async () => {
    const missing: McpServer = {
      type: 'stdio',
      declaredBy: 'person',
      name: 'missing',
      command: '/nowhere/server',
      args: [],
      environment: {},
    };
    const tools = await servers.tools([missing, stdio()]);
    expect(tools).toHaveLength(7);
    expect(reported).toEqual([expect.stringMatching(/^The MCP server missing cannot be used: .*ENOENT/)]);
  });

  it('are reported with a remedy if their settings name a missing secret', async () => {
    expect(await servers.tools([stdio({ NOTES_KEY: '${secret:other}' })])).toEqual([]);
    expect(reported).toEqual([
      'The MCP server notes cannot be used: There is no secret other: run "Context Budget: Set Secret for MCP Server".',
    ]);
  });

  describe('over HTTP', () => {
    let http: Server;
    let authorisations: (string | undefined)[];

    beforeEach(async () => {
      authorisations = [];
      http = createServer((request, response) => {
        authorisations.push(request.headers.authorization);
        void (async () => {
          const transport = new StreamableHTTPServerTransport();
          response.on('close', () => void transport.close());
          await createNotesServer().connect(transport);
          await transport.handleRequest(request, response);
        })();
      });
      await once(http.listen(0, '127.0.0.1'), 'listening');
    });
    afterEach(async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    });

    const remote = (): McpServer => ({
      type: 'http',
      declaredBy: 'person',
      name: 'notes',
      url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
      headers: { Authorization: 'Bearer ${secret:notes}' },
    });

    it('are reached with the headers in the settings', async () => {
      const tools = await servers.tools([remote()]);
      expect((await call(toolOf(tools, 'add_note'))).content).toBe('There are 1 notes.');
      expect(new Set(authorisations)).toEqual(new Set(['Bearer from the secret storage']));
    });
  });
});
