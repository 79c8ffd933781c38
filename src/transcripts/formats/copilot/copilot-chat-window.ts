import { isRecord } from '../../../language/is-record.ts';
import { readJsonAt } from '../../reading/json-head.ts';

const selectedModel = /"selectedModel"(?:\],\s*"v")?\s*:\s*(?=\{)/gu;
/** Maximum characters of a selected model. */
const longestModel = 20_000;

/**
 * The window of the model selected in a chat, by the rule of VS Code's own meter: the maximum input, as set by the
 * user, plus the maximum output. Source: `resolveContextWindow` in
 * `src/vs/workbench/contrib/chat/browser/widgetHosts/viewPane/chatContextUsageWidget.ts` of VS Code.
 *
 * @returns undefined if the text does not contain it
 */
export function copilotChatWindow(text: string): number | undefined {
  const found = [...text.matchAll(selectedModel)].at(-1);
  if (found === undefined) return undefined;
  return windowOfSelection(readJsonAt(text, found.index + found[0].length, longestModel));
}

/** Like `copilotChatWindow`, for the `selectedModel` of a parsed chat. */
export function windowOfSelection(selected: unknown): number | undefined {
  const { metadata, modelConfiguration } = isRecord(selected) ? selected : {};
  const { maxInputTokens, maxOutputTokens, configurationSchema } = isRecord(metadata) ? metadata : {};
  const { properties } = isRecord(configurationSchema) ? configurationSchema : {};
  const { contextSize } = isRecord(properties) ? properties : {};
  const input = [
    isRecord(modelConfiguration) ? modelConfiguration['contextSize'] : undefined,
    isRecord(contextSize) ? contextSize['default'] : undefined,
    maxInputTokens,
  ].find((tokens) => typeof tokens === 'number');
  if (typeof input !== 'number' || typeof maxOutputTokens !== 'number') return undefined;
  return input > 0 && maxOutputTokens > 0 ? input + maxOutputTokens : undefined;
}
