export type FoundAgent =
  | 'claude-code'
  | 'codex'
  | 'gemini-cli'
  | 'copilot-chat'
  | 'copilot-cli'
  | 'opencode'
  | 'cline'
  | 'roo-code'
  | 'kilo-code'
  | 'pi'
  | 'qwen-code';

/** Place where an agent keeps its sessions. */
export interface SessionPlace {
  readonly agent: FoundAgent;
  /** Absolute path; nothing above it is examined. */
  readonly folder: string;
  /** Name patterns of the folders on the way, one per level, followed by that of a session's file. */
  readonly levels: readonly RegExp[];
  /** Patterns for the files of sub-agents, which belong to a session of this place. */
  readonly subAgentLevels?: readonly (readonly RegExp[])[];
  /** Part of the file name shared by the files of one session; the largest file contains the session. */
  readonly sharedName?: RegExp;
  /** True if the files are SQLite databases with opencode's tables and many sessions each. */
  readonly isDatabase?: true;
}

/** Environment that the places depend on. Paths are absolute. */
export interface PlaceSurroundings {
  readonly home: string;
  /** Platform name in Node, for example `linux`, `darwin`, `win32`. */
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Storage folder for extensions of the running editor, which may be at a custom place. */
  readonly editorStorage?: string;
}

const anyName = /^/;
const subAgentFile = /^agent-.*\.jsonl$/;
const extensions = {
  cline: 'saoudrizwan.claude-dev',
  'roo-code': 'rooveterinaryinc.roo-cline',
  'kilo-code': 'kilocode.kilo-code',
} as const;
const chatSessionFile = /\.jsonl?$/;
const desktopEditors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
const remoteEditors = ['.vscode-server', '.vscode-server-insiders', '.vscodium-server', '.cursor-server'];

/** The folders in which agents keep their sessions, even missing ones. Slashes separate, as every platform allows. */
export function sessionPlaces(surroundings: PlaceSurroundings): readonly SessionPlace[] {
  const { home, environment } = surroundings;
  const claudeFolders = environment['CLAUDE_CONFIG_DIR']
    ? [environment['CLAUDE_CONFIG_DIR']]
    : [`${home}/.claude`, `${environment['XDG_CONFIG_HOME'] || `${home}/.config`}/claude`];
  const codexFolder = environment['CODEX_HOME'] || `${home}/.codex`;
  const piFolder = environment['PI_CODING_AGENT_DIR'] || `${home}/.pi/agent`;
  const geminiFolder = `${environment['GEMINI_CLI_HOME'] || home}/.gemini/tmp`;
  return [
    ...claudeFolders.map((folder) => claudeCodePlace(`${folder}/projects`, [])),
    ...claudeDesktopPlaces(surroundings),
    {
      agent: 'codex',
      folder: `${codexFolder}/sessions`,
      levels: [/^\d{4}$/, /^\d\d$/, /^\d\d$/, /^rollout-.*\.jsonl$/],
    },
    {
      agent: 'gemini-cli',
      folder: geminiFolder,
      levels: [anyName, /^chats$/, /^session-.*\.jsonl?$/],
      // In a folder named after the session that started them.
      subAgentLevels: [[anyName, /^chats$/, anyName, chatSessionFile]],
      // A resumed session continues in its own file and leaves an empty one behind.
      sharedName: /-[\da-f]{8}(?=\.jsonl?$)/,
    },
    { agent: 'gemini-cli', folder: geminiFolder, levels: [anyName, /^checkpoint-.*\.json$/] },
    ...qwenCodePlaces(surroundings),
    // A custom folder contains no project folders.
    ...[[anyName, /\.jsonl$/], [/\.jsonl$/]].map((levels): SessionPlace => ({
      agent: 'pi',
      folder: environment['PI_CODING_AGENT_SESSION_DIR'] || `${piFolder}/sessions`,
      levels,
    })),
    ...copilotCliPlaces(surroundings),
    ...userDataFolders(surroundings).flatMap(copilotChatPlaces),
    ...opencodePlaces('opencode', 'opencode', surroundings),
    ...opencodePlaces('kilo-code', 'kilo', surroundings),
    ...clinePlaces(surroundings),
    ...extensionStorages(surroundings).flatMap((storage) =>
      (['cline', 'roo-code', 'kilo-code'] as const).map((agent): SessionPlace => ({
        agent,
        folder: `${storage}/${extensions[agent]}/tasks`,
        levels: [anyName, /^api_conversation_history\.json$/],
      })),
    ),
  ];
}

/** @param above name patterns of the folders between the place and the project folders */
function claudeCodePlace(folder: string, above: readonly RegExp[]): SessionPlace {
  return {
    agent: 'claude-code',
    folder,
    levels: [...above, anyName, /^(?!agent-).*\.jsonl$/],
    subAgentLevels: [
      [...above, anyName, subAgentFile],
      [...above, anyName, anyName, /^subagents$/, subAgentFile],
    ],
  };
}

/**
 * Each session of Claude Desktop's agent mode has its own configuration folder of Claude Code, below an account and an
 * organization. Sessions of its code tab are stored with Claude Code's own.
 */
function claudeDesktopPlaces(surroundings: PlaceSurroundings): readonly SessionPlace[] {
  const folder = `${applicationFolder(surroundings)}/Claude/local-agent-mode-sessions`;
  const projects = [/^local_/, /^\.claude$/, /^projects$/];
  return [
    claudeCodePlace(folder, [anyName, anyName, ...projects]),
    claudeCodePlace(folder, [anyName, anyName, /^agent$/, ...projects]),
  ];
}

/** Places of Qwen Code. Source: `packages/core/src/config/storage.ts` and `agents/agent-transcript.ts`. */
function qwenCodePlaces({ home, environment }: PlaceSurroundings): readonly SessionPlace[] {
  const folder = environment['QWEN_RUNTIME_DIR'] || environment['QWEN_HOME'] || `${home}/.qwen`;
  return [
    {
      agent: 'qwen-code',
      folder: `${folder}/projects`,
      levels: [anyName, /^chats$/, /\.jsonl$/],
      subAgentLevels: [[anyName, /^subagents$/, anyName, subAgentFile]],
    },
  ];
}

/** A folder of events for each session; older versions wrote one file each, first in another shape. */
function copilotCliPlaces({ home, environment }: PlaceSurroundings): readonly SessionPlace[] {
  const agent = 'copilot-cli';
  const copilot = environment['COPILOT_HOME'] || `${home}/.copilot`;
  return [
    { agent, folder: `${copilot}/session-state`, levels: [anyName, /^events\.jsonl$/] },
    { agent, folder: `${copilot}/session-state`, levels: [/\.jsonl$/] },
    { agent, folder: `${copilot}/history-session-state`, levels: [chatSessionFile] },
  ];
}

/** VS Code stores chats per workspace folder, or globally if no folder was open. */
function copilotChatPlaces(userData: string): readonly SessionPlace[] {
  const agent = 'copilot-chat';
  return [
    { agent, folder: `${userData}/workspaceStorage`, levels: [anyName, /^chatSessions$/, chatSessionFile] },
    { agent, folder: `${userData}/globalStorage/emptyWindowChatSessions`, levels: [chatSessionFile] },
  ];
}

/** Places of opencode and Kilo Code, which is built on it since version 7 and stores sessions alike. */
function opencodePlaces(
  agent: 'opencode' | 'kilo-code',
  name: string,
  { home, environment }: PlaceSurroundings,
): readonly SessionPlace[] {
  const folder = `${environment['XDG_DATA_HOME'] || `${home}/.local/share`}/${name}`;
  return [
    { agent, folder, levels: [new RegExp(`^${name}(?:-[\\w.]+)?\\.db$`)], isDatabase: true },
    { agent, folder: `${folder}/storage/session`, levels: [anyName, /^ses_.*\.json$/] },
  ];
}

/**
 * Since version 4, all Cline programs share one sessions folder; earlier versions outside an editor kept tasks there.
 * Source: `sdk/packages/shared/src/storage/paths.ts`.
 */
function clinePlaces({ home, environment }: PlaceSurroundings): readonly SessionPlace[] {
  const agent = 'cline';
  const data = environment['CLINE_DATA_DIR'] || `${environment['CLINE_DIR'] || `${home}/.cline`}/data`;
  const sessions = environment['CLINE_SESSION_DATA_DIR'] || `${data}/sessions`;
  return [
    { agent, folder: sessions, levels: [anyName, /\.messages\.json$/] },
    { agent, folder: `${data}/tasks`, levels: [anyName, /^api_conversation_history\.json$/] },
  ];
}

/** Storage folders for extensions of all VS Code variants, without duplicates. */
function extensionStorages(surroundings: PlaceSurroundings): readonly string[] {
  const { editorStorage } = surroundings;
  const own = editorStorage === undefined ? [] : [withSlashes(editorStorage)];
  const known = editorFolders(surroundings).map((folder) => `${folder}/globalStorage`);
  return distinct([...own, ...known], surroundings);
}

/** User data folders of all VS Code variants, without duplicates. */
function userDataFolders(surroundings: PlaceSurroundings): readonly string[] {
  const { editorStorage } = surroundings;
  const own =
    editorStorage === undefined ? [] : [withSlashes(editorStorage).replace(/\/globalStorage\/?$/, '')];
  return distinct([...own, ...editorFolders(surroundings)], surroundings);
}

/** Data folder of desktop applications. */
function applicationFolder({ home, platform, environment }: PlaceSurroundings): string {
  if (platform === 'win32') return environment['APPDATA'] || `${home}/AppData/Roaming`;
  if (platform === 'darwin') return `${home}/Library/Application Support`;
  return environment['XDG_CONFIG_HOME'] || `${home}/.config`;
}

function editorFolders(surroundings: PlaceSurroundings): readonly string[] {
  const { home, environment } = surroundings;
  const applications = applicationFolder(surroundings);
  return [
    ...desktopEditors.map((name) => `${applications}/${name}`),
    ...remoteEditors.map((name) => `${home}/${name}/data`),
    `${environment['XDG_DATA_HOME'] || `${home}/.local/share`}/code-server`,
  ].map((folder) => `${folder}/User`);
}

/** Folders without duplicates. On Windows, VS Code writes drives in lower case, the environment in upper case. */
function distinct(folders: readonly string[], { platform }: PlaceSurroundings): readonly string[] {
  const keyOf = (folder: string) =>
    platform === 'win32' ? withSlashes(folder).toLowerCase() : withSlashes(folder);
  return [...new Map(folders.map((folder) => [keyOf(folder), folder])).values()];
}

function withSlashes(folder: string): string {
  return folder.replaceAll('\\', '/');
}
