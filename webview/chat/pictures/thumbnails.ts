import type { PictureView } from '../../../src/protocol/chat-rows.ts';
import type { ChatRequest } from '../../../src/protocol/chat.ts';
import { element, plainButton } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { strings } from '../text/chat-strings.ts';

const words = strings.pictures;

/** The pictures on the page. The host sends the data of a picture when the picture comes into view. */
export class Pictures {
  private readonly post: (request: ChatRequest) => void;
  /** Key of a picture → images on the page that wait for its data. */
  private readonly waiting = new Map<string, Set<HTMLImageElement>>();
  private readonly keys = new WeakMap<Element, string>();
  private readonly sight = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) this.ask(target);
  });

  constructor(post: (request: ChatRequest) => void) {
    this.post = post;
  }

  /** A small picture that opens in the editor, or an icon if the picture cannot be shown. */
  thumbnail({ key, size }: PictureView, label: string): HTMLElement {
    if (size === undefined)
      return element('span', { class: 'thumbnail', title: words.notHere }, icon('picture'));
    const image = element('img', { alt: '', width: size.width, height: size.height });
    this.keys.set(image, key);
    const images = this.waiting.get(key) ?? new Set();
    this.waiting.set(key, images.add(image));
    this.sight.observe(image);
    return plainButton(
      { class: 'thumbnail', 'aria-label': words.open({ label }), title: words.open({ label }) },
      () => this.post({ type: 'open-picture', key }),
      image,
    );
  }

  /** @param url null if the picture cannot be shown */
  receive(key: string, url: string | null): void {
    for (const image of this.waiting.get(key) ?? []) {
      if (url === null) image.replaceWith(icon('picture'));
      else image.src = url;
    }
    this.waiting.delete(key);
  }

  private ask(image: Element): void {
    this.sight.unobserve(image);
    const key = this.keys.get(image);
    if (key !== undefined && this.waiting.has(key)) this.post({ type: 'picture', key });
  }
}

/** The size of a picture and its tokens, as far as known. */
export function pictureFacts({ size, tokens }: PictureView): string {
  return [
    size === undefined ? '' : words.size({ width: size.width, height: size.height }),
    tokens === undefined ? '' : strings.tokensOf({ count: tokens }),
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
}
