import { element } from '../../shared/dom.ts';
import { blocksOf, htmlOf, toFragment } from './markdown.ts';

/** Shortest time between two drawings of growing text, in milliseconds. */
const interval = 100;

interface Block {
  readonly element: HTMLElement;
  raw: string;
  html: string;
}

/**
 * A Markdown text that may still grow. Blocks that are complete are left alone, so that a selection in them
 * survives, and the growing one is changed in place.
 */
export class StreamingMarkdown {
  readonly element = element('div', { class: 'markdown' });
  private readonly blocks: Block[] = [];
  private text = '';
  private drawn: string | undefined;
  private timer: number | undefined;
  private lastDrawing = -Infinity;

  /** @param isComplete nothing follows: draws at once, and every block with what later ones say about it */
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
    const tokens = blocksOf(this.text);
    for (const [index, token] of tokens.entries()) {
      const block = this.blocks[index] ?? this.append();
      // The target of a link in an early block may be defined by the last: complete text is compared as HTML.
      if (block.raw === token.raw && !isComplete) continue;
      const html = htmlOf(token);
      block.raw = token.raw;
      if (block.html === html) continue;
      block.html = html;
      morphChildren(block.element, toFragment(html));
    }
    for (const block of this.blocks.splice(tokens.length)) block.element.remove();
  }

  private append(): Block {
    const block: Block = { element: element('div', { class: 'block' }), raw: '', html: '' };
    this.blocks.push(block);
    this.element.append(block.element);
    return block;
  }
}

/**
 * Changes the children of an element into others with as few steps as there are differences. What stays the same
 * stays the same node: a selection survives, and nothing flickers while an answer grows.
 *
 * @param source gives its nodes away
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

/** @returns false if the nodes are of different sorts, so that one has to replace the other */
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
