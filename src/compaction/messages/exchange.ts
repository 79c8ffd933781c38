import { isBlank, isPrompt, type Message, type ToolCall } from './message.ts';
import { memoisedByList } from './memoise.ts';
import { toModel } from '../../language/sentence.ts';

/** A message, or an exchange: calls with all their results. Providers refuse a split exchange. */
export interface Block {
  readonly start: number;
  readonly end: number;
  readonly isExchange: boolean;
}

/** Shows which tool result belongs to which call. Indices are positions in the given messages. */
interface Pairing {
  /** Result index → index of the assistant message with the call. */
  readonly callerOf: ReadonlyMap<number, number>;
  readonly callOf: ReadonlyMap<number, ToolCall>;
  /** Assistant index → indices of its results, in their order. */
  readonly resultsOf: ReadonlyMap<number, readonly number[]>;
  /** Assistant index → its unanswered calls. */
  readonly unansweredOf: ReadonlyMap<number, readonly ToolCall[]>;
  readonly orphans: ReadonlySet<number>;
}

/** Pairs each result with the nearest earlier unanswered call of its id, because ids may be reused. */
export const pairCalls: (messages: readonly Message[]) => Pairing = memoisedByList((messages) => {
  const callerOf = new Map<number, number>();
  const callOf = new Map<number, ToolCall>();
  const resultsOf = new Map<number, number[]>();
  const orphans = new Set<number>();
  const open = new Map<number, ToolCall[]>();
  const waiting = new Map<string, number[]>();
  /** The newest message with calls, and how many of its calls were answered in order. Few are answered otherwise. */
  let newest: { readonly index: number; readonly calls: readonly ToolCall[] } | undefined;
  let inOrder = 0;
  const leaveOrder = (): void => {
    const left = newest?.calls.slice(inOrder) ?? [];
    if (newest === undefined || left.length === 0) return;
    open.set(newest.index, left);
    for (const { id } of left) {
      const callers = waiting.get(id);
      if (callers === undefined) waiting.set(id, [newest.index]);
      else callers.push(newest.index);
    }
    newest = undefined;
  };

  messages.forEach((message, index) => {
    if (message.role === 'assistant' && message.tool_calls !== undefined && message.tool_calls.length > 0) {
      leaveOrder();
      newest = { index, calls: message.tool_calls };
      inOrder = 0;
      resultsOf.set(index, []);
    } else if (message.role === 'tool') {
      const next = newest?.calls[inOrder];
      if (newest !== undefined && next !== undefined && next.id === message.tool_call_id) {
        inOrder++;
        callerOf.set(index, newest.index);
        callOf.set(index, next);
        resultsOf.get(newest.index)?.push(index);
        return;
      }
      leaveOrder();
      const callId = message.tool_call_id ?? '';
      const caller = waiting.get(callId)?.pop();
      if (caller === undefined) {
        orphans.add(index);
        return;
      }
      callerOf.set(index, caller);
      resultsOf.get(caller)?.push(index);
      const calls = open.get(caller) ?? [];
      const answered = calls.findIndex((call) => call.id === callId);
      for (const call of calls.splice(answered, 1)) callOf.set(index, call);
      if (calls.length === 0) open.delete(caller);
    }
  });
  leaveOrder();
  return { callerOf, callOf, resultsOf, unansweredOf: open, orphans };
});

export const interruptedResultText = toModel`No result: the call was interrupted. It is unknown whether it ran, in whole or in part. Look at what is there before you make it again.`;

/** Moves results after their calls, adds missing results, drops orphans and empty messages. Same array if unchanged. */
export function repairPairs(messages: readonly Message[]): readonly Message[] {
  if (isPaired(messages)) return messages;
  const { resultsOf, unansweredOf } = pairCalls(messages);
  const repaired: Message[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'tool') return;
    const results = resultsOf.get(index);
    if (results === undefined) {
      if (isBlank(message.content)) return;
      repaired.push(message.tool_calls === undefined ? message : withoutCalls(message));
      return;
    }
    repaired.push(message);
    for (const result of results) repaired.push(messages[result]!);
    for (const call of unansweredOf.get(index) ?? []) repaired.push(interruptedResult(message, call));
  });
  const unchanged =
    repaired.length === messages.length && repaired.every((message, index) => message === messages[index]);
  return unchanged ? messages : repaired;
}

/** True if no repair is needed. Almost nothing is allocated, because most messages are in order. */
function isPaired(messages: readonly Message[]): boolean {
  let unanswered = 0;
  for (const { role, content, tool_calls: calls } of messages) {
    if (role === 'tool') unanswered--;
    else if (calls === undefined ? isBlank(content) : role !== 'assistant' || calls.length === 0)
      return false;
    else unanswered += calls?.length ?? 0;
  }
  return unanswered === 0 && areBehindCalls(messages);
}

/** True if results follow only the messages with their calls. Calls may lack results. */
export function areBehindCalls(messages: readonly Message[]): boolean {
  let calls: readonly ToolCall[] = [];
  let answered = 0;
  for (const message of messages) {
    if (message.role !== 'tool') {
      calls = (message.role === 'assistant' && message.tool_calls) || [];
      answered = 0;
      continue;
    }
    const next = calls[answered];
    if (next !== undefined && next.id === message.tool_call_id) answered++;
    else {
      const open = calls.slice(answered);
      const place = open.findIndex(({ id }) => id === message.tool_call_id);
      if (place < 0) return false;
      calls = open.toSpliced(place, 1);
      answered = 0;
    }
  }
  return true;
}

/** Appends a message to repaired messages, without checking the other messages again. */
export function withMessage(repaired: readonly Message[], message: Message): readonly Message[] {
  if (message.role === 'tool') return withResult(repaired, message);
  const calls = message.tool_calls ?? [];
  if (calls.length > 0)
    return repaired.concat(message, ...calls.map((call) => interruptedResult(message, call)));
  if (isBlank(message.content)) return repaired;
  return repaired.concat(message.tool_calls === undefined ? message : withoutCalls(message));
}

/** Puts a result in place of the stand-in for the nearest call with its id, after the earlier results. */
function withResult(repaired: readonly Message[], result: Message): readonly Message[] {
  const isOpen = (message: Message) => standInCallers.has(message);
  const nearest = repaired.findLastIndex(
    (message) => isOpen(message) && message.tool_call_id === result.tool_call_id,
  );
  if (nearest < 0) return repaired;
  const exchange = repaired.findLastIndex(({ role }, index) => index < nearest && role !== 'tool');
  const isOfExchange = (index: number) => repaired[index]?.role === 'tool';
  let place = exchange + 1;
  while (isOfExchange(place) && !isOpen(repaired[place]!)) place++;
  // An assistant message can have several calls with one id. They are answered in order.
  let answered = place;
  while (repaired[answered]?.tool_call_id !== result.tool_call_id) answered++;
  const messages = [...repaired].copyWithin(place + 1, place, answered);
  messages[place] = result;
  return messages;
}

/** Splits repaired messages into blocks, in order and without gaps. */
export const blocksOf: (messages: readonly Message[]) => readonly Block[] = memoisedByList((messages) => {
  const blocks: Block[] = [];
  let start = 0;
  while (start < messages.length) {
    let end = start + 1;
    const isExchange = (messages[start]?.tool_calls?.length ?? 0) > 0;
    if (isExchange) while (messages[end]?.role === 'tool') end++;
    blocks.push({ start, end, isExchange });
    start = end;
  }
  return blocks;
});

/** Stand-ins made so far. A call always gets the same object, as if the stand-in were part of the history. */
const standIns = new WeakMap<ToolCall, Message>();
const standInCallers = new WeakMap<Message, string>();

export function callerOfStandIn(message: Message): string | undefined {
  return standInCallers.get(message);
}

/** Removes the stand-ins that `repairPairs` added, because the real results may still arrive. */
export function withoutStandIns(messages: readonly Message[]): readonly Message[] {
  return messages.some(isStandIn) ? messages.filter((message) => !isStandIn(message)) : messages;
}

function isStandIn(message: Message): boolean {
  // Checks the fields first, because they exclude most messages faster than the lookup.
  return message.role === 'tool' && message.origin === 'harness' && standInCallers.has(message);
}

export const resultsByCall = memoisedByList(
  (messages: readonly Message[]): ReadonlyMap<ToolCall, Message> =>
    new Map(Array.from(pairCalls(messages).callOf, ([result, call]) => [call, messages[result]!])),
);

export const callsByResult = memoisedByList(
  (messages: readonly Message[]): ReadonlyMap<string, ToolCall> =>
    new Map(Array.from(pairCalls(messages).callOf, ([result, call]) => [messages[result]!.id, call])),
);

function interruptedResult(caller: Message, call: ToolCall): Message {
  const known = standIns.get(call);
  if (known !== undefined) return known;
  const position = caller.tool_calls?.indexOf(call) ?? 0;
  const standIn: Message = {
    role: 'tool',
    tool_call_id: call.id,
    content: interruptedResultText,
    id: `${caller.id}.${position + 1}`,
    origin: 'harness',
    createdAt: caller.createdAt,
  };
  standIns.set(call, standIn);
  standInCallers.set(standIn, caller.id);
  return standIn;
}

function withoutCalls({ tool_calls: _empty, ...message }: Message): Message {
  return message;
}

/** Messages from one typed message up to the next. Messages before the first typed message form a separate turn. */
export interface Turn {
  readonly start: number;
  readonly end: number;
  readonly blocks: readonly Block[];
}

/** Splits messages into turns, in order and without gaps. */
export function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const asks = requestTest(messages);
  const turns: { start: number; end: number; blocks: Block[] }[] = [];
  for (const block of blocksOf(messages)) {
    const message = messages[block.start];
    const turn = turns.at(-1);
    if (turn === undefined || (message !== undefined && asks(message))) {
      turns.push({ start: block.start, end: block.end, blocks: [block] });
    } else {
      turn.end = block.end;
      turn.blocks.push(block);
    }
  }
  return turns;
}

/** Returns the test for requests: typed messages, or all user messages if none is known to be typed. */
export function requestTest(messages: readonly Message[]): (message: Message) => boolean {
  if (messages.some(isPrompt)) return isPrompt;
  return (message) => message.role === 'user' && message.kind === undefined;
}
