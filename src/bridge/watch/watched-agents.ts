import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { geminiCli } from './gemini-cli.ts';
import { kiloCli, opencode } from './opencode.ts';
import { qwenCode } from './qwen-code.ts';
import type { WatchedAgent } from './watched-agent.ts';

/** All agents that can be watched, in the order of the list. */
export const watchedAgents: readonly WatchedAgent[] = [
  claudeCode,
  codex,
  geminiCli,
  qwenCode,
  opencode,
  kiloCli,
  copilotCli,
];
