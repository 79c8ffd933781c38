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
    const chosen = lastOf(configs, ['security', 'auth', 'selectedType']) ?? signInBy(variables);
    switch (chosen) {
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
        // The address of Vertex AI depends on project and region. Without a sign-in, a base URL would replace it.
        return undefined;
    }
  },
};

/** Returns the sign-in that Gemini CLI concludes from variables. */
function signInBy(variables: Readonly<Record<string, string | undefined>>): string | undefined {
  if (variables['GOOGLE_GENAI_USE_GCA'] === 'true') return 'oauth-personal';
  if (variables['GOOGLE_GENAI_USE_VERTEXAI'] === 'true') return 'vertex-ai';
  if (variables['GOOGLE_GEMINI_BASE_URL']) return 'gateway';
  return variables['GEMINI_API_KEY'] ? 'gemini-api-key' : undefined;
}
