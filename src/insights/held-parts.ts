import { factsOfCall } from '../compaction/ledger/call-facts.ts';
import { shownCommand } from '../compaction/ledger/call-words.ts';
import { calledFunction } from '../compaction/ledger/called-function.ts';
import { blocksOf } from '../compaction/messages/exchange.ts';
import { type Kind, kinds, type Message, textOf, type ToolCall } from '../compaction/messages/message.ts';
import { shownSummary } from '../compaction/summary/summary-form.ts';
import { ellipsised } from '../compaction/text/clip.ts';
import { normalisedPath } from '../compaction/text/file-path.ts';
import type { Usage } from '../compaction/tokens/usage.ts';

/** Maximum number of parts of a kind. */
const mostParts = 24;
/** Maximum number of messages that a part names. */
const mostMessages = 100;
/** About the size of the reference that replaces a hidden result, in tokens. */
const referenceSize = 40;

/** Messages to hide, the newest first, and the tokens that this frees. */
interface Hideable {
  readonly messageIds: readonly string[];
  readonly frees: number;
}

/** A group of messages of one kind: results for a file, calls of a tool, or a single message. */
export interface HeldPart extends Hideable {
  readonly kind: Kind;
  /** File, tool or message on one line; empty for the gathered small ones of a kind. */
  readonly name: string;
  readonly tokens: number;
  /** Number of messages. */
  readonly messages: number;
  /** Tokens of the messages of `messageIds`. */
  readonly sizes: readonly number[];
  /** Results that a later one replaces; absent if there are none. */
  readonly stale?: Hideable | undefined;
}

interface Contents {
  readonly view: readonly Message[];
  readonly usages: readonly Usage[];
  readonly callOf: ReadonlyMap<string, ToolCall>;
  readonly uses: readonly { readonly call: ToolCall; readonly callTokens: number }[];
  /** Ids of results that a later one replaces. */
  readonly stale: ReadonlySet<string>;
}

interface Piece {
  readonly name: string;
  readonly tokens: number;
  readonly id: string;
}

/**
 * Divides a view into parts. The parts of a kind add up to its tokens; the last one gathers the small ones. Tool
 * definitions are not in the view and have no part.
 */
export function heldParts(contents: Contents): readonly HeldPart[] {
  const byKind = new Map<Kind, Map<string, Piece[]>>();
  for (const [kind, piece] of piecesOf(contents)) {
    const groups = byKind.get(kind) ?? new Map<string, Piece[]>();
    byKind.set(kind, groups);
    const pieces = groups.get(piece.name);
    if (pieces === undefined) groups.set(piece.name, [piece]);
    else pieces.push(piece);
  }
  const freed = freedBy(contents);
  const partOf = (kind: Kind, name: string, pieces: readonly Piece[]): HeldPart => {
    const sizes = new Map<string, number>();
    for (const { id, tokens } of pieces) sizes.set(id, (sizes.get(id) ?? 0) + tokens);
    const ids = [...sizes.keys()].reverse().slice(0, mostMessages);
    const stale = kind === 'toolResult' ? ids.filter((id) => contents.stale.has(id)) : [];
    const hideable = (messageIds: readonly string[]): Hideable => ({
      messageIds,
      frees: messageIds.reduce((sum, id) => sum + (freed.get(id) ?? 0), 0),
    });
    return {
      kind,
      name,
      tokens: tokensOf(pieces),
      messages: sizes.size,
      ...hideable(ids),
      sizes: ids.map((id) => sizes.get(id) ?? 0),
      ...(stale.length === 0 ? {} : { stale: hideable(stale) }),
    };
  };
  return kinds.flatMap((kind): readonly HeldPart[] => {
    const groups = [...(byKind.get(kind) ?? [])].sort(
      ([, one], [, other]) => tokensOf(other) - tokensOf(one),
    );
    const rest = groups.slice(mostParts).flatMap(([, pieces]) => pieces);
    return [
      ...groups.slice(0, mostParts).map(([name, pieces]) => partOf(kind, name, pieces)),
      ...(rest.length === 0
        ? []
        : [{ ...partOf(kind, '', rest), messageIds: [], sizes: [], frees: 0, stale: undefined }]),
    ];
  });
}

function* piecesOf({ view, usages, callOf, uses }: Contents): Generator<readonly [Kind, Piece]> {
  const callTokens = new Map(uses.map(({ call, callTokens: tokens }) => [call, tokens]));
  for (const [index, message] of view.entries()) {
    const { id, tool_calls: calls = [] } = message;
    const usage = usages[index];
    for (const kind of kinds) {
      const tokens = usage?.byKind[kind] ?? 0;
      if (tokens === 0) continue;
      if (kind === 'toolCall' && calls.length > 0) {
        for (const call of calls)
          yield [kind, { id, name: calledFunction(call.function).name, tokens: callTokens.get(call) ?? 0 }];
      } else yield [kind, { id, name: nameOf(message, kind, callOf.get(id)), tokens }];
    }
  }
}

function nameOf(message: Message, kind: Kind, answered: ToolCall | undefined): string {
  if (kind === 'toolResult' && answered !== undefined)
    return pathsOf(answered)[0] ?? callTitle(answered).trim();
  return message.source ?? messageTitle(message, answered);
}

/** Tokens that hiding each message frees. A call takes its results with it; a result leaves a reference. */
function freedBy({ view, usages }: Contents): ReadonlyMap<string, number> {
  const freed = new Map<string, number>();
  for (const { start, end } of blocksOf(view)) {
    const totals = usages.slice(start, end).map(({ total }) => total);
    const all = totals.reduce((sum, total) => sum + total, 0);
    view.slice(start, end).forEach(({ id, truncation }, index) => {
      const kept = truncation?.fate === 'hide' ? all : referenceSize;
      freed.set(id, index === 0 ? all : Math.max(0, (totals[index] ?? 0) - kept));
    });
  }
  return freed;
}

function tokensOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Maximum characters of a title. */
const longestTitle = 120;

/**
 * Returns a language-neutral title of a message on one line. For a call or a result, it shows the tool and its
 * subject; for any other message, its beginning.
 *
 * @param answered the call to which a result belongs
 */
export function messageTitle(message: Message, answered: ToolCall | undefined): string {
  const written = message.role === 'tool' ? '' : textOf(message.content);
  const text = message.kind === 'summary' ? shownSummary(written) : written;
  const calls = message.role === 'tool' ? [answered] : (message.tool_calls ?? []);
  const described = calls.flatMap((call) => (call === undefined ? [] : [callTitle(call)]));
  const title = [text, ...described].find((line) => line.trim() !== '') ?? textOf(message.content);
  const line = title
    .slice(0, 4 * longestTitle)
    .replace(/\s+/gu, ' ')
    .trim();
  return ellipsised(line, longestTitle);
}

/** A call on one line: the tool and its subject. */
function callTitle(call: ToolCall): string {
  const { filesModified, filesRead, commands, identifiers, searched } = factsOfCall(call);
  const [subject = ''] = [
    ...commands.map(shownCommand),
    ...filesModified,
    ...filesRead,
    ...searched,
    ...identifiers,
  ];
  return `${calledFunction(call.function).name} ${subject}`;
}

const knownPaths = new WeakMap<ToolCall, readonly string[]>();

/** The files that a call names, changed ones first. */
export function pathsOf(call: ToolCall): readonly string[] {
  const known = knownPaths.get(call);
  if (known !== undefined) return known;
  const { filesModified, filesRead } = factsOfCall(call);
  const paths = [...new Set([...filesModified, ...filesRead].map(normalisedPath))];
  knownPaths.set(call, paths);
  return paths;
}
