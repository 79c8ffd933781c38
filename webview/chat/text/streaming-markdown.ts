import type { Token } from 'marked';
import { element, GrowingText } from '../../shared/growing-text.ts';
import { GrowingBlocks } from './growing-blocks.ts';
import { htmlOf, toFragment } from './markdown.ts';

/** Minimum milliseconds between two drawings of growing text. */
const interval = 100;

interface Block {
  readonly element: HTMLElement;
  raw: string;
  html: string;
  /** Text of a code block, which can be as long as an answer. */
  code: GrowingText | undefined;
}

/**
 * A Markdown text that may grow. Complete blocks are not touched, so selections in them survive. The growing block is
 * updated in place. The cost of a drawing depends only on the last blocks.
 */
export class StreamingMarkdown {
  readonly element = element('div', { class: 'markdown' });
  private readonly blocks: Block[] = [];
  private readonly reader = new GrowingBlocks();
  private text = '';
  private drawn: string | undefined;
  private timer: number | undefined;
  private lastDrawing = -Infinity;

  /** @param isComplete true if no more text follows: draws at once, and resolves links that later blocks define */
  update(text: string, isComplete: boolean): void {
    if (text === this.drawn && !isComplete) return;
    this.text = text;
    if (isComplete) {
      this.draw(true);
      return;
    }
    const wait = this.lastDrawing + interval - performance.now();
    if (wait <= 0) this.draw(false);
    else this.timer ??= window.setTimeout(() => this.draw(false), wait);
  }

  private draw(isComplete: boolean): void {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    this.lastDrawing = performance.now();
    this.drawn = this.text;
    const { blocks, unchanged } = isComplete ? this.reader.finish(this.text) : this.reader.read(this.text);
    for (const [index, token] of blocks.entries()) {
      if (index < unchanged && this.blocks[index]?.raw === token.raw) continue;
      drawBlock(this.blocks[index] ?? this.append(), token);
    }
    for (const block of this.blocks.splice(blocks.length)) block.element.remove();
  }

  private append(): Block {
    const block: Block = {
      element: element('div', { class: 'block' }),
      raw: '',
      html: '',
      code: undefined,
    };
    this.blocks.push(block);
    this.element.append(block.element);
    return block;
  }
}

function drawBlock(block: Block, token: Token): void {
  const isCode = token.type === 'code';
  const html = htmlOf(isCode ? { ...token, text: '' } : token);
  block.raw = token.raw;
  if (block.html !== html) {
    block.html = html;
    if (isCode || block.code !== undefined) block.element.replaceChildren(toFragment(html));
    else morphChildren(block.element, toFragment(html));
    const code = isCode ? block.element.querySelector('pre > code') : null;
    code?.replaceChildren();
    block.code = code === null ? undefined : new GrowingText(code);
  }
  if (isCode) block.code?.update(`${String(token['text'])}\n`);
}

/**
 * Changes the children of an element to others, with minimal changes. Equal nodes are kept, so selections survive and
 * nothing flickers.
 *
 * @param source loses its nodes
 */
function morphChildren(target: Node, source: Node): void {
  const fresh = [...source.childNodes];
  for (const [index, node] of fresh.entries()) {
    const old = target.childNodes[index];
    if (old === undefined) target.appendChild(node);
    else if (!morphNode(old, node)) target.replaceChild(node, old);
  }
  while (target.childNodes.length > fresh.length) target.lastChild?.remove();
}

/** @returns false if the nodes have different types, so that one must replace the other */
function morphNode(old: Node, fresh: Node): boolean {
  if (old instanceof Text && fresh instanceof Text) {
    if (fresh.data.startsWith(old.data)) old.appendData(fresh.data.slice(old.data.length));
    else old.data = fresh.data;
    return true;
  }
  if (!(old instanceof Element) || !(fresh instanceof Element) || old.tagName !== fresh.tagName) return false;
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  morphChildren(old, fresh);
  return true;
}
