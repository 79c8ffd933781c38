import { longestMatch } from '../text/longest-match.ts';
import type { ContentPart } from '../messages/message.ts';
import type { ImageHeader } from './image-header.ts';
import { imageHeaderOf } from './image-part.ts';
import { isRecord } from '../../language/is-record.ts';

/**
 * A provider's rule for the tokens of an image.
 *
 * - `tiles`: OpenAI, "Images and vision", "GPT-4o, GPT-4.1, GPT-4o-mini, CUA, and o-series (except o4-mini)": the image
 *   is scaled into 2,048 × 2,048, its shorter side to 768, and covered with tiles of 512 × 512; in low detail only
 *   `base` applies.
 * - `patches`: the same page, "GPT-4.1-mini, GPT-4.1-nano, o4-mini": patches of 32 × 32, at most 1,536, times a factor.
 * - `area`: Anthropic, "Vision": width × height / 750; larger images are scaled to 1,568 a side and about 1,600 tokens.
 * - `crops`: Google, "Understand and count tokens" and "Image understanding" for Gemini 1.5 to 2.5: 258
 *   tokens up to 384 × 384, otherwise 258 for each square of two thirds of the shorter side (256 to 768).
 * - `fixed`: Google, "Media resolution" for Gemini 3: every image takes the same number of tokens.
 */
export type ImageRule =
  | { readonly by: 'tiles'; readonly base: number; readonly tile: number }
  | { readonly by: 'patches'; readonly factor: number }
  | { readonly by: 'area' }
  | { readonly by: 'crops' }
  | { readonly by: 'fixed'; readonly tokens: number };

export interface ImageFacts {
  readonly rule: ImageRule;
  /** False if the model accepts no images; undefined if unknown. */
  readonly isTaken: boolean | undefined;
}

const tiles = (base: number, tile: number): ImageFacts => ({
  rule: { by: 'tiles', base, tile },
  isTaken: true,
});
const patches = (factor: number): ImageFacts => ({ rule: { by: 'patches', factor }, isTaken: true });

/** GPT-4o's rule, also used for models with unknown rules. */
export const defaultImageRule: ImageRule = { by: 'tiles', base: 85, tile: 170 };

const taken: ImageFacts = { rule: defaultImageRule, isTaken: true };
const refused: ImageFacts = { rule: defaultImageRule, isTaken: false };

/** Models by the beginning of their names; numbers from the pages that `ImageRule` names. */
const knownModels: readonly (readonly [beginning: string, facts: ImageFacts])[] = Object.entries({
  'gpt-5': tiles(70, 140),
  // Endpoints report 1.2 tokens per patch for later models.
  'gpt-5.': patches(1.2),
  'gpt-5.1': tiles(70, 140),
  'gpt-5-mini': patches(1.62),
  'gpt-5-nano': patches(2.46),
  'gpt-4.1': taken,
  'gpt-4.1-mini': patches(1.62),
  'gpt-4.1-nano': patches(2.46),
  'gpt-4o': taken,
  'gpt-4o-mini': tiles(2_833, 5_667),
  'gpt-4-turbo': taken,
  chatgpt: taken,
  o1: tiles(75, 150),
  'o1-mini': refused,
  'o1-preview': refused,
  o3: tiles(75, 150),
  'o3-mini': refused,
  'o4-mini': patches(1.72),
  'gpt-3.5': refused,
  'gpt-oss': refused,
  claude: { rule: { by: 'area' }, isTaken: true },
  'claude-2': { rule: { by: 'area' }, isTaken: false },
  'claude-instant': { rule: { by: 'area' }, isTaken: false },
  gemini: { rule: { by: 'crops' }, isTaken: true },
  'gemini-3': { rule: { by: 'fixed', tokens: 1_120 }, isTaken: true },
});

const unknownModel: ImageFacts = { rule: defaultImageRule, isTaken: undefined };

/** Looks a model up by its name, with or without the provider's prefix (`openai/gpt-5`). */
export function imageFactsOf(model: string): ImageFacts {
  return longestMatch(knownModels, model) ?? unknownModel;
}

/** Tokens assumed for an image of unknown size: 1,024 × 1,024 by GPT-4o's rule (85 + 4 × 170). */
export const unknownImageTokens = 765;

export function imageTokensOf(part: ContentPart, rule: ImageRule): number {
  const header = imageHeaderOf(part);
  if (header === undefined) return rule.by === 'fixed' ? rule.tokens : unknownImageTokens;
  const { image_url: image } = part;
  return imageTokens(header, rule, isRecord(image) && image['detail'] === 'low');
}

/** @param isLow true if the image is sent in low detail, which only some providers support */
export function imageTokens(
  { width, height }: Pick<ImageHeader, 'width' | 'height'>,
  rule: ImageRule,
  isLow = false,
): number {
  switch (rule.by) {
    case 'tiles': {
      if (isLow) return rule.base;
      const inBox = Math.min(1, 2_048 / Math.max(width, height));
      const scale = inBox * Math.min(1, 768 / (Math.min(width, height) * inBox));
      return rule.base + rule.tile * covering(width * scale, height * scale, 512);
    }
    case 'patches':
      return Math.ceil(patchesOf(width, height) * rule.factor);
    case 'area': {
      const scale = Math.min(1, 1_568 / Math.max(width, height));
      return Math.min(1_600, Math.ceil((width * scale * height * scale) / 750));
    }
    case 'crops': {
      if (width <= 384 && height <= 384) return 258;
      const side = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
      return 258 * covering(width, height, side);
    }
    case 'fixed':
      return rule.tokens;
  }
}

const mostPatches = 1_536;

/** Counts the patches of 32 × 32 that cover an image. OpenAI scales the image down if there are too many. */
function patchesOf(width: number, height: number): number {
  if (covering(width, height, 32) <= mostPatches) return covering(width, height, 32);
  const scale = Math.sqrt((32 * 32 * mostPatches) / (width * height));
  const [across, down] = [(width * scale) / 32, (height * scale) / 32];
  const fitted = scale * Math.min(Math.floor(across) / across, Math.floor(down) / down);
  return Math.min(mostPatches, covering(width * fitted, height * fitted, 32));
}

/** Counts the squares that cover an area. Ignores tiny fractions that scaling leaves. */
function covering(width: number, height: number, side: number): number {
  const along = (length: number) => Math.max(1, Math.ceil(length / side - 1e-9));
  return along(width) * along(height);
}
