import { commandChinese, startupChinese } from './commands-chinese.ts';
import { modelsChinese, settingsChinese } from './models-chinese.ts';
import { importsChinese, liveChinese, bridgeChinese } from './imports-chinese.ts';
import { engineChinese, acceptanceChinese, summaryChinese, customChinese } from './engine-chinese.ts';
import { agentChinese } from './agent-chinese.ts';
import { hostChinese } from './host-chinese.ts';
import { insightsChinese } from './insights-chinese.ts';
import type { AreaTranslations } from '../translations.ts';
import { strategyChoiceChinese } from './strategy-choice-chinese.ts';
import { strategyTitlesChinese } from './strategy-titles-chinese.ts';
import { strategiesChinese } from './strategies-chinese.ts';

/** Every area's translations into Simplified Chinese. */
const chineseAreas: readonly AreaTranslations[] = [
  engineChinese,
  acceptanceChinese,
  summaryChinese,
  strategiesChinese,
  strategyTitlesChinese,
  strategyChoiceChinese,
  customChinese,
  agentChinese,
  bridgeChinese,
  importsChinese,
  insightsChinese,
  commandChinese,
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
