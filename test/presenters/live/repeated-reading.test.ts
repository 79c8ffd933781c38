import { beforeEach, describe, expect, it } from 'vitest';
import { RepeatedReading } from '../../../src/presenters/live/repeated-reading.ts';

describe('a file that is read after each change', () => {
  let failures: unknown[];
  let pauses: number;
  let stopper: AbortController;
  beforeEach(() => {
    failures = [];
    pauses = 0;
    stopper = new AbortController();
  });
  /**
   * @param outcomes of successive readings: the reason of a failure, or undefined
   * @param meanwhile callbacks to run between readings, one per pause
   */
  const reading = (
    outcomes: readonly (string | undefined)[],
    meanwhile: readonly (() => void)[] = [],
  ): { readonly file: RepeatedReading; readonly readings: () => number } => {
    let readings = 0;
    const readOnce = () => {
      const reason = outcomes[readings++];
      return reason === undefined ? Promise.resolve() : Promise.reject(new Error(reason));
    };
    const pause = () => Promise.resolve(meanwhile[pauses++]?.());
    const file = new RepeatedReading(
      readOnce,
      { failed: (error) => failures.push((error as Error).message), pause },
      stopper.signal,
    );
    return { file, readings: () => readings };
  };

  it('is read again if a reading fails, and not reported if the second reading succeeds', async () => {
    const { file, readings } = reading(['empty', undefined]);
    await file.look();
    expect({ failures, readings: readings() }).toEqual({ failures: [], readings: 2 });
  });

  it('is reported as unreadable if it is still unreadable after a pause', async () => {
    const { file, readings } = reading(['empty', 'half-written']);
    await file.look();
    expect({ failures, readings: readings() }).toEqual({ failures: ['half-written'], readings: 2 });
  });

  it('is read again after a pause for each change', async () => {
    const changes = [0, 1].map(() => () => void file.look());
    const { file, readings } = reading(['a', 'b', 'c', 'd'], changes);
    await file.look();
    expect({ failures, readings: readings() }).toEqual({ failures: ['d'], readings: 4 });
  });

  it('is reported as unreadable only once until it can be read or fails in another way', async () => {
    const looks = ['a', 'a', 'b', undefined, 'b'];
    const { file } = reading(looks.flatMap((reason) => (reason === undefined ? [reason] : [reason, reason])));
    for (const _ of looks) await file.look();
    expect(failures).toEqual(['a', 'b', 'b']);
  });

  it('is not read or reported once it is no longer needed', async () => {
    const { file, readings } = reading(['a', 'a'], [() => stopper.abort()]);
    await file.look();
    await file.look();
    expect({ failures, readings: readings() }).toEqual({ failures: [], readings: 1 });
  });
});
