/**
 * Formats requests for display: as HTTP and as a curl command. Secrets are variables; typed text is quoted. JSON and untrusted text are
 * without characters that change the direction of the text around them.
 */
import { printableText } from '@linnet/ui/inert-text';

import { headersOf, targetOf } from './requests.ts';
import type { PlaygroundRequest, Value } from './run.ts';

/** The HTTP message, with secrets as `$NAMES`. */
export function rawRequest(baseUrl: string, request: PlaygroundRequest): string {
  const lines = [
    `${request.method} ${targetOf(request)} HTTP/1.1`,
    `Host: ${new URL(baseUrl).host}`,
    ...proofLines(request),
    ...headersOf(request).map(([name, value]) => `${name}: ${value}`),
  ];
  const body = rawBody(request);
  return body === undefined ? lines.join('\n') : `${lines.join('\n')}\n\n${body}`;
}

function proofLines({ proof }: PlaygroundRequest): readonly string[] {
  if (proof === null) return [];
  return [
    `Authorization: ${proof === 'bearer' ? 'Bearer $ACCESS_TOKEN' : `Basic base64(${proof.basic}:$CLIENT_SECRET)`}`,
  ];
}

function rawBody({ json, form }: PlaygroundRequest): string | undefined {
  if (json !== undefined) return inertJson(json, 2);
  return form?.map(([name, value]) => `${name}=${shownValue(value, encodeURIComponent)}`).join('\n&');
}

export function shownValue(value: Value, encode: (text: string) => string = (text) => text): string {
  return typeof value === 'string' ? encode(value) : `$${value.variable}`;
}

/** A command for POSIX shells. */
export function asCurl(baseUrl: string, request: PlaygroundRequest): string {
  const { proof, form, json } = request;
  const parts = [
    `curl ${quote(`${baseUrl}${targetOf(request)}`)}`,
    ...(proof === null ? [] : [proofOption(proof)]),
    ...headersOf(request)
      // curl sets it for forms.
      .filter(([name]) => name !== 'Content-Type' || form === undefined)
      .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(form ?? []).map(([name, value]) => `--data-urlencode ${formOption(name, value)}`),
    ...(json === undefined ? [] : [`--data-raw ${quote(inertJson(json))}`]),
  ];
  return parts.join(' \\\n  ');
}

/** Client ids contain no characters with a special meaning in a shell. */
function proofOption(proof: NonNullable<PlaygroundRequest['proof']>): string {
  return proof === 'bearer' ? '-H "Authorization: Bearer $ACCESS_TOKEN"' : `-u "${proof.basic}:$CLIENT_SECRET"`;
}

function formOption(name: string, value: Value): string {
  return typeof value === 'string' ? quote(`${name}=${value}`) : `"${name}=$${value.variable}"`;
}

/** Quotes any text as one word of a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What changes the direction of the text around it. */
const confusing = /[\u007F-\u009F\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** The exact value as JSON, with such characters escaped. */
export function inertJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(
    confusing,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Replaces such characters, line by line. */
export function printableLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(printableText)
    .join('\n');
}
