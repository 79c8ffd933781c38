import { isRecord } from '../language/is-record.ts';
import type { Fields } from '../transcripts/reading/fields.ts';
import type { WireMessage } from './wire.ts';

/** Roles of turns, in the words of chat completions. `system` stands for a system message between two turns. */
type TurnRole = 'user' | 'assistant' | 'system';

/** Form of the turns of a protocol: messages with a list of blocks. Results are a part of the user's turn. */
export interface TurnForm {
  roleOf(turn: Fields): TurnRole;
  /** The blocks of a turn. A text is a block, too. */
  blocksOf(turn: Fields): readonly Fields[];
  /** Writes a message that is not from the body. Empty texts are left out. */
  write(message: WireMessage): readonly Fields[];
  /** @param sent the turn of the body whose blocks these are, without those that are gone */
  turn(role: TurnRole, blocks: readonly Fields[], sent: Fields | undefined): Fields;
  text(text: string): Fields;
  /** The key under which a call waits for its result; undefined for other blocks. */
  callKey(block: Fields): string | undefined;
  /** The key of the call that a result answers; undefined for other blocks. */
  resultKey(block: Fields): string | undefined;
  /** A result in place of one that is missing. */
  resultOf(call: Fields, text: string): Fields;
  /** The text of a result without a call. */
  textOfResult(result: Fields): string;
  /** True for a block that is in front of all others in a reply. */
  isFirst(block: Fields): boolean;
}

/** Texts that the model reads in place of what a history lacks. */
const missingTexts = {
  result: '[The result of this call was left out.]',
  beginning: '[The beginning of this conversation was left out.]',
};

interface Draft {
  readonly role: TurnRole;
  readonly blocks: Fields[];
  /** Position in the body of the only turn that the blocks are from. */
  from: number | undefined;
  /** Position in the body of the turn that the last block is from. */
  last: number | undefined;
}

/** True if a message's raw part is a whole turn of the body, not one of its blocks. */
export function isTurn(raw: unknown): raw is Fields {
  return isRecord(raw) && typeof raw['role'] === 'string';
}

/**
 * Writes messages as turns. Turns of the body whose blocks are all there are the same objects; a history without a
 * change is the same list.
 *
 * @param sent turns of the body
 */
export function writtenTurns(
  messages: readonly WireMessage[],
  sent: readonly Fields[],
  form: TurnForm,
): readonly Fields[] {
  const drafts = draftsOf(messages, sent, form);
  const wholes = drafts.map(({ from, blocks }) => {
    const turn = from === undefined ? undefined : sent[from];
    return turn !== undefined && form.blocksOf(turn).length === blocks.length ? turn : undefined;
  });
  if (wholes.length === sent.length && wholes.every((turn, at) => turn === sent[at])) return sent;
  const turns = drafts.map(({ role, blocks, from }, at): Fields => {
    const ordered = blocks.toSorted((one, other) => rankOf(one, form) - rankOf(other, form));
    return wholes[at] ?? form.turn(role, ordered, from === undefined ? undefined : sent[from]);
  });
  const [first] = turns;
  const isCut = first !== undefined && first !== sent[0] && form.roleOf(first) === 'assistant';
  const opening = isCut ? [form.turn('user', [form.text(missingTexts.beginning)], undefined)] : [];
  return answered([...opening, ...turns], form);
}

function draftsOf(
  messages: readonly WireMessage[],
  sent: readonly Fields[],
  form: TurnForm,
): readonly Draft[] {
  const owners = new Map<unknown, number>();
  for (const [at, turn] of sent.entries()) {
    owners.set(turn, at);
    for (const block of form.blocksOf(turn)) owners.set(block, at);
  }
  const drafts: Draft[] = [];
  for (const message of messages) {
    const [first] = message.raw;
    const role = isTurn(first)
      ? form.roleOf(first)
      : message.chat.role === 'assistant'
        ? 'assistant'
        : 'user';
    const blocks = blocksOf(message, form);
    const from = owners.get(first);
    const last = drafts.at(-1);
    // Two turns of the client stay two turns.
    const isNext = last?.last !== undefined && from === last.last + 1;
    if (blocks.length === 0 && from === undefined) continue;
    if (last?.role === role && !isNext) {
      // One by one, because a list can be too long for the arguments of a call.
      for (const block of blocks) last.blocks.push(block);
      if (last.from !== from) last.from = undefined;
      last.last = from;
    } else drafts.push({ role, blocks: [...blocks], from, last: from });
  }
  return drafts;
}

function blocksOf(message: WireMessage, form: TurnForm): readonly Fields[] {
  const [first] = message.raw;
  if (first === undefined) return form.write(message);
  return isTurn(first) ? form.blocksOf(first) : message.raw.filter(isRecord);
}

/** Order of blocks in a turn that was joined or cut: what protocols want in front comes first. */
function rankOf(block: Fields, form: TurnForm): number {
  return form.isFirst(block) || form.resultKey(block) !== undefined ? 0 : 1;
}

/** Gives every call a result in the next turn, and makes texts of results without a call. */
function answered(turns: readonly Fields[], form: TurnForm): readonly Fields[] {
  const written: Fields[] = [];
  let open: readonly Fields[] = [];
  const close = () => {
    if (open.length > 0) written.push(form.turn('user', missingResults(open, form), undefined));
  };
  for (const turn of turns) {
    const role = form.roleOf(turn);
    if (role === 'user') {
      written.push(answering(turn, open, form));
      open = [];
    } else if (role === 'assistant') {
      close();
      written.push(turn);
      open = form.blocksOf(turn).filter((block) => form.callKey(block) !== undefined);
    } else written.push(turn);
  }
  close();
  return written;
}

function missingResults(calls: readonly Fields[], form: TurnForm): readonly Fields[] {
  return calls.map((call) => form.resultOf(call, missingTexts.result));
}

function answering(turn: Fields, calls: readonly Fields[], form: TurnForm): Fields {
  const waiting = new Map<string, Fields[]>();
  for (const call of calls.toReversed()) {
    const key = form.callKey(call) ?? '';
    const same = waiting.get(key);
    if (same === undefined) waiting.set(key, [call]);
    else same.push(call);
  }
  const results: Fields[] = [];
  const others: Fields[] = [];
  let isChanged = false;
  for (const block of form.blocksOf(turn)) {
    const key = form.resultKey(block);
    if (key === undefined) others.push(block);
    else if (waiting.get(key)?.pop() !== undefined) results.push(block);
    else {
      isChanged = true;
      const text = form.textOfResult(block);
      if (/\S/u.test(text)) others.push(form.text(text));
    }
  }
  const missing = missingResults([...waiting.values()].flat(), form);
  if (!isChanged && missing.length === 0) return turn;
  return form.turn('user', [...results, ...missing, ...others], turn);
}
