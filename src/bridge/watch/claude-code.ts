import { agentTitles } from '../../language/agent-titles.ts';
import { lastOf } from '../settings/agent-limits.ts';
import { agentConfigs } from '../settings/agent-settings.ts';
import { type WatchedAgent, plainWay } from './watched-agent.ts';

const usual = 'https://api.anthropic.com';
/** Services that the base URL does not concern. */
const otherServices = ['BEDROCK', 'VERTEX', 'FOUNDRY', 'MANTLE', 'ANTHROPIC_AWS'].map(
  (name) => `CLAUDE_CODE_USE_${name}`,
);

/** Claude Code. Sources: "Environment variables" and "Settings" in its documentation. */
export const claudeCode: WatchedAgent = {
  id: 'claude-code',
  title: agentTitles['claude-code'],
  program: 'claude',
  async wayOf(place) {
    const configs = await agentConfigs('claude-code', place, place.folder);
    const inFiles = (name: string) => lastOf(configs, ['env', name]);
    const valueOf = (name: string) => inFiles(name) ?? place.environment[name];
    if (otherServices.some((name) => isOn(valueOf(name)))) return undefined;
    const upstream = valueOf('ANTHROPIC_BASE_URL') || usual;
    return plainWay(upstream, (baseUrl) => {
      // Claude Code loads all tools of MCP servers at once if the host is not Anthropic's.
      const isSearched = upstream === usual && valueOf('ENABLE_TOOL_SEARCH') === undefined;
      const environment = {
        ANTHROPIC_BASE_URL: baseUrl,
        ...(isSearched && { ENABLE_TOOL_SEARCH: 'true' }),
      };
      // Variables in settings files win over the environment, and settings on the command line win over both.
      const isInFiles = inFiles('ANTHROPIC_BASE_URL') !== undefined;
      return { environment, args: isInFiles ? ['--settings', JSON.stringify({ env: environment })] : [] };
    });
  },
};

function isOn(value: unknown): boolean {
  return typeof value === 'string' && !/^(?:|0|false|no|off)$/iu.test(value);
}
