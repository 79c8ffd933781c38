import { type Agent, serverAddress } from '../agent.ts';
import { forbidden } from '../task.ts';

const gemini = ['gemini', '--yolo'];

export const geminiCli: Agent = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  version: '0.61.0',
  packages: ['@google/gemini-cli@0.61.0'],
  licence: 'Apache-2.0',
  foundAs: 'gemini-cli',
  connects: 'gemini-cli',
  environment: {
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: serverAddress,
    GEMINI_TELEMETRY_ENABLED: 'false',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_SANDBOX: 'false',
  },
  files: {
    '.gemini/settings.json': `{
  // A comment of the user
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
  "privacy": { "usageStatisticsEnabled": false },
  "telemetry": { "enabled": false },
  "security": { "auth": { "selectedType": "gemini-api-key" }, "folderTrust": { "enabled": false } },
  "model": { "name": "gemini-2.5-pro", "compressionThreshold": 0.1 },
  "ui": { "hideTips": true }
}
`,
    '.gemini/policies/bench.toml': `[[rule]]
toolName = "run_shell_command"
commandPrefix = "${forbidden}"
decision = "deny"
priority = 900
`,
  },
  prepare: ['gemini', '--list-sessions'],
  sessionFiles: '.gemini/tmp/*/chats/**/*.jsonl',
  script: { delegateArguments: { agent_name: 'generalist' }, fullAt: 900_000 },
  turns: {
    first: ({ prompt }) => [...gemini, '--prompt', prompt],
    resumed: ({ prompt }) => [...gemini, '--resume', 'latest', '--prompt', prompt],
    afterwards: ({ prompt }) => [...gemini, '--resume', 'latest', '--prompt', prompt],
  },
  cannot: [
    'Gemini CLI cannot fork a session outside its terminal, and has no hook that can give facts back: only our server is connected.',
    'Its command for a compaction needs a terminal. Without one, it asks for a summary, does not use it, and sends the command as a message.',
    'Each time it is resumed, it adds the results of its calls to its history again, and sends every copy; we count them once.',
  ],
};
