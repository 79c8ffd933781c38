import { isTyped, type Message } from '../../src/compaction/messages/message.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { artifactsOf } from '../../src/measures/artifacts.ts';
import { keptErrorLines } from '../../src/measures/error-lines.ts';
import { keptArtifacts, keptTyped, needLater } from '../../src/measures/need-later.ts';

/** A count before compaction, and the part of it that is left. */
export interface Share {
  readonly kept: number;
  readonly total: number;
}

/** The share of a history that a view still says. */
export interface KeptFacts {
  /** Used by calls before the cut and again by calls after it. */
  readonly neededFiles: Share;
  readonly neededCommands: Share;
  /** Used by any call before the cut. */
  readonly files: Share;
  readonly commands: Share;
  /** Lines of tool results that report an error which no later run of the same call showed to be gone. */
  readonly errorLines: Share;
  /** Messages that a person typed, word for word. */
  readonly typedMessages: Share;
  /** The newest of them. */
  readonly newestMessage: Share;
  /** Reasons a strict endpoint would refuse the view, one short string per kind; empty if it would accept it. */
  readonly refusals: readonly string[];
}

/**
 * @param history the messages before the cut
 * @param later the messages after it
 * @param view what an engine made of the history
 */
export function keptFacts(
  history: readonly Message[],
  later: readonly Message[],
  view: readonly Message[],
): KeptFacts {
  const { reused } = needLater([...history, ...later], history.length, view);
  const all = keptArtifacts(artifactsOf(history), view);
  return {
    neededFiles: counts(reused.files),
    neededCommands: counts(reused.commands),
    files: counts(all.files),
    commands: counts(all.commands),
    errorLines: counts(keptErrorLines(history, view)),
    typedMessages: counts(keptTyped(history, view)),
    newestMessage: counts(keptTyped(history.filter(isTyped).slice(-1), view)),
    refusals: refusalsOf(history, view),
  };
}

function refusalsOf(history: readonly Message[], view: readonly Message[]): readonly string[] {
  const refusals = new Set<string>(findViolations(view).map(({ code }) => code.replaceAll('-', ' ')));
  if (view.length === 0) refusals.add('nothing left');
  else if (beginsWithPerson(history) && !beginsWithPerson(view)) refusals.add('begins with the assistant');
  return [...refusals];
}

/** Several endpoints want the user to speak first, system messages aside. */
function beginsWithPerson(messages: readonly Message[]): boolean {
  return messages.find(({ role }) => role !== 'system' && role !== 'developer')?.role === 'user';
}

function counts({ kept, total }: Share): Share {
  return { kept, total };
}
