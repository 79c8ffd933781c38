import { type CSSResult, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import { html, unsafeStatic } from 'lit/static-html.js';

/**
 * An element of a page, drawn by Lit from its `props`. It draws into the page itself and not into a shadow root, so
 * that find-in-page, selections over several rows, and references between ids work. Its styles, `static styles`,
 * therefore apply to the whole page; they begin with its tag name, which keeps them apart.
 *
 * A subclass may keep state of its own, and calls `requestUpdate` when it changes.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- subclasses name their props with it
export abstract class Component<Props extends object> extends LitElement {
  static override properties: PropertyDeclarations = { props: { attribute: false, hasChanged: isOther } };
  declare props: Props;

  /** Draws the component now, and not after the current task. */
  drawNow(): void {
    if (this.isUpdatePending) this.performUpdate();
  }

  protected override createRenderRoot(): this {
    for (const style of (this.constructor as typeof LitElement).elementStyles) addStyles(style as CSSResult);
    return this;
  }

  protected abstract override render(): unknown;
}

/**
 * Registers a component, and returns the function that draws it. The function is typed; Lit's own templates are not.
 * A component with equal props is not drawn again, so functions in props should stay the same.
 *
 * @param tag name of the element, with the prefix `cb-`
 */
export function component<Props extends object>(
  tag: `cb-${string}`,
  type: new () => Component<Props>,
): (props: Props) => TemplateResult {
  customElements.define(tag, type);
  const name = unsafeStatic(tag);
  return (props) => html`<${name} .props=${props}></${name}>`;
}

const added = new Set<CSSResult>();

/** Adds styles to the page, once. For components that are functions, and for styles that several components use. */
export function addStyles(style: CSSResult): void {
  const sheet = style.styleSheet;
  if (sheet === undefined || added.has(style)) return;
  added.add(style);
  document.adoptedStyleSheets.push(sheet);
}

/** True if two sets of props differ in a field. */
function isOther(next: object, shown: object | undefined): boolean {
  if (shown === undefined) return true;
  const [fields, others] = [Object.entries(next), new Map(Object.entries(shown))];
  return fields.length !== others.size || fields.some(([name, value]) => value !== others.get(name));
}

let identifiers = 0;

/** Returns an id that is unique on the page, for labels and controls that refer to each other. */
export function freshId(): string {
  return `e${++identifiers}`;
}
