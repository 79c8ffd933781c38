import { type Agent, serverAddress, serverCommand } from '../agent.ts';

const qwen = ['qwen', '--yolo'];
const [command, ...args] = serverCommand;

function settings(more: object = {}): Readonly<Record<string, string>> {
  const given = {
    general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
    model: { name: 'stub-model' },
    permissions: { deny: ['Bash(rm *)'] },
    ...more,
  };
  return { '.qwen/settings.json': JSON.stringify(given, null, 2) };
}

export const qwenCode: Agent = {
  id: 'qwen-code',
  title: 'Qwen Code',
  version: '0.15.10',
  packages: ['@qwen-code/qwen-code@0.15.10'],
  licence: 'Apache-2.0',
  foundAs: 'qwen-code',
  environment: {
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${serverAddress}/v1`,
    OPENAI_MODEL: 'stub-model',
    QWEN_TELEMETRY_ENABLED: 'false',
  },
  files: settings(),
  serverFiles: settings({ mcpServers: { 'context-budget': { command, args, trust: true } } }),
  sessionFiles: '.qwen/projects/**/*.jsonl',
  script: {
    delegateArguments: { subagent_type: 'general-purpose', description: 'count lines' },
    fullAt: 125_000,
  },
  turns: {
    first: ({ prompt }) => [...qwen, prompt],
    resumed: ({ prompt }) => [...qwen, '--continue', prompt],
    compacted: () => [...qwen, '--continue', '--prompt', '/compress'],
    afterwards: ({ prompt }) => [...qwen, '--continue', prompt],
  },
  cannot: [
    'Qwen Code cannot fork a session outside its terminal, and does not record what its sub-agents say.',
  ],
};
