import { framingTokens } from '../../../src/compaction/tokens/usage.ts';
import type { ModelRequest, SentMessage } from './wires/wire.ts';

/** Tokens of a request by purpose. */
export interface RequestSizes {
  readonly tools: number;
  readonly system: number;
  readonly messages: number;
}

export type CountText = (text: string) => number;

/** Sizes of a request. They include the framing of each message. */
export function sizesOf({ tools, messages }: ModelRequest, count: CountText): RequestSizes {
  const sizeOf = (chosen: readonly SentMessage[]) =>
    chosen
      .flatMap(({ texts, calls }) => [...texts, ...calls.flatMap(({ name, input }) => [name, input])])
      .reduce((total, text) => total + count(text), chosen.length * framingTokens);
  return {
    tools: tools.length === 0 ? 0 : count(JSON.stringify(tools.map(({ declared }) => declared))),
    system: sizeOf(messages.filter(({ role }) => role === 'system')),
    messages: sizeOf(messages.filter(({ role }) => role !== 'system')),
  };
}

export function totalOf({ tools, system, messages }: RequestSizes): number {
  return tools + system + messages;
}
