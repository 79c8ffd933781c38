import { type Message, type ToolCall, typedText } from '../messages/message.ts';
import type { CommandFact } from '../messages/ledger.ts';
import { memoised } from '../messages/memoise.ts';
import { aiderReport } from './aider-reports.ts';
import { type EndedCall, hasBegun } from './call-ends.ts';
import { factsOfCall } from './call-facts.ts';
import { calledFunction } from './called-function.ts';
import { lastingCommands } from './lasting-commands.ts';
import { pathOfArgument, type TouchedFile } from './path-words.ts';
import { errorsOf } from './result-facts.ts';
import { idsInResult } from './result-ids.ts';

/** Effects of a call that are known, or that a program reports. */
export interface Deeds {
  readonly files: readonly TouchedFile[];
  /** Steps of commands with a lasting effect, as `lastingCommands` finds them. */
  readonly commands: readonly CommandFact[];
  readonly identifiers: readonly string[];
}

const nothing: Deeds = { files: [], commands: [], identifiers: [] };

/**
 * Finds the effects of a call. If a call failed, only the programs before the last one of its command line
 * count. For a call without a result, only the named files are known.
 */
export const deedsOf = memoised((ended: EndedCall): Deeds => {
  const { call, end, result } = ended;
  const { files, filesBeforeEnd, commands, identifiers } = factsOfCall(call);
  if (end === 'unanswered' || end === 'pending') {
    const named = files.map((file): TouchedFile => {
      const { path, what } = file;
      return what === 'read' ? file : { path, what: what === 'deleted' ? what : 'read', isNamed: true };
    });
    return { files: named, commands: [], identifiers };
  }
  if (!hasBegun(end)) return nothing;
  if (end === 'ran' || end === 'running') {
    const ids = result === undefined ? [] : idsInResult(call, result);
    const told = result === undefined ? [] : filesToldBy(call, result);
    const isUnread = files.some(({ what }) => what === 'read') && showsNothing(result);
    return {
      files: [...asTold(isUnread ? files.map(onlyNamed) : files, result), ...told],
      commands: end === 'ran' ? commands.flatMap((script) => lastingIn(script, ended)) : [],
      identifiers: [...identifiers, ...ids],
    };
  }
  return { files: filesBeforeEnd, commands: [], identifiers };
});

/** Finds the effects that Aider reports in a message. */
export function reportedDeeds(message: Message): Deeds {
  const report = aiderReport(message);
  if (report === undefined) return nothing;
  return {
    files: report.edited.map((path) => ({ path, what: 'edited' })),
    commands: [],
    identifiers: report.commits.map(({ hash }) => hash),
  };
}

/** Outputs that show no text of a file. */
const empty = /^\s*(?:\((?:no output|Bash completed with no output)\)\s*)?$/u;
const noSuchFile = /: No such file or directory$|^(?:Error: )?(?:File|Path) (?:does not exist|not found)\b/mu;
/** Every form contains one of these texts. Only results with one are read closely. */
const noSuchFileHints = [': No such file', 'does not exist', 'not found'];

function showsNothing(result: Message | undefined): boolean {
  if (result === undefined) return false;
  const text = typedText(result);
  return empty.test(text) || (noSuchFileHints.some((hint) => text.includes(hint)) && noSuchFile.test(text));
}

function onlyNamed(file: TouchedFile): TouchedFile {
  return file.what === 'read' ? { ...file, isNamed: true } : file;
}

/** Returns the lasting steps that succeeded. If the status is inconclusive, an output without errors shows success. */
function lastingIn(script: string, { status, result }: EndedCall): readonly CommandFact[] {
  if ((status ?? 0) !== 0) return [];
  return lastingCommands(script).flatMap(({ command, isSure }): CommandFact | readonly [] => {
    if (isSure) return { command, ...(status !== undefined && { status }) };
    return result === undefined || errorsOf(result).length > 0 ? [] : { command };
  });
}

const deeds = { created: 'created', modified: 'edited', deleted: 'deleted' } as const;

/** Replaces `written` with the exact change, if the agent recorded it. */
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

/** SWE-agent's command that edits a range of lines in the open file. */
const editsOpenFile = /^edit \d+:\d+(?:\n|$)/u;
const editTool = /^(?:edit|insert|write|multi_?edit|notebook_?edit)$/iu;
/** SWE-agent's prompt, which ends each result. */
const openFile = /\(Open file: (\/[^\n]{1,400})\)\n\(Current directory: [^\n]{1,400}\)\nbash-\$\s*$/u;
const edited = /^(?:File updated\b|\[File: )/u;
const longestPrompt = 1_000;
/** Opening of the results of Claude Code's `Edit` and `Write`. */
const updated =
  /^(?:The file ([^\n]{1,400}?) has been (?:updated|modified)\b|File created successfully at: ([^\n]{1,400}?)(?:$| \(file state |\n))/u;

/**
 * Finds changed files that only the result of a call names. SWE-agent edits the open file, and SpecStory
 * omits the arguments of Claude Code's edits.
 *
 * @param result the result of a call that ran
 */
function filesToldBy(call: ToolCall, result: Message): readonly TouchedFile[] {
  const { filesModified, commands } = factsOfCall(call);
  const isLine = commands.some((command) => editsOpenFile.test(command));
  if (filesModified.length > 0 || !(isLine || editTool.test(calledFunction(call.function).name))) return [];
  const text = typedText(result);
  const [, changed, created] = updated.exec(text) ?? [];
  const open = edited.test(text) ? openFile.exec(text.slice(-longestPrompt))?.[1] : undefined;
  // Calls lack arguments only in formats that omit them.
  const named = isLine ? open : (changed ?? created ?? open);
  const path = named === undefined ? undefined : pathOfArgument(named);
  return path === undefined ? [] : [{ path, what: created === undefined ? 'edited' : 'created' }];
}
