import { describe, expect, it } from 'vitest';
import { contentOfParts, textOfParts } from '../../../src/transcripts/reading/content-parts.ts';

const text = { type: 'text', text: 'see' };
const pictures = {
  Anthropic: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
  Pi: { type: 'image', mimeType: 'image/png', data: 'AAAA' },
  'OpenAI chat': { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
  'OpenAI responses': { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
};

describe('the content of a message of an agent', () => {
  it('is a string, or the joined texts of its parts', () => {
    for (const read of [textOfParts, contentOfParts]) {
      expect(read('see')).toBe('see');
      expect(read([text, { type: 'thinking', thinking: 'hm' }, text])).toBe('see\nsee');
      expect(read([])).toBe('');
    }
  });

  it.each(Object.entries(pictures))('contains a picture in the form of %s', (_, picture) => {
    expect(contentOfParts([text, picture])).toEqual([
      text,
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ]);
    expect(textOfParts([text, picture])).toBe('see\n[image]');
  });

  it.each([
    { type: 'image' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png' } },
    { type: 'image_url', image_url: {} },
    { type: 'input_image', image_url: null },
  ])('contains a placeholder for a picture without data: %j', (picture) => {
    expect(contentOfParts([text, picture])).toEqual([text, { type: 'image_url', image_url: { url: '' } }]);
    expect(textOfParts([text, picture])).toBe('see\n[image]');
  });

  it.each([undefined, null, 3, { text: 'see' }])('is undefined for %j', (value) => {
    expect(textOfParts(value)).toBeUndefined();
    expect(contentOfParts(value)).toBeUndefined();
  });
});
