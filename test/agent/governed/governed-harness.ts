import type {
  ConversationFile,
  GovernedPorts,
  RecordedConversation,
} from '../../../src/agent/governed/governed-conversation.ts';
import { GovernedHistories, type GovernedRequest } from '../../../src/agent/governed/governed-histories.ts';
import type { SentMessage } from '../../../src/agent/governed/history-change.ts';
import { OfflineModel } from '../../../src/agent/offline/offline-model.ts';
import { toChatMessage, type ToolSchema } from '../../../src/compaction/messages/message.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import type { CompactionSettings } from '../../../src/compaction/service/service-ports.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import { type StrategyId, strategyOf } from '../../../src/compaction/strategies/index.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import type { SessionEvent } from '../../../src/transcripts/session/session-event.ts';
import { readSession } from '../../../src/transcripts/session/session-format.ts';

const never = new AbortController().signal;

interface Options extends Partial<Pick<GovernedPorts, 'models'>> {
  readonly strategy?: StrategyId;
  readonly window?: number;
  readonly mode?: CompactionSettings['mode'];
  readonly log?: ConversationFile['log'];
  readonly tools?: readonly ToolSchema[];
  readonly isWindowChosen?: true;
}

/** Conversations of a client, with the lines of their files. */
export class GovernedHarness {
  /** The lines of each conversation, oldest conversation first. */
  readonly files: SessionEvent[][] = [];
  readonly warnings: unknown[] = [];
  /** Sizes to which windows were widened. */
  readonly widened: number[] = [];
  private readonly tools: readonly ToolSchema[];
  private readonly ports: GovernedPorts;
  mode: CompactionSettings['mode'];
  histories: GovernedHistories;

  constructor(
    meter: UsageMeter,
    { strategy = 'ladder', window = 4_000, mode = 'auto', log, models, tools = [], isWindowChosen }: Options,
  ) {
    this.tools = tools;
    this.mode = mode;
    const chosen = strategyOf(strategy);
    const chat = new OfflineModel({ window: 32_000 });
    this.ports = {
      meter,
      models: models ?? (() => Promise.resolve({ chat, named: () => chat })),
      settings: () => ({
        strategy: chosen,
        options: resolveOptions(chosen.options, {}).options,
        budget: { window, triggerRatio: 0.85, targetRatio: 0.5, reservedOutput: 300 },
        mode: this.mode,
        protectFirst: false,
      }),
      now: () => 0,
      open: () => {
        this.files.push([]);
        return this.fileOf(this.files.length - 1, log);
      },
      warn: (error) => this.warnings.push(error),
      ...(isWindowChosen && { widened: (_, window) => this.widened.push(window) }),
    };
    this.histories = new GovernedHistories(this.ports);
  }

  take(sent: readonly SentMessage[]): Promise<GovernedRequest> {
    return this.histories.take(sent, this.tools, never, { recorded: () => this.recorded() });
  }

  /** Forgets everything but the files. */
  restart(): void {
    this.histories = new GovernedHistories(this.ports);
  }

  private fileOf(index: number, log?: ConversationFile['log']): ConversationFile {
    return {
      id: `conversation-${index + 1}`,
      log: async (event) => {
        await log?.(event);
        this.files[index]?.push(structuredClone(event));
      },
      close: () => Promise.resolve(),
    };
  }

  /** The conversations of all files, as far as they are not followed, newest first. */
  private async *recorded(): AsyncGenerator<RecordedConversation> {
    for (let index = this.files.length - 1; index >= 0; index--) {
      const file = this.fileOf(index);
      if (this.histories.find(file.id) !== undefined) continue;
      const contents = readSession(this.files[index]?.map((line) => JSON.stringify(line)) ?? []);
      yield { contents, file, claim: () => Promise.resolve(true) };
    }
  }

  /** Sends a history and returns the request as chat messages. */
  async sends(sent: readonly SentMessage[]) {
    return (await this.take(sent)).view.map(toChatMessage);
  }

  /** The records of all conversations. */
  get records(): readonly CompactionRecord[] {
    return this.files.flat().flatMap((event) => (event.type === 'compaction' ? [event.record] : []));
  }
}

/** Removes ids and times, which a client does not have. */
export function asSent(
  messages: readonly (SentMessage & { readonly id?: string })[],
): readonly SentMessage[] {
  return messages.map((message) => {
    const { id: _id, createdAt: _createdAt, ...sent } = message as SentMessage & Record<string, unknown>;
    return sent as unknown as SentMessage;
  });
}
