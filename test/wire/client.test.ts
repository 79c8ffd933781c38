import { expect, it } from 'vitest';
import { clientOf } from '../../src/wire/client.ts';

it.each([
  ['claude-cli/2.1.197 (external, sdk-cli)', 'claude-code'],
  ['codex_exec/0.169.0 (Debian 13.0.0; x86_64) dumb', 'codex'],
  ['GeminiCLI/0.61.0/gemini-2.5-pro (linux; x64)', 'gemini-cli'],
  ['QwenCode/0.15.10 (linux; x64)', 'qwen-code'],
  ['opencode/1.18.33', 'opencode'],
  ['Kilo-Code/7.7.9', 'kilo-code'],
  ['copilot/1.0.102', 'copilot-cli'],
  ['GitHubCopilotChat/0.30.0', 'copilot-chat'],
  ['Cline/3.0.65', 'cline'],
  ['curl/8.14.1', undefined],
  [undefined, undefined],
])('clientOf names the agent of %s', (userAgent, client) => {
  expect(clientOf(userAgent, 'You write code.')).toBe(client);
});

it.each([
  [
    'OpenAI/JS 5.20.1',
    'You are the GitHub Copilot CLI, a terminal assistant built by GitHub.',
    'copilot-cli',
  ],
  [
    'OpenAI/JS 6.26.0',
    'You are an expert coding assistant operating inside pi, a coding agent harness.',
    'pi',
  ],
  ['ai-sdk/openai-compatible/3.0.37 runtime/bun/1.3.13', 'You are Cline, an AI coding agent.', 'cline'],
  ['opencode/1.18.33', 'You are Cline, an AI coding agent.', 'opencode'],
  ['OpenAI/JS 5.20.1', 'Summarise the work of Cline.', undefined],
])('clientOf names the agent of %s by its system prompt "%s"', (userAgent, systemPrompt, client) => {
  expect(clientOf(userAgent, systemPrompt)).toBe(client);
});
