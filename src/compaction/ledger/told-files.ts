import { type Message, type ToolCall, typedText } from '../messages/message.ts';
import { factsOfCall } from './call-facts.ts';
import { calledFunction } from './called-function.ts';
import { pathOfArgument, type TouchedFile } from './path-words.ts';

/**
 * Files that a call changed and only its result names, in the words of the tool: SWE-agent edits the file that is open,
 * and SpecStory leaves out the arguments of Claude Code's edits.
 */

/** SWE-agent's command for a range of lines. */
const editsOpenFile = /^edit \d+:\d+(?:\n|$)/u;
const editTool = /^(?:edit|insert|write|multi_?edit|notebook_?edit)$/iu;
/** SWE-agent's prompt, which ends each result. */
const openFile = /\(Open file: (\/[^\n]{1,400})\)\n\(Current directory: [^\n]{1,400}\)\nbash-\$\s*$/u;
const edited = /^(?:File updated\b|\[File: )/u;
const longestPrompt = 1_000;
/** Opening of the results of Claude Code's `Edit` and `Write`. */
const updated =
  /^(?:The file ([^\n]{1,400}?) has been (?:updated|modified)\b|File created successfully at: ([^\n]{1,400}?)(?:$| \(file state |\n))/u;

/** @param result of a call that ran */
export function filesToldBy(call: ToolCall, result: Message): readonly TouchedFile[] {
  const { filesModified, commands } = factsOfCall(call);
  const isLine = commands.some((command) => editsOpenFile.test(command));
  if (filesModified.length > 0 || !(isLine || editTool.test(calledFunction(call.function).name))) return [];
  const text = typedText(result);
  const [, changed, created] = updated.exec(text) ?? [];
  const open = edited.test(text) ? openFile.exec(text.slice(-longestPrompt))?.[1] : undefined;
  // A call has no arguments only where they were left out.
  const named = isLine ? open : (changed ?? created ?? open);
  const path = named === undefined ? undefined : pathOfArgument(named);
  return path === undefined ? [] : [{ path, what: created === undefined ? 'edited' : 'created' }];
}
