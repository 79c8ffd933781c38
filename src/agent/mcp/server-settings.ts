import { isRecord } from '../../language/is-record.ts';

/** The settings of an MCP server. Strings may contain `${…}` references, resolved when it is connected. */
export type McpServer = StdioServer | HttpServer;

/** The origin of a server: the person's own settings, or the open folder. */
type Declarer = 'person' | 'workspace';

interface StdioServer {
  readonly type: 'stdio';
  readonly declaredBy: Declarer;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute or relative to the first folder; that folder if not given. */
  readonly directory?: string | undefined;
}

interface HttpServer {
  readonly type: 'http';
  readonly declaredBy: Declarer;
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Becomes part of tool names. */
const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,30}$/;

/**
 * Reads the setting `mcpServers`, which is JSON that anyone can edit. A server that does not fit is left out.
 *
 * @param isOwn whether nothing but the person's own settings has a say in a server; what cannot be told is not theirs
 */
export function readMcpServers(
  value: unknown,
  isOwn: (name: string) => boolean = () => false,
): {
  readonly servers: readonly McpServer[];
  /** A sentence each. */
  readonly problems: readonly string[];
} {
  if (value === undefined || value === null) return { servers: [], problems: [] };
  if (!isRecord(value)) {
    return { servers: [], problems: ['mcpServers must be an object: a name and its server each.'] };
  }
  const servers: McpServer[] = [];
  const problems: string[] = [];
  for (const [name, given] of Object.entries(value)) {
    const read = readServer(name, given, isOwn(name) ? 'person' : 'workspace');
    if (typeof read === 'string') problems.push(`mcpServers.${name}: ${read}`);
    else if (read !== undefined) servers.push(read);
  }
  return { servers, problems };
}

/** @returns a server, its problem, or undefined if it is switched off */
function readServer(name: string, given: unknown, declaredBy: Declarer): McpServer | string | undefined {
  if (!namePattern.test(name)) return 'a name begins with a letter and has letters, digits, - and _ only.';
  if (!isRecord(given)) return 'it must be an object with "command" or "url".';
  const { command, url, args = [], env = {}, headers = {}, cwd, disabled } = given;
  if (disabled === true) return undefined;
  if (typeof url === 'string') {
    if (!/^https?:$/.test(protocolOf(url))) return '"url" must be an http or https URL.';
    if (!isTexts(headers)) return '"headers" must be an object of texts.';
    return { type: 'http', declaredBy, name, url, headers };
  }
  if (typeof command !== 'string' || command.trim() === '') {
    return 'it needs "command" (a program to start) or "url" (of a server with streamable HTTP).';
  }
  if (!Array.isArray(args) || !args.every((item) => typeof item === 'string')) {
    return '"args" must be a list of texts.';
  }
  if (!isTexts(env)) return '"env" must be an object of texts.';
  if (cwd !== undefined && typeof cwd !== 'string') return '"cwd" must be a text.';
  return { type: 'stdio', declaredBy, name, command, args, environment: env, directory: cwd };
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((item) => typeof item === 'string');
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}
