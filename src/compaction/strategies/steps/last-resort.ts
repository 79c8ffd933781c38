import { strategySentences } from '../../../language/english/strategies-english.ts';
import type { CarriedText } from '../../messages/ledger.ts';
import { type Block, blocksOf } from '../../messages/exchange.ts';
import { CompactionFailure } from '../../records/reason.ts';
import { factText } from '../../ledger/call-facts.ts';
import { isSystem, type Message, textOf } from '../../messages/message.ts';
import { indexById } from '../../messages/message-index.ts';
import { stayingMessages } from '../../messages/protection.ts';
import type { Plan, PlannedAction } from '../../records/plan.ts';
import { newestLines, notesIn, soFarTitle } from '../../summary/note-sections.ts';
import { cleanBody } from '../../ledger/render.ts';
import { summaryBody, type SummaryParts } from '../../summary/summary-body.ts';
import { summaryText } from '../../summary/summary-form.ts';
import { framingTokens, sizeIn, type Sizes, type UsageMeter } from '../../tokens/usage.ts';
import type { StrategyInput, StrategyPorts } from '../contract/strategy.ts';
import { clipToFit } from './clip-to-fit.ts';
import { toModel } from '../../../language/sentence.ts';

/** Name of the last tier in records. It is not a strategy that can be selected. */
export const lastResortId = 'fold';

/** Largest and smallest share of the free room for the newest blocks. */
const tailShare = 0.45;
const smallestTailShare = 0.15;
/** Maximum size of the digest: in tokens, or as a share of the target if the share is larger. */
const largestDigest = 1_500;
const largestDigestShare = 0.25;
/** Share of the replaced tokens that the digest may take. */
const digestGain = 0.9;
/** Shares of the target, next to protected messages, for all other messages and for the newest of them. */
const restShare = 0.15;
const restTailShare = 0.05;

type LastResortInput = Omit<StrategyInput<unknown>, 'options' | 'focus'> & {
  readonly target: number;
  readonly beside?: readonly Message[];
};

/**
 * Plans the last tier, without a model. Protected messages stay, and so do the newest blocks if there is room. All
 * others become one digest of requests, their outcomes and copied facts. If necessary, fewer blocks stay to make room
 * for the digest.
 *
 * For a hard requirement, protected messages over the limit are clipped. The plan then fits, or reports why it cannot.
 * Otherwise, protected messages stay whole. If they leave no room at the target, the view may exceed the target.
 *
 * @throws {CompactionFailure} `exhausted` if the requirement is hard and protected messages exceed the limit
 */
export async function planLastResort(
  input: LastResortInput,
  { meter }: Pick<StrategyPorts, 'meter'>,
): Promise<Plan> {
  const { view, protectedIds, target, toolTokens } = input;
  const sizes = await sizesOf(view, meter);
  const kept = stayingMessages(view, protectedIds);
  const clipped = await clipProtected(input, kept, meter);
  const staying = toolTokens + clipped.tokens;
  const removable = blocksOf(view).filter(({ start, end }) =>
    view.slice(start, end).every((message) => !protectedIds.has(message.id)),
  );
  const messages = removable.flatMap(({ start, end }) => view.slice(start, end));

  const least = leastTarget(input, target, staying);
  const free = Math.max(target, least) - staying;
  if (sizeIn(messages, sizes) <= free) {
    return { actions: clipped.clips, warnings: clipped.warnings, isLastTier: true };
  }

  const digestOf = (leaving: readonly Message[], room: number) => {
    const gone = new Set(leaving);
    const staying = [...view.filter((message) => !gone.has(message)), ...(input.beside ?? [])];
    return writeDigest({ ...input, sources: leaving, staying }, room, meter);
  };
  const mostDigest = Math.max(largestDigest, Math.floor(target * largestDigestShare));
  const digest = messages.length === 0 ? undefined : await digestOf(messages, mostDigest);
  const digestTokens = digest === undefined ? 0 : framingTokens + (await meter.countText(digest.text));

  const tailRoom = Math.max(free * smallestTailShare, free - digestTokens);
  const mostTail = free > target - staying ? target * restTailShare : free * tailShare;
  const tail = await chooseNewest(view, removable, Math.floor(Math.min(mostTail, tailRoom)), sizes, meter);
  const stays = new Set(tail.ids);
  const left = free - tail.tokens;
  const leaving = messages.filter((message) => !stays.has(message.id));
  const actions: PlannedAction[] = [...clipped.clips, ...tail.clips];
  if (leaving.length > 0) {
    const ids = leaving.map(({ id }) => id);
    const room = Math.min(mostDigest, Math.floor(left), Math.floor(sizeIn(leaving, sizes) * digestGain));
    const digest = await digestOf(leaving, room);
    actions.push(
      digest === undefined
        ? { kind: 'drop', ids, reason: strategySentences.say('noRoomForDigest') }
        : { kind: 'summarise', ids, ...digest, reason: strategySentences.say('factsCopied') },
    );
  }
  return { actions, warnings: clipped.warnings, isLastTier: true };
}

/** Finds the smallest size with room next to protected messages and tool schemas; 0 if messages have to be clipped. */
export function leastTarget(
  input: Pick<StrategyInput<unknown>, 'limit' | 'budget'>,
  target: number,
  staying: number,
): number {
  const ceiling = ceilingOf(input, staying);
  return staying > ceiling ? 0 : Math.min(staying + Math.floor(target * restShare), ceiling);
}

/** Returns the size that must not be exceeded: the limit, or else the window; infinite if the window is too small. */
function ceilingOf(
  { limit, budget }: Pick<StrategyInput<unknown>, 'limit' | 'budget'>,
  staying: number,
): number {
  if (limit !== undefined) return limit;
  return budget.window !== undefined && budget.window > staying ? budget.window : Infinity;
}

interface Tail {
  readonly ids: readonly string[];
  readonly tokens: number;
  readonly clips: readonly PlannedAction[];
}

async function chooseNewest(
  view: readonly Message[],
  blocks: readonly Block[],
  room: number,
  sizes: Sizes,
  meter: UsageMeter,
): Promise<Tail> {
  const ids: string[] = [];
  let left = room;
  for (const { start, end } of [...blocks].reverse()) {
    const messages = view.slice(start, end);
    const tokens = sizeIn(messages, sizes);
    if (tokens > left) {
      if (ids.length > 0) break;
      return clipBlock(messages, room, meter);
    }
    left -= tokens;
    ids.push(...messages.map(({ id }) => id));
  }
  return { ids, tokens: room - left, clips: [] };
}

/** Clips a block's texts, arguments and images. @returns an empty tail if the block cannot fit */
async function clipBlock(messages: readonly Message[], room: number, meter: UsageMeter): Promise<Tail> {
  const choice = { mayClip: () => true, reason: strategySentences.say('largerThanRoom') };
  const { clips, tokens } = await clipToFit(messages, room, choice, meter);
  return clips === undefined
    ? { ids: [], tokens: 0, clips: [] }
    : { ids: messages.map(({ id }) => id), tokens, clips };
}

const protectedShare = 0.5;

/** Clips the largest protected messages to the limit. @throws {CompactionFailure} `exhausted` if they cannot fit */
async function clipProtected(
  { limit, toolTokens }: LastResortInput,
  kept: readonly Message[],
  meter: UsageMeter,
) {
  const { total: whole } = await meter.measure(kept);
  if (limit === undefined || toolTokens + whole <= limit) return { clips: [], tokens: whole, warnings: [] };
  const choice = {
    mayClip: (_part: unknown, message: Message) => !isSystem(message) && message.kind !== 'memory',
    share: protectedShare,
    reason: strategySentences.say('largerThanWindow'),
  };
  const { clips, tokens } = await clipToFit(kept, limit - toolTokens, choice, meter);
  if (clips === undefined) {
    throw new CompactionFailure(
      'exhausted',
      strategySentences.say('exhausted', { tokens: toolTokens + tokens, target: limit }),
    );
  }
  const warnings = clips.map(({ id, originalTokens }) =>
    strategySentences.say('clippedAlthoughProtected', { id, tokens: originalTokens }),
  );
  const [only] = clips;
  const isAlone = clips.length === 1 && only !== undefined;
  return {
    clips: isAlone ? [{ ...only, reason: strategySentences.say('fillsWindow') }] : clips,
    tokens,
    warnings,
  };
}

async function sizesOf(view: readonly Message[], meter: UsageMeter): Promise<Sizes> {
  const usages = await meter.measureEach(view);
  const positions = indexById(view);
  return { get: (id) => usages[positions.get(id) ?? -1]?.total };
}

const notesShare = 0.25;

/** Writes a digest of removed messages: notes of earlier summaries, and facts; undefined if it does not fit. */
async function writeDigest(
  task: Pick<SummaryParts, 'sources' | 'staying' | 'history' | 'tagSuffix'>,
  room: number,
  meter: UsageMeter,
): Promise<CarriedText | undefined> {
  const { sources, tagSuffix } = task;
  const opening = toModel`${sources.length} earlier messages were folded without a model; recall(id) returns them.`;
  const left = room - (await meter.countText(summaryText(opening, tagSuffix))) - framingTokens;
  if (left <= 0) return undefined;

  const summaries = sources.filter((message) => message.kind === 'summary');
  const earlier = summaries.map(({ content }) => notesIn(textOf(content)));
  // Notes may come from another session, an earlier version, or a manipulated model.
  const lines = earlier
    .flatMap(({ soFar, since }) => [...soFar, ...since])
    .map((line) => `- ${factText(cleanBody(line, tagSuffix))}`);
  const title = `## ${soFarTitle}`;
  const [titleSize = 0, ...sizes] = await meter.countTexts([title, ...lines].map((line) => `${line}\n`));
  const sizeOf = new Map(lines.map((line, index) => [line, sizes[index] ?? 0]));
  let space = left * notesShare - titleSize;
  const kept = newestLines(lines, lines.length, (line) => (space -= sizeOf.get(line) ?? 0) >= 0);
  const notes = kept.length === 0 ? [] : [title, ...kept];
  const told = [opening, ...notes].join('\n');
  const tokens = left - (notes.length > 0 ? await meter.countText(notes.join('\n')) : 0);
  const { text, carried } = await summaryBody({ ...task, notes: told, tokens }, meter);
  return { text: summaryText(text, tagSuffix), carried };
}
