import { engineSentences } from '../../language/english/engine-english.ts';
import { acceptanceSentences } from '../../language/english/acceptance-english.ts';
import { isBlank, isSystem, type Message, type ToolCall } from '../messages/message.ts';
import { type ChangedMessage, changedIn, messagesById, indexById } from '../messages/message-index.ts';
import { isPermittedOutput, objectionToChange } from './permitted-change.ts';
import { reasonOf } from './reason.ts';
import type { Reason, RecordedAction, Requirement } from './record.ts';
import { memoised } from '../messages/memoise.ts';
import { findViolations } from '../messages/validity.ts';
import { isJson } from '../text/parse-json.ts';
import { isDeepEqual } from './deep-equal.ts';

/** The view that a plan would produce, with the values against which it is measured. */
export interface PlannedView {
  readonly before: readonly Message[];
  readonly after: readonly Message[];
  /** Actions with counted tokens. Messages that no action or only `keep` names are equal in both views. */
  readonly actions: readonly RecordedAction[];
  /** Tokens of the view and the tool schemas, counted in the same way before and after. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly requirement: Requirement;
  readonly target: number | undefined;
  readonly protectedIds: ReadonlySet<string>;
  /** True if the last tier of a hard requirement may clip a protected message that fills the window alone. */
  readonly mayClipProtected: boolean;
}

/** Checks a plan from any author. @returns the reason to refuse the plan; undefined if it is accepted */
export function findObjection(plan: PlannedView): Reason | undefined {
  const proposal: Proposal = {
    ...plan,
    changed: changedIn(plan.before, plan.after),
    touched: new Set(plan.actions.flatMap((action) => (action.kind === 'keep' ? [] : action.sourceIds))),
  };
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

interface Proposal extends PlannedView {
  readonly changed: readonly ChangedMessage[];
  readonly touched: ReadonlySet<string>;
}

function objectToShape({ after, changed }: Proposal): Reason | undefined {
  const [violation] = findViolations(after);
  if (violation !== undefined) {
    return reasonOf(
      'invalid-view',
      acceptanceSentences.say('providerWouldRefuse', { violation: violation.sentence }),
    );
  }
  for (const { message, original } of changed) {
    for (const [position, call] of (message.tool_calls ?? []).entries()) {
      const originalCall = original?.tool_calls?.[position];
      if (originalCall === undefined || originalCall === call) continue;
      const sameCall = call.id === originalCall.id && call.function.name === originalCall.function.name;
      if (!sameCall)
        return reasonOf('invalid-view', acceptanceSentences.say('callBecameAnother', { id: message.id }));
      if (hasJson(originalCall) && !hasJson(call)) {
        return reasonOf('invalid-view', acceptanceSentences.say('argumentsAreNoJson', { id: message.id }));
      }
    }
  }
  return undefined;
}

function objectToProtection(proposal: Proposal): Reason | undefined {
  const { before, after, protectedIds, mayClipProtected } = proposal;
  const left = messagesById(after);
  for (const message of inOrder(protectedIds, before)) {
    const kept = left(message.id);
    if (kept === undefined) {
      return reasonOf('protected-changed', acceptanceSentences.say('protectedWouldGo', { id: message.id }));
    }
    const mayDiffer = mayClipProtected && kept.truncation?.fate === 'clip';
    if (!mayDiffer && !isDeepEqual(kept, message)) {
      return reasonOf(
        'protected-changed',
        acceptanceSentences.say('protectedWouldChange', { id: message.id }),
      );
    }
  }
  return undefined;
}

function inOrder(ids: ReadonlySet<string>, view: readonly Message[]): readonly Message[] {
  const positions = indexById(view);
  return [...ids]
    .flatMap((id) => positions.get(id) ?? [])
    .sort((one, other) => one - other)
    .flatMap((position) => view[position] ?? []);
}

function objectToOrder({ before, after, touched }: Proposal): Reason | undefined {
  const positions = indexById(before);
  let last = -1;
  for (const message of after) {
    const index = before[last + 1] === message ? last + 1 : positions.get(message.id);
    if (index === undefined) continue;
    if (index <= last)
      return reasonOf('order-changed', acceptanceSentences.say('wouldChangeItsPlace', { id: message.id }));
    last = index;
  }
  const placesAfter = indexById(after);
  let next = 0;
  for (const message of before) {
    if (after[next] === message) {
      next++;
      continue;
    }
    const place = placesAfter.get(message.id);
    if (place !== undefined) next = place + 1;
    if (touched.has(message.id)) continue;
    const kept = place === undefined ? undefined : after[place];
    if (kept === undefined || !isDeepEqual(kept, message)) {
      return reasonOf('order-changed', acceptanceSentences.say('keptIsMissing', { id: message.id }));
    }
  }
  return undefined;
}

function objectToPrefix({ before, after, actions, touched }: Proposal): Reason | undefined {
  const insertedBehind = new Set(
    actions.flatMap((action) => (action.kind === 'insert' ? [action.after ?? null] : [])),
  );
  if (insertedBehind.has(null)) return undefined;
  for (const [index, message] of before.entries()) {
    if (touched.has(message.id)) return undefined;
    const same = after[index];
    if (same === undefined || !isDeepEqual(same, message)) {
      return reasonOf('prefix-changed', acceptanceSentences.say('prefixWouldDiffer', { id: message.id }));
    }
    if (insertedBehind.has(message.id)) return undefined;
  }
  return undefined;
}

/** System messages come first; a plan may add nothing before one of them. */
function objectToPlace({ before, after }: Proposal): Reason | undefined {
  const first = before.findIndex((message) => !isSystem(message));
  const left = messagesById(after);
  const leading = before
    .slice(0, first < 0 ? before.length : first)
    .filter(({ id }) => left(id) !== undefined);
  for (const [index, { id }] of leading.entries()) {
    if (after[index]?.id === id) continue;
    return reasonOf('order-changed', acceptanceSentences.say('beforeSystemMessage', { id }));
  }
  return undefined;
}

/** Allows only kept messages, permitted changes and messages that an action adds. */
function objectToChanges({ changed, actions }: Proposal): Reason | undefined {
  const fates = new Map(
    actions.flatMap(({ kind, sourceIds }) =>
      kind === 'keep' ? [] : sourceIds.map((id) => [id, kind] as const),
    ),
  );
  const brought = new Set(
    actions.flatMap(({ kind, outputId }) => (kind === 'summarise' || kind === 'insert' ? [outputId] : [])),
  );
  for (const { message, original } of changed) {
    const { id } = message;
    if (original === undefined) {
      if (brought.has(id) && isPermittedOutput(message)) continue;
      return reasonOf('change-not-permitted', acceptanceSentences.say('newButNoSummary', { id }));
    }
    if (isDeepEqual(original, message)) continue;
    const objection = objectionToChange(original, message, fates.get(id) ?? 'keep');
    if (objection !== undefined) return reasonOf('change-not-permitted', objection);
  }
  return undefined;
}

function objectToSummaries({ after, actions }: Proposal): Reason | undefined {
  const messageOf = messagesById(after);
  for (const action of actions) {
    if (action.kind !== 'summarise' && action.kind !== 'insert') continue;
    const summary = action.outputId === undefined ? undefined : messageOf(action.outputId);
    if (summary === undefined || isBlank(summary.content)) {
      return reasonOf('summary-empty', engineSentences.say('summaryIsEmpty'));
    }
    if (action.kind === 'summarise' && action.tokensAfter >= action.tokensBefore) {
      return reasonOf(
        'summary-inflated',
        acceptanceSentences.say('summaryIsLarger', {
          tokens: action.tokensAfter,
          replaced: action.tokensBefore,
        }),
      );
    }
  }
  return undefined;
}

function objectToSize(proposal: PlannedView): Reason | undefined {
  const { tokensBefore, tokensAfter, requirement, target } = proposal;
  if (tokensAfter >= tokensBefore) {
    const sentence =
      tokensAfter === tokensBefore
        ? acceptanceSentences.say('contextWouldNotShrink', { tokens: tokensAfter })
        : acceptanceSentences.say('contextWouldGrow', { before: tokensBefore, after: tokensAfter });
    return reasonOf('not-smaller', sentence);
  }
  if (requirement === 'hard' && target !== undefined && tokensAfter > target) {
    return reasonOf('over-target', acceptanceSentences.say('overTarget', { tokens: tokensAfter, target }));
  }
  return undefined;
}

const hasJson = memoised((call: ToolCall): boolean => isJson(call.function.arguments));
