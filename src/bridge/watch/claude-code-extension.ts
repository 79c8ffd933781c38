import { isRecord } from '../../language/is-record.ts';
import { claudeCode } from './claude-code.ts';
import type { Variable } from './variable-list.ts';
import type { WatchPlace } from './watched-agent.ts';

/**
 * Claude Code as an extension of the editor. It gives the variables of a setting to the program that it runs for each
 * session. Since version 2.1.193 the setting is read only from the user's settings. Sources: "Use Claude Code in VS
 * Code" in its documentation; issue 71620 of its repository.
 */
export const claudeCodeExtension = {
  id: 'anthropic.claude-code',
  title: 'Claude Code for VS Code',
  /** Section and name of the setting. */
  setting: ['claudeCode', 'environmentVariables'],
} as const;

/** The way of the extension's requests. */
export interface ExtensionWay {
  /** Base URL to which the extension would send its requests without us. */
  readonly upstream: string;
  /** Returns the variables that make it send them to another base URL. */
  variables(baseUrl: string): readonly Variable[];
}

/**
 * Reads where the extension would send its requests, from its setting and its settings files.
 * @param value value of the setting
 * @returns undefined if the setting cannot send them elsewhere
 */
export async function wayOfExtension(place: WatchPlace, value: unknown): Promise<ExtensionWay | undefined> {
  if (!Array.isArray(value)) return undefined;
  const own = value
    .filter(isRecord)
    .map(({ name, value: text }) => [String(name), typeof text === 'string' ? text : undefined] as const);
  const environment = { ...place.environment, ...Object.fromEntries(own) };
  const way = await claudeCode.wayOf({ ...place, environment });
  // Settings files win over the variables of the extension, which passes no arguments of ours.
  if (way === undefined || way.through(way.upstream).args.length > 0) return undefined;
  const { upstream } = way;
  return {
    upstream,
    variables: (baseUrl) =>
      Object.entries(way.through(baseUrl).environment).map(([name, text]) => ({ name, value: text })),
  };
}
