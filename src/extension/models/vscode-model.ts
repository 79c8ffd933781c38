import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';
import {
  type ChatModel,
  type ModelEvent,
  type ModelRequest,
  stoppedCall,
  throwIfStopped,
} from '../../agent/model/chat-model.ts';
import { imageFactsOf } from '../../compaction/images/image-tokens.ts';
import type { Discovery } from '../../agent/providers/discovered-models.ts';
import { type CancellationSignal, whenCancelled } from '../../compaction/signals/cancellation.ts';
import type { SummaryReply, SummaryRequest } from '../../compaction/summary/summary-model.ts';
import type { ToolCall } from '../../compaction/messages/message.ts';
import { hostText } from '../editor/editor-wording.ts';
import {
  findVscodeModel,
  missingVscodeModel,
  toolCallOf,
  vscodeFailure,
  type VscodeMessage,
  vscodeMessages,
  vscodeModelName,
  type VscodePart,
  vscodeReply,
  vscodeTools,
} from '../../presenters/models/vscode-translation.ts';

/** A model of another extension. VS Code asks the user for permission first, and reports no usage. */
export class VscodeModel implements ChatModel {
  readonly id: string;
  readonly label: string;
  /** Maximum input tokens, because VS Code reports no other limit. */
  readonly window: number | undefined;
  private readonly takesImages: boolean;
  private readonly model: vscode.LanguageModelChat | undefined;

  /** @param model undefined if VS Code has no model with the name; requests then fail for that reason */
  constructor(name: string, model: vscode.LanguageModelChat | undefined, window: number | undefined) {
    this.id = name;
    this.label = model?.name ?? name;
    this.window = window ?? model?.maxInputTokens;
    this.model = model;
    this.takesImages = imageFactsOf(name).isTaken !== false;
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    return this.ask(request, signal);
  }

  async summarise(request: SummaryRequest, signal: CancellationSignal): Promise<SummaryReply> {
    const messages: ModelRequest['messages'] = [
      { role: 'system', content: request.instructions },
      { role: 'user', content: request.prompt },
    ];
    for await (const event of this.ask({ messages, tools: [] }, signal)) {
      if (event.type === 'end') return { content: event.reply.content, finishReason: 'stop' };
    }
    throw stoppedCall();
  }

  private async *ask(request: ModelRequest, signal: CancellationSignal): AsyncIterable<ModelEvent> {
    throwIfStopped(signal);
    const stopping = new vscode.CancellationTokenSource();
    const stopListening = whenCancelled(signal, () => stopping.cancel());
    try {
      yield* this.replyTo(request, stopping.token);
    } catch (error) {
      throwIfStopped(signal);
      throw vscodeFailure(error, this.label);
    } finally {
      stopListening();
      // Also reached if the caller stops reading early.
      stopping.cancel();
      stopping.dispose();
    }
  }

  private async *replyTo(
    { messages, tools }: ModelRequest,
    token: vscode.CancellationToken,
  ): AsyncIterable<ModelEvent> {
    if (this.model === undefined) throw missingVscodeModel(this.label);
    const options: vscode.LanguageModelChatRequestOptions = {
      justification: hostText('vscodeModelReason'),
      ...(tools.length === 0
        ? {}
        : { tools: [...vscodeTools(tools)], toolMode: vscode.LanguageModelChatToolMode.Auto }),
    };
    const response = await this.model.sendRequest(
      vscodeMessages(messages, this.takesImages).map(toMessage),
      options,
      token,
    );
    const toolCalls: ToolCall[] = [];
    let content = '';
    for await (const part of response.stream) {
      if (part instanceof vscode.LanguageModelToolCallPart) toolCalls.push(toolCallOf(part));
      else if (part instanceof vscode.LanguageModelTextPart && part.value !== '') {
        content += part.value;
        yield { type: 'text-delta', text: part.value };
      }
    }
    // A cancelled stream may end like a complete stream.
    if (token.isCancellationRequested) throw stoppedCall();
    yield { type: 'end', reply: vscodeReply(content, toolCalls) };
  }
}

/** Finds VS Code's models by name. Listing them needs no permission. */
export async function vscodeModels(): Promise<(name: string, window: number | undefined) => VscodeModel> {
  const models = await vscode.lm.selectChatModels();
  return (name, window) => new VscodeModel(name, findVscodeModel(models, name), window);
}

/** Asks VS Code about its models. Returns the answer in the same form as for other servers. */
export async function discoverVscodeModels(name: string): Promise<Discovery> {
  const models = await vscode.lm.selectChatModels();
  const found = findVscodeModel(models, name);
  return {
    models: models.map((model) => ({
      id: vscodeModelName(model),
      label: model.name,
      window: model.maxInputTokens,
    })),
    label: found?.name,
    window: found?.maxInputTokens,
    // The extensions that provide models may still be starting.
    isUnsettled: found === undefined,
    note: found === undefined ? missingVscodeModel(name).sentence : undefined,
  };
}

function toMessage({ role, parts }: VscodeMessage): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  return new vscode.LanguageModelChatMessage(role === 'user' ? User : Assistant, parts.map(toPart));
}

function toPart(part: VscodePart): vscode.LanguageModelInputPart {
  switch (part.type) {
    case 'text':
      return new vscode.LanguageModelTextPart(part.text);
    case 'image':
      return vscode.LanguageModelDataPart.image(Buffer.from(part.image.base64, 'base64'), part.image.type);
    case 'call':
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case 'result':
      return new vscode.LanguageModelToolResultPart(part.id, [new vscode.LanguageModelTextPart(part.text)]);
  }
}
