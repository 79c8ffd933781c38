import { isRecord } from '../language/is-record.ts';
import type { Fields } from './reading/fields.ts';
import { firstText, firstTyped, linesOf, type SessionHead, textIn, textOfContent } from './head-fields.ts';
import { readJsonHead } from './reading/json-head.ts';

/**
 * Of the events of Copilot CLI, which Copilot Chat writes for hooks, too; or of the one object that older versions
 * wrote.
 *
 * @param text the first characters of the file
 */
export function copilotEventsHead(text: string): SessionHead {
  const events = linesOf(text).map(({ type, data }) => ({ of: type, ...(isRecord(data) ? data : {}) }));
  if (events.length === 0) return chatMessagesHead(readJsonHead(text));
  const fields: readonly Fields[] = events;
  const contexts = fields.map(({ of, context }) =>
    of === 'session.start' || of === 'session.resume' ? context : undefined,
  );
  const asked = fields.filter(({ of }) => of === 'user.message');
  const titled = fields.findLast(({ of }) => of === 'session.title_changed');
  return {
    title: textIn(titled?.['title']) ?? firstTyped(asked.map(({ content }) => textIn(content))),
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
  return { title: firstTyped(asked.map(({ content }) => textOfContent(content))) };
}

/**
 * Of a chat as VS Code keeps it: one object, or a log whose first line has the object, and whose others change it.
 *
 * @param text the first characters of the file
 */
export function copilotChatHead(text: string): SessionHead {
  const lines = linesOf(text);
  const changes = lines.filter(({ kind }) => typeof kind === 'number');
  const first = changes.length > 0 ? changes[0] : readJsonHead(text);
  const outer: Fields = isRecord(first) ? first : {};
  // The first line of a log can be longer than what was read of it.
  const chat = isRecord(outer['v']) ? outer['v'] : outer;
  const added = changes.flatMap(({ k: path, v: value }): readonly unknown[] =>
    Array.isArray(path) && path.length === 1 && path[0] === 'requests' && Array.isArray(value) ? value : [],
  );
  const kept = Array.isArray(chat['requests']) ? (chat['requests'] as readonly unknown[]) : [];
  const requests = [...kept, ...added].filter(isRecord);
  const renamed = changes.findLast(({ k: path }) => Array.isArray(path) && path[0] === 'customTitle')?.['v'];
  return {
    title:
      textIn(renamed) ??
      textIn(chat['customTitle']) ??
      firstTyped(requests.map(({ message }) => textIn(isRecord(message) ? message['text'] : message))),
    model: firstText(requests.toReversed().map(({ modelId }) => modelId))?.replace(/^copilot\//, ''),
  };
}
