import { randomUUID } from 'node:crypto';
import type { ToolCall } from '../../compaction/message.ts';
import type { ToolCallDelta } from './chunk.ts';
import { callExtra } from './returned-reasoning.ts';

interface OpenCall {
  readonly index: number | undefined;
  id: string | undefined;
  name: string;
  arguments: string;
  extra: unknown;
}

/**
 * Puts tool calls together from the pieces of a stream. Servers leave out indices, send ids once or anew with
 * every piece, number parallel calls alike and repeat names, so a piece is matched by whatever it carries.
 */
export class ToolCallAssembly {
  private readonly calls: OpenCall[] = [];

  get isEmpty(): boolean {
    return this.calls.length === 0;
  }

  add(delta: ToolCallDelta): void {
    const call = this.callFor(delta);
    if (call === undefined) {
      const { index, id, name = '', arguments: written, extra } = delta;
      this.calls.push({ index, id, name, arguments: written, extra });
      return;
    }
    call.id ??= delta.id;
    call.name = joinName(call.name, delta.name);
    call.arguments += delta.arguments;
    call.extra ??= delta.extra;
  }

  /** The calls in the order they began. A call without a name cannot be carried out and is left out. */
  finish(): readonly ToolCall[] {
    return this.calls
      .filter((call) => call.name !== '')
      .map((call) => ({
        id: (call.id ??= `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`),
        type: 'function',
        function: { name: call.name, arguments: call.arguments.trim() === '' ? '{}' : call.arguments },
      }));
  }

  /** What the provider wants back with each of the finished calls. */
  extras(): readonly unknown[] {
    return this.calls.flatMap(({ id, extra }) =>
      id === undefined || extra === undefined ? [] : [callExtra(id, extra)],
    );
  }

  /** The call that a piece belongs to; undefined where it begins a new one. */
  private callFor(delta: ToolCallDelta): OpenCall | undefined {
    const sameId = delta.id === undefined ? undefined : this.calls.findLast((call) => call.id === delta.id);
    if (sameId !== undefined) return sameId;
    const { index, name } = delta;
    const candidate =
      index === undefined ? this.calls.at(-1) : this.calls.findLast((call) => call.index === index);
    if (candidate === undefined || name === undefined) return candidate;
    // With a name it begins a call, or repeats the name of an open one, or is the next part of that name.
    const hasOtherId = delta.id !== undefined && candidate.id !== undefined;
    if (hasOtherId) return undefined;
    if (candidate.name === name) return canGrow(candidate, delta) ? candidate : undefined;
    const isNamePart = index !== undefined && candidate.arguments === '';
    return isNamePart ? candidate : undefined;
  }
}

/** Arguments that are whole take nothing more: the same name again is then the next call of the same tool. */
function canGrow(call: OpenCall, delta: ToolCallDelta): boolean {
  return delta.arguments === '' || !isComplete(call.arguments);
}

function joinName(known: string, more: string | undefined): string {
  if (more === undefined || more === known) return known;
  return more.startsWith(known) ? more : known + more;
}

function isComplete(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
