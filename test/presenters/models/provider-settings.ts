import type { ModelSettings } from '../../../src/extension/models/model-provider.ts';
import { readSettings } from '../../../src/presenters/settings/read-settings.ts';

/** Settings as they are by default, but for what a test sets. */
export function modelSettings(set: Partial<ModelSettings> = {}): ModelSettings {
  return { ...readSettings(() => undefined), ...set };
}
