import type { VNode } from 'preact';

import type { Language } from '../i18n/languages.ts';
import { useClient } from '../client.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Older moments are dates. */
const maxAge = 7 * day;

/** A moment in the past, short: "5m", "14 Mar". The complete date appears on hover. */
export function Moment({ at }: { readonly at: string }): VNode {
  const { language, texts } = useClient();
  const date = new Date(at);
  const complete = date.toLocaleString(language, { dateStyle: 'full', timeStyle: 'short' });
  return (
    <time dateTime={at} title={complete}>
      {describeMoment(date, { now: new Date(), language, justNow: texts.time.now })}
    </time>
  );
}

interface MomentWording {
  readonly now: Date;
  readonly language: Language;
  readonly justNow: string;
}

function describeMoment(date: Date, { now, language, justNow }: MomentWording): string {
  const age = now.getTime() - date.getTime();
  if (age < minute) return justNow;
  const format = (count: number, unit: 'minute' | 'hour' | 'day') =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'narrow' }).format(Math.floor(count));
  if (age < hour) return format(age / minute, 'minute');
  if (age < day) return format(age / hour, 'hour');
  if (age < maxAge) return format(age / day, 'day');
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString(language, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' as const }),
  });
}
