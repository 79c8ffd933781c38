import { join } from 'node:path';
import type { Surroundings } from '../../agent/files/surroundings.ts';
import { isRecord } from '../../language/is-record.ts';
import {
  foreignField,
  hasEntries,
  type JsonEntry,
  withEntries,
  withForeignField,
  withoutEntries,
} from './json-config.ts';
import { tableIn, tableText, type TomlTable, withoutTable, withTable, withTableText } from './toml-config.ts';

/** Agents that can be connected. */
export const connectableAgents = ['claude-code', 'codex', 'gemini-cli', 'copilot'] as const;
export type ConnectableAgent = (typeof connectableAgents)[number];

/** Names of the agents, as shown to the user. */
export const connectableTitles: Readonly<Record<ConnectableAgent, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  copilot: 'GitHub Copilot',
};

/** A configuration file of an agent, with the entries of a connection. */
export interface ConfigFile {
  readonly agent: ConnectableAgent;
  readonly path: string;
  /** @throws {ConfigError} if the text cannot be changed */
  connect(text: string): string;
  /** @throws {ConfigError} if the text cannot be changed */
  disconnect(text: string): string;
  /**
   * True if the text contains at least one entry of a connection.
   * @throws {ConfigError} if the text cannot be read
   */
  isConnected(text: string): boolean;
  /**
   * Returns the user's own entry under our name, which connecting replaces.
   * @throws {ConfigError} if the text cannot be read
   */
  foreign(text: string): string | undefined;
  /**
   * Restores an entry of the user.
   * @param foreign the result of `foreign`
   * @throws {ConfigError} if the text cannot be changed
   */
  restore(text: string, foreign: string): string;
}

/** The program that agents call. */
export interface Launcher {
  /** Absolute path of the program that runs the script. */
  readonly program: string;
  /** The program in a command line of Windows, without characters that a shell interprets. */
  readonly word?: string;
  /** Absolute path of the script. */
  readonly script: string;
}

const serverName = 'context-budget';

/**
 * Returns the files that configure the server and the hooks of an agent. Gemini CLI gets only the server, because its
 * hooks return nothing after a compaction.
 */
export function configFiles(
  agent: ConnectableAgent,
  launcher: Launcher,
  { home, environment }: Surroundings,
): readonly ConfigFile[] {
  const server = { command: launcher.program, args: [launcher.script, 'mcp'] };
  switch (agent) {
    case 'claude-code': {
      const given = environment['CLAUDE_CONFIG_DIR'];
      return [
        jsonFile(agent, join(given || join(home, '.claude'), 'settings.json'), [
          nestedHook('PreCompact', undefined, launcher),
          nestedHook('SessionStart', 'compact', launcher),
          // SessionStart runs before the summary is written; these hooks run afterwards.
          nestedHook('PostToolUse', undefined, launcher),
          nestedHook('UserPromptSubmit', undefined, launcher),
        ]),
        jsonFile(agent, join(given || home, '.claude.json'), [serverEntry({ type: 'stdio', ...server })]),
      ];
    }
    case 'codex': {
      const folder = environment['CODEX_HOME'] || join(home, '.codex');
      return [
        jsonFile(agent, join(folder, 'hooks.json'), [
          nestedHook('PreCompact', undefined, launcher),
          nestedHook('SessionStart', 'compact', launcher),
        ]),
        tomlFile(agent, join(folder, 'config.toml'), { path: ['mcp_servers', serverName], values: server }),
      ];
    }
    case 'gemini-cli': {
      const folder = join(environment['GEMINI_CLI_HOME'] || home, '.gemini');
      return [jsonFile(agent, join(folder, 'settings.json'), [serverEntry(server)])];
    }
    case 'copilot': {
      const folder = environment['COPILOT_HOME'] || join(home, '.copilot');
      return [
        jsonFile(agent, join(folder, 'hooks', 'context-budget.json'), [
          { kind: 'field', path: ['version'], value: 1, isOurs: (version) => version === 1 },
          flatHook('PreCompact', launcher),
          flatHook('PostToolUse', launcher),
        ]),
        jsonFile(agent, join(folder, 'mcp-config.json'), [
          serverEntry({ type: 'local', ...server, tools: ['*'] }),
        ]),
      ];
    }
  }
}

function serverEntry(value: object): JsonEntry {
  return { kind: 'field', path: ['mcpServers', serverName], value, isOurs: isOwnServer };
}

/** True for a server that any version of this program added. Users may have another server with this name. */
function isOwnServer(value: unknown): boolean {
  const { command, args } = isRecord(value) ? value : {};
  const [script, word, ...more] = Array.isArray(args) ? (args as readonly unknown[]) : [];
  if (typeof command !== 'string' || typeof script !== 'string') return false;
  const isOurs = ownProgram.test(command) && /[\\/]bin[\\/]context-budget\.(?:mjs|sh)$/u.test(script);
  return isOurs && word === 'mcp' && more.length === 0;
}

/** Returns a hook in the form of Claude Code and Codex: as part of a group. */
function nestedHook(event: string, matcher: string | undefined, launcher: Launcher): JsonEntry {
  const hooks = [{ type: 'command', command: commandOf(event, launcher), timeout: 10 }];
  return {
    kind: 'item',
    path: ['hooks', event],
    value: matcher === undefined ? { hooks } : { matcher, hooks },
    ownParts: (item) => {
      const all: unknown = isRecord(item) ? item['hooks'] : undefined;
      const own = Array.isArray(all) ? all.flatMap((hook, index) => (isOwnHook(hook) ? [index] : [])) : [];
      // Settings pages add foreign hooks to the same group.
      return own.length > 0 && own.length === (all as unknown[]).length
        ? [[]]
        : own.map((index) => ['hooks', index]);
    },
  };
}

/** Returns a hook in the form of Copilot: in a plain list. */
function flatHook(event: string, launcher: Launcher): JsonEntry {
  return {
    kind: 'item',
    path: ['hooks', event],
    value: { type: 'command', command: commandOf(event, launcher), timeout: 10 },
    ownParts: (item) => (isOwnHook(item) ? [[]] : []),
  };
}

/**
 * Returns the command of a hook. If the script is missing, the command exits silently with code 0. A
 * shell would exit with code 2, and Claude Code would then reject the prompt.
 *
 * On Windows, agents use `cmd`, PowerShell or the `sh` of Git. Forward slashes, which Node accepts, and quotes mean
 * the same to all three. But PowerShell reads a quoted first word as a string and not as a program. In a bare word,
 * the `sh` of Git drops single backslashes, and all three read two backslashes as one.
 */
function commandOf(event: string, { program, word = program, script }: Launcher): string {
  if (script.endsWith('.sh')) {
    const guard = `'[ -f "$0" ] || exit 0; exec ${program} "$0" "$@"'`;
    return `${program} -c ${guard} '${script.replaceAll("'", `'\\''`)}' hook ${event}`;
  }
  const path = /^(?:[a-z]:)?\\/iu.test(script) ? script.replaceAll('\\', '/') : script;
  const load = "import(require('url').pathToFileURL(process.argv[1])).catch(()=>{})";
  return `${word.replaceAll('\\', '\\\\')} -e "${load}" "${path}" hook ${event}`;
}

const programName = String.raw`(?:sh|node(?:js)?(?:\.exe)?)`;
/** Matches the program of a connection made by any version. */
const ownProgram = new RegExp(String.raw`^(?:.*[\\/])?${programName}$`, 'iu');
/**
 * Matches a hook's command from `commandOf` of this or an earlier version. It is strict because users may have
 * similar hooks.
 */
const ownCommand = new RegExp(
  [
    String.raw`^(?:"(?:[^"]*[\\/])?${programName}"|(?:\S*[\\/])?${programName}) `,
    String.raw`(?:-c '\[ -f "\$0" \] \|\| exit 0; exec \S+ "\$0" "\$@"' |-e "import\([^"]*" )?`,
    String.raw`(?:"[^"]*[\\/]bin[\\/]context-budget\.(?:mjs|sh)"|'(?:[^']|'\\'')*[\\/]bin[\\/]context-budget\.sh') `,
    String.raw`hook \w+$`,
  ].join(''),
  'iu',
);

function isOwnHook(item: unknown): boolean {
  const command = isRecord(item) ? item['command'] : undefined;
  return typeof command === 'string' && ownCommand.test(command);
}

function jsonFile(agent: ConnectableAgent, path: string, entries: readonly JsonEntry[]): ConfigFile {
  return {
    agent,
    path,
    connect: (text) => withEntries(text, entries),
    disconnect: (text) => withoutEntries(text, entries),
    isConnected: (text) => text.trim() !== '' && hasEntries(text, entries),
    foreign: (text) => foreignField(text, entries),
    restore: (text, foreign) => withForeignField(text, entries, foreign),
  };
}

function tomlFile(agent: ConnectableAgent, path: string, table: TomlTable): ConfigFile {
  return {
    agent,
    path,
    connect: (text) => withTable(text, table),
    disconnect: (text) => (isOwnTable(tableIn(text, table)) ? withoutTable(text, table) : text),
    isConnected: (text) => isOwnServer(tableIn(text, table)),
    foreign: (text) => (isOwnTable(tableIn(text, table)) ? undefined : tableText(text, table)),
    restore: (text, foreign) => withTableText(text, table, foreign),
  };
}

/** True for our table, even if only tools that Codex always allows are left in it. Codex then fails to start. */
function isOwnTable(value: unknown): boolean {
  const isNotes = isRecord(value) && Object.keys(value).every((name) => name === 'tools');
  return isNotes || isOwnServer(value);
}
