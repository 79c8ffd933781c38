/** Agents whose sessions are looked for. */
export type FoundAgent = 'claude-code' | 'codex' | 'gemini-cli' | 'cline' | 'roo-code';

/** Place where an agent keeps its sessions. */
export interface SessionPlace {
  readonly agent: FoundAgent;
  /** Absolute; nothing above it is looked at. */
  readonly folder: string;
  /** Patterns of the names of folders on the way, a level each, and last of the name of a session's file. */
  readonly levels: readonly RegExp[];
  /** The same for the files of sub-agents, which belong to a session of this place. */
  readonly subAgentLevels?: readonly (readonly RegExp[])[];
}

/** Environment that the places depend on. Paths are absolute. */
export interface Surroundings {
  readonly home: string;
  /** As Node names it, for example `linux`, `darwin`, `win32`. */
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder in which the running editor keeps what its extensions store; its own folder may be anywhere. */
  readonly editorStorage?: string;
}

const anyName = /^/;
const subAgentFile = /^agent-.*\.jsonl$/;
const extensions = { cline: 'saoudrizwan.claude-dev', 'roo-code': 'rooveterinaryinc.roo-cline' } as const;
const desktopEditors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
const remoteEditors = ['.vscode-server', '.vscode-server-insiders', '.vscodium-server', '.cursor-server'];

/**
 * The folders in which agents keep their sessions, whether they exist or not. Separators are slashes, which every
 * platform understands.
 */
export function sessionPlaces(surroundings: Surroundings): readonly SessionPlace[] {
  const { home, environment } = surroundings;
  const claudeFolders = environment['CLAUDE_CONFIG_DIR']
    ? [environment['CLAUDE_CONFIG_DIR']]
    : [`${home}/.claude`, `${environment['XDG_CONFIG_HOME'] || `${home}/.config`}/claude`];
  const codexFolder = environment['CODEX_HOME'] || `${home}/.codex`;
  const geminiFolder = `${environment['GEMINI_CLI_HOME'] || home}/.gemini/tmp`;
  return [
    ...claudeFolders.map((folder): SessionPlace => ({
      agent: 'claude-code',
      folder: `${folder}/projects`,
      levels: [anyName, /^(?!agent-).*\.jsonl$/],
      subAgentLevels: [
        [anyName, subAgentFile],
        [anyName, anyName, /^subagents$/, subAgentFile],
      ],
    })),
    {
      agent: 'codex',
      folder: `${codexFolder}/sessions`,
      levels: [/^\d{4}$/, /^\d\d$/, /^\d\d$/, /^rollout-.*\.jsonl$/],
    },
    { agent: 'gemini-cli', folder: geminiFolder, levels: [anyName, /^chats$/, /^session-.*\.jsonl?$/] },
    { agent: 'gemini-cli', folder: geminiFolder, levels: [anyName, /^checkpoint-.*\.json$/] },
    ...extensionStorages(surroundings).flatMap((storage) =>
      (['cline', 'roo-code'] as const).map((agent): SessionPlace => ({
        agent,
        folder: `${storage}/${extensions[agent]}/tasks`,
        levels: [anyName, /^api_conversation_history\.json$/],
      })),
    ),
  ];
}

/** Folders in which editors of this family keep what their extensions store, each once. */
function extensionStorages({ home, platform, environment, editorStorage }: Surroundings): readonly string[] {
  const applications =
    platform === 'win32'
      ? environment['APPDATA'] || `${home}/AppData/Roaming`
      : platform === 'darwin'
        ? `${home}/Library/Application Support`
        : environment['XDG_CONFIG_HOME'] || `${home}/.config`;
  const userData = [
    ...desktopEditors.map((name) => `${applications}/${name}`),
    ...remoteEditors.map((name) => `${home}/${name}/data`),
    `${environment['XDG_DATA_HOME'] || `${home}/.local/share`}/code-server`,
  ].map((folder) => `${folder}/User/globalStorage`);
  const own = editorStorage === undefined ? [] : [editorStorage.replaceAll('\\', '/')];
  const all = [...own, ...userData].map((folder) => [folder.replaceAll('\\', '/'), folder] as const);
  return [...new Map(all).values()];
}
