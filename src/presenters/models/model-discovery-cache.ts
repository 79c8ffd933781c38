import type { Discovery } from '../../agent/providers/discovered-models.ts';
import type { DiscoveryProblem } from '../../agent/providers/discovery.ts';
import { phraseOf } from '../../compaction/records/reason.ts';

/** A question to a provider. */
export interface DiscoveryRequest {
  /** The same for the same model at the same place. */
  readonly key: string;
  /** A person may restart the server with another window at any time. */
  readonly canChange: boolean;
  readonly ask: () => Promise<Discovery | DiscoveryProblem>;
}

interface Answer {
  readonly found: Discovery | undefined;
  readonly problem: DiscoveryProblem | undefined;
  /** In milliseconds, when it came. */
  readonly at: number;
}

/** Milliseconds after which an answer that can change, or a failure, is worth another question. */
const freshFor = 60_000;

/** Caches providers' answers about their models until they may be outdated. */
export class ModelDiscoveryCache {
  private readonly changed: () => void;
  private readonly now: () => number;
  private readonly answers = new Map<string, Answer>();
  private readonly asked = new Map<string, Promise<void>>();

  /** @param changed something is known now that was not before, or otherwise */
  constructor(changed: () => void, now: () => number) {
    this.changed = changed;
    this.now = now;
  }

  find(key: string): Discovery | undefined {
    return this.answers.get(key)?.found;
  }

  problemOf(key: string): DiscoveryProblem | undefined {
    return this.answers.get(key)?.problem;
  }

  /** Resolves once there is an answer to go by. One that may be out of date is requested again meanwhile. */
  async ensure(question: DiscoveryRequest): Promise<void> {
    const answer = this.answers.get(question.key);
    if (answer === undefined || answer.found?.isUnsettled === true) return this.ask(question);
    const isOld = Math.abs(this.now() - answer.at) >= freshFor;
    if (isOld && (question.canChange || answer.problem !== undefined)) void this.ask(question);
  }

  /** Asks if there is no good answer yet. Whatever failed before may have been put right since. */
  retry(question: DiscoveryRequest): Promise<void> {
    const answer = this.answers.get(question.key);
    const isGood = answer !== undefined && answer.problem === undefined && answer.found?.isUnsettled !== true;
    return isGood ? Promise.resolve() : this.ask(question);
  }

  private ask(question: DiscoveryRequest): Promise<void> {
    const { key } = question;
    const running = this.asked.get(key) ?? this.answerTo(question).finally(() => this.asked.delete(key));
    this.asked.set(key, running);
    return running;
  }

  private async answerTo({ key, ask }: DiscoveryRequest): Promise<void> {
    const said = await ask().catch(asProblem);
    const before = this.answers.get(key);
    const isProblem = 'problem' in said;
    const found = isProblem ? before?.found : keeping(before?.found, said);
    this.answers.set(key, { found, problem: isProblem ? said : undefined, at: this.now() });
    const after = this.answers.get(key);
    if (shownOf(before) !== shownOf(after)) this.changed();
  }
}

/** Nothing depends on facts that were not found out, so their absence stops nothing. */
function asProblem(error: unknown): DiscoveryProblem {
  return { problem: 'unreachable', message: phraseOf(error) };
}

/** A window that was seen once is the best that is known while the model is not loaded. */
function keeping(before: Discovery | undefined, said: Discovery): Discovery {
  if (said.isUnsettled !== true || before?.window === undefined) return said;
  return { ...before, models: said.models };
}

function shownOf(answer: Answer | undefined): string {
  const { window, maxOutput, label, note, isUnsettled } = answer?.found ?? {};
  return JSON.stringify([window, maxOutput, label, note, isUnsettled, answer?.problem?.message]);
}
