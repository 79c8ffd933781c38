import { isRecord } from '../../language/is-record.ts';
import type { SetLimits } from '../../insights/context-limits.ts';

/** A parsed configuration, not validated. */
export type Config = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of an agent, as read for one session. */
export interface ReadSettings {
  /** The agent's parsed settings files, in ascending order of precedence. */
  readonly configs: readonly Config[];
  /** Environment of this process. An agent that started the process passes on its environment. */
  readonly environment: Environment;
  /** Model of the session. */
  readonly model: string | undefined;
}

/**
 * Returns the limits set for Claude Code: `model`, `autoCompactWindow` and `env` of its files, and its variables.
 * Sources: "Model configuration" and "Environment variables" in its documentation.
 */
export function claudeCodeLimits({ configs, environment, model }: ReadSettings): SetLimits {
  const variables = configs.reduce<Environment>((all, { env }) => {
    const texts = Object.entries(isRecord(env) ? env : {}).filter(([, value]) => typeof value === 'string');
    return { ...all, ...(Object.fromEntries(texts) as Environment) };
  }, environment);
  const percent = numberIn(variables['CLAUDE_AUTOCOMPACT_PCT_OVERRIDE'], 100);
  const chosen = variables['ANTHROPIC_MODEL'] ?? lastOf(configs, ['model']);
  return {
    window: isOn(variables['CLAUDE_CODE_DISABLE_1M_CONTEXT'])
      ? shortWindow
      : isLongOf(chosen, model)
        ? longWindow
        : undefined,
    compactsAt:
      numberIn(variables['CLAUDE_CODE_AUTO_COMPACT_WINDOW']) ??
      numberIn(lastOf(configs, ['autoCompactWindow'])),
    compactsAtShare: percent === undefined ? undefined : percent / 100,
    neverCompacts:
      isOn(variables['DISABLE_AUTO_COMPACT']) ||
      isOn(variables['DISABLE_COMPACT']) ||
      lastOf(configs, ['autoCompactEnabled']) === false,
  };
}

const shortWindow = 200_000;
const longWindow = 1_000_000;

/** True if a setting such as `opus[1m]` gives this model the long window. */
function isLongOf(chosen: unknown, model: string | undefined): boolean {
  if (typeof chosen !== 'string' || model === undefined) return false;
  const name = /^(?<name>[\w.-]+)\[1m\]$/iu.exec(chosen.trim())?.groups?.['name'];
  return name !== undefined && model.toLowerCase().includes(name.toLowerCase());
}

/** Returns the limits from Codex's settings. Source: `codex-rs/core/src/config` of Codex. */
export function codexLimits({ configs }: ReadSettings): SetLimits {
  return {
    window: numberIn(lastOf(configs, ['model_context_window'])),
    compactsAt: numberIn(lastOf(configs, ['model_auto_compact_token_limit'])),
  };
}

/**
 * Returns the limits from Gemini CLI's `model.compressionThreshold`, also by its earlier name. Source:
 * `settingsSchema.ts` of Gemini CLI.
 */
export function geminiLimits({ configs }: ReadSettings): SetLimits {
  const share =
    numberIn(lastOf(configs, ['model', 'compressionThreshold']), 1) ??
    numberIn(lastOf(configs, ['chatCompression', 'contextPercentageThreshold']), 1);
  return { compactsAtShare: share };
}

/**
 * Returns the limits from Qwen Code's settings, where a threshold of 0 turns compression off. Source: "Settings" in
 * its documentation.
 */
export function qwenCodeLimits({ configs }: ReadSettings): SetLimits {
  const threshold = lastOf(configs, ['model', 'chatCompression', 'contextPercentageThreshold']);
  return {
    window: numberIn(lastOf(configs, ['model', 'generationConfig', 'contextWindowSize'])),
    compactsAtShare: numberIn(threshold, 1),
    neverCompacts: threshold === 0,
  };
}

/**
 * Returns the limits from opencode's `compaction.auto` and from the provider's limit for the model. Source:
 * `config.ts` of opencode.
 */
export function opencodeLimits({ configs, model }: ReadSettings): SetLimits {
  const windows = configs.flatMap(({ provider }) =>
    Object.values(isRecord(provider) ? provider : {}).flatMap((one) => {
      const limit = model === undefined ? undefined : valueAt(one, ['models', model, 'limit', 'context']);
      return numberIn(limit) ?? [];
    }),
  );
  return { window: windows.at(-1), neverCompacts: lastOf(configs, ['compaction', 'auto']) === false };
}

/** Returns the limits of Copilot CLI for custom models. Source: "Using your own LLM models" in its documentation. */
export function copilotCliLimits({ environment }: ReadSettings): SetLimits {
  return { window: numberIn(environment['COPILOT_PROVIDER_MAX_PROMPT_TOKENS']) };
}

/** Returns the value at a path in the file of highest precedence that has one. */
export function lastOf(configs: readonly Config[], path: readonly string[]): unknown {
  return configs.map((config) => valueAt(config, path)).findLast((value) => value !== undefined);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (inner, name) => (isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  );
}

/** Returns a positive number, also from a string; undefined for any other value, or above the maximum. */
function numberIn(value: unknown, most = 100_000_000): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number > 0 && number <= most ? number : undefined;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(?:1|true|yes|on)$/iu.test(value.trim());
}
