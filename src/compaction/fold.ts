import { clipToTokens } from './clip.ts';
import { blocksOf, type Block } from './exchange.ts';
import { CompactionFailure } from './failure.ts';
import { factsToCopy } from './ledger/facts-to-copy.ts';
import type { Ledger } from './ledger/ledger.ts';
import { factText } from './ledger/fact-text.ts';
import { renderLedger, withoutLedger } from './ledger/render.ts';
import { isSystem, isTyped, textOf, type Message } from './message.ts';
import { clipMarker } from './placeholder.ts';
import type { Plan, PlannedAction } from './plan.ts';
import { summaryText, withoutSummaryTags } from './summary/summary-message.ts';
import type { StrategyInput, StrategyPorts } from './strategies/strategy.ts';
import type { UsageMeter } from './tokens/usage.ts';

/** Name under which records know the last tier. It is no strategy that anyone could choose. */
export const foldId = 'fold';

/** Share of the free room for the newest blocks, and for what the person typed before them. */
const tailShare = 0.45;
const typedShare = 0.15;
/** Share of the free room for the digest, and its largest size: in tokens, or as a share of the target where that is more. */
const digestShare = 0.4;
const largestDigest = 1_500;
const largestDigestShare = 0.25;
/** Below this many tokens, a clipped message would say nothing. */
const smallestClip = 64;

type FoldInput = Omit<StrategyInput<unknown>, 'options' | 'focus'> & { readonly target: number };

/**
 * The last tier of a hard requirement. Needs no model and always fits, or says why nothing can: what is protected
 * stays, the newest blocks stay as far as there is room, typed messages stay verbatim as far as there is room, and
 * everything else becomes one digest of facts copied from the history. One message that alone fills the window is
 * clipped.
 *
 * @throws {CompactionFailure} `exhausted` where what must stay is larger than the target
 */
export async function planFold(input: FoldInput, ports: Pick<StrategyPorts, 'meter'>): Promise<Plan> {
  const { view, protectedIds, target, toolTokens } = input;
  const sizes = await sizesOf(view, ports);
  const kept = view.filter((message) => protectedIds.has(message.id));
  const keptTokens = total(kept, sizes) + companionsOf(view, protectedIds, sizes);
  const room = target - toolTokens - keptTokens;
  const clipped = room > 0 ? undefined : await clipLargest(input, kept, sizes, keptTokens, ports);
  const free = clipped === undefined ? room : room + clipped.freed;

  const removable = blocksOf(view).filter(({ start, end }) =>
    view.slice(start, end).every((message) => !protectedIds.has(message.id)),
  );
  const tail = await chooseTail(view, removable, Math.floor(free * tailShare), sizes, ports);
  const stays = new Set(tail.ids);
  let typedRoom = Math.floor(free * typedShare);
  for (const { start } of [...removable].reverse()) {
    const message = view[start]!;
    if (!isTyped(message) || stays.has(message.id)) continue;
    typedRoom -= sizes.get(message.id) ?? 0;
    if (typedRoom < 0) break;
    stays.add(message.id);
  }
  const leaving = removable
    .flatMap(({ start, end }) => view.slice(start, end))
    .filter((message) => !stays.has(message.id));

  const actions: PlannedAction[] = [...(clipped === undefined ? [] : [clipped.action]), ...tail.clips];
  if (leaving.length > 0) {
    const room = Math.min(
      Math.max(largestDigest, Math.floor(target * largestDigestShare)),
      Math.floor(free * digestShare),
      Math.floor(total(leaving, sizes) / 2),
    );
    const gone = new Set(leaving);
    const staying = view.filter((message) => !gone.has(message));
    const digest = await writeDigest(leaving, factsToCopy(input.ledger, leaving, staying), room, ports);
    actions.push(
      digest === undefined
        ? { kind: 'drop', ids: leaving.map(({ id }) => id), reason: 'no room left, not even for a digest' }
        : {
            kind: 'summarise',
            ids: leaving.map(({ id }) => id),
            text: digest,
            reason: 'facts copied without a model',
          },
    );
  }
  const warnings = clipped === undefined ? [] : [clipped.warning];
  return { actions, warnings };
}

interface Tail {
  readonly ids: readonly string[];
  readonly clips: readonly PlannedAction[];
}

/** The newest blocks that fit; where not even the newest does, its texts are clipped until it does. */
async function chooseTail(
  view: readonly Message[],
  blocks: readonly Block[],
  room: number,
  sizes: ReadonlyMap<string, number>,
  ports: Pick<StrategyPorts, 'meter'>,
): Promise<Tail> {
  const ids: string[] = [];
  let left = room;
  for (const { start, end } of [...blocks].reverse()) {
    const messages = view.slice(start, end);
    const tokens = total(messages, sizes);
    if (tokens > left) {
      if (ids.length > 0) break;
      return clipBlock(messages, room, sizes, ports);
    }
    left -= tokens;
    ids.push(...messages.map(({ id }) => id));
  }
  return { ids, clips: [] };
}

/** Shares the room of a block among its texts; what is smaller than its share leaves the rest to the others. */
async function clipBlock(
  messages: readonly Message[],
  room: number,
  sizes: ReadonlyMap<string, number>,
  ports: Pick<StrategyPorts, 'meter'>,
): Promise<Tail> {
  const sizeOf = (message: Message) => sizes.get(message.id) ?? 0;
  const texts = messages
    .filter((message) => textOf(message.content) !== '')
    .sort((one, other) => sizeOf(one) - sizeOf(other));
  let left = room - total(messages, sizes) + total(texts, sizes);
  const clips: PlannedAction[] = [];
  for (const [index, message] of texts.entries()) {
    const share = Math.floor(left / (texts.length - index));
    const size = sizeOf(message);
    if (size > share) {
      if (share < smallestClip) return nothing;
      clips.push(await clipMessage(message, share, size, 'larger than the room that is left', ports));
    }
    left -= Math.min(size, share);
  }
  return left < 0 ? nothing : { ids: messages.map(({ id }) => id), clips };
}

const nothing: Tail = { ids: [], clips: [] };

/** Clips the protected message that takes the most room, so that the rest of the request fits beside it. */
async function clipLargest(
  input: FoldInput,
  kept: readonly Message[],
  sizes: ReadonlyMap<string, number>,
  keptTokens: number,
  ports: Pick<StrategyPorts, 'meter'>,
): Promise<{ action: PlannedAction; freed: number; warning: string }> {
  const { target, toolTokens } = input;
  const clippable = kept.filter((message) => !isSystem(message) && message.kind !== 'memory');
  const largest = clippable.sort((one, other) => (sizes.get(other.id) ?? 0) - (sizes.get(one.id) ?? 0))[0];
  const size = largest === undefined ? 0 : (sizes.get(largest.id) ?? 0);
  const others = toolTokens + keptTokens - size;
  const share = Math.floor((target - others) / 2);
  if (largest === undefined || share < smallestClip) {
    throw new CompactionFailure(
      'exhausted',
      `What has to stay takes ${toolTokens + keptTokens} tokens: system messages, tool schemas, memory, pins and the newest request. The target is ${target}.`,
    );
  }
  return {
    action: await clipMessage(largest, share, size, 'this message alone fills the window', ports),
    freed: size - share,
    warning: `Message ${largest.id} alone fills the window (${size} tokens). It was clipped although it is protected.`,
  };
}

async function clipMessage(
  message: Message,
  tokens: number,
  size: number,
  reason: string,
  ports: Pick<StrategyPorts, 'meter'>,
): Promise<PlannedAction> {
  const text = textOf(message.content);
  const framing = size - (await ports.meter.countText(text));
  const content = await clipToTokens(
    text,
    Math.max(1, tokens - framing),
    (clipped) => ports.meter.countText(clipped),
    clipMarker(message.id),
  );
  return { kind: 'clip', id: message.id, content, originalTokens: size, reason };
}

/** Share of a digest that is left to the notes of earlier summaries. */
const notesShare = 0.25;
/** Framing of the digest's own message. */
const digestFraming = 3;

/** What the leaving messages hold, copied from them: earlier notes, and the ledger of the rest. */
async function writeDigest(
  leaving: readonly Message[],
  facts: Ledger,
  room: number,
  ports: Pick<StrategyPorts, 'meter'>,
): Promise<string | undefined> {
  const { meter } = ports;
  const opening = `${leaving.length} earlier messages were folded without a model; recall(id) returns them.`;
  let left = room - (await meter.countText(summaryText(opening))) - digestFraming;
  if (left <= 0) return undefined;

  const summaries = leaving.filter((message) => message.kind === 'summary');
  const notes = summaries.flatMap(({ content }) =>
    withoutLedger(withoutSummaryTags(textOf(content))).split('\n'),
  );
  const earlier = await linesThatFit('## Earlier notes', notes, left * notesShare, meter);
  left -= earlier.tokens;
  const ledger = await renderLedger(facts, left, (texts) => meter.countTexts(texts));
  const parts = [opening, ...earlier.lines, ledger].filter((part) => part !== '');
  return summaryText(parts.join('\n'));
}

/** A title and as many lines as fit, each a line of its own, in the order given. */
async function linesThatFit(
  title: string,
  texts: readonly string[],
  room: number,
  meter: UsageMeter,
): Promise<{ readonly lines: readonly string[]; readonly tokens: number }> {
  const lines = texts.map(factText).filter((line) => line !== '');
  const [titleSize = 0, ...sizes] = await meter.countTexts([
    `${title}\n`,
    ...lines.map((line) => `- ${line}\n`),
  ]);
  const taken: string[] = [];
  let tokens = titleSize;
  for (const [index, line] of lines.entries()) {
    const size = sizes[index] ?? 0;
    if (tokens + size > room) continue;
    taken.push(`- ${line}`);
    tokens += size;
  }
  return taken.length === 0 ? { lines: [], tokens: 0 } : { lines: [title, ...taken], tokens };
}

async function sizesOf(
  view: readonly Message[],
  ports: Pick<StrategyPorts, 'meter'>,
): Promise<ReadonlyMap<string, number>> {
  const usages = await ports.meter.measureEach(view);
  return new Map(view.map((message, index) => [message.id, usages[index]?.total ?? 0]));
}

/** Tokens of the messages that are not protected themselves, but share an exchange with one that is. */
function companionsOf(
  view: readonly Message[],
  protectedIds: ReadonlySet<string>,
  sizes: ReadonlyMap<string, number>,
): number {
  const companions = blocksOf(view).flatMap(({ start, end }) => {
    const messages = view.slice(start, end);
    const isProtected = messages.some(({ id }) => protectedIds.has(id));
    return isProtected ? messages.filter(({ id }) => !protectedIds.has(id)) : [];
  });
  return total(companions, sizes);
}

function total(messages: readonly Message[], sizes: ReadonlyMap<string, number>): number {
  return messages.reduce((tokens, { id }) => tokens + (sizes.get(id) ?? 0), 0);
}
