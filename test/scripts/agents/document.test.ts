import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../scripts/agents/agent.ts';
import { agentsDocument, unseenRows } from '../../../scripts/agents/document.ts';
import type { AgentMeasure } from '../../../scripts/agents/measure-run.ts';

const agent: Agent = {
  id: 'codex',
  title: 'Agent',
  version: '1.2.3',
  packages: [],
  foundAs: 'codex',
  connects: 'codex',
  files: {},
  sessionFiles: '*',
  turns: { first: () => [] },
  cannot: ['It cannot fly.'],
};

const measure: AgentMeasure = {
  agent,
  request: { tools: 4000, system: 3000, messages: 1000 },
  bare: { tools: 3500, system: 2900, messages: 10 },
  session: {
    file: '~/a.jsonl',
    counted: { tools: 0, system: 3000, messages: 990 },
    missing: ['tools'],
    fullness: { tokens: 8050, basis: 'reported', alternatives: [], unseen: { tokens: 3990 } },
    named: 0.9975,
    real: 8060,
    unreported: 7500,
    commands: { failed: 3, forbiddenRan: true },
  },
  compactions: { made: 2, found: 1 },
  subAgents: { made: 0, found: 0 },
  rejected: true,
  asked: true,
  givenBack: { compactions: 2, times: 1, request: 1, role: 'system' },
  config: [
    { path: '~/a.json', isRestored: true, isRewritten: false, isGone: true },
    { path: '~/b.json', isRestored: false, isRewritten: true, isGone: true },
    { path: '~/c.json', isRestored: false, isRewritten: false, isGone: false },
  ],
  failures: ['The turn “forked” ended with code 1.'],
};

const page = agentsDocument([{ agent, outcome: measure }], '2026-11-26');

describe('the page about agents', () => {
  it('lists the parts of the request, of the file and of our report', () => {
    expect(page).toContain('| Agent 1.2.3 | 4,000 | 3,000 | 1,000 | no tools | 3,990 | 3,990 | 99.7% |');
  });

  it('states the error of our count with and without a report of the agent', () => {
    expect(page).toContain('| Agent 1.2.3 | 8,060 | 8,050 (reported) | −0.1% | 7,500 | −6.9% |');
  });

  it('states how many events happened, and how many of them we found', () => {
    expect(page).toContain(
      '| Agent 1.2.3 | exit code 3 | rejected, listed as run | 1 of 2 | – | yes | after 2 of 2, once each, in instructions, in request 1 ',
    );
  });

  it('states whether each configuration file was restored', () => {
    expect(page).toContain(
      '`~/a.json`: byte for byte; `~/b.json`: rewritten by the agent, nothing of ours in it; `~/c.json`: something of ours is left',
    );
  });

  it('lists what an agent cannot do, what failed, and what did not run', () => {
    const failed = agentsDocument([{ agent, outcome: { failure: 'no space' } }], '2026-11-26');
    expect(page).toContain('- **Agent**: It cannot fly.\n- **Agent**: The turn “forked” ended with code 1.');
    expect(failed).toContain('- **Agent 1.2.3** did not run: no space');
  });

  it('reports, instead of numbers, that our readers found no session', () => {
    const { session: _session, ...unread } = measure;
    const table = agentsDocument([{ agent, outcome: unread }], '2026-11-26');
    expect(table).toContain('| Agent 1.2.3 | 4,000 | 3,000 | 1,000 | not read | – |');
    expect(unseenRows([unread])).toEqual({});
  });

  it("lists the tokens of a request that are missing from the files, except our server's", () => {
    expect(unseenRows([measure])).toEqual({ codex: { version: '1.2.3', system: 0, tools: 3500 } });
    expect(page).toContain('| `codex` | 1.2.3 | 3,500 | 0 |');
  });
});
