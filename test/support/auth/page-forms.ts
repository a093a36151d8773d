import { unkeptFields } from '@linnet/auth/pages/form/form';

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

type Pair = readonly [name: string, value: string];

/**
 * What a person could send with the form: another text in each field, and other choices. Undefined for a form with no field for text,
 * and for one that is sent with GET.
 */
export function typeInto({ html, method }: PageForm): readonly Pair[] | undefined {
  const elements = findElements(html).filter(({ attributes }) => !unkeptFields.has(attributes['name'] ?? ''));
  const named = (tag: string, ...types: readonly string[]) =>
    elements.filter(
      ({ attributes, ...one }) =>
        one.tag === tag && attributes['name'] !== undefined && types.includes(attributes['type'] ?? ''),
    );
  const texts = [...named('input', 'text', 'email', 'date'), ...named('textarea', '')].map(toPair);
  if (texts.length === 0 || method !== 'POST') return undefined;
  const unticked = named('input', 'checkbox').filter(({ attributes }) => !('checked' in attributes));
  const selects = [...html.matchAll(/<select\b.*?<\/select>/gs)].map(([select]): Pair => {
    const [start, ...options] = findElements(select);
    return [start?.attributes['name'] ?? '', options.at(-1)?.attributes['value'] ?? ''];
  });
  return [
    ...named('input', 'hidden').map(toPair),
    ...texts.map(([name]): Pair => [name, `${name} <"typed">`]),
    ...unticked.map(toPair),
    // The last of each group.
    ...new Map(named('input', 'radio').map(toPair)),
    ...selects,
  ];
}

/** What is wrong with the form, which the page should show again with `pairs`. */
export function returnFaults(html: string, index: number, pairs: readonly Pair[]): readonly string[] {
  const form = readForms(html)[index];
  if (form === undefined) return ['the form is missing'];
  const [shown, sent] = [sortPairs(form.fields), sortPairs(pairs)];
  return [
    ...(shown === sent ? [] : [`${shown} instead of ${sent}`]),
    ...(isUnfolded(html, form.html) ? [] : [`folded: ${sent}`]),
  ];
}

function sortPairs(pairs: readonly Pair[]): string {
  const kept = pairs.filter(([name]) => !unkeptFields.has(name)).map((pair) => pair.join('='));
  return kept.toSorted().join(', ');
}

/** Whether every `details` element around and inside the form is open. */
function isUnfolded(html: string, form: string): boolean {
  const open: boolean[] = [];
  for (const [tag] of html.slice(0, html.indexOf(form)).matchAll(/<\/?details[^>]*>/g)) {
    if (tag.startsWith('</')) open.pop();
    else open.push(/ open[ >]/.test(tag));
  }
  return open.every(Boolean) && !/<details(?![^>]* open[ >])[^>]*>/.test(form);
}
