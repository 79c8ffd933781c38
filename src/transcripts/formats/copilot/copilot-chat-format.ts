import { importsSentences } from '../../../language/english/imports-english.ts';
import { isRecord } from '../../../language/is-record.ts';
import type { EventLines } from '../../reading/fields.ts';
import { expectedAt, readEventLines, readJson } from '../../reading/json-document.ts';
import { type Imported, ImportError, type TranscriptFormat } from '../../reading/transcript-format.ts';
import { newerVersion } from '../../reading/known-version.ts';
import { applyLog } from './copilot-chat-log.ts';
import { windowOfSelection } from './copilot-chat-window.ts';
import { CopilotChatHistory } from './copilot-chat-history.ts';

const expected = importsSentences.say('expectedCopilotChat');

/** The newest known version of the object. */
const knownVersion = 3;

/**
 * Chats that VS Code keeps for Copilot Chat (`chatSessions`): an object with `requests`, in newer versions a log of
 * changes to it. Each request has its displayed reply. A completed one also has the prompts and answers of each round,
 * with the summaries that replaced earlier rounds.
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
  const chat = isRecord(value) ? value : {};
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
  const { selectedModel } = isRecord(chat['inputState']) ? chat['inputState'] : {};
  const window = windowOfSelection(selectedModel);
  problems.unshift(...newerVersion('Copilot Chat', version, knownVersion));
  return { ...read, tools: [], problems, ...(window !== undefined && { window }) };
}
