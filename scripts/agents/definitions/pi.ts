import { type Agent, serverAddress } from '../agent.ts';
import { lineConversation } from '../line-client.ts';
import { serverWindow } from '../server/model-server.ts';

const pi = ['pi', '--provider', 'stub', '--model', 'stub-model'];

export const piAgent: Agent = {
  id: 'pi',
  title: 'Pi',
  version: '0.73.1',
  packages: ['@mariozechner/pi-coding-agent@0.73.1'],
  licence: 'MIT',
  foundAs: 'pi',
  environment: { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' },
  files: {
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        stub: {
          baseUrl: `${serverAddress}/v1`,
          api: 'openai-completions',
          apiKey: 'none',
          models: [
            {
              ...{ id: 'stub-model', name: 'Stub', reasoning: false, input: ['text'] },
              cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              ...{ contextWindow: serverWindow, maxTokens: 8_000 },
            },
          ],
        },
      },
    }),
    // By default, pi keeps more tokens verbatim than a short session has.
    '.pi/agent/settings.json': JSON.stringify({ compaction: { keepRecentTokens: 200 } }),
  },
  sessionFiles: '.pi/agent/sessions/**/*.jsonl',
  sessionId: /_([0-9a-f-]{36})\.jsonl$/,
  script: { fullAt: 125_000, isFullAtEnd: true },
  turns: {
    first: ({ prompt }) => [...pi, '--print', prompt],
    resumed: ({ prompt, session }) => [...pi, '--session', session, '--print', prompt],
    // Pi does not compact the same messages twice.
    compacted: ({ session }) =>
      lineConversation(
        [
          { send: { type: 'prompt', message: 'Go on.' }, until: '"type":"agent_end"' },
          { send: { type: 'compact' }, until: '"command":"compact"' },
        ],
        [...pi, '--session', session, '--mode', 'rpc'],
      ),
    afterwards: ({ prompt, session }) => [...pi, '--session', session, '--print', prompt],
    forked: ({ prompt, session }) => [...pi, '--fork', session, '--print', prompt],
  },
  cannot: [
    'Pi has no built-in permissions, sub-agents or MCP servers, so nothing is rejected, delegated or asked.',
  ],
};
