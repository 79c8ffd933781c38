import { describe, expect, it } from 'vitest';
import { type ChatNotification, type ChatRequest, parseChatRequest } from '../../../src/protocol/chat.ts';
import { graveFindings } from '../support/accessibility.ts';
import { chatScenes } from '../support/chat-scenes.ts';
import { reopenIn } from '../support/in-language.ts';
import { triedThemes } from '../support/themes.ts';
import { type OpenOptions, viewSuite } from '../support/view.ts';

const suite = viewSuite<ChatNotification, ChatRequest>('chat', parseChatRequest);

describe.each(triedThemes)('in the theme %s', (theme) => {
  it.each(Object.entries(chatScenes))('nothing keeps anybody from using a chat %s', async (_name, show) => {
    const view = await suite.open({ theme });
    await show(view);
    // A theme whose own text is pale cannot have text that is not: our text is measured relative to it.
    const ignored = theme === 'solarized-light' ? ['color-contrast'] : [];
    expect(await graveFindings(view.page, ignored)).toEqual([]);
  });
});

describe.each([
  ['in a narrow side bar', { width: 170 }],
  ['at twice the size', { width: 190, height: 430 }],
] as const satisfies readonly (readonly [string, OpenOptions])[])('%s', (_name, options) => {
  it.each(Object.entries(chatScenes))('nothing keeps anybody from using a chat %s', async (_scene, show) => {
    const view = await suite.open(options);
    await show(view);
    expect(await graveFindings(view.page)).toEqual([]);
    expect(await view.overflow()).toBe(0);
  });
});

describe('in Chinese', () => {
  it.each(Object.entries(chatScenes))('nothing keeps anybody from using a chat %s', async (_name, show) => {
    const view = await suite.open();
    await reopenIn(view.page, 'zh-cn');
    await show(view);
    expect(await graveFindings(view.page)).toEqual([]);
  });
});
