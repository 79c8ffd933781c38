import { acceptanceChinese } from './acceptance-chinese.ts';
import { agentChinese } from './agent-chinese.ts';
import { bridgeChinese } from './bridge-chinese.ts';
import { customChinese } from './custom-chinese.ts';
import { engineChinese } from './engine-chinese.ts';
import { handChinese } from './hand-chinese.ts';
import { hostChinese } from './host-chinese.ts';
import { importsChinese } from './imports-chinese.ts';
import { insightsChinese } from './insights-chinese.ts';
import { liveChinese } from './live-chinese.ts';
import { modelsChinese } from './models-chinese.ts';
import type { AreaTranslations } from '../translations.ts';
import { settingsChinese } from './settings-chinese.ts';
import { summaryChinese } from './summary-chinese.ts';
import { startupChinese } from './startup-chinese.ts';
import { strategyTitlesChinese } from './strategy-titles-chinese.ts';
import { strategiesChinese } from './strategies-chinese.ts';

/** Every area's translations into Simplified Chinese. */
const chineseAreas: readonly AreaTranslations[] = [
  engineChinese,
  acceptanceChinese,
  summaryChinese,
  strategiesChinese,
  strategyTitlesChinese,
  customChinese,
  agentChinese,
  bridgeChinese,
  importsChinese,
  insightsChinese,
  handChinese,
  hostChinese,
  liveChinese,
  modelsChinese,
  settingsChinese,
  startupChinese,
];

/** Simplified Chinese templates by the keys of sentences. */
export const chineseTemplates: ReadonlyMap<string, string> = new Map(
  chineseAreas.flatMap(({ area, table }) =>
    Object.entries(table).map(([key, template]): [string, string] => [`${area}.${key}`, template]),
  ),
);
