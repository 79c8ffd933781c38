import { isoTime } from '../reading/transcript-format.ts';

/** Pieces of a SpecStory history: texts, the agent's thoughts, and tools that were used. */
export interface Piece {
  readonly kind: 'text' | 'thought' | 'tool';
  readonly heading: Heading;
  /** 1-based, where it begins. */
  readonly line: number;
  /** Without the tags around it. */
  readonly lines: readonly string[];
  /** Of a tool: the tag that it begins with. */
  readonly tag?: string;
}

/** The heading that pieces are under. */
export interface Heading {
  readonly role: 'user' | 'assistant';
  /** The conversation with a sub-agent, not the one of the person. */
  readonly isSidechain: boolean;
  readonly createdAt: string | undefined;
  /** Of an agent's heading: the model that it names. */
  readonly modelId: string | undefined;
}

const headingLine = /^_\*\*(User|Agent|Assistant)( - sidechain)?(?: \((.*)\))?\*\*_$/;
const headingTime = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(Z|[+-]\d\d)(\d\d)?$/;
const messageId = /^<!-- message-id: .* -->$/;
const thoughtEnd = '</details></think>';
const toolEnd = '</details></tool-use>';

/** @param problems gets a sentence for each tag that nothing ends; what follows it is read as text */
export function piecesOf(lines: readonly string[], problems: string[]): readonly Piece[] {
  const pieces: Piece[] = [];
  const lastEnds = new Map([thoughtEnd, toolEnd].map((end) => [end, lines.lastIndexOf(end)]));
  let heading: Heading | undefined;
  let textStart = 0;

  const finishText = (end: number, next?: Heading) => {
    if (heading === undefined) return;
    const isTurnOver = next !== undefined && next.role !== heading.role;
    const text = trimmed(lines.slice(textStart, end), isTurnOver);
    if (text.length > 0) pieces.push({ kind: 'text', heading, line: textStart + 1, lines: text });
  };

  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const next = headingOf(line);
    if (next !== undefined) {
      finishText(index, next);
      heading = next;
      if (messageId.test(lines[index + 1] ?? '')) index++;
      textStart = index + 1;
      continue;
    }
    const end = heading?.role === 'assistant' ? endOf(line) : undefined;
    if (heading === undefined || end === undefined) continue;
    if ((lastEnds.get(end) ?? -1) < index) {
      problems.push(`Line ${index + 1}: expected ${end} somewhere after it.`);
      continue;
    }
    finishText(index);
    const last = lines.indexOf(end, index);
    const piece = { heading, line: index + 1, lines: lines.slice(index + 1, last) };
    pieces.push(end === toolEnd ? { ...piece, kind: 'tool', tag: line } : { ...piece, kind: 'thought' });
    index = last;
    textStart = last + 1;
  }
  finishText(lines.length);
  return pieces;
}

function headingOf(line: string): Heading | undefined {
  const match = line.startsWith('_**') ? headingLine.exec(line) : null;
  if (match === null) return undefined;
  const noted = match[3] ?? '';
  const [, date, time, zone, minutes] = headingTime.exec(noted) ?? [];
  const isUser = match[1] === 'User';
  const model = isUser ? '' : noted.replace(headingTime, '').trim();
  return {
    role: isUser ? 'user' : 'assistant',
    modelId: model === '' ? undefined : model,
    isSidechain: match[2] !== undefined,
    createdAt: isoTime(`${date}T${time}${zone}${minutes === undefined ? '' : `:${minutes}`}`),
  };
}

/** @returns the line that ends what begins here, nothing if it is text */
function endOf(line: string): string | undefined {
  if (line.startsWith('<think><details>')) return thoughtEnd;
  return line.startsWith('<tool-use ') ? toolEnd : undefined;
}

/** Without blank lines around it, and without the rule that stands where the other side has its turn. */
function trimmed(lines: readonly string[], isTurnOver: boolean): readonly string[] {
  const isBlank = (line: string | undefined) => line?.trim() === '';
  let start = 0;
  let end = lines.length;
  while (end > 0 && isBlank(lines[end - 1])) end--;
  if (isTurnOver && lines[end - 1] === '---') end--;
  while (end > 0 && isBlank(lines[end - 1])) end--;
  while (start < end && isBlank(lines[start])) start++;
  return lines.slice(start, end);
}
