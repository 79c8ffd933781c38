import { isRecord } from '../language/is-record.ts';
import { embeddedImage, imageParts, imageUrl } from '../compaction/images/image-part.ts';
import {
  type ChatMessage,
  type Content,
  type ContentPart,
  contentParts,
  textOf,
} from '../compaction/messages/message.ts';
import { parseShallow } from '../compaction/text/parse-json.ts';
import { contentOfParts, picturePlaceholder } from '../transcripts/reading/content-parts.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { callOf } from '../transcripts/reading/transcript-format.ts';
import type { TurnForm } from './turns.ts';
import type { WireMessage } from './wire.ts';

/** Returns a field under its name, or under the name with underscores that the provider accepts, too. */
export function fieldIn(fields: Fields, name: string): unknown {
  return fields[name] ?? fields[name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)];
}

/** Returns the call in a part, or the result; undefined for other parts. */
export function calledInPart(part: Fields, name: 'functionCall' | 'functionResponse'): Fields | undefined {
  const called = fieldIn(part, name);
  return isRecord(called) ? called : undefined;
}

/**
 * Reads the parts of a reply.
 *
 * @param idOf the id of a call, which may have none in the body
 */
export function replyOfParts(parts: readonly Fields[], idOf: (call: Fields) => string): ChatMessage {
  const thoughts = parts.filter(({ thought }) => thought === true);
  const others = parts.filter(({ thought }) => thought !== true);
  const calls = others.flatMap((part): readonly Fields[] => {
    const call = calledInPart(part, 'functionCall');
    return call === undefined ? [] : [call];
  });
  const said = others.filter((part) => calledInPart(part, 'functionCall') === undefined);
  const content = contentOfGemini(joined(said));
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(thoughts.length > 0 && { reasoning_content: thoughts.map(({ text }) => wordIn(text)).join('') }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) =>
        callOf(idOf(call), wordIn(call['name']), JSON.stringify(call['args'] ?? {})),
      ),
    }),
  };
}

/** Joins neighbouring texts, because clients store a reply in the pieces in which it came. */
function joined(parts: readonly Fields[]): readonly Fields[] {
  const whole: { texts?: string[]; part?: Fields }[] = [];
  for (const part of parts) {
    const { text } = part;
    const last = whole.at(-1)?.texts;
    if (typeof text !== 'string') whole.push({ part });
    else if (last === undefined) whole.push({ texts: [text] });
    else last.push(text);
  }
  return whole.map(({ texts = [], part }) => part ?? { text: texts.join('') });
}

/** Reads parts. Those of an unknown type count as text. */
export function contentOfGemini(parts: readonly Fields[]): Content {
  return contentOfParts(parts.flatMap(partsOf)) ?? '';
}

function partsOf(part: Fields): readonly ContentPart[] {
  // The model reads its own signatures, whose tokens are unknown.
  const { text, thoughtSignature: _signature, thought_signature: _other, ...read } = part;
  if (typeof text === 'string') return text === '' ? [] : [{ type: 'text', text }];
  if (Object.keys(read).length === 0) return [];
  const data = fieldsOf(fieldIn(part, 'inlineData'));
  const file = fieldsOf(fieldIn(part, 'fileData'));
  const [type, uri] = [wordIn(fieldIn({ ...file, ...data }, 'mimeType')), wordIn(fieldIn(file, 'fileUri'))];
  if (typeof data['data'] !== 'string' && uri === '') return [{ type: 'text', text: JSON.stringify(read) }];
  if (!type.startsWith('image/')) return [{ type: 'text', text: `[${uri || type}]` }];
  return [{ type: 'image_url', image_url: { url: uri || `data:${type};base64,${wordIn(data['data'])}` } }];
}

/** Reads the result of a call: its text, or its only field that is a text, or all fields as JSON. */
export function resultOf(response: Fields): { readonly content: Content; readonly isError: boolean } {
  const fields = fieldsOf(response['response']);
  const names = Object.keys(fields);
  const [name = ''] = names;
  const only = names.length === 1 ? fields[name] : undefined;
  const text = typeof only === 'string' ? only : names.length === 0 ? '' : JSON.stringify(fields);
  const media = recordsIn(response['parts']);
  const content = media.length === 0 ? text : contentOfGemini([{ text }, ...media]);
  return { content, isError: names.includes('error') };
}

function writtenParts(content: Content): readonly Fields[] {
  return contentParts(content).flatMap((part): readonly Fields[] => {
    const image = embeddedImage(part);
    if (image !== undefined) return [{ inlineData: { mimeType: image.type, data: image.base64 } }];
    const url = imageUrl(part) ?? '';
    if (url !== '') return [{ fileData: { mimeType: 'image/*', fileUri: url } }];
    const text = part.text ?? picturePlaceholder;
    return text === '' ? [] : [{ text }];
  });
}

/** Writes system messages that are not from the body. */
export function systemParts({ content }: ChatMessage): readonly Fields[] {
  return writtenParts(textOf(content));
}

/**
 * The form of Gemini's contents.
 *
 * @param sent the messages of the body, for the signatures of calls
 * @param names call id → name of the tool
 */
export function geminiForm(sent: readonly WireMessage[], names: ReadonlyMap<string, string>): TurnForm {
  const parts = new Map<string, Fields>();
  for (const { chat, raw } of sent) {
    const calls = raw.filter(isRecord).filter((part) => calledInPart(part, 'functionCall') !== undefined);
    for (const [at, { id }] of (chat.tool_calls ?? []).entries()) parts.set(id, calls[at] ?? {});
  }
  const idOf = (id: string): Fields => {
    const known = parts.get(id);
    const given = known === undefined ? id : calledInPart(known, 'functionCall')?.['id'];
    return given === undefined ? {} : { id: given };
  };
  return {
    roleOf: ({ role }) => (role === 'model' ? 'assistant' : 'user'),
    blocksOf: (turn) => recordsIn(turn['parts']),
    write({ chat, isError }) {
      const { role, content, tool_call_id: answers = '', tool_calls: calls = [] } = chat;
      if (role === 'tool') {
        const response = { [isError === true ? 'error' : 'output']: textOf(content) };
        const name = names.get(answers) ?? '';
        return [
          { functionResponse: { ...idOf(answers), name, response } },
          ...writtenParts(imageParts(content)),
        ];
      }
      return [
        ...writtenParts(content),
        ...calls.map(({ id, function: { name, arguments: text } }) => {
          const args = parseShallow(text)?.value;
          const input = isRecord(args) ? args : { arguments: text };
          const { functionCall: _call, function_call: _other, ...signed } = parts.get(id) ?? {};
          return { ...signed, functionCall: { ...idOf(id), name, args: input } };
        }),
      ];
    },
    turn: (role, blocks, turn) => ({
      role: role === 'assistant' ? 'model' : 'user',
      ...turn,
      parts: blocks,
    }),
    text: (text) => ({ text }),
    // Calls often have no ids. Calls of one tool are answered in their order.
    callKey: (part) => nameIn(calledInPart(part, 'functionCall')),
    resultKey: (part) => nameIn(calledInPart(part, 'functionResponse')),
    resultOf: (part, output) => {
      const { id, name } = calledInPart(part, 'functionCall') ?? {};
      return { functionResponse: { ...(id !== undefined && { id }), name, response: { output } } };
    },
    textOfResult: (part) => textOf(resultOf(calledInPart(part, 'functionResponse') ?? {}).content),
    isFirst: () => false,
  };
}

function nameIn(called: Fields | undefined): string | undefined {
  return called === undefined ? undefined : wordIn(called['name']);
}
