/** Titles of the agents whose sessions are imported. Product names are the same in all languages. */
export const agentTitles = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  'copilot-chat': 'Copilot Chat',
  'copilot-cli': 'Copilot CLI',
  opencode: 'opencode',
  cline: 'Cline',
  'roo-code': 'Roo Code',
  'kilo-code': 'Kilo Code',
  pi: 'Pi',
  'qwen-code': 'Qwen Code',
  opentelemetry: 'OpenTelemetry',
  'another-agent': 'Another Agent',
} as const;
