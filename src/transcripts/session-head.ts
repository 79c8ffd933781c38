import type { SaidPart } from '../compaction/messages/typed-parts.ts';
import { workingFolderIn } from './formats/cline/cline-task-format.ts';
import { copilotChatWindow } from './formats/copilot/copilot-chat-window.ts';
import { isMetaOfSubAgent } from './formats/codex/codex-format.ts';
import { isOfMainAgent } from './formats/copilot/copilot-events-format.ts';
import { isOfProgram } from './formats/claude-code/claude-code-format.ts';
import { saidInTask } from './formats/cline/cline-task-said.ts';
import { geminiParts } from './formats/gemini-cli/gemini-cli-turn.ts';
import { saidParts } from './reading/content-parts.ts';
import type { Fields } from './reading/fields.ts';
import {
  firstText,
  firstTyped,
  firstTypedPart,
  headLinesOf,
  objectLines,
  type SessionHead,
  filledText,
  textOfContent,
} from './head-fields.ts';
import { readJsonHead } from './reading/json-head.ts';
import type { FoundAgent } from './session-places.ts';
import { isRecord } from '../language/is-record.ts';

/** Model name in replies that Claude Code wrote itself. */
const placeholderModel = '<synthetic>';

/**
 * @param text the first characters of the file, which may end anywhere
 * @returns the data found; empty for a malformed file
 */
export function sessionHead(agent: FoundAgent, text: string): SessionHead {
  const head = headOf(agent, text);
  return head.title === undefined ? { ...head, startedAt: firstTime.exec(text)?.groups?.['time'] } : head;
}

/** The first time in a file, in any field. */
const firstTime = /"(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)"/u;

function headOf(agent: FoundAgent, text: string): SessionHead {
  switch (agent) {
    case 'claude-code':
      return claudeCodeHead(headLinesOf(text));
    case 'codex':
      return codexHead(headLinesOf(text));
    case 'gemini-cli':
      return geminiHead(text);
    case 'qwen-code':
      return qwenHead(headLinesOf(text));
    case 'pi':
      return piHead(headLinesOf(text));
    case 'copilot-cli':
      return copilotEventsHead(text);
    case 'copilot-chat':
      return copilotChatHead(text);
    case 'opencode':
      return opencodeHead(readJsonHead(text));
    case 'cline': {
      const document = readJsonHead(text);
      return Array.isArray(document) ? taskHead(document) : clineHead(document);
    }
    case 'roo-code':
      return taskHead(readJsonHead(text));
    case 'kilo-code': {
      // An array is a task in the format of older versions.
      const document = readJsonHead(text);
      return Array.isArray(document) ? taskHead(document) : opencodeHead(document);
    }
  }
}

/**
 * The session that a sub-agent's file belongs to.
 *
 * @param text the first characters of the file
 */
export function parentSessionId(text: string): string | undefined {
  return firstText(headLinesOf(text).map(({ sessionId }) => sessionId));
}

/**
 * True for a rollout of a Codex sub-agent, which only its beginning shows. Other agents' files show it in later lines,
 * too, or cannot be read without the first line.
 *
 * @param text the first characters of the file
 */
export function isRolloutOfSubAgent(text: string): boolean {
  const [first] = headLinesOf(text);
  return (
    first?.['type'] === 'session_meta' && isRecord(first['payload']) && isMetaOfSubAgent(first['payload'])
  );
}

function claudeCodeHead(lines: readonly Fields[]): SessionHead {
  const given =
    lines.findLast(({ type }) => type === 'custom-title')?.['customTitle'] ??
    lines.findLast(({ type }) => type === 'ai-title')?.['aiTitle'];
  const asked = lines.filter((line) => {
    return line['type'] === 'user' && line['isCompactSummary'] !== true && !isOfProgram(line);
  });
  const own = asked.filter(({ isSidechain }) => isSidechain !== true);
  // A sub-agent's file contains only its task.
  const typed = (own.length > 0 ? own : asked).map(({ message }) =>
    isRecord(message) ? message['content'] : undefined,
  );
  const summary = lines.find(({ type }) => type === 'summary')?.['summary'];
  return {
    title: filledText(given) ?? firstTyped(typed) ?? filledText(summary),
    workspace: firstText(lines.map(({ cwd }) => cwd)),
    model: lastModel(
      lines
        .map(({ message }) => (isRecord(message) ? message['model'] : undefined))
        .filter((model) => model !== placeholderModel),
    ),
  };
}

function codexHead(lines: readonly Fields[]): SessionHead {
  const payloads = lines.map(({ type, payload }) => ({ of: type, ...(isRecord(payload) ? payload : {}) }));
  const fields: readonly Fields[] = payloads;
  const meta = fields.find(({ of }) => of === 'session_meta') ?? {};
  const parentId = codexParent(meta);
  const own = codexTitle(ownOfCodex(fields, meta));
  const isCopy = parentId !== undefined && filledText(meta['forked_from_id']) !== undefined;
  return {
    // A sub-agent's name is more useful than the first words of the session it was copied from.
    title: own ?? (isCopy ? filledText(meta['agent_nickname']) : codexTitle(fields)),
    workspace: firstText(fields.map(({ cwd }) => cwd)),
    model: lastModel(fields.filter(({ of }) => of === 'turn_context').map(({ model }) => model)),
    parentId,
  };
}

function codexTitle(fields: readonly Fields[]): string | undefined {
  const told = fields.filter(({ of, type }) => of === 'event_msg' && type === 'user_message');
  const said = fields.filter(({ of, type, role }) => {
    return of === 'response_item' && type === 'message' && role === 'user';
  });
  return firstTyped([...told.map(({ message }) => message), ...said.map(({ content }) => content)]);
}

/**
 * A fork begins with a copy of its parent. Ids of sessions and turns begin with their times, so a fork's own turns have
 * ids that sort after the id of the fork.
 */
function ownOfCodex(fields: readonly Fields[], { forked_from_id: from, id }: Fields): readonly Fields[] {
  if (typeof from !== 'string' || typeof id !== 'string') return fields;
  const start = fields.findIndex(({ of, turn_id: turn }) => {
    return of === 'turn_context' && typeof turn === 'string' && turn > id;
  });
  return start < 0 ? [] : fields.slice(start);
}

/** Id of a Codex session's parent. Only the first session start in a fork's file is its own. */
function codexParent({ source, parent_thread_id: parent, forked_from_id: from }: Fields): string | undefined {
  const subAgent = isRecord(source) ? source['subagent'] : undefined;
  if (subAgent === undefined) return undefined;
  const spawned = isRecord(subAgent) ? subAgent['thread_spawn'] : undefined;
  const spawner = isRecord(spawned) ? spawned['parent_thread_id'] : undefined;
  return filledText(spawner) ?? filledText(parent) ?? filledText(from);
}

/** Data from opencode's file about a session, which contains no messages. */
function opencodeHead(document: unknown): SessionHead {
  const { title, directory, parentID } = isRecord(document) ? document : {};
  return { title: filledText(title), workspace: filledText(directory), parentId: filledText(parentID) };
}

function lastModel(models: readonly unknown[]): string | undefined {
  return firstText(models.toReversed());
}

function geminiHead(text: string): SessionHead {
  const lines = objectLines(text);
  const document = lines.length > 0 ? undefined : readJsonHead(text);
  const session = lines[0] ?? (isRecord(document) ? document : {});
  const listed = Array.isArray(document) ? document : (session['messages'] ?? session['history']);
  const told = Array.isArray(listed) ? (listed as readonly unknown[]) : [];
  const messages = [...told, ...lines.slice(1)].filter(isRecord);
  const typed = typedInGemini(messages);
  const changes = lines.map(({ $set }) => $set).filter(isRecord);
  const summary = [session, ...changes].findLast((fields) => filledText(fields['summary']) !== undefined);
  const { directories, projectHash, sessionId } = session;
  const histories = changes.flatMap((set): readonly unknown[] =>
    Array.isArray(set['messages']) ? set['messages'] : [],
  );
  // The program describes itself to the model before the first message.
  const all = [...messages, ...histories.filter(isRecord)];
  const isSaid =
    all.some(({ type, role }) => type === 'gemini' || role === 'model') ||
    firstTypedPart(typedInGemini(all)) !== undefined;
  return {
    ...(!isSaid && { isEmpty: true }),
    sessionId: filledText(sessionId),
    title: filledText(summary?.['summary']) ?? firstTypedPart(typed),
    workspace: Array.isArray(directories) ? firstText(directories) : undefined,
    workspaceHash: filledText(projectHash),
    model: lastModel(messages.map(({ model }) => model)),
  };
}

function qwenHead(lines: readonly Fields[]): SessionHead {
  const payloads = (subtype: string) =>
    lines
      .filter((line) => line['subtype'] === subtype)
      .map(({ systemPayload }) => systemPayload)
      .filter(isRecord);
  const typed = lines
    .filter(({ type, subtype }) => type === 'user' && subtype === undefined)
    .map(({ message }) => {
      const parts = isRecord(message) && Array.isArray(message['parts']) ? message['parts'] : [];
      // Texts after the first come from files and hooks.
      return filledText(parts.filter(isRecord).find(({ text }) => typeof text === 'string')?.['text']);
    });
  return {
    title: filledText(payloads('custom_title').at(-1)?.['customTitle']) ?? firstTyped(typed),
    workspace: firstText(lines.map(({ cwd }) => cwd)),
    model: lastModel(lines.map(({ model }) => model)),
    window: lines
      .map(({ contextWindowSize }) => contextWindowSize)
      .findLast((size) => typeof size === 'number'),
    parentId: firstText(payloads('parent_session').map(({ parentSessionId: id }) => id)),
  };
}

function piHead(lines: readonly Fields[]): SessionHead {
  const messages = lines.map(({ message }) => message).filter(isRecord);
  const typed = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const named = lines.findLast(({ type }) => type === 'session_info')?.['name'];
  return {
    title: filledText(named) ?? firstTyped(typed),
    workspace: firstText(lines.filter(({ type }) => type === 'session').map(({ cwd }) => cwd)),
    model: lastModel(messages.map(({ model }) => model)),
  };
}

function typedInGemini(messages: readonly Fields[]): readonly (readonly SaidPart[])[] {
  return messages
    .filter(({ type, role }) => type === 'user' || role === 'user')
    .map(
      ({ displayContent, content, parts }) => geminiParts(displayContent ?? content ?? parts)?.texts ?? [],
    );
}

function taskHead(document: unknown): SessionHead {
  const messages = Array.isArray(document) ? document.filter(isRecord) : [];
  const content = messages
    .map((message) => message['content'])
    .find((said) => textOfContent(said) !== undefined);
  const title = firstTypedPart([saidInTask(saidParts(content), true)]);
  return { title, workspace: workingFolderIn(content) };
}

/** Data of a session of Cline since version 4. A sub-agent's id begins with that of the session that started it. */
function clineHead(document: unknown): SessionHead {
  const { messages, agent, sessionId } = isRecord(document) ? document : {};
  const listed = Array.isArray(messages) ? messages.filter(isRecord) : [];
  const typed = listed.filter(({ role }) => role === 'user').map(({ content }) => content);
  const [root, ...rest] = (filledText(sessionId) ?? '').split('__');
  return {
    title: firstTyped(typed),
    model: lastModel(listed.map(({ modelInfo }) => (isRecord(modelInfo) ? modelInfo['id'] : undefined))),
    ...(agent !== 'lead' && rest.length > 0 && { parentId: filledText(root) }),
  };
}

/**
 * Data from the events of Copilot CLI, which Copilot Chat also writes for hooks, or from the single object of older
 * versions.
 *
 * @param text the first characters of the file
 */
function copilotEventsHead(text: string): SessionHead {
  const events = headLinesOf(text)
    .filter(({ type }) => typeof type === 'string')
    .filter(isOfMainAgent)
    .map(({ type, data }) => ({ of: type, ...(isRecord(data) ? data : {}) }));
  if (events.length === 0) return chatMessagesHead(readJsonHead(text));
  const fields: readonly Fields[] = events;
  const contexts = fields.map(({ of, context }) =>
    of === 'session.start' || of === 'session.resume' ? context : undefined,
  );
  const asked = fields.filter(({ of }) => of === 'user.message');
  const titled = fields.findLast(({ of }) => of === 'session.title_changed');
  return {
    title: filledText(titled?.['title']) ?? firstTyped(asked.map(({ content }) => content)),
    workspace: firstText(contexts.filter(isRecord).map(({ cwd }) => cwd)),
    model: firstText(
      fields
        .toReversed()
        .map(({ of, model, newModel, selectedModel }) =>
          of === 'assistant.message' ? model : (newModel ?? selectedModel),
        ),
    ),
  };
}

function chatMessagesHead(document: unknown): SessionHead {
  const listed = isRecord(document) ? document['chatMessages'] : undefined;
  const messages = Array.isArray(listed) ? listed.filter(isRecord) : [];
  const asked = messages.filter(({ role }) => role === 'user');
  return { title: firstTyped(asked.map(({ content }) => content)) };
}

/**
 * Data of a chat of VS Code: one object, or a log that begins with the object and continues with changes.
 *
 * @param text the first characters of the file
 */
function copilotChatHead(text: string): SessionHead {
  const lines = objectLines(text);
  const changes = lines.filter(({ kind }) => typeof kind === 'number');
  const first = changes.length > 0 ? changes[0] : readJsonHead(text);
  const outer: Fields = isRecord(first) ? first : {};
  // The first line of a log can be longer than the part that was read.
  const chat = isRecord(outer['v']) ? outer['v'] : outer;
  const added = changes.flatMap(({ k: path, v: value }): readonly unknown[] =>
    Array.isArray(path) && path.length === 1 && path[0] === 'requests' && Array.isArray(value) ? value : [],
  );
  const kept = Array.isArray(chat['requests']) ? (chat['requests'] as readonly unknown[]) : [];
  const requests = [...kept, ...added].filter(isRecord);
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
