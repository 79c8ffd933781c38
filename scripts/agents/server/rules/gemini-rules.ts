import { type Fields, fieldsOf, recordsIn, stringIn } from '../wires/wire.ts';
import { isBlank, type Rules, signatureOf } from './rules.ts';

/** The rules for histories of Google's `generateContent`. */
export const geminiRules: Rules = {
  objection({ contents }) {
    const sent = recordsIn(contents).map(({ role, parts }) => ({
      role: stringIn(role),
      parts: recordsIn(parts),
    }));
    if (sent.length === 0) return 'contents is not specified';
    for (const [index, { role, parts }] of sent.entries()) {
      const place = `contents[${index}]`;
      if (role !== 'user' && role !== 'model') return `${place}: please use a valid role: user, model`;
      if (parts.length === 0) return `${place}.parts must not be empty`;
      if (parts.some((part) => isBlank(part['text']) && Object.keys(part).every((name) => name === 'text')))
        return `${place}.parts: required oneof field “data” must have one initialized field`;
      const before = sent[index - 1];
      const calls = count(before?.role === 'model' ? before.parts : [], 'functionCall');
      const responses = count(parts, 'functionResponse');
      // Gemini CLI repeats responses in sessions that it resumes.
      if (responses < calls || (responses > 0 && calls === 0))
        return `${place}: ${responses} function response parts follow ${calls} function call parts`;
      if (count(parts, 'functionCall') > 0 && before?.role !== 'user')
        return `${place}: a function call turn must come right after a user turn or a function response turn`;
      const forged = parts.find((part) => !isGenuine(part));
      if (forged !== undefined) return `${place}: thought signature is not valid`;
    }
    const last = sent.at(-1);
    return last?.role === 'model' && count(last.parts, 'functionCall') > 0
      ? 'a function call turn has no function response turn'
      : undefined;
  },
  refusal: (message): Fields => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
};

function count(parts: readonly Fields[], kind: string): number {
  return parts.filter((part) => part[kind] !== undefined).length;
}

/** True if a call has the signature that the server gave it, or none. */
function isGenuine({ functionCall, thoughtSignature }: Fields): boolean {
  if (typeof thoughtSignature !== 'string' || functionCall === undefined) return true;
  // Some clients put a fixed text in place of a missing signature, which the endpoint accepts.
  if (!thoughtSignature.startsWith('sig_')) return true;
  return thoughtSignature === signatureOf(stringIn(fieldsOf(functionCall)['name']));
}
