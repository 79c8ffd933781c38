import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { agentSentences } from '../../language/english/agent-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { withLimits, type AnswerTimes } from '../network/bounded-body.ts';
import { findProgram } from '../files/find-program.ts';
import { guardedFetch } from '../network/guarded-fetch.ts';
import type { McpServer } from './server-settings.ts';

/** Maximum milliseconds for connecting to a server and listing its tools. */
const connectTimeout = 15_000;
/** Maximum milliseconds of a call without progress. */
const callTimeout = 300_000;
/** Maximum milliseconds of a whole call, even with progress. */
const longestCall = 3_600_000;
/** Maximum number of pages in a list of tools, because a server could make the list endless. */
const mostPages = 20;
/** Maximum bytes of a message that a program sends. */
const longestMessage = 10_000_000;
/** Limits for streams of notifications, which may be silent for long. The client reconnects ended streams. */
const times: AnswerTimes = { silence: 600_000, standstill: 3_600_000, duration: 86_400_000 };
/** Maximum number of tools of a server. More would use too much of the window. */
const mostTools = 100;

/** A connection to an MCP server. */
export interface McpConnection {
  readonly tools: readonly ListedTool[];
  /** Returns the arguments of a call without keys, so that they may be sent. */
  sendable(input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** Calls a tool. @throws {Error} if the server reports an error, has ended, or takes too long */
  call(tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Starts a server or connects to it, and lists its tools. @param log gets the server's standard error
 * @throws {Error} if this fails or takes 15 s
 */
export async function connectMcp(
  server: McpServer,
  options: {
    readonly folder: string | undefined;
    readonly signal: AbortSignal;
    readonly gone: () => void;
    readonly log: (text: string) => void;
  },
): Promise<Omit<McpConnection, 'sendable'>> {
  const { Client: SdkClient } = await import('@modelcontextprotocol/sdk/client/index.js');
  const client = new SdkClient(
    { name: 'context-budget', version: '1' },
    // Schemas are not checked, because a server's patterns can take for ever. Results are untrusted anyway.
    { jsonSchemaValidator: { getValidator: () => (data: unknown) => passed(data) } },
  );
  const transport = await transportTo(server, options);
  // The transports declare inherited properties as possibly `undefined`, which the interface does not allow.
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(connectTimeout)]);
  const limits = { timeout: connectTimeout, signal };
  try {
    await client.connect(transport, limits);
    const tools = await listTools(client, limits);
    client.onclose = options.gone;
    return {
      tools,
      call: (name, input, signal) =>
        client.callTool({ name, arguments: input }, undefined, {
          timeout: callTimeout,
          resetTimeoutOnProgress: true,
          maxTotalTimeout: longestCall,
          signal,
        }),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
}

async function transportTo(
  server: McpServer,
  { folder, log }: { readonly folder: string | undefined; readonly log: (text: string) => void },
) {
  if (server.type === 'http') {
    const { StreamableHTTPClientTransport } =
      await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    return new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: server.headers },
      // A redirect would send the headers, and thus the secrets, to another server.
      fetch: async (url, init) => withLimits(await guardedFetch(url, init), times),
    });
  }
  const { StdioClientTransport, getDefaultEnvironment } =
    await import('@modelcontextprotocol/sdk/client/stdio.js');
  const { command, args, environment, directory } = server;
  const place = directory ?? folder;
  const env = { ...getDefaultEnvironment(), ...environment };
  const transport = new StdioClientTransport({
    command: programFor(command, env['PATH'] ?? env['Path'] ?? '', folder),
    args: [...args],
    env,
    ...(place === undefined ? {} : { cwd: place }),
    stderr: 'pipe',
    maxBufferSize: longestMessage,
  });
  transport.stderr?.on('data', (chunk: Buffer) => log(chunk.toString('utf8')));
  return transport;
}

/**
 * Finds the program of a command. Searches only the PATH, never the workspace.
 * @throws {SentenceError} if it is missing
 */
function programFor(command: string, searchPath: string, workspace: string | undefined): string {
  if (/[\\/]/u.test(command)) return command;
  const ofWindows = (process.env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';');
  const endings =
    process.platform !== 'win32' ? [''] : command.includes('.') ? ['', ...ofWindows] : ofWindows;
  const found = findProgram(command, searchPath, workspace === undefined ? [] : [workspace], endings);
  if (found === undefined) throw new SentenceError(agentSentences.say('mcpNoProgram', { name: command }));
  return found;
}

async function listTools(
  client: Client,
  limits: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<readonly ListedTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const found: ListedTool[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, limits);
    found.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < mostTools && ++pages < mostPages);
  return found.slice(0, mostTools);
}

function passed(data: unknown) {
  return { valid: true as const, data: data as never, errorMessage: undefined };
}
