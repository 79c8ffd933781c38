import type { ModelSettings } from '../../../src/extension/models/model-provider.ts';
import { readSettings } from '../../../src/presenters/settings/read-settings.ts';

/** Default settings with a test's overrides. */
export function modelSettings(set: Partial<ModelSettings> = {}): ModelSettings {
  return { ...readSettings(() => undefined), ...set };
}
