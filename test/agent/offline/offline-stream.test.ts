import { describe, expect, it } from 'vitest';
import type { ModelReply } from '../../../src/agent/model/chat-model.ts';
import { OfflineModel } from '../../../src/agent/offline/offline-model.ts';
import type { ChatMessage } from '../../../src/compaction/messages/message.ts';

const signal = new AbortController().signal;

describe('the stream of a reply', () => {
  it('consists of small pieces that form the reply, and reports no usage', async () => {
    const pieces: string[] = [];
    let reply: ModelReply | undefined;
    const messages: readonly ChatMessage[] = [{ role: 'user', content: 'hi' }];
    for await (const event of new OfflineModel().stream({ messages, tools: [] }, signal)) {
      if (event.type === 'text-delta') pieces.push(event.text);
      if (event.type === 'end') reply = event.reply;
    }
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join('')).toBe(reply?.content);
    expect(reply).not.toHaveProperty('usage');
  });

  it('ends at the output limit, and reports it', async () => {
    const messages: readonly ChatMessage[] = [{ role: 'user', content: 'hi' }];
    const request = { messages, tools: [], maxOutputTokens: 10 };
    for await (const event of new OfflineModel().stream(request, signal)) {
      if (event.type !== 'end') continue;
      expect(event.reply.finishReason).toBe('length');
      expect(event.reply.content).toHaveLength(30);
    }
    expect.assertions(2);
  });

  it('lets other work run between pieces', async () => {
    const messages: readonly ChatMessage[] = [{ role: 'user', content: 'hi' }];
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    let pieces = 0;
    for await (const event of new OfflineModel().stream({ messages, tools: [] }, signal)) {
      if (event.type === 'text-delta') pieces++;
    }
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(pieces - 1);
  });

  it('ends when it is stopped', async () => {
    const messages: readonly ChatMessage[] = [{ role: 'user', content: 'hi' }];
    const stopping = new AbortController();
    let pieces = 0;
    await expect(async () => {
      for await (const event of new OfflineModel().stream({ messages, tools: [] }, stopping.signal)) {
        if (event.type === 'text-delta' && ++pieces === 2) stopping.abort();
      }
    }).rejects.toMatchObject({ name: 'ModelError', code: 'cancelled' });
    expect(pieces).toBe(2);
  });
});
