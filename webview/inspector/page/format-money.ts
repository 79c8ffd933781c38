const language = document.documentElement.lang || undefined;
const cents = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' });
const parts = new Intl.NumberFormat(language, {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
});

/** Dollars: `$0.41`, `$0.0032`. */
export function formatMoney(dollars: number): string {
  return dollars === 0 || Math.abs(dollars) >= 0.01 ? cents.format(dollars) : parts.format(dollars);
}
