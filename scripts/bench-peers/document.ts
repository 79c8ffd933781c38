import { percentText } from '../../src/language/percent.ts';
import { markdown, medianOf } from '../bench/tables.ts';
import type { SessionMeasure } from './engine-run.ts';
import type { KeptFacts, Share } from './kept.ts';

/** One engine and what came of it. */
export interface EngineResult {
  readonly title: string;
  /** `name@version` of its package; left out for ours. */
  readonly source?: string;
  /** Its settings in this run, in a few words. */
  readonly settings: string;
  /** Its strengths that the figures do not show. */
  readonly strength?: string;
  /** On each session; why there is nothing, where it could not be installed or run. */
  readonly outcome: readonly SessionMeasure[] | { readonly failure: string };
}

export interface PeersReport {
  /** The first of ours is what the peers are compared with. */
  readonly ours: readonly EngineResult[];
  readonly peers: readonly EngineResult[];
  /** ISO 8601, the day. */
  readonly date: string;
  /** Tokens. */
  readonly window: number;
}

const columns = [
  'engine',
  'left',
  'needed later: files',
  'commands',
  'all files',
  'all commands',
  'error lines',
  'typed messages',
  'newest message',
  'invalid',
  'CPU',
];

const intro = `# Comparison with other engines

Results of other projects' engines and ours on the same sessions. Written by \`npm run bench:peers\`; please do not edit it by hand.`;

const howToRead = `## How to read it

- **The same for all**: each session is cut at 60% of its messages, and every engine gets what is before the cut: results directly behind their calls, no call without a result, every id used once, no visible thinking. Each has its own message format; it is converted before the clock starts and back after it has stopped.
- **Left**: tokens of the view against those before, all sessions together, counted with one counter (o200k). Engines that come down to a size have half of the window as theirs; several have none and keep a number of messages instead, so that what they leave depends on the session.
- **Needed later**: of the files and commands that calls behind the cut use and calls before it had used, those whose text still stands in the view. **All** is the same for everything that calls before the cut used. Presence is not comprehension: it is what a model would need at the least.
- **Error lines**: of the lines of tool results that report an error, and were not gone when the same call was made again, those that still stand in the view word for word. The probe has an extractor of its own.
- **Typed messages**, **newest message**: those a person typed, word for word, and the newest of them in each session. As the sessions have it: some record slash commands, what these expand to, and interruptions as typed, and they count as such here.
- **Invalid**: views that a strict endpoint refuses (a result without its call, a call without its result, nothing left at all, which also makes the row's share of tokens look small) or that begin with the assistant where the session began with a person. This is what the engine's own function hands back; the framework around it may still repair it.
- **CPU**: of one compaction, against the first row, which runs in turns with it in the same process; the median of five runs, and of all sessions. 0.5 is half of our time. Ours knows the tokens of each message beforehand, as in a chat, where messages are counted as they arrive; the row "nothing counted before" shows what it takes without. The peers estimate tokens from characters while they run, or need none; one writes what it takes out into files meanwhile. Ours also writes the record that diff, undo and restore are made of, and checks the view before it is applied.
- **With a model**: no model ran. An engine that wants one got a stub that says one sentence, so its row shows what survives whatever the model says: unfair as a verdict on its summaries. Our own summary has the offline summariser, which chooses sentences and never words them; anchored summary and ladder have it as well.
- The sessions are of agents that code. In a chat without tools, engines that hide results have nothing to hide.`;

const reproduce = `## How to reproduce

\`npm run bench:peers\` installs the packages below into \`out/peers\`, runs each engine in a separate process and writes this file. It needs the sessions in \`../shared/transcripts/normalised\`, next to the project folder, and takes a few minutes. A package that cannot be installed, or an engine that fails, is reported in its row. Figures in the CPU column vary slightly between runs; all others are reproducible.`;

/** The whole of `docs/peers.md`, before Prettier. */
export function peersDocument(report: PeersReport): string {
  const sessions = [...report.ours, ...report.peers].map(measuresOf).find((measures) => measures.length > 0);
  const tokens = sumOf((sessions ?? []).map(({ tokensBefore }) => tokensBefore));
  const measured = `Measured on ${report.date}: ${sessions?.length ?? 0} sessions of other agents, ${Math.round(tokens / 1000).toLocaleString('en')}k tokens before compaction, a window of ${report.window / 1000}k.`;
  return `${[
    intro,
    measured,
    resultTable(report),
    howToRead,
    strengths(report),
    reproduce,
    settingsList(report),
  ].join('\n\n')}\n`;
}

/** Ours first, then the peers; what is missing says why. */
export function resultTable({ ours, peers }: Pick<PeersReport, 'ours' | 'peers'>): string {
  return markdown(columns, [
    ...ours.map((result) => row(result, `**${result.title}**`)),
    ...peers.map((result) => row(result, result.title)),
  ]);
}

function row(result: EngineResult, title: string): readonly string[] {
  if ('failure' in result.outcome) {
    return [title, cell(result.outcome.failure), ...columns.slice(2).map(() => '–')];
  }
  const figures = figuresOf(result.outcome);
  return [
    title,
    `${figures.left.toFixed(1)}%`,
    ...[
      figures.neededFiles,
      figures.neededCommands,
      figures.files,
      figures.commands,
      figures.errorLines,
      figures.typedMessages,
    ].map(percent),
    `${figures.newestMessage.kept} of ${figures.newestMessage.total}`,
    refusalText(result.outcome),
    figures.cpu < 0.01 ? '< 0.01' : figures.cpu.toFixed(2),
  ];
}

type ShareName = Exclude<keyof KeptFacts, 'refusals'>;
type Figures = Readonly<Record<ShareName, Share>> & {
  /** Tokens left, in percent. */
  readonly left: number;
  /** Against the reference. */
  readonly cpu: number;
};

function figuresOf(measures: readonly SessionMeasure[]): Figures {
  const together = (name: ShareName): Share => ({
    kept: sumOf(measures.map(({ kept }) => kept[name].kept)),
    total: sumOf(measures.map(({ kept }) => kept[name].total)),
  });
  const after = sumOf(measures.map(({ tokensAfter }) => tokensAfter));
  const before = sumOf(measures.map(({ tokensBefore }) => tokensBefore));
  const ran = measures.filter(({ failure }) => failure === undefined);
  return {
    left: (after / before) * 100,
    neededFiles: together('neededFiles'),
    neededCommands: together('neededCommands'),
    files: together('files'),
    commands: together('commands'),
    errorLines: together('errorLines'),
    typedMessages: together('typedMessages'),
    newestMessage: together('newestMessage'),
    cpu: medianOf(ran.map(({ cpu, referenceCpu }) => cpu / referenceCpu)),
  };
}

/** The number of refused views with their reasons, and of sessions on which the engine threw. */
function refusalText(measures: readonly SessionMeasure[]): string {
  const refused = measures.filter(({ kept }) => kept.refusals.length > 0);
  const reasons = [...new Set(refused.flatMap(({ kept }) => kept.refusals))].toSorted();
  const failed = measures.filter(({ failure }) => failure !== undefined).length;
  const told = refused.length === 0 ? '0' : `${refused.length} (${reasons.join(', ')})`;
  return failed === 0 ? told : `${told}; failed on ${failed}`;
}

/** The strengths of each peer against our first row: in the figures, and beyond them. */
function strengths({ ours: [ours], peers }: PeersReport): string {
  const heading = `## Where each does better than ours\n\nAgainst ${ours?.title ?? 'ours'}, with figures in the peer's favour, and strengths that the figures do not show.`;
  const reference = figuresIn(ours);
  const lines = peers.map((peer) => {
    const figures = figuresIn(peer);
    const better = reference === undefined || figures === undefined ? [] : advantages(figures, reference);
    const told = better.length === 0 ? 'nothing in the figures.' : `${better.join(', ')}.`;
    return `- **${peer.title}**: ${figures === undefined ? 'not measured.' : told} ${peer.strength ?? ''}`.trim();
  });
  return `${heading}\n\n${lines.join('\n')}`;
}

function advantages(figures: Figures, reference: Figures): readonly string[] {
  const keeps = (name: ShareName, what: string) =>
    shareOf(figures[name]) > shareOf(reference[name])
      ? [`keeps more ${what} (${percent(figures[name])} against ${percent(reference[name])})`]
      : [];
  return [
    ...(figures.left < reference.left
      ? [`leaves fewer tokens (${figures.left.toFixed(1)}% against ${reference.left.toFixed(1)}%)`]
      : []),
    ...keeps('neededFiles', 'of the files needed later'),
    ...keeps('neededCommands', 'of the commands needed later'),
    ...keeps('files', 'of all files'),
    ...keeps('commands', 'of all commands'),
    ...keeps('errorLines', 'error lines'),
    ...keeps('typedMessages', 'typed messages'),
    ...(figures.cpu < 1
      ? [`takes ${figures.cpu < 0.01 ? 'under 1' : Math.round(figures.cpu * 100)}% of the time`]
      : []),
  ];
}

function settingsList({ ours, peers }: PeersReport): string {
  const lines = [...ours, ...peers].map(
    ({ title, source, settings }) =>
      `- ${title}${source === undefined ? '' : `, \`${source}\``}: ${settings}`,
  );
  return `Settings of each engine:\n\n${lines.join('\n')}`;
}

function figuresIn(result: EngineResult | undefined): Figures | undefined {
  const measures = result === undefined ? [] : measuresOf(result);
  return measures.length === 0 ? undefined : figuresOf(measures);
}

function measuresOf({ outcome }: EngineResult): readonly SessionMeasure[] {
  return 'failure' in outcome ? [] : outcome;
}

function shareOf({ kept, total }: Share): number {
  return total === 0 ? 0 : kept / total;
}

/** Rounded down, so that 100% means all. */
function percent(share: Share): string {
  return share.total === 0 ? '–' : percentText(shareOf(share), 'en', { decimals: 1, roundsDown: true });
}

/** Text that ends no cell early. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/gu, ' ');
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
