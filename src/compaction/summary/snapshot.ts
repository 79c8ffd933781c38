import { textOf, type Message } from '../message.ts';
import type { Mark } from '../quoting/mark.ts';
import { largestSummary, noteRules, type SummaryForm } from './form.ts';
import { summaryText, withoutSummaryTags } from './summary-message.ts';

/** Name of the tag around a snapshot. */
export const tag = 'state_snapshot';

/** Words to a token, for a model that is told how long its answer may be. */
const wordsPerToken = 0.6;

export interface SnapshotRequest {
  /** True if what is read holds an earlier snapshot. */
  readonly isUpdate: boolean;
  /** Most tokens the snapshot may take. */
  readonly largest: number;
  /** True if the model reasons in a scratchpad first, which takes as much again. */
  readonly hasScratchpad: boolean;
}

/** A snapshot of where the work stands, after a scratchpad that nobody else reads. */
export function snapshotForm({ isUpdate, largest, hasScratchpad }: SnapshotRequest): SummaryForm {
  const length =
    largest < largestSummary ? ` The snapshot has at most ${Math.floor(largest * wordsPerToken)} words.` : '';
  const task = isUpdate
    ? `Bring the newest earlier ${tag} up to date with what came after it: carry over what still holds word for word, correct what changed, add what is new.`
    : `Write a new ${tag}.`;
  return {
    instructions: `${noteRules('You write down the state of a piece of work. A coding assistant will go on from this snapshot alone: the messages below leave its context.')}

First go through the messages in a <scratchpad>: the goal, each thing that was done and how it ended, what must not be forgotten. Nobody reads the scratchpad. Then write the snapshot, and nothing behind it:
<${tag}>
## Goal
what the person wants, in their words
## Rules
what the person set, and limits that were found
## Knowledge
facts that took work to find out: build and test commands, how things hang together, exact error messages
## Artifact trail
each file that was written or changed, why, and which change replaced which
## File state
paths that were read, created, changed or deleted, and how each stands now
## Recent actions
the last steps and what came of them
## Plan
the steps, each marked done, in progress or open
</${tag}>`,
    task: `${task} Reason in the <scratchpad> first; close the <${tag}> tag.${length}`,
    tag,
    needsTag: true,
    largest: Math.min(largestSummary, hasScratchpad ? 2 * largest : largest),
  };
}

/** The message that holds a snapshot, and how many messages stood behind it when it was written. */
export function snapshotMessage(text: string, followers: number, mark: Mark): string {
  return summaryText(`${text}\n[Messages behind this one that were kept: ${followers}]`, mark);
}

const followersLine = /\n\[Messages behind this one that were kept: (\d+)\]$/u;
const anyOpening = new RegExp(`<${tag}(?:_[a-z0-9]+)?>\\n`, 'u');

/** One of ours, or one that another agent left as a message in the user's name. */
export function isSnapshot(message: Message): boolean {
  const text = textOf(message.content);
  if (message.kind === 'summary') return message.carried?.followers !== undefined || anyOpening.test(text);
  const isWhole = text.trimStart().startsWith(`<${tag}>`) && text.includes(`</${tag}>`);
  return message.role === 'user' && message.kind === undefined && isWhole;
}

/** How many messages stood behind a snapshot when it was written. Undefined for any other message. */
export function followersOf(message: Message): number | undefined {
  if (!isSnapshot(message)) return undefined;
  // Earlier versions wrote it into the text only.
  const count = followersLine.exec(withoutSummaryTags(textOf(message.content)))?.[1];
  return message.carried?.followers ?? (count === undefined ? undefined : Number(count));
}

/** The plan that a snapshot carries. */
export function planIn({ kind, carried }: Message): string | undefined {
  return kind === 'summary' ? carried?.plan : undefined;
}
