import { createHash } from 'node:crypto';
import type { CountText } from './server/request-sizes.ts';
import { type Fields, recordsIn } from './server/wires/wire.ts';

/** Input tokens of a request. */
export interface CachedInput {
  readonly tokens: number;
  /** Tokens that the provider read from its cache. */
  readonly read: number;
  /** Tokens that the provider wrote into its cache, where that has a price. */
  readonly written: number;
}

interface Block {
  readonly text: string;
  readonly tokens: number;
  /** True if the client marked the end of the block as the end of a cached prompt. */
  readonly isMarked: boolean;
}

/** Maximum number of blocks before a mark at which Anthropic looks for an earlier prompt. */
const lookBack = 20;
/** Minimum number of tokens that a provider caches. */
const shortest = 1_024;

/**
 * A provider's prompt cache. It holds the prompts of earlier requests, up to the marks of the client if the protocol
 * has marks. It forgets nothing, because a run is shorter than its lifetime.
 */
export class PromptCache {
  private readonly count: CountText;
  private readonly tokens = new Map<string, number>();
  /** Blocks → the texts of all blocks before and including them. */
  private readonly known = new Set<string>();

  constructor(count: CountText) {
    this.count = count;
  }

  take(wire: string, body: Fields): CachedInput {
    const isMarked = wire === 'messages';
    const blocks = blocksOf(body).map(({ text, isMarked }) => ({
      text,
      isMarked,
      tokens: this.tokensOf(text),
    }));
    const prompts = promptsOf(blocks);
    const marks = blocks.flatMap((block, index) => (block.isMarked ? [index] : []));
    const places = isMarked
      ? marks.flatMap((mark) => Array.from({ length: lookBack + 1 }, (_, step) => mark - step))
      : blocks.map((_, index) => index);
    const hit = Math.max(-1, ...places.filter((place) => this.known.has(prompts[place] ?? '')));
    const tokensTo = (end: number) => blocks.slice(0, end + 1).reduce((total, one) => total + one.tokens, 0);
    const found = tokensTo(hit);
    const read = found < shortest ? 0 : found;
    const written = isMarked ? Math.max(0, tokensTo(marks.at(-1) ?? -1) - read) : 0;
    for (const place of isMarked ? marks : prompts.keys()) this.known.add(prompts[place]!);
    return { tokens: tokensTo(blocks.length), read, written };
  }

  private tokensOf(text: string): number {
    const known = this.tokens.get(text);
    if (known !== undefined) return known;
    const tokens = this.count(text);
    this.tokens.set(text, tokens);
    return tokens;
  }
}

/** The start of the prompt up to each block, in a short form. */
function promptsOf(blocks: readonly Block[]): readonly string[] {
  const prompts: string[] = [];
  for (const { text } of blocks)
    prompts.push(
      createHash('sha256')
        .update(prompts.at(-1) ?? '')
        .update(text)
        .digest('hex'),
    );
  return prompts;
}

/** The parts of a request in the order in which providers put them into the prompt. */
function blocksOf(body: Fields): readonly Omit<Block, 'tokens'>[] {
  const tools = recordsIn(body['tools']).flatMap((tool) => {
    const declared = recordsIn(tool['functionDeclarations']);
    return declared.length > 0 ? declared : [tool];
  });
  const system = [body['instructions'], body['systemInstruction'], body['system']].flatMap(
    (part): readonly Fields[] =>
      part === undefined ? [] : Array.isArray(part) ? recordsIn(part) : [{ text: part }],
  );
  const messages = [body['messages'], body['input'], body['contents']].flatMap(recordsIn);
  const parts = messages.flatMap((message): readonly Fields[] => {
    const { content, parts = content, ...rest } = message;
    return Array.isArray(parts) ? recordsIn(parts).map((part) => ({ ...rest, ...part })) : [message];
  });
  return [...tools, ...system, ...parts].map(({ cache_control: mark, ...part }: Fields) => ({
    text: JSON.stringify(part),
    isMarked: mark !== undefined,
  }));
}
