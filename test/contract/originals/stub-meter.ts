import { kindOf, kinds, type Kind, type Message } from '../../../src/compaction/messages/message.ts';
import { UsageMeter, type Usage } from '../../../src/compaction/tokens/usage.ts';

/** Counts like an original's test: a fixed size per message, and one per plain text. */
export class StubMeter extends UsageMeter {
  private readonly sizeOf: (message: Message) => number;

  constructor(countText: (text: string) => number, sizeOf: (message: Message) => number) {
    super({ count: (texts) => Promise.resolve(texts.map(countText)) }, { countsReasoning: false });
    this.sizeOf = sizeOf;
  }

  override measureEach(messages: readonly Message[]): Promise<readonly Usage[]> {
    return Promise.resolve(
      messages.map((message) => {
        const total = this.sizeOf(message);
        const nothing = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
        return { total, byKind: { ...nothing, [kindOf(message)]: total } };
      }),
    );
  }
}
