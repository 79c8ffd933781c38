import { calledFunction } from '../../compaction/ledger/called-function.ts';
import type { ModelFacts } from '../../compaction/budget/model-table.ts';
import { callsByResult } from '../../compaction/messages/exchange.ts';
import { factsOfCall } from '../../compaction/ledger/call-facts.ts';
import { kindOf, type Message } from '../../compaction/messages/message.ts';
import type { CompactionMode } from '../../compaction/service/service-ports.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { broughtMessages, messagesOf, recordsOf } from '../../compaction/transcript/transcript.ts';
import { manuallyHidden } from '../../compaction/transcript/view.ts';
import { fromFolder } from '../../compaction/text/from-folder.ts';
import { normalisedPath } from '../../compaction/text/file-path.ts';
import { healthOf } from '../../insights/health/session-health.ts';
import type { HealthItem } from '../../insights/health/health-item.ts';
import { messageTitle } from '../../insights/held-parts.ts';
import { breakDownTokens, type HeldView, type TokenBreakdown } from '../../insights/token-breakdown.ts';
import { withNotInFile } from '../../insights/protected-tokens.ts';
import { moneyOf, type SessionMoney } from '../../insights/session-cost.ts';
import { type ProviderLimit, providerLimits } from '../../insights/provider-limits.ts';
import type { Timeline } from '../../insights/session-timeline.ts';
import type {
  BudgetView,
  ComparedCount,
  HealthView,
  LargeMessage,
  MoneyView,
} from '../../protocol/inspector-budget.ts';
import type { InspectedSession } from './inspector-model.ts';
import { schemasView } from './schemas-view.ts';
import { setImmediate as pause } from 'node:timers/promises';
import type { Wording } from '../../language/translated/wording.ts';

/** Maximum number of listed messages, of listed tools and of listed files. */
const mostListed = 12;
/** Maximum number of messages and compactions to which a finding links. */
const mostNamed = 3;

/** Facts about a session that its transcript does not contain. */
export interface BudgetContext {
  readonly timeline: Timeline;
  readonly mode: CompactionMode;
  readonly protectFirst: boolean;
  /** Breaks down the view of the session on another thread. If absent, this thread does it. */
  readonly breakDown?: (
    held: Pick<HeldView, 'tools' | 'protectFirst'>,
    most: number,
  ) => Promise<TokenBreakdown> | undefined;
  readonly model: string | undefined;
  readonly factsOf: (model: string) => ModelFacts;
  readonly wording: Wording;
}

/** Returns the contents of the tab Window for a session. */
export async function budgetView(
  session: InspectedSession,
  meter: UsageMeter,
  context: BudgetContext,
): Promise<BudgetView> {
  const { compaction } = session;
  // A new chat shows the contents of its first request.
  const first = await session.nextRequest?.contents?.();
  const transcript = first === undefined ? session.transcript : { ...session.transcript, view: first.view };
  const { tools } = first ?? session;
  const { timeline, mode, protectFirst } = context;
  const { view } = transcript;
  const held = { tools, protectFirst };
  const elsewhere = first === undefined ? context.breakDown?.(held, mostListed) : undefined;
  const seen = await (elsewhere ??
    breakDownTokens({ ...held, view, pins: transcript.pins }, meter, mostListed));
  const { unseen } = (await session.foreign?.fullness()) ?? {};
  const breakdown = { ...seen, protected: withNotInFile(seen.protected, unseen?.tokens ?? 0) };
  await pause();
  const { budget } = compaction;
  const outlook = compaction.outlook?.();
  const schemas = await schemasView(session, meter, breakdown.usage.total);
  const hasServers = schemas.groups.some(({ server }) => server !== undefined);
  const checked = { transcript, timeline, breakdown, budget, outlook, mode, hasServers };
  const items = (await healthOf(checked, meter)).map((item) => healthView(item, context.wording));
  await pause();
  const money = moneyOf(timeline.calls, recordsOf(transcript), context.model, context.factsOf);
  const newest = newestUses(view, breakdown);
  const { folder } = session;
  const inFolder = (message: LargeMessage) => ({ ...message, title: fromFolder(message.title, folder) });
  // Before the first request, the messages can be neither opened nor changed.
  const isSent = first === undefined;
  return {
    parts: breakdown.parts.map(({ stale, ...part }) => ({
      ...part,
      name: fromFolder(part.name, folder),
      ...(isSent ? { stale, isPinned: isPinned(part.messageIds, transcript.pins) } : { messageIds: [] }),
    })),
    largest: isSent ? breakdown.largest.map(inFolder) : [],
    schemas,
    hidden: await hiddenMessages(session, meter),
    tools: breakdown.tools.map((tool) => ({ ...tool, messageId: newest.byTool.get(tool.tool) })),
    files: breakdown.files.map((file) => ({
      ...file,
      path: fromFolder(file.path, folder),
      messageId: newest.byFile.get(file.path),
    })),
    floor: { total: breakdown.protected.total, byReason: breakdown.protected.byReason },
    // A session from a file shows this comparison in its report, with the tokens that the file lacks.
    compared: session.foreign === undefined ? lastCompared(timeline) : undefined,
    cachedShare: money.cachedShare,
    money: moneyView(money),
    health: session.foreign === undefined ? items : withoutSettings(items),
    limits: newestLimits(session),
  };
}

function newestLimits({ exchanges = [] }: InspectedSession): readonly ProviderLimit[] {
  for (const { limits = {}, createdAt, firstByte = 0 } of exchanges.toReversed()) {
    const found = providerLimits(limits, new Date(Date.parse(createdAt) + firstByte).toISOString());
    if (found.length > 0) return found;
  }
  return [];
}

function isPinned([newest]: readonly string[], pins: ReadonlySet<string>): boolean {
  return newest !== undefined && pins.has(newest);
}

/** The largest messages that the user hid and has not shown again. */
async function hiddenMessages(
  { transcript }: InspectedSession,
  meter: UsageMeter,
): Promise<readonly LargeMessage[]> {
  const hidden = manuallyHidden(transcript.entries);
  if (hidden.size === 0) return [];
  const said = messagesOf(transcript);
  const callOf = callsByResult(said);
  const messages = [...said, ...broughtMessages(transcript)].filter(({ id }) => hidden.has(id));
  const usages = await meter.measureEach(messages);
  return messages
    .map((message, index) => ({
      id: message.id,
      kind: kindOf(message),
      title: messageTitle(message, callOf.get(message.id)),
      tokens: usages[index]?.total ?? 0,
    }))
    .toSorted((one, other) => other.tokens - one.tokens)
    .slice(0, mostListed);
}

/** The last request with a provider's report. Only its counted and reported tokens can be compared. */
function lastCompared({ calls }: Timeline): ComparedCount | undefined {
  const last = calls.findLast(({ reported }) => reported !== undefined);
  return last?.reported && { counted: last.tokens, reported: last.reported.inputTokens };
}

function moneyView({ known, calls, summaries, unknown, mayBeMore }: SessionMoney): MoneyView | undefined {
  if (unknown === calls.length + summaries.length) return undefined;
  return { ...known, unknown, mayBeMore };
}

/** Checks of another agent's session: none of our trigger or target, and no way to our settings. */
function withoutSettings(items: readonly HealthView[]): readonly HealthView[] {
  const checked = items.filter(({ id }) => id !== 'trigger' && id !== 'protected');
  return checked.map((item) => ({ ...item, setting: undefined }));
}

function healthView(
  { id, state, finding, advice, setting, messageIds = [], recordIds = [] }: HealthItem,
  wording: Wording,
): HealthView {
  return {
    id,
    state,
    finding: wording.text(finding),
    advice: advice && wording.text(advice),
    setting,
    messageIds: messageIds.slice(0, mostNamed),
    recordIds: recordIds.slice(0, mostNamed),
  };
}

/** Ids of the newest result of each listed tool, and of the newest result about each listed file. */
function newestUses(
  view: readonly Message[],
  { tools, files }: TokenBreakdown,
): { readonly byTool: ReadonlyMap<string, string>; readonly byFile: ReadonlyMap<string, string> } {
  const byTool = new Map<string, string>();
  const byFile = new Map<string, string>();
  const missing = new Set([...tools.map(({ tool }) => tool), ...files.map(({ path }) => path)]);
  const note = (found: Map<string, string>, name: string, id: string) => {
    if (!found.has(name)) found.set(name, id);
    missing.delete(name);
  };
  for (const [id, call] of [...callsByResult(view)].reverse()) {
    if (missing.size === 0) break;
    note(byTool, calledFunction(call.function).name, id);
    const { filesModified, filesRead } = factsOfCall(call);
    for (const path of [...filesModified, ...filesRead]) note(byFile, normalisedPath(path), id);
  }
  return { byTool, byFile };
}
