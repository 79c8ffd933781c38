import type { ReportedUsage, ToolCall } from '../../../compaction/messages/message.ts';
import type { ReportedEnd } from '../../../compaction/messages/ledger.ts';
import { textOfParts } from '../../reading/content-parts.ts';
import {
  callOf,
  type Draft,
  type ForeignCompaction,
  type Imported,
  isoTime,
  replyDraft,
  resultDraft,
  toEntries,
} from '../../reading/transcript-format.ts';
import { type Fields, recordsIn } from '../../reading/fields.ts';
import { geminiEndReports, reportedEndOf, geminiStatus } from '../../reading/reported-ends.ts';
import {
  type GeminiCompaction,
  geminiParts,
  type GeminiParts,
  type GeminiTurn,
  isAcknowledgement,
  isSummaryTurn,
  responseText,
  textOfTurn,
  typedTexts,
} from './gemini-cli-turn.ts';
import { isRecord } from '../../../language/is-record.ts';

/** Beginnings of the program's text at the start of a session. */
const contextOpening =
  /^\s*(?:<(?:session_context|hook_context|system-reminder)>|This is the Gemini CLI\. We are setting up the context)/;

/** Folders that the program's text names: on the same line, or as items of a list below the line. */
const namedFolder =
  /(?:Workspace Directories:\*\*\s*- |working in the directory: |working in the following directories:\s*- )([^\n]+)/g;

/** Returns the folders that the program names at the start of a session. */
export function contextFolders(turns: readonly GeminiTurn[]): readonly string[] {
  const opening = turns
    .slice(0, 2)
    .map(textOfTurn)
    .filter((text) => contextOpening.test(text));
  return opening.flatMap((text) => [...text.matchAll(namedFolder)].map(([, folder = '']) => folder.trim()));
}

/** A call that has no result yet, with the function that fills the result's place. */
interface OpenCall {
  /** Undefined if the file contains no id. */
  readonly id: string | undefined;
  readonly name: string;
  readonly answer: (text: string, isError: boolean, status?: unknown) => void;
}

/**
 * Converts turns into messages. Results follow the reply with their calls, even if the file has them in a separate
 * turn. A summary among the turns replaces turns that are not in the file.
 *
 * @param agent format id of the agent that compacted
 */
export function geminiHistory(
  turns: readonly GeminiTurn[],
  compactions: readonly GeminiCompaction[],
  agent = 'gemini-cli',
): Pick<Imported, 'entries' | 'compactions'> {
  const history = new History();
  const summaries: GeminiCompaction[] = [];
  const starts = turns.map((turn, index) => {
    const start = history.length;
    const before = turns[index - 1];
    if (isSummaryTurn(turn, turns[index + 1])) {
      const { timestamp } = turn.fields;
      summaries.push({ position: index, keptFrom: 0, summary: textOfTurn(turn), timestamp });
    } else if (!isAcknowledgement(turn) || before === undefined || before.isReply) history.add(turn);
    return start;
  });
  const { drafts, draftAt } = history.end();
  const messageAt = (turn: number) => draftAt(starts[turn] ?? history.length);
  return {
    entries: toEntries(drafts),
    compactions: [...summaries, ...compactions].map((compaction) => ({
      agent,
      ...foreignCompaction(compaction, messageAt),
    })),
  };
}

/** @param messageAt returns the index of a turn's first message; for a turn without messages, of the next message */
function foreignCompaction(
  { position, keptFrom, summary, timestamp, tokensBefore }: GeminiCompaction,
  messageAt: (turn: number) => number,
): ForeignCompaction {
  return {
    beforeMessageIndex: messageAt(position),
    keptFromIndex: keptFrom === undefined ? undefined : messageAt(keptFrom),
    summary,
    tokensBefore,
    createdAt: isoTime(timestamp),
  };
}

class History {
  /** Messages, with reserved places for results, which may come later or never. */
  private readonly places: (Draft | undefined)[] = [];
  private readonly open: OpenCall[] = [];
  private readonly answered = new Set<unknown>();
  private madeUpIds = 0;

  /** Number of places so far. */
  get length(): number {
    return this.places.length;
  }

  add(turn: GeminiTurn): void {
    const parts = geminiParts(turn.content);
    if (parts === undefined) {
      turn.skip('the content of a message is a text or an array of parts.');
      return;
    }
    if (parts.unreadable > 0) {
      turn.skip('of its parts only texts, thoughts, files, calls and results can be read.');
    }
    if (turn.isReply) this.addReply(turn, parts);
    else this.addSaid(turn, parts);
  }

  /** @returns the messages, and a function that maps a place to its index without the empty places */
  end(): { readonly drafts: readonly Draft[]; readonly draftAt: (place: number) => number } {
    let filled = 0;
    const indices = this.places.map((draft) => (draft === undefined ? filled : filled++));
    const drafts = this.places.filter((draft) => draft !== undefined);
    return { drafts, draftAt: (place) => indices[place] ?? filled };
  }

  private addReply({ fields, skip }: GeminiTurn, { content, thought, calls: inParts }: GeminiParts): void {
    const createdAt = isoTime(fields['timestamp']);
    const listed = Array.isArray(fields['toolCalls']) ? (fields['toolCalls'] as readonly unknown[]) : [];
    // The list contains all calls with their results; parts of the same file repeat the calls.
    const records = listed.length > 0 ? listed : inParts;
    const calls = records.flatMap((record): readonly { call: ToolCall; record: Fields }[] => {
      const call = isRecord(record) ? this.callIn(record) : undefined;
      if (call !== undefined && isRecord(record)) return [{ call, record }];
      skip('a call of a tool has a name.');
      return [];
    });
    const thoughts = thoughtsIn(fields['thoughts']);
    const text = typeof content === 'string' ? content : (textOfParts(content) ?? '');
    const reply = replyDraft({
      createdAt,
      texts: [text],
      thoughts: thoughts.length > 0 || thought === '' ? [...thoughts] : [thought],
      calls: calls.map(({ call }) => call),
      modelId: typeof fields['model'] === 'string' ? fields['model'] : undefined,
      usage: usageIn(fields['tokens']),
    });
    if (reply === undefined) return;
    this.places.push(reply);
    for (const { call, record } of calls) this.addCall(call, record, createdAt);
  }

  /** Returns a call. In older files, which have no ids, it gets a generated id. */
  private callIn({ id, name, args }: Fields): ToolCall | undefined {
    if (typeof name !== 'string') return undefined;
    const callId =
      typeof id === 'string' && id !== '' ? id : `call_${String(++this.madeUpIds).padStart(4, '0')}`;
    return callOf(callId, name, JSON.stringify(args ?? {}));
  }

  private addCall(call: ToolCall, record: Fields, repliedAt: string | undefined): void {
    const place = this.places.push(undefined) - 1;
    const createdAt = isoTime(record['timestamp']) ?? repliedAt;
    const { result, resultDisplay, status } = record;
    const answer = (content: string, isError: boolean, told = status) => {
      const end = endOfGeminiResult(told, content);
      const isCommand = call.function.name === 'run_shell_command' && end === undefined && !isError;
      const code = isCommand ? geminiStatus(content) : undefined;
      this.places[place] = resultDraft(call.id, content, { createdAt, isError, end, status: code });
    };
    const given = resultIn(result) ?? (typeof resultDisplay === 'string' ? resultDisplay : undefined);
    if (given === undefined) {
      const id = typeof record['id'] === 'string' ? call.id : undefined;
      this.open.push({ id, name: call.function.name, answer });
    } else {
      this.answered.add(record['id']);
      answer(given, status === 'error');
    }
  }

  private addSaid(turn: GeminiTurn, { content, texts, responses }: GeminiParts): void {
    const { fields, skip } = turn;
    for (const response of responses) {
      if (!this.addResponse(response, fields['status'])) skip('a result has a call before it.');
    }
    if (content === '') return;
    const origin = turn.isHarness === true ? 'harness' : 'person';
    const createdAt = isoTime(fields['timestamp']);
    const parts = typedTexts(texts, fields['displayContent']);
    this.places.push({ chat: { role: 'user', content }, origin, parts, createdAt });
  }

  /**
   * Adds a result. A second result of a call is a duplicate and is ignored.
   *
   * @returns false if the result has no call
   */
  private addResponse({ id, name, response }: Fields, status: unknown): boolean {
    const index = this.open.findIndex((call) =>
      typeof id === 'string' && call.id !== undefined ? call.id === id : call.name === name,
    );
    const [call] = index < 0 ? [] : this.open.splice(index, 1);
    const isError = isRecord(response) && response['error'] !== undefined && response['output'] === undefined;
    call?.answer(responseText(response), isError, status);
    if (call !== undefined && id !== undefined) this.answered.add(id);
    return call !== undefined || this.answered.has(id);
  }
}

/**
 * Reads the end of a call of Gemini CLI or Qwen Code from the sentence with the reason, or from its recorded status.
 *
 * @param status status of the call: `success`, `error` or `cancelled`
 */
function endOfGeminiResult(status: unknown, content: string): ReportedEnd | undefined {
  return reportedEndOf(content, geminiEndReports) ?? (status === 'cancelled' ? status : undefined);
}

function thoughtsIn(thoughts: unknown): readonly string[] {
  return recordsIn(thoughts).flatMap(({ subject, description }) => {
    const texts = [subject, description].filter((text) => typeof text === 'string' && text !== '');
    return texts.length === 0 ? [] : [texts.join('\n')];
  });
}

/** Reads the usage. The provider's output count excludes reasoning; its input count includes cached tokens. */
function usageIn(tokens: unknown): ReportedUsage | undefined {
  if (!isRecord(tokens)) return undefined;
  const { input, output, thoughts, cached } = tokens;
  if (typeof input !== 'number' || typeof output !== 'number' || input === 0) return undefined;
  return {
    inputTokens: input,
    outputTokens: output + (typeof thoughts === 'number' ? thoughts : 0),
    ...(typeof cached === 'number' && { cachedInputTokens: cached }),
  };
}

/** @returns undefined if the value is not a result */
function resultIn(result: unknown): string | undefined {
  if (result === undefined || result === null) return undefined;
  const parts = geminiParts(result);
  if (parts === undefined) return undefined;
  const texts = parts.responses.map(({ response }) => responseText(response));
  const beside = textOfParts(parts.content) ?? '';
  return [...texts, beside].filter((text) => text !== '').join('\n');
}
