import { type EventLine, type EventLines, type Fields, fieldsOf } from '../../reading/fields.ts';
import {
  expectedAt,
  problemAt,
  expectEvent,
  readEventLines,
  readJson,
  skipInto,
} from '../../reading/json-document.ts';
import {
  folderIn,
  type Imported,
  ofSubAgent,
  type TranscriptFormat,
} from '../../reading/transcript-format.ts';
import { contextFolders, geminiHistory } from './gemini-cli-history.ts';
import {
  type GeminiCompaction,
  type GeminiTurn,
  isAcknowledgement,
  isSummaryTurn,
  textOfTurn,
} from './gemini-cli-turn.ts';
import { importsSentences } from '../../../language/english/imports-english.ts';
import { isRecord } from '../../../language/is-record.ts';

const expectedLog = importsSentences.say('expectedGeminiCliLog');
const expected = importsSentences.say('expectedGeminiCli');

/**
 * Files of Gemini CLI: sessions as JSON lines, in older versions as one object, and saved checkpoints, which contain
 * the history in the form of Google's API. The model's replies contain the results of their calls.
 */
export const geminiCliFormat: TranscriptFormat = {
  id: 'gemini-cli',
  title: 'Gemini CLI session or checkpoint (JSON)',
  recognises: (text) => isSession(text) || isCheckpoint(text),
  parse: (text) => (isLog(text) ? readLog(readEventLines(text)) : parseDocument(text)),
  lines: { fits: isLog, read: readLog },
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

/** True for a log, which begins with a line about the session. A file with only that line has no messages. */
function isLog(text: string): boolean {
  const start = text.trimStart();
  const end = start.indexOf('\n');
  const first = end < 0 ? start : start.slice(0, end).trimEnd();
  if (!isSession(first) || !first.endsWith('}')) return false;
  const isOneLine = end < 0 || start.slice(end).trim() === '';
  return !isOneLine || !/"messages"\s*:/.test(first);
}

function readLog(lines: EventLines): Imported {
  expectEvent(lines, isHeader, expectedLog);
  const { events, problems } = lines;
  const log = new GeminiLog();
  for (const event of events) log.add(event);
  const history = geminiHistory(log.turns, log.compactions);
  const directories = events.map(({ fields }) => fields['directories']);
  const folder = folderIn([...directories, contextFolders(log.turns)].flat());
  const imported = { ...history, folder, tools: [], problems: [...problems, ...log.problems] };
  const isOfSubAgent = events.some(({ fields }) => isHeader(fields) && isSubAgent(fields));
  return isOfSubAgent ? ofSubAgent(imported) : imported;
}

function isHeader({ sessionId, projectHash }: Fields): boolean {
  return typeof sessionId === 'string' && typeof projectHash === 'string';
}

/** @param session metadata from the beginning of the file */
function isSubAgent({ kind }: Fields): boolean {
  return kind === 'subagent';
}

function parseDocument(text: string): Imported {
  const document = readJson(text, expected);
  const { value } = document;
  const [path, list, toTurn] = Array.isArray(value)
    ? (['', value, contentTurn] as const)
    : isRecord(value) && Array.isArray(value['history'])
      ? (['/history', value['history'], contentTurn] as const)
      : (['/messages', isRecord(value) ? value['messages'] : undefined, turnOf] as const);
  if (!Array.isArray(list)) throw expectedAt(document.lineOf(path), expected);
  const problems: string[] = [];
  const skip = skipInto(problems, document);
  const turns = (list as readonly unknown[]).flatMap((item, index): readonly GeminiTurn[] => {
    const skipItem = (objection: string) => skip(`${path}/${index}`, objection);
    if (!isRecord(item)) skipItem('a message is an object.');
    const turn = isRecord(item) ? toTurn(item, skipItem) : undefined;
    return turn === undefined ? [] : [turn];
  });
  const session = fieldsOf(value);
  const folder = folderIn([session['directories'], contextFolders(turns)].flat());
  const imported = { ...geminiHistory(turns, []), folder, tools: [], problems };
  return isSubAgent(session) ? ofSubAgent(imported) : imported;
}

/** Reads a turn in the form of Google's API. */
function contentTurn(fields: Fields, skip: (objection: string) => void): GeminiTurn | undefined {
  const { role, parts } = fields;
  if (role === 'user' || role === 'model') return { isReply: role === 'model', content: parts, fields, skip };
  skip('a message has a role, one of user, model.');
  return undefined;
}

/**
 * The log of a session in newer versions of Gemini CLI. A line has a message, which replaces an earlier message with
 * the same id. `$rewindTo` removes a message and all later messages. `$set` changes the session's data. If it sets
 * `messages`, after a compaction or when the session is resumed, they are the model's history instead of the
 * conversation. A new summary marks a compaction. Summaries are compared by id, because two may have equal text.
 * After a compaction, the messages have new ids.
 */
class GeminiLog {
  readonly problems: string[] = [];
  private readonly turnsById = new Map<string, GeminiTurn>();
  compactions: readonly GeminiCompaction[] = [];
  /** Id of the last summary, or its text if it has no id. */
  private lastSummary: unknown;

  get turns(): readonly GeminiTurn[] {
    return [...this.turnsById.values()];
  }

  add({ line, fields }: EventLine): void {
    const { $set: changes, $rewindTo: rewindTo, id, messages } = fields;
    const skip = (objection: string) => this.problems.push(problemAt(line, objection));
    if (typeof rewindTo === 'string') this.rewind(rewindTo, skip);
    else if (isRecord(changes)) this.set(changes, skip);
    else if (typeof id === 'string') this.say(id, fields, skip);
    // The first line is about the session and may contain messages.
    else if (typeof fields['sessionId'] === 'string') this.set({ messages }, skip);
    else skip('a line has a message, or tells something of the session.');
  }

  private say(id: string, fields: Fields, skip: (objection: string) => void): void {
    const turn = turnOf(fields, skip);
    if (turn !== undefined) this.turnsById.set(id, turn);
  }

  private rewind(id: string, skip: (objection: string) => void): void {
    const ids = [...this.turnsById.keys()];
    const index = ids.indexOf(id);
    if (index < 0) {
      skip('there is no message to go back to.');
      return;
    }
    for (const later of ids.slice(index)) this.turnsById.delete(later);
    this.compactions = this.compactions.filter(({ position }) => position <= index);
  }

  private set({ messages }: Fields, skip: (objection: string) => void): void {
    if (!Array.isArray(messages)) return;
    const records = messages.filter(isRecord);
    const history = records.map((fields) => turnOf(fields, () => {})).filter((turn) => turn !== undefined);
    const place = history.findLastIndex((turn, index) => isSummaryTurn(turn, history[index + 1]));
    const summaryTurn = history[place];
    const summary = summaryTurn === undefined ? undefined : textOfTurn(summaryTurn);
    const key = summaryTurn?.fields['id'] ?? summary;
    const isNew = summary !== undefined && key !== this.lastSummary;
    this.lastSummary = key ?? this.lastSummary;
    if (this.turnsById.size === 0) {
      for (const fields of records) {
        if (typeof fields['id'] === 'string') this.say(fields['id'], fields, skip);
      }
    } else if (isNew) {
      const kept = history.slice(place + 1).find((turn) => !isAcknowledgement(turn));
      const keptFrom = kept === undefined ? -1 : this.indexOf(kept);
      const timestamp = summaryTurn?.fields['timestamp'];
      const at = { position: this.turnsById.size, ...(keptFrom >= 0 && { keptFrom }) };
      this.compactions = [...this.compactions, { ...at, summary, timestamp }];
    }
  }

  /** Finds a turn of the model's history in the conversation. Returns the last index with equal text, or -1. */
  private indexOf(turn: GeminiTurn): number {
    const text = textOfTurn(turn);
    return this.turns.findLastIndex(
      (other) => other.isReply === turn.isReply && text !== '' && textOfTurn(other) === text,
    );
  }
}

/** @returns undefined for messages that only the user sees, and for values that are not messages */
function turnOf(fields: Fields, skip: (objection: string) => void): GeminiTurn | undefined {
  const { type, content } = fields;
  switch (type) {
    case 'user':
    case 'gemini':
      return { isReply: type === 'gemini', content, fields, skip };
    case 'info':
    case 'warning':
    case 'error':
      return undefined;
    default:
      skip('a message has a type, one of user, gemini, info, warning, error.');
      return undefined;
  }
}
