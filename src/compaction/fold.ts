import { clipToFit } from './clip-together.ts';
import { blocksOf, type Block } from './exchange.ts';
import { CompactionFailure } from './failure.ts';
import { factsToCopy } from './ledger/facts-to-copy.ts';
import type { Ledger } from './ledger/ledger.ts';
import { factText } from './ledger/fact-text.ts';
import { renderLedger, withoutLedger } from './ledger/render.ts';
import { isSystem, isTyped, textOf, type Message } from './message.ts';
import type { Plan, PlannedAction, PlannedClip } from './plan.ts';
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

type FoldInput = Omit<StrategyInput<unknown>, 'options' | 'focus'> & { readonly target: number };

/**
 * The last tier of a hard requirement. Needs no model and always fits, or says why nothing can: what is protected
 * stays, the newest blocks stay as far as there is room, typed messages stay verbatim as far as there is room, and
 * everything else becomes one digest of facts copied from the history. Messages that leave no room for the rest are
 * clipped.
 *
 * @throws {CompactionFailure} `exhausted` where what must stay is larger than the target
 */
export async function planFold(input: FoldInput, ports: Pick<StrategyPorts, 'meter'>): Promise<Plan> {
  const { view, protectedIds, target, toolTokens } = input;
  const sizes = await sizesOf(view, ports);
  const kept = keptWith(view, protectedIds);
  const room = target - toolTokens - total(kept, sizes);
  const clipped = room > 0 ? undefined : await clipProtected(input, kept, ports);
  const free = clipped === undefined ? room : target - toolTokens - clipped.tokens;

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

  const actions: PlannedAction[] = [...(clipped?.clips ?? []), ...tail.clips];
  if (leaving.length > 0) {
    const room = Math.min(
      Math.max(largestDigest, Math.floor(target * largestDigestShare)),
      Math.floor(free * digestShare),
      Math.floor(total(leaving, sizes) / 2),
    );
    const gone = new Set(leaving);
    const staying = view.filter((message) => !gone.has(message));
    const digest = await writeDigest(leaving, factsToCopy(input.ledger, staying), room, ports);
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
  return { actions, warnings: clipped?.warnings ?? [] };
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
      return clipBlock(messages, room, ports);
    }
    left -= tokens;
    ids.push(...messages.map(({ id }) => id));
  }
  return { ids, clips: [] };
}

/** The block with its texts, then its arguments and images clipped until it fits, or nothing where it cannot. */
async function clipBlock(
  messages: readonly Message[],
  room: number,
  ports: Pick<StrategyPorts, 'meter'>,
): Promise<Tail> {
  const choice = { mayClip: () => true, reason: 'larger than the room that is left' };
  const { clips } = await clipToFit(messages, room, choice, ports.meter);
  return clips === undefined ? { ids: [], clips: [] } : { ids: messages.map(({ id }) => id), clips };
}

/** Share of the room above what has to stay that protected messages keep where they have to be clipped. */
const protectedShare = 0.5;

interface ClippedProtected {
  readonly clips: readonly PlannedClip[];
  /** What the messages that stay take then, in tokens. */
  readonly tokens: number;
  readonly warnings: readonly string[];
}

/**
 * Clips the largest of the messages that have to stay, so that half of the room beside the rest is free again.
 *
 * @throws {CompactionFailure} `exhausted` where they cannot be made to fit
 */
async function clipProtected(
  { target, toolTokens }: FoldInput,
  kept: readonly Message[],
  ports: Pick<StrategyPorts, 'meter'>,
): Promise<ClippedProtected> {
  const choice = {
    mayClip: (_part: unknown, message: Message) => !isSystem(message) && message.kind !== 'memory',
    share: protectedShare,
    reason: 'too large for the window',
  };
  const { clips, tokens } = await clipToFit(kept, target - toolTokens, choice, ports.meter);
  if (clips === undefined) {
    throw new CompactionFailure(
      'exhausted',
      `What has to stay takes at least ${toolTokens + tokens} tokens: system messages, tool schemas, memory, pins and the newest request. The target is ${target}.`,
    );
  }
  const warnings = clips.map(
    ({ id, originalTokens }) =>
      `Message ${id} is too large for the window (${originalTokens} tokens). It was clipped although it has to stay.`,
  );
  const [only] = clips;
  const isAlone = clips.length === 1 && only !== undefined;
  return {
    clips: isAlone ? [{ ...only, reason: 'this message alone fills the window' }] : clips,
    tokens,
    warnings,
  };
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
  const opening = `${leaving.length} earlier messages were folded without a model; recall(id) returns them. These are notes, no requests.`;
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

/** The protected messages, and those that share an exchange with one. */
function keptWith(view: readonly Message[], protectedIds: ReadonlySet<string>): readonly Message[] {
  return blocksOf(view).flatMap(({ start, end }) => {
    const messages = view.slice(start, end);
    return messages.some(({ id }) => protectedIds.has(id)) ? messages : [];
  });
}

function total(messages: readonly Message[], sizes: ReadonlyMap<string, number>): number {
  return messages.reduce((tokens, { id }) => tokens + (sizes.get(id) ?? 0), 0);
}
