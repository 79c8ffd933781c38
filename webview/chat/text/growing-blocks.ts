import { getDefaults, Lexer, type Token, type Tokens, type TokensList } from 'marked';

/** Characters of a list or a paragraph from which its settled part becomes a block of its own. */
const longestBlock = 6_000;
/** Characters at the end of such a paragraph that stay together with what follows. */
const openCharacters = 1_500;
/** Items at the end of such a list, likewise. */
const openItems = 3;

/** The blocks of a text, without the space between them. */
interface BlocksRead {
  readonly blocks: readonly Token[];
  /** The number of the first blocks that are as they were when last read. */
  readonly unchanged: number;
}

/**
 * Reads the blocks of a Markdown text that grows at its end, at a cost that depends on its last two blocks instead of
 * its length. A block cannot change any more when two follow it, except that a link in it may be defined later. A very
 * long list or paragraph becomes several.
 */
export class GrowingBlocks {
  private settled: Token[] = [];
  private settledText = '';
  private links: TokensList['links'] = {};

  /** The blocks so far. A text that does not begin with what is settled is read from its start. */
  read(text: string): BlocksRead {
    const given = withLineFeeds(text);
    this.startOver(given);
    const unchanged = this.settled.length;
    const tail = this.lex(given.slice(this.settledText.length));
    const kept = this.settle(given, tail);
    return { blocks: [...this.settled, ...withoutSpace(kept)], unchanged };
  }

  /** The blocks of the whole text, with links that are defined after their use. */
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

  /** @returns the tokens that are not settled */
  private settle(text: string, tail: readonly Token[]): readonly Token[] {
    const content = withoutSpace(tail);
    const last = content.at(-1);
    const part = last && settledPartOf(last);
    // Before a part that is settled everything is.
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

/** The beginning of a very long block that can be a block of its own; undefined if there is none. */
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

/** Ends at a space outside of emphasis, links and code, before a letter: any other sign could begin another block. */
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

/** As the lexer makes them, so that the tokens together are the text. */
function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
