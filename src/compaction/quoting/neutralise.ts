import type { TagSuffix } from './session-tags.ts';

const open = '‹';
const close = '›';

const lessThan = '(?:<|&lt;|&#0{0,4}60;|&#x0{0,4}3c;)';
const greaterThan = '(?:>|&gt;|&#0{0,4}62;|&#x0{0,4}3e;)';

/** Names between `<|` and `|>` in any template: ChatML, Llama 3, Phi, Harmony, DeepSeek, Qwen, GLM, Command. */
const special = `${lessThan}\\s{0,3}\\|{1,2}[ \\t]{0,3}[\\p{L}\\p{N}/][\\p{L}\\p{N}_/:. -]{0,60}[ \\t]{0,3}(?:\\|{1,2}\\s{0,3}${greaterThan}|(?=\\n|$))`;
const bracketed =
  '\\[\\s{0,3}/?\\s{0,3}(?:inst|sys|system_prompt|available_tools|tool_calls|tool_results|tool_content|model_settings|think|gmask|cls|sep)\\s{0,3}\\]';
const doubled = `${lessThan}{2}\\s{0,3}/?\\s{0,3}sys\\s{0,3}${greaterThan}{2}`;

const speakers =
  'human|assistant|user|system|developer|person|tool|ai|model|chatbot|instructions?|response|人类|用户|助手|系统';
/** The pattern begins with the speaker's name, so that few positions are tried twice. */
const prefixed = `(?:${speakers})(?<=^[ \\t>*_#|-]{0,12}(?:${speakers}))(?:[ \\t]{0,2}\\([^)\\n]{0,20}\\))?[*_]{0,2}[ \\t]{0,3}:`;

const role =
  'system|user|assistant|human|developer|tool|function|person|model|harness|program|operator|ai|gpt|ipython';
const fieldNames = 'role|from|speaker|author|sender';
/** `"role": "system"` and similar fields, also escaped in JSON within JSON. */
const field = `\\b(?:${fieldNames})(?:\\\\{0,4}["'\`])?\\s{0,8}[:=]\\s{0,8}\\\\{0,4}["'\`](?:${role})\\\\{0,4}["'\`]`;

const tagNames = [
  role,
  'system[_-](?:prompt|message|reminder|instructions?)|user[_-](?:message|query|input|request)|assistant[_-]message|developer[_-]message',
  'role|message|messages|turn|start_of_turn|end_of_turn|bos|eos|pad|unk|s|im_start|im_end|eot_id|endoftext',
  'instructions?|important|function_(?:calls?|results?)|antml:[a-z_]{1,30}|invoke|tool_(?:calls?|use|results?|response|output)',
  'conversation_summary|conversation|earlier_summary|summary|ledger|facts?|compressed_facts|concept|passage|state_snapshot|discussion|current_plan|scratchpad|draft|missing',
  'attachment|memory|skills?|imported|result|call|notes|think|thinking|analysis',
].join('|');
const tagName = `(?:${tagNames})(?:[_-][a-z0-9]{1,24})?(?![\\p{L}\\p{N}_-])`;
const tag = `(?<opening>${lessThan}\\s{0,3}/?\\s{0,3}${tagName})(?:\\s[^<>\\n]{0,300})?(?<closing>\\s{0,3}/?\\s{0,3}${greaterThan})?`;

/** Reads lower-case text: ignoring the case of every letter of Unicode would triple the time of the first use. */
const markers = new RegExp([special, doubled, bracketed, prefixed, field, tag].join('|'), 'gmu');
/** `Promise<Message>` is a type. A capitalised name directly after a word is not a tag. */
const type = /[\p{L}\p{N}_$]<\p{Lu}\p{Ll}/uy;
/** Matches in every text with a marker, and in few others. */
const sign = new RegExp(
  `${lessThan}\\s{0,3}(?:\\||/?\\s{0,3}[a-z])|${bracketed}|(?<![a-z])(?:${speakers}|${fieldNames})[\\s(*_:=\\\\"'\`]`,
  'u',
);

/** Makes template markers, our delimiters and the session's tag suffix harmless but readable: `‹User:›`. */
export function neutralise(text: string, tagSuffix?: TagSuffix): string {
  return replaceMarkers(text, tagSuffix, false);
}

/** Cleans text whose `<` and `>` are escaped later. Tags in plain brackets are left to that step. */
export function neutraliseEscaped(text: string, tagSuffix?: TagSuffix): string {
  return replaceMarkers(text, tagSuffix, true);
}

/** Rewrites headings that are reserved for the program's own facts in a model's text. */
export function withoutHeadings(text: string, titles: readonly string[]): string {
  const named = titles.map((title) => title.toLowerCase());
  return text
    .split('\n')
    .map((line) => {
      const heading = /^\s{0,8}#{1,6}\s{0,8}(.{1,120})$/u.exec(foldText(line).text)?.[1]?.toLowerCase() ?? '';
      // eslint-disable-next-line regexp/no-super-linear-move -- a heading has 120 characters at most
      return named.some((title) => heading.replace(/[^\p{L}\p{N}]+$|\s*[([:—-].*$/u, '').trim() === title)
        ? `${open}${line.trim()}${close}`
        : line;
    })
    .join('\n');
}

function replaceMarkers(text: string, tagSuffix: TagSuffix | undefined, isEscaped: boolean): string {
  const folded = foldText(text);
  const lower = folded.text.toLowerCase();
  const pieces: Piece[] = [];
  const replace = (start: number, end: number, written = visible(folded.text.slice(start, end), tagSuffix)) =>
    pieces.push({ place: folded.place(start, end), written });
  if (tagSuffix !== undefined) {
    const { length } = tagSuffix;
    for (let at = lower.indexOf(tagSuffix); at >= 0; at = lower.indexOf(tagSuffix, at + length))
      replace(at, at + length, `${open}mark${close}`);
  }
  if (pieces.length === 0 && !sign.test(lower)) return text;
  markers.lastIndex = 0;
  for (let match = markers.exec(lower); match !== null; match = markers.exec(lower)) {
    const { 0: found, index, groups = {} } = match;
    const { opening, closing = '' } = groups;
    const end = index + found.length;
    if (opening === undefined) {
      replace(index, end);
      continue;
    }
    type.lastIndex = index - 1;
    const isLeft =
      (isEscaped && text[folded.place(index, index + 1)[0]] === '<') || (index > 0 && type.test(folded.text));
    if (!isLeft) {
      replace(index, index + opening.length);
      if (closing !== '') replace(end - closing.length, end);
    }
    // The attributes of a tag may contain further markers.
    markers.lastIndex = index + (isLeft ? 1 : opening.length);
  }
  return pieces.length === 0 ? text : written(text, pieces);
}

interface Piece {
  readonly place: readonly [start: number, end: number];
  readonly written: string;
}

function written(text: string, pieces: readonly Piece[]): string {
  let result = '';
  let done = 0;
  for (const {
    place: [start, end],
    written,
  } of pieces.toSorted((one, other) => one.place[0] - other.place[0])) {
    if (start < done) continue;
    result += text.slice(done, start) + written;
    done = end;
  }
  return result + text.slice(done);
}

const anyLess = new RegExp(lessThan, 'giu');
const anyGreater = new RegExp(greaterThan, 'giu');

/** Writes a marker with visible brackets, in place of its own brackets if it has any. */
function visible(found: string, tagSuffix: TagSuffix | undefined): string {
  const marker = tagSuffix === undefined ? found : found.replace(new RegExp(tagSuffix, 'giu'), 'mark');
  if (/^[<&]|[>;]$/u.test(marker)) return marker.replace(anyLess, open).replace(anyGreater, close);
  if (marker.startsWith('[')) return `${open}${marker.slice(1, -1)}${close}`;
  const value = /(\\{0,4}["'`])([a-z]+)\\{0,4}["'`]$/iu.exec(marker);
  return value === null
    ? `${open}${marker}${close}`
    : `${marker.slice(0, value.index)}${open}${value[2] ?? ''}${close}`;
}

const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cf}/u;
/** Look-alike characters that Unicode normalisation keeps. */
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries([
  ...pairs('˂ᐸ❮〈⟨〈', '<'),
  ...pairs('˃ᐳ❯〉⟩〉', '>'),
  ...pairs('ǀ∣│❘￨ꟾ', '|'),
  ...pairs('∕⁄⧸', '/'),
  ...pairs('∶꞉ː', ':'),
  ...pairs('▁ˍ', '_'),
  ...zip('аеіјорсухѕһԁոԝАВЕІКМНОРСТХЅ', 'aeijopcyxshdnwABEIKMHOPCTXS'),
  ...zip('οανρΑΒΕΗΙΚΜΝΟΡΤΧ', 'oavpABEHIKMNOPTX'),
  // The only letter that lower case makes longer, so that positions would differ.
  ...zip('İ', 'I'),
]);

function pairs(from: string, to: string): readonly (readonly [string, string])[] {
  return Array.from(from, (character) => [character, to] as const);
}

function zip(from: string, to: string): readonly (readonly [string, string])[] {
  return Array.from(from, (character, index) => [character, to[index] ?? character] as const);
}

/** A text as a reader sees it: look-alikes become the letters they resemble, and invisible characters are removed. */
interface FoldedText {
  readonly text: string;
  /** Maps a range of the folded text to the original text. */
  readonly place: (start: number, end: number) => readonly [start: number, end: number];
}

/** Case-folds text character by character, so that positions map back to the original. */
function foldText(text: string): FoldedText {
  if (!/\P{ASCII}/u.test(text)) return { text, place: (start, end) => [start, end] };
  let folded = '';
  const starts: number[] = [];
  const ends: number[] = [];
  let position = 0;
  for (const character of text) {
    const start = position;
    position += character.length;
    const plain = character < '\x80' ? character : plainOf(character);
    folded += plain;
    while (starts.length < folded.length) {
      starts.push(start);
      ends.push(position);
    }
  }
  return { text: folded, place: (start, end) => [starts[start] ?? 0, ends[end - 1] ?? 0] };
}

const known = new Map<string, string>();
const mostKnown = 20_000;

function plainOf(character: string): string {
  const seen = known.get(character);
  if (seen !== undefined) return seen;
  const plain = invisible.test(character) ? '' : (lookAlikes[character] ?? character.normalize('NFKC'));
  if (known.size < mostKnown) known.set(character, plain);
  return plain;
}
