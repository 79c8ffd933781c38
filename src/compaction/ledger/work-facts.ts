import {
  type CommandFact,
  emptyLedger,
  type Ledger,
  mergeWork,
  type NotRunFact,
  textOfFact,
  wholeLedger,
  type WorkSections,
} from '../messages/ledger.ts';
import type { Message, ToolCall } from '../messages/message.ts';
import { memoisedByList } from '../messages/memoise.ts';
import { aiderReport } from './aider-reports.ts';
import { type Deeds, deedsOf, reportedDeeds } from './call-deeds.ts';
import { callEnds, type EndedCall, hasBegun } from './call-ends.ts';
import { factsOfCall } from './call-facts.ts';
import { withFiles } from './file-history.ts';
import { openErrors } from './open-errors.ts';
import type { TouchedFile } from './path-words.ts';
import { lastingCommands } from './lasting-commands.ts';
import { onlyLooks } from './looking-commands.ts';
import { type UndoneWork, undoneWork } from './undone-work.ts';

/** Finds the facts of calls and their results, and earlier facts from summaries. */
export const workFacts: (messages: readonly Message[]) => WorkSections = memoisedByList((messages) => {
  const undone = undoneWork(messages);
  const notRun = new Map<string, NotRunFact>();
  const commands: CommandFact[] = [];
  const identifiers: string[] = [];
  const doings = deedsIn(messages);
  for (const { ended, deeds } of doings) {
    if (ended !== undefined) for (const fact of notDoneBy(ended)) notRun.set(fact.text, fact);
    for (const { path, what } of deeds.files) if (what !== 'read') notRun.delete(path);
    if (notRun.size > 0 && ended !== undefined && hasBegun(ended.end))
      for (const command of factsOfCall(ended.call).commands) notRun.delete(command);
    identifiers.push(...deeds.identifiers);
    commands.push(...deeds.commands);
  }
  const earlier = messages.reduce<WorkSections>((known, message) => {
    const carried = carriedBy(message);
    return carried === undefined ? known : mergeWork(known, carried);
  }, emptyLedger);
  const filed = withFiles(earlier, filesNotUndone(messages, undone, doings));
  // `openErrors` already includes the errors of summaries that are still open.
  const merged = mergeWork(
    { ...earlier, filesModified: [], filesRead: [], errors: [] },
    { ...emptyLedger, identifiers, commands, notRun: [...notRun.values()], errors: openErrors(messages) },
  );
  const changed = new Set(filed.filesModified.map(({ path }) => path));
  return {
    ...merged,
    ...filed,
    identifiers: merged.identifiers.filter((id) => !undone.commits.has(id)),
    // Summaries of earlier versions carry every command that did more than read.
    commands: merged.commands.filter(({ command }) => lastingCommands(command).length > 0),
    notRun: merged.notRun.filter(({ what, text }) => what !== 'edit' || !changed.has(text)),
  };
});

/** Effects with their author: a finished call, or Aider, which reports them in a message. */
interface Doing {
  readonly by: ToolCall | Message;
  readonly ended?: EndedCall;
  readonly deeds: Deeds;
}

function deedsIn(messages: readonly Message[]): readonly Doing[] {
  const ends = callEnds(messages);
  const doings: Doing[] = [];
  for (const message of messages) {
    for (const by of message.tool_calls ?? []) {
      const ended = ends.get(by)!;
      const deeds = deedsOf(ended);
      // Commands that the program ran for the user are not the assistant's.
      doings.push({ by, ended, deeds: message.origin === 'harness' ? { ...deeds, commands: [] } : deeds });
    }
    if (aiderReport(message) !== undefined) doings.push({ by: message, deeds: reportedDeeds(message) });
  }
  return doings;
}

/**
 * Finds the files that calls used, without undone changes.
 *
 * @param undone the undone work of the same conversation
 */
export function filesNotUndone(
  messages: readonly Message[],
  undone: UndoneWork,
  doings = deedsIn(messages),
): readonly TouchedFile[] {
  return doings.flatMap(({ by, deeds }) =>
    deeds.files.filter(({ path, what }) => what === 'read' || undone.files.get(by)?.has(path) !== true),
  );
}

/** Finds the commands and edits of a call that was refused or has no result yet. */
function notDoneBy({ call, end }: EndedCall): readonly NotRunFact[] {
  if (end !== 'refused' && end !== 'notAllowed' && end !== 'pending') return [];
  const { commands, filesModified } = factsOfCall(call);
  const actions = commands.filter((command) => !onlyLooks(command));
  return commands.length > 0
    ? actions.map((text) => ({ text, what: 'command', end }))
    : filesModified.map((text) => ({ text, what: 'edit', end }));
}

/** Texts of facts by kind. A file is one fact, whether read or changed. */
type WorkTexts = Readonly<Record<'files' | 'commands' | 'identifiers', ReadonlySet<string>>>;

/** Returns the texts of the facts of calls and summaries, including undone work. */
export function workTexts(messages: readonly Message[]): WorkTexts {
  const carried = messages.flatMap((message) => carriedBy(message) ?? []);
  const deeds = deedsIn(messages).map((doing) => doing.deeds);
  return {
    files: new Set([
      ...carried.flatMap(({ filesModified, filesRead }) => [...filesModified.map(textOfFact), ...filesRead]),
      ...deeds.flatMap(({ files }) => files.map(({ path }) => path)),
    ]),
    commands: new Set([
      ...carried.flatMap(({ commands }) => commands.map(({ command }) => command)),
      ...deeds.flatMap(({ commands }) => commands.map(({ command }) => command)),
    ]),
    identifiers: new Set([...carried, ...deeds].flatMap(({ identifiers }) => identifiers)),
  };
}

/** Returns the facts of earlier messages that a summary carries. */
function carriedBy({ kind, carried }: Message): Ledger | undefined {
  const ledger = kind === 'summary' ? carried?.ledger : undefined;
  return ledger && wholeLedger(ledger);
}
