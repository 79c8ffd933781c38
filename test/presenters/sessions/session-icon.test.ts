import { describe, expect, it } from 'vitest';
import { agentTitles } from '../../../src/language/agent-titles.ts';
import { sessionIcon } from '../../../src/presenters/sessions/session-icon.ts';
import type { FoundAgent } from '../../../src/transcripts/found-agents.ts';

const agents = Object.keys(agentTitles) as FoundAgent[];
const fullOf = (svg: string) => Number(/y="18" width="(?<width>[\d.]+)"/.exec(svg)?.groups?.['width']);

describe('the icon of a session', () => {
  it('is another drawing for each agent', () => {
    expect(new Set(agents.map((agent) => sessionIcon(agent, 'dark'))).size).toBe(agents.length);
  });

  it('has a bar that is as long as the window is full, but never longer than the icon', () => {
    const widths = [0, 0.5, 1, 1.4].map((share) =>
      fullOf(sessionIcon('codex', 'dark', { share, isLive: false })),
    );
    expect(widths).toEqual([0, 6.5, 13, 13]);
  });

  it('has no bar if the window is unknown', () => {
    expect(sessionIcon('codex', 'dark', { share: undefined, isLive: true })).not.toContain('<rect');
  });

  it('shows in colour that the agent is working, and has colours for light and dark themes', () => {
    const icons = [true, false].flatMap((isLive) =>
      (['dark', 'light'] as const).map((theme) => sessionIcon('pi', theme, { share: 0.5, isLive })),
    );
    expect(new Set(icons).size).toBe(4);
  });

  it('is an image that needs nothing from outside', () => {
    for (const agent of agents) {
      const svg = sessionIcon(agent, 'light', { share: 0.3, isLive: true });
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="16" height="22"/);
      expect(svg).not.toMatch(/href|url\(|style/);
    }
  });
});
