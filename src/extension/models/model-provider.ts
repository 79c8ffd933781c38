import type { Models } from '../../agent/session.ts';
import { createBudget, type BudgetSettings } from '../../compaction/budget/budget.ts';
import { factsOfModel } from '../../compaction/budget/model-table.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { ApiKeys } from './api-keys.ts';
import { chooseModel, type ModelChoice } from './model-choice.ts';
import { summaryModelBeside } from './summary-model.ts';

/** Makes the models that settings name, and loads their code when the first one is needed. */
export class ModelProvider {
  private readonly keys: ApiKeys;
  private readonly settings: () => Settings;
  private hasKey = false;

  constructor(keys: ApiKeys, settings: () => Settings) {
    this.keys = keys;
    this.settings = settings;
  }

  /** Looks up whether there is a key for the endpoint. Called at the start and whenever that may have changed. */
  async refresh(): Promise<void> {
    this.hasKey = (await this.keys.get(this.settings().baseUrl)) !== undefined;
  }

  get choice(): ModelChoice {
    return chooseModel(this.settings(), this.hasKey);
  }

  /** What the window is shared out by, for the model that answers. */
  get budget(): BudgetSettings {
    const { ratios, triggers, reservedOutput } = this.settings();
    const { window, maxOutput, cache, isStandIn } = this.choice;
    return {
      ...ratios,
      ...triggers,
      reservedOutput,
      window,
      maxOutput,
      cachePrice: cache,
      isApproximate: isStandIn,
    };
  }

  /** Why the settings of the window do not fit together, a sentence each. */
  get problems(): readonly string[] {
    const { window, reservedOutput } = this.settings();
    if (reservedOutput === undefined || this.choice.window === undefined) return [];
    const budget = createBudget(this.budget);
    if (budget.reservedOutput === reservedOutput) return [];
    const size = window ?? this.choice.window;
    return [
      `contextBudget.reservedOutput (${reservedOutput}) leaves too little of a window of ${size} tokens; ${budget.reservedOutput} is used.`,
    ];
  }

  async models(): Promise<Models> {
    await this.refresh();
    const { choice } = this;
    if (choice.isOffline) {
      const { OfflineModel } = await import('../../agent/offline/offline-model.ts');
      const chat = new OfflineModel({ window: choice.window });
      return { chat, named: () => chat };
    }
    const { baseUrl, model, compactionModel, models } = this.settings();
    const apiKey = await this.keys.get(baseUrl);
    const { OpenaiModel } = await import('../../agent/openai/openai-model.ts');
    const make = (name: string, window: number | undefined) =>
      new OpenaiModel({ baseUrl, apiKey, model: name, window });
    const chat = make(model, choice.window);
    const named = (name: string) =>
      name === model ? chat : summaryModelBeside(chat, make(name, factsOfModel(name, models).window));
    return { chat, compaction: compactionModel === '' ? chat : named(compactionModel), named };
  }
}
