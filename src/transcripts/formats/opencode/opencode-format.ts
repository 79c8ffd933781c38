import type { ReportedUsage } from '../../../compaction/messages/message.ts';
import { importsSentences } from '../../../language/english/imports-english.ts';
import { isRecord } from '../../../language/is-record.ts';
import { contentOfParts, saidParts, textOfParts } from '../../reading/content-parts.ts';
import { type EventLines, type Fields, fieldsOf, recordsIn } from '../../reading/fields.ts';
import { opencodeEndReports, reportedEndOf } from '../../reading/reported-ends.ts';
import { sessionOfRows } from './opencode-row-lines.ts';
import { expectedAt, readEventLines, readJson } from '../../reading/json-document.ts';
import {
  callOf,
  type Draft,
  emptyReply,
  folderIn,
  type ForeignCompaction,
  type Imported,
  isoTime,
  ofSubAgent,
  type OtherConversation,
  replyDraft,
  resultDraft,
  type TranscriptFormat,
  toEntries,
} from '../../reading/transcript-format.ts';

const expected = importsSentences.say('expectedOpencode');

/**
 * Sessions of opencode, and of Kilo Code, which is built on it, in the form of `opencode export`: an object with
 * `info` and `messages`, each with `info` and `parts`. Messages that the user took back become a branch. `children`,
 * which an export does not have, are sub-agents' sessions in the same form. JSON lines are database rows.
 */
export const opencodeFormat: TranscriptFormat = {
  id: 'opencode',
  title: 'opencode or Kilo Code session (JSON)',
  recognises: (text) => isOfRows(text) || isDocument(text),
  parse: (text) => (isOfRows(text) ? readRows(readEventLines(text)) : parse(text)),
  lines: { fits: isOfRows, read: readRows },
};

function isOfRows(text: string): boolean {
  return /^\s*\{"table":"session",/.test(text);
}

function isDocument(text: string): boolean {
  return /^\s*\{\s*"info"\s*:\s*\{/.test(text) && /"messages"\s*:\s*\[\s*(?:\]|\{\s*"info"\s*:)/.test(text);
}

function readRows(lines: EventLines): Imported {
  const session = sessionOfRows(lines);
  if (session === undefined) throw expectedAt(lines.firstLine, expected);
  const read = readSession(session);
  return { ...read, problems: [...lines.problems, ...read.problems] };
}

function parse(text: string): Imported {
  const document = readJson(text, expected);
  const session = fieldsOf(document.value);
  if (!Array.isArray(session['messages'])) throw expectedAt(document.lineOf('/messages'), expected);
  return readSession(session);
}

function readSession({ info: given, messages, children }: Fields): Imported {
  const list = recordsIn(messages);
  const info = fieldsOf(given);
  const isOfSubAgent = typeof info['parentID'] === 'string';
  const read = (messages: readonly Fields[]): Imported =>
    isOfSubAgent ? ofSubAgent(readMessages(messages)) : readMessages(messages);
  const about = {
    folder: folderIn([info['directory']]),
    agent: isOfKilo(info) ? 'kilo-code' : undefined,
  };
  const { messageID, partID } = fieldsOf(info['revert']);
  const start = list.findIndex(({ info: about }) => isRecord(about) && about['id'] === messageID);
  const isReverted = start >= 0 && typeof messageID === 'string' && partID === undefined;
  const inForce = isReverted ? list.slice(0, start) : list;
  const branches: readonly OtherConversation[] = isReverted
    ? [
        {
          kind: 'branch',
          id: 'branch-1',
          opening: openingOf(list.slice(start)),
          read: () => ({ ...read(list), ...about }),
        },
      ]
    : [];
  const subAgents = recordsIn(children).map((child, index): OtherConversation => {
    const { id } = fieldsOf(child['info']);
    return {
      kind: 'sub-agent',
      id: typeof id === 'string' ? id : `sub-agent-${index + 1}`,
      opening: openingOf(recordsIn(child['messages'])),
      read: () => ofSubAgent(readSession(child)),
    };
  });
  return { ...read(inForce), ...about, others: [...branches, ...subAgents, ...grandchildrenOf(children)] };
}

/** True for Kilo Code, which since version 7 is built on opencode. opencode itself has not reached that version. */
function isOfKilo({ version }: Fields): boolean {
  return typeof version === 'string' && Number.parseInt(version, 10) >= 7;
}

/** Returns sub-agents of sub-agents. They are listed here, because an import cannot nest them. */
function grandchildrenOf(children: unknown): readonly OtherConversation[] {
  return recordsIn(children).flatMap((child) => {
    const { others = [] } = readSession({ messages: [], children: child['children'] });
    return others;
  });
}

function readMessages(messages: readonly Fields[]): Imported {
  const history = new OpencodeHistory();
  const problems: string[] = [];
  for (const [index, message] of messages.entries()) {
    const objection = history.add(message);
    if (objection !== undefined) problems.push(`Message ${index + 1} of the file was skipped: ${objection}`);
  }
  return { ...history.end(), tools: [], problems };
}

class OpencodeHistory {
  private readonly drafts: Draft[] = [];
  private readonly compactions: ForeignCompaction[] = [];
  /** Id of a message of the file → number of our messages before it. */
  private readonly positions = new Map<unknown, number>();
  /** Part in which the user or the agent requested a summary. */
  private asked: Fields | undefined;

  /** @returns the reason why the message cannot be read; undefined if it was read */
  add({ info, parts }: Fields): string | undefined {
    if (!isRecord(info)) return 'a message has an info.';
    this.positions.set(info['id'], this.drafts.length);
    const createdAt = isoTime(timeOf(info, 'created'));
    switch (info['role']) {
      case 'user':
        this.addPrompt(recordsIn(parts), createdAt);
        return;
      case 'assistant':
        if (info['summary'] === true) this.addSummary(info, recordsIn(parts), createdAt);
        else this.addReply(info, recordsIn(parts), createdAt);
        return;
      default:
        return 'a message has the role user or assistant.';
    }
  }

  end(): Pick<Imported, 'entries' | 'compactions'> {
    return { entries: toEntries(this.drafts), compactions: this.compactions };
  }

  private addPrompt(parts: readonly Fields[], createdAt: string | undefined): void {
    this.asked = parts.find(({ type }) => type === 'compaction');
    const say = (said: readonly Fields[], origin: Draft['origin']): void => {
      const list = said.map(saidIn);
      const content = contentOfParts(list);
      if (said.length === 0 || content === undefined || content === '') return;
      this.drafts.push({ chat: { role: 'user', content }, origin, parts: saidParts(list), createdAt });
    };
    const told = parts.filter(
      ({ type, ignored }) => (type === 'text' || type === 'file') && ignored !== true,
    );
    // A text file is repeated as text written by the program.
    const shown = told.filter(({ type, mime }) => type === 'text' || !isTextFile(mime));
    say(
      shown.filter(({ synthetic }) => synthetic !== true),
      'person',
    );
    say(
      shown.filter(({ synthetic }) => synthetic === true),
      'harness',
    );
  }

  /** Adds a reply. It has the parts of one request or, in older versions, of several requests, separated by steps. */
  private addReply(info: Fields, parts: readonly Fields[], createdAt: string | undefined): void {
    const modelId = typeof info['modelID'] === 'string' ? info['modelID'] : undefined;
    let reply = { ...emptyReply(createdAt), modelId };
    let results: Draft[] = [];
    let usage: ReportedUsage | undefined;
    const end = (): void => {
      const draft = replyDraft({ ...reply, usage });
      if (draft !== undefined) this.drafts.push(draft, ...results);
      reply = { ...emptyReply(createdAt), modelId };
      results = [];
      usage = undefined;
    };
    for (const part of parts) {
      const { type, text } = part;
      if (type === 'step-start') end();
      else if (type === 'step-finish') usage = usageIn(part['tokens']);
      else if (type === 'text' && typeof text === 'string' && text !== '') reply.texts.push(text);
      else if (type === 'reasoning' && typeof text === 'string' && text !== '') reply.thoughts.push(text);
      else if (type === 'tool') {
        const { callID: id, tool: name, state } = part;
        if (typeof id !== 'string' || typeof name !== 'string' || !isRecord(state)) continue;
        reply.calls.push(callOf(id, name, JSON.stringify(state['input'] ?? {})));
        const result = resultIn(id, state);
        if (result !== undefined) results.push(result);
      }
    }
    usage ??= usageIn(info['tokens']);
    end();
  }

  /** Adds a summary, unless it failed or is still being written, because it then replaced no messages. */
  private addSummary(info: Fields, parts: readonly Fields[], createdAt: string | undefined): void {
    const isWhole = typeof info['finish'] === 'string' || timeOf(info, 'completed') !== undefined;
    const { auto, tail_start_id: tailStart } = this.asked ?? {};
    this.asked = undefined;
    if (!isWhole || isRecord(info['error'])) return;
    this.compactions.push({
      agent: 'opencode',
      beforeMessageIndex: this.drafts.length,
      summary: textOfParts(parts.filter(({ type }) => type === 'text')) ?? '',
      trigger: typeof auto === 'boolean' ? (auto ? 'automatic' : 'manual') : undefined,
      keptFromIndex: tailStart === undefined ? undefined : this.positions.get(tailStart),
      tokensBefore: usageIn(info['tokens'])?.inputTokens,
      createdAt,
    });
  }
}

function resultIn(id: string, state: Fields): Draft | undefined {
  const { status, output, error, metadata } = state;
  const isError = status === 'error';
  // An interrupted tool leaves the output written so far.
  const { output: partial } = fieldsOf(metadata);
  const content = isError ? (typeof partial === 'string' ? partial : error) : output;
  if ((status !== 'completed' && !isError) || typeof content !== 'string') return undefined;
  const createdAt = isoTime(timeOf(state, 'end'));
  return resultDraft(id, content, { isError, createdAt, ...endOf(state, content) });
}

/** Notes that the shell tool adds at the end of its output. */
const cutShort =
  /<(?:bash|shell)_metadata>[^<]*(?:terminated command after exceeding timeout|User aborted the command)[^<]*<\/(?:bash|shell)_metadata>\s*$/u;

function endOf({ status, error, metadata }: Fields, content: string): Pick<Draft, 'end' | 'status'> {
  const { interrupted, exit } = fieldsOf(metadata);
  const told =
    status === 'error' && typeof error === 'string' ? reportedEndOf(error, opencodeEndReports) : undefined;
  const isCut = interrupted === true || cutShort.test(content.slice(-1_000));
  return {
    end: told ?? (isCut ? 'cancelled' : undefined),
    status: typeof exit === 'number' ? exit : undefined,
  };
}

/** Returns a picture in the form that other importers use, and any other file by its name. */
function saidIn(part: Fields): Fields {
  const { type, mime, url, filename } = part;
  if (type !== 'file') return part;
  if (typeof mime === 'string' && mime.startsWith('image/')) return { type: 'image_url', image_url: { url } };
  return { type: 'document', filename };
}

function isTextFile(mime: unknown): boolean {
  return mime === 'text/plain' || mime === 'application/x-directory';
}

/** Reads the tokens of a request. The input count of opencode excludes cached tokens. */
function usageIn(tokens: unknown): ReportedUsage | undefined {
  if (!isRecord(tokens)) return undefined;
  const { input, output, cache } = tokens;
  const [cached, written] = [fieldsOf(cache)['read'], fieldsOf(cache)['write']].map((count) =>
    typeof count === 'number' ? count : 0,
  ) as [number, number];
  if (typeof input !== 'number' || typeof output !== 'number') return undefined;
  const inputTokens = input + cached + written;
  if (inputTokens <= 0) return undefined;
  return { inputTokens, outputTokens: output, cachedInputTokens: cached, cacheWriteTokens: written };
}

function timeOf(fields: Fields, name: string): unknown {
  return fieldsOf(fields['time'])[name];
}

function openingOf(messages: readonly Fields[]): string | undefined {
  const [first] = messages;
  const texts = recordsIn(first?.['parts']).filter(({ type }) => type === 'text');
  return textOfParts(texts)?.trim() || undefined;
}
