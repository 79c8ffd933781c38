import type { EncodingName } from '../tokens/encoding.ts';
import type { CachePrice } from './cost.ts';

/** Dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number | undefined;
}

/** What is known of a model. What nobody knows is not there: no window and no price is made up. */
export interface ModelFacts {
  /** Tokens of input and output together. */
  readonly window?: number | undefined;
  /** Tokens that a reply may take at most. */
  readonly maxOutput?: number | undefined;
  readonly price?: ModelPrice | undefined;
  /** What the provider's prompt cache charges. */
  readonly cache?: CachePrice | undefined;
  /** What its tokens are counted with. */
  readonly encoding: EncodingName;
  /** The model has a tokenizer of its own, for which the encoding stands in: counts are approximate. */
  readonly isStandIn: boolean;
}

/** What people know better than the table, by the beginning of a model's name. */
export type ModelOverrides = Readonly<Record<string, ModelOverride>>;

export interface ModelOverride {
  readonly window?: number | undefined;
  readonly maxOutput?: number | undefined;
  readonly price?: Partial<ModelPrice> | undefined;
  readonly cache?: Partial<CachePrice> | undefined;
  readonly tokenizer?: EncodingName | undefined;
}
