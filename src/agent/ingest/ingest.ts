import type { Budget } from '../../compaction/budget/budget.ts';
import { ShorterJson } from '../../compaction/text/shorter-json.ts';
import { writeWithin } from '../../compaction/text/clip.ts';
import type { Truncation } from '../../compaction/messages/message.ts';
import { omission } from '../../compaction/text/placeholder.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { ToolResult } from '../tools/support/tool.ts';
import { numberLines, shorten, tellingLines } from './shorten.ts';

interface Ingested {
  readonly content: string;
  readonly original?: string | undefined;
  readonly truncation?: Truncation | undefined;
}

/** Shortens a tool result for the context. @param messageId id under which `recall` finds the full result */
export type Ingest = (result: ToolResult, tool: string, messageId: string) => Promise<Ingested>;

/** Maximum tokens of a result in the context: about 600 lines of a file. */
const largestResult = 6_000;
/** Largest share of the input room for one result. */
const largestShare = 1 / 8;
/** Maximum tokens of a UTF-16 unit: one for each of its UTF-8 bytes. */
const mostTokensPerCharacter = 3;
/** Maximum characters of a text whose tokens are all counted. Counting a longer text would take a second or more. */
const longestCounted = 200_000;
/** Maximum characters of JSON that is parsed. */
const longestJson = 1_000_000;
/** Characters per token in ordinary prose, for a first estimate before tokens are counted. */
const charactersPerToken = 4;

/** Returns the maximum tokens of one result in the context. */
export function resultLimit({ window, reservedOutput }: Budget): number {
  if (window === undefined) return largestResult;
  return Math.min(largestResult, Math.floor((window - reservedOutput) * largestShare));
}

/** Reduces a long result to its ends, the failures between them, and a note on how to recall it. JSON stays valid. */
export function createIngest(meter: UsageMeter, budget: () => Budget): Ingest {
  return async (result, tool, messageId) => {
    const { content, isTruncated } = result;
    const limit = resultLimit(budget());
    const tokens = await tokensOf(content, limit, meter);
    if (tokens !== undefined && tokens <= limit) {
      return isTruncated === true ? { content, truncation: { fate: 'tool' } } : { content };
    }
    const shorter =
      (await shortenedJson(result, messageId, limit, tokens, meter)) ??
      (await shortenedText(result, tool, messageId, limit, tokens, meter));
    return {
      content: shorter,
      original: content,
      truncation: { fate: 'tool', ...(tokens === undefined ? {} : { originalTokens: tokens }) },
    };
  };
}

/** Counts tokens; undefined if the text is certainly over the limit and too long to count. */
async function tokensOf(text: string, limit: number, meter: UsageMeter): Promise<number | undefined> {
  if (text.length * mostTokensPerCharacter <= limit) return 0;
  return text.length > longestCounted ? undefined : meter.countText(text);
}

async function shortenedJson(
  { content, summary }: ToolResult,
  messageId: string,
  limit: number,
  tokens: number | undefined,
  meter: UsageMeter,
): Promise<string | undefined> {
  if (content.length > longestJson) return undefined;
  const headline = summary === undefined ? '' : `[${summary.english}]\n`;
  const text = (missing: number) => ` ${omission(messageId, `${missing} characters`)} `;
  const whole = ShorterJson.of(content);
  const write = (room: number) => {
    const json = whole?.fit(room, { text });
    return json === undefined ? undefined : `${headline}${json}`;
  };
  const first = firstRoom(content, limit, tokens);
  return writeWithin(write, { first, limit }, (text) => meter.countText(text));
}

async function shortenedText(
  { content, summary }: ToolResult,
  tool: string,
  messageId: string,
  limit: number,
  tokens: number | undefined,
  meter: UsageMeter,
): Promise<string> {
  const numbered = numberLines(content);
  const size = tokens === undefined ? `${content.length} characters` : `${tokens} tokens`;
  const lines = `${numbered.count} ${numbered.count === 1 ? 'line' : 'lines'}, ${size}`;
  const shortening = {
    numbered,
    telling: tellingLines(numbered, tool),
    messageId,
    headline: summary === undefined ? lines : `${summary.english}; ${lines}`,
  };
  const write = (room: number) => shorten(shortening, room);
  const first = firstRoom(content, limit, tokens);
  return (await writeWithin(write, { first, limit }, (text) => meter.countText(text))) ?? write(0);
}

/** Converts a limit in tokens to characters, by the average ratio of the whole text. */
function firstRoom(text: string, limit: number, tokens: number | undefined): number {
  const density = tokens === undefined ? charactersPerToken : text.length / tokens;
  return Math.min(text.length - 1, Math.floor(limit * density));
}
