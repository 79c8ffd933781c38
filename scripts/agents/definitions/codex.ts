import { type Agent, serverAddress } from '../agent.ts';
import { lineConversation } from '../line-client.ts';

/** Command of a turn. Skips the question whether to trust hooks, because it needs a terminal. */
const exec = ['codex', 'exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust'];
/** Token count at which Codex compacts automatically. */
const limit = 150_000;

export const codex: Agent = {
  id: 'codex',
  title: 'Codex',
  version: '0.169.0',
  packages: ['@openai/codex@0.169.0'],
  licence: 'Apache-2.0',
  foundAs: 'codex',
  connects: 'codex',
  environment: { STUB_KEY: 'none' },
  files: {
    '.codex/config.toml': `# The user's own comment.
model = "gpt-5.5"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
model_context_window = 200000
model_auto_compact_token_limit = ${limit}

[analytics]
enabled = false

[model_providers.stub]
name = "stub"
base_url = "${serverAddress}/v1"
env_key = "STUB_KEY"
wire_api = "responses"
`,
    '.codex/rules/default.rules': 'prefix_rule(pattern = ["rm", "-rf"], decision = "forbidden")\n',
  },
  sessionFiles: '.codex/sessions/**/*.jsonl',
  sessionId: /([0-9a-f-]{36})\.jsonl$/,
  script: {
    // Codex waits for its sub-agents with a separate call.
    afterDelegation: [{ do: 'run', command: 'sleep 2' }],
    fullAt: limit + 40_000,
  },
  turns: {
    first: ({ prompt }) => [...exec, prompt],
    resumed: ({ prompt, session }) => [...exec, 'resume', session, prompt],
    compacted: ({ session }) =>
      lineConversation(
        [
          {
            send: {
              id: 1,
              method: 'initialize',
              params: { clientInfo: { name: 'bench', title: 'Bench', version: '1.0.0' } },
            },
            until: '"id":1',
          },
          { send: { id: 2, method: 'thread/resume', params: { threadId: session } }, until: '"id":2' },
          {
            send: { id: 3, method: 'thread/compact/start', params: { threadId: session } },
            until: 'turn/completed',
          },
        ],
        ['codex', 'app-server'],
      ),
    afterwards: ({ prompt, session }) => [...exec, 'resume', session, prompt],
    forked: ({ prompt, session }) => [...exec, 'fork', session, prompt],
  },
  cannot: [
    'Codex asks whether to trust hooks only in its terminal; the run passes the flag that trusts them.',
    'It has no command for a compaction outside its terminal; the run asks its server for editors (`codex app-server`). No flag makes that server trust our hooks, so the facts come back only after the other compaction.',
  ],
};
