import type { Sentence } from '../../language/sentence.ts';
import { acceptanceSentences } from '../../language/english/acceptance-english.ts';
import {
  type Content,
  type ContentPart,
  isBlank,
  type Message,
  contentParts,
  textOf,
  type ToolCall,
  withContent,
} from '../messages/message.ts';
import { cutOf } from '../text/known-cuts.ts';
import type { Fate } from './record.ts';
import { isDeepEqual } from './deep-equal.ts';
import { areShorterArguments, hasNote, isShorterCut, isShorterForm } from '../text/shorter-form.ts';

/** Finds an objection to a change of a message that stays. Only placeholders and shorter forms are permitted. */
export function objectionToChange(before: Message, after: Message, kind: Fate): Sentence | undefined {
  const { id } = before;
  if (!isDeepEqual(withContent(before, after.content), after, changeable) || after.original !== undefined) {
    return acceptanceSentences.say('changesMoreThanText', { id });
  }
  if (after.truncation?.fate !== kind && !isDeepEqual(after.truncation, before.truncation)) {
    return acceptanceSentences.say('wrongTruncation', { id });
  }
  if (kind === 'hide' || kind === 'offload') {
    return objectionToPlaceholder(before, after) ?? objectionToCalls(before, after, isDeepEqual);
  }
  return (
    objectionToContent(before, after) ??
    objectionToCalls(before, after, ({ function: was }, { function: is }) =>
      areShorterArguments(was.arguments, is.arguments),
    )
  );
}

/** True if a plan may insert the message: a marked summary, note or file in the user role. */
export function isPermittedOutput({ role, content, id, createdAt, ...rest }: Message): boolean {
  return (
    role === 'user' &&
    typeof content === 'string' &&
    id !== '' &&
    typeof createdAt === 'string' &&
    (isSummaryEnvelope(rest) || isFileEnvelope(rest))
  );
}

type OutputEnvelope = Omit<Message, 'role' | 'content' | 'id' | 'createdAt'>;

function isSummaryEnvelope({ origin, kind, opaque: _opaque, carried: _carried, ...others }: OutputEnvelope) {
  return origin === 'strategy' && kind === 'summary' && Object.keys(others).length === 0;
}

function isFileEnvelope({ origin, kind, source, original, ...others }: OutputEnvelope): boolean {
  return (
    origin === 'harness' &&
    kind === 'file' &&
    typeof source === 'string' &&
    (original === undefined || typeof original === 'string') &&
    Object.keys(others).length === 0
  );
}

const changeable: ReadonlySet<string> = new Set<keyof Message>([
  'content',
  'tool_calls',
  'truncation',
  'original',
]);

function objectionToPlaceholder(before: Message, { content }: Message): Sentence | undefined {
  const { id } = before;
  if (isBlank(before.content)) return acceptanceSentences.say('noTextToReplace', { id });
  if (typeof content !== 'string') return otherType(id);
  return isBlank(content) ? acceptanceSentences.say('placeholderIsEmpty', { id }) : undefined;
}

function objectionToContent({ id, content: was, original }: Message, after: Message): Sentence | undefined {
  const is = after.content;
  if (isDeepEqual(was, is)) return undefined;
  if (isBlank(was)) return acceptanceSentences.say('noTextToClip', { id });
  const cut = cutOf(after);
  if (cut?.whole === was && isShorterCut(cut)) return undefined;
  if (is === null || (typeof was === 'string' && typeof is !== 'string')) return otherType(id);
  const parts = typeof was === 'string' ? undefined : objectionToParts(id, was, is);
  if (parts !== undefined) return parts;
  const [text, shorter] = [textOf(was), textOf(is)];
  if (isShorterForm(text, shorter)) return undefined;
  return original !== undefined && isShorterForm(original, shorter)
    ? undefined
    : acceptanceSentences.say('notAShorterForm', { id });
}

/** Finds an objection to changed parts. Images and other parts stay unchanged, or a note replaces them. */
function objectionToParts(id: string, was: Content, is: Content): Sentence | undefined {
  const [before, after] = [contentParts(was), contentParts(is)];
  const [textsBefore, textsAfter] = [before.filter(isText), after.filter(isText)];
  const known = new Set([JSON.stringify({ type: 'text' }), ...textsBefore.map(withoutText)]);
  if (!textsAfter.every((part) => known.has(withoutText(part)))) return otherType(id);
  const isOther = (part: ContentPart) => !isText(part);
  const [others, left] = [before.filter(isOther), after.filter(isOther)];
  let next = 0;
  for (const part of others) if (next < left.length && isDeepEqual(part, left[next])) next++;
  if (next < left.length) return otherType(id);
  if (left.length === others.length || hasNote(textOf(is))) return undefined;
  return acceptanceSentences.say('partWithoutNote', { id });
}

const called: ReadonlySet<string> = new Set<keyof ToolCall>(['function']);
const given: ReadonlySet<string> = new Set<keyof ToolCall['function']>(['arguments']);

function objectionToCalls(
  before: Message,
  after: Message,
  mayBecome: (was: ToolCall, is: ToolCall) => boolean,
): Sentence | undefined {
  const [calls, shorter] = [before.tool_calls ?? [], after.tool_calls ?? []];
  const { id } = before;
  if (calls.length !== shorter.length) return acceptanceSentences.say('otherCalls', { id });
  for (const [index, was] of calls.entries()) {
    const is = shorter[index];
    if (is === undefined || is === was) continue;
    const isOfSame = isDeepEqual(was, is, called) && isDeepEqual(was.function, is.function, given);
    if (!isOfSame) return acceptanceSentences.say('otherCalls', { id });
    if (!mayBecome(was, is)) {
      return acceptanceSentences.say('argumentsSayOther', { id });
    }
  }
  return undefined;
}

function otherType(id: string): Sentence {
  return acceptanceSentences.say('contentOfAnotherType', { id });
}

function isText(part: ContentPart): boolean {
  return part.text !== undefined;
}

function withoutText({ text: _text, ...rest }: ContentPart): string {
  return JSON.stringify(rest);
}
