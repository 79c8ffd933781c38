import { headOf } from '../../compaction/text/clip.ts';
import { messageOf } from '../../compaction/records/reason.ts';
import type { ActingTool } from '../tools/support/tool.ts';
import { connectMcp, type McpConnection } from './mcp-client.ts';
import { mcpTool } from './mcp-tool.ts';
import type { McpConsents } from './consents.ts';
import { type ReferenceSources, resolveReferences, serverLog, ServerSecrets } from './server-secrets.ts';
import type { McpServer } from './server-settings.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { type Sentence, SentenceError } from '../../language/sentence.ts';

/** Ports of the servers of one window. */
export interface McpPorts {
  readonly consents: McpConsents;
  /** Reports servers that need the user's permission. Until the answer, only their tools are missing. */
  readonly unasked: (servers: readonly McpServer[]) => void;
  readonly sources: () => ReferenceSources;
  readonly report: (problem: Sentence) => void;
  readonly log: (text: string) => void;
}

/** Maximum characters of an error message about an unreachable server. */
const longestReason = 1_000;

interface Reached {
  readonly settings: string;
  readonly stopper: AbortController;
  readonly connection: Promise<McpConnection | undefined>;
}

/** Connections to MCP servers. Each server has one connection as long as the settings name it. */
export class McpServers {
  private readonly ports: McpPorts;
  private readonly reached = new Map<string, Reached>();

  constructor(ports: McpPorts) {
    this.ports = ports;
  }

  /** Returns the tools of all servers in a fixed order. Reports unreachable servers, which the next call retries. */
  async tools(servers: readonly McpServer[]): Promise<readonly ActingTool[]> {
    const { allowed, unasked } = await this.split(servers);
    if (unasked.length > 0) this.ports.unasked(unasked);
    const named = new Set(allowed.map(({ name }) => name));
    for (const name of this.reached.keys()) if (!named.has(name)) void this.leave(name);
    const found = await Promise.all(
      allowed.map(async (server) => {
        const connection = await this.reach(server);
        if (connection === undefined) return [];
        return connection.tools.flatMap((tool) => this.toolOf(server.name, tool, connection));
      }),
    );
    const sorted = found.flat().toSorted((one, other) => (one.name < other.name ? -1 : 1));
    // Names can become equal, because letters are replaced and long names are cut. The first tool is kept.
    return sorted.filter((tool, index) => tool.name !== sorted[index - 1]?.name);
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.reached.keys()].map((name) => this.leave(name)));
  }

  /** Separates allowed servers from unasked ones in order, because the first server to name a secret gets it. */
  private async split(servers: readonly McpServer[]) {
    const { consents, sources } = this.ports;
    const { folder } = sources();
    const [allowed, unasked]: [McpServer[], McpServer[]] = [[], []];
    for (const server of servers) {
      const consent = consents.consentTo(server, folder);
      if (consent === 'unasked') unasked.push(server);
      if (consent !== 'allowed') continue;
      await consents.giveSecrets(server, folder);
      allowed.push(server);
    }
    return { allowed, unasked };
  }

  /** Returns the tool, or nothing if its description cannot be read, for example a schema of a million levels. */
  private toolOf(server: string, listed: McpConnection['tools'][number], connection: McpConnection) {
    try {
      return [mcpTool(server, listed, connection)];
    } catch (error) {
      this.ports.log(`MCP server ${server}: ${messageOf(error)}`);
      return [];
    }
  }

  private reach(server: McpServer): Promise<McpConnection | undefined> {
    const settings = JSON.stringify(server);
    const known = this.reached.get(server.name);
    if (known?.settings === settings) return known.connection;
    void this.leave(server.name);
    const stopper = new AbortController();
    const connection = this.connect(server, stopper);
    this.reached.set(server.name, { settings, stopper, connection });
    return connection;
  }

  private async connect(server: McpServer, stopper: AbortController): Promise<McpConnection | undefined> {
    const { name } = server;
    const { sources, report, log } = this.ports;
    const forget = () => {
      if (this.reached.get(name)?.stopper === stopper) this.reached.delete(name);
    };
    const { folder, environment } = sources();
    const secrets = new ServerSecrets(environment);
    try {
      await secrets.addKept(sources());
      const resolved = await resolveReferences(server, secrets.watch(sources()));
      secrets.addPlain(resolved);
      const connection = await connectMcp(resolved, {
        folder,
        signal: stopper.signal,
        gone: forget,
        log: serverLog(secrets, (line) => log(`MCP server ${name}: ${line}`)),
      });
      return {
        ...connection,
        tools: secrets.redactJson(connection.tools),
        sendable: async (input) => {
          await secrets.addKept(sources());
          return secrets.withoutKeys(input);
        },
        call: async (tool, input, signal) =>
          connection.call(tool, input, signal).then(
            (result) => secrets.redactJson(result),
            (error: unknown) => {
              // The cause is left out, because it contains the secrets.
              throw new Error(secrets.redact(messageOf(error)));
            },
          ),
      };
    } catch (error) {
      forget();
      const reason =
        error instanceof SentenceError
          ? secrets.redactJson(error.sentence)
          : headOf(secrets.redact(messageOf(error)), longestReason);
      if (!stopper.signal.aborted) report(agentSentences.say('mcpUnusable', { name, reason }));
      return undefined;
    }
  }

  private async leave(name: string): Promise<void> {
    const left = this.reached.get(name);
    if (left === undefined) return;
    this.reached.delete(name);
    left.stopper.abort();
    const connection = await left.connection;
    await connection?.close().catch(() => {});
  }
}
