import { isBlank, isSystem, type Message } from '../messages/message.ts';
import { isPermittedOutput, objectionToChange } from './permitted-change.ts';
import type { Reason, ReasonCode, RecordedAction, Requirement } from './record.ts';
import { findViolations } from '../messages/validity.ts';

/** A view that a plan would bring about, and what it has to be measured against. */
export interface PlannedView {
  readonly before: readonly Message[];
  readonly after: readonly Message[];
  /** With tokens counted; a message that no action but `keep` names has to be the same in both views. */
  readonly actions: readonly RecordedAction[];
  /** Tokens of the view and the tool schemas, counted with the same counter on both sides. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly requirement: Requirement;
  /** Size the view has to come down to where the requirement is hard. */
  readonly target: number | undefined;
  readonly protectedIds: ReadonlySet<string>;
  /** The last tier of a hard requirement may clip a protected message that alone fills the window. */
  readonly mayClipProtected: boolean;
}

/**
 * The bar that every plan has to pass, whoever made it.
 *
 * @returns why the plan is refused, or nothing where it is accepted
 */
export function findObjection(proposal: PlannedView): Reason | undefined {
  return (
    objectToShape(proposal) ??
    objectToProtection(proposal) ??
    objectToOrder(proposal) ??
    objectToPrefix(proposal) ??
    objectToPlace(proposal) ??
    objectToChanges(proposal) ??
    objectToSummaries(proposal) ??
    objectToSize(proposal)
  );
}

function refuse(code: ReasonCode, message: string): Reason {
  return { code, message };
}

function objectToShape({ before, after }: PlannedView): Reason | undefined {
  const [violation] = findViolations(after);
  if (violation !== undefined) {
    return refuse('invalid-view', `A provider would refuse the result. ${violation.message}`);
  }
  const originals = new Map(before.map((message) => [message.id, message]));
  for (const message of after) {
    const original = originals.get(message.id);
    for (const [position, call] of (message.tool_calls ?? []).entries()) {
      const originalCall = original?.tool_calls?.[position];
      if (originalCall === undefined) continue;
      const sameCall = call.id === originalCall.id && call.function.name === originalCall.function.name;
      if (!sameCall) return refuse('invalid-view', `A call of message ${message.id} became another call.`);
      if (isJson(originalCall.function.arguments) && !isJson(call.function.arguments)) {
        return refuse('invalid-view', `Arguments of message ${message.id} are no longer valid JSON.`);
      }
    }
  }
  return undefined;
}

function objectToProtection(proposal: PlannedView): Reason | undefined {
  const { before, after, protectedIds, mayClipProtected } = proposal;
  const afterById = new Map(after.map((message) => [message.id, message]));
  for (const message of before) {
    if (!protectedIds.has(message.id)) continue;
    const kept = afterById.get(message.id);
    if (kept === undefined) {
      return refuse('protected-changed', `Message ${message.id} is protected and would be gone.`);
    }
    const mayDiffer = mayClipProtected && kept.truncation?.fate === 'clip';
    if (!mayDiffer && !isSame(kept, message)) {
      return refuse('protected-changed', `Message ${message.id} is protected and would be changed.`);
    }
  }
  return undefined;
}

function objectToOrder({ before, after, actions }: PlannedView): Reason | undefined {
  const position = new Map(before.map((message, index) => [message.id, index]));
  let last = -1;
  for (const { id } of after) {
    const index = position.get(id);
    if (index === undefined) continue;
    if (index <= last) return refuse('order-changed', `Message ${id} would change its place.`);
    last = index;
  }
  const touched = new Set(actions.flatMap((action) => (action.kind === 'keep' ? [] : action.sourceIds)));
  const afterById = new Map(after.map((message) => [message.id, message]));
  for (const message of before) {
    if (touched.has(message.id)) continue;
    const kept = afterById.get(message.id);
    if (kept === undefined || !isSame(kept, message)) {
      return refuse('order-changed', `Message ${message.id} would be kept, but is missing or different.`);
    }
  }
  return undefined;
}

function objectToPrefix({ before, after, actions }: PlannedView): Reason | undefined {
  const touched = new Set(actions.flatMap((action) => (action.kind === 'keep' ? [] : action.sourceIds)));
  const insertedBehind = new Set(
    actions.flatMap((action) => (action.kind === 'insert' ? [action.after ?? null] : [])),
  );
  if (insertedBehind.has(null)) return undefined;
  for (const [index, message] of before.entries()) {
    if (touched.has(message.id)) return undefined;
    const same = after[index];
    if (same === undefined || !isSame(same, message)) {
      return refuse('prefix-changed', `Message ${message.id} stands before the first change, but differs.`);
    }
    if (insertedBehind.has(message.id)) return undefined;
  }
  return undefined;
}

/** What a view begins with are its system messages; nothing a plan brings may stand before one of them. */
function objectToPlace({ before, after }: PlannedView): Reason | undefined {
  for (const [index, message] of before.entries()) {
    if (!isSystem(message)) return undefined;
    if (after[index]?.id === message.id) continue;
    return refuse('order-changed', `A new message would stand before the system message ${message.id}.`);
  }
  return undefined;
}

/** An allow-list: what is neither kept, nor a permitted change, nor a message that an action brings, is refused. */
function objectToChanges({ before, after, actions }: PlannedView): Reason | undefined {
  const originals = new Map(before.map((message) => [message.id, message]));
  const fates = new Map(actions.flatMap(({ kind, sourceIds }) => sourceIds.map((id) => [id, kind])));
  const brought = new Set(
    actions.flatMap(({ kind, outputId }) => (kind === 'summarise' || kind === 'insert' ? [outputId] : [])),
  );
  for (const message of after) {
    const { id } = message;
    const original = originals.get(id);
    if (original === undefined) {
      if (brought.has(id) && isPermittedOutput(message)) continue;
      return refuse('change-not-permitted', `Message ${id} is new in the view, and no summary of the plan.`);
    }
    if (isSame(original, message)) continue;
    const objection = objectionToChange(original, message, fates.get(id) ?? 'keep');
    if (objection !== undefined) return refuse('change-not-permitted', objection);
  }
  return undefined;
}

function objectToSummaries({ after, actions }: PlannedView): Reason | undefined {
  const afterById = new Map(after.map((message) => [message.id, message]));
  for (const action of actions) {
    if (action.kind !== 'summarise' && action.kind !== 'insert') continue;
    const summary = action.outputId === undefined ? undefined : afterById.get(action.outputId);
    if (summary === undefined || isBlank(summary.content)) {
      return refuse('summary-empty', 'The summary is empty.');
    }
    if (action.kind === 'summarise' && action.tokensAfter >= action.tokensBefore) {
      return refuse(
        'summary-inflated',
        `The summary takes ${action.tokensAfter} tokens, the messages it replaces ${action.tokensBefore}.`,
      );
    }
  }
  return undefined;
}

function objectToSize(proposal: PlannedView): Reason | undefined {
  const { tokensBefore, tokensAfter, requirement, target } = proposal;
  if (tokensAfter >= tokensBefore) {
    return refuse('not-smaller', `The view would take ${tokensAfter} tokens, now it takes ${tokensBefore}.`);
  }
  if (requirement === 'hard' && target !== undefined && tokensAfter > target) {
    return refuse('over-target', `The view would take ${tokensAfter} tokens, over the target of ${target}.`);
  }
  return undefined;
}

function isSame(one: Message, other: Message): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
