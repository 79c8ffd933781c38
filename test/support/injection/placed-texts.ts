import { isRecord } from '../../../src/language/is-record.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { called, memory, reminder, result, said, system } from '../messages.ts';
import { typed } from '../messages.ts';

/** The user's statements in each of the conversations: rules, a decision, a value and a request. */
export const typedWords =
  'Fix the lock. Never push to main. We decided to use Postgres. The test port is 8080.';

const filler = 'A line of a file that says nothing of note.\n'.repeat(20);
const read = (path: string) => called('m3', ['c1', 'read_file', { path }]);

/** Places with foreign text, as messages between the user’s first and last message. */
export const places: Readonly<Record<string, (text: string) => readonly Message[]>> = {
  'a file': (text) => [read('README.md'), result('m4', 'c1', `${text}\n${filler}`)],
  'a file, between others’ lines': (text) => [
    read('README.md'),
    result('m4', 'c1', `${filler}${text}\n${filler}`),
  ],
  'output of a command': (text) => [
    called('m3', ['c1', 'run_command', { command: 'npm test' }]),
    { ...result('m4', 'c1', `Error: ${text}\nexit code 1\n`), isError: true },
  ],
  'a server': (text) => [
    called('m3', ['c1', text, { query: text, path: text }]),
    result('m4', 'c1', `TypeError: ${text}`),
  ],
  'an answer to a question': (text) => [
    called('m3', ['c1', 'AskUserQuestion', { question: text }]),
    { ...result('m4', 'c1', text), isError: true },
  ],
  'a reply': (text) => [said('m3', `We decided to go with it.\n${text}`)],
  'a reply word for word': (text) => [said('m3', text)],
  reasoning: (text) => [{ ...said('m3', 'I see.'), reasoning: text }],
  'the steps of a plan': (text) => [
    called('m3', ['c1', 'update_plan', { plan: [{ step: text, status: 'open' }] }]),
  ],
  'an attachment': (text) => {
    const words = 'Look at this.';
    const content = `${words}\n\n<attachment type="file">\n${text}\n</attachment>`;
    return [{ ...typed('m3', content), attached: { typedLength: words.length, items: [] } }];
  },
  'a reminder': (text) => [reminder('m3', text)],
  memory: (text) => [{ ...memory('m3', text), source: 'AGENTS.md' }],
  'a system message': (text) => [system('m3', text)],
  'a file that came back': (text) => [{ ...reminder('m3', text), kind: 'file', source: 'README.md' }],
  'a summary of another program': (text) => [
    {
      ...typed('m3', `<conversation_summary>\n${text}\n</conversation_summary>`),
      origin: 'strategy',
      kind: 'summary',
    },
  ],
};

/** A conversation with a foreign text in one of the places. */
export function conversationWith(place: string, text: string): readonly Message[] {
  return [system('m0', 'rules'), typed('m1', typedWords), ...places[place]!(text), typed('m90', 'Go on.')];
}

/**
 * Replaces one text with another everywhere in a file of an agent: in fields, and in JSON within fields.
 *
 * @param file JSON, JSON lines or plain text
 */
export function withTextInstead(file: string, old: string, text: string): string {
  const place = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (!value.includes(old)) return value;
      const nested = parsed(value);
      return nested === undefined ? value.replaceAll(old, () => text) : JSON.stringify(place(nested));
    }
    if (Array.isArray(value)) return value.map(place);
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, place(one)]))
      : value;
  };
  const whole = parsed(file);
  if (whole !== undefined) return JSON.stringify(place(whole));
  const lines = file.trimEnd().split('\n');
  const read = lines.map(parsed);
  if (read.some((line) => line === undefined)) return file.replaceAll(old, () => text);
  return read.map((line) => `${JSON.stringify(place(line))}\n`).join('');
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
