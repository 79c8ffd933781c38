import type { Agent } from './agent.ts';
import { claudeCode } from './definitions/claude-code.ts';
import { cline } from './definitions/cline.ts';
import { codex } from './definitions/codex.ts';
import { copilotCli } from './definitions/copilot-cli.ts';
import { geminiCli } from './definitions/gemini-cli.ts';
import { kiloCode } from './definitions/kilo-code.ts';
import { opencode } from './definitions/opencode.ts';
import { piAgent } from './definitions/pi.ts';
import { qwenCode } from './definitions/qwen-code.ts';

/** All agents, in the order in which the page lists them. */
export const agents: readonly Agent[] = [
  codex,
  opencode,
  geminiCli,
  qwenCode,
  kiloCode,
  piAgent,
  cline,
  claudeCode,
  copilotCli,
];
