import { agentTitles } from '../../language/agent-titles.ts';
import { isRecord } from '../../language/is-record.ts';
import { lastOf } from '../settings/agent-limits.ts';
import { agentConfigs } from '../settings/agent-settings.ts';
import { withVariablesOfFiles } from './variable-files.ts';
import { type WatchedAgent, wayByVariables } from './watched-agent.ts';

/** Qwen Code. Sources: "Settings" in its documentation, `modelConfigResolver.ts` and `auth.ts`. */
export const qwenCode: WatchedAgent = {
  id: 'qwen-code',
  title: agentTitles['qwen-code'],
  program: 'qwen',
  async wayOf(place) {
    const configs = await agentConfigs('qwen-code', place, place.folder);
    const variables = await withVariablesOfFiles(place, '.qwen', place.home);
    const valueOf = (name: string) => variables[name] || lastOf(configs, ['env', name]);
    const isKnown = ['OPENAI_API_KEY', 'OPENAI_MODEL', 'OPENAI_BASE_URL'].every((name) => valueOf(name));
    const chosen = lastOf(configs, ['security', 'auth', 'selectedType']) ?? (isKnown ? 'openai' : undefined);
    // An address in the list of models wins over variables and arguments.
    const models = lastOf(configs, ['modelProviders', 'openai']);
    const isListed = Array.isArray(models) && models.some((model) => isRecord(model) && model['baseUrl']);
    if (chosen !== 'openai' || isListed) return undefined;
    const upstream =
      valueOf('OPENAI_BASE_URL') ||
      lastOf(configs, ['security', 'auth', 'baseUrl']) ||
      'https://api.openai.com/v1';
    return wayByVariables(upstream, (baseUrl) => ({ OPENAI_BASE_URL: baseUrl }));
  },
};
