import { isRecord } from '../../../language/is-record.ts';
import {
  type AgentFiles,
  anyName,
  chatSessionFile,
  filledText,
  firstText,
  firstTyped,
  type LastUsage,
  objectLines,
  type SessionHead,
} from '../../reading/agent-files.ts';
import { userDataFolders } from '../../reading/editor-folders.ts';
import { fieldsOf, recordsIn } from '../../reading/fields.ts';
import { readJsonAt, readJsonHead } from '../../reading/json-head.ts';

export const copilotChatFiles: AgentFiles = {
  /** VS Code stores chats per workspace folder, or globally if no folder was open. */
  places: (surroundings) =>
    userDataFolders(surroundings).flatMap((userData) => [
      { folder: `${userData}/workspaceStorage`, levels: [anyName, /^chatSessions$/, chatSessionFile] },
      { folder: `${userData}/globalStorage/emptyWindowChatSessions`, levels: [chatSessionFile] },
    ]),
  head: headOf,
  lastUsage,
};

/**
 * Reads the head of a chat of VS Code: one object, or a log that begins with the object and continues with changes.
 *
 * @param text the first characters of the file
 */
function headOf(text: string): SessionHead {
  const lines = objectLines(text);
  const changes = lines.filter(({ kind }) => typeof kind === 'number');
  const first = changes.length > 0 ? changes[0] : readJsonHead(text);
  const outer = fieldsOf(first);
  // The first line of a log can be longer than the part that was read.
  const chat = isRecord(outer['v']) ? outer['v'] : outer;
  const added = changes.flatMap(({ k: path, v: value }) =>
    Array.isArray(path) && path.length === 1 && path[0] === 'requests' ? recordsIn(value) : [],
  );
  const requests = [...recordsIn(chat['requests']), ...added];
  const renamed = changes.findLast(({ k: path }) => Array.isArray(path) && path[0] === 'customTitle')?.['v'];
  return {
    title:
      filledText(renamed) ??
      filledText(chat['customTitle']) ??
      firstTyped(requests.map(({ message }) => (isRecord(message) ? message['text'] : message))),
    model: firstText(requests.toReversed().map(({ modelId }) => modelId))?.replace(/^copilot\//, ''),
    window: copilotChatWindow(text),
  };
}

/** Notes in a chat of VS Code: the number of a request, a request for a summary, and the tokens of the last call. */
const chatNotes =
  /"k"\s*:\s*\["requests",(?<index>\d+)|"(?<isRequest>requestId)"\s*:|"metadata"\s*:\s*\{\s*(?<isCompaction>"summary")\s*:|"promptTokens"(?:\],\s*"v")?\s*:\s*(?<input>\d+)(?:\s*,\s*"outputTokens"\s*:\s*(?<output>\d+))?/gu;

/**
 * Reads the context's size in a chat of VS Code: tokens of the last call of a request, and of its answer if the
 * extension notes them. The `completionTokens` of a request cover all its calls and are ignored. A request only for a
 * summary (`/compact`) has the size of the messages that it replaced.
 *
 * Sources: `ChatResponseModel.toJSON` in `src/vs/workbench/contrib/chat/common/model/chatModel.ts` of VS Code;
 * `TurnTokenUsageMetadata` in `src/extension/prompt/common/conversation.ts` of Copilot Chat, before
 * `AnthropicTokenUsageMetadata`, and only for models of Anthropic.
 */
function lastUsage(tail: string): LastUsage | undefined {
  let request = '';
  let seen = 0;
  let last: { request: string; input: number; output: number; isCompaction: boolean } | undefined;
  for (const { groups = {} } of tail.matchAll(chatNotes)) {
    const { index, isRequest, isCompaction, input, output } = groups;
    if (index !== undefined) request = index;
    if (isRequest !== undefined) request = `unnumbered ${++seen}`;
    if (isCompaction === undefined && input === undefined) continue;
    if (last?.request !== request) last = { request, input: 0, output: 0, isCompaction: false };
    if (isCompaction !== undefined) last.isCompaction = true;
    if (input === undefined) continue;
    // A call is reported twice, once without its answer.
    if (last.input !== Number(input)) last.output = 0;
    last.input = Number(input);
    last.output = Number(output ?? last.output);
  }
  const window = copilotChatWindow(tail);
  const ofAgent = { hasOwnWindows: true, ...(window !== undefined && { window }) } as const;
  if (last === undefined || last.isCompaction || last.input === 0) return undefined;
  return { tokens: last.input + last.output, ...ofAgent };
}

const selectedModel = /"selectedModel"(?:\],\s*"v")?\s*:\s*(?=\{)/gu;
/** Maximum characters of a selected model. */
const longestModel = 20_000;

/**
 * Returns the window of the model selected in a chat, by the rule of VS Code's own meter: the maximum input, as set
 * by the user, plus the maximum output. Source: `resolveContextWindow` in
 * `src/vs/workbench/contrib/chat/browser/widgetHosts/viewPane/chatContextUsageWidget.ts` of VS Code.
 *
 * @returns undefined if the text does not contain the model
 */
export function copilotChatWindow(text: string): number | undefined {
  const found = [...text.matchAll(selectedModel)].at(-1);
  if (found === undefined) return undefined;
  return windowOfSelection(readJsonAt(text, found.index + found[0].length, longestModel));
}

/** Returns the window, by the same rule, for the `selectedModel` of a parsed chat. */
export function windowOfSelection(selected: unknown): number | undefined {
  const { metadata, modelConfiguration } = fieldsOf(selected);
  const { maxInputTokens, maxOutputTokens, configurationSchema } = fieldsOf(metadata);
  const { contextSize } = fieldsOf(fieldsOf(configurationSchema)['properties']);
  const sizes = [
    fieldsOf(modelConfiguration)['contextSize'],
    fieldsOf(contextSize)['default'],
    maxInputTokens,
  ];
  const input = sizes.find((tokens) => typeof tokens === 'number');
  if (typeof input !== 'number' || typeof maxOutputTokens !== 'number') return undefined;
  return input > 0 && maxOutputTokens > 0 ? input + maxOutputTokens : undefined;
}
