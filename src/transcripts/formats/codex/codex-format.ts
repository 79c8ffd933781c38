import type { ToolCall } from '../../../compaction/messages/message.ts';
import { readUsage } from '../../../compaction/tokens/read-usage.ts';
import { contentOfParts, saidParts, textOfParts } from '../../reading/content-parts.ts';
import { endOfCodexEvent, endOfCodexResult } from './codex-ends.ts';
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
  type Reply,
  positive,
  replyDraft,
  resultDraft,
  toEntries,
} from '../../reading/transcript-format.ts';
import { expectEvent, lineFormat, problemAt } from '../../reading/json-document.ts';
import { fieldsOf, wordIn, type EventLine, type EventLines, type Fields } from '../../reading/fields.ts';
import { readGrowing } from '../../reading/growing-list.ts';
import { importsSentences } from '../../../language/english/imports-english.ts';
import { isRecord } from '../../../language/is-record.ts';

const expected = importsSentences.say('expectedCodex');

/**
 * Rollouts of Codex: JSON lines in the form of OpenAI's Responses. The parts of a reply are separate items: a text
 * begins a reply, and the next calls belong to it. User messages are repeated in an event of the type `user_message`.
 * Instructions of the session and developer messages are system messages. Events of the type `token_count` report the
 * tokens of the previous request, and the window. Turns that the user took back become a branch.
 */
export const codexFormat = lineFormat(
  {
    id: 'codex',
    title: 'Codex rollout (JSON lines)',
    recognises: (text) =>
      /^\s*\{/.test(text) &&
      /"type":\s*"(?:session_meta|response_item)"/.test(text) &&
      /"payload":\s*\{/.test(text),
  },
  read,
);

function read(lines: EventLines): Imported {
  expectEvent(lines, isItem, expected);
  const { events, problems } = lines;
  const { problems: objections, ...imported } = readRollout(events).end();
  return { ...imported, problems: [...problems, ...objections] };
}

const readRollout = readGrowing((events: readonly EventLine[]) => new Rollout(typedTexts(events)));

function isItem({ type, payload }: Fields): boolean {
  return (type === 'session_meta' || type === 'response_item') && isRecord(payload);
}

/** @param meta the first metadata of a rollout */
export function isMetaOfSubAgent({ source }: Fields): boolean {
  return isRecord(source) && source['subagent'] !== undefined;
}

/** Returns the texts that the user typed; undefined if the file does not mark them. */
function typedTexts(events: readonly EventLine[]): ReadonlySet<unknown> | undefined {
  const texts = events.flatMap(({ fields: { type, payload } }) =>
    type === 'event_msg' && isRecord(payload) && isUserMessage(payload) ? [payload['message']] : [],
  );
  return texts.length === 0 ? undefined : new Set(texts);
}

function isUserMessage({ type }: Fields): boolean {
  return type === 'user_message';
}

class Rollout {
  private readonly drafts: Draft[] = [];
  /** Instructions of the session. Every request begins with them, even after a compaction. */
  private readonly instructions = new Set<Draft>();
  private readonly compactions: ForeignCompaction[] = [];
  private readonly typed: ReadonlySet<unknown> | undefined;
  private readonly branches: OtherConversation[] = [];
  /** Id of a call → arguments. */
  private readonly inputs = new Map<string, string>();
  private readonly problems: string[] = [];
  /** Id of a call → its end, according to events. */
  private readonly told = new Map<unknown, Pick<Draft, 'end' | 'status'>>();
  /** Results with the ends that events report. */
  private readonly ended = new Map<Draft, { readonly told: object; readonly draft: Draft }>();
  /** Reasoning that belongs to the next reply. */
  private thoughts: string[] = [];
  private isOfSubAgent: boolean | undefined;
  private reply: Reply | undefined;
  private modelId: string | undefined;
  private window: number | undefined;
  private folder: string | undefined;
  /** Last reported total usage of the session. An equal total reveals a repeated report. */
  private totalTold = '';

  constructor(typed: ReadonlySet<unknown> | undefined) {
    this.typed = typed;
  }

  /** @returns false if the line marks a text as typed that was not known as typed before */
  add({ line, fields: { type, payload, timestamp } }: EventLine): boolean {
    const isNewlyTyped =
      type === 'event_msg' &&
      isRecord(payload) &&
      isUserMessage(payload) &&
      !this.typed?.has(payload['message']);
    if (isNewlyTyped) return false;
    const objection = isRecord(payload) ? this.read(type, payload, isoTime(timestamp)) : 'it has no payload.';
    if (objection !== undefined) this.problems.push(problemAt(line, objection));
    return true;
  }

  /** @returns the reason why the line cannot be read; undefined if it was read or contains no message */
  private read(type: unknown, payload: Fields, createdAt: string | undefined): string | undefined {
    switch (type) {
      case 'session_meta': {
        this.folder ??= folderIn([payload['cwd']]);
        // The copied parent session has a separate start later in the file.
        this.isOfSubAgent ??= isMetaOfSubAgent(payload);
        const content = fieldsOf(payload['base_instructions'])['text'];
        // A fork repeats the beginning of its parent; its own instructions come first.
        if (typeof content === 'string' && this.instructions.size === 0) {
          const draft: Draft = { chat: { role: 'system', content }, origin: 'harness', createdAt };
          this.instructions.add(draft);
          this.say(draft);
        }
        return;
      }
      case 'compacted':
        this.endReply();
        this.compactions.push({
          agent: 'codex',
          beforeMessageIndex: this.drafts.length,
          summary: summaryOf(payload),
          ...this.keptIn(payload),
          createdAt,
        });
        return;
      case 'response_item':
        return this.addItem(payload, createdAt);
      case 'turn_context':
        if (typeof payload['model'] === 'string') this.modelId = payload['model'];
        return;
      case 'event_msg':
        this.note(payload);
        return;
      default:
        return;
    }
  }

  /** Returns what was read so far. More lines may follow, also of the last reply. */
  end(): Imported {
    const { window, folder } = this;
    const last = this.reply && replyDraft(this.reply);
    return {
      entries: this.entriesOf(last === undefined ? this.drafts : [...this.drafts, last]),
      tools: [],
      compactions: [...this.compactions],
      problems: [...this.problems],
      window,
      folder,
      others: this.branches.toReversed(),
    };
  }

  private note(event: Fields): void {
    switch (event['type']) {
      case 'task_started':
        this.noteWindow(event);
        return;
      case 'token_count':
        if (isRecord(event['info'])) {
          this.noteWindow(event['info']);
          this.noteUsage(event['info']);
        }
        return;
      case 'exec_command_end':
      case 'patch_apply_end':
        this.told.set(event['call_id'], endOfCodexEvent(event));
        return;
      case 'thread_rolled_back':
        if (typeof event['num_turns'] === 'number') this.takeBack(event['num_turns']);
        return;
    }
  }

  private noteWindow({ model_context_window: window }: Fields): void {
    this.window = positive(window) ?? this.window;
  }

  /** Notes the usage of the request that the last reply answered. Repeated and empty reports are ignored. */
  private noteUsage({ last_token_usage: last, total_token_usage: total }: Fields): void {
    const usage = readUsage(last);
    const totalTold = JSON.stringify(total ?? null);
    const isRepeated = total !== undefined && totalTold === this.totalTold;
    this.totalTold = totalTold;
    if (usage === undefined || usage.inputTokens === 0 || isRepeated) return;
    if (this.reply !== undefined) this.reply.usage = usage;
    else {
      const index = this.drafts.findLastIndex(({ origin }) => origin === 'model');
      const draft = this.drafts[index];
      if (draft !== undefined) this.drafts[index] = { ...draft, usage };
    }
  }

  /** @param turns number of last turns that the user took back */
  private takeBack(turns: number): void {
    this.endReply();
    const starts = this.drafts.flatMap(({ chat, origin }, index) =>
      chat.role === 'user' && origin === 'person' ? [index] : [],
    );
    const start = turns < 1 ? undefined : (starts.at(-turns) ?? starts[0]);
    if (start === undefined) return;
    const left = [...this.drafts];
    const compactions = [...this.compactions];
    this.drafts.length = start;
    const kept = this.compactions.filter(({ beforeMessageIndex }) => beforeMessageIndex <= start);
    this.compactions.splice(0, this.compactions.length, ...kept);
    const { window, folder } = this;
    this.branches.push({
      kind: 'branch',
      id: `branch-${this.branches.length + 1}`,
      opening: textOfParts(left[start]?.chat.content),
      read: () => ({ entries: this.entriesOf(left), tools: [], compactions, problems: [], window, folder }),
    });
  }

  private addItem(item: Fields, createdAt: string | undefined): string | undefined {
    const { call_id: id, name } = item;
    switch (item['type']) {
      case 'message':
        return this.addMessage(item, createdAt);
      case 'reasoning': {
        const text = textOfParts(item['summary']);
        if (text !== undefined && text !== '') this.thoughts.push(text);
        return;
      }
      case 'local_shell_call': {
        if (typeof id !== 'string') return 'a call has call_id and name.';
        this.call(callOf(id, 'local_shell', JSON.stringify(item['action'] ?? {})), createdAt);
        return;
      }
      case 'tool_search_call': {
        if (typeof id !== 'string') return;
        this.call(callOf(id, 'tool_search', JSON.stringify(item['arguments'] ?? {})), createdAt);
        return;
      }
      case 'tool_search_output': {
        if (typeof id !== 'string') return;
        this.say(resultDraft(id, JSON.stringify(item['tools'] ?? []), { createdAt }));
        return;
      }
      case 'function_call':
      case 'custom_tool_call': {
        if (typeof id !== 'string' || typeof name !== 'string') return 'a call has call_id and name.';
        const { input, arguments: text = JSON.stringify({ input }) } = item;
        if (typeof text !== 'string') return 'the arguments of a call are a text.';
        this.call(callOf(id, name, text), createdAt);
        return;
      }
      case 'function_call_output':
      case 'custom_tool_call_output': {
        if (typeof id !== 'string') return 'a result has a call_id.';
        const { content, isError } = outputOf(item['output']);
        if (content === undefined) return 'the output of a result is a text or an array of parts.';
        const end = endOfCodexResult(content, this.inputs.get(id));
        this.say(resultDraft(id, content, { createdAt, isError, ...end }));
        return;
      }
      default:
        return;
    }
  }

  private addMessage({ role, content }: Fields, createdAt: string | undefined): string | undefined {
    const said = contentOfParts(content);
    if (said === undefined) return 'the content of a message is an array of parts.';
    switch (role) {
      case 'assistant':
        this.endReply();
        this.openReply(createdAt).texts.push(textOfParts(content) ?? '');
        return;
      case 'user': {
        const isTyped = this.typed?.has(textOfParts(content)) ?? true;
        const origin = isTyped ? 'person' : 'harness';
        this.say({ chat: { role: 'user', content: said }, origin, parts: saidParts(content), createdAt });
        return;
      }
      case 'developer':
      case 'system':
        this.say({ chat: { role: 'system', content: said }, origin: 'harness', createdAt });
        return;
      default:
        return 'a message has a role, one of system, developer, user, assistant.';
    }
  }

  /**
   * Finds the prompts kept verbatim next to a summary, and the developer messages that were not kept. Messages may
   * have lost some of their parts.
   */
  private keptIn({
    message,
    replacement_history: history,
  }: Fields): Pick<ForeignCompaction, 'alsoKept' | 'instructionsLeft'> {
    if (typeof message !== 'string' || message === '' || !Array.isArray(history)) return {};
    const textsOf = (wanted: string) =>
      history.filter(isRecord).flatMap(({ role, content }) => {
        return role === wanted ? (textOfParts(content) ?? []) : [];
      });
    const prompts = new Set(textsOf('user'));
    const told = textsOf('developer').filter((text) => text !== '');
    const indicesOf = (isMeant: (text: string, draft: Draft) => boolean) =>
      this.drafts.flatMap((draft, index) =>
        isMeant(textOfParts(draft.chat.content) ?? '', draft) ? [index] : [],
      );
    const alsoKept = indicesOf((text, { chat }) => chat.role === 'user' && prompts.has(text));
    const instructionsLeft = indicesOf(
      (text, draft) =>
        draft.chat.role === 'system' &&
        !this.instructions.has(draft) &&
        !told.some((part) => text.includes(part)),
    );
    return { alsoKept, instructionsLeft };
  }

  private say(draft: Draft): void {
    this.endReply();
    this.drafts.push(draft);
  }

  /** Returns the entries, with the ends that events report, also of commands in the background. */
  private entriesOf(drafts: readonly Draft[]): Imported['entries'] {
    const entries = toEntries(drafts.map((draft) => this.withToldEnd(draft)));
    return this.isOfSubAgent === true ? ofSubAgent({ entries }).entries : entries;
  }

  private withToldEnd(draft: Draft): Draft {
    const told = draft.chat.role === 'tool' ? this.told.get(draft.chat.tool_call_id) : undefined;
    if (told === undefined) return draft;
    const known = this.ended.get(draft);
    if (known?.told === told) return known.draft;
    const { task: _task, ...rest } = draft;
    const ended = { ...told, ...rest };
    this.ended.set(draft, { told, draft: ended });
    return ended;
  }

  private call(call: ToolCall, createdAt: string | undefined): void {
    this.inputs.set(call.id, call.function.arguments);
    const reply = this.reply ?? this.openReply(createdAt);
    reply.calls.push(call);
  }

  private openReply(createdAt: string | undefined): Reply {
    const reply: Reply = { ...emptyReply(createdAt), thoughts: this.thoughts, modelId: this.modelId };
    this.thoughts = [];
    this.reply = reply;
    return reply;
  }

  private endReply(): void {
    const draft = this.reply === undefined ? undefined : replyDraft(this.reply);
    if (draft !== undefined) this.drafts.push(draft);
    this.reply = undefined;
  }
}

/** Reads an output: text, parts, or an object with the exit status. */
function outputOf(output: unknown): { readonly content: string | undefined; readonly isError: boolean } {
  if (!isRecord(output)) {
    const content = textOfParts(output);
    return { content, isError: content?.startsWith('apply_patch verification failed') === true };
  }
  return { content: textOfParts(output['content']), isError: output['success'] === false };
}

/** Returns the agent's summary, or, without a summary, the messages that the agent kept. */
function summaryOf({ message, replacement_history: history }: Fields): string {
  if (typeof message === 'string' && message !== '') return message;
  if (!Array.isArray(history)) return '';
  return history
    .filter(isRecord)
    .flatMap(({ role, content }) => {
      const text = textOfParts(content);
      return text === undefined ? [] : [`[${wordIn(role)}] ${text}`];
    })
    .join('\n\n');
}
