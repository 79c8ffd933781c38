import { CompactionFailure } from '../../compaction/failure.ts';
import type { EnginePorts, OutsidePorts } from '../../compaction/outside/outside-strategy.ts';
import type { Deadline } from './deadline.ts';
import { messageArchive } from './message-archive.ts';

/** All ports of a custom strategy. The time that a model takes does not count against its deadline. */
export function completePorts({ meter, model, originals }: EnginePorts, deadline: Deadline): OutsidePorts {
  return {
    meter,
    model:
      model === undefined
        ? undefined
        : {
            id: model.id,
            window: model.window,
            summarise: (ids, focus) => deadline.during(() => model.summarise(ids, focus)),
            prompt: (prompt) => deadline.during(() => model.prompt(prompt)),
          },
    archive: messageArchive(originals),
    clock: { now: () => Promise.resolve(Date.now()) },
  };
}

/** @param deadline in milliseconds */
export function timeUp(name: string, deadline: number): CompactionFailure {
  return new CompactionFailure('custom-timeout', `${name}: it took longer than ${deadline / 1000} s.`);
}
