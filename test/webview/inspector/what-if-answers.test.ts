import { describe, expect, it } from 'vitest';
import type { WhatIfNotification } from '../../../src/protocol/inspector-what-if.ts';
import { receiveWhatIf } from '../../../webview/inspector/state/what-if-answers.ts';
import { ladder } from '../support/inspector-fixtures.ts';
import { whatIf } from '../support/what-if-fixtures.ts';

const compared = whatIf() as Extract<WhatIfNotification, { type: 'what-if' }>;
const preview = {
  type: 'what-if-preview',
  sessionId: 'session-1',
  strategy: 'ladder',
  record: ladder,
} as const;

describe('the answers about strategies', () => {
  it('keep the preview while the comparison goes on', () => {
    const known = receiveWhatIf(receiveWhatIf({}, compared), preview);
    expect(receiveWhatIf(known, compared)).toEqual({
      sessionId: 'session-1',
      view: compared.view,
      preview: { strategy: 'ladder', record: ladder },
    });
  });

  it('drop those of another session', () => {
    const known = receiveWhatIf(receiveWhatIf({}, compared), preview);
    expect(receiveWhatIf(known, { ...compared, sessionId: 'session-2' })).toEqual({
      sessionId: 'session-2',
      view: compared.view,
    });
  });
});
