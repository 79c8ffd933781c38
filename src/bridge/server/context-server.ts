import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { fileURLToPath } from 'node:url';
import { agentTitles } from '../../language/agent-titles.ts';
import type { FoundAgent, SessionPlace } from '../../transcripts/found-agents.ts';
import type { ReadOnlyPorts } from '../../presenters/import/read-only-session.ts';
import type { CountTexts } from '../../compaction/ledger/render-sections.ts';
import { createContextTools } from './context-tools.ts';
import { FolderSessions } from './folder-sessions.ts';

type Protocol = McpServer['server'];

interface ContextServerPorts {
  readonly places: readonly SessionPlace[];
  readonly reading: ReadOnlyPorts;
  readonly count: CountTexts;
  /** The working folder of the server, for clients that send no folder. */
  readonly folder: string;
  readonly version: string;
}

/** Patterns of the names that clients send, each with the agent's id. */
const clients: readonly (readonly [RegExp, FoundAgent])[] = [
  [/claude/iu, 'claude-code'],
  [/visual studio code/iu, 'copilot-chat'],
  [/copilot/iu, 'copilot-cli'],
  [/opencode/iu, 'opencode'],
  [/kilo/iu, 'kilo-code'],
  [/codex/iu, 'codex'],
  [/qwen/iu, 'qwen-code'],
  [/gemini/iu, 'gemini-cli'],
  [/cline/iu, 'cline'],
  [/roo/iu, 'roo-code'],
];

const resourcePrefix = 'context-budget://session/';

/**
 * Starts a server that answers any agent's questions about the sessions of its folder. Each session is also a
 * resource with the facts that its context lost.
 * @returns once the client is connected
 */
export async function startContextServer(transport: Transport, ports: ContextServerPorts): Promise<Protocol> {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- McpServer asks for a schema of another library; ours are JSON schemas already
  const server = new Server(
    { name: 'context-budget', version: ports.version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions:
        'Looks things up in the transcripts of agent sessions held in this folder, also what compactions took out of context.',
    },
  );
  const agent = () => clients.find(([name]) => name.test(server.getClientVersion()?.name ?? ''))?.[1];
  const sessions = new FolderSessions(ports.places, ports.reading, () => foldersOf(server, ports.folder));
  const inTurn = oneAfterAnother();
  const tools = createContextTools({ sessions, agent, count: ports.count });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map(({ name, schema }) => ({
      name,
      description: schema.function.description ?? '',
      inputSchema: { type: 'object' as const, ...schema.function.parameters },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = [...tools.values()].find(({ name }) => name === params.name);
    if (tool === undefined) throw refusal(`There is no tool "${params.name}".`);
    const { content, isError } = await inTurn(signal, () => tool.run(params.arguments ?? {}, signal));
    return { content: [{ type: 'text', text: content }], isError };
  });
  server.setRequestHandler(ListResourcesRequestSchema, async (_request, { signal }) => ({
    resources: (await inTurn(signal, () => sessions.list(agent(), signal))).map((session) => ({
      uri: `${resourcePrefix}${encodeURIComponent(session.id)}`,
      name: session.title,
      description: `What the context of this session of ${agentTitles[session.agent]} lost`,
      mimeType: 'text/markdown',
    })),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: `${resourcePrefix}{id}`,
        name: 'session',
        description: 'What the context of a session lost, by the id that context_usage lists',
        mimeType: 'text/markdown',
      },
    ],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) => {
    if (!uri.startsWith(resourcePrefix)) {
      throw refusal(`There is no resource "${uri}".`);
    }
    const session = sessionIn(uri);
    const { content, isError } = await inTurn(signal, () =>
      tools.get('what_was_lost')!.run({ session }, signal),
    );
    if (isError) throw refusal(content);
    return { contents: [{ uri, mimeType: 'text/markdown', text: content }] };
  });
  await server.connect(transport);
  return server;
}

/** Returns a function that answers requests in sequence, because each may read a session of 200 MB. */
function oneAfterAnother() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(signal: AbortSignal, answer: () => Promise<Result>): Promise<Result> => {
    const result = last.then(() => {
      signal.throwIfAborted();
      return answer();
    });
    last = result.catch(() => {});
    return result;
  };
}

/** Returns an error without the prefix of the SDK's errors, because every client adds this prefix again. */
function refusal(message: string): Error {
  return Object.assign(new Error(message), { code: ErrorCode.InvalidParams });
}

/** Returns the id in a URI. Ids are file names, so an unencoded id may contain a percent sign. */
function sessionIn(uri: string): string {
  const id = uri.slice(resourcePrefix.length);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Returns the folders that the client reports, or else the server's own folder. */
async function foldersOf(server: Protocol, folder: string): Promise<readonly string[]> {
  if (server.getClientCapabilities()?.roots === undefined) return [folder];
  const { roots } = await server.listRoots().catch(() => ({ roots: [] }));
  const folders = roots.flatMap(({ uri }) => (uri.startsWith('file:') ? [fileURLToPath(uri)] : []));
  return folders.length > 0 ? folders : [folder];
}
