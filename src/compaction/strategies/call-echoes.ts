import { callsByResult } from '../exchange.ts';
import { textOf, type Message } from '../message.ts';
import { parseRewritable } from '../rewritable-json.ts';
import { withText } from './text-clips.ts';
import type { Rewrite } from './working-view.ts';

/** Nesting below which a result is not searched. */
const deepest = 3;

/**
 * Takes the arguments of the call out of results that repeat them: they stand in the call. Some tools answer with a
 * JSON object that holds all they were told beside what they found.
 */
export function stripEchoes(
  view: readonly Message[],
  mayBeClipped: (message: Message) => boolean,
): readonly Rewrite[] {
  const calls = callsByResult(view);
  return view.flatMap((message): readonly Rewrite[] => {
    const call = calls.get(message.id);
    if (call === undefined || !mayBeClipped(message)) return [];
    const given = objectIn(call.function.arguments);
    const found = given === undefined ? undefined : objectIn(textOf(message.content));
    if (given === undefined || found === undefined || Object.keys(given).length === 0) return [];
    const text = JSON.stringify(withoutEcho(found, JSON.stringify(given), 0));
    if (text.length === JSON.stringify(found).length) return [];
    const content = withText(message.content, text);
    return [{ kind: 'clip', id: message.id, content, reason: 'repeats the arguments of its call' }];
  });
}

function withoutEcho(value: unknown, echo: string, depth: number): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > deepest) return value;
  const kept = Object.entries(value).filter(([, entry]) => !isEcho(entry, echo));
  return Object.fromEntries(kept.map(([key, entry]) => [key, withoutEcho(entry, echo, depth + 1)]));
}

function isEcho(value: unknown, echo: string): boolean {
  return value === echo || (typeof value === 'object' && value !== null && JSON.stringify(value) === echo);
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = text.startsWith('{') ? parseRewritable(text)?.value : undefined;
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}
