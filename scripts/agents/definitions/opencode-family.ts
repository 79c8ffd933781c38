import { type Agent, serverAddress, serverCommand } from '../agent.ts';
import { serverWindow } from '../server/model-server.ts';

/** Configuration of opencode. The command line of Kilo Code also understands it. */
function configText(more: object = {}): string {
  const stub = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Stub',
    options: { baseURL: `${serverAddress}/v1`, apiKey: 'none' },
    models: { 'stub-model': { name: 'Stub', limit: { context: serverWindow, output: 8_000 } } },
  };
  const config = {
    autoupdate: false,
    share: 'disabled',
    model: 'stub/stub-model',
    small_model: 'stub/stub-model',
    permission: {
      edit: 'allow',
      bash: { '*': 'allow', 'rm *': 'deny' },
      webfetch: 'deny',
      external_directory: 'allow',
    },
    provider: { stub },
    ...more,
  };
  return JSON.stringify(config, null, 2);
}

export const opencodeConfig = configText();
export const opencodeServerConfig = configText({
  mcp: { 'context-budget': { type: 'local', command: serverCommand, enabled: true } },
});

/** @param program path of the program in the sandbox */
export function opencodeTurns(program: string): Agent['turns'] {
  return {
    first: ({ prompt }) => [program, 'run', prompt],
    resumed: ({ prompt }) => [program, 'run', '--continue', prompt],
    compacted: () => ['node', '/opt/context-budget/scripts/agents/summarise-session.ts', program],
    afterwards: ({ prompt }) => [program, 'run', '--continue', prompt],
    forked: ({ prompt }) => [program, 'run', '--continue', '--fork', prompt],
  };
}
