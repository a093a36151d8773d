/** Parameters of pages that find something. Malformed ones count as absent. */
import type { Context } from 'koa';

const maxText = 300;

export function readText(ctx: Pick<Context, 'query'>, name: string): string {
  const value = ctx.query[name];
  return typeof value === 'string' && value.length <= maxText && !value.includes('\0') ? value.trim() : '';
}

/** A positive id. */
export function readNumber(ctx: Pick<Context, 'query'>, name: string): number | undefined {
  return parseId(readText(ctx, name));
}

/** Undefined if the text is no id. */
export function parseId(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}

/** An address with the parameters that are not empty. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
