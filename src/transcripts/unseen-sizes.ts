/** Tokens of each request that an agent's session files lack, as one of its versions sent them. */
export interface UnseenSizes {
  /** The version of the agent that was measured. */
  readonly version: string;
  /** Of the system prompt and its instructions; 0 if the files hold them. */
  readonly system: number;
  /** Of the tool definitions. */
  readonly tools: number;
}

/**
 * The sizes by the id of the agent, in tokens of `o200k_base`: counted in the last request of a run against a scripted
 * model, with the agent's own tools and no server connected. Cline's are the difference of both counts, undivided.
 */
export const unseenSizes: Readonly<Record<string, UnseenSizes>> = {
  'claude-code': { version: '2.1.197', system: 5_841, tools: 19_751 },
  cline: { version: '3.0.65', system: 3_600, tools: 0 },
  codex: { version: '0.169.0', system: 0, tools: 4_571 },
  'copilot-cli': { version: '1.0.102', system: 0, tools: 6_303 },
  'gemini-cli': { version: '0.61.0', system: 5_296, tools: 5_878 },
  'kilo-code': { version: '7.7.9', system: 3_004, tools: 10_434 },
  opencode: { version: '1.18.33', system: 2_183, tools: 5_244 },
  pi: { version: '0.73.1', system: 588, tools: 634 },
  'qwen-code': { version: '0.15.10', system: 8_470, tools: 8_629 },
};
