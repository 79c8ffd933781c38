import { randomUUID } from 'node:crypto';
import type { ToolCall } from '../../compaction/messages/message.ts';
import { withOwnIds } from '../model/chat-model.ts';
import { checkReply } from './reply-limits.ts';
import { callExtra } from './returned-reasoning.ts';
import type { ToolCallDelta } from './stream-events.ts';

interface OpenCall {
  readonly index: number | undefined;
  id: string | undefined;
  name: string;
  arguments: string;
  readonly end: JsonEnd;
  extra: unknown;
}

/**
 * Assembles tool calls from a stream. Servers omit indices and repeat ids and names, so a piece is matched by
 * its index, then by its id, then by its name.
 */
export class ToolCallAssembly {
  private readonly calls: OpenCall[] = [];
  /** The last call by index, by id, and by both. */
  private readonly byIndex = new Map<number, OpenCall>();
  private readonly byId = new Map<string, OpenCall>();
  private readonly byBoth = new Map<string, OpenCall>();
  private argumentsLength = 0;

  get isEmpty(): boolean {
    return this.calls.length === 0;
  }

  /** @throws {ReplyLimitError} if the number or the length of calls exceeds a limit */
  add(delta: ToolCallDelta): void {
    const call = this.callFor(delta) ?? this.begin(delta);
    this.argumentsLength += delta.arguments.length;
    checkReply('arguments', this.argumentsLength);
    if (isRepetition(call, delta)) return;
    call.id ??= delta.id;
    call.name = joinName(call.name, delta.name);
    call.arguments += delta.arguments;
    call.end.add(delta.arguments);
    call.extra ??= delta.extra;
    this.note(call);
    checkReply('name', Math.max(call.name.length, call.id?.length ?? 0));
    checkReply('argumentsOfCall', call.arguments.length);
  }

  /** Returns the calls in order, each with a unique id. Omits calls without a name, which cannot be run. */
  finish(): readonly ToolCall[] {
    const named = this.calls.filter(({ name }) => name !== '');
    const calls = named.map(({ id = '', name, arguments: written }): ToolCall => ({
      id,
      type: 'function',
      function: { name, arguments: written.trim() === '' ? '{}' : written },
    }));
    const finished = withOwnIds(calls, () => `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`);
    for (const [position, call] of named.entries()) call.id = finished[position]?.id;
    return finished;
  }

  /** Returns the data that must be sent back to the provider with each finished call. */
  extras(): readonly unknown[] {
    return this.calls.flatMap(({ id, extra }) =>
      id === undefined || extra === undefined ? [] : [callExtra(id, extra)],
    );
  }

  private begin({ index, id }: ToolCallDelta): OpenCall {
    const call: OpenCall = { index, id, name: '', arguments: '', end: new JsonEnd(), extra: undefined };
    this.calls.push(call);
    checkReply('calls', this.calls.length);
    return call;
  }

  private note(call: OpenCall): void {
    const { index, id } = call;
    if (index !== undefined) this.byIndex.set(index, call);
    if (id !== undefined) this.byId.set(id, call);
    if (index !== undefined && id !== undefined) this.byBoth.set(`${index} ${id}`, call);
  }

  /** Finds the call that a piece continues; undefined if it begins a new call. */
  private callFor(delta: ToolCallDelta): OpenCall | undefined {
    const known = this.callWithId(delta);
    if (known !== undefined) return goesOn(known, delta) ? known : undefined;
    const { index, id, name } = delta;
    const candidate = index === undefined ? this.calls.at(-1) : this.byIndex.get(index);
    if (candidate === undefined || name === undefined) return candidate;
    const hasOtherId = id !== undefined && candidate.id !== undefined;
    return !hasOtherId && goesOn(candidate, delta) ? candidate : undefined;
  }

  /** Finds the call with the id of a piece. A call with the same id but another index is a different call. */
  private callWithId({ index, id, name }: ToolCallDelta): OpenCall | undefined {
    if (id === undefined) return undefined;
    if (index === undefined) return this.byId.get(id);
    const here = this.byBoth.get(`${index} ${id}`);
    if (here !== undefined) return here;
    const elsewhere = this.byId.get(id);
    return elsewhere?.index === undefined || name === undefined ? elsewhere : undefined;
  }
}

/** True if a piece continues a call: the piece has no name, or repeats or continues the name of the call. */
function goesOn(call: OpenCall, delta: ToolCallDelta): boolean {
  const { index, id, name } = delta;
  if (name === undefined || isRepetition(call, delta)) return true;
  // If the arguments are complete, the same name begins another call of the tool.
  if (name === call.name) return delta.arguments === '' || !call.end.isReached;
  return call.arguments === '' && (index !== undefined || (id !== undefined && id === call.id));
}

/** True for a repetition of the whole call, which some servers send at the end. */
function isRepetition(call: OpenCall, { id, index, name, arguments: written }: ToolCallDelta): boolean {
  return (
    id !== undefined &&
    id === call.id &&
    index === call.index &&
    name === call.name &&
    call.end.isReached &&
    written === call.arguments
  );
}

function joinName(known: string, more: string | undefined): string {
  if (more === undefined || more === known) return known;
  return more.startsWith(known) ? more : known + more;
}

/** Finds the end of a JSON value that arrives in pieces. Reads each character once. */
class JsonEnd {
  private depth = 0;
  private hasBegun = false;
  private isInText = false;
  private isEscaped = false;
  isReached = false;

  add(piece: string): void {
    for (const character of piece) {
      if (this.isInText) this.addToText(character);
      else if (character === '"') this.isInText = true;
      else if (character === '{' || character === '[') this.depth += 1;
      else if (character === '}' || character === ']') this.depth -= 1;
      else continue;
      this.hasBegun = true;
    }
    this.isReached = this.hasBegun && this.depth <= 0 && !this.isInText;
  }

  private addToText(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (character === '\\') this.isEscaped = true;
    else if (character === '"') this.isInText = false;
  }
}
