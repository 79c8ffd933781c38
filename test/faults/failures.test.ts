import fc from 'fast-check';
import { getEncoding } from 'js-tiktoken';
import { beforeAll, describe } from 'vitest';
import { OfflineModel } from '../../src/agent/offline/offline-model.ts';
import type { AgentEvent } from '../../src/agent/session/session-ports.ts';
import { ok, type AgentTool } from '../../src/agent/tools/support/tool.ts';
import { createBudget } from '../../src/compaction/budget/budget.ts';
import { failuresUntilOpen } from '../../src/compaction/budget/attempt-guard.ts';
import { repairPairs } from '../../src/compaction/messages/exchange.ts';
import { textOf, toChatMessage, type Message } from '../../src/compaction/messages/message.ts';
import type { CompactionRecord } from '../../src/compaction/records/record.ts';
import { strategyIds, strategyOf } from '../../src/compaction/strategies/index.ts';
import { ladder } from '../../src/compaction/strategies/ladder.ts';
import { llmSummary } from '../../src/compaction/strategies/llm-summary.ts';
import type { Strategy } from '../../src/compaction/strategies/contract/strategy.ts';
import { type CountTokens, loadEncoding } from '../../src/compaction/tokens/token-counter.ts';
import { sum, type UsageMeter } from '../../src/compaction/tokens/usage.ts';
import {
  append,
  messagesOf,
  recordsOf,
  transcriptOf,
  type Transcript,
} from '../../src/compaction/transcript/transcript.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { readSettings } from '../../src/presenters/settings/read-settings.ts';
import type { RecordedRequest } from '../agent/openai/scripted-reply.ts';
import { createMeter, runCompaction } from '../support/engine.ts';
import { histories, type History } from '../support/histories.ts';
import { called, entriesOf, result, said, textOfTokens, typed } from '../support/messages.ts';
import { soak } from '../support/soak.ts';
import { fault } from './support/fault.ts';
import type { FaultCount } from './support/fault-count.ts';
import { ScriptedChat, tagged } from './support/scripted-chat.ts';

/** Known failures of other agents' compactions, F1 to F30, each tried here. */
describe('compaction failures known from other agents', () => {
  let meter: UsageMeter;
  let count: CountTokens;
  beforeAll(async () => {
    meter = await createMeter();
    count = await loadEncoding('o200k_base');
  });

  const strategies = strategyIds
    .filter((id) => !['custom', 'none', 'provider-native'].includes(id))
    .map(strategyOf);
  const summarising = [
    'ladder',
    'llm-summary',
    'anchored-summary',
    'state-snapshot',
    'whole-history',
  ] as const;
  const viewOf = (chat: ScriptedChat) => JSON.stringify(chat.session.transcript.view);
  const appliedIn = (chat: ScriptedChat) =>
    recordsOf(chat.session.transcript).filter(({ status }) => status === 'applied');
  const tokensOf = (request: { readonly body: unknown }) => count(JSON.stringify(request.body));

  /** Compacts a transcript like a user's session, and adds the record. */
  const compacted = async (
    transcript: Transcript,
    strategy: Strategy,
    requirement: 'soft' | 'hard' = 'soft',
    share = 0.5,
  ): Promise<{ readonly record: CompactionRecord; readonly transcript: Transcript }> => {
    const { view, pins } = transcript;
    const { total } = sum(await meter.measureEach(view));
    const model = new OfflineModel({ window: 32_000 });
    const target = Math.floor(total * share);
    const run = { view, pins, strategy, model, requirement, target, protectFirst: true };
    const made = (await runCompaction(run, meter)).at(-1)!;
    const record = { ...made, id: `c${recordsOf(transcript).length + 1_000}` };
    return { record, transcript: append(transcript, { type: 'compaction', record }) };
  };

  /** Every strategy over generated sessions: parallel calls, reused ids, missing results, any script. */
  const overHistories = async (
    tally: FaultCount,
    tryOne: (transcript: Transcript, strategy: Strategy, history: History) => Promise<string | undefined>,
  ): Promise<void> => {
    const generated = fc.sample(histories, { numRuns: soak(12, 100), seed: 12 });
    for (const history of generated) {
      const pins = [...history.pins];
      const transcript = transcriptOf([
        ...entriesOf(repairPairs(history.messages)),
        ...(pins.length === 0
          ? []
          : [
              { type: 'pin', createdAt: '2026-01-01T00:00:00.000Z', messageIds: pins, pinned: true } as const,
            ]),
      ]);
      for (const strategy of strategies) {
        tally.tried();
        const harm = await tryOne(transcript, strategy, history);
        if (harm !== undefined) tally.harmed(`${strategy.id}: ${harm}`);
      }
    }
  };
  const violation = ({ view }: Transcript) => findViolations(view.map(toChatMessage))[0]?.code;
  const newest: readonly Message[] = [
    typed('z1', `Newest wish: the docs. ${textOfTokens(200)}`),
    called('z2', ['k1', 'read_file', { path: 'a' }], ['k2', 'read_file', { path: 'b' }]),
    result('z3', 'k1', textOfTokens(800)),
    result('z4', 'k2', textOfTokens(800)),
    said('z5', 'done'),
  ];
  const withNewest = (transcript: Transcript) => entriesOf(newest).reduce(append, transcript);
  const reader = (tokens: number): AgentTool => ({
    name: 'read_file',
    schema: {
      type: 'function',
      function: { name: 'read_file', description: 'reads', parameters: { type: 'object', properties: {} } },
    },
    describe: () => 'Read a file',
    run: () => Promise.resolve(ok(textOfTokens(tokens))),
  });

  fault('F1 useless summaries are not requested again and again', async (tally) => {
    for (const id of ['ladder', 'llm-summary'] as const) {
      for (const text of ['', `<summary>${textOfTokens(5_000)}</summary>`]) {
        await using chat = await ScriptedChat.start(meter, strategyOf(id));
        chat.script({ summary: () => ({ text }) });
        await chat.talk(25);
        tally.tried(chat.answers.length);
        const isStopped = chat.session.compaction.isBreakerOpen;
        const most = 2 * failuresUntilOpen;
        if (!isStopped || chat.summaries.length > most) {
          tally.harmed(`${id}: ${chat.summaries.length} summaries, paused: ${isStopped}`);
        }
      }
    }
  });

  fault('F1 an overflow that compaction cannot fix leads to only one more request', async (tally) => {
    await using chat = await ScriptedChat.start(meter, llmSummary, { window: 100_000 });
    await chat.talk(6);
    const before = chat.answers.length;
    const message = 'prompt is too long: 213462 tokens > 200000 maximum';
    chat.script({ answer: () => ({ status: 400, body: { error: { message } } }) });
    await chat.session.send('now');
    tally.tried();
    if (chat.answers.length - before > 2) tally.harmed(`${chat.answers.length - before} requests`);
  });

  fault('F2 a summary larger than the messages it replaces is discarded', async (tally) => {
    await using chat = await ScriptedChat.start(meter, llmSummary, { window: 100_000 });
    await chat.talk(6);
    const before = viewOf(chat);
    for (const tokens of [4_000, 9_000, 30_000]) {
      chat.script({ summary: (request) => ({ text: tagged(request, textOfTokens(tokens)) }) });
      const { status } = await chat.session.compactNow();
      tally.tried();
      if (viewOf(chat) !== before) tally.harmed(`${tokens} tokens: ${status}`);
    }
  });

  fault('F3 the request for a summary fits the window even if the history does not', async (tally) => {
    for (const id of summarising) {
      await using chat = await ScriptedChat.start(meter, strategyOf(id), { window: 200_000 });
      await chat.talk(10, 1_800);
      chat.reload({ window: 8_000 });
      await chat.session.send('go on');
      const { total } = await chat.session.compaction.usage();
      const largest = Math.max(0, ...chat.summaries.map(tokensOf));
      tally.tried();
      if (largest > 8_000 || total > 8_000) tally.harmed(`${id}: request ${largest}, view ${total}`);
    }
  });

  fault('F4 a provider that fails during a compaction leaves the history unchanged', async (tally) => {
    await using chat = await ScriptedChat.start(meter, llmSummary, { window: 100_000 });
    await chat.talk(6);
    const before = viewOf(chat);
    const deaths = [
      { text: '<summary>half a', then: 'cut' },
      { text: '<summary>half a', then: 'end' },
      { text: '<summary>half a', then: { error: { message: 'gone' } } },
      { status: 500, body: 'x' },
      { status: 503, body: '' },
    ] as const;
    for (const death of deaths) {
      chat.script({ summary: () => death });
      const { status } = await chat.session.compactNow();
      tally.tried();
      if (viewOf(chat) !== before) tally.harmed(`${JSON.stringify(death)}: ${status}`);
    }
    chat.script({});
    await chat.session.send('still there?');
    const { status } = await chat.session.compactNow();
    if (status !== 'applied') tally.harmed(`trying again was ${status}`);
  });

  fault('F5 the prompt of a summary and the longest possible reply fit the window', async (tally) => {
    await using chat = await ScriptedChat.start(meter, llmSummary);
    await chat.talk(8);
    await chat.session.compactNow();
    for (const request of chat.summaries) {
      const { max_tokens, max_completion_tokens } = request.body;
      const most = Number(max_completion_tokens ?? max_tokens);
      tally.tried();
      if (!(most > 0 && most + tokensOf(request) <= 8_000)) tally.harmed(`${most} + ${tokensOf(request)}`);
    }
  });

  fault('F6 every call keeps its result, and every result its call, with every strategy', (tally) =>
    overHistories(tally, async (transcript, strategy) =>
      violation((await compacted(transcript, strategy)).transcript),
    ),
  );

  fault('F7 a batch of parallel calls is never split', async (tally) => {
    const messages: Message[] = [typed('m1', 'start')];
    for (let round = 0; round < 10; round++) {
      const ids = Array.from({ length: 8 }, (_, index) => `same${index}`);
      const inputs = ids.map((id, index) => [id, 'read_file', { path: `f${round}-${index}` }] as const);
      messages.push(called(`a${round}`, ...inputs));
      for (const index of [3, 0, 7, 1, 2, 6, 5, 4]) {
        messages.push(result(`r${round}-${index}`, `same${index}`, textOfTokens(120)));
      }
    }
    const transcript = transcriptOf(entriesOf([...messages, typed('m2', 'end')]));
    for (const strategy of strategies) {
      tally.tried();
      const code = violation((await compacted(transcript, strategy)).transcript);
      if (code !== undefined) tally.harmed(`${strategy.id}: ${code}`);
    }
  });

  fault('F8 two compactions in a row leave a valid view that contains the newest message', (tally) =>
    overHistories(tally, async (transcript, strategy) => {
      const first = await compacted(transcript, strategy);
      const second = await compacted(withNewest(first.transcript), strategy, 'hard', 0.4);
      const isThere = second.transcript.view.some(({ content }) => textOf(content).includes('Newest wish'));
      return violation(second.transcript) ?? (isThere ? undefined : 'the newest wish is gone');
    }),
  );

  fault('F9 a pin survives soft, hard and repeated compactions byte for byte', (tally) =>
    overHistories(tally, async (transcript, strategy) => {
      const pinned = transcript.view.filter(({ id }) => transcript.pins.has(id));
      const first = await compacted(transcript, strategy);
      const second = await compacted(withNewest(first.transcript), strategy, 'hard', 0.4);
      const clipped = second.record.warnings.join(' ');
      return pinned
        .filter(({ id }) => !clipped.includes(id))
        .find((message) => {
          const now = second.transcript.view.find(({ id }) => id === message.id);
          return (
            now === undefined || JSON.stringify(toChatMessage(now)) !== JSON.stringify(toChatMessage(message))
          );
        })?.id;
    }),
  );

  fault('F10 the newest request is still the last message of the user after a compaction', async (tally) => {
    for (const id of summarising) {
      await using chat = await ScriptedChat.start(meter, strategyOf(id));
      await chat.talk(7);
      chat.script({ summary: (request) => ({ text: tagged(request, '## Next\nrevive the old task') }) });
      await chat.session.send(`Stop that. Newest wish: write the docs. ${textOfTokens(600)}`);
      const last = chat.answers.at(-1)?.messages.findLast(({ role }) => role === 'user');
      tally.tried();
      if (!textOf(last?.content ?? '').includes('Newest wish')) tally.harmed(id);
    }
  });

  fault('F11 the request for a summary never becomes part of the chat', async (tally) => {
    for (const id of summarising) {
      await using chat = await ScriptedChat.start(meter, strategyOf(id));
      await chat.talk(12);
      const asked = new Set(chat.summaries.map(({ lastText }) => lastText));
      tally.tried(Math.max(1, asked.size));
      if (messagesOf(chat.session.transcript).some(({ content }) => asked.has(textOf(content)))) {
        tally.harmed(`${id}: it stands in the transcript`);
      }
    }
  });

  fault('F12 one result larger than the window is clipped once', async (tally) => {
    await using chat = await ScriptedChat.start(meter, ladder, {}, {}, { tools: () => [reader(60_000)] });
    const calls = [{ name: 'read_file', arguments: { path: 'huge' } }];
    chat.script({ answer: () => (chat.answers.length === 1 ? { toolCalls: calls } : { text: 'done' }) });
    await chat.session.send('read the huge file');
    const { total } = await chat.session.compaction.usage();
    tally.tried();
    if (total > 8_000 || chat.answers.length > 3 || chat.session.lastTurn !== undefined) {
      tally.harmed(`${total} tokens, ${chat.answers.length} requests`);
    }
  });

  fault(
    'F13 with compaction off, nothing is left out unless the provider refuses a request',
    async (tally) => {
      for (const strategy of strategies) {
        await using chat = await ScriptedChat.start(meter, strategy, {}, { mode: 'off' });
        await chat.talk(11);
        tally.tried(chat.answers.length);
        const { view } = chat.session.transcript;
        if (view.length !== messagesOf(chat.session.transcript).length) tally.harmed(strategy.id);
      }
    },
  );

  fault('F14 a compaction by the last tier is recorded and can be undone', (tally) =>
    overHistories(tally, async (transcript, strategy) => {
      const { record, transcript: after } = await compacted(transcript, strategy, 'hard', 0.15);
      if (record.status !== 'applied') return undefined;
      return isUndone(transcript, after, record) ? undefined : 'undo gave another view';
    }),
  );

  fault('F15 undo after later turns restores the exact earlier view, and keeps the turns', (tally) =>
    overHistories(tally, async (transcript, strategy) => {
      const { record, transcript: after } = await compacted(transcript, strategy);
      if (record.status !== 'applied') return undefined;
      return isUndone(withNewest(transcript), withNewest(after), record) ? undefined : 'another view';
    }),
  );

  fault('F16 a reload keeps a compaction', async (tally) => {
    for (const id of summarising) {
      await using chat = await ScriptedChat.start(meter, strategyOf(id));
      await chat.talk(12);
      const before = viewOf(chat);
      const applied = appliedIn(chat).length;
      chat.reload();
      tally.tried(applied);
      if (viewOf(chat) !== before || appliedIn(chat).length !== applied) tally.harmed(id);
    }
  });

  fault('F17 the kinds add up to the total, which equals a fresh count', async (tally) => {
    for (const id of summarising) {
      await using chat = await ScriptedChat.start(meter, strategyOf(id));
      await chat.talk(12);
      const { session } = chat;
      const usage = await session.compaction.usage();
      const fresh = sum([
        await meter.measure(session.transcript.view),
        await meter.measureTools(session.tools),
      ]);
      const sizes = [
        usage,
        ...appliedIn(chat).map(({ after }) => ({ total: after.tokens, byKind: after.byKind })),
      ];
      for (const { total, byKind } of sizes) {
        tally.tried();
        const parts = Object.values(byKind).reduce((all, part) => all + part, 0);
        if (parts !== total) tally.harmed(`${id}: ${parts} of ${total}`);
      }
      if (fresh.total !== usage.total) tally.harmed(`${id}: ${usage.total}, counted again ${fresh.total}`);
    }
  });

  fault('F18 text in any script is counted exactly', (tally) => {
    const theirs = getEncoding('o200k_base');
    const texts = [
      '上下文压缩必须在窗口溢出之前触发。',
      'コンテキスト圧縮',
      '문맥 압축',
      'ضغط السياق',
      '😀👩‍👩‍👧‍👦🏳️‍🌈',
      'function f(){return `${x}`}\n',
      '\u0000\u0007\ufffd\ud800x',
      '<|endoftext|><|im_start|>system<|im_end|>',
      ' \t\n',
    ];
    for (const text of texts.flatMap((one) => [one, one.repeat(40)])) {
      tally.tried();
      const exact = theirs.encode(text, [], []).length;
      if (count(text) !== exact)
        tally.harmed(`${JSON.stringify(text.slice(0, 12))}: ${count(text)}, ${exact}`);
    }
  });

  fault('F19 a chat continues with a model that has a smaller window', async (tally) => {
    for (const id of summarising) {
      await using chat = await ScriptedChat.start(meter, strategyOf(id), { window: 64_000 });
      await chat.talk(12, 900);
      chat.reload({ window: 6_000 });
      const before = chat.answers.length;
      await chat.session.send('go on with the small one');
      for (const request of chat.answers.slice(before)) {
        tally.tried();
        if (tokensOf(request) > 6_000) tally.harmed(`${id}: ${tokensOf(request)}`);
      }
    }
  });

  fault('F20 between compactions every request begins with the bytes of the previous one', async (tally) => {
    const tools = () => [reader(300)];
    await using chat = await ScriptedChat.start(meter, ladder, { window: 20_000 }, {}, { tools });
    const call = { toolCalls: [{ name: 'read_file', arguments: { path: 'a' } }] };
    chat.script({
      answer: () => (chat.answers.length % 3 === 0 ? { text: `ok ${textOfTokens(200)}` } : call),
    });
    await chat.talk(25, 60);
    const bodies = chat.answers.map(({ messages }) => JSON.stringify(messages).slice(0, -1));
    const changed = bodies.filter((body, index) => index > 0 && !body.startsWith(bodies[index - 1]!)).length;
    tally.tried(bodies.length);
    if (changed > appliedIn(chat).length) tally.harmed(`${changed} changed prefixes`);
  });

  fault(
    'F21 fixed content that fills most of the window does not trigger a summary at every turn',
    async (tally) => {
      const tools = Array.from({ length: 40 }, (_, index): AgentTool => {
        const name = `tool${index}`;
        const parameters = { type: 'object', properties: {} };
        const schema = { name, description: textOfTokens(220), parameters };
        return { ...reader(1), name, schema: { type: 'function', function: schema } };
      });
      for (const id of ['ladder', 'llm-summary'] as const) {
        const strategy = strategyOf(id);
        await using chat = await ScriptedChat.start(
          meter,
          strategy,
          { window: 16_000 },
          {},
          { tools: () => tools },
        );
        await chat.talk(18, 700);
        tally.tried(18);
        if (appliedIn(chat).length === 0) tally.harmed(`${id}: nothing was compacted`);
        if (chat.summaries.length > 9) tally.harmed(`${id}: ${chat.summaries.length} summaries in 18 turns`);
      }
    },
  );

  fault('F22 every request for a summary contains the focus in the settings', async (tally) => {
    const focus = 'Keep the port numbers.';
    await using chat = await ScriptedChat.start(meter, llmSummary, {}, { focus });
    await chat.talk(12);
    await chat.session.compactNow({ focus: 'and my further wish' });
    const refusal = {
      status: 400,
      body: { error: { code: 'context_length_exceeded', message: 'too long' } },
    };
    await chat.talk(3);
    const before = chat.answers.length;
    chat.script({ answer: () => (chat.answers.length === before + 1 ? refusal : { text: 'ok' }) });
    await chat.session.send(`once more ${textOfTokens(300)}`);
    for (const { body } of chat.summaries) {
      tally.tried();
      if (!JSON.stringify(body).includes(focus)) tally.harmed('a request without it');
    }
  });

  fault('F23 an unusable threshold is reported, and never changed silently', (tally) => {
    for (const value of [0.05, 0.1, 0.5, 0.99, 1, 1.5, -1, Number.NaN, '0.9', true, {}]) {
      const read = readSettings((name) =>
        name === 'triggerRatio' ? value : name === 'targetRatio' ? 0.05 : undefined,
      );
      tally.tried();
      if (read.ratios.triggerRatio !== value && read.problems.length === 0)
        tally.harmed(JSON.stringify(value));
    }
    const ratios = { triggerRatio: 0.6, targetRatio: 0.3 };
    tally.tried();
    if (createBudget({ window: 10_000, reservedOutput: 500, ...ratios }).trigger !== 6_000)
      tally.harmed('0.6');
  });

  fault('F24 blank, cut-off and reasoning-only summaries are refused', async (tally) => {
    await using chat = await ScriptedChat.start(meter, llmSummary, { window: 100_000 });
    await chat.talk(6);
    const before = viewOf(chat);
    const replies = [
      ...['', '   \n', '\u200b', '<think>only</think>', '<think>never closed', '<summary></summary>'],
      ...['<summary>breaks off', '<summary><think>x</think></summary>', '<thinking>x</thinking>  '],
    ].map((text) => ({ text, finishReason: 'stop' }));
    for (const reply of [...replies, { text: '<summary>good', finishReason: 'length' }]) {
      chat.script({ summary: () => reply });
      await chat.session.compactNow();
      tally.tried();
      if (viewOf(chat) !== before) tally.harmed(JSON.stringify(reply));
    }
  });

  fault('F26 Stop, a message typed during a compaction, and two compactions at once', async (tally) => {
    await using chat = await ScriptedChat.start(meter, llmSummary, { window: 100_000 });
    await chat.talk(6);
    const before = viewOf(chat);
    chat.script({ summary: () => ({ hang: true }) });
    const asked = chat.harness.server.request(chat.harness.server.requests.length);
    const stopped = chat.session.compactNow();
    await asked;
    chat.session.stop();
    tally.tried();
    if ((await stopped).status !== 'cancelled' || viewOf(chat) !== before) tally.harmed('Stop');

    chat.script({});
    tally.tried();
    const both = await Promise.all([chat.session.compactNow(), chat.session.compactNow()]);
    if (both.filter(({ status }) => status === 'applied').length !== 1) tally.harmed('two at once');

    tally.tried();
    type Entry = Extract<AgentEvent, { readonly type: 'entry' }>;
    const answered = (event: AgentEvent): event is Entry => {
      const message =
        event.type === 'entry' && event.entry.type === 'message' ? event.entry.message : undefined;
      return textOf(message?.content ?? '').startsWith('heard');
    };
    chat.script({ answer: () => ({ text: 'heard' }) });
    await Promise.all([
      chat.session.compactNow(),
      chat.session.send('typed meanwhile'),
      chat.harness.event(answered),
    ]);
    const texts = messagesOf(chat.session.transcript).map(({ content }) => textOf(content));
    if (!texts.includes('typed meanwhile') || violation(chat.session.transcript) !== undefined) {
      tally.harmed('a message typed meanwhile');
    }
  });

  fault('F27 the agent continues after a compaction in the middle of a turn', async (tally) => {
    for (const id of summarising) {
      const tools = () => [reader(700)];
      await using chat = await ScriptedChat.start(meter, strategyOf(id), { window: 9_000 }, {}, { tools });
      const call = { toolCalls: [{ name: 'read_file', arguments: { path: 'a' } }] };
      chat.script({ answer: () => (chat.answers.length < 14 ? call : { text: 'all done' }) });
      await chat.session.send('read fourteen files');
      const last = messagesOf(chat.session.transcript).at(-1);
      tally.tried(appliedIn(chat).length);
      if (textOf(last?.content ?? '') !== 'all done') tally.harmed(`${id}: ${textOf(last?.content ?? '')}`);
    }
  });

  fault('F28 a small reduction is accepted', async (tally) => {
    await using chat = await ScriptedChat.start(meter, llmSummary, { window: 100_000 });
    await chat.talk(6);
    chat.script({ summary: () => ({ text: `<summary>${textOfTokens(1_500)}</summary>` }) });
    const { status, before, after } = await chat.session.compactNow();
    tally.tried();
    if (status !== 'applied') tally.harmed(`${status}: ${before.tokens}, ${after.tokens}`);
  });

  fault('F29 a pause of automatic summaries does not prevent a requested summary', async (tally) => {
    const pauses = [
      { settings: {}, text: '' },
      { settings: { spendingLimit: { requests: 1 } }, text: '<summary>notes</summary>' },
    ];
    for (const { settings, text } of pauses) {
      await using chat = await ScriptedChat.start(meter, llmSummary, {}, settings);
      chat.script({ summary: () => ({ text }) });
      await chat.talk(16);
      const { isBreakerOpen, isSpendingLimitReached } = chat.session.compaction;
      chat.script({});
      const { status } = await chat.session.compactNow();
      tally.tried();
      if (!isBreakerOpen && !isSpendingLimitReached) tally.harmed('it was not paused');
      if (status !== 'applied') tally.harmed(status);
    }
  });

  fault('F30 pictures that are too large for the provider do not end a chat', async (tally) => {
    const url = `data:image/png;base64,${'A'.repeat(400_000)}`;
    const messages = Array.from({ length: 6 }, (_, index): readonly Message[] => [
      {
        ...typed(`u${index}`, ''),
        content: [
          { type: 'text', text: `look ${textOfTokens(300)}` },
          { type: 'image_url', image_url: { url } },
        ],
      },
      said(`a${index}`, `seen ${textOfTokens(300)}`),
    ]).flat();
    for (const id of summarising) {
      await using chat = await ScriptedChat.start(meter, strategyOf(id), { window: 100_000 });
      chat.harness.open(
        { title: 'pictures', entries: entriesOf(messages), tools: [], lastTurn: undefined },
        { settings: () => chat.settings },
      );
      const tooLarge = { status: 413, body: 'Request Entity Too Large' };
      const isLarge = ({ body }: RecordedRequest) => JSON.stringify(body).length > 1_000_000;
      chat.script({
        answer: (request) => (isLarge(request) ? tooLarge : { text: 'fine' }),
        summary: (request) => (isLarge(request) ? tooLarge : { text: tagged(request, 'notes') }),
      });
      await chat.session.send('and now?');
      tally.tried();
      const last = messagesOf(chat.session.transcript).at(-1);
      if (textOf(last?.content ?? '') !== 'fine') tally.harmed(`${id}: ${chat.session.lastTurn?.message}`);
    }
  });
});

function isUndone(before: Transcript, after: Transcript, record: CompactionRecord): boolean {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const undone = append(after, { type: 'undo', createdAt, recordIds: [record.id] });
  return JSON.stringify(undone.view) === JSON.stringify(before.view);
}
