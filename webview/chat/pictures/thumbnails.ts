import { css, html, nothing, type TemplateResult } from 'lit';
import type { PictureView } from '../../../src/protocol/chat-rows.ts';
import type { ChatRequest } from '../../../src/protocol/chat.ts';
import { component, Component } from '../../shared/component.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { strings } from '../text/chat-strings.ts';

const words = strings.pictures;

/** The pictures on the page. The host sends the data of a picture when the picture comes into view. */
export class Pictures {
  readonly post: (request: ChatRequest) => void;
  /** Key of a picture → thumbnails on the page that wait for its data. */
  private readonly waiting = new Map<string, Set<Thumbnail>>();
  private readonly thumbnails = new WeakMap<Element, Thumbnail>();
  private readonly sight = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) this.ask(target);
  });

  constructor(post: (request: ChatRequest) => void) {
    this.post = post;
  }

  /** Requests the data of a thumbnail when its image comes into view. */
  await(thumbnail: Thumbnail, image: Element): void {
    const { key } = thumbnail.props.picture;
    this.thumbnails.set(image, thumbnail);
    this.waiting.set(key, (this.waiting.get(key) ?? new Set()).add(thumbnail));
    this.sight.observe(image);
  }

  /** @param url null if the picture cannot be shown */
  receive(key: string, url: string | null): void {
    for (const thumbnail of this.waiting.get(key) ?? []) thumbnail.receive(url);
    this.waiting.delete(key);
  }

  private ask(image: Element): void {
    this.sight.unobserve(image);
    const key = this.thumbnails.get(image)?.props.picture.key;
    if (key !== undefined && this.waiting.has(key)) this.post({ type: 'picture', key });
  }
}

interface ThumbnailProps {
  readonly picture: PictureView;
  readonly label: string;
  readonly pictures: Pictures;
}

/** A small picture that opens in the editor, or an icon if the picture cannot be shown. It always shows the same picture. */
class Thumbnail extends Component<ThumbnailProps> {
  static override styles = css`
    cb-thumbnail {
      display: contents;
    }
  `;
  /** Undefined until the host sends it; null if the picture cannot be shown. */
  private url: string | null | undefined;

  receive(url: string | null): void {
    this.url = url;
    this.requestUpdate();
  }

  protected override firstUpdated(): void {
    const image = this.querySelector('img');
    if (image !== null) this.props.pictures.await(this, image);
  }

  protected override render(): TemplateResult {
    const { picture, label, pictures } = this.props;
    const { key, size } = picture;
    if (size === undefined)
      return html`<span class="thumbnail" title=${words.notHere}>${iconTemplate('picture')}</span>`;
    const name = words.open({ label });
    return html`<button
      type="button"
      class="thumbnail"
      aria-label=${name}
      title=${name}
      @click=${() => pictures.post({ type: 'open-picture', key })}
    >
      ${
        this.url === null
          ? iconTemplate('picture')
          : html`<img alt="" src=${this.url ?? nothing} width=${size.width} height=${size.height} />`
      }
    </button>`;
  }
}

export const thumbnail = component('cb-thumbnail', Thumbnail);

/** The size of a picture and its tokens, as far as known. */
export function pictureFacts({ size, tokens }: PictureView): string {
  return [
    size === undefined ? '' : words.size({ width: size.width, height: size.height }),
    tokens === undefined ? '' : strings.tokensOf({ count: tokens }),
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
}
