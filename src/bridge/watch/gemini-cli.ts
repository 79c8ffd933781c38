import { agentTitles } from '../../language/agent-titles.ts';
import { lastOf } from '../settings/agent-limits.ts';
import { agentConfigs } from '../settings/agent-settings.ts';
import { withVariablesOfFiles } from './variable-files.ts';
import { type WatchedAgent, wayByVariables } from './watched-agent.ts';

/** Gemini CLI. Sources: "Configuration" in its documentation, `contentGenerator.ts` and `server.ts`. */
export const geminiCli: WatchedAgent = {
  id: 'gemini-cli',
  title: agentTitles['gemini-cli'],
  program: 'gemini',
  async wayOf(place) {
    const configs = await agentConfigs('gemini-cli', place, place.folder);
    const home = place.environment['GEMINI_CLI_HOME'] || place.home;
    const variables = await withVariablesOfFiles(place, '.gemini', home);
    const own = variables['GOOGLE_GEMINI_BASE_URL'];
    switch (lastOf(configs, ['security', 'auth', 'selectedType'])) {
      case 'gemini-api-key':
      case 'gateway':
        return wayByVariables(own || 'https://generativelanguage.googleapis.com', (baseUrl) => ({
          GOOGLE_GEMINI_BASE_URL: baseUrl,
        }));
      case 'oauth-personal':
      case 'compute-default-credentials':
        return wayByVariables(
          variables['CODE_ASSIST_ENDPOINT'] || 'https://cloudcode-pa.googleapis.com',
          (baseUrl) => ({ CODE_ASSIST_ENDPOINT: baseUrl }),
        );
      default:
        // The address of Vertex AI depends on project and region. Until a sign-in is chosen, Gemini CLI refuses to start
        // with a base URL.
        return undefined;
    }
  },
};
