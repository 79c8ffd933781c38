import { defaultImageRule, type ImageRule } from '../../compaction/images/image-tokens.ts';
import type { EncodingName } from '../../compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import type { Counting, EngineChannel } from './engine-calls.ts';
import type { EngineCopies, EngineWork, TaskHost } from './engine-copies.ts';

/** The engine of this window. Works on copies of sessions without blocking the host, and starts with its first use. */
export class EngineClient {
  private readonly script: URL;
  private readonly warn: (message: string) => void;
  private readonly meters = new Map<string, UsageMeter>();
  private readonly countings = new WeakMap<UsageMeter, Counting>();
  private copies: Promise<EngineCopies> | undefined;

  /** @param script the bundled `engine-worker.js` @param warn writes a line to the log */
  constructor(script: URL, warn: (message: string) => void) {
    this.script = script;
    this.warn = warn;
  }

  /** Returns the meter of an encoding and an image rule: always the same object, so that its counts are reused. */
  meterOf(encoding: EncodingName, imageRule: ImageRule = defaultImageRule): UsageMeter {
    const key = JSON.stringify([encoding, imageRule]);
    let meter = this.meters.get(key);
    if (meter === undefined) {
      const count = async (texts: readonly string[]) => (await this.loaded()).count(encoding, texts);
      const running = async () => (await this.loaded()).running(encoding);
      meter = new UsageMeter({ count, running }, { countsReasoning: false, imageRule, vocabulary: encoding });
      this.meters.set(key, meter);
      this.countings.set(meter, { encoding, imageRule });
    }
    return meter;
  }

  /** Lets the engine work on the current state of a session. @param meter a meter of this engine */
  async on<T>(
    session: string,
    transcript: Pick<Transcript, 'entries'>,
    meter: UsageMeter,
    work: EngineWork<T>,
  ): Promise<T> {
    return (await this.loaded()).on({ session, transcript, meter, counting: this.countingOf(meter) }, work);
  }

  /** Lets the engine work without a session, counting by the rules of a meter. */
  async run<T>(
    meter: UsageMeter,
    work: (channel: EngineChannel, counting: Counting) => Promise<T>,
  ): Promise<T> {
    const counting = this.countingOf(meter);
    return (await this.loaded()).run((channel) => work(channel, counting));
  }

  /** Begins a task that the host can stop and that may call the host. @param work gets the number of the task */
  async task<T>(host: TaskHost, work: (task: number) => Promise<T>): Promise<T> {
    return (await this.loaded()).task(host, work);
  }

  async dispose(): Promise<void> {
    await (await this.copies)?.dispose();
  }

  private countingOf(meter: UsageMeter): Counting {
    const counting = this.countings.get(meter);
    if (counting === undefined) throw new Error('The meter is not one of this engine.');
    return counting;
  }

  private loaded(): Promise<EngineCopies> {
    this.copies ??= import('./engine-copies.ts').then(
      ({ EngineCopies }) => new EngineCopies(this.script, this.warn),
    );
    return this.copies;
  }
}
