import { type Agent, serverAddress } from '../agent.ts';
import { serverWindow } from '../server/model-server.ts';

const copilot = ['copilot', '--allow-all-tools', '--allow-all-paths', '--deny-tool', 'shell(rm)'];

export const copilotCli: Agent = {
  id: 'copilot-cli',
  title: 'Copilot CLI',
  version: '1.0.102',
  packages: ['@github/copilot@1.0.102'],
  foundAs: 'copilot-cli',
  connects: 'copilot',
  environment: {
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_BASE_URL: `${serverAddress}/v1`,
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_MODEL: 'stub-model',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(serverWindow),
  },
  files: {},
  sessionFiles: '.copilot/session-state/*/events.jsonl',
  sessionId: /session-state\/([^/]+)\//,
  script: {
    delegateArguments: { agent_type: 'general-purpose', description: 'count lines', mode: 'sync' },
    fullAt: 125_000,
  },
  turns: {
    first: ({ prompt }) => [...copilot, '--prompt', prompt],
    resumed: ({ prompt, session }) => [...copilot, `--resume=${session}`, '--prompt', prompt],
    compacted: ({ session }) => [...copilot, `--resume=${session}`, '--prompt', '/compact'],
    afterwards: ({ prompt, session }) => [...copilot, `--resume=${session}`, '--prompt', prompt],
  },
  cannot: ['Copilot CLI cannot fork a session.'],
};
