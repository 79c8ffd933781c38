import { type Agent, serverAddress } from '../agent.ts';

const program = '/opt/agent/node_modules/@anthropic-ai/claude-code-linux-x64/claude';
const claude = [program, '--model', 'claude-sonnet-4-5', '--dangerously-skip-permissions', '--print'];

export const claudeCode: Agent = {
  id: 'claude-code',
  title: 'Claude Code',
  version: '2.1.197',
  packages: ['@anthropic-ai/claude-code@2.1.197', '@anthropic-ai/claude-code-linux-x64@2.1.197'],
  foundAs: 'claude-code',
  connects: 'claude-code',
  environment: {
    ANTHROPIC_BASE_URL: serverAddress,
    ANTHROPIC_API_KEY: 'none',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  },
  compactingEnvironment: {
    CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000',
    CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '60',
  },
  files: { '.claude/settings.json': '{\n  "permissions": { "deny": ["Bash(rm:*)"] }\n}\n' },
  prepare: [program, 'mcp', 'list'],
  sessionFiles: '.claude/projects/**/*.jsonl',
  sessionId: /projects\/[^/]+\/([0-9a-f-]{36})\.jsonl$/,
  script: {
    delegateArguments: { subagent_type: 'general-purpose', description: 'count lines' },
    fullAt: 95_000,
  },
  turns: {
    first: ({ prompt }) => [...claude, prompt],
    resumed: ({ prompt, session }) => [...claude, '--resume', session, prompt],
    compacted: ({ session }) => [...claude, '--resume', session, '/compact'],
    afterwards: ({ prompt, session }) => [...claude, '--resume', session, prompt],
    forked: ({ prompt, session }) => [...claude, '--resume', session, '--fork-session', prompt],
  },
  cannot: [],
};
