import { join } from 'node:path';
import { agentTitles } from '../../language/agent-titles.ts';
import { type Config, lastOf } from '../settings/agent-limits.ts';
import { agentConfigs, configsIn } from '../settings/agent-settings.ts';
import { type WatchedAgent, plainWay } from './watched-agent.ts';

/**
 * Codex. The override replaces only the address of the provider that the user has chosen, so that its key or the
 * sign-in stays. Sources: `codex-rs/core/src/config` and `model_provider_info.rs` of Codex.
 */
export const codex: WatchedAgent = {
  id: 'codex',
  title: agentTitles.codex,
  program: 'codex',
  async wayOf(place) {
    const configs = await agentConfigs('codex', place, undefined);
    const profile = lastOf(configs, ['profile']);
    const inProfile =
      typeof profile === 'string' ? lastOf(configs, ['profiles', profile, 'model_provider']) : undefined;
    const provider = inProfile ?? lastOf(configs, ['model_provider']) ?? 'openai';
    // Codex splits the path of an override at every dot.
    if (typeof provider !== 'string' || !/^[\w-]+$/u.test(provider)) return undefined;
    const overriding = (key: string) => (baseUrl: string) => ({
      environment: {},
      // Codex takes a value that is not TOML as text, so no shell has to pass quotes.
      args: ['-c', `${key}=${baseUrl}`],
    });
    if (provider !== 'openai') {
      const key = ['model_providers', provider, 'base_url'];
      return plainWay(lastOf(configs, key), overriding(key.join('.')));
    }
    const folder = place.environment['CODEX_HOME'] || join(place.home, '.codex');
    const signIn = await configsIn([join(folder, 'auth.json')]);
    const upstream =
      lastOf(configs, ['openai_base_url']) || place.environment['OPENAI_BASE_URL'] || usualFor(signIn);
    return plainWay(upstream, overriding('openai_base_url'));
  },
};

/** Returns the address that belongs to the kind of sign-in; undefined if the sign-in is not in the file. */
function usualFor(signIn: readonly Config[]): string | undefined {
  const [mode, key, tokens] = ['auth_mode', 'OPENAI_API_KEY', 'tokens'].map((name) => lastOf(signIn, [name]));
  const hasKey = typeof key === 'string' && key !== '';
  const kind = typeof mode === 'string' ? mode : hasKey ? 'apikey' : tokens ? 'chatgpt' : '';
  if (/^chatgpt/iu.test(kind)) return 'https://chatgpt.com/backend-api/codex';
  return /^apikey$/iu.test(kind) ? 'https://api.openai.com/v1' : undefined;
}
