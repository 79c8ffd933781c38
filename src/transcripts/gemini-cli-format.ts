import { readEventLines } from './event-lines.ts';
import { isFields, type Fields } from './fields.ts';
import { ImportError, type Imported, type TranscriptFormat } from './format.ts';
import { geminiHistory } from './gemini-cli-history.ts';
import { GeminiLog, turnOf } from './gemini-cli-log.ts';
import type { GeminiTurn } from './gemini-cli-turn.ts';
import { readJson, skipInto } from './json-document.ts';

const expectedLog = 'a Gemini CLI session, JSON lines that begin with "sessionId" and "projectHash"';
const expected =
  'a Gemini CLI session, an object with "sessionId", "projectHash" and "messages", or a checkpoint with its "history"';

/**
 * What Gemini CLI keeps: its sessions as JSON lines, in older versions as one object, and checkpoints that a person
 * saved, which are the history in the shape of Google's API. The model's replies have the results of their calls.
 */
export const geminiCliFormat: TranscriptFormat = {
  id: 'gemini-cli',
  title: 'Gemini CLI session or checkpoint (JSON)',
  recognises: (text) => isSession(text) || isCheckpoint(text),
  parse: (text) => (isLog(text) ? parseLog(text) : parseDocument(text)),
};

function isSession(text: string): boolean {
  return /^\s*\{/.test(text) && /"sessionId"\s*:/.test(text) && /"projectHash"\s*:/.test(text);
}

function isCheckpoint(text: string): boolean {
  return (
    /^\s*(?:\{\s*"history"\s*:\s*)?\[\s*\{\s*"(?:role|parts)"/.test(text) &&
    /"role"\s*:\s*"(?:user|model)"/.test(text) &&
    /"parts"\s*:\s*\[/.test(text)
  );
}

/** A log begins with a line about the session; where that is all of the file, it has no messages in it. */
function isLog(text: string): boolean {
  const start = text.trimStart();
  const end = start.indexOf('\n');
  const first = end < 0 ? start : start.slice(0, end).trimEnd();
  if (!isSession(first) || !first.endsWith('}')) return false;
  const isOneLine = end < 0 || start.slice(end).trim() === '';
  return !isOneLine || !/"messages"\s*:/.test(first);
}

function parseLog(text: string): Imported {
  const { events, problems } = readEventLines(text, isHeader, expectedLog);
  const log = new GeminiLog();
  for (const event of events) log.add(event);
  const history = geminiHistory(log.turns, log.compactions);
  return { ...history, tools: [], problems: [...problems, ...log.problems] };
}

function isHeader({ sessionId, projectHash }: Fields): boolean {
  return typeof sessionId === 'string' && typeof projectHash === 'string';
}

function parseDocument(text: string): Imported {
  const document = readJson(text, expected);
  const { value } = document;
  const [path, list, toTurn] = Array.isArray(value)
    ? (['', value, contentTurn] as const)
    : isFields(value) && Array.isArray(value['history'])
      ? (['/history', value['history'], contentTurn] as const)
      : (['/messages', isFields(value) ? value['messages'] : undefined, turnOf] as const);
  if (!Array.isArray(list)) {
    throw new ImportError(`Line ${document.lineOf(path)}: expected ${expected}.`);
  }
  const problems: string[] = [];
  const skip = skipInto(problems, document);
  const turns = (list as readonly unknown[]).flatMap((item, index): readonly GeminiTurn[] => {
    const skipItem = (objection: string) => skip(`${path}/${index}`, objection);
    if (!isFields(item)) skipItem('a message is an object.');
    const turn = isFields(item) ? toTurn(item, skipItem) : undefined;
    return turn === undefined ? [] : [turn];
  });
  return { ...geminiHistory(turns, []), tools: [], problems };
}

/** A turn in the shape of Google's API. */
function contentTurn(fields: Fields, skip: (objection: string) => void): GeminiTurn | undefined {
  const { role, parts } = fields;
  if (role === 'user' || role === 'model') return { isReply: role === 'model', content: parts, fields, skip };
  skip('a message has a role, one of user, model.');
  return undefined;
}
