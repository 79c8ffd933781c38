import { isRecord } from '../../language/is-record.ts';
import type { Sentence } from '../../language/sentence.ts';
import { settingsSentences } from '../../language/english/settings-english.ts';

/** The settings of an MCP server. Strings may contain `${…}` references, which are resolved on connection. */
export type McpServer = StdioServer | HttpServer;

/** The place that declares a server: the user's settings, or the settings of the open folder. */
type Declarer = 'person' | 'workspace';

interface StdioServer {
  readonly type: 'stdio';
  readonly declaredBy: Declarer;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute path, or relative to the first folder, which is the default. */
  readonly directory?: string | undefined;
}

interface HttpServer {
  readonly type: 'http';
  readonly declaredBy: Declarer;
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const namePattern = /^[A-Za-z][A-Za-z0-9_-]*$/;
const longestName = 31;

/** Reads the setting `mcpServers` without invalid servers. @param isOwn true for a server that only the user declares */
export function readMcpServers(
  value: unknown,
  isOwn: (name: string) => boolean = () => false,
): {
  readonly servers: readonly McpServer[];
  readonly problems: readonly Sentence[];
} {
  if (value === undefined || value === null) return { servers: [], problems: [] };
  if (!isRecord(value)) {
    return { servers: [], problems: [settingsSentences.say('mcpNoObject')] };
  }
  const servers: McpServer[] = [];
  const problems: Sentence[] = [];
  for (const [name, given] of Object.entries(value)) {
    const read = readServer(name, given, isOwn(name) ? 'person' : 'workspace');
    if (read === undefined) continue;
    if ('name' in read) servers.push(read);
    else problems.push(settingsSentences.say('mcpServer', { name, problem: read }));
  }
  return { servers, problems };
}

/** @returns the server, or a sentence about its problem; undefined if the server is off */
function readServer(name: string, given: unknown, declaredBy: Declarer): McpServer | Sentence | undefined {
  if (!namePattern.test(name) || name.length > longestName) {
    return settingsSentences.say('mcpName', { most: longestName });
  }
  if (!isRecord(given)) return settingsSentences.say('mcpServerNoObject');
  const { command, url, args = [], env = {}, headers = {}, cwd, disabled } = given;
  if (disabled === true) return undefined;
  if (typeof url === 'string') {
    if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
      return settingsSentences.say('mcpUrl');
    if (!isTexts(headers)) return settingsSentences.say('mcpNoStrings', { field: 'headers' });
    return { type: 'http', declaredBy, name, url, headers };
  }
  if (typeof command !== 'string' || command.trim() === '') {
    return settingsSentences.say('mcpNoCommand');
  }
  if (!Array.isArray(args) || !args.every((item) => typeof item === 'string')) {
    return settingsSentences.say('mcpArguments');
  }
  if (!isTexts(env)) return settingsSentences.say('mcpNoStrings', { field: 'env' });
  if (cwd !== undefined && typeof cwd !== 'string') return settingsSentences.say('mcpFolder');
  return { type: 'stdio', declaredBy, name, command, args, environment: env, directory: cwd };
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((item) => typeof item === 'string');
}
