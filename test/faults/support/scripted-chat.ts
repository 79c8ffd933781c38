import { textOf } from '../../../src/compaction/messages/message.ts';
import { OpenaiModel } from '../../../src/agent/openai/openai-model.ts';
import type { SessionPorts } from '../../../src/agent/session/session-ports.ts';
import type { CompactionSettings } from '../../../src/compaction/service/service-ports.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import type { Strategy } from '../../../src/compaction/strategies/contract/strategy.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import type { RecordedRequest, ScriptedReply } from '../../agent/openai/scripted-reply.ts';
import { SessionHarness, settingsFor } from '../../agent/session/session-harness.ts';
import { textOfTokens } from '../../support/messages.ts';

/**
 * A chat with a small window against a real server, whose answers and summaries a test chooses separately.
 */
export class ScriptedChat implements AsyncDisposable {
  readonly harness: SessionHarness;
  readonly settings: CompactionSettings;
  /** Requests for an answer and for a summary, oldest first. */
  readonly answers: RecordedRequest[] = [];
  readonly summaries: RecordedRequest[] = [];

  private constructor(harness: SessionHarness, settings: CompactionSettings) {
    this.harness = harness;
    this.settings = settings;
    this.script({});
  }

  /**
   * @param budget differences from a window of 8,000 tokens with 1,000 kept for the reply
   * @param settings further differences
   */
  static async start(
    meter: UsageMeter,
    strategy: Strategy,
    budget: Partial<CompactionSettings['budget']> = {},
    settings: Partial<CompactionSettings> = {},
    ports: Partial<SessionPorts> = {},
  ): Promise<ScriptedChat> {
    const all: CompactionSettings = {
      ...settingsFor(strategy),
      options: resolveOptions(strategy.options, {}).options,
      budget: { window: 8_000, reservedOutput: 1_000, triggerRatio: 0.85, targetRatio: 0.5, ...budget },
      ...settings,
    };
    const harness = await SessionHarness.start(meter);
    const chat = new ScriptedChat(harness, all);
    chat.open(ports);
    return chat;
  }

  get session() {
    return this.harness.session;
  }

  /** Continues from the stored session, as after a reload. */
  reload(budget: Partial<CompactionSettings['budget']> = {}): void {
    const settings = { ...this.settings, budget: { ...this.settings.budget, ...budget } };
    this.harness.reopen({ settings: () => settings, models: this.models(settings.budget.window) });
  }

  /** Sets the server's later answers. */
  script({
    answer = () => ({ text: `ok ${textOfTokens(300)}` }),
    summary = (request) => ({ text: tagged(request, 'notes') }),
  }: {
    readonly answer?: (request: RecordedRequest) => ScriptedReply;
    readonly summary?: (request: RecordedRequest) => ScriptedReply;
  }): this {
    this.harness.server.replyWith((request) => {
      // A chat's request ends with a message of its view.
      const { view } = this.session.transcript;
      const isSummary = !view.some(({ content }) => textOf(content) === request.lastText);
      (isSummary ? this.summaries : this.answers).push(request);
      return isSummary ? summary(request) : answer(request);
    });
    return this;
  }

  /** A number of turns, each with a message of about the given tokens. */
  async talk(turns: number, tokens = 500): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      await this.session.send(`turn ${turn} ${textOfTokens(tokens)}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.harness[Symbol.asyncDispose]();
  }

  private open(ports: Partial<SessionPorts>): void {
    const { settings } = this;
    this.harness.open(
      { title: undefined, entries: [], tools: [], lastTurn: undefined },
      { settings: () => settings, models: this.models(settings.budget.window), ...ports },
    );
  }

  private models(window: number | undefined): SessionPorts['models'] {
    const { baseUrl } = this.harness.server;
    const model = new OpenaiModel({ baseUrl, apiKey: 'key', model: 'scripted', window, maxRetries: 0 });
    return () => Promise.resolve({ chat: model, named: () => model });
  }
}

/** A summary inside the tags that the request asks for. */
export function tagged({ lastText }: RecordedRequest, text: string): string {
  const tag =
    lastText
      .slice(-300)
      .match(/(?<=<)[a-z_]+(?=>)/g)
      ?.at(-1) ?? 'summary';
  return `<${tag}>${text}</${tag}>`;
}
