/** Compares what a guide shows with what the service responds. */

/** Members whose values are different each time; only their types are compared. */
const varying =
  /^(?:(?:\w+_)?id|\w+_(?:at|token|code|id_string)|created|edited|error_uri|exp|iat|jti|link|next|prev|picture|preferred_username|profile|request_uri|sub|timestamp|total|username|verification_uri_complete)$/;

/** A member with this name stands for further members. */
const ellipsis = '…';

/** What differs, with the path of each member; empty if the shown JSON is the real one. */
export function compareJson(shown: unknown, real: unknown, path = '$'): readonly string[] {
  if (typeOf(shown) !== typeOf(real)) return [`${path}: shown ${typeOf(shown)}, but it is ${typeOf(real)}`];
  if (Array.isArray(shown) && Array.isArray(real)) return compareFirstItems(shown, real, path);
  if (isRecord(shown) && isRecord(real)) return compareMembers(shown, real, path);
  return shown === real || isVarying(path) ? [] : [`${path}: shown ${String(shown)}, but it is ${String(real)}`];
}

function compareFirstItems([shown]: readonly unknown[], [real]: readonly unknown[], path: string): readonly string[] {
  return shown === undefined || real === undefined ? [] : compareJson(shown, real, `${path}[0]`);
}

const isVarying = (path: string) => varying.test(path.replace(/.*\./, ''));

function compareMembers(shown: JsonRecord, real: JsonRecord, path: string): readonly string[] {
  const names = Object.keys(shown).filter((name) => name !== ellipsis);
  const missing = Object.hasOwn(shown, ellipsis) ? [] : Object.keys(real).filter((name) => !names.includes(name));
  return [
    ...missing.map((name) => `${path}.${name}: not shown`),
    ...names.flatMap((name) => compareJson(shown[name], real[name], `${path}.${name}`)),
  ];
}

type JsonRecord = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Compares the status, the names of the headers and the body of an HTTP response. The service of the tests has no rate
 * limits and sends no headers about them (apps/api/src/http/rate-limit has their tests).
 */
export function compareResponses(shown: string, real: string): readonly string[] {
  const [wanted, actual] = [parseResponse(shown), parseResponse(real)];
  const missing = wanted.headers.filter((name) => !name.startsWith('ratelimit') && !actual.headers.includes(name));
  return [
    ...(wanted.status === actual.status ? [] : [`shown ${wanted.status}, but it is ${actual.status}`]),
    ...missing.map((name) => `the response has no header ${name}`),
    ...(wanted.body === '' ? [] : compareJson(JSON.parse(wanted.body), JSON.parse(actual.body))),
  ];
}

function parseResponse(text: string) {
  const [head = '', ...rest] = text.replaceAll('\r\n', '\n').trim().split('\n\n');
  const [status = '', ...lines] = head.split('\n');
  return { status, headers: lines.map((line) => (line.split(':')[0] ?? '').toLowerCase()), body: rest.join('\n\n') };
}
