import { isRecord } from '../../language/is-record.ts';

/** Error that a provider reported, converted from any format. */
export interface ProviderError {
  readonly status?: number | undefined;
  /** Code or type of the error, as the provider gives it. */
  readonly code?: string | undefined;
  readonly message: string;
  /** Limit and actual size in tokens, if the provider reports them in separate fields. */
  readonly limit?: number | undefined;
  readonly actual?: number | undefined;
}

/** Maximum nesting of errors. Gateways wrap the error of the server behind them. */
const deepestNesting = 8;

/**
 * Reads the body of an error response, the `error` of a stream, or a string that contains one of them.
 * @param status undefined to read it from the body
 */
export function readProviderError(body: unknown, status?: number): ProviderError {
  const read = readNested(body, 0);
  return { ...read, status: status ?? statusIn(read.code) };
}

function readNested(body: unknown, depth: number): ProviderError {
  if (typeof body === 'string') return readText(body, depth);
  if (Array.isArray(body)) return readList(body, depth);
  if (!isRecord(body)) return { message: '' };
  const { error } = body;
  if (error != null && depth < deepestNesting) return readNested(error, depth + 1);
  return readFields(body, depth);
}

/** Reads a string: JSON, JSON after a few words, an HTML page, or a plain message. */
function readText(text: string, depth: number): ProviderError {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start >= 0 && end > start && depth < deepestNesting) {
    const parsed = parseJson(text.slice(start, end + 1));
    if (isRecord(parsed)) {
      const inner = readNested(parsed, depth + 1);
      if (inner.message !== '') return inner;
    }
  }
  const isPage = /^\s*<(?:!doctype|html)/i.test(text);
  return { message: (isPage ? withoutTags(text) : text).trim() };
}

function readFields(fields: Readonly<Record<string, unknown>>, depth: number): ProviderError {
  const said = ['message', 'Message', 'detail', 'msg', 'errors'].map((name) => wordsOf(fields[name], depth));
  // OpenRouter puts the error of the server behind it in `metadata.raw`.
  const { metadata } = fields;
  const behind = isRecord(metadata) ? wordsOf(metadata['raw'], depth) : '';
  const message = [said.find((words) => words !== '') ?? '', behind].filter((words) => words !== '');
  const code = fields['code'] ?? fields['type'];
  return {
    message: message.join(' '),
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : undefined,
    // llama.cpp reports both counts in fields.
    limit: countIn(fields['n_ctx']),
    actual: countIn(fields['n_prompt_tokens']),
  };
}

function wordsOf(value: unknown, depth: number): string {
  if (depth >= deepestNesting) return '';
  return readNested(value, depth + 1).message;
}

/** Reads a list of rejected fields or of errors. Gemini and Cloudflare send a list even for a single error. */
function readList(list: readonly unknown[], depth: number): ProviderError {
  const details = readDetails(list);
  return details !== '' || depth >= deepestNesting
    ? { message: details }
    : readNested(list.find(isRecord), depth + 1);
}

/** Reads the list of rejected fields from FastAPI: `[{ loc: ['body', 'stream_options'], msg }]`. */
function readDetails(details: readonly unknown[]): string {
  return details
    .filter(isRecord)
    .map(({ loc, msg }) => {
      const place = Array.isArray(loc) ? loc.map(String).join('.') : '';
      return [place, typeof msg === 'string' ? msg : ''].filter((part) => part !== '').join(': ');
    })
    .join('; ');
}

/** Returns the visible text of an HTML page in one pass. A tag without an end hides the rest. */
function withoutTags(page: string): string {
  // Unlike `toLowerCase`, this keeps the length of the text. Names of elements are ASCII only.
  const lower = page.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const words: string[] = [];
  let at = 0;
  while (at < page.length) {
    const tag = page.indexOf('<', at);
    if (tag < 0) break;
    words.push(page.slice(at, tag));
    const silent = silentElements.find((name) => lower.startsWith(`<${name}`, tag));
    const elementEnd = silent === undefined ? -1 : lower.indexOf(`</${silent}`, tag);
    const tagEnd = page.indexOf('>', silent === undefined ? tag : Math.max(tag, elementEnd));
    at = tagEnd < 0 || (silent !== undefined && elementEnd < 0) ? page.length : tagEnd + 1;
  }
  words.push(page.slice(at));
  return words.join(' ').replace(/\s+/g, ' ');
}

const silentElements = ['script', 'style'];

function statusIn(code: string | undefined): number | undefined {
  return code !== undefined && /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}

function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
