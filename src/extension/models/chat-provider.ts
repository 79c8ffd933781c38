import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { GovernedHistories, GovernedRequest } from '../../agent/governed/governed-histories.ts';
import type { SentMessage } from '../../agent/governed/history-change.ts';
import {
  type ChatModel,
  ModelError,
  type ModelReply,
  modelRequestOf,
  withOwnIds,
} from '../../agent/model/chat-model.ts';
import { parseToolInput } from '../../agent/tools/support/tool.ts';
import { createBudget } from '../../compaction/budget/budget.ts';
import type { ReportedUsage, ToolSchema } from '../../compaction/messages/message.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { phraseOf, phraseText } from '../../compaction/records/reason.ts';
import { none } from '../../compaction/strategies/none.ts';
import { modelsSentences } from '../../language/english/models-english.ts';
import { sentMessages, sentTools } from '../../presenters/models/client-requests.ts';
import type { Settings } from '../../presenters/settings/read-settings.ts';
import { editorWording } from '../editor/editor-wording.ts';
import type { LoadedOnce } from '../editor/loaded-once.ts';
import type { ModelProvider } from './model-provider.ts';
import { receivedMessage } from './received-message.ts';

/** Window of a model without a known one, in tokens. VS Code requires a number. */
const unknownWindow = 128_000;

/**
 * Windows that a history may fill while it is compacted here. If VS Code knew the real window, its chat would cut the
 * history first.
 */
const windowsOfHistory = 8;

type Request = Parameters<vscode.LanguageModelChatProvider['provideLanguageModelChatResponse']>;

/** Services of the window that the provider needs. */
interface ChatProviderPorts {
  readonly settings: () => Settings;
  readonly provider: ModelProvider;
  readonly governed: LoadedOnce<GovernedHistories>;
  readonly meterOf: () => UsageMeter;
}

/** Offers the chat's model to VS Code's own chat and to other extensions, with their histories compacted. */
export class ChatProvider {
  private readonly ports: ChatProviderPorts;

  constructor(ports: ChatProviderPorts) {
    this.ports = ports;
  }

  /** Describes the model; empty while the user has not turned this on, and without an endpoint. */
  async models(): Promise<vscode.LanguageModelChatInformation[]> {
    const { settings, provider } = this.ports;
    const { chatProvider, provider: chosen, model, mode, strategy } = settings();
    // A model of VS Code would be offered to VS Code again.
    if (!chatProvider || chosen === 'vscode') return [];
    await provider.refresh();
    const { isOffline, label, window = unknownWindow } = provider.choice;
    if (isOffline) return [];
    const { reservedOutput } = createBudget({ ...provider.budget, window });
    const isCompacted = mode !== 'off' && strategy.id !== none.id;
    return [
      {
        id: model,
        name: label,
        family: model,
        version: '1',
        detail: 'Context Budget',
        maxInputTokens: (window - reservedOutput) * (isCompacted ? windowsOfHistory : 1),
        maxOutputTokens: reservedOutput,
        capabilities: { toolCalling: true, imageInput: provider.images.isTaken !== false },
      },
    ];
  }

  /** Sends a compacted history, and reports the reply. @throws {vscode.LanguageModelError} */
  async reply(
    messages: Request[1],
    { tools = [], toolMode }: Request[2],
    progress: Request[3],
    token: vscode.CancellationToken,
  ): Promise<void> {
    const stopping = new AbortController();
    const listening = token.onCancellationRequested(() => stopping.abort());
    if (token.isCancellationRequested) stopping.abort();
    const schemas = sentTools(tools);
    const answering = {
      tools: schemas,
      mustCallTool: toolMode === vscode.LanguageModelChatToolMode.Required,
      progress,
      signal: stopping.signal,
    };
    try {
      const { chat } = await this.ports.provider.models();
      const histories = await this.ports.governed.get();
      const sent = sentMessages(messages.map(receivedMessage));
      await answer(chat, await histories.take(sent, schemas, stopping.signal), answering);
    } catch (error) {
      throw languageModelError(error, stopping.signal);
    } finally {
      listening.dispose();
    }
  }

  /** Counts tokens with the same counter as the chat. */
  async count(text: Parameters<vscode.LanguageModelChatProvider['provideTokenCount']>[1]): Promise<number> {
    const meter = this.ports.meterOf();
    if (typeof text === 'string') return (await meter.countTexts([text]))[0] ?? 0;
    const messages = sentMessages([receivedMessage(text)]);
    return (await meter.measure(messages.map((message) => ({ ...message, id: '', createdAt: '' })))).total;
  }
}

interface Answering {
  readonly tools: readonly ToolSchema[];
  readonly mustCallTool: boolean;
  readonly progress: vscode.Progress<vscode.LanguageModelResponsePart>;
  readonly signal: AbortSignal;
}

/** Asks the model, and once more after a compaction if it refuses the request as too long. */
async function answer(model: ChatModel, request: GovernedRequest, answering: Answering): Promise<void> {
  try {
    await streamReply(model, request, answering);
  } catch (error) {
    const isTooLong = error instanceof ModelError && error.code === 'overflow';
    const smaller = isTooLong ? await request.recover(error, answering.signal) : undefined;
    if (smaller === undefined) throw error;
    await streamReply(model, smaller, answering);
  }
}

async function streamReply(
  model: ChatModel,
  request: GovernedRequest,
  { tools, mustCallTool, progress, signal }: Answering,
): Promise<void> {
  let content = '';
  let reply: ModelReply | undefined;
  const said = (more: Partial<SentMessage>): SentMessage => ({
    role: 'assistant',
    origin: 'model',
    content: content === '' ? null : content,
    modelId: model.id,
    ...more,
  });
  try {
    for await (const event of model.stream(
      { ...modelRequestOf(request.view, tools), mustCallTool },
      signal,
    )) {
      if (event.type === 'end') reply = event.reply;
      else if (event.type === 'text-delta') {
        content += event.text;
        progress.report(new vscode.LanguageModelTextPart(event.text));
      }
    }
    if (reply === undefined) throw new ModelError('cut-off', modelsSentences.say('replyCutOff'));
  } catch (error) {
    if (content !== '') await request.replied(said({ interrupted: true }));
    await request.ended(signal.aborted ? 'stopped' : 'failed', error);
    throw error;
  }
  const { reasoning, reasoningItems, usage } = reply;
  const calls = withOwnIds(reply.toolCalls, () => `call_${randomUUID()}`);
  for (const { id, function: called } of calls) {
    const input = parseToolInput(called.arguments) ?? { malformed: called.arguments };
    progress.report(new vscode.LanguageModelToolCallPart(id, called.name, input));
  }
  if (usage !== undefined) progress.report(usagePart(usage));
  await request.replied(
    said({
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(reasoning === '' ? {} : { reasoning }),
      ...(reasoningItems === undefined ? {} : { reasoningItems }),
      ...(usage === undefined ? {} : { usage }),
    }),
  );
}

/** Reports the usage in the form that VS Code's chat reads from other providers. The stable API has no type for it. */
function usagePart({ inputTokens, outputTokens, cachedInputTokens = 0 }: ReportedUsage) {
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
  };
  return vscode.LanguageModelDataPart.json(usage, 'usage');
}

function languageModelError(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return new vscode.CancellationError();
  const message = phraseText(phraseOf(error), editorWording);
  const code = error instanceof ModelError ? error.code : undefined;
  if (code === 'unauthorised') return vscode.LanguageModelError.NoPermissions(message);
  if (code === 'not-found') return vscode.LanguageModelError.NotFound(message);
  if (code === 'rate-limited') return vscode.LanguageModelError.Blocked(message);
  return new vscode.LanguageModelError(message);
}
