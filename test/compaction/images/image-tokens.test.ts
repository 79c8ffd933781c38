import { describe, expect, it } from 'vitest';
import {
  defaultImageRule,
  imageFactsOf,
  imageTokens,
  imageTokensOf,
  unknownImageTokens,
} from '../../../src/compaction/images/image-tokens.ts';
import { imagePart } from '../../../src/compaction/images/image-part.ts';
import { pngOf } from '../../support/pictures.ts';

const tokensOf = (model: string, width: number, height: number, isLow = false) =>
  imageTokens({ width, height }, imageFactsOf(model).rule, isLow);

describe('the tokens of an image', () => {
  it.each([
    // OpenAI's page gives the first five as examples.
    ['gpt-4o', 1024, 1024, 765],
    ['gpt-4o', 2048, 4096, 1105],
    ['gpt-4.1', 512, 512, 255],
    ['gpt-4.1-mini', 1024, 1024, Math.ceil(1024 * 1.62)],
    ['gpt-4.1-mini', 1800, 2400, Math.ceil(1452 * 1.62)],
    ['gpt-4o-mini', 1024, 1024, 2833 + 4 * 5667],
    ['gpt-5', 1024, 1024, 70 + 4 * 140],
    ['o3', 1024, 1024, 75 + 4 * 150],
    ['gpt-5-mini', 10, 10, 2],
    // Anthropic's page: 200 × 200, 1000 × 1000, and the largest that is not scaled down.
    ['claude-sonnet-4-5', 200, 200, 54],
    ['anthropic/claude-3.5-sonnet', 1000, 1000, 1334],
    ['claude-opus-4', 8000, 8000, 1600],
    ['claude-opus-4', 8000, 80, 33],
    // Google's pages: small ones, and 960 × 540 in six tiles.
    ['gemini-2.5-pro', 384, 384, 258],
    ['gemini-2.5-pro', 960, 540, 6 * 258],
    ['google/gemini-3-pro', 4000, 3000, 1120],
  ])('follow the rule of the provider: %s, %i × %i', (model, width, height, tokens) => {
    expect(tokensOf(model, width, height)).toBe(tokens);
  });

  it('are few in low detail if the provider supports it', () => {
    expect(tokensOf('gpt-4o', 2048, 4096, true)).toBe(85);
    const part = imagePart({ type: 'image/png', base64: Buffer.from(pngOf(2048, 4096)).toString('base64') });
    const low = { ...part, image_url: { ...(part['image_url'] as object), detail: 'low' } };
    expect(imageTokensOf(low, defaultImageRule)).toBe(85);
  });

  it.each(['gpt-4o', 'gpt-4.1-mini', 'claude', 'gemini-2.5-pro'])(
    'are limited for an image one pixel wide: %s',
    (model) => {
      expect(tokensOf(model, 1, 100_000)).toBeLessThan(300_000);
      expect(tokensOf(model, 1, 1)).toBeGreaterThan(0);
    },
  );

  it.each([
    ['at another address', 'https://example.org/a.png'],
    ['damaged', 'data:image/png;base64,AAAA'],
    ['missing', 'data:image/png;base64,'],
  ])('are those of a medium-sized image if the data is %s', (_, url) => {
    const part = { type: 'image_url', image_url: { url } };
    expect(imageTokensOf(part, defaultImageRule)).toBe(unknownImageTokens);
  });
});

describe('imageFactsOf', () => {
  it.each([
    ['gpt-4o-2024-11-20', true],
    ['openai/gpt-5-mini', true],
    ['claude-haiku-4.5', true],
    ['gpt-3.5-turbo', false],
    ['o3-mini', false],
    ['my-own-model', undefined],
  ])('states whether %s accepts images: %s', (model, isTaken) => {
    expect(imageFactsOf(model).isTaken).toBe(isTaken);
  });
});
