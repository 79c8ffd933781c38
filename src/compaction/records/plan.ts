import { SentenceError } from '../../language/sentence.ts';
import { engineSentences } from '../../language/english/engine-english.ts';
import type { Carried } from '../messages/ledger.ts';
import {
  type Content,
  type Message,
  type OpaqueItem,
  type ToolCall,
  withContent,
  withoutOriginal,
} from '../messages/message.ts';
import { placeheld } from '../messages/placeheld.ts';
import { messagesById, indexById } from '../messages/message-index.ts';
import { actionReason } from './reason.ts';
import type { Phrase, RecordedAction, SummaryReport, Tier } from './record.ts';

/** An action on one message or on a group. Messages that no action names are kept. */
export type PlannedAction =
  | PlannedRewrite
  | PlannedClip
  | { readonly kind: 'drop'; readonly ids: readonly string[]; readonly reason: Phrase }
  | PlannedSummary
  | PlannedInsertion;

/** Replaces the text with a placeholder; for `offload`, the placeholder is a reference. */
export interface PlannedRewrite {
  readonly kind: 'hide' | 'offload';
  readonly id: string;
  readonly placeholder: string;
  readonly originalTokens: number;
  readonly reason: Phrase;
}

/** Keeps head and tail and removes the middle. Fields that are not given stay unchanged. */
export interface PlannedClip {
  readonly kind: 'clip';
  readonly id: string;
  readonly content?: Content;
  readonly toolCalls?: readonly ToolCall[];
  readonly originalTokens: number;
  readonly reason: Phrase;
}

/** Replaces several messages with one new message, at the position of the last. */
export interface PlannedSummary {
  readonly kind: 'summarise';
  readonly ids: readonly string[];
  readonly text: string;
  readonly carried?: Carried | undefined;
  readonly opaque?: OpaqueItem;
  readonly reason: Phrase;
}

export interface PlannedInsertion {
  readonly kind: 'insert';
  /** Id of the message before the insertion; `null` puts the insertion first. */
  readonly after: string | null;
  readonly text: string;
  readonly carried?: Carried | undefined;
  readonly file?: FileCopy;
  readonly reason: Phrase;
}

interface FileCopy {
  readonly path: string;
  /** The whole file, if the text has only some lines. `recall` returns it. */
  readonly original?: string;
}

export interface Plan {
  readonly actions: readonly PlannedAction[];
  readonly summary?: SummaryReport;
  readonly warnings?: readonly Phrase[];
  /** Steps that a strategy tried, in order; steps in effect are `applied`. */
  readonly tiers?: readonly Tier[];
  /** True for a plan of the last tier, which may clip protected messages if the requirement is hard. */
  readonly isLastTier?: boolean;
  /** Strategy that made the plan, if it is not the chosen strategy. */
  readonly madeBy?: string;
  readonly strategyTitle?: string | undefined;
}

export interface PlanStamp {
  readonly recordId: string;
  readonly createdAt: string;
}

type DraftAction = Omit<RecordedAction, 'tokensBefore' | 'tokensAfter'>;

/** Error for a plan that names an unknown message, or one message twice. */
export class InvalidPlanError extends SentenceError {
  override readonly name = 'InvalidPlanError';
}

/** Drafts the actions and messages of a record. @throws {InvalidPlanError} for an unknown or repeated id */
export function draftPlan(view: readonly Message[], plan: Plan, stamp: PlanStamp) {
  const messageOf = messagesById(view);
  const actionOf = new Map<string, PlannedAction>();
  const claim = (id: string, action: PlannedAction): Message => {
    const message = messageOf(id);
    if (message === undefined)
      throw new InvalidPlanError(engineSentences.say('noSuchMessageInContext', { id }));
    if (actionOf.has(id)) throw new InvalidPlanError(engineSentences.say('planNamesMessageTwice', { id }));
    actionOf.set(id, action);
    return message;
  };

  const outputs: Message[] = [];
  const drafts = new Map<PlannedAction, DraftAction>();
  let created = 0;
  const bring = (
    content: string,
    more: Pick<Message, 'origin'> &
      Partial<Pick<Message, 'kind' | 'source' | 'original' | 'carried' | 'opaque'>>,
  ): string => {
    const id = outputId(stamp, ++created);
    const { origin, ...others } = more;
    outputs.push({ role: 'user', content, id, origin, createdAt: stamp.createdAt, ...others });
    return id;
  };
  const bringFile = (text: string, { path, original }: FileCopy): string =>
    bring(text, {
      origin: 'harness',
      kind: 'file',
      source: path,
      ...(original !== undefined && { original }),
    });
  const bringText = (text: string, carried?: Carried, opaque?: OpaqueItem): string =>
    bring(text, {
      origin: 'strategy',
      kind: 'summary',
      ...(carried && { carried }),
      ...(opaque && { opaque }),
    });

  for (const action of plan.actions) {
    const { kind } = action;
    const reason = actionReason(action.reason);
    switch (action.kind) {
      case 'hide':
      case 'offload':
      case 'clip':
        outputs.push(rewrittenBy(action, claim(action.id, action)));
        drafts.set(action, {
          kind,
          sourceIds: [action.id],
          outputId: action.id,
          ...reason,
          archiveRef: action.id,
        });
        break;
      case 'drop':
        for (const id of action.ids) claim(id, action);
        drafts.set(action, { kind, sourceIds: inViewOrder(action.ids, view), ...reason });
        break;
      case 'summarise':
        if (action.ids.length === 0) throw new InvalidPlanError(engineSentences.say('summaryWithoutSource'));
        for (const id of action.ids) claim(id, action);
        drafts.set(action, {
          kind,
          sourceIds: inViewOrder(action.ids, view),
          outputId: bringText(action.text, action.carried, action.opaque),
          ...reason,
        });
        break;
      case 'insert':
        if (action.after !== null && messageOf(action.after) === undefined) {
          throw new InvalidPlanError(engineSentences.say('noMessageToInsertAfter', { id: action.after }));
        }
        drafts.set(action, {
          kind,
          sourceIds: [],
          outputId:
            action.file === undefined
              ? bringText(action.text, action.carried)
              : bringFile(action.text, action.file),
          after: action.after,
          ...reason,
        });
    }
  }
  return { actions: inOrder(view, actionOf, drafts), outputs };
}

/** Returns the id of the nth message that a plan adds, counted from 1. */
export function outputId({ recordId }: PlanStamp, position: number): string {
  return `${recordId}.${position}`;
}

/** Applies actions to a view that may lack some messages. A summary takes the place of its last source in the view. */
export function applyActions(
  view: readonly Message[],
  actions: readonly DraftAction[],
  outputs: readonly Message[],
): readonly Message[] {
  const outputById = new Map(outputs.map((message) => [message.id, message]));
  const leaving = new Set<string>();
  const replacement = new Map<string, Message>();
  const following = new Map<string | null, Message[]>();
  const follow = (id: string | null | undefined, message: Message | undefined) => {
    if (id === undefined || message === undefined) return;
    following.set(id, [...(following.get(id) ?? []), message]);
  };
  const isPlaced = actions.some(({ kind }) => kind === 'summarise' || kind === 'insert');
  const position: ReadonlyMap<string, number> = isPlaced ? indexById(view) : new Map();
  for (const [index, action] of actions.entries()) {
    const output = action.outputId === undefined ? undefined : outputById.get(action.outputId);
    switch (action.kind) {
      case 'keep':
        break;
      case 'hide':
      case 'offload':
      case 'clip':
        for (const id of action.sourceIds) if (output !== undefined) replacement.set(id, output);
        break;
      case 'drop':
        for (const id of action.sourceIds) leaving.add(id);
        break;
      case 'summarise':
        for (const id of action.sourceIds) leaving.add(id);
        // An earlier summary may be missing if all its sources were restored.
        follow(
          action.sourceIds.findLast((id) => position.has(id)),
          output,
        );
        break;
      case 'insert':
        follow(placeOf(action, actions.slice(index + 1), view, position), output);
    }
  }
  const applied = [...(following.get(null) ?? [])];
  for (const message of view) {
    if (leaving.size === 0 || !leaving.has(message.id)) applied.push(replacement.get(message.id) ?? message);
    const next = following.size === 0 ? undefined : following.get(message.id);
    if (next !== undefined) applied.push(...next);
  }
  return applied;
}

/** Finds the message that an insertion follows: the recorded one, or else the one before the next known message. */
function placeOf(
  { after = null }: DraftAction,
  next: readonly DraftAction[],
  view: readonly Message[],
  position: ReadonlyMap<string, number>,
): string | null {
  if (after === null || position.has(after)) return after;
  for (const { kind, sourceIds } of next) {
    const ids = kind === 'keep' ? sourceIds : sourceIds.slice(-1);
    const id = ids.find((source) => position.has(source));
    if (id !== undefined) return view[(position.get(id) ?? 0) - 1]?.id ?? null;
  }
  return view.at(-1)?.id ?? null;
}

const clipped = new WeakMap<PlannedClip, { readonly before: Message; readonly after: Message }>();

/** Applies a planned action to a message. Always returns the same object, so that its tokens stay known. */
export function rewrittenBy(action: PlannedRewrite | PlannedClip, message: Message): Message {
  if (action.kind !== 'clip') {
    return placeheld(message, action.kind, action.placeholder, action.originalTokens);
  }
  const known = clipped.get(action);
  if (known?.before === message) return known.after;
  const after: Message = {
    // The transcript has the whole text, so the record need not store it again.
    ...(action.content === undefined
      ? withoutOriginal(message)
      : withContent(withoutOriginal(message), action.content)),
    ...(action.toolCalls === undefined ? {} : { tool_calls: withOwnFields(action.toolCalls, message) }),
    truncation: { fate: action.kind, originalTokens: action.originalTokens },
  };
  clipped.set(action, { before: message, after });
  return after;
}

/** Keeps additional fields of calls that the shortening code does not know. */
function withOwnFields(calls: readonly ToolCall[], { tool_calls: own = [] }: Message): readonly ToolCall[] {
  return calls.map((call, index) => {
    const was = own[index];
    if (was === undefined || (hasFieldsOf(was, call) && hasFieldsOf(was.function, call.function)))
      return call;
    return { ...was, ...call, function: { ...was.function, ...call.function } };
  });
}

function hasFieldsOf(one: object, other: object): boolean {
  const names = Object.keys(other);
  return Object.keys(one).every((name, index) => name === names[index]);
}

function inViewOrder(ids: readonly string[], view: readonly Message[]): readonly string[] {
  const positions = indexById(view);
  const places = ids.flatMap((id) => positions.get(id) ?? []);
  const isInOrder = places.every((place, index) => index === 0 || place > places[index - 1]!);
  return (isInOrder ? places : places.sort((one, other) => one - other)).flatMap(
    (place) => view[place]?.id ?? [],
  );
}

/** Sorts actions by their last source in the view, and adds `keep` actions for the messages between them. */
function inOrder(
  view: readonly Message[],
  actionOf: ReadonlyMap<string, PlannedAction>,
  drafts: ReadonlyMap<PlannedAction, DraftAction>,
): readonly DraftAction[] {
  const ordered: DraftAction[] = [];
  const insertions = [...drafts.values()].filter((draft) => draft.kind === 'insert');
  const insertBehind = (id: string | null) =>
    ordered.push(...insertions.filter((draft) => (draft.after ?? null) === id));
  const untouched = actionReason(engineSentences.say('untouched'));
  let kept: string[] = [];
  const closeRun = () => {
    if (kept.length > 0) ordered.push({ kind: 'keep', sourceIds: kept, ...untouched });
    kept = [];
  };
  insertBehind(null);
  for (const { id } of view) {
    const planned = actionOf.get(id);
    const draft = planned === undefined ? undefined : drafts.get(planned);
    if (draft === undefined) kept.push(id);
    else {
      closeRun();
      if (draft.sourceIds.at(-1) === id) ordered.push(draft);
    }
    if (insertions.length > 0 && insertions.some((insertion) => insertion.after === id)) {
      closeRun();
      insertBehind(id);
    }
  }
  closeRun();
  return ordered;
}
