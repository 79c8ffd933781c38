import { isRecord } from '../../../language/is-record.ts';
import { textOfParts } from '../../reading/content-parts.ts';
import type { Fields } from '../../reading/fields.ts';
import {
  callOf,
  type Draft,
  emptyReply,
  type ForeignCompaction,
  type Imported,
  isoTime,
  replyDraft,
  toEntries,
} from '../../reading/transcript-format.ts';
import { copilotTellings, toldEndOf } from '../../reading/told-ends-of-agents.ts';
import { toolResultText } from './copilot-tool-result.ts';

/** A summary, and the last round that it replaced. */
interface Summary extends Pick<ForeignCompaction, 'trigger' | 'tokensBefore'> {
  readonly roundId: unknown;
  readonly text: string;
  readonly createdAt: string | undefined;
}

/** Collects the messages of a chat of VS Code, request by request. */
export class CopilotChatHistory {
  private readonly drafts: Draft[] = [];
  /** Round → number of messages up to its results. */
  private readonly ends = new Map<unknown, number>();
  private readonly summaries: Summary[] = [];

  /** @returns why the request cannot be read; undefined if it was */
  add(request: Fields): string | undefined {
    const { message, timestamp, isHidden, shouldBeRemovedOnSend } = request;
    const asked = isRecord(message) ? message['text'] : message;
    if (typeof asked !== 'string') return 'a request has a message with text.';
    // The user took it back, so it is about to leave the chat.
    if (isHidden === true || isRecord(shouldBeRemovedOnSend)) return undefined;
    const createdAt = isoTime(timestamp);
    if (asked !== '') {
      this.drafts.push({ chat: { role: 'user', content: asked }, origin: 'person', createdAt });
    }
    const result = isRecord(request['result']) ? request['result'] : {};
    const metadata = isRecord(result['metadata']) ? result['metadata'] : {};
    const rounds = recordsIn(metadata['toolCallRounds']);
    if (rounds.length > 0) this.addRounds(rounds, metadata, request);
    else this.addShown(recordsIn(request['response']), request);
    this.addSummaries(metadata, request);
    // A request for a summary only has the size of the messages that it replaced.
    if (rounds.length > 0 || !isRecord(metadata['summary'])) this.addUsage({ ...request, ...metadata });
    return undefined;
  }

  end(): Pick<Imported, 'entries' | 'compactions'> {
    const compactions = this.summaries.flatMap(
      ({ roundId, text, createdAt, ...more }): ForeignCompaction[] => {
        const end = this.ends.get(roundId);
        if (end === undefined) return [];
        return [
          {
            agent: 'copilot-chat',
            beforeMessageIndex: end,
            summary: text,
            ...more,
            ...(createdAt !== undefined && { createdAt }),
          },
        ];
      },
    );
    return { entries: toEntries(this.drafts), compactions };
  }

  /** Adds the rounds of a request, which the extension notes after it has ended. */
  private addRounds(rounds: readonly Fields[], metadata: Fields, request: Fields): void {
    const results = isRecord(metadata['toolCallResults']) ? metadata['toolCallResults'] : {};
    const shownEnds = new Map(
      recordsIn(request['response']).map((part) => [part['toolCallId'], shownEnd(part)]),
    );
    for (const round of rounds) {
      const createdAt = isoTime(round['timestamp'] ?? request['timestamp']);
      const calls = recordsIn(round['toolCalls']).flatMap(({ id, name, arguments: input }) =>
        typeof id === 'string' && typeof name === 'string'
          ? [callOf(id, name, typeof input === 'string' ? input : JSON.stringify(input ?? {}))]
          : [],
      );
      const text = textOfParts(round['response']) ?? '';
      const draft = replyDraft({
        ...emptyReply(createdAt),
        texts: text === '' ? [] : [text],
        thoughts: thoughtsIn(round['thinking']),
        calls,
        modelId: modelOf(round['modelId'] ?? request['modelId']),
      });
      if (draft !== undefined) this.drafts.push(draft);
      for (const { id } of calls) {
        if (!Object.hasOwn(results, id)) continue;
        const content = toolResultText(results[id]);
        const chat = { role: 'tool', tool_call_id: id, content } as const;
        const shown = shownEnds.get(id) ?? {};
        const end = toldEndOf(content, copilotTellings);
        this.drafts.push({ chat, origin: 'tool', createdAt, ...shown, ...(end !== undefined && { end }) });
      }
      this.ends.set(round['id'], this.drafts.length);
      this.addSummary({ roundId: round['id'], text: round['summary'], createdAt });
    }
  }

  /**
   * Adds summaries made in a request, including one that the user asked for (`/compact`). Newer versions note the size
   * of the context before each, and whether the agent waited for it. Source: `IResultMetadata` in
   * `src/extension/prompt/common/conversation.ts` and `handleSummarizeCommand` in
   * `src/extension/intents/node/agentIntent.ts` of Copilot Chat.
   */
  private addSummaries(metadata: Fields, { slashCommand, timestamp }: Fields): void {
    const isAsked = isRecord(slashCommand) && slashCommand['name'] === 'compact';
    for (const { toolCallRoundId: roundId, text, source, outcome, contextLengthBefore } of [
      ...recordsIn(metadata['summaries']),
      ...(isRecord(metadata['summary']) ? [metadata['summary']] : []),
    ]) {
      if (typeof outcome === 'string' && outcome !== 'success') continue;
      const isSized = typeof contextLengthBefore === 'number' && contextLengthBefore > 0;
      this.addSummary({
        roundId,
        text,
        createdAt: isoTime(timestamp),
        ...((isAsked || source !== undefined) && { trigger: isAsked ? 'manual' : 'automatic' }),
        ...(isSized && { tokensBefore: contextLengthBefore }),
      });
    }
  }

  /** Adds a summary, which is stored with its round and, in more detail, with the request that made it. */
  private addSummary({ text, ...summary }: Omit<Summary, 'text'> & { readonly text: unknown }): void {
    if (typeof text !== 'string' || text === '') return;
    const known = this.summaries.findIndex((one) => one.roundId === summary.roundId && one.text === text);
    if (known < 0) this.summaries.push({ ...summary, text });
    else this.summaries[known] = { ...summary, ...this.summaries[known]! };
  }

  /** Adds the displayed reply of a running request, or of one without details. */
  private addShown(parts: readonly Fields[], request: Fields): void {
    const createdAt = isoTime(request['timestamp']);
    let reply = emptyReply(createdAt);
    let results: Draft[] = [];
    const end = (): void => {
      const draft = replyDraft({ ...reply, texts: reply.texts.length === 0 ? [] : [reply.texts.join('')] });
      if (draft !== undefined) {
        this.drafts.push({ ...draft, modelId: modelOf(request['modelId']) }, ...results);
      }
      reply = emptyReply(createdAt);
      results = [];
    };
    for (const part of parts) {
      const { kind, value, content } = part;
      if (kind === 'toolInvocationSerialized') {
        const call = shownCall(part);
        if (call === undefined) continue;
        reply.calls.push(call.call);
        if (call.result !== undefined) results.push({ ...call.result, createdAt });
        continue;
      }
      const text =
        kind === undefined || kind === 'markdownContent' ? textOfMarkdown(value ?? content) : undefined;
      const thought = kind === 'thinking' ? textOfMarkdown(value) : undefined;
      if (text === undefined && thought === undefined) continue;
      // Text after a call was written with its result in context.
      if (reply.calls.length > 0) end();
      if (text !== undefined) reply.texts.push(text);
      if (thought !== undefined) reply.thoughts.push(thought);
    }
    end();
  }

  /** Adds the tokens of the last call of a round; newer versions of VS Code note them for all models. */
  private addUsage({ promptTokens, outputTokens }: Fields): void {
    const index = this.drafts.findLastIndex(({ origin }) => origin === 'model');
    const draft = this.drafts[index];
    if (draft === undefined || typeof promptTokens !== 'number' || promptTokens <= 0) return;
    const usage = {
      inputTokens: promptTokens,
      outputTokens: typeof outputTokens === 'number' ? outputTokens : 0,
    };
    this.drafts[index] = { ...draft, usage };
  }
}

/** A displayed call. Its input is known for commands only, its result as one sentence. */
function shownCall(part: Fields) {
  const {
    toolCallId: id,
    toolId: name,
    toolSpecificData,
    pastTenseMessage,
    resultDetails,
    isComplete,
  } = part;
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  const data = isRecord(toolSpecificData) ? toolSpecificData : {};
  const { commandLine, input: details } = {
    ...data,
    ...(isRecord(resultDetails) ? resultDetails : {}),
  } as Fields;
  const command = isRecord(commandLine)
    ? (commandLine['toolEdited'] ?? commandLine['original'])
    : data['command'];
  const input =
    typeof details === 'string' ? details : JSON.stringify(typeof command === 'string' ? { command } : {});
  const outputs = isRecord(resultDetails) ? recordsIn(resultDetails['output']) : [];
  const given = outputs.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])).join('\n');
  const answered = given === '' ? textOfMarkdown(pastTenseMessage) : given;
  const isError = isRecord(resultDetails) && resultDetails['isError'] === true;
  const ended = shownEnd(part);
  // A refused call has no further content.
  const isOpen = ended.end === undefined && (answered === undefined || isComplete === false);
  const result: Draft | undefined = isOpen
    ? undefined
    : {
        chat: { role: 'tool', tool_call_id: id, content: answered ?? '' },
        origin: 'tool',
        isError,
        ...ended,
      };
  return { call: callOf(id, name, input), result };
}

/** Kinds of `isConfirmed` that mean refused by the user (`ToolConfirmKind` of VS Code); older versions have `false`. */
const confirmedNo: ReadonlySet<unknown> = new Set([0, 5]);

/** The displayed end of a call: whether it was confirmed, and how its terminal ended. */
function shownEnd({ isConfirmed, toolSpecificData }: Fields): Pick<Draft, 'end' | 'status'> {
  const isNo = isConfirmed === false || (isRecord(isConfirmed) && confirmedNo.has(isConfirmed['type']));
  const terminal = isRecord(toolSpecificData) ? toolSpecificData['terminalCommandState'] : undefined;
  const code = isRecord(terminal) ? terminal['exitCode'] : undefined;
  return { ...(isNo && { end: 'refused' }), ...(typeof code === 'number' && { status: code }) };
}

function thoughtsIn(thinking: unknown): string[] {
  const text = isRecord(thinking) ? thinking['text'] : undefined;
  const texts = (Array.isArray(text) ? (text as readonly unknown[]) : [text]).filter(
    (part): part is string => typeof part === 'string' && part !== '',
  );
  return texts.length === 0 ? [] : [texts.join('')];
}

/** Markdown is a string, or an object with it as its value. */
function textOfMarkdown(value: unknown): string | undefined {
  const text = isRecord(value) ? value['value'] : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Model name without the vendor, which VS Code puts before it. */
function modelOf(id: unknown): string | undefined {
  return typeof id === 'string' ? id.replace(/^copilot\//, '') : undefined;
}

function recordsIn(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
