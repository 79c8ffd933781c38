import { agentTitles } from '../../language/agent-titles.ts';
import { type WatchedAgent, wayByVariables } from './watched-agent.ts';

/**
 * Copilot CLI with a model provider of the user. GitHub's own service has no address that can be set. Source:
 * `copilot help environment`.
 */
export const copilotCli: WatchedAgent = {
  id: 'copilot-cli',
  title: agentTitles['copilot-cli'],
  program: 'copilot',
  wayOf({ environment }) {
    const way = wayByVariables(environment['COPILOT_PROVIDER_BASE_URL'], (baseUrl) => ({
      COPILOT_PROVIDER_BASE_URL: baseUrl,
    }));
    return Promise.resolve(way);
  },
};
