/** Characters of a piece after which the next line end, or the next space, begins a new piece. */
const pieceSize = { line: 4_000, word: 12_000 } as const;

/**
 * Plain text that grows at its end. Its pieces are separate blocks, so that the browser lays out only the last one.
 * For elements that preserve white space.
 */
export class GrowingText {
  private readonly root: Element;
  private text = '';
  private last: Text | undefined;

  /** @param root element whose children no other code changes */
  constructor(root: Element) {
    this.root = root;
  }

  update(text: string): void {
    if (text === this.text) return;
    let from = this.text.length;
    if (!text.startsWith(this.text)) {
      this.root.replaceChildren();
      this.last = undefined;
      from = 0;
    }
    this.text = text;
    while (from < text.length) {
      const end = this.endOfPiece(text, from);
      this.last ??= this.begin();
      this.last.appendData(text.slice(from, end));
      if (end < text.length || this.isFull(this.last.data)) this.last = undefined;
      from = end;
    }
  }

  private isFull(data: string): boolean {
    const { length } = data;
    return (
      (length >= pieceSize.line && data.endsWith('\n')) || (length >= pieceSize.word && /\s$/.test(data))
    );
  }

  /** The end of the current piece in the text, searched from a position on. */
  private endOfPiece(text: string, from: number): number {
    const start = from - (this.last?.length ?? 0);
    const line = text.indexOf('\n', Math.max(from, start + pieceSize.line - 1));
    const word = Math.max(from, start + pieceSize.word - 1);
    if (line >= 0 && line < word) return line + 1;
    const space = word < text.length ? text.slice(word).search(/\s/) : -1;
    return space < 0 ? text.length : word + space + 1;
  }

  private begin(): Text {
    const text = document.createTextNode('');
    // Most texts are a single piece, which needs no element around it.
    if (this.root.firstChild === null) this.root.append(text);
    else this.root.append(element('span', { class: 'piece' }, text));
    return text;
  }
}

/** Creates an element for text that is drawn piece by piece, as Markdown is. All else is drawn by components. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
