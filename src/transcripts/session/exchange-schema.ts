import * as v from 'valibot';

const text = v.optional(v.string());
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const time = v.pipe(
  v.string(),
  v.check((value) => !Number.isNaN(Date.parse(value))),
);

/** Schema of `WireOrigin`. */
export const wireOriginSchema = v.object({
  api: v.string(),
  client: text,
  session: text,
  folder: text,
  isSide: v.optional(v.boolean()),
});

/** Schema of an `ExchangeEvent`, besides its type. */
export const exchangeSchema = v.object({
  createdAt: time,
  messageId: text,
  outcome: v.picklist(['complete', 'cancelled', 'cut-off', 'unreachable']),
  status: v.optional(amount),
  firstByte: v.optional(amount),
  duration: amount,
  error: text,
  retry: v.optional(amount),
  isUnchanged: v.optional(v.boolean()),
  limits: v.optional(v.record(v.string(), v.string())),
});
