import { createBudget, type BudgetSettings } from '../../compaction/budget/budget.ts';
import { orCancelled, throwIfCancelled } from '../../compaction/cancellation.ts';
import { undoneTogether } from '../../compaction/record.ts';
import { sum, type UsageMeter } from '../../compaction/tokens/usage.ts';
import { messagesOf, transcriptOf } from '../../compaction/transcript.ts';
import { recordsInForce } from '../../compaction/view.ts';
import { ImportError } from '../../transcripts/format.ts';
import { importTranscript } from '../../transcripts/import.ts';
import { withForeignCompactions } from '../../transcripts/imported-record.ts';
import type { InspectedSession } from '../inspector/inspected-session.ts';
import { sessionName } from './session-name.ts';

/** What can be looked at of a session, without anything that would change it. */
export interface ReadOnlySession extends InspectedSession {
  /** What could not be read and was left out, a sentence each. */
  readonly problems: readonly string[];
}

export interface ReadOnlyPorts {
  /** Asked anew for every count: the encoding may have changed. */
  readonly meterOf: () => UsageMeter;
  /** The window and the shares that a session is held against. */
  readonly budget: () => BudgetSettings;
}

/**
 * A session in any format that can be imported, as it is: without a system message of ours, a model, or a file. The
 * compactions that its agent made are records in it.
 *
 * @param name its title where nobody typed anything
 * @throws {ImportError} if the text is in no known format, is broken, or holds no messages
 * @throws {CancelledError} if the signal was aborted
 */
export async function readOnlySession(
  text: string,
  name: string,
  { meterOf, budget }: ReadOnlyPorts,
  signal: AbortSignal,
): Promise<ReadOnlySession> {
  throwIfCancelled(signal);
  const imported = importTranscript(text);
  const messages = messagesOf(imported);
  if (messages.length === 0) throw new ImportError('There are no messages in this session.');
  const { tools, problems } = imported;
  const transcript = transcriptOf(await orCancelled(withForeignCompactions(imported, meterOf()), signal));
  const inForce = recordsInForce(transcript.entries);
  return {
    transcript,
    title: sessionName(messages, name),
    activity: 'idle',
    tools,
    problems,
    compaction: {
      usage: async () => {
        const meter = meterOf();
        return sum([await meter.measureTools(tools), await meter.measure(transcript.view)]);
      },
      get budget() {
        return createBudget(budget());
      },
      undoneWith: (recordId) => undoneTogether(inForce, recordId),
    },
  };
}
