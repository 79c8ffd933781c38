import { importsSentences } from '../../../language/english/imports-english.ts';
import { isRecord } from '../../../language/is-record.ts';
import { type EventLines, type Fields, fieldsOf } from '../../reading/fields.ts';
import {
  expectedAt,
  readEventLines,
  readJson,
  newerVersion,
  problemAt,
} from '../../reading/json-document.ts';
import { type Imported, ImportError, type TranscriptFormat } from '../../reading/transcript-format.ts';
import { windowOfSelection } from './copilot-chat-files.ts';
import { CopilotChatHistory } from './copilot-chat-history.ts';

const expected = importsSentences.say('expectedCopilotChat');

/** The newest known version of the object. */
const knownVersion = 3;

/**
 * Chats that VS Code stores for Copilot Chat (`chatSessions`): an object with `requests`, in newer versions a log of
 * changes to the object. Each request has its displayed reply. A completed request also has the prompts and answers
 * of each round, and the summaries that replaced earlier rounds.
 */
export const copilotChatFormat: TranscriptFormat = {
  id: 'copilot-chat',
  title: 'Copilot Chat session (JSON or JSON lines)',
  recognises: (text) => isLog(text) || isDocument(text),
  parse: (text) => (isLog(text) ? readLog(readEventLines(text)) : readDocument(text)),
  lines: { fits: isLog, read: readLog },
};

function isLog(text: string): boolean {
  return /^\s*\{"kind":\s*0,\s*"v":\s*\{/.test(text) && /"(?:sessionId|requests)":/.test(text);
}

function isDocument(text: string): boolean {
  return (
    /^\s*\{/.test(text) &&
    /"requests":\s*\[/.test(text) &&
    /"(?:responderUsername|initialLocation|requesterUsername)":/.test(text)
  );
}

function readLog(lines: EventLines): Imported {
  const { value, problems } = applyLog(lines);
  const read = readChat(value, () => lines.firstLine);
  return { ...read, problems: [...lines.problems, ...problems, ...read.problems] };
}

function readDocument(text: string): Imported {
  const document = readJson(text, expected);
  return readChat(document.value, (path) => document.lineOf(path));
}

function readChat(value: unknown, lineOf: (path: string) => number): Imported {
  const chat = fieldsOf(value);
  const { version, requests } = chat;
  if (!Array.isArray(requests)) throw expectedAt(lineOf('/requests'), expected);
  const history = new CopilotChatHistory();
  const problems: string[] = [];
  for (const [index, request] of (requests as readonly unknown[]).entries()) {
    const objection = isRecord(request) ? history.add(request) : 'a request is an object.';
    if (objection !== undefined) problems.push(`Request ${index + 1} was skipped: ${objection}`);
  }
  const read = history.end();
  if (read.entries.length === 0 && problems.length > 0) {
    throw new ImportError(expectedAt(lineOf('/requests/0'), expected).sentence);
  }
  const window = windowOfSelection(fieldsOf(chat['inputState'])['selectedModel']);
  problems.unshift(...newerVersion('Copilot Chat', version, knownVersion));
  return { ...read, tools: [], problems, window };
}

/** Kinds of a line: the whole object, a set field, a continued list, a removed field. */
const kinds = { whole: 0, set: 1, push: 2, remove: 3 } as const;

/** Maximum depth of a change; no chat is nested deeper. */
const longestPath = 20;

/** An object after applying its log of changes. */
interface LoggedObject {
  /** Undefined if no line has the whole object. */
  readonly value: unknown;
  /** One sentence for each line that could not be applied. */
  readonly problems: readonly string[];
}

/**
 * Applies VS Code's log of a chat. The first line is the whole object (`kind` 0, `v`). Every other line sets a field
 * (1), cuts a list to `i` items and adds to it (2), or removes a field (3), at the path `k`. Objects on the path are
 * copied, so the values of lines are not modified.
 */
function applyLog({ events }: EventLines): LoggedObject {
  const problems: string[] = [];
  let value: unknown;
  for (const { line, fields } of events) {
    if (fields['kind'] === kinds.whole) {
      value = fields['v'];
      continue;
    }
    const path = pathIn(fields['k']);
    const change = changeIn(fields);
    const changed = path === undefined || change === undefined ? noChange : changedAt(value, path, change);
    if (changed === noChange)
      problems.push(problemAt(line, 'a change is set, added or removed at a path that there is.'));
    else value = changed;
  }
  return { value, problems };
}

type Change = (value: unknown) => unknown;

const noChange = Symbol('no change');

function changeIn({ kind, v: value, i: start }: Fields): Change | undefined {
  switch (kind) {
    case kinds.set:
      return () => value;
    case kinds.remove:
      return () => undefined;
    case kinds.push:
      return (list) => {
        const items: readonly unknown[] = Array.isArray(list) ? list : [];
        const kept = typeof start === 'number' && start >= 0 ? items.slice(0, start) : items;
        return Array.isArray(value) ? [...kept, ...(value as readonly unknown[])] : kept;
      };
    default:
      return undefined;
  }
}

function pathIn(path: unknown): readonly (string | number)[] | undefined {
  if (!Array.isArray(path) || path.length === 0 || path.length > longestPath) return undefined;
  const steps = path as readonly unknown[];
  const isPath = steps.every(
    (step) =>
      (typeof step === 'string' && step !== '__proto__') || (Number.isSafeInteger(step) && Number(step) >= 0),
  );
  return isPath ? (steps as readonly (string | number)[]) : undefined;
}

/** Returns a copy with the change at the path; `noChange` if the path does not exist. */
function changedAt(value: unknown, [step, ...rest]: readonly (string | number)[], change: Change): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    const items = value as readonly unknown[];
    // A list grows by at most one, because a large index would allocate a huge list.
    if (typeof step !== 'number' || step > items.length) return noChange;
    const changed = changedAt(items[step], rest, change);
    return changed === noChange ? noChange : [...items.slice(0, step), changed, ...items.slice(step + 1)];
  }
  if (!isRecord(value)) return noChange;
  const name = String(step);
  const changed = changedAt(Object.hasOwn(value, name) ? value[name] : undefined, rest, change);
  return changed === noChange ? noChange : { ...value, [name]: changed };
}
