import { findElements } from './html.ts';
import type { Element } from './html.ts';

export type FormValues = Readonly<Record<string, string | readonly string[]>>;

/** A form as a browser would submit it. */
export interface PageForm {
  readonly method: string;
  /** As written; empty if the form submits to the URL of its page. */
  readonly action: string;
  /** Names and initial values of the fields. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Names and values of the buttons that have a name. */
  readonly buttons: readonly (readonly [name: string, value: string])[];
  /** `data-testid`s of the form and of the elements in it. */
  readonly testIds: readonly string[];
  readonly html: string;
}

export function readForms(html: string): readonly PageForm[] {
  return [...html.matchAll(/<form\b.*?<\/form>/gs)].map(([text]) => readForm(text));
}

function readForm(html: string): PageForm {
  const [form, ...inner] = findElements(html);
  const named = inner.filter(({ attributes }) => attributes['name'] !== undefined);
  return {
    method: (form?.attributes['method'] ?? 'get').toUpperCase(),
    action: form?.attributes['action'] ?? '',
    fields: [...named.filter(isSent).map(toPair), ...readTextAreas(html), ...readSelects(html)],
    buttons: named.filter(({ tag }) => tag === 'button').map(toPair),
    testIds: [form, ...inner].flatMap((element) => element?.attributes['data-testid'] ?? []),
    html,
  };
}

/** Checkboxes and radio buttons are submitted if they are checked. */
function isSent({ tag, attributes }: Element): boolean {
  if (tag !== 'input') return false;
  return !['checkbox', 'radio'].includes(attributes['type'] ?? '') || 'checked' in attributes;
}

function toPair({ attributes }: Element): readonly [string, string] {
  const isTicked = ['checkbox', 'radio'].includes(attributes['type'] ?? '');
  return [attributes['name'] ?? '', attributes['value'] ?? (isTicked ? 'on' : '')];
}

function readTextAreas(html: string): readonly (readonly [string, string])[] {
  return [...html.matchAll(/(<textarea\b[^>]*>)(.*?)<\/textarea>/gs)].map(([, start = '', content = '']) => {
    const [area] = findElements(start);
    const [carrier] = findElements(`<i title="${content}">`);
    return [area?.attributes['name'] ?? '', carrier?.attributes['title'] ?? ''];
  });
}

function readSelects(html: string): readonly (readonly [string, string])[] {
  return [...html.matchAll(/(<select\b[^>]*>)(.*?)<\/select>/gs)].map(([, start = '', content = '']) => {
    const [select] = findElements(start);
    const options = findElements(content).filter(({ tag }) => tag === 'option');
    const chosen = options.find(({ attributes }) => 'selected' in attributes) ?? options[0];
    return [select?.attributes['name'] ?? '', chosen?.attributes['value'] ?? ''];
  });
}

/** The body of the form with `values` typed, chosen or pressed; a list ticks exactly its members. */
export function encodeForm(form: PageForm, values: FormValues): string {
  const untouched = form.fields.filter(([name]) => !(name in values));
  const given = Object.entries(values).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  return new URLSearchParams([...untouched.map((pair) => [...pair]), ...given]).toString();
}
