import { parse as parseJson } from 'jsonc-parser';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import type { Surroundings } from '../../agent/files/surroundings.ts';
import type { SetLimits } from '../../insights/context-limits.ts';
import { isRecord } from '../../language/is-record.ts';
import type { SetUpSession } from '../../presenters/import/read-only-session.ts';
import {
  claudeCodeLimits,
  codexLimits,
  type Config,
  copilotCliLimits,
  geminiLimits,
  opencodeLimits,
  qwenCodeLimits,
  type ReadSettings,
} from './agent-limits.ts';

/** Maximum size of a settings file, in bytes. */
const largestFile = 4_000_000;

interface Agent {
  readonly limitsOf: (settings: ReadSettings) => SetLimits;
  /** Paths of the agent's settings files, in ascending order of precedence. */
  readonly files: (surroundings: Surroundings, folder: string | undefined) => readonly string[];
}

const agents = {
  'claude-code': {
    limitsOf: claudeCodeLimits,
    files: ({ home, environment }, folder) => {
      const given = environment['CLAUDE_CONFIG_DIR'];
      return [
        join(given || home, '.claude.json'),
        join(given || join(home, '.claude'), 'settings.json'),
        ...inFolder(folder, '.claude/settings.json', '.claude/settings.local.json'),
      ];
    },
  },
  codex: {
    limitsOf: codexLimits,
    files: ({ home, environment }, folder) => [
      join(environment['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
      ...inFolder(folder, '.codex/config.toml'),
    ],
  },
  'copilot-cli': { limitsOf: copilotCliLimits, files: () => [] },
  'gemini-cli': {
    limitsOf: geminiLimits,
    files: ({ home, environment }, folder) => [
      join(environment['GEMINI_CLI_HOME'] || home, '.gemini', 'settings.json'),
      ...inFolder(folder, '.gemini/settings.json'),
    ],
  },
  'kilo-code': { limitsOf: opencodeLimits, files: opencodeFiles('kilo') },
  opencode: { limitsOf: opencodeLimits, files: opencodeFiles('opencode') },
  'qwen-code': {
    limitsOf: qwenCodeLimits,
    files: ({ home, environment }, folder) => [
      join(environment['QWEN_HOME'] || join(home, '.qwen'), 'settings.json'),
      ...inFolder(folder, '.qwen/settings.json'),
    ],
  },
} satisfies Readonly<Record<string, Agent>>;

function opencodeFiles(name: string): Agent['files'] {
  return ({ home, environment }, folder) => {
    const configs = join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), name);
    return [
      join(configs, `${name}.json`),
      join(configs, `${name}.jsonc`),
      ...inFolder(folder, `${name}.json`, `${name}.jsonc`),
    ];
  };
}

function inFolder(folder: string | undefined, ...names: readonly string[]): readonly string[] {
  return folder === undefined ? [] : names.map((name) => join(folder, name));
}

/**
 * Reads the compaction limits and window sizes of other agents from their settings. Opens only the settings
 * files, and reads a file again only after a change.
 * @returns a function that reads a session's limits; undefined for an agent with unknown settings
 */
export function agentLimitsIn(
  surroundings: Surroundings,
): (session: SetUpSession) => Promise<SetLimits | undefined> {
  const known = new Map<string, KnownFile>();
  return async ({ agent: id, model, folder }) => {
    const agent = Object.hasOwn(agents, id) ? agents[id as keyof typeof agents] : undefined;
    if (agent === undefined) return undefined;
    const configs = await configsIn(agent.files(surroundings, folder), known);
    return agent.limitsOf({ configs, environment: surroundings.environment, model });
  };
}

/** Returns the parsed settings files of an agent in ascending order of precedence, without unreadable files. */
export function agentConfigs(
  id: keyof typeof agents,
  surroundings: Surroundings,
  folder: string | undefined,
): Promise<readonly Config[]> {
  return configsIn(agents[id].files(surroundings, folder));
}

/** Returns the parsed files in the given order, without unreadable files. @param known files read before */
export async function configsIn(
  paths: readonly string[],
  known = new Map<string, KnownFile>(),
): Promise<readonly Config[]> {
  const configs: Config[] = [];
  for (const path of paths) {
    const file = await readSettings(path, known.get(path)).catch(() => undefined);
    if (file === undefined) known.delete(path);
    else {
      known.set(path, file);
      configs.push(file.config);
    }
  }
  return configs;
}

interface KnownFile {
  readonly version: string;
  readonly config: Config;
}

/** @returns undefined if the path is not a file, the file is too large, or it contains no object */
async function readSettings(path: string, known: KnownFile | undefined): Promise<KnownFile | undefined> {
  // The type is checked first, because opening a pipe or a device might block.
  const state = await stat(path);
  if (!state.isFile() || state.size > largestFile) return undefined;
  const version = `${state.ino} ${state.size} ${state.mtimeMs}`;
  if (known?.version === version) return known;
  const text = await readFile(path, 'utf8');
  const config = path.endsWith('.toml') ? parseToml(text) : jsonIn(text);
  return isRecord(config) ? { version, config } : undefined;
}

/** Parses plain JSON first, which is faster for large files, and then JSON with comments. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseJson(text);
  }
}
