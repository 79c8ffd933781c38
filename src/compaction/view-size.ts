import type { Message, ToolSchema } from './message.ts';
import type { ViewSize } from './record.ts';
import { sum, type Usage, type UsageMeter } from './tokens/usage.ts';

/** A view with its tokens counted. */
export interface MeasuredView {
  /** Of each message. */
  readonly usages: readonly Usage[];
  /** Of the tool schemas that go with it. */
  readonly tools: Usage;
  readonly size: ViewSize;
}

export async function measureView(
  { view, tools: schemas }: { readonly view: readonly Message[]; readonly tools: readonly ToolSchema[] },
  meter: UsageMeter,
): Promise<MeasuredView> {
  const usages = await meter.measureEach(view);
  const tools = await meter.measureTools(schemas);
  return { usages, tools, size: sizeOf(view, [tools, ...usages]) };
}

/** @param usages of everything that goes with the messages, tool schemas among them */
export function sizeOf(messages: readonly Message[], usages: readonly Usage[]): ViewSize {
  const { total, byKind } = sum(usages);
  return { messages: messages.length, tokens: total, byKind };
}
