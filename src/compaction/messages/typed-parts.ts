import { type Message, type TextRange, typedText } from './message.ts';
import { memoised } from './memoise.ts';

export interface SaidPart {
  readonly text: string;
  /** True if the agent's file marks it as not typed, for example a file or a result. */
  readonly isData?: boolean;
  /** Length of the agent's text before the typed text, in UTF-16 units. */
  readonly from?: number;
}

export interface AgentFrames {
  /** True for a known agent. Every element on its own lines is then data, even one with the name of an HTML element. */
  readonly isKnown: boolean;
  /** True if the agent puts its own text, in closed elements, before the typed text of the same part. */
  readonly isTypedAfter?: boolean;
}

/** Frames of an unknown agent, whose messages have no structure except their text. */
const unknownAgent: AgentFrames = { isKnown: false, isTypedAfter: true };

/** Openings of messages that programs wrote in the user role: several agents, Gemini CLI, and others. */
const programOpenings = [
  /# AGENTS\.md instructions|Caveat: The messages below were generated|\[Request interrupted|This session is being continued from a previous conversation|(?:Stop|PreToolUse|PostToolUse|UserPromptSubmit) hook feedback:|Operation stopped by hook:|Base directory for this skill: |Another language model started to solve this problem/uy,
  /This is the (?:Gemini CLI|Qwen Code)\. We are setting up the context|System: (?:Please continue\.|Potential loop detected)|\[System: You previously|You have (?:exceeded the|stopped calling tools)[^.]{0,60}\. You have one final chance|I ran the following shell command:\n```|Here is (?:the|a summary of changes in the) user's editor context/uy,
  /EXECUTION RESULT of \[|(?:OBSERVATION|Observation):|\[TASK RESUMPTION\]|\[ERROR\] You did not use a tool|The user approved switching to act mode\./uy,
];

/** Elements that agents put around typed text at the beginning of a part. Text after the first closing tag is data. */
const leadingWrappers = ['task', 'feedback', 'answer', 'user_message', 'user_input', 'command-args'] as const;
/** Elements that agents put around typed text at the end of a part. Text before the last opening tag is data. */
const trailingWrappers = ['userRequest', 'user_query'] as const;
const leadingWrapper = new RegExp(`<(${leadingWrappers.join('|')})(?:\\s[^<>\\n]{0,200})?>`, 'gu');

/** Agent prompts with typed text: after the last match of `from`, or between two lines. */
const headed: readonly { readonly opening: RegExp; readonly from: RegExp; readonly to?: string }[] = [
  {
    opening: /# (?:Context from my IDE setup|Files mentioned by the user):/uy,
    from: /^## My request for Codex:/gmu,
  },
  {
    opening: /Here['’]s a running example of how to perform a task with the provided tools/uy,
    from: /^-+ NEW TASK DESCRIPTION -+$/gmu,
    to: '--------------------- END OF NEW TASK DESCRIPTION',
  },
];

/** Places where typed text ends: before the files of a prompt, and before an accepted plan of the model. */
const dataToEnd =
  /^--- Content from referenced (?:files|context) ---|(?<=^Implement the following plan:)\n\n|(?<=^Implement the (?:plan as specified|following to-dos from the plan))(?:, it| \(the plan) is attached for your reference|(?<=<user_query>)Perform any necessary follow-up actions in response to the subagent completion above/mu;

/** Finds typed ranges of a part: outside the agent's elements (`<name …>` to the last `</name>`, or to the end). */
export function typedRanges(text: string, frames: AgentFrames = unknownAgent): readonly TextRange[] {
  const start = text.search(/\S/u);
  if (start < 0 || programOpenings.some((opening) => opens(opening, text, start))) return [];
  const cut = dataToEnd.exec(text)?.index ?? text.length;
  const whole = { start, end: cut };
  for (const { opening, from, to } of headed) {
    if (opens(opening, text, start)) return nonBlank(text, [betweenHeads(text, from, to)]);
  }
  const elements = elementsIn(text, whole, frames);
  const wrapped = inTrailingWrapper(text, whole, elements) ?? inLeadingWrapper(text, whole, elements);
  if (wrapped === undefined) return nonBlank(text, outsideFrames(text, whole, elements, frames));
  // An element in a wrapper may contain the wrapper's closing tag, if that tag occurs again later.
  const rest = { start: wrapped.start, end: whole.end };
  const outside = outsideFrames(text, rest, elementsIn(text, rest, frames), frames);
  return nonBlank(
    text,
    outside.map(({ start, end }) => ({ start, end: Math.min(end, wrapped.end) })),
  );
}

/** Finds the typed ranges of the parts of one message, joined by line feeds as in its content. */
export function typedRangesOf(parts: readonly SaidPart[], frames?: AgentFrames): readonly TextRange[] {
  const ranges: TextRange[] = [];
  let isCut = false;
  let place = 0;
  for (const { text, isData, from = 0 } of parts) {
    const typed = isCut || isData === true ? [] : typedRanges(text.slice(from), frames);
    const offset = place + from;
    ranges.push(...typed.map(({ start, end }) => ({ start: offset + start, end: offset + end })));
    isCut ||= dataToEnd.test(text);
    place += text.length + 1;
  }
  return ranges;
}

/** Returns the user's own words in a typed message: its ranges if it was imported, or else parts of its text. */
export const ownWords = memoised((message: Message): string => {
  const text = typedText(message);
  if (message.typed !== undefined) return text;
  return typedRanges(text)
    .map(({ start, end }) => text.slice(start, end))
    .join('\n');
});

function opens(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function betweenHeads(text: string, from: RegExp, to: string | undefined): TextRange {
  const last = [...text.matchAll(from)].at(-1);
  const start = last === undefined ? text.length : last.index + last[0].length;
  const end = to === undefined ? -1 : text.lastIndexOf(to);
  return { start, end: end < start ? text.length : end };
}

function inTrailingWrapper(
  text: string,
  { end }: TextRange,
  elements: readonly Element[],
): TextRange | undefined {
  const shown = text.slice(0, end).trimEnd();
  for (const name of trailingWrappers) {
    const close = `</${name}>`;
    if (!shown.endsWith(close)) continue;
    const open = shown.lastIndexOf(`<${name}>`);
    const others = elements.filter((one) => one.name !== name);
    if (open < 0 || !isOutside(others, open)) continue;
    return { start: open + name.length + 2, end: shown.length - close.length };
  }
  return undefined;
}

/** Finds a wrapper at the start of a part. After additions it must be the only one: files may hold more. */
function inLeadingWrapper(
  text: string,
  { start, end }: TextRange,
  elements: readonly Element[],
): TextRange | undefined {
  if (text[start] !== '<') return undefined;
  const [first, second] = text.slice(0, end).matchAll(leadingWrapper);
  if (first === undefined) return undefined;
  const name = first[1] ?? '';
  const inner = first.index + first[0].length;
  const close = text.indexOf(`</${name}>`, inner);
  const isAlone = second === undefined && close >= 0 && !text.includes(`</${name}>`, close + 1);
  if (first.index > start && !(isAlone && isOutside(elements, first.index))) return undefined;
  return { start: inner, end: close < 0 ? end : Math.min(close, end) };
}

function isOutside(elements: readonly Element[], index: number): boolean {
  return elements[0]?.end !== -1 && elements.every((one) => one.index >= index || one.end <= index);
}

/** Element names without `-` or `_` that agents use for their additions. */
const plainNames: ReadonlySet<string> = new Set(
  'attachment attachments channel command context document documents error file files image memory notice observation output permissions reminder resource response result returncode skill stderr stdin stdout tick warning INSTRUCTIONS'.split(
    ' ',
  ),
);
const openTag = /<([a-z][\w-]{0,60}|[A-Z][A-Z_]{3,60})(?=[\s>/]|$)/gu;
const closeTag = /<\/([A-Za-z][\w-]{0,60})[^<>\n]{0,80}>?/gu;

interface Element {
  readonly index: number;
  readonly name: string;
  /** Position after the element's last closing tag; -1 without a closing tag. */
  readonly end: number;
}

/** Removes all text from the first element to the last closing tag. Elements may contain each other's tags. */
function outsideFrames(
  text: string,
  range: TextRange,
  elements: readonly Element[],
  { isTypedAfter }: AgentFrames,
): readonly TextRange[] {
  const [first] = elements;
  if (first === undefined) return [range];
  const before = { start: range.start, end: first.index };
  const isFirst = text.slice(before.start, before.end).trim() === '';
  if (first.end < 0 || (isFirst && isOfAgent(first.name) && isTypedAfter !== true)) return [before];
  const start = elements.reduce((last, one) => Math.max(last, one.end), 0);
  const open = elements.find((one) => one.index >= start);
  return [before, { start, end: open?.index ?? range.end }];
}

function elementsIn(text: string, { start, end }: TextRange, { isKnown }: AgentFrames): readonly Element[] {
  const shown = text.slice(0, end);
  if (!shown.includes('<', start)) return [];
  const ends = new Map<string, number>();
  for (const { 0: tag, 1: name = '', index } of shown.matchAll(closeTag)) ends.set(name, index + tag.length);
  const elements: Element[] = [];
  for (const { 0: tag, 1: name = '', index } of shown.matchAll(openTag)) {
    if (index < start) continue;
    const last = ends.get(name) ?? -1;
    const isOwnLine = isAtLineStart(text, index);
    const isClosed = last > index + tag.length;
    if (isClosed ? isFrame(name, isOwnLine, isKnown) : isOwnLine && isOpen(shown, index, name, isKnown)) {
      elements.push({ index, name, end: isClosed ? last : -1 });
    }
  }
  return elements;
}

/** True for an element of an agent. Elements within a line, such as `<b>`, belong to a sentence about code. */
function isFrame(name: string, isOwnLine: boolean, isKnown: boolean): boolean {
  return isOwnLine ? isKnown || isOfAgent(name) : /[-_]/u.test(name);
}

/** True for an unclosed element that extends to the end: neither HTML nor self-closing. */
function isOpen(text: string, index: number, name: string, isKnown: boolean): boolean {
  if (!(isKnown ? isOfAgent(name) : /[-_]/u.test(name))) return false;
  const line = text.slice(index, index + 600).split('\n', 1)[0] ?? '';
  return !/^<[^<>]*\/>/u.test(line);
}

function isOfAgent(name: string): boolean {
  return /[-_]/u.test(name) || plainNames.has(name);
}

function isAtLineStart(text: string, index: number): boolean {
  let at = index;
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return at === 0 || text[at - 1] === '\n' || text[at - 1] === '>';
}

function nonBlank(text: string, ranges: readonly TextRange[]): readonly TextRange[] {
  return ranges.flatMap(({ start, end }) => {
    const words = text.slice(start, end);
    const first = words.search(/\S/u);
    return first < 0 ? [] : [{ start: start + first, end: start + words.trimEnd().length }];
  });
}
