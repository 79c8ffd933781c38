import { type EmbeddedImage, imagePart } from '../../compaction/images/image-part.ts';
import {
  type Attached,
  type Attachment,
  type Content,
  textOf,
  type Truncation,
} from '../../compaction/messages/message.ts';
import type { Budget } from '../../compaction/budget/budget.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { writeWithin } from '../../compaction/text/clip.ts';
import { resultLimit } from '../ingest/ingest.ts';
import { type NumberedText, numberLines, shorten } from '../ingest/shorten.ts';
import type { ReadSource } from './read-source.ts';

/** A source to attach, with the name used in the text. */
export interface NamedSource extends ReadSource {
  readonly label: string;
}

/** A message with all its attachments. */
export interface ComposedMessage {
  /** The typed text, then the attachments, then the pictures. */
  readonly content: Content;
  /** The content with the whole attachments; absent if no attachment was shortened. */
  readonly original?: string;
  readonly truncation?: Truncation;
  readonly attached?: Attached;
}

/** A picture to attach, with the name used in the text. */
export interface NamedPicture {
  readonly label: string;
  readonly path?: string;
  readonly image: EmbeddedImage;
}

/** Adds pictures after the text of a message, as providers advise. A message without pictures is unchanged. */
export function withPictures(
  composed: ComposedMessage,
  pictures: readonly NamedPicture[],
  meter: UsageMeter,
): ComposedMessage {
  if (pictures.length === 0) return composed;
  const text = textOf(composed.content);
  const parts = pictures.map(({ image }) => imagePart(image));
  const items = pictures.map(({ label, path }, index): Attachment => {
    const part = parts[index];
    const tokens = part === undefined ? 0 : meter.countImage(part);
    return { label, type: 'picture', tokens, characters: 0, ...(path === undefined ? {} : { path }) };
  });
  const { typedLength = text.length, items: others = [] } = composed.attached ?? {};
  return {
    ...composed,
    content: [{ type: 'text', text }, ...parts],
    attached: { typedLength, items: [...others, ...items] },
  };
}

interface ComposedText extends ComposedMessage {
  readonly content: string;
}

/** Largest share of the input room for all attachments of one message. */
const largestShare = 1 / 2;
const gap = '\n\n';

/** Appends attachments to the typed text. Their tag occurs nowhere else, so that no text can imitate it. */
export async function composeMessage(
  typed: string,
  sources: readonly NamedSource[],
  messageId: string,
  { meter, budget }: { readonly meter: UsageMeter; readonly budget: Budget },
): Promise<ComposedText> {
  if (sources.length === 0) return { content: typed };
  const tag = tagFor([typed, ...sources.map(({ content }) => content)]);
  const openings = sources.map((source) => openingOf(tag, source));
  const blockOf = (index: number, content: string) => `${openings[index] ?? ''}${content}\n</${tag}>`;
  const whole = (contents: readonly string[]) =>
    [typed, ...contents.map((content, index) => blockOf(index, content))].join(gap);

  const full = sources.map(({ content }) => content);
  const original = whole(full);
  const { count: lines } = numberLines(original);
  const limit = limitOf(budget, sources.length);
  const fullTokens = await meter.countTexts(full);

  const contents: string[] = [];
  let position = typed.length;
  for (const [index, content] of full.entries()) {
    const start = position + gap.length + (openings[index]?.length ?? 0);
    const tokens = fullTokens[index] ?? 0;
    if (tokens <= limit) contents.push(content);
    else {
      const linesBefore = numberLines(original.slice(0, start)).count;
      contents.push(await fitBlock(content, tokens, limit, { linesBefore, lines, messageId }, meter));
    }
    position += gap.length + blockOf(index, content).length;
  }

  const sizes = await meter.countTexts(contents.map((content, index) => blockOf(index, content)));
  const items = sources.map(({ content, ...source }, index): Attachment => {
    const shown = contents[index] ?? '';
    const isShortened = shown !== content;
    const { label, type, path, lines: range, isCut = false, warning } = source;
    return {
      label,
      type,
      tokens: sizes[index] ?? 0,
      characters: shown.length,
      ...(path === undefined ? {} : { path }),
      ...(range === undefined ? {} : { lines: range }),
      ...(isShortened || isCut ? { isShortened: true } : {}),
      ...(warning === undefined
        ? {}
        : { warning: warning.english, warningSentence: { key: warning.key, values: warning.values } }),
    };
  });
  return {
    content: whole(contents),
    ...(contents.some((content, index) => content !== full[index])
      ? { original, truncation: { fate: 'tool', originalTokens: await meter.countText(original) } }
      : {}),
    attached: { typedLength: typed.length, items },
  };
}

function limitOf(budget: Budget, count: number): number {
  const { window, reservedOutput } = budget;
  if (window === undefined) return resultLimit(budget);
  return Math.min(resultLimit(budget), Math.floor(((window - reservedOutput) * largestShare) / count));
}

/** Returns `attachment`, followed by a number if one of the texts already contains such a tag. */
function tagFor(texts: readonly string[]): string {
  let highest = 0;
  for (const text of texts) {
    for (const [, number = ''] of text.matchAll(/<\/?attachment(?:-(\d{1,9})|)/giu)) {
      highest = Math.max(highest, number === '' ? 1 : Number(number));
    }
  }
  return highest === 0 ? 'attachment' : `attachment-${highest + 1}`;
}

function openingOf(tag: string, { type, path, lines }: ReadSource): string {
  const attributes = [
    `type=${JSON.stringify(type === 'path' ? 'file' : type)}`,
    ...(path === undefined ? [] : [`path=${JSON.stringify(path)}`]),
    ...(lines === undefined ? [] : [`lines="${lines.first}-${lines.last}"`]),
  ];
  return `<${tag} ${attributes.join(' ')}>\n`;
}

/** Position of an attachment in the whole text of its message, by which `recall` finds its lines. */
interface Surroundings {
  readonly linesBefore: number;
  readonly lines: number;
  readonly messageId: string;
}

/** An attachment is not the output of a command, so no lines are treated as failures or warnings. */
const nothingTelling = { failures: [], warnings: [] };

/** Shortens an attachment to `limit` tokens: its beginning, a note on how to recall the rest, and its end. */
async function fitBlock(
  text: string,
  tokens: number,
  limit: number,
  { linesBefore, lines, messageId }: Surroundings,
  meter: UsageMeter,
): Promise<string> {
  const own = numberLines(text);
  const shortening = {
    numbered: within(own, linesBefore, lines),
    telling: nothingTelling,
    messageId,
    headline: `${own.count} ${own.count === 1 ? 'line' : 'lines'}, ${tokens} tokens`,
  };
  const first = Math.min(text.length - 1, Math.floor((text.length * limit) / tokens));
  const write = (characters: number) => shorten(shortening, characters);
  return (await writeWithin(write, { first, limit }, (block) => meter.countText(block))) ?? write(0);
}

/** Numbers the lines of an attachment as lines of the whole message. */
function within(own: NumberedText, linesBefore: number, lines: number): NumberedText {
  return {
    text: own.text,
    count: lines,
    startOf: (number) => own.startOf(number - linesBefore),
    line: (number) => own.line(number - linesBefore),
    between: (first, last) => own.between(first - linesBefore, last - linesBefore),
    numberAt: (position) => own.numberAt(position) + linesBefore,
  };
}
