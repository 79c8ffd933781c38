import { textOfParts } from '../../reading/content-parts.ts';
import { fieldsOf, recordsIn, wordIn, type EventLines, type Fields } from '../../reading/fields.ts';
import { expectEvent, lineFormat, problemAt, newerVersion } from '../../reading/json-document.ts';
import {
  callOf,
  folderIn,
  type Imported,
  isoTime,
  ofSubAgent,
  type OtherConversation,
  positive,
  replyDraft,
  resultDraft,
} from '../../reading/transcript-format.ts';
import type { ReportedEnd } from '../../../compaction/messages/ledger.ts';
import { copilotEndReports, reportedEndOf, copilotStatus } from '../../reading/reported-ends.ts';
import { CopilotConversation } from './copilot-conversation.ts';
import { importsSentences } from '../../../language/english/imports-english.ts';
import { isRecord } from '../../../language/is-record.ts';

const expected = importsSentences.say('expectedCopilotEvents');

/** The newest known version of the events, as stated in `session.start`. */
const knownVersion = 1;

/**
 * Events of Copilot CLI (`events.jsonl`), which Copilot Chat also writes for hooks (`transcript_path`): JSON lines
 * with `type` and `data`. Calls and results of tools are separate events. Events of sub-agents name the agent, or the
 * call that started it. Messages that were left when the user went back or cleared the context become a branch.
 */
export const copilotEventsFormat = lineFormat(
  {
    id: 'copilot-cli',
    title: 'Copilot CLI session or Copilot Chat transcript (JSON lines)',
    recognises: (text) =>
      /^\s*\{/.test(text) &&
      /"type":\s*"(?:session\.start|user\.message|assistant\.message)"/.test(text) &&
      /"data":\s*\{/.test(text),
  },
  read,
);

function read(lines: EventLines): Imported {
  expectEvent(lines, isExpected, expected);
  const session = new CopilotEvents();
  const objections = lines.events.flatMap(({ line, fields }) => {
    const objection = session.add(fields);
    return objection === undefined ? [] : [problemAt(line, objection)];
  });
  const problems = [...newerVersion('Copilot CLI', session.version, knownVersion), ...lines.problems];
  return { ...session.end(), tools: [], problems: [...problems, ...objections] };
}

function isExpected({ type, data }: Fields): boolean {
  return typeof type === 'string' && /^(?:session|user|assistant)\./.test(type) && isRecord(data);
}

class CopilotEvents {
  /** Version of the events, from the last start or resume of the session. */
  version: unknown;
  private agent = 'copilot-cli';
  private modelId: string | undefined;
  private window: number | undefined;
  private folder: string | undefined;
  private readonly main = new CopilotConversation();
  /** Conversations by the id of the call that started them, or of the agent if the call is unknown. */
  private readonly subAgents = new Map<string, CopilotConversation>();
  /** Id of an agent → id of the call that started it. */
  private readonly callsOfAgents = new Map<string, string>();
  private readonly branches: OtherConversation[] = [];
  /** Id of a permission request → id of its call. */
  private readonly asked = new Map<unknown, unknown>();
  /** Id of a call → its end, if a permission was denied or cancelled. */
  private readonly denied = new Map<unknown, ReportedEnd>();

  /** @returns the reason why the event cannot be read; undefined if it was read or contains no message */
  add({ type, id, data, timestamp, agentId }: Fields): string | undefined {
    if (!isRecord(data)) return 'an event has data.';
    if (type === 'subagent.started') this.startSubAgent(agentId, data['toolCallId']);
    const conversation = this.conversationOf(agentId, data['parentToolCallId']);
    conversation.mark(id);
    const createdAt = isoTime(timestamp);
    switch (type) {
      case 'session.start':
      case 'session.resume':
        return this.begin(data);
      case 'session.model_change':
        if (typeof data['newModel'] === 'string') this.modelId = data['newModel'];
        return;
      case 'system.message':
        return conversation.system(data['content'], createdAt);
      case 'user.message':
        return addPrompt(data, conversation, createdAt);
      case 'assistant.reasoning':
        conversation.think(data['content']);
        return;
      case 'assistant.message':
        return this.addReply(data, conversation, createdAt);
      case 'assistant.usage':
        conversation.usage(data);
        return;
      case 'session.usage_record':
        if (!isRecord(data['usage'])) return 'a usage record has a usage.';
        if (conversation === this.main) this.noteWindow(data['usage']['maxPromptTokens']);
        conversation.usageOfRequest(data['usage']);
        return;
      case 'tool.execution_complete':
        return addResult(data, conversation, createdAt, this.denied.get(data['toolCallId']));
      case 'permission.requested':
        this.notePermission(data);
        return;
      case 'permission.completed':
        this.noteDecision(data);
        return;
      case 'session.shutdown':
        conversation.count(data['currentTokens'], false);
        return;
      case 'session.usage_info':
      case 'session.truncation':
      case 'session.compaction_start':
        if (type === 'session.usage_info') conversation.count(data['currentTokens'], true);
        if (conversation === this.main) this.noteWindow(data['tokenLimit']);
        conversation.startCompaction(data['currentTokens']);
        if (type === 'session.compaction_start') conversation.beginCompaction();
        return;
      case 'session.compaction_complete':
        if (conversation === this.main) this.noteWindow(data['tokenLimit']);
        if (data['success'] !== false) conversation.compacted(this.agent, data, createdAt);
        return;
      case 'session.snapshot_rewind':
        this.leave(this.main.leaveFrom(data['upToEventId']));
        return;
      case 'session.context_cleared':
        this.leave(this.main.leaveFrom(undefined));
        return;
      default:
        return;
    }
  }

  end(): Omit<Imported, 'tools' | 'problems'> {
    const withPlace = { window: this.window, folder: this.folder };
    const subAgents = [...this.subAgents]
      .filter(([, conversation]) => !conversation.isEmpty)
      .map(([id, conversation]): OtherConversation => ({
        kind: 'sub-agent',
        id,
        opening: conversation.opening,
        read: () => ofSubAgent({ ...conversation.end(), ...withPlace, tools: [], problems: [] }),
      }));
    return { ...this.main.end(), ...withPlace, others: [...this.branches.toReversed(), ...subAgents] };
  }

  private begin({ version, selectedModel, vscodeVersion, context }: Fields): string | undefined {
    this.version = version ?? this.version;
    if (isRecord(context)) this.folder ??= folderIn([context['cwd'], context['gitRoot']]);
    if (typeof vscodeVersion === 'string') this.agent = 'copilot-chat';
    if (typeof selectedModel === 'string') this.modelId = selectedModel;
    return undefined;
  }

  private addReply(
    data: Fields,
    conversation: CopilotConversation,
    createdAt: string | undefined,
  ): string | undefined {
    const { content, reasoningText, toolRequests, model } = data;
    const requests = Array.isArray(toolRequests) ? (toolRequests as readonly unknown[]) : [];
    const calls = recordsIn(requests).flatMap(({ toolCallId: callId, name, arguments: input }) => {
      if (typeof callId !== 'string' || typeof name !== 'string') return [];
      return [callOf(callId, name, typeof input === 'string' ? input : JSON.stringify(input ?? {}))];
    });
    const draft = replyDraft({
      createdAt,
      texts: [textOfParts(content) ?? ''],
      thoughts: conversation.thoughts(reasoningText),
      calls,
      modelId: typeof model === 'string' ? model : this.modelId,
    });
    if (draft !== undefined) conversation.say(draft);
    return calls.length === requests.length ? undefined : 'a call has toolCallId and name.';
  }

  private notePermission({ requestId, permissionRequest: request }: Fields): void {
    if (isRecord(request)) this.asked.set(requestId, request['toolCallId']);
  }

  /** Notes a decision. Its kind is `approved…`, `denied-interactively-by-user`, `denied-by-…` or `cancelled`. */
  private noteDecision({ requestId, toolCallId = this.asked.get(requestId), result }: Fields): void {
    const kind = wordIn(fieldsOf(result)['kind']);
    if (kind === 'denied-interactively-by-user') this.denied.set(toolCallId, 'refused');
    else if (kind.startsWith('denied')) this.denied.set(toolCallId, 'notAllowed');
    else if (kind === 'cancelled') this.denied.set(toolCallId, 'skipped');
  }

  private noteWindow(tokens: unknown): void {
    this.window = positive(tokens) ?? this.window;
  }

  private leave(left: CopilotConversation | undefined): void {
    if (left === undefined) return;
    this.branches.push({
      kind: 'branch',
      id: `branch-${this.branches.length + 1}`,
      opening: left.opening,
      read: () => ({ ...left.end(), folder: this.folder, tools: [], problems: [] }),
    });
  }

  private startSubAgent(agentId: unknown, callId: unknown): void {
    if (typeof callId !== 'string') return;
    if (typeof agentId === 'string') this.callsOfAgents.set(agentId, callId);
    this.subAgent(callId);
  }

  /** Returns the conversation of an event. Events of the main agent name neither an agent nor a call. */
  private conversationOf(agentId: unknown, parentCallId: unknown): CopilotConversation {
    if (typeof agentId === 'string') return this.subAgent(this.callsOfAgents.get(agentId) ?? agentId);
    return typeof parentCallId === 'string' ? this.subAgent(parentCallId) : this.main;
  }

  private subAgent(id: string): CopilotConversation {
    const known = this.subAgents.get(id);
    if (known !== undefined) return known;
    const conversation = new CopilotConversation();
    this.subAgents.set(id, conversation);
    return conversation;
  }
}

/** False for a sub-agent's event, which names the sub-agent or the call that started it. */
export function isOfMainAgent({ agentId, data }: Fields): boolean {
  return typeof agentId !== 'string' && !(isRecord(data) && typeof data['parentToolCallId'] === 'string');
}

/** Adds the typed text of a prompt, but not the program's additions for the model, which every prompt repeats. */
function addPrompt(
  { content, source, isAutopilotContinuation }: Fields,
  conversation: CopilotConversation,
  createdAt: string | undefined,
): string | undefined {
  const text = textOfParts(content);
  if (text === undefined) return 'a message of the user has content.';
  if (text === '') return undefined;
  const isTyped = (source === undefined || source === 'user') && isAutopilotContinuation !== true;
  conversation.say({
    chat: { role: 'user', content: text },
    origin: isTyped ? 'person' : 'harness',
    createdAt,
  });
  return undefined;
}

const errorCodes: ReadonlyMap<unknown, ReportedEnd> = new Map<string, ReportedEnd>([
  ['rejected', 'refused'],
  ['denied', 'notAllowed'],
  ['timeout', 'cancelled'],
  ['cancelled', 'cancelled'],
  ['aborted', 'cancelled'],
]);

/** @param error error of a failed call; its code is the kind of the result */
function endOfCopilotResult(error: unknown, content: string): ReportedEnd | undefined {
  return reportedEndOf(content, copilotEndReports) ?? errorCodes.get(fieldsOf(error)['code']);
}

function addResult(
  { toolCallId: id, result, error, success, isUserRequested }: Fields,
  conversation: CopilotConversation,
  createdAt: string | undefined,
  permission: ReportedEnd | undefined,
): string | undefined {
  // A command that the user ran belongs to no call of the model.
  if (isUserRequested === true) return undefined;
  if (typeof id !== 'string') return 'a result has a toolCallId.';
  const content = textOfParts(fieldsOf(result)['content']) || wordIn(fieldsOf(error)['message']);
  const isError = success === false;
  const end = permission ?? endOfCopilotResult(isError ? error : undefined, content);
  const status = end === undefined ? copilotStatus(content) : undefined;
  conversation.say(resultDraft(id, content, { createdAt, isError, end, status }));
  return undefined;
}
