import { format } from '../../src/insights/export/record-export.ts';
import { percentText } from '../../src/language/percent.ts';
import type { UnseenSizes } from '../../src/transcripts/unseen-sizes.ts';
import { markdown } from '../bench/tables.ts';
import type { Agent } from './agent.ts';
import { type AgentMeasure, type Found, type GivenBack, unseenOf } from './measure-run.ts';
import { totalOf } from './server/request-sizes.ts';

/** An agent, and what came of its run. */
export interface AgentResult {
  readonly agent: Agent;
  /** Or why there is nothing. */
  readonly outcome: AgentMeasure | { readonly failure: string };
}

const intro = `# Real agents, and what we say of them

Agents of today, each run through the same turns, and what our readers, hooks and server made of it. Written by \`npm run agents\`; please do not edit it by hand.`;

const method = `## How it is measured

- **No model, no network.** Each agent is installed in the version that is named here, and runs in a sandbox with a home of its own and loopback as its only network. A scripted server speaks chat completions, responses, messages and generateContent there. It makes real tool calls, and writes down every request: what the model would have seen.
- **The turns.** A first task: reads, an edit, a command that fails, one that the configuration forbids, a sub-agent, a question to our server. The session is resumed, and the server reports so large a request that the agent compacts by itself. A compaction is asked for. The session is resumed once more; this request is measured. At last the session is forked.
- **Tokens** are counted with o200k, for every agent, with three for the frame of each message. The server reports the same number as usage, except where it makes the agent compact.
- **Not in the file** is what no session file of the agent holds, so that only the report of a provider, or a measurement like this one, tells of it.
- **Without a report** is our count and the sizes of the table below, as we say it where an agent has reported nothing yet. Our server’s tools are not in that table.
- **Named rightly** is the share of the last request that we call what it is: tool definitions, instructions, messages, and what is not in the file. A token under a wrong name counts as not named, and so does one that was not sent.`;

/** The page. */
export function agentsDocument(results: readonly AgentResult[], date: string): string {
  const measured = results.flatMap(({ outcome }) => ('failure' in outcome ? [] : [outcome]));
  const failed = results.flatMap(({ agent, outcome }) =>
    'failure' in outcome ? [`- **${titleOf(agent)}** did not run: ${outcome.failure}`] : [],
  );
  return [
    intro,
    `Measured on ${date}.`,
    '## What a request holds, and what we say',
    requestTable(measured),
    '## How full, by the last report and without one',
    fullnessTable(measured),
    '## What happened, and what we found of it',
    eventTable(measured),
    '## What session files lack',
    'Tokens of each request that are not in the files of its session: the agent’s own tool definitions and instructions, without any server connected.',
    unseenTable(measured),
    method,
    '## What could not be run',
    [...failed, ...results.flatMap(({ agent, outcome }) => limitsOf(agent, outcome)), ...notRun].join('\n'),
    '',
  ].join('\n\n');
}

/** Agents that no program of the npm registry stands for. */
const notRun = [
  '- **Copilot Chat** runs in an editor with an account only. Its formats are read as its published sources describe them; nothing of it is measured here.',
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
    'we say is not in the file',
    'named rightly',
  ];
  return markdown(heading, rows);
}

/** Said and real tokens of the last request and its reply. */
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
  return markdown(['agent', 'really', 'we say', 'off by', 'without a report', 'off by'], rows);
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
  const said = forbiddenRan ? 'told as run' : 'not told as run';
  return [
    typeof failed === 'number'
      ? `exit code ${failed}`
      : failed === 'failed'
        ? 'told as failed'
        : 'told without its end',
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
  return `\`${path}\`: ${isGone ? 'not as it was, nothing of ours in it' : 'something of ours is left'}`;
}

/** The rows of the table of unseen sizes, by the ids of the agents. */
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
