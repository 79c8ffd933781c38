import { describe, expect, it } from 'vitest';
import {
  embeddedImage,
  imageHeaderOf,
  imagePart,
  withTextForImages,
} from '../../../src/compaction/images/image-part.ts';
import { pictures } from '../../support/pictures.ts';

describe('a part with an image', () => {
  it('returns the original image', () => {
    const image = { type: 'image/gif', base64: pictures.gif };
    expect(embeddedImage(imagePart(image))).toEqual(image);
  });

  it('has the type that its bytes show, not the declared type', () => {
    const part = imagePart({ type: 'image/svg+xml', base64: pictures.webp });
    expect(imageHeaderOf(part)).toEqual({ type: 'image/webp', width: 7, height: 5 });
  });

  it('has the size of a photograph that begins with a long description', () => {
    const bytes = Buffer.from(pictures.jpeg, 'base64');
    const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(0xfffd)]);
    const photograph = Buffer.concat([bytes.subarray(0, 2), segment, bytes.subarray(2)]);
    const part = imagePart({ type: 'image/jpeg', base64: photograph.toString('base64') });
    expect(imageHeaderOf(part)).toMatchObject({ width: 7, height: 5 });
  });

  it('can be replaced with a text', () => {
    const part = imagePart({ type: 'image/png', base64: pictures.png });
    const said = { type: 'text', text: 'Look' };
    expect(withTextForImages([said, part], 'gone')).toEqual([said, { type: 'text', text: 'gone' }]);
    const plain = [said];
    expect(withTextForImages(plain, 'gone')).toBe(plain);
  });
});
