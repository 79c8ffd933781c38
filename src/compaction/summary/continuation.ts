import type { Trigger } from '../record.ts';
import type { ContinuedRequest } from './model.ts';

/**
 * The chat's own request, where a summary can be asked for behind it: not of another model, which has nothing of it in
 * its cache, and not where the provider has just refused that very request as too long.
 */
export function continuationOf(
  input: ContinuedRequest & { readonly trigger: Trigger; readonly options: { readonly model: string } },
): ContinuedRequest | undefined {
  const { view, tools, trigger, options } = input;
  return options.model === '' && trigger.source !== 'overflow' ? { view, tools } : undefined;
}
