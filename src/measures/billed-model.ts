import type { SummaryModel, SummaryReply, SummaryRequest } from '../compaction/summary/model.ts';
import type { UsageMeter } from '../compaction/tokens/usage.ts';
import type { CacheAccount } from './cache-account.ts';

/**
 * A model for summaries whose requests are billed, failed ones included. A prompt is plain input, what comes back is
 * output. A request that continues the agent's own finds that one's prefix in the cache. A summariser that reads messages instead of a
 * prompt is billed for these messages, as a model that reads prompts would have been.
 *
 * @param isChatModel whether it stands for the model of the chat, whose requests a summary continues where it can
 */
export function billedModel(
  model: SummaryModel,
  account: CacheAccount,
  meter: UsageMeter,
  isChatModel: boolean,
): SummaryModel {
  const promptTokens = async ({ instructions, prompt, sources }: SummaryRequest): Promise<number> => {
    const [instruction = 0, task = 0] = await meter.countTexts([instructions, prompt]);
    return prompt === '' ? instruction + (await meter.measure(sources)).total : instruction + task;
  };
  const billRequest = async (request: SummaryRequest): Promise<void> => {
    const { continues } = request;
    if (continues === undefined) account.plain(await promptTokens(request));
    else await account.aside(continues.view, await meter.countText(request.prompt));
  };
  const billReply = async ({ content, usage }: SummaryReply): Promise<void> => {
    account.output(usage?.outputTokens ?? (await meter.countText(content)));
  };
  const native = model.compactNatively?.bind(model);
  return {
    id: model.id,
    window: model.window,
    ...(model.readsSources === undefined ? {} : { readsSources: model.readsSources }),
    continuesRequests: isChatModel,
    summarise: async (request, signal) => {
      await billRequest(request);
      const reply = await model.summarise(request, signal);
      await billReply(reply);
      return reply;
    },
    ...(native === undefined
      ? {}
      : {
          compactNatively: async (messages, signal) => {
            account.plain((await meter.measure(messages)).total);
            return native(messages, signal);
          },
        }),
  };
}
