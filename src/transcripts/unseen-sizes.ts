/** Tokens of each request that are not in an agent's session files, measured with one version. */
export interface UnseenSizes {
  /** Version of the agent that was measured. */
  readonly version: string;
  /** Tokens of the system prompt and its instructions; 0 if the files contain them. */
  readonly system: number;
  /** Tokens of the tool definitions. */
  readonly tools: number;
}

/**
 * Sizes by agent id, in tokens of `o200k_base`. They were counted in a request to a scripted model, with the agent's
 * own tools and without servers. `npm run agents` writes them, and `docs/agents.md` lists them.
 */
export const unseenSizes: Readonly<Record<string, UnseenSizes>> = {
  'claude-code': { version: '2.1.197', system: 5_531, tools: 18_735 },
  cline: { version: '3.0.65', system: 0, tools: 3_623 },
  codex: { version: '0.169.0', system: 0, tools: 1_941 },
  'copilot-cli': { version: '1.0.102', system: 0, tools: 5_743 },
  'gemini-cli': { version: '0.61.0', system: 4_732, tools: 4_890 },
  'kilo-code': { version: '7.7.9', system: 2_816, tools: 9_604 },
  opencode: { version: '1.18.33', system: 2_020, tools: 4_414 },
  pi: { version: '0.73.1', system: 542, tools: 634 },
  'qwen-code': { version: '0.15.10', system: 7_785, tools: 8_629 },
};
