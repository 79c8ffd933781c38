import { OfflineModel } from '../agent/offline/offline-model.ts';
import { baseUrlAdvice, baseUrlProblem } from '../agent/network/base-url.ts';
import type { SummaryModel } from '../compaction/summary/model.ts';
import { UsageError } from './command.ts';
import { PreparedReplies } from './replies.ts';

export interface ModelChoice {
  /** Contents of the file of prepared replies. */
  readonly replies: unknown;
  readonly baseUrl: string | undefined;
  readonly name: string | undefined;
}

/**
 * The model that summarises: prepared replies, an OpenAI-compatible endpoint (its key in `OPENAI_API_KEY`), or the
 * offline summariser.
 *
 * @returns a function from the name of a model, where a strategy asks for another one, to that model
 * @throws {UsageError} where the choices do not fit together
 */
export async function chooseModel(
  choice: ModelChoice,
  window: number,
): Promise<(name?: string) => SummaryModel> {
  if (choice.replies !== undefined) {
    const replies = new PreparedReplies(choice.replies, window);
    return () => replies;
  }
  const { baseUrl, name: model } = choice;
  if (baseUrl === undefined) {
    if (model !== undefined) throw new UsageError('--model needs --base-url.');
    const offline = new OfflineModel({ window });
    return () => offline;
  }
  if (model === undefined) throw new UsageError('--base-url needs --model NAME.');
  const problem = baseUrlProblem(baseUrl);
  if (problem === 'no-url') throw new UsageError(`--base-url must be a URL, not "${baseUrl}".`);
  if (problem !== undefined) throw new UsageError(baseUrlAdvice[problem]);
  const { OpenaiModel } = await import('../agent/openai/openai-model.ts');
  const apiKey = process.env['OPENAI_API_KEY'];
  return (name = model) => new OpenaiModel({ baseUrl, apiKey, model: name, window });
}
