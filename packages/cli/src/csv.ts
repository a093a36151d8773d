/** Files of comma-separated values (RFC 4180). */

interface CsvRecord {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** A field, in quotes or not, and what ends it. */
const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** Empty lines are left out. From what is not of this form, such as a quote that nothing closes, all of the rest is one field. */
export function readCsv(text: string): readonly CsvRecord[] {
  const content = text.replace(/^\uFEFF/, '');
  const records: CsvRecord[] = [];
  let fields: string[] = [];
  let [position, line, start] = [0, 1, 1];
  while (position < content.length || fields.length > 0) {
    field.lastIndex = position;
    const [whole, quoted, plain = '', end] = field.exec(content) ?? [
      content.slice(position),
      undefined,
      content.slice(position),
      '',
    ];
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    position += whole.length;
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    if (fields.some((one) => one !== '')) records.push({ line: start, fields });
    fields = [];
    start = line;
  }
  return records;
}

/** Without a line break at the end. */
export function toCsv(records: readonly (readonly string[])[]): string {
  return records.map((one) => one.map(quote).join(',')).join('\n');
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
