import type * as vscode from 'vscode';
import { describe, expect, it, vi } from 'vitest';
import { ModelError, type ModelEvent, type ModelRequest } from '../../../src/agent/model/chat-model.ts';
import { VscodeModel } from '../../../src/extension/models/vscode-model.ts';

/** The part of the editor's API that the adapter uses. */
vi.mock('vscode', () => {
  class LanguageModelTextPart {
    readonly value: string;
    constructor(value: string) {
      this.value = value;
    }
  }
  class LanguageModelToolCallPart {
    readonly callId: string;
    readonly name: string;
    readonly input: object;
    constructor(callId: string, name: string, input: object) {
      this.callId = callId;
      this.name = name;
      this.input = input;
    }
  }
  class LanguageModelToolResultPart {
    readonly callId: string;
    readonly content: readonly unknown[];
    constructor(callId: string, content: readonly unknown[]) {
      this.callId = callId;
      this.content = content;
    }
  }
  class LanguageModelChatMessage {
    readonly role: number;
    readonly content: readonly unknown[];
    constructor(role: number, content: readonly unknown[]) {
      this.role = role;
      this.content = content;
    }
  }
  class CancellationTokenSource {
    readonly token = { isCancellationRequested: false };
    cancel() {
      this.token.isCancellationRequested = true;
    }
    dispose() {
      this.token.isCancellationRequested = true;
    }
  }
  return {
    env: { language: 'en' },
    LanguageModelTextPart,
    LanguageModelToolCallPart,
    LanguageModelToolResultPart,
    LanguageModelChatMessage,
    CancellationTokenSource,
    LanguageModelChatMessageRole: { User: 1, Assistant: 2 },
    LanguageModelChatToolMode: { Auto: 1, Required: 2 },
  };
});

const { LanguageModelTextPart, LanguageModelToolCallPart } = await import('vscode');
type SendRequest = vscode.LanguageModelChat['sendRequest'];

const request: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ],
  tools: [{ type: 'function', function: { name: 'read_file', description: 'Reads.' } }],
};

/** A model with these parts as its answer, and the messages it received. */
function answering(...parts: readonly unknown[]) {
  const sent: Parameters<SendRequest>[] = [];
  const model = modelWith((...sending) => {
    sent.push(sending);
    return Promise.resolve({ stream: streamOf(parts) } as unknown as vscode.LanguageModelChatResponse);
  });
  return { model, sent };
}

function modelWith(sendRequest: SendRequest): VscodeModel {
  const model = { name: 'Some Model', maxInputTokens: 9_000, sendRequest };
  return new VscodeModel('vendor/some', model as unknown as vscode.LanguageModelChat, undefined);
}

async function* streamOf(parts: readonly unknown[]) {
  for (const part of parts) yield await Promise.resolve(part);
}

async function eventsOf(model: VscodeModel, signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) events.push(event);
  return events;
}

async function failureOf(model: VscodeModel, signal?: AbortSignal): Promise<ModelError> {
  const error: unknown = await eventsOf(model, signal).catch((thrown: unknown) => thrown);
  if (!(error instanceof ModelError)) throw new Error('It did not fail as models do.');
  return error;
}

describe('a language model of VS Code', () => {
  it('streams its text, and then its calls', async () => {
    const { model } = answering(
      new LanguageModelTextPart('Let me '),
      new LanguageModelTextPart('look.'),
      { value: 'a part of a kind that is not known yet' },
      new LanguageModelToolCallPart('1', 'read_file', { path: 'a' }),
    );
    const events = await eventsOf(model);
    expect(events.slice(0, 2)).toEqual([
      { type: 'text-delta', text: 'Let me ' },
      { type: 'text-delta', text: 'look.' },
    ]);
    expect(events.slice(2)).toMatchObject([
      {
        type: 'end',
        reply: { content: 'Let me look.', finishReason: 'tool-calls', toolCalls: [{ id: '1' }] },
      },
    ]);
  });

  it('receives messages and tools, with the reason that VS Code shows the user', async () => {
    const { model, sent } = answering();
    await eventsOf(model);
    const [messages, options] = sent[0] ?? [];
    expect(messages).toEqual([{ role: 1, content: [{ value: 'Be brief.' }, { value: 'Hi' }] }]);
    expect(options).toMatchObject({ tools: [{ name: 'read_file' }], toolMode: 1 });
    expect(options?.justification).toContain('Context Budget');
  });

  it('has the window and the name that VS Code gives it', () => {
    expect(answering().model).toMatchObject({ id: 'vendor/some', label: 'Some Model', window: 9_000 });
  });

  it('gets no tools for a summary', async () => {
    const { model, sent } = answering(new LanguageModelTextPart('Notes.'));
    const asked = {
      instructions: 'Summarise.',
      prompt: 'All of it.',
      sources: [],
      focus: undefined,
      tag: 'summary',
      maxOutputTokens: 100,
    };
    const reply = await model.summarise(asked, new AbortController().signal);
    expect(reply).toEqual({ content: 'Notes.', finishReason: 'stop' });
    expect(sent[0]?.[1]).not.toHaveProperty('tools');
  });

  it('reports failures in a sentence for the user', async () => {
    const refused = Object.assign(new Error('no'), { code: 'NoPermissions' });
    expect((await failureOf(modelWith(() => Promise.reject(refused)))).code).toBe('unauthorised');
    expect((await failureOf(new VscodeModel('gone', undefined, undefined))).message).toMatch(/"gone"/);
  });

  it('counts as cancelled once the signal is aborted, even if its stream ends normally', async () => {
    const stopping = new AbortController();
    let isTold: boolean | undefined;
    const model = modelWith((_messages, _options, given) => {
      stopping.abort();
      isTold = given?.isCancellationRequested;
      return Promise.resolve({ stream: streamOf([]) } as unknown as vscode.LanguageModelChatResponse);
    });
    expect((await failureOf(model, stopping.signal)).code).toBe('cancelled');
    expect(isTold).toBe(true);
  });

  it('is not asked if the request was already stopped', async () => {
    const { model, sent } = answering();
    expect((await failureOf(model, AbortSignal.abort())).code).toBe('cancelled');
    expect(sent).toEqual([]);
  });

  it('is stopped if its reader stops reading', async () => {
    const { model, sent } = answering(new LanguageModelTextPart('a'), new LanguageModelTextPart('b'));
    for await (const event of model.stream(request, new AbortController().signal)) {
      if (event.type === 'text-delta') break;
    }
    expect(sent[0]?.[2]?.isCancellationRequested).toBe(true);
  });
});
