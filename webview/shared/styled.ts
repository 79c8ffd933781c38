import { type ElementPart, noChange } from 'lit';
import { Directive, directive, type PartInfo, PartType } from 'lit/directive.js';

/** Values by the name of a property: CSS names such as `width` or `--share`. */
type Styles = Readonly<Record<string, string | undefined>>;

class StyledDirective extends Directive {
  private shown: Styles = {};

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('`styled` stands alone in a tag.');
  }

  override render(_styles: Styles): unknown {
    return noChange;
  }

  override update({ element }: ElementPart, [styles]: [Styles]): unknown {
    const { style } = element as HTMLElement;
    for (const name of Object.keys(this.shown)) if (styles[name] === undefined) style.removeProperty(name);
    for (const [name, value] of Object.entries(styles))
      if (value !== undefined && value !== this.shown[name]) style.setProperty(name, value);
    this.shown = styles;
    return noChange;
  }
}

/**
 * Sets styles of an element: `<div ${styled({ width: '40%' })}>`. Lit's own `styleMap` writes a style attribute first,
 * which the page's policy forbids.
 */
export const styled = directive(StyledDirective);
