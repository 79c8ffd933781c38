import { calledFunction } from '../../compaction/ledger/called-function.ts';
import type { ApprovalRequest } from '../approvals/approval-request.ts';
import type { CallOutcome, ToolCall } from '../../compaction/messages/message.ts';
import { editedFiles } from '../edits/session-edits.ts';
import {
  type ActingTool,
  type AgentTool,
  failed,
  parseToolInput,
  reasonFrom,
  type Tool,
  type ToolResult,
} from '../tools/support/tool.ts';
import { callModel } from './model-call.ts';
import { type TurnContext, TurnError } from './turn-context.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { modelsSentences } from '../../language/english/models-english.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { toModel } from '../../language/sentence.ts';

/** Maximum number of model calls in one turn. After them, the agent asks whether to continue. */
const mostSteps = 60;

/**
 * Calls the model and runs its tool calls until a reply has none.
 * @throws {ModelError}
 * @throws {CancelledError}
 * @throws {TurnError} if the turn cannot continue
 */
export async function runTurn(context: TurnContext, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < mostSteps; step++) {
    await context.pause(signal);
    await context.compaction.check(signal);
    throwIfCancelled(signal);
    const { messageId, calls } = await callModel(context, signal);
    if (calls.length === 0) {
      await context.compaction.check(signal);
      return;
    }
    context.setActivity('tools');
    await runCalls(messageId, calls, context, signal);
    await context.calledAll();
  }
  throw new TurnError(modelsSentences.say('tooManySteps', { count: mostSteps }));
}

interface Keyed {
  readonly call: ToolCall;
  readonly callKey: string;
}

/**
 * Runs the calls of a message: look-ups at the same time, an action after all earlier calls. Each result is
 * stored at once.
 */
async function runCalls(
  messageId: string,
  calls: readonly ToolCall[],
  context: TurnContext,
  signal: AbortSignal,
): Promise<void> {
  let running: Promise<void>[] = [];
  for (const [index, call] of calls.entries()) {
    const keyed = { call, callKey: `${messageId}:${index}` };
    const tool = context.tools.find(({ name }) => name === call.function.name);
    const acts = tool !== undefined && 'propose' in tool;
    if (acts) {
      await Promise.all(running);
      running = [];
      throwIfCancelled(signal);
    }
    const done = answer(keyed, tool, context, signal);
    if (acts) await done;
    else running.push(done);
  }
  await Promise.all(running);
  throwIfCancelled(signal);
}

/** Runs a call and stores its result. A stopped call has no result; the context adds a note instead. */
async function answer(
  keyed: Keyed,
  tool: AgentTool | undefined,
  context: TurnContext,
  signal: AbortSignal,
): Promise<void> {
  const result = await resultOf(keyed, tool, context, signal);
  if (result === undefined) return;
  const { journal } = context;
  const id = journal.nextMessageId();
  const { content, original, truncation } = await context.ingest(
    result,
    calledFunction(keyed.call.function).name,
    id,
  );
  const outcome = await outcomeOf(result);
  await journal.append(
    {
      type: 'message',
      message: {
        role: 'tool',
        tool_call_id: keyed.call.id,
        content,
        id,
        origin: 'tool',
        createdAt: context.now(),
        ...(result.isError ? { isError: true } : {}),
        ...(truncation === undefined ? {} : { truncation }),
        ...(original === undefined ? {} : { original }),
        ...(outcome === undefined ? {} : { outcome }),
      },
    },
    { evenUnsaved: true },
  );
}

async function resultOf(
  keyed: Keyed,
  tool: AgentTool | undefined,
  context: TurnContext,
  signal: AbortSignal,
): Promise<ToolResult | undefined> {
  const { name, arguments: json } = keyed.call.function;
  if (tool === undefined) {
    const names = context.tools.map((candidate) => candidate.name).join(', ');
    return notStarted(failed(toModel`There is no tool ${name}. There are: ${names}.`));
  }
  const input = parseToolInput(json);
  if (input === undefined) {
    return notStarted(failed(toModel`The arguments of ${name} are not a JSON object: ${json.slice(0, 200)}`));
  }
  try {
    const result =
      'propose' in tool
        ? await act(tool, input, keyed, context, signal)
        : await look(tool, input, keyed, context, signal);
    return signal.aborted && !('propose' in tool) ? undefined : result;
  } catch (error) {
    if (signal.aborted) return undefined;
    return failed(agentSentences.say('toolFailed', { tool: name, reason: reasonFrom(error) }));
  }
}

/** Runs a look-up. It asks the user first if it would read a file that needs approval. */
async function look(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  { callKey }: Keyed,
  context: TurnContext,
  signal: AbortSignal,
): Promise<ToolResult> {
  const request = await tool.approvalOf?.(input, signal);
  if (request === undefined) return tool.run(input, signal);
  context.setActivity('approval');
  const decision = await context.approvals.ask(request, callKey, signal);
  context.setActivity('tools');
  return decision.isAllowed ? tool.run(input, signal, true) : declined(decision.feedback);
}

/** Proposes an action, gets the approval from the user or a rule, and performs it. */
async function act(
  tool: ActingTool,
  input: Readonly<Record<string, unknown>>,
  { callKey }: Keyed,
  context: TurnContext,
  signal: AbortSignal,
): Promise<ToolResult> {
  const proposed = await tool.propose(input, signal);
  if (!('perform' in proposed)) return proposed.isError ? notStarted(proposed) : proposed;
  context.setActivity('approval');
  const decision = await context.approvals.ask(proposed.approval, callKey, signal);
  context.setActivity('tools');
  if (!decision.isAllowed) return declined(decision.feedback);
  const { reach } = decision;
  context.showAction(callKey);
  return context.stops.during(callKey, signal, (stop) => {
    const ask = async (request: ApprovalRequest) => {
      context.setActivity('approval');
      const answer = await context.approvals.ask(request, callKey, stop);
      context.setActivity('tools');
      return answer;
    };
    const progress = (text: string) => context.showOutput(callKey, text);
    return proposed.perform({ signal: stop, callKey, reach, ask, progress });
  });
}

function notStarted(result: ToolResult): ToolResult {
  return { ...result, end: 'skipped' };
}

function declined(feedback: string): ToolResult {
  const said = feedback.trim();
  const reason =
    said === ''
      ? toModel`Do not try the same in another way. Ask what is wanted, or go on without it.`
      : `They said: ${said}`;
  return {
    content: `The user did not allow this, and nothing was done. ${reason}`,
    isError: true,
    end: 'refused',
  };
}

async function outcomeOf({ end, summary, changes = [] }: ToolResult): Promise<CallOutcome | undefined> {
  const files = await editedFiles(changes);
  if (summary === undefined && files.length === 0 && end === undefined) return undefined;
  return {
    ...(end === undefined ? {} : { end }),
    ...(summary === undefined
      ? {}
      : { summary: summary.english, sentence: { key: summary.key, values: summary.values } }),
    ...(files.length === 0 ? {} : { files }),
  };
}
