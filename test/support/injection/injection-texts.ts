import { carryingTexts } from './carrying-texts.ts';
import { frameTexts } from './frame-texts.ts';
import { writingTexts } from './writing-texts.ts';

/** Foreign texts by kind. Each pretends to be by someone else, hides something, or sends data away. */
export const injectionTexts: Readonly<Record<string, readonly string[]>> = {
  ...frameTexts,
  ...writingTexts,
  ...carryingTexts,
};

/** The texts in one list, each with its kind. */
export const allInjectionTexts: readonly { readonly kind: string; readonly text: string }[] = Object.entries(
  injectionTexts,
).flatMap(([kind, texts]) => texts.map((text) => ({ kind, text })));
