import { isRecord } from '../../../language/is-record.ts';
import { picturePlaceholder, textOfParts } from '../../reading/content-parts.ts';
import { type Fields, fieldsOf, recordsIn } from '../../reading/fields.ts';
import {
  callOf,
  type Draft,
  emptyReply,
  type ForeignCompaction,
  type Imported,
  isoTime,
  positive,
  replyDraft,
  resultDraft,
  toEntries,
} from '../../reading/transcript-format.ts';
import { copilotEndReports, reportedEndOf } from '../../reading/reported-ends.ts';

/** A summary, with the id of the last round that it replaced. */
interface Summary extends Pick<ForeignCompaction, 'trigger' | 'tokensBefore'> {
  readonly roundId: unknown;
  readonly text: string;
  readonly createdAt: string | undefined;
}

/** Collects the messages of a chat of VS Code, request by request. */
export class CopilotChatHistory {
  private readonly drafts: Draft[] = [];
  /** Id of a round → number of messages up to its results. */
  private readonly ends = new Map<unknown, number>();
  private readonly summaries: Summary[] = [];

  /** @returns the reason why the request cannot be read; undefined if it was read */
  add(request: Fields): string | undefined {
    const { message, timestamp, isHidden, shouldBeRemovedOnSend } = request;
    const asked = isRecord(message) ? message['text'] : message;
    if (typeof asked !== 'string') return 'a request has a message with text.';
    // The user took the request back, so it is about to leave the chat.
    if (isHidden === true || isRecord(shouldBeRemovedOnSend)) return undefined;
    const createdAt = isoTime(timestamp);
    if (asked !== '') {
      this.drafts.push({ chat: { role: 'user', content: asked }, origin: 'person', createdAt });
    }
    const metadata = fieldsOf(fieldsOf(request['result'])['metadata']);
    const rounds = recordsIn(metadata['toolCallRounds']);
    if (rounds.length > 0) this.addRounds(rounds, metadata, request);
    else this.addShown(recordsIn(request['response']), request);
    this.addSummaries(metadata, request);
    // A request only for a summary has the size of the messages that it replaced.
    if (rounds.length > 0 || !isRecord(metadata['summary'])) this.addUsage({ ...request, ...metadata });
    return undefined;
  }

  end(): Pick<Imported, 'entries' | 'compactions'> {
    const compactions = this.summaries.flatMap(({ roundId, text, ...more }): ForeignCompaction[] => {
      const end = this.ends.get(roundId);
      if (end === undefined) return [];
      return [{ agent: 'copilot-chat', beforeMessageIndex: end, summary: text, ...more }];
    });
    return { entries: toEntries(this.drafts), compactions };
  }

  /** Adds the rounds of a request. The extension stores them after the request has ended. */
  private addRounds(rounds: readonly Fields[], metadata: Fields, request: Fields): void {
    const results = fieldsOf(metadata['toolCallResults']);
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
        createdAt,
        texts: [text],
        thoughts: thoughtsIn(round['thinking']),
        calls,
        modelId: modelOf(round['modelId'] ?? request['modelId']),
      });
      if (draft !== undefined) this.drafts.push(draft);
      for (const { id } of calls) {
        if (!Object.hasOwn(results, id)) continue;
        const content = toolResultText(results[id]);
        const shown = shownEnds.get(id) ?? {};
        const end = reportedEndOf(content, copilotEndReports) ?? shown.end;
        this.drafts.push(resultDraft(id, content, { createdAt, ...shown, end }));
      }
      this.ends.set(round['id'], this.drafts.length);
      this.addSummary({ roundId: round['id'], text: round['summary'], createdAt });
    }
  }

  /**
   * Adds summaries made in a request, including a summary that the user asked for (`/compact`). Newer versions note
   * the size of the context before each summary, and whether the agent waited for it. Source: `IResultMetadata` in
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
      this.addSummary({
        roundId,
        text,
        createdAt: isoTime(timestamp),
        trigger: isAsked ? 'manual' : source === undefined ? undefined : 'automatic',
        tokensBefore: positive(contextLengthBefore),
      });
    }
  }

  /** Adds a summary, which is stored with its round and, in more detail, with the request that made it. */
  private addSummary({ text, ...summary }: Omit<Summary, 'text'> & { readonly text: unknown }): void {
    if (typeof text !== 'string' || text === '') return;
    const known = this.summaries.findIndex((one) => one.roundId === summary.roundId && one.text === text);
    if (known < 0) this.summaries.push({ ...summary, text });
    else {
      const { trigger, tokensBefore, ...first } = this.summaries[known]!;
      const more = {
        trigger: trigger ?? summary.trigger,
        tokensBefore: tokensBefore ?? summary.tokensBefore,
      };
      this.summaries[known] = { ...first, ...more };
    }
  }

  /** Adds the displayed reply of a running request, or of a request without details. */
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
      // Text after a call was written with the call's result in context, so it begins a reply.
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
    const answered = typeof outputTokens === 'number' ? outputTokens : 0;
    this.drafts[index] = { ...draft, usage: { inputTokens: promptTokens, outputTokens: answered } };
  }
}

/** Reads a displayed call. Its input is often stored only for commands, and its result only as one sentence. */
function shownCall(part: Fields) {
  const { toolCallId: id, toolId: name, toolSpecificData, pastTenseMessage, isComplete } = part;
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  const [data, result] = [fieldsOf(toolSpecificData), fieldsOf(part['resultDetails'])];
  const { commandLine, input: details } = { ...data, ...result } as Fields;
  const command = isRecord(commandLine)
    ? (commandLine['toolEdited'] ?? commandLine['original'])
    : data['command'];
  const input =
    typeof details === 'string' ? details : JSON.stringify(typeof command === 'string' ? { command } : {});
  const outputs = recordsIn(result['output']);
  const given = outputs.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])).join('\n');
  const answered = given === '' ? textOfMarkdown(pastTenseMessage) : given;
  const isError = result['isError'] === true;
  const ended = shownEnd(part);
  // A refused call has no further content.
  const isOpen = ended.end === undefined && (answered === undefined || isComplete === false);
  return {
    call: callOf(id, name, input),
    result: isOpen ? undefined : resultDraft(id, answered ?? '', { isError, ...ended }),
  };
}

/** Types of `isConfirmed` for refused calls (`ToolConfirmKind` of VS Code). Older versions have `false`. */
const confirmedNo: ReadonlySet<unknown> = new Set([0, 5]);

/** Returns the displayed end of a call: whether it was confirmed, and how its terminal ended. */
function shownEnd({ isConfirmed, toolSpecificData }: Fields): Pick<Draft, 'end' | 'status'> {
  const isNo = isConfirmed === false || (isRecord(isConfirmed) && confirmedNo.has(isConfirmed['type']));
  const { exitCode: code } = fieldsOf(fieldsOf(toolSpecificData)['terminalCommandState']);
  return { end: isNo ? 'refused' : undefined, status: typeof code === 'number' ? code : undefined };
}

function thoughtsIn(thinking: unknown): string[] {
  const { text } = fieldsOf(thinking);
  const texts = (Array.isArray(text) ? (text as readonly unknown[]) : [text]).filter(
    (part): part is string => typeof part === 'string' && part !== '',
  );
  return texts.length === 0 ? [] : [texts.join('')];
}

/** Returns the text of Markdown, which is a string, or an object with the string as `value`. */
function textOfMarkdown(value: unknown): string | undefined {
  const text = isRecord(value) ? value['value'] : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Returns a model name without the vendor that VS Code puts before it. */
function modelOf(id: unknown): string | undefined {
  return typeof id === 'string' ? id.replace(/^copilot\//, '') : undefined;
}

/** Maximum depth of nested elements that are read. */
const deepest = 50;

/**
 * Returns the text of a tool's result in VS Code, which has text parts, or trees of elements with text leaves. Other
 * data, for example a picture, becomes a placeholder.
 */
function toolResultText(result: unknown): string {
  const texts = recordsIn(fieldsOf(result)['content']).map(partText);
  return texts.filter((text) => text !== '').join('\n');
}

function partText({ value, data, mimeType }: Fields): string {
  if (typeof value === 'string') return value;
  if (isRecord(value)) return treeText(value['node'] ?? value, 0).replace(/^\n/, '');
  if (data === undefined) return '';
  return typeof mimeType === 'string' && !mimeType.startsWith('image/')
    ? `[${mimeType}]`
    : picturePlaceholder;
}

function treeText(node: unknown, depth: number): string {
  if (!isRecord(node) || depth > deepest) return '';
  const { text, children, lineBreakBefore } = node;
  if (typeof text === 'string') return `${lineBreakBefore === true ? '\n' : ''}${text}`;
  if (!Array.isArray(children)) return '';
  return (children as readonly unknown[]).map((child) => treeText(child, depth + 1)).join('');
}
