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

- **The same for all**: each session is cut at 60% of its messages, and every engine gets the part before the cut: results directly after their calls, no call without a result, every id used once, no visible thinking. Each has its own message format; conversion is not timed.
- **Left**: tokens after compaction as a share of those before, over all sessions, counted with one tokenizer (o200k). Engines with a target size get half of the window; several have no target and keep a number of messages instead, so their result depends on the session.
- **Needed later**: of the files and commands that calls before the cut used and calls after it use again, the share whose text is still in the view. **All** is the same for everything that calls before the cut used. Presence is not comprehension: it is the least a model would need.
- **Error lines**: of the lines of tool results that report an error, and did not disappear when the same call was repeated, the share that is still in the view word for word. The measure has its own extractor.
- **Typed messages**, **newest message**: messages the user typed that are kept word for word, and the newest of them in each session. This follows the session files: some record slash commands, their expansion, and interruptions as typed, and they count as such here.
- **Invalid**: views that a strict endpoint refuses (a result without its call, a call without its result, nothing left at all, which also makes the row's share of tokens look small) or that begin with the assistant although the session began with the user. This is the output of the engine's own function; the framework around it may still repair it.
- **CPU**: CPU time of one compaction relative to the first row, which alternates with it in the same process; the median of five runs and of all sessions. 0.5 is half of our time. Ours knows the tokens of each message in advance, as in a chat, where messages are counted as they arrive; the row "nothing counted before" shows the time without. The peers estimate tokens from characters while they run, or need no count; one writes removed content to files. Ours also writes the record that diff, undo and restore use, and checks the view before it is applied.
- **With a model**: no model ran. An engine that needs one got a stub that returns one sentence, so its row shows what survives regardless of the model, and does not judge its summaries. Our own summary uses the offline summariser, which selects sentences and never writes its own; anchored summary and ladder use it as well.
- The sessions come from coding agents. In a chat without tools, engines that hide results have nothing to hide.`;

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
