import { messageOf } from '../../compaction/failure.ts';
import type { ActingTool } from '../tools/tool.ts';
import { connectMcp, type McpConnection } from './mcp-client.ts';
import { mcpTool } from './mcp-tool.ts';
import { resolveReferences, type ReferenceSources } from './references.ts';
import type { McpServer } from './server-settings.ts';

/** What the servers of a window need from it. */
export interface McpPorts {
  readonly sources: () => ReferenceSources;
  /** A server that cannot be reached, in a sentence for a person. */
  readonly report: (problem: string) => void;
  readonly log: (text: string) => void;
}

/** A server that is being reached, or was. */
interface Reached {
  readonly settings: string;
  readonly stopper: AbortController;
  readonly connection: Promise<McpConnection | undefined>;
}

/** Keeps one connection to each MCP server of the settings, for as long as the settings name it. */
export class McpServers {
  private readonly ports: McpPorts;
  private readonly reached = new Map<string, Reached>();

  constructor(ports: McpPorts) {
    this.ports = ports;
  }

  /**
   * The tools of all servers, always in the same order, so that requests begin alike. A server that cannot be
   * reached is reported and left out; it is tried again the next time.
   */
  async tools(servers: readonly McpServer[]): Promise<readonly ActingTool[]> {
    const named = new Set(servers.map(({ name }) => name));
    for (const name of this.reached.keys()) if (!named.has(name)) void this.leave(name);
    const found = await Promise.all(
      servers.map(async (server) => {
        const connection = await this.reach(server);
        if (connection === undefined) return [];
        return connection.tools.map((tool) => mcpTool(server.name, tool, connection));
      }),
    );
    const sorted = found.flat().toSorted((one, other) => (one.name < other.name ? -1 : 1));
    // Names that only differ in letters that had to be replaced, or behind the longest length, are one name.
    return sorted.filter((tool, index) => tool.name !== sorted[index - 1]?.name);
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.reached.keys()].map((name) => this.leave(name)));
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
    try {
      const resolved = await resolveReferences(server, sources());
      return await connectMcp(resolved, {
        folder: sources().folder,
        signal: stopper.signal,
        gone: forget,
        log: (text) => log(`MCP server ${name}: ${text}`),
      });
    } catch (error) {
      forget();
      if (!stopper.signal.aborted) report(`The MCP server ${name} cannot be used: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Ends the connection to a server, and the server's process with it. */
  private async leave(name: string): Promise<void> {
    const left = this.reached.get(name);
    if (left === undefined) return;
    this.reached.delete(name);
    left.stopper.abort();
    const connection = await left.connection;
    await connection?.close().catch(() => {});
  }
}
