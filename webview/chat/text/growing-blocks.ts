import { getDefaults, Lexer, type Token, type Tokens, type TokensList } from 'marked';

/** Number of characters of a list or paragraph above which its settled part becomes a separate block. */
const longestBlock = 6_000;
/** Number of characters at the end of a long paragraph that stay in the open block. */
const openCharacters = 1_500;
/** Number of items at the end of a long list that stay in the open block. */
const openItems = 3;

/** The blocks of a text, without white space between the blocks. */
interface BlocksRead {
  readonly blocks: readonly Token[];
  /** Number of blocks at the beginning that are the same as at the last reading. */
  readonly unchanged: number;
}

/**
 * Reads the blocks of a Markdown text that grows at its end. The cost depends on the last two blocks and not on the
 * length of the text. When two blocks follow a block, it no longer changes, unless a link in it is defined later. A
 * very long list or paragraph becomes several blocks.
 */
export class GrowingBlocks {
  private settled: Token[] = [];
  private settledText = '';
  private links: TokensList['links'] = {};

  /** Returns the blocks so far. A text that does not begin with the settled part is read from its beginning. */
  read(text: string): BlocksRead {
    const given = withLineFeeds(text);
    this.startOver(given);
    const unchanged = this.settled.length;
    const tail = this.lex(given.slice(this.settledText.length));
    const kept = this.settle(given, tail);
    return { blocks: [...this.settled, ...withoutSpace(kept)], unchanged };
  }

  /** Returns the blocks of the whole text, with links that are defined after they are used. */
  finish(text: string): BlocksRead {
    const given = withLineFeeds(text);
    this.startOver(given);
    const unchanged = this.settled.length;
    const tail = this.lex(given.slice(this.settledText.length));
    const blocks = [...this.settled, ...withoutSpace(tail)];
    if (Object.keys(this.links).length === 0 || unchanged === 0) return { blocks, unchanged };
    const linked = blocks.map((block) =>
      block.raw.includes('[') ? (this.lex(block.raw)[0] ?? block) : block,
    );
    return { blocks: linked, unchanged: 0 };
  }

  private startOver(text: string): void {
    if (text.startsWith(this.settledText)) return;
    this.settled = [];
    this.settledText = '';
    this.links = {};
  }

  private lex(text: string): readonly Token[] {
    const lexer = new Lexer(getDefaults());
    Object.assign(lexer.tokens.links, this.links);
    const tokens = lexer.lex(text);
    this.links = tokens.links;
    return tokens;
  }

  /** @returns the tokens that may still change */
  private settle(text: string, tail: readonly Token[]): readonly Token[] {
    const content = withoutSpace(tail);
    const last = content.at(-1);
    const part = last && settledPartOf(last);
    // All blocks before a settled part are settled.
    const firstOpen = part === undefined ? (content.at(-2) ?? last) : last;
    const open = firstOpen === undefined ? tail.length : tail.indexOf(firstOpen);
    const raws = tail.slice(0, open).map(({ raw }) => raw);
    this.settled.push(...withoutSpace(tail.slice(0, open)));
    const end = this.settledText.length + raws.reduce((sum, raw) => sum + raw.length, 0);
    this.settledText = text.slice(0, end);
    if (part === undefined || !text.startsWith(part, end)) return tail.slice(open);
    this.settled.push(...withoutSpace(this.lex(part)));
    this.settledText = text.slice(0, end + part.length);
    return this.lex(text.slice(this.settledText.length));
  }
}

/** The beginning of a very long block that can be a separate block, or undefined. */
function settledPartOf(block: Token): string | undefined {
  if (block.raw.length < longestBlock) return undefined;
  if (isList(block) && block.items.length > openItems) {
    return block.items
      .slice(0, -openItems)
      .map(({ raw }) => raw)
      .join('');
  }
  return isParagraph(block) ? partOfParagraph(block) : undefined;
}

/**
 * The settled part of a paragraph. Ends at a space before a letter, outside emphasis, links and code, because any
 * other character could begin another block.
 */
function partOfParagraph({ raw, tokens }: Tokens.Paragraph): string | undefined {
  let start = 0;
  let end = 0;
  for (const { type, raw: inner } of tokens) {
    if (type === 'text') {
      const most = Math.min(inner.length, raw.length - openCharacters - start);
      for (let at = most - 1; at > 0; at--) {
        if (/^\s\p{L}/u.test(inner.slice(at, at + 3))) {
          end = start + at + 1;
          break;
        }
      }
    }
    start += inner.length;
  }
  return end > 0 ? raw.slice(0, end) : undefined;
}

function isList(block: Token): block is Tokens.List {
  return block.type === 'list';
}

function isParagraph(block: Token): block is Tokens.Paragraph {
  return block.type === 'paragraph';
}

function withoutSpace(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(({ type }) => type !== 'space');
}

/** Normalises line ends like the lexer does, so that the tokens together are the text. */
function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
