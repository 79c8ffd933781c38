import {
  type CommandFact,
  emptyLedger,
  type Ledger,
  lastMet,
  mergeWork,
  type NotRunFact,
  textOfFact,
  wholeLedger,
  type WorkSections,
} from '../messages/ledger.ts';
import type { Message, ToolCall } from '../messages/message.ts';
import { rememberedList } from '../messages/remembered.ts';
import { callEnds, type EndedCall, hasBegun } from './call-ends.ts';
import { factsOfCall } from './call-facts.ts';
import { withFiles } from './file-history.ts';
import type { TouchedFile } from './path-words.ts';
import { deedsOf, reportedDeeds } from './call-deeds.ts';
import { openErrors } from './open-errors.ts';
import { standingCommands } from './standing-commands.ts';
import { type UndoneWork, undoneWork } from './undone-work.ts';

/** The facts of calls and their results, and those of earlier ones that summaries carry on. */
export const workFacts: (messages: readonly Message[]) => WorkSections = rememberedList((messages) => {
  const ends = callEnds(messages);
  const undone = undoneWork(messages);
  let earlier: WorkSections = emptyLedger;
  const identifiers: string[] = [];
  const names: string[] = [];
  const commands: CommandFact[] = [];
  const notRun = new Map<string, NotRunFact>();
  for (const message of messages) {
    const carried = carriedBy(message);
    if (carried !== undefined) earlier = mergeWork(earlier, carried);
    for (const call of message.tool_calls ?? []) {
      const ended = ends.get(call)!;
      for (const fact of notDoneBy(call, ended)) notRun.set(fact.text, fact);
      const done = deedsOf(call, ended);
      for (const { path, what } of done.files) if (what !== 'read') notRun.delete(path);
      for (const command of done.actions) notRun.delete(command);
      identifiers.push(...done.identifiers);
      names.push(...done.names);
      commands.push(...done.actions.map((command) => commandFact(command, ended)));
    }
    const report = reportedDeeds(message);
    identifiers.push(...report.identifiers);
    commands.push(...report.actions.map((command) => ({ command })));
  }
  const filed = withFiles(earlier, standingFiles(messages, undone));
  const ids = new Set(identifiers);
  const searched = lastMet([], names).filter((name) => !ids.has(name));
  const onlySearched = new Set(searched);
  const carriedIds = earlier.identifiers.filter((id) => !onlySearched.has(id));
  const found = {
    ...emptyLedger,
    identifiers: [...searched.slice(-mostNames), ...identifiers.filter((id) => !undone.commits.has(id))],
    commands,
    notRun: [...notRun.values()],
  };
  // Errors that summaries carry are among the open ones, or ended since.
  const merged = mergeWork(
    { ...earlier, filesModified: [], filesRead: [], errors: [], identifiers: carriedIds },
    { ...found, errors: openErrors(messages) },
  );
  const changed = new Set(filed.filesModified.map(({ path }) => path));
  return {
    ...merged,
    ...filed,
    commands: standingCommands(merged.commands),
    notRun: merged.notRun.filter(({ what, text }) => what !== 'edit' || !changed.has(text)),
  };
});

/**
 * The files that calls used, without changes that do not stand.
 *
 * @param undone of the conversation that the messages are from
 */
export function standingFiles(messages: readonly Message[], undone: UndoneWork): readonly TouchedFile[] {
  const ends = callEnds(messages);
  return messages.flatMap((message) => {
    const told = { by: message, files: reportedDeeds(message).files };
    const calls = (message.tool_calls ?? []).map((by) => ({ by, files: deedsOf(by, ends.get(by)!).files }));
    return [...calls, told].flatMap(({ by, files }) =>
      files.filter(({ path, what }) => what === 'read' || undone.files.get(by)?.has(path) !== true),
    );
  });
}

/** Names that are listed only because they were searched for: the newest ones. */
const mostNames = 10;

function notDoneBy(call: ToolCall, { end }: EndedCall): readonly NotRunFact[] {
  if (hasBegun(end)) return [];
  const { commands, actions, filesModified } = factsOfCall(call);
  return commands.length > 0
    ? actions.map((text) => ({ text, what: 'command', end }))
    : end === 'skipped'
      ? []
      : filesModified.map((text) => ({ text, what: 'edit', end }));
}

function commandFact(command: string, { end, status }: EndedCall): CommandFact {
  const isTold = end === 'ran' || (end === 'failed' && status !== undefined && status !== 0);
  return {
    command,
    ...(status !== undefined && { status }),
    ...(!isTold && hasBegun(end) && { end }),
  };
}

/** Texts of facts by their kind. A file is one fact, whether it was read or changed. */
export type WorkTexts = Readonly<
  Record<'files' | 'commands' | 'errors' | 'identifiers', ReadonlySet<string>>
>;

/** The texts of the facts that `workFacts` finds, without their order. */
export function workTexts(messages: readonly Message[]): WorkTexts {
  const files = new Set<string>();
  const commands = new Set<string>();
  const errors = errorTexts(messages);
  const identifiers = new Set<string>();
  const ends = callEnds(messages);
  for (const message of messages) {
    const carried = carriedBy(message);
    if (carried !== undefined) {
      for (const path of [...carried.filesModified.map(textOfFact), ...carried.filesRead]) files.add(path);
      for (const identifier of carried.identifiers) identifiers.add(identifier);
      for (const { command } of carried.commands) commands.add(command);
    }
    for (const call of message.tool_calls ?? []) {
      const done = deedsOf(call, ends.get(call)!);
      for (const { path } of done.files) files.add(path);
      for (const identifier of [...done.identifiers, ...done.names]) identifiers.add(identifier);
      for (const command of done.actions) commands.add(command);
    }
    const report = reportedDeeds(message);
    for (const { path } of report.files) files.add(path);
    for (const identifier of report.identifiers) identifiers.add(identifier);
    for (const command of report.actions) commands.add(command);
  }
  return { files, commands, errors, identifiers };
}

/** The errors among them. */
export function errorTexts(messages: readonly Message[]): Set<string> {
  return new Set(openErrors(messages).map(({ text }) => text));
}

/** Facts of earlier messages that a summary carries on. */
function carriedBy({ kind, carried }: Message): Ledger | undefined {
  const ledger = kind === 'summary' ? carried?.ledger : undefined;
  return ledger && wholeLedger(ledger);
}
