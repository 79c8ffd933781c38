import { describe, expect, it } from 'vitest';
import { requestIn } from '../../../src/compaction/ledger/request-state.ts';

describe('a typed text', () => {
  it.each(['ok', 'Yes, go ahead!', '/undo', '/diff', '[Image: source: /var/x.png]', '继续'])(
    'contains no request: %s',
    (text) => {
      expect(requestIn(text)).toBe('');
    },
  );

  it('is a request without the lines that stand for pictures', () => {
    expect(requestIn('[Image: source: /var/x.png]\nWhy is this red?')).toBe('Why is this red?');
    expect(requestIn('/review the parser')).toBe('/review the parser');
  });
});
