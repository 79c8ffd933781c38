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
import { aiderReport } from './aider-reports.ts';
import { filesToldBy } from './told-files.ts';
import { idsInResult } from './result-ids.ts';
import { onlyLooks } from './looking-commands.ts';
import { openErrors } from './open-errors.ts';
import { standingCommands } from './standing-commands.ts';

/** The facts of calls and their results, and those of earlier ones that summaries carry on. */
export const workFacts: (messages: readonly Message[]) => WorkSections = rememberedList((messages) => {
  const ends = callEnds(messages);
  let earlier: WorkSections = emptyLedger;
  const files: TouchedFile[] = [];
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
      const done = doneBy(call, ended);
      for (const { path, what } of done.files) if (what !== 'read') notRun.delete(path);
      for (const command of done.actions) notRun.delete(command);
      files.push(...done.files);
      identifiers.push(...done.identifiers);
      names.push(...done.names);
      commands.push(...done.actions.map((command) => commandFact(command, ended)));
    }
    const report = reportedBy(message);
    files.push(...report.files);
    identifiers.push(...report.identifiers);
    commands.push(...report.actions.map((command) => ({ command })));
  }
  const filed = withFiles(earlier, files);
  const ids = new Set(identifiers);
  const searched = lastMet([], names).filter((name) => !ids.has(name));
  const onlySearched = new Set(searched);
  const carriedIds = earlier.identifiers.filter((id) => !onlySearched.has(id));
  const undone = new Set(messages.flatMap((message) => aiderReport(message)?.undone ?? []));
  const found = {
    ...emptyLedger,
    identifiers: [...searched.slice(-mostNames), ...identifiers.filter((id) => !undone.has(id))],
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

/** Names that are listed only because they were searched for: the newest ones. */
const mostNames = 10;

/** Deeds of a call, as far as its end tells. */
interface Done {
  readonly files: readonly TouchedFile[];
  /** Commands that changed or checked something. */
  readonly actions: readonly string[];
  readonly identifiers: readonly string[];
  /** Names that it looked for. */
  readonly names: readonly string[];
}

const nothing: Done = { files: [], actions: [], identifiers: [], names: [] };

/**
 * Facts of a call. A failed call changed no file and, unless it is a command, read none; of a failed command, its last
 * program changed none. For a call without a result, only the files it names are known.
 */
function doneBy(call: ToolCall, { end, result }: EndedCall): Done {
  const { files, filesBeforeEnd, actions, commands, identifiers, names } = factsOfCall(call);
  if (end === 'unanswered' || end === 'pending') {
    return { files: files.map(({ path }) => ({ path, what: 'read' })), actions: [], identifiers, names };
  }
  if (!hasBegun(end)) return nothing;
  if (end === 'ran' || end === 'running') {
    const ids = result === undefined ? [] : idsInResult(call, result);
    const told = result === undefined ? [] : filesToldBy(call, result);
    return {
      files: [...asTold(files, result), ...told],
      actions,
      identifiers: [...identifiers, ...ids],
      names,
    };
  }
  const left = files.filter(({ what }) => what === 'read');
  return { files: commands.length > 0 ? [...filesBeforeEnd, ...left] : [], actions, identifiers, names };
}

/** Facts of a message in which Aider tells what it did by itself. */
function reportedBy(message: Message): Done {
  const report = aiderReport(message);
  if (report === undefined) return nothing;
  return {
    files: report.edited.map((path) => ({ path, what: 'edited' })),
    actions: report.commands.filter((command) => !onlyLooks(command)),
    identifiers: report.commits.map(({ hash }) => hash),
    names: [],
  };
}

const deeds = { created: 'created', modified: 'edited', deleted: 'deleted' } as const;

/** The files, of which those that were written are new or not, as the agent itself recorded it. */
function asTold(files: readonly TouchedFile[], result: Message | undefined): readonly TouchedFile[] {
  const told = result?.outcome?.files ?? [];
  return files.map((file) => {
    const known =
      file.what !== 'written' ? undefined : told.find(({ path }) => endsWithPath(file.path, path));
    return known === undefined ? file : { ...file, what: deeds[known.change] };
  });
}

function endsWithPath(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}

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
      const done = doneBy(call, ends.get(call)!);
      for (const { path } of done.files) files.add(path);
      for (const identifier of [...done.identifiers, ...done.names]) identifiers.add(identifier);
      for (const command of done.actions) commands.add(command);
    }
    const report = reportedBy(message);
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
