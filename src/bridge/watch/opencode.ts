import { join } from 'node:path';
import { agentTitles } from '../../language/agent-titles.ts';
import { isRecord } from '../../language/is-record.ts';
import { type Config, lastOf } from '../settings/agent-limits.ts';
import { agentConfigs, configsIn } from '../settings/agent-settings.ts';
import { type RequestWay, type WatchedAgent, type WatchPlace, wayByVariables } from './watched-agent.ts';

/** Addresses of providers, for which a model list has none because a library knows them. */
const usual: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  openrouter: 'https://openrouter.ai/api/v1',
};

/** opencode. Sources: "Config" and "Providers" in its documentation. */
export const opencode: WatchedAgent = {
  id: 'opencode',
  title: agentTitles.opencode,
  program: 'opencode',
  wayOf: (place) => wayByProvider(place, 'opencode', 'OPENCODE_CONFIG_CONTENT'),
};

/** The command line of Kilo Code, which derives from opencode. */
export const kiloCli: WatchedAgent = {
  id: 'kilo-code',
  title: 'Kilo CLI',
  program: 'kilo',
  wayOf: (place) => wayByProvider(place, 'kilo', 'KILO_CONFIG_CONTENT'),
};

/**
 * Returns the way of the provider that is chosen at the start. The address is added to the configuration in a
 * variable, which is merged with the user's files.
 */
async function wayByProvider(
  place: WatchPlace,
  name: 'opencode' | 'kilo',
  variable: string,
): Promise<RequestWay | undefined> {
  const { environment, home, folder } = place;
  const folderOf = (set: string, ...usually: readonly string[]) =>
    join(environment[set] || join(home, ...usually), name);
  const inVariable = parsed(environment[variable]);
  const files = await agentConfigs(name === 'kilo' ? 'kilo-code' : name, place, folder);
  const configs = [...files, inVariable];
  const recent = await configsIn([join(folderOf('XDG_STATE_HOME', '.local', 'state'), 'model.json')]);
  const provider = providerOf(lastOf(configs, ['model']), recent);
  if (provider === undefined) return undefined;
  const signIn = await configsIn([join(folderOf('XDG_DATA_HOME', '.local', 'share'), 'auth.json')]);
  const own = lastOf(configs, ['provider', provider, 'options', 'baseURL']);
  // After a sign-in without a key, these programs ignore the address.
  if (lastOf(signIn, [provider, 'type']) === 'oauth') return undefined;
  const known = await configsIn([join(folderOf('XDG_CACHE_HOME', '.cache'), 'models.json')]);
  const upstream = own ?? lastOf(known, [provider, 'api']) ?? usual[provider];
  return wayByVariables(upstream, (baseUrl) => ({
    [variable]: JSON.stringify(withAddress(inVariable, provider, baseUrl)),
  }));
}

/** Returns the provider of the chosen model, or of the model that was used last. */
function providerOf(model: unknown, recent: readonly Config[]): string | undefined {
  if (typeof model === 'string') return /^(?<provider>[^/]+)\/./u.exec(model)?.groups?.['provider'];
  const used = lastOf(recent, ['recent']);
  const last: unknown = Array.isArray(used) ? used[0] : undefined;
  const provider = isRecord(last) ? last['providerID'] : undefined;
  return typeof provider === 'string' ? provider : undefined;
}

function withAddress(config: Config, provider: string, baseURL: string): Config {
  const inside = (value: unknown, name: string) => fieldsOf(fieldsOf(value)[name]);
  const providers = inside(config, 'provider');
  const options = { ...inside(providers[provider], 'options'), baseURL };
  return {
    ...config,
    provider: { ...providers, [provider]: { ...fieldsOf(providers[provider]), options } },
  };
}

function fieldsOf(value: unknown): Config {
  return isRecord(value) ? value : {};
}

function parsed(text = '{}'): Config {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}
