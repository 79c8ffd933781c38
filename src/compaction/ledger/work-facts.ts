import {
  type CommandFact,
  emptyLedger,
  type FileFact,
  type Ledger,
  mergeWork,
  type NotRunFact,
  wholeLedger,
  type WorkSections,
} from '../messages/ledger.ts';
import type { Message, ToolCall } from '../messages/message.ts';
import { rememberedList } from '../messages/remembered.ts';
import { callEnds, type EndedCall, hasBegun } from './call-ends.ts';
import { factsOfCall, noFacts } from './call-facts.ts';
import { openErrors } from './open-errors.ts';

/** The facts of calls and their results, and those of earlier ones that summaries carry on. */
export const workFacts: (messages: readonly Message[]) => WorkSections = rememberedList((messages) => {
  const ends = callEnds(messages);
  let earlier: WorkSections = emptyLedger;
  const filesModified: FileFact[] = [];
  const filesRead: string[] = [];
  const identifiers: string[] = [];
  const commands: CommandFact[] = [];
  const notRun = new Map<string, NotRunFact>();
  for (const message of messages) {
    const carried = carriedBy(message);
    if (carried !== undefined) earlier = mergeWork(earlier, carried);
    for (const call of message.tool_calls ?? []) {
      const ended = ends.get(call)!;
      for (const fact of notDoneBy(call, ended)) notRun.set(fact.text, fact);
      const done = doneBy(call, ended);
      for (const text of [...done.filesModified, ...done.commands]) notRun.delete(text);
      filesModified.push(...done.filesModified.map((path) => ({ path, edits: 1 })));
      filesRead.push(...done.filesRead);
      identifiers.push(...done.identifiers);
      commands.push(...done.commands.map((command) => commandFact(command, ended)));
    }
  }
  const found = { filesModified, filesRead, identifiers, commands, notRun: [...notRun.values()] };
  // Errors that summaries carry are among the open ones, or ended since.
  return mergeWork({ ...earlier, errors: [] }, { ...found, errors: openErrors(messages) });
});

/**
 * Facts of a call. A failed call changed no file and, unless it is a command, read none. For a call without a result,
 * only the files it names are known.
 */
function doneBy(call: ToolCall, { end }: EndedCall): ReturnType<typeof factsOfCall> {
  const facts = factsOfCall(call);
  if (end === 'unanswered' || end === 'pending') {
    return {
      ...facts,
      filesModified: [],
      filesRead: [...facts.filesRead, ...facts.filesModified],
      commands: [],
    };
  }
  if (!hasBegun(end)) return noFacts;
  if (end === 'ran' || end === 'running') return facts;
  return { ...facts, filesModified: [], filesRead: facts.commands.length > 0 ? facts.filesRead : [] };
}

function notDoneBy(call: ToolCall, { end }: EndedCall): readonly NotRunFact[] {
  if (hasBegun(end)) return [];
  const { commands, filesModified } = factsOfCall(call);
  return commands.length > 0
    ? commands.map((text) => ({ text, what: 'command', end }))
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
  const add = (work: Pick<WorkSections, 'filesRead' | 'identifiers'>) => {
    for (const file of work.filesRead) files.add(file);
    for (const identifier of work.identifiers) identifiers.add(identifier);
  };
  for (const message of messages) {
    const carried = carriedBy(message);
    if (carried !== undefined) {
      add(carried);
      for (const { path } of carried.filesModified) files.add(path);
      for (const { command } of carried.commands) commands.add(command);
    }
    for (const call of message.tool_calls ?? []) {
      const done = doneBy(call, ends.get(call)!);
      add(done);
      for (const path of done.filesModified) files.add(path);
      for (const command of done.commands) commands.add(command);
    }
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
