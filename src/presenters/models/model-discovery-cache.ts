import type { Discovery } from '../../agent/providers/discovered-models.ts';
import type { DiscoveryProblem } from '../../agent/providers/discovery.ts';
import { phraseOf } from '../../compaction/records/reason.ts';

/** A request to a provider for facts about a model. */
export interface DiscoveryRequest {
  /** Key of the request. Requests about the same model at the same place have the same key. */
  readonly key: string;
  /** True if users may restart the server with another window at any time. */
  readonly canChange: boolean;
  readonly ask: () => Promise<Discovery | DiscoveryProblem>;
}

interface Answer {
  readonly found: Discovery | undefined;
  readonly problem: DiscoveryProblem | undefined;
  /** Time of the answer in milliseconds since 1970. */
  readonly at: number;
}

/** Milliseconds after which a request is repeated if it failed or if the answer can change. */
const freshFor = 60_000;

/** Caches the facts that providers report about models, until they may be outdated. */
export class ModelDiscoveryCache {
  private readonly changed: () => void;
  private readonly now: () => number;
  private readonly answers = new Map<string, Answer>();
  private readonly asked = new Map<string, Promise<void>>();

  /** @param changed called when facts are new or different */
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

  /** Resolves when an answer is available. An outdated answer is used while a new one is requested. */
  async ensure(question: DiscoveryRequest): Promise<void> {
    const answer = this.answers.get(question.key);
    if (answer === undefined || answer.found?.isUnsettled === true) return this.ask(question);
    const isOld = Math.abs(this.now() - answer.at) >= freshFor;
    if (isOld && (question.canChange || answer.problem !== undefined)) void this.ask(question);
  }

  /** Repeats the request if it failed last time, because the cause may be gone. */
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

/** Converts an error into a problem, because missing facts must not stop anything. */
function asProblem(error: unknown): DiscoveryProblem {
  return { problem: 'unreachable', message: phraseOf(error) };
}

/** Keeps the earlier window while the model is not loaded, because no better window is known. */
function keeping(before: Discovery | undefined, said: Discovery): Discovery {
  if (said.isUnsettled !== true || before?.window === undefined) return said;
  return { ...before, models: said.models };
}

function shownOf(answer: Answer | undefined): string {
  const { window, maxOutput, label, note, isUnsettled } = answer?.found ?? {};
  return JSON.stringify([window, maxOutput, label, note, isUnsettled, answer?.problem?.message]);
}
