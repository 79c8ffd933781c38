import { settingsSentences } from '../../language/english/settings-english.ts';
import { clearTextOrigin } from '../../agent/network/base-url.ts';
import type { OpenaiModel } from '../../agent/openai/openai-model.ts';
import type { Discovery } from '../../agent/providers/discovered-models.ts';
import type { DiscoveryProblem } from '../../agent/providers/discovery.ts';
import type { Models } from '../../agent/session/session-ports.ts';
import { type BudgetSettings, createBudget, defaultBackgroundRatio } from '../../compaction/budget/budget.ts';
import { defaultImageRule, type ImageFacts, imageFactsOf } from '../../compaction/images/image-tokens.ts';
import type { SummaryModel } from '../../compaction/summary/summary-model.ts';
import {
  chooseModel,
  endpointOf,
  modelFacts,
  isOffline,
  isWorthAsking,
  type ModelChoice,
  type ProviderSettings,
} from '../../presenters/models/model-choice.ts';
import { type DiscoveryRequest, ModelDiscoveryCache } from '../../presenters/models/model-discovery-cache.ts';
import type { Settings } from '../../presenters/settings/read-settings.ts';
import type { ApiKeys, ClearTextConsent } from './endpoint-access.ts';
import { type Sentence, SentenceError } from '../../language/sentence.ts';

/** All settings on which models and their budget depend. */
export type ModelSettings = ProviderSettings &
  Pick<Settings, 'compactionModel' | 'ratios' | 'triggers' | 'reservedOutput' | 'background'>;

interface ModelProviderPorts {
  /** Called when facts about the model have changed and views must be refreshed. */
  readonly changed: () => void;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
  /** Permissions for servers without encryption. If absent, no permission is ever given. */
  readonly consent?: Pick<ClearTextConsent, 'allows' | 'ask'>;
}

const unobserved: ModelProviderPorts = { changed: () => undefined, now: () => Date.now() };
const noConsent: NonNullable<ModelProviderPorts['consent']> = {
  allows: (baseUrl) => clearTextOrigin(baseUrl) === undefined,
  ask: (baseUrl) => Promise.resolve(clearTextOrigin(baseUrl) === undefined),
};

/** Facts about images for the offline model, which reads only text. */
const imagesOfOffline: ImageFacts = { rule: defaultImageRule, isTaken: false };

/** Creates the configured models, and loads their code on first use. */
export class ModelProvider {
  private readonly keys: ApiKeys;
  private readonly settings: () => ModelSettings;
  private readonly found: ModelDiscoveryCache;
  private readonly ports: ModelProviderPorts;
  private readonly consent: NonNullable<ModelProviderPorts['consent']>;
  /** Created models. They are reused, because each model remembers the options that its server refused. */
  private readonly made = new Map<string, OpenaiModel>();
  /** Models that refused a request because of its images. Later requests to them have no images. */
  private readonly withoutImages = new Set<string>();
  private hasKey = false;
  /** The settings from before a change, while several new settings are still being written. */
  private held: ModelSettings | undefined;

  constructor(keys: ApiKeys, settings: () => ModelSettings, ports = unobserved) {
    this.keys = keys;
    this.settings = () => this.held ?? settings();
    this.ports = ports;
    this.consent = ports.consent ?? noConsent;
    this.found = new ModelDiscoveryCache(ports.changed, ports.now);
  }

  /** Checks whether the endpoint has a key, and starts to ask the provider about the model. */
  async refresh(): Promise<void> {
    await this.lookUpKey(this.settings());
    for (const question of this.questions()) void this.found.retry(question);
  }

  /** Writes several settings that belong together. Labels and requests use the old settings until all are written. */
  async change(write: () => Promise<void>): Promise<void> {
    this.held = this.settings();
    try {
      await write();
    } finally {
      this.held = undefined;
      await this.refresh();
      this.ports.changed();
    }
  }

  get choice(): ModelChoice {
    return this.choiceOf(this.settings(), this.hasKey);
  }

  private choiceOf(settings: ModelSettings, hasKey: boolean): ModelChoice {
    const { key } = this.questionOf(settings.model, settings);
    const choice = chooseModel(settings, hasKey, this.found.find(key));
    const problem = choice.isOffline ? undefined : this.found.problemOf(key)?.message;
    return { ...choice, note: choice.note ?? problem };
  }

  get images(): ImageFacts {
    const settings = this.settings();
    return isOffline(settings, this.hasKey) ? imagesOfOffline : this.imagesOf(settings, settings.model);
  }

  /** Facts about images. The provider's answer takes precedence over the table. */
  private imagesOf(settings: ModelSettings, model: string): ImageFacts {
    const { rule, isTaken } = imageFactsOf(model);
    const { key } = this.questionOf(model, settings);
    if (this.withoutImages.has(key)) return { rule, isTaken: false };
    return { rule, isTaken: this.found.find(key)?.takesImages ?? isTaken };
  }

  /** The configured address that the API key is for, or undefined. */
  get keyUrl(): string | undefined {
    return endpointOf(this.settings())?.baseUrl || undefined;
  }

  get budget(): BudgetSettings {
    const { ratios, triggers, reservedOutput, background } = this.settings();
    const { window, maxOutput, cache, isStandIn } = this.choice;
    return {
      ...ratios,
      backgroundRatio: background ? defaultBackgroundRatio : undefined,
      ...triggers,
      reservedOutput,
      window,
      maxOutput,
      cachePrice: cache,
      isApproximate: isStandIn,
    };
  }

  /** Sentences about settings that contradict each other. */
  get problems(): readonly Sentence[] {
    const problems: Sentence[] = [];
    if (endpointOf(this.settings())?.baseUrl === '') {
      problems.push(settingsSentences.say('azureNeedsBaseUrl'));
    }
    const { window, reservedOutput } = this.settings();
    if (reservedOutput === undefined || this.choice.window === undefined) return problems;
    const budget = createBudget(this.budget);
    if (budget.reservedOutput === reservedOutput) return problems;
    const size = window ?? this.choice.window;
    problems.push(
      settingsSentences.say('reservedTooMuch', {
        reserved: reservedOutput,
        window: size,
        used: budget.reservedOutput,
      }),
    );
    return problems;
  }

  /** Returns the configured models after the provider has answered. Starts again if the settings have changed. */
  async models(): Promise<Models> {
    for (;;) {
      const settings = this.settings();
      const models = await this.modelsOf(settings);
      if (namesOf(this.settings()) === namesOf(settings)) return models;
    }
  }

  private async modelsOf(settings: ModelSettings): Promise<Models> {
    const hasKey = await this.lookUpKey(settings);
    const address = isOffline(settings, hasKey) ? '' : (endpointOf(settings)?.baseUrl ?? '');
    if (!(await this.mayConnect(address))) throw new SentenceError(await unencrypted(address));
    await Promise.all(this.questions(settings, hasKey).map((question) => this.found.ensure(question)));
    const choice = this.choiceOf(settings, hasKey);
    if (choice.isOffline) {
      const { OfflineModel } = await import('../../agent/offline/offline-model.ts');
      const chat = new OfflineModel({ window: choice.window });
      return { chat, named: () => chat };
    }
    const { model, compactionModel } = settings;
    const make = await this.maker(settings);
    const chat = make(model, choice.window);
    const named = (name: string) =>
      name === model ? chat : summaryModelBeside(chat, make(name, this.windowOf(settings, name)));
    return { chat, compaction: compactionModel === '' ? chat : named(compactionModel), named };
  }

  /** True if a server may be contacted. If the connection is not encrypted, the user decides. */
  async mayConnect(baseUrl: string): Promise<boolean> {
    if (this.consent.allows(baseUrl)) return true;
    const isAllowed = await this.consent.ask(baseUrl);
    if (isAllowed) this.ports.changed();
    return isAllowed;
  }

  private async maker(settings: ModelSettings) {
    if (settings.provider === 'vscode') {
      const { vscodeModels } = await import('./vscode-model.ts');
      return vscodeModels();
    }
    const apiKey = await this.key(settings);
    const { OpenaiModel } = await import('../../agent/openai/openai-model.ts');
    return (name: string, window: number | undefined) => {
      const takesImages = this.imagesOf(settings, name).isTaken;
      const options = {
        baseUrl: '',
        ...endpointOf(settings, name),
        apiKey,
        model: name,
        window,
        takesImages,
      };
      const key = JSON.stringify(options);
      const imagesRefused = () => {
        this.withoutImages.add(this.questionOf(name, settings).key);
        this.ports.changed();
      };
      const made = this.made.get(key) ?? new OpenaiModel({ ...options, imagesRefused });
      this.made.set(key, made);
      return made;
    };
  }

  private windowOf(settings: ModelSettings, name: string): number | undefined {
    return modelFacts(settings, name, this.found.find(this.questionOf(name, settings).key)).window;
  }

  /** @returns true if there is a key for the endpoint */
  private async lookUpKey(settings: ModelSettings): Promise<boolean> {
    const hasKey = (await this.key(settings)) !== undefined;
    // A result for another endpoint does not apply to the current endpoint.
    if (namesOf(this.settings()) === namesOf(settings)) this.hasKey = hasKey;
    return hasKey;
  }

  private async key(settings: ModelSettings): Promise<string | undefined> {
    const url = endpointOf(settings)?.baseUrl ?? '';
    return url === '' ? undefined : this.keys.get(url);
  }

  private questions(settings = this.settings(), hasKey = this.hasKey): readonly DiscoveryRequest[] {
    if (isOffline(settings, hasKey)) return [];
    return [...new Set([settings.model, settings.compactionModel])]
      .filter((model) => model !== '' && isWorthAsking(settings, model))
      .map((model) => this.questionOf(model, settings));
  }

  private questionOf(model: string, settings = this.settings()): DiscoveryRequest {
    const endpoint = endpointOf(settings, model);
    // The answer to a request without permission must not be used for a later request with permission.
    const isAllowed = this.consent.allows(endpoint?.baseUrl ?? '');
    const place = [settings.provider === 'vscode', endpoint?.baseUrl, endpoint?.dialect];
    return {
      key: JSON.stringify([...place, model, isAllowed]),
      canChange: endpoint?.setsItsOwnWindow === true,
      ask: () => this.discover(settings, model),
    };
  }

  /** Asks a provider for facts about a model and for its other models. */
  async discover(settings: ProviderSettings, model: string): Promise<Discovery | DiscoveryProblem> {
    if (settings.provider === 'vscode') {
      const { discoverVscodeModels } = await import('./vscode-model.ts');
      return discoverVscodeModels(model);
    }
    const endpoint = endpointOf(settings, model);
    if (endpoint === undefined || endpoint.baseUrl === '') return { models: [] };
    if (!this.consent.allows(endpoint.baseUrl))
      return { problem: 'refused', message: await unencrypted(endpoint.baseUrl) };
    const apiKey = await this.keys.get(endpoint.baseUrl);
    const { discover } = await import('../../agent/providers/discovery.ts');
    return discover({ ...endpoint, apiKey: apiKey?.trim() || undefined }, model);
  }
}

async function unencrypted(baseUrl: string): Promise<Sentence> {
  const { modelsSentences } = await import('../../language/english/models-english.ts');
  return modelsSentences.say('unencrypted', { host: new URL(baseUrl).host });
}

/** The settings that determine the models, as one string for comparisons. */
function namesOf(settings: ModelSettings): string {
  const { provider, baseUrl, model, models, window, api, azureApiVersion, compactionModel } = settings;
  return JSON.stringify([provider, baseUrl, model, models, window, api, azureApiVersion, compactionModel]);
}

/**
 * A model that summarises the chat of another model. It does not continue the chat's requests. The provider's
 * compaction still uses the chat's model.
 */
export function summaryModelBeside(chat: SummaryModel, model: SummaryModel): SummaryModel {
  const compactNatively = chat.compactNatively?.bind(chat);
  return {
    id: model.id,
    window: model.window,
    summarise: (request, signal) => model.summarise(request, signal),
    ...(compactNatively === undefined ? {} : { compactNatively }),
  };
}
