import { isLoopback } from '../network/base-url.ts';
import type { Api } from '../openai/dialect.ts';

export const providerIds = [
  'openai',
  'azure',
  'openrouter',
  'ollama',
  'lmstudio',
  'vllm',
  'llamacpp',
] as const;

export type ProviderId = (typeof providerIds)[number];

/** The API through which a server lists its models and their windows. */
export type DiscoveryDialect = 'models' | 'ollama' | 'lmstudio' | 'llamacpp' | 'none';

/** The known facts about a provider. */
export interface ProviderPreset {
  readonly id: ProviderId;
  readonly title: string;
  /** Undefined if the address differs between users. */
  readonly baseUrl: string | undefined;
  readonly needsKey: boolean;
  /** The form in which the key is sent: as a bearer token, or in the header `api-key`. */
  readonly authentication: 'bearer' | 'api-key';
  readonly discovery: DiscoveryDialect;
  /** True if the server forwards marks for a prompt cache to providers that need them. */
  readonly passesCacheMarks: boolean;
  /** True if the user sets the window when starting the server, so that the model's own window does not apply. */
  readonly setsItsOwnWindow: boolean;
  /** Sentence for a user who is about to choose this provider. */
  readonly advice: string;
}

/** Addresses, headers and ports from the providers' own documentation, which each preset names. */
export const presets: Readonly<Record<ProviderId, ProviderPreset>> = {
  // API reference, "Authentication" and "List models". The list contains no windows.
  openai: {
    id: 'openai',
    title: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    needsKey: true,
    authentication: 'bearer',
    discovery: 'models',
    passesCacheMarks: false,
    setsItsOwnWindow: false,
    advice: 'Also any other endpoint that understands OpenAI’s API, by its base URL.',
  },
  // "Azure OpenAI in Microsoft Foundry Models REST API reference": header `api-key`, and deployments instead of models.
  // `GET /models` lists all models of the region, and not only the deployed ones.
  azure: {
    id: 'azure',
    title: 'Azure OpenAI',
    baseUrl: undefined,
    needsKey: true,
    authentication: 'api-key',
    discovery: 'none',
    passesCacheMarks: false,
    setsItsOwnWindow: false,
    advice: 'The model is the name of your deployment, and the base URL that of your resource.',
  },
  // "API reference", and the types `Model` and `TopProviderInfo` of its client SDKs.
  openrouter: {
    id: 'openrouter',
    title: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    needsKey: true,
    authentication: 'bearer',
    discovery: 'models',
    passesCacheMarks: true,
    setsItsOwnWindow: false,
    advice: 'Many providers behind one key; windows are those of the provider it prefers.',
  },
  // "OpenAI compatibility" and "API": `/api/show`, `/api/ps`.
  ollama: {
    id: 'ollama',
    title: 'Ollama',
    baseUrl: 'http://localhost:11434/v1',
    needsKey: false,
    authentication: 'bearer',
    discovery: 'ollama',
    passesCacheMarks: false,
    setsItsOwnWindow: true,
    advice:
      'Start it with OLLAMA_CONTEXT_LENGTH=64000 or more: by default it truncates long requests without telling.',
  },
  // "LM Studio REST API": `/api/v1/models`; before version 0.4 `/api/v0/models`.
  lmstudio: {
    id: 'lmstudio',
    title: 'LM Studio',
    baseUrl: 'http://localhost:1234/v1',
    needsKey: false,
    authentication: 'bearer',
    discovery: 'lmstudio',
    passesCacheMarks: false,
    setsItsOwnWindow: true,
    advice: 'Load the model with a large context length: the loaded length counts, not the maximum.',
  },
  // "OpenAI-Compatible Server" names port 8000, and `max_model_len` in the list of models.
  vllm: {
    id: 'vllm',
    title: 'vLLM',
    baseUrl: 'http://localhost:8000/v1',
    needsKey: false,
    authentication: 'bearer',
    discovery: 'models',
    passesCacheMarks: false,
    setsItsOwnWindow: true,
    advice: 'Start it with --enable-auto-tool-choice and the --tool-call-parser of your model.',
  },
  // README of llama-server: port 8080; `GET /props`.
  llamacpp: {
    id: 'llamacpp',
    title: 'llama.cpp',
    baseUrl: 'http://localhost:8080/v1',
    needsKey: false,
    authentication: 'bearer',
    discovery: 'llamacpp',
    passesCacheMarks: false,
    setsItsOwnWindow: true,
    advice: 'Start llama-server with --jinja and a --ctx-size that is large enough for all of its slots.',
  },
};

/** Gateways without a preset that document `cache_control` in chat completions. */
const markingGateways: ReadonlySet<string> = new Set(['ai-gateway.vercel.sh', 'api.orq.ai']);

const byOrigin: ReadonlyMap<string, ProviderPreset> = new Map(
  Object.values(presets).flatMap((preset) =>
    preset.baseUrl === undefined ? [] : [[originOf(preset.baseUrl), preset] as const],
  ),
);

export function isProviderId(name: string): name is ProviderId {
  return Object.hasOwn(presets, name);
}

/** Returns the preset with this address; undefined for any other server. */
export function presetAt(baseUrl: string): ProviderPreset | undefined {
  const { hostname } = new URL(baseUrl);
  return hostname.endsWith('.openai.azure.com') ? presets.azure : byOrigin.get(originOf(baseUrl));
}

/** True if an address is on this machine. */
export function isLocal(baseUrl: string): boolean {
  return isLoopback(new URL(baseUrl).hostname);
}

/** Returns the preferred API: chat, or Responses for OpenAI's reasoning models, to return their reasoning. */
export function apiFor(baseUrl: string, model: string): Api {
  const reasons = /^(?:gpt-5|o\d|codex)/.test(model) && !/-chat\b/.test(model);
  return reasons && presetAt(baseUrl)?.id === 'openai' ? 'responses' : 'chat';
}

/**
 * True if requests should mark the parts to cache: the provider caches on request, and gateways forward marks.
 * @param preset undefined to decide by the address, which may be empty
 */
export function takesCacheMarks(preset: ProviderPreset | undefined, baseUrl: string, model: string): boolean {
  if (!/(?:^|[~/.])(?:anthropic[/.]|claude-)/i.test(model)) return false;
  return preset?.passesCacheMarks ?? (baseUrl !== '' && markingGateways.has(new URL(baseUrl).hostname));
}

/** Returns the origin of an address. All names of this machine have the same origin. */
function originOf(baseUrl: string): string {
  const { protocol, hostname, port } = new URL(baseUrl);
  return `${protocol}//${isLoopback(hostname) ? 'localhost' : hostname}:${port}`;
}
