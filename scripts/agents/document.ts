import { format } from '../../src/insights/export/record-export.ts';
import { percentText } from '../../src/language/percent.ts';
import type { UnseenSizes } from '../../src/transcripts/unseen-sizes.ts';
import { markdown } from '../bench/tables.ts';
import type { Agent } from './agent.ts';
import { type AgentMeasure, type Found, type GivenBack, unseenOf } from './measure-run.ts';
import { totalOf } from './server/request-sizes.ts';

/** An agent and the result of its run. */
export interface AgentResult {
  readonly agent: Agent;
  /** The measurements of the run, or the reason why the run failed. */
  readonly outcome: AgentMeasure | { readonly failure: string };
}

const intro = `# Real agents, and our numbers next to theirs

Current agents, each run through the same turns, and the results of our readers, hooks and server. Written by \`npm run agents\`; do not edit it by hand.`;

const method = `## How it is measured

- **No model, no network.** Each agent is installed in the version named here, and runs in a sandbox with its own home folder; its only network is loopback. There, a scripted server speaks chat completions, responses, messages and generateContent. It makes real tool calls, and records every request: what the model would have seen.
- **The turns.** The first task has reads, an edit, a failing command and a forbidden one, a sub-agent, and a question to our server. Then the session is resumed, and the server reports a request so large that the agent compacts automatically. Next, a compaction is requested. The session is resumed once more; this request is measured. Finally, the session is forked.
- **Tokens** are counted with o200k for every agent, plus three for the framing of each message. The server reports the same number as usage, except where it makes the agent compact.
- **Not in the file** is everything that the agent writes to no session file. Only a provider’s report, or a measurement like this one, reveals it.
- **Without a report** is our count plus the sizes in the table above, as shown for an agent that has not reported anything yet. That table does not include our server’s tools.
- **Correctly named** is the share of the last request that we assign to the right kind: tool definitions, instructions, messages, or not in the file. A token in the wrong kind counts as not named, and so does a token that was not sent.`;

/** Renders `docs/agents.md`. */
export function agentsDocument(results: readonly AgentResult[], date: string): string {
  const measured = results.flatMap(({ outcome }) => ('failure' in outcome ? [] : [outcome]));
  const failed = results.flatMap(({ agent, outcome }) =>
    'failure' in outcome ? [`- **${titleOf(agent)}** did not run: ${outcome.failure}`] : [],
  );
  return [
    intro,
    `Measured on ${date}.`,
    '## What a request contains, and what we report',
    requestTable(measured),
    '## How full the context is, with and without a report',
    fullnessTable(measured),
    '## What happened, and what we found',
    eventTable(measured),
    '## What session files lack',
    'Tokens of each request that its session files do not contain: the agent’s own tool definitions and instructions, with no server connected.',
    unseenTable(measured),
    method,
    '## What could not be run',
    [...failed, ...results.flatMap(({ agent, outcome }) => limitsOf(agent, outcome)), ...notRun].join('\n'),
    '',
  ].join('\n\n');
}

/** Agents that cannot be run with a program from the npm registry. */
const notRun = [
  '- **Copilot Chat** runs only in an editor, with an account. Its formats are read as its published sources describe them; nothing is measured here.',
  '- **Roo Code** has no program on the npm registry that runs without an editor.',
];

function requestTable(measures: readonly AgentMeasure[]): string {
  const rows = measures.map(({ agent, request, session }) => {
    const real = [request.tools, request.system, request.messages].map(format);
    if (session === undefined) return [titleOf(agent), ...real, 'not read', '–', '–', '–'];
    const { counted, missing, fullness, named } = session;
    return [
      titleOf(agent),
      ...real,
      missing.length === 0 ? 'everything' : `no ${missing.map((part) => partNames[part]).join(', no ')}`,
      format(totalOf(counted)),
      format(fullness.unseen?.tokens ?? 0),
      percentText(named, 'en', { decimals: 1, roundsDown: true }),
    ];
  });
  const heading = [
    'agent',
    'tools',
    'instructions',
    'messages',
    'its file shows',
    'we count',
    'we report as not in the file',
    'correctly named',
  ];
  return markdown(heading, rows);
}

/** Table of the reported and the actual tokens in the last request and its reply. */
function fullnessTable(measures: readonly AgentMeasure[]): string {
  const rows = measures.flatMap(({ agent, session }) => {
    if (session === undefined) return [];
    const { fullness, real, unreported } = session;
    return [
      [
        titleOf(agent),
        format(real),
        `${format(fullness.tokens)} (${fullness.basis})`,
        differenceText(fullness.tokens, real),
        format(unreported),
        differenceText(unreported, real),
      ],
    ];
  });
  return markdown(['agent', 'actual', 'we report', 'off by', 'without a report', 'off by'], rows);
}

function differenceText(said: number, real: number): string {
  const share = Math.abs(said - real) / real;
  const sign = said === real ? '' : said < real ? '−' : '+';
  return `${sign}${percentText(share, 'en', { decimals: 1 })}`;
}

const partNames = { system: 'instructions', tools: 'tools' } as const;

function eventTable(measures: readonly AgentMeasure[]): string {
  const rows = measures.map((measure) => {
    const { agent, compactions, subAgents, asked, givenBack, config } = measure;
    return [
      titleOf(agent),
      ...commandTexts(measure),
      ofAll(compactions),
      ofAll(subAgents),
      asked ? 'yes' : 'no',
      agent.connects === undefined ? 'cannot be connected' : backText(givenBack, compactions),
      config.length === 0 ? '–' : config.map(configText).join('; '),
    ];
  });
  const heading = [
    'agent',
    'failed command',
    'forbidden command',
    'compactions',
    'sub-agents',
    'asked our server',
    'facts given back',
    'configuration after disconnecting',
  ];
  return markdown(heading, rows);
}

function commandTexts({ session, rejected }: AgentMeasure): readonly [failed: string, forbidden: string] {
  if (session === undefined) return ['–', '–'];
  const { failed, forbiddenRan } = session.commands;
  const said = forbiddenRan ? 'listed as run' : 'not listed as run';
  return [
    typeof failed === 'number'
      ? `exit code ${failed}`
      : failed === 'failed'
        ? 'listed as failed'
        : 'listed without its end',
    rejected ? `rejected, ${said}` : `ran, ${said}`,
  ];
}

function ofAll({ made, found }: Found): string {
  return made === 0 && found === 0 ? '–' : `${found} of ${made}`;
}

function backText(given: GivenBack | undefined, { made }: Found): string {
  if (given === undefined) return 'no';
  const often = given.times === 1 ? 'once each' : `up to ${given.times} times each`;
  const where =
    { system: 'instructions', user: 'the user’s message', assistant: 'a reply', tool: 'a tool’s result' }[
      given.role
    ] ?? given.role;
  return `after ${given.compactions} of ${made}, ${often}, in ${where}, in request ${given.request} after it`;
}

function configText({ path, isRestored, isRewritten, isGone }: AgentMeasure['config'][number]): string {
  if (isRestored) return `\`${path}\`: byte for byte`;
  if (isGone && isRewritten) return `\`${path}\`: rewritten by the agent, nothing of ours in it`;
  return `\`${path}\`: ${isGone ? 'changed, nothing of ours in it' : 'something of ours is left'}`;
}

/** Agent id → row in the table of unseen sizes. */
export function unseenRows(measures: readonly AgentMeasure[]): Readonly<Record<string, UnseenSizes>> {
  return Object.fromEntries(
    measures.flatMap((measure) => {
      const sizes = unseenOf(measure);
      return sizes === undefined ? [] : [[measure.agent.id, sizes] as const];
    }),
  );
}

function unseenTable(measures: readonly AgentMeasure[]): string {
  const rows = Object.entries(unseenRows(measures)).map(([id, { version, tools, system }]) => {
    return [`\`${id}\``, version, format(tools), format(system)];
  });
  return markdown(['id', 'version', 'tools', 'instructions'], rows);
}

function limitsOf(agent: Agent, outcome: AgentResult['outcome']): readonly string[] {
  const failures = 'failure' in outcome ? [] : outcome.failures;
  return [...agent.cannot, ...failures].map((sentence) => `- **${agent.title}**: ${sentence}`);
}

function titleOf({ title, version }: Agent): string {
  return `${title} ${version}`;
}
