import type { Message, ToolCall } from '../messages/message.ts';
import { aiderReport } from './aider-reports.ts';
import { type EndedCall, hasBegun } from './call-ends.ts';
import { factsOfCall } from './call-facts.ts';
import { onlyLooks } from './looking-commands.ts';
import type { TouchedFile } from './path-words.ts';
import { idsInResult } from './result-ids.ts';
import { filesToldBy } from './told-files.ts';

/** Deeds of a call, as far as its end tells, or of a program that tells them itself. */
export interface Deeds {
  readonly files: readonly TouchedFile[];
  /** Commands that changed or checked something. */
  readonly actions: readonly string[];
  readonly identifiers: readonly string[];
  /** Names that it looked for. */
  readonly names: readonly string[];
}

const nothing: Deeds = { files: [], actions: [], identifiers: [], names: [] };

/**
 * A failed call changed no file and, unless it is a command, read none; of a failed command, its last program changed
 * none. For a call without a result, only the files it names are known.
 */
export function deedsOf(call: ToolCall, { end, result }: EndedCall): Deeds {
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

/** Deeds in a message in which Aider tells what it did by itself. */
export function reportedDeeds(message: Message): Deeds {
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
