/** What a spreadsheet takes for the start of a formula (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r]/;

/** A CSV document (RFC 4180). Text that a spreadsheet would run as a formula starts with an apostrophe. */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
}

function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
