import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/compaction/signals/cancellation.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { noSession } from '../../../src/compaction/quoting/session-tags.ts';
import { summarise } from '../../../src/compaction/summary/summarise.ts';
import { isSummaryText } from '../../../src/compaction/summary/summary-form.ts';
import { createMeter, SummaryModelDouble } from '../../support/engine.ts';
import { called, result, said, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

const sources = [typed('m1', 'find the bug'), said('m2', textOfTokens(2_000))];
const tagSuffix = noSession;
const never = new AbortController().signal;

describe('summarise', () => {
  const run = (model: SummaryModelDouble | undefined, focus?: string, messages = sources) =>
    summarise({ sources: messages, model, focus, tagSuffix }, meter, never);

  it('requests a summary of the whole conversation and wraps the reply', async () => {
    const model = new SummaryModelDouble('<summary>notes</summary>');
    const summary = await run(model, 'the lock');
    expect(isSummaryText(summary.text)).toBe(true);
    expect(summary.text).toContain('notes');
    expect(summary.report).toMatchObject({ model: 'double', attempts: 1 });
    expect(model.requests[0]?.prompt).toContain('find the bug');
    expect(model.requests[0]?.prompt).toContain('Pay particular attention to: the lock');
  });

  it("reports the provider's token counts", async () => {
    const usage = { inputTokens: 1234, outputTokens: 56 };
    const { report } = await run(new SummaryModelDouble({ content: 'notes', finishReason: 'stop', usage }));
    expect(report).toMatchObject({ promptTokens: 1234, outputTokens: 56 });
  });

  it('does not let a summary close the tags around it', async () => {
    const { text } = await run(new SummaryModelDouble('a </conversation_summary> b'));
    expect(text.match(/<\/conversation_summary/g)).toHaveLength(1);
    expect(text).toContain('a ‹/conversation_summary› b');
  });

  it("shortens a conversation to fit the model's window before it is sent", async () => {
    const model = new SummaryModelDouble('notes', 8_000);
    const long = Array.from({ length: 40 }, (_, index) => said(`m${index}`, textOfTokens(1_000)));
    const { warnings } = await run(model, undefined, long);
    const [request] = model.requests;
    const size = (await meter.countText(request!.prompt)) + (await meter.countText(request!.instructions));
    expect(size + request!.maxOutputTokens).toBeLessThan(8_000);
    expect(warnings).toHaveLength(1);
  });

  it('leaves out the oldest messages if clipping is not enough', async () => {
    const model = new SummaryModelDouble('notes', 4_000);
    const many = Array.from({ length: 400 }, (_, index) => said(`m${index}`, textOfTokens(30)));
    const { warnings } = await run(model, undefined, many);
    expect(model.requests[0]?.prompt).toContain('earlier messages left out');
    expect(model.requests[0]?.prompt).toContain('id="m399"');
    expect(warnings).toMatchObject([{ english: expect.stringContaining('left out') as string }]);
  });

  it('passes all messages to a model that accepts messages, regardless of its window', async () => {
    const model = Object.assign(new SummaryModelDouble('notes', 1_000), { readsSources: true });
    const long = Array.from({ length: 40 }, (_, index) => said(`m${index}`, textOfTokens(1_000)));
    const { report, warnings } = await run(model, undefined, long);
    expect(model.requests[0]).toMatchObject({ prompt: '', sources: long, maxOutputTokens: 250 });
    expect(report.promptTokens).toBe(0);
    expect(warnings).toEqual([]);
  });

  it('adds copies of facts that the model omitted', async () => {
    const session = [
      typed('m1', 'Never touch the vendor folder.'),
      called('m2', ['a', 'read_file', { path: 'src/lost.ts' }], ['b', 'bash', { command: 'npm ci' }]),
      result('m3', 'a', textOfTokens(2_000)),
      result('m4', 'b', 'exit code 0'),
    ];
    const { text } = await run(new SummaryModelDouble('All is well.'), undefined, session);
    expect(text).toContain('- src/lost.ts');
    expect(text).toContain('- Never touch the vendor folder.');
    expect(text).toContain('- npm ci (exit 0)');
  });

  it('keeps the facts of an earlier summary, even if the model omits them', async () => {
    const first = await run(new SummaryModelDouble('notes'), undefined, [
      called('m1', ['a', 'read_file', { path: 'src/first.ts' }]),
      result('m2', 'a', textOfTokens(2_000)),
    ]);
    const carried: Message = {
      ...typed('c1.1', first.text),
      kind: 'summary',
      origin: 'strategy',
      carried: first.carried!,
    };
    const { text } = await run(new SummaryModelDouble('notes'), undefined, [carried, ...sources]);
    expect(text).toContain('- src/first.ts');
  });

  it('adds no facts to the summary of a short conversation', async () => {
    const small = [called('m1', ['a', 'read_file', { path: 'a.ts' }]), result('m2', 'a', textOfTokens(60))];
    expect((await run(new SummaryModelDouble('n'), undefined, small)).text).not.toContain('<ledger');
  });

  it('requests no summary of a text shorter than any summary', async () => {
    const model = new SummaryModelDouble('n');
    const asked = run(model, undefined, [typed('m1', 'hello'), said('m2', 'hi')]);
    await expect(asked).rejects.toMatchObject({ code: 'summary-inflated' });
    expect(model.requests).toEqual([]);
  });

  it('asks again, up to the maximum, if a reply cannot be used', async () => {
    const replies = ['', '<summary>notes</summary>'];
    const model = new SummaryModelDouble(() => ({ content: replies.shift()!, finishReason: 'stop' }));
    const { report } = await summarise(
      { sources, model, focus: undefined, tagSuffix, attempts: 2 },
      meter,
      never,
    );
    expect(report.attempts).toBe(2);
  });

  describe("as a continuation of the chat's last request", () => {
    const view = [...sources, typed('m3', 'and what stays')];
    const continued = (model: SummaryModelDouble) =>
      summarise(
        { sources, model, focus: 'the lock', tagSuffix, continues: { view, tools: [] } },
        meter,
        never,
      );
    const chatModel = (...args: ConstructorParameters<typeof SummaryModelDouble>) =>
      Object.assign(new SummaryModelDouble(...args), { continuesRequests: true });

    it('sends the view unchanged, and states which part will be removed', async () => {
      const model = chatModel('<summary>notes</summary>');
      const { report } = await continued(model);
      expect(report).toMatchObject({ isContinued: true, attempts: 1 });
      expect(model.requests[0]?.continues?.view).toBe(view);
      expect(model.requests[0]?.prompt).toContain(
        'Everything before the user message that begins with "and what stays" will leave the context',
      );
      expect(model.requests[0]?.prompt).toContain('the lock');
    });

    it('sends a separate request if the model continued the chat instead', async () => {
      const replies = ['Sure, what next?', '<summary>notes</summary>'];
      const model = chatModel(() => ({ content: replies.shift()!, finishReason: 'stop' }));
      const { report } = await continued(model);
      expect(report.isContinued).toBeUndefined();
      expect(report.attempts).toBe(2);
      expect(model.requests[1]?.prompt).toContain('<conversation>');
    });

    it('sends a separate request if the view leaves no room for an answer', async () => {
      const model = chatModel('<summary>notes</summary>', 3_500);
      expect((await continued(model)).report.isContinued).toBeUndefined();
    });

    it('sends a separate request to any other model', async () => {
      const model = new SummaryModelDouble('<summary>notes</summary>');
      expect((await continued(model)).report.isContinued).toBeUndefined();
    });
  });

  it.each([
    ['has no model', undefined, 'no-model'],
    ['receives an error', new SummaryModelDouble(() => new Error('503 overloaded')), 'model-failed'],
    ['gets a blank reply', new SummaryModelDouble('  '), 'summary-whitespace'],
    ['gets a reply that reaches its limit', new SummaryModelDouble(textOfTokens(20_000)), 'summary-cut-off'],
  ])('fails with a typed reason if it %s', async (_name, model, code) => {
    await expect(run(model)).rejects.toMatchObject({ code });
  });

  it('stops immediately when it is cancelled, even if the model continues', async () => {
    const stop = new AbortController();
    const model = new SummaryModelDouble('notes');
    model.summarise = () => new Promise(() => stop.abort());
    await expect(
      summarise({ sources, model, focus: undefined, tagSuffix }, meter, stop.signal),
    ).rejects.toThrow(CancelledError);
  });
});
