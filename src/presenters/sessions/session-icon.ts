import type { FoundAgent } from '../../transcripts/found-agents.ts';

/** Our own line drawings for the agents, on a 16 × 16 grid. None of them is a logo. */
const drawings: Readonly<Partial<Record<FoundAgent, string>>> = {
  'claude-code': 'M8 2v12M2.8 5l10.4 6M13.2 5 2.8 11',
  codex: 'M8 1.8 13.4 5v6L8 14.2 2.6 11V5zM5.5 8h5',
  'gemini-cli': 'M10 8a3.8 3.8 0 1 1-7.6 0A3.8 3.8 0 0 1 10 8zM13.6 8A3.8 3.8 0 1 1 6 8a3.8 3.8 0 0 1 7.6 0z',
  'qwen-code': 'M13 7.5a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM9.5 9.5l4.5 4.5',
  pi: 'M2.5 4.5h11M5.5 4.5v9M10.5 4.5v7q0 2 2.5 2',
  'copilot-cli': 'M2 8l12-5.5-4.5 11L7 9zM2 14h3.5',
  'copilot-chat': 'M2 2.5h12v8.5H8L4.5 14v-3H2zM5 7h6',
  opencode: 'M5.5 3H3v10h2.5M10.5 3H13v10h-2.5M7 8h2',
  cline: 'M3 5h10v8H3zM8 5V2.5M6 8v1.5M10 8v1.5',
  'roo-code': 'M2 13.5C3 6 7 6 8 13.5 8.8 8.5 12 8 14 10M14 10l-3-.2M14 10l-.6-3',
  'kilo-code': 'M4 2.5v11M12 2.5 4 9M7 6.8l5.5 6.7',
  opentelemetry: 'M2 3.5h7M5 8h8M7.5 12.5H14',
};

/** Drawing for an agent without its own: a speech bubble. */
const anyAgent = 'M2.5 3.5h11v7.5H8L5 13.5V11H2.5z';

const colours = {
  dark: { line: '#cccccc', live: '#4daafc' },
  light: { line: '#424242', live: '#005fb8' },
} as const;

/** A kind of colour theme. Trees in VS Code take one icon for dark themes and one for light themes. */
export type IconTheme = keyof typeof colours;

/** Width of the bar in units of the icon, without its border. */
const barWidth = 13;

/** The fill of a session's window. */
export interface Fill {
  /** Share of the window that is full, from 0 to 1; undefined if unknown, which leaves out the bar. */
  readonly share: number | undefined;
  /** True if the agent is working in the session. Its bar has another colour. */
  readonly isLive: boolean;
}

/**
 * Draws an agent, with a bar below for the fill of its window. A tree has room for one icon in a row, 22 units high.
 *
 * @returns SVG of 16 × 22 units, or of 16 × 16 without `fill`
 */
export function sessionIcon(agent: FoundAgent, theme: IconTheme, fill?: Fill): string {
  const { line, live } = colours[theme];
  const height = fill === undefined ? 16 : 22;
  const drawing = `<path d="${drawings[agent] ?? anyAgent}" fill="none" stroke="${line}" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="${height}" viewBox="0 0 16 ${height}">${drawing}${barOf(fill, { line, live })}</svg>`;
}

function barOf(fill: Fill | undefined, { line, live }: { line: string; live: string }): string {
  if (fill?.share === undefined) return '';
  const width = Math.round(Math.min(1, Math.max(0, fill.share)) * barWidth * 2) / 2;
  const border = `<rect x="0.5" y="17" width="15" height="4" rx="1" fill="none" stroke="${line}" stroke-opacity="0.6"/>`;
  const filled = `<rect x="1.5" y="18" width="${width}" height="2" fill="${fill.isLive ? live : line}"/>`;
  return border + filled;
}
