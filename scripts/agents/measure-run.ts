import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { contextToolNames } from '../../src/bridge/server/tool-names.ts';
import { createMeter } from '../../src/cli/measuring.ts';
import { factsOfModel } from '../../src/compaction/budget/model-table.ts';
import { extractLedger } from '../../src/compaction/ledger/extract.ts';
import { textOf, type Message } from '../../src/compaction/messages/message.ts';
import { sum } from '../../src/compaction/tokens/usage.ts';
import { sameToolsThroughout } from '../../src/compaction/transcript/transcript-entry.ts';
import { messagesOf, transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import {
  type Fullness,
  fullnessEvidenceOf,
  fullnessOf,
  missingParts,
} from '../../src/insights/context-fullness.ts';
import { createTimeline } from '../../src/insights/session-timeline.ts';
import type { ListedSession } from '../../src/presenters/import/found-sessions.ts';
import { SessionCatalogue } from '../../src/presenters/sessions/session-catalogue.ts';
import { readSessionText } from '../../src/presenters/import/session-text.ts';
import { openedLimits } from '../../src/transcripts/reading/read-limits.ts';
import { subAgentConversations } from '../../src/presenters/import/sub-agent-conversations.ts';
import { addForeignCompactions } from '../../src/transcripts/foreign-compactions.ts';
import { type ImportedTranscript, importTranscript } from '../../src/transcripts/import-transcript.ts';
import { knownAgent, sessionPlaces } from '../../src/transcripts/found-agents.ts';
import type { UnseenSizes } from '../../src/transcripts/unseen-sizes.ts';
import { type Agent, turnNames } from './agent.ts';
import type { FinishedRun } from './run-agent.ts';
import type { ConfigOutcome } from './run-record.ts';
import type { LoggedRequest } from './server/model-server.ts';
import { type RequestSizes, totalOf } from './server/request-sizes.ts';
import { wires } from './server/model-server.ts';
import { failure, forbidden, prompts, workFolder } from './task.ts';

/** The number of items in a run, and the number of them that our readers found. */
export interface Found {
  readonly made: number;
  readonly found: number;
}

/** All measurements of a run. Sizes are in tokens of `o200k_base`. */
export interface AgentMeasure {
  readonly agent: Agent;
  /** Sizes of the last request in the main session. */
  readonly request: RequestSizes;
  /** Sizes of the agent's first request, before our server was connected. */
  readonly bare: RequestSizes;
  /** Measurements of the session; undefined if our readers do not find it. `failures` then has the reason. */
  readonly session?: MeasuredSession;
  readonly compactions: Found;
  readonly subAgents: Found;
  /** True if the agent did not run the forbidden command. */
  readonly rejected: boolean;
  /** True if the agent called our server. */
  readonly asked: boolean;
  /** The facts that the agent returned after its compactions; undefined if it returned none. */
  readonly givenBack?: GivenBack;
  readonly config: readonly ConfigOutcome[];
  /** A sentence for each failure. */
  readonly failures: readonly string[];
}

/** Results of our readers for the main session. */
export interface MeasuredSession {
  readonly file: string;
  /** Our count of the part of the last request that is in the session's file. */
  readonly counted: RequestSizes;
  /** Parts of the request that the file lacks. */
  readonly missing: readonly ('system' | 'tools')[];
  readonly fullness: Fullness;
  /** Share of the tokens in the last request to which we assign the right kind, from 0 to 1. */
  readonly named: number;
  /** Actual tokens of the last request and its reply. */
  readonly real: number;
  /** Our count of the last request and its reply with the table of unseen sizes. Shown if there is no report. */
  readonly unreported: number;
  readonly commands: ToldCommands;
}

/** Commands of the run as our ledger lists them. */
export interface ToldCommands {
  /** Exit status of the failed command; `failed` without a known status, `unknown` if the failure is not known. */
  readonly failed: number | 'failed' | 'unknown';
  /** True if the ledger lists the forbidden command as run. */
  readonly forbiddenRan: boolean;
}

/** The return of facts to the context after compactions. */
export interface GivenBack {
  /** Number of compactions after which the facts were returned. */
  readonly compactions: number;
  /** Maximum number of copies of the facts in the first request that contains them. */
  readonly times: number;
  /** Number of requests from the compaction to the request with the facts. */
  readonly request: number;
  readonly role: string;
}

const meter = createMeter('o200k_base');
const heading = '# Facts from earlier in this session';
const signal = new AbortController().signal;

/** Compares a run with the results of our readers for its sessions. */
export async function measureRun(agent: Agent, run: FinishedRun): Promise<AgentMeasure> {
  const requests = requestsOf(run);
  const last = requests.findLast(({ kind }) => kind === 'main');
  const bare = turnRequests(run, 'bare').find(({ kind }) => kind === 'main');
  const failures = run.turns
    .filter(({ code }) => code !== 0)
    .map(({ name, code }) => `The turn “${name}” ended with code ${code}.`);
  const none = { tools: 0, system: 0, messages: 0 };
  const places = sessionPlaces({ home: run.home, platform: 'linux', environment: {} });
  const catalogue = new SessionCatalogue({ places, folders: [workFolder] });
  await catalogue.list();
  await catalogue.readAll();
  const found = await catalogue.all();
  const own = found.filter((session) => session.agent === agent.foundAs);
  const main = await mainSession(agent, own, failures);
  const made = summariesUsed(requests);
  const delegated = requests.some(({ kind }) => kind === 'sub-agent') ? 1 : 0;
  const givenBack = factsAfter(requests);
  return {
    agent,
    request: last?.sizes ?? none,
    bare: bare?.sizes ?? none,
    ...(main && last && { session: await measureSession(run, main, last) }),
    compactions: { made, found: main?.imported.compactions.length ?? 0 },
    subAgents: {
      made: delegated,
      found: main === undefined ? 0 : await subAgentsOf(main.session.path, main.imported, own),
    },
    // Nothing else in the run deletes this file.
    rejected: existsSync(join(run.home, 'project', 'src', 'legacy.ts')),
    asked: requests.some(({ reply }) => contextToolNames.some((name) => reply.tool?.endsWith(name))),
    ...(givenBack && { givenBack }),
    config: run.config,
    failures,
  };
}

/** Sizes of the parts that every request contains but the agent's files lack, without our server. */
export function unseenOf({ agent, bare, session }: AgentMeasure): UnseenSizes | undefined {
  if (session === undefined) return undefined;
  const sizeOf = (part: 'system' | 'tools') => (session.missing.includes(part) ? bare[part] : 0);
  return { version: agent.version, system: sizeOf('system'), tools: sizeOf('tools') };
}

/** Requests in the main session, without the requests of the fork. */
export function requestsOf(run: FinishedRun): readonly LoggedRequest[] {
  return turnNames.filter((name) => name !== 'forked').flatMap((name) => turnRequests(run, name));
}

function turnRequests({ turns, requests }: FinishedRun, name: string): readonly LoggedRequest[] {
  const turn = turns.find((one) => one.name === name);
  if (turn === undefined) return [];
  const [first, last] = turn.requests;
  return requests.filter(({ number }) => number >= first && number <= last);
}

/** A session that was read. */
export interface ReadMain {
  readonly session: ListedSession;
  readonly imported: ImportedTranscript;
}

/** Finds the session with both the first and the last task, which excludes the fork. */
async function mainSession(
  { turns }: Agent,
  found: readonly ListedSession[],
  failures: string[],
): Promise<ReadMain | undefined> {
  for (const session of found.filter(({ parent }) => parent === undefined)) {
    try {
      const imported = importTranscript(await readSessionText(session.path, signal, openedLimits));
      const said = messagesOf(imported.transcript).map(({ content }) => textOf(content));
      const has = (prompt: string) => said.some((text) => text.includes(prompt));
      const hasLast = turns.afterwards === undefined || has(prompts.afterwards);
      if (has(prompts.first) && hasLast && !has(prompts.forked)) return { session, imported };
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  failures.push('None of the sessions that our readers find has all turns.');
  return undefined;
}

async function measureSession(
  { home }: FinishedRun,
  { session, imported }: ReadMain,
  last: LoggedRequest,
): Promise<MeasuredSession> {
  const transcript = transcriptOf(await addForeignCompactions(imported, meter));
  const filled = { ...imported, transcript };
  const { calls } = await createTimeline(meter, sameToolsThroughout(imported.tools))(transcript.entries);
  const knowledge = knownAgent(imported, (model) => factsOfModel(model));
  const fullness = fullnessOf(await fullnessEvidenceOf(filled, knowledge, calls, meter));
  const unreported = await fullnessEvidenceOf(filled, knowledge, [], meter);
  const { sent, reply } = withoutReply(transcript.view);
  const sizeOf = async (messages: readonly Message[]) => sum(await meter.measureEach(messages)).total;
  const isInstruction = ({ role }: Message) => role === 'system' || role === 'developer';
  const counted = {
    tools: (await meter.measureTools(imported.tools)).total,
    system: await sizeOf(sent.filter(isInstruction)),
    messages: await sizeOf(sent.filter((message) => !isInstruction(message))),
  };
  const missing = missingParts(filled);
  return {
    file: session.path.replace(home, '~'),
    counted,
    missing,
    fullness,
    named: namedShare(last.sizes, counted, missing, fullness.unseen?.tokens ?? 0),
    real: totalOf(last.sizes) + (await sizeOf(reply)),
    unreported: fullnessOf({ ...unreported, reported: undefined }).tokens,
    commands: toldCommands(messagesOf(transcript)),
  };
}

function toldCommands(messages: readonly Message[]): ToldCommands {
  const { commands } = extractLedger(messages);
  const failing = commands.find(({ command }) => command.includes(failure));
  const hasFailed = failing !== undefined && 'end' in failing && failing.end === 'failed';
  return {
    failed: failing?.status ?? (hasFailed ? 'failed' : 'unknown'),
    forbiddenRan: commands.some(({ command }) => command === forbidden),
  };
}

/** Separates the last request from its reply. */
function withoutReply(view: readonly Message[]): {
  readonly sent: readonly Message[];
  readonly reply: readonly Message[];
} {
  const end = view.at(-1)?.role === 'assistant' ? view.length - 1 : view.length;
  return { sent: view.slice(0, end), reply: view.slice(end) };
}

/** The share of tokens with the right kind. Tokens with a wrong kind, or without a kind, do not count. */
function namedShare(
  real: RequestSizes,
  counted: RequestSizes,
  missing: readonly ('system' | 'tools')[],
  unseen: number,
): number {
  const parts = (['tools', 'system', 'messages'] as const).filter(
    (part) => part === 'messages' || !missing.includes(part),
  );
  const wrong = parts.reduce((total, part) => total + Math.abs(real[part] - counted[part]), 0);
  const lacked = missing.reduce((total, part) => total + real[part], 0);
  return Math.max(0, 1 - (wrong + Math.abs(lacked - unseen)) / totalOf(real));
}

/** Sub-agents of a session: in its own file, in files listed with it, or in files next to it. */
export async function subAgentsOf(
  path: string,
  { others = [] }: Pick<ImportedTranscript, 'others'>,
  found: readonly ListedSession[],
): Promise<number> {
  const inFile = others.filter(({ kind }) => kind === 'sub-agent').length;
  const below = found.filter(({ parent }) => parent === path).length;
  const read = (file: string) => readSessionText(file, signal, openedLimits);
  const beside = await subAgentConversations(path, read, signal);
  return Math.max(inFile, below, beside.length);
}

/** Number of compactions whose summary the agent used. Several consecutive requests may belong to one compaction. */
function summariesUsed(requests: readonly LoggedRequest[]): number {
  let used = 0;
  let wanted: string[] = [];
  for (const request of requests) {
    if (request.kind === 'summary') wanted.push(request.reply.text ?? '');
    if (request.kind !== 'main' || wanted.length === 0) continue;
    const sent = JSON.stringify(request.body);
    if (wanted.some((summary) => sent.includes(summary))) used++;
    wanted = [];
  }
  return used;
}

/** Facts returned after each compaction, either with the next request or with the result of the next call. */
function factsAfter(requests: readonly LoggedRequest[]): GivenBack | undefined {
  const given = requests.flatMap(({ kind }, index) => {
    const isLast = kind === 'summary' && requests[index + 1]?.kind !== 'summary';
    return isLast ? (firstFacts(requests.slice(index + 1)) ?? []) : [];
  });
  const [first] = given;
  return (
    first && { ...first, compactions: given.length, times: Math.max(...given.map(({ times }) => times)) }
  );
}

function firstFacts(after: readonly LoggedRequest[]): Omit<GivenBack, 'compactions'> | undefined {
  const next = after.findIndex(({ kind }) => kind === 'summary');
  const main = after.slice(0, next < 0 ? after.length : next).filter(({ kind }) => kind === 'main');
  for (const [index, { wire: id, body }] of main.slice(0, 2).entries()) {
    const wire = wires.find((one) => one.id === id);
    const messages = wire?.read(body).messages ?? [];
    const holding = messages.filter(({ texts }) => texts.some((text) => text.includes(heading)));
    const times = holding.flatMap(({ texts }) => texts.join('\n').split(heading).slice(1)).length;
    const [first] = holding;
    if (first !== undefined) return { times, request: index + 1, role: first.role };
  }
  return undefined;
}
