import type { agentTitles } from '../language/agent-titles.ts';

type KnownClient = keyof typeof agentTitles;

/** Beginnings of the products in user agents, in lower case. */
const products: readonly (readonly [RegExp, KnownClient])[] = [
  [/^claude-cli\/|claude-code/u, 'claude-code'],
  [/^codex[_-]|codex_cli/u, 'codex'],
  [/geminicli|gemini-cli/u, 'gemini-cli'],
  [/qwencode|qwen-code/u, 'qwen-code'],
  [/kilo/u, 'kilo-code'],
  [/roo-?code/u, 'roo-code'],
  [/cline/u, 'cline'],
  [/opencode/u, 'opencode'],
  [/githubcopilotchat/u, 'copilot-chat'],
  [/copilot/u, 'copilot-cli'],
  [/^pi(?:-coding-agent)?\//u, 'pi'],
];

/** Beginnings of the system prompts of agents that send the user agent of a library. */
const prompts: readonly (readonly [RegExp, KnownClient])[] = [
  [/^You are the GitHub Copilot CLI\b/u, 'copilot-cli'],
  [/^You are Cline,/u, 'cline'],
  [/^You are an expert coding assistant operating inside pi,/u, 'pi'],
];

/** Returns the id of the agent that sent a request; undefined for another program. */
export function clientOf(userAgent: string | undefined, systemPrompt: string): KnownClient | undefined {
  const name = userAgent?.toLowerCase() ?? '';
  const found =
    products.find(([product]) => product.test(name)) ?? prompts.find(([prompt]) => prompt.test(systemPrompt));
  return found?.[1];
}
