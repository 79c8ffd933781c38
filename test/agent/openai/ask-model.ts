import {
  ModelError,
  type ModelEvent,
  type ModelReply,
  type ModelRequest,
} from '../../../src/agent/model/chat-model.ts';
import { OpenaiModel, type OpenaiModelOptions } from '../../../src/agent/openai/openai-model.ts';
import type { ScriptedServer } from './scripted-server.ts';

export const key = 'sk-very-secret-0123456789';

/** A client of the scripted server that does not retry by default. */
export function modelAt(server: ScriptedServer, options: Partial<OpenaiModelOptions> = {}): OpenaiModel {
  return new OpenaiModel({
    baseUrl: server.baseUrl,
    apiKey: key,
    model: 'scripted',
    maxRetries: 0,
    ...options,
  });
}

export const question: ModelRequest = { messages: [{ role: 'user', content: 'Hi' }], tools: [] };

export async function eventsOf(
  model: OpenaiModel,
  request = question,
  signal = new AbortController().signal,
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) events.push(event);
  return events;
}

export async function replyOf(model: OpenaiModel, request = question): Promise<ModelReply> {
  const end = (await eventsOf(model, request)).at(-1);
  if (end?.type !== 'end') throw new Error('The stream has no end.');
  return end.reply;
}

export async function failureOf(
  model: OpenaiModel,
  request = question,
  signal = new AbortController().signal,
): Promise<ModelError> {
  try {
    await eventsOf(model, request, signal);
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new Error('The request did not fail.');
}

/** The request after a reply to `question`, with all calls answered. */
export function after(reply: ModelReply): ModelRequest {
  const { content, reasoning, toolCalls, reasoningItems } = reply;
  return {
    messages: [
      ...question.messages,
      { role: 'assistant', content, tool_calls: toolCalls, reasoning_content: reasoning },
      ...toolCalls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'text' })),
    ],
    tools: [],
    ...(reasoningItems === undefined ? {} : { reasoningItems: new Map([[1, reasoningItems]]) }),
  };
}
