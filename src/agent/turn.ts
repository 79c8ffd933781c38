import { askModel } from './model-call.ts';
import { runCalls } from './tool-calls.ts';
import { throwIfStopped, TurnError, type TurnContext } from './turn-context.ts';

/** Model calls in one turn after which the agent stops and asks whether to go on. */
export const mostSteps = 60;

/**
 * Calls the model and runs the tools it asks for, until it answers without calling any.
 *
 * @throws {ModelError} when the model failed
 * @throws {CancelledError} when the signal was aborted; what was said until then is in the transcript
 * @throws {TurnError} when the turn cannot go on for another reason
 */
export async function runTurn(context: TurnContext, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < mostSteps; step++) {
    await context.pause(signal);
    await context.compaction.check(signal);
    throwIfStopped(signal);
    const { messageId, calls } = await askModel(context, signal);
    if (calls.length === 0) {
      await context.compaction.check(signal);
      return;
    }
    context.setActivity('tools');
    await runCalls(messageId, calls, context, signal);
    await context.calledAll();
  }
  throw new TurnError(
    `The agent made ${mostSteps} model calls without coming to an end. Retry to let it go on.`,
  );
}
