import { calledFunction } from '../../compaction/ledger/called-function.ts';
import { type CallEnd, callEnds } from '../../compaction/ledger/call-ends.ts';
import { factsOfCall } from '../../compaction/ledger/call-facts.ts';
import {
  isTask,
  type Kind,
  kindOf,
  type Message,
  textOf,
  type ToolCall,
} from '../../compaction/messages/message.ts';
import { shownSummary } from '../../compaction/summary/summary-form.ts';
import { normalisedPath } from '../../compaction/text/file-path.ts';
import type { MessageView } from '../../protocol/inspector-records.ts';
import { hostSentences } from '../../language/english/host-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import type { Wording } from '../../language/translated/wording.ts';
import { fromFolder } from '../../compaction/text/from-folder.ts';
import { ellipsised } from '../../compaction/text/clip.ts';
import type { DescribeCall } from '../../agent/tools/catalogue.ts';
import { shownWords } from '../../transcripts/reading/typed-title.ts';

/** Maximum characters of a message on its line. */
const excerptLength = 200;
/** Maximum characters that are searched for the excerpt. A result can be as long as a book. */
const longestRead = 10 * excerptLength;

const speakers: Readonly<Record<Exclude<Kind, 'user'>, Sentence>> = {
  system: hostSentences.say('titleSystem'),
  tools: hostSentences.say('titleTools'),
  memory: hostSentences.say('titleMemory'),
  assistant: hostSentences.say('titleAssistant'),
  reasoning: hostSentences.say('titleReasoning'),
  toolCall: hostSentences.say('titleCall'),
  toolResult: hostSentences.say('titleResult'),
  summary: hostSentences.say('titleSummary'),
  reminder: hostSentences.say('titleReminder'),
  skill: hostSentences.say('titleSkill'),
  skillMetadata: hostSentences.say('titleSkills'),
  file: hostSentences.say('titleFile'),
};

/** Title of a sub-agent's task message, which no user typed. */
const task = hostSentences.say('titleTask');

const endSentences: Readonly<Record<Exclude<CallEnd, 'ran'>, Sentence>> = {
  failed: hostSentences.say('endFailed'),
  refused: hostSentences.say('endRefused'),
  notAllowed: hostSentences.say('endNotAllowed'),
  skipped: hostSentences.say('endSkipped'),
  cancelled: hostSentences.say('endCancelled'),
  running: hostSentences.say('endRunning'),
  unanswered: hostSentences.say('endUnanswered'),
  pending: hostSentences.say('endPending'),
};

/** Tools and files that a message is about. */
interface Used {
  readonly tools: readonly string[];
  readonly files: readonly string[];
}

/** Call → its files. Cached because parsing long arguments is slow, and calls never change. */
const knownFiles = new WeakMap<ToolCall, readonly string[]>();

/** Makes the lines that show messages. The line of a result needs the call that the result answers. */
export class MessageViews {
  private readonly callOf = new Map<string, ToolCall>();
  private readonly ends: ReturnType<typeof callEnds>;
  private readonly user: Sentence;
  private readonly folder: string | undefined;

  /** @param user name of the user @param folder absolute folder; paths are shown relative to it */
  constructor(messages: readonly Message[], user: Sentence, folder?: string) {
    this.user = user;
    this.folder = folder;
    this.ends = callEnds(messages);
    for (const [call, { result }] of this.ends) if (result !== undefined) this.callOf.set(result.id, call);
  }

  /** The line of a message. Its text and tool names are not translated. */
  view(
    message: Message,
    { tokens, isRestored }: Pick<MessageView, 'tokens' | 'isRestored'>,
    describeCall: DescribeCall,
    wording: Wording,
  ): MessageView {
    const kind = shownKind(message);
    const calls = message.tool_calls ?? [];
    const call = this.callOf.get(message.id) ?? (calls.length === 1 ? calls[0] : undefined);
    const text = shownText(message).slice(0, longestRead).replace(/\s+/g, ' ').trim();
    return {
      id: message.id,
      kind,
      title:
        kind === 'user'
          ? wording.text(isTask(message) ? task : this.user)
          : this.titleWithEnd(message, kind, wording),
      label: labelOf(message, call, this.fromFolder(describeCall), wording),
      excerpt: ellipsised(text, excerptLength),
      tokens,
      isRestored,
    };
  }

  /** The title of a message. For a result, it shows how the call ended; for a call, that it has no result. */
  private titleWithEnd(message: Message, kind: Exclude<Kind, 'user'>, wording: Wording): string {
    const title = titleOf(message, kind, wording);
    const answered = this.callOf.get(message.id);
    const open = message.tool_calls?.find((call) => this.ends.get(call)?.result === undefined);
    const call = answered ?? open;
    const end = call === undefined ? undefined : this.ends.get(call)?.end;
    if (end === undefined || end === 'ran') return title;
    return wording.text(hostSentences.say('titleWithCalls', { title, calls: endSentences[end] }));
  }

  /** Makes paths relative before a call is described, because descriptions shorten long paths. */
  private fromFolder(describeCall: DescribeCall): DescribeCall {
    return (tool, input, wording) => describeCall(tool, fromFolder(input, this.folder), wording);
  }

  /** The tools that a message calls or answers, and the files in the arguments. */
  usedBy(message: Message): Used {
    const answered = this.callOf.get(message.id);
    const calls = answered === undefined ? (message.tool_calls ?? []) : [answered];
    return {
      tools: calls.map(({ function: called }) => calledFunction(called).name),
      files: calls.flatMap(filesOfCall).map((path) => fromFolder(path, this.folder)),
    };
  }
}

/** Description of a call; for a result, preceded by the name of the tool. */
function labelOf(
  message: Message,
  call: ToolCall | undefined,
  describeCall: DescribeCall,
  wording: Wording,
): string {
  if (message.kind === 'file') return message.source ?? '';
  if (call === undefined) return message.role === 'tool' ? (message.name ?? '') : '';
  const { name, arguments: input } = calledFunction(call.function);
  const described = describeCall(name, input, wording);
  return message.role === 'tool' ? `${name} ${described}`.trim() : described;
}

/** The kind that a line shows. An assistant message that only calls tools is shown as a call. */
export function shownKind(message: Message): Kind {
  const kind = kindOf(message);
  const onlyCalls = (message.tool_calls?.length ?? 0) > 0 && textOf(message.content) === '';
  return kind === 'assistant' && onlyCalls ? 'toolCall' : kind;
}

/** A message as text: its content, then each call with its arguments. */
export function messageText(message: Message): string {
  const calls = (message.tool_calls ?? []).map(
    ({ function: called }) => `${called.name}(${called.arguments})`,
  );
  const parts = typeof message.content === 'string' || message.content === null ? [] : message.content;
  const others = parts.filter((part) => part.text === undefined).map((part) => `[${part.type}]`);
  return [textOf(message.content), ...others, ...calls].filter((text) => text !== '').join('\n\n');
}

function filesOfCall(call: ToolCall): readonly string[] {
  const known = knownFiles.get(call);
  if (known !== undefined) return known;
  const { filesModified, filesRead } = factsOfCall(call);
  const files = [...filesModified, ...filesRead].map(normalisedPath);
  knownFiles.set(call, files);
  return files;
}

/** The text that users see, without tags: of a summary its body, and of a user message only the typed text. */
function shownText(message: Message): string {
  if (message.typed !== undefined || message.kind === 'reminder') return shownWords(message);
  const text = textOf(message.content);
  return message.kind === 'summary' ? shownSummary(text) : text;
}

function titleOf(message: Message, kind: Exclude<Kind, 'user'>, wording: Wording): string {
  const names = repeatedOnce(
    (message.tool_calls ?? []).map(({ function: called }) => calledFunction(called).name),
  );
  if (kind === 'toolCall') return names;
  const title = speakers[kind];
  return wording.text(names === '' ? title : hostSentences.say('titleWithCalls', { title, calls: names }));
}

/** Joins names without duplicates and with counts above one: `read_file × 3, search_text`. */
function repeatedOnce(names: readonly string[]): string {
  return [...new Set(names)]
    .map((name) => {
      const times = names.filter((other) => other === name).length;
      return times === 1 ? name : `${name} × ${times}`;
    })
    .join(', ');
}
