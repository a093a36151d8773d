import type { VNode } from 'preact';

import type { Language } from '../i18n/languages.ts';
import { useClient } from '../client.ts';

const day = 86_400_000;
const durations = { never: undefined, day, week: 7 * day, month: 30 * day } as const;

export type Ending = keyof typeof durations;

const endings: readonly Ending[] = ['never', 'day', 'week', 'month'];

interface EndChoiceProps {
  readonly value: Ending;
  readonly choose: (ending: Ending) => void;
}

/** When something ends by itself. */
export function EndChoice({ value, choose }: EndChoiceProps): VNode {
  const { filters } = useClient().texts;
  return (
    <label>
      {filters.ends}
      <select value={value} onChange={({ currentTarget }) => choose(endings[currentTarget.selectedIndex] ?? 'never')}>
        {endings.map((ending) => (
          <option key={ending} value={ending}>
            {filters.endings[ending]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The parameter of the API, counted from now. */
export function toEnd(ending: Ending): { readonly ends_at?: string } {
  const duration = durations[ending];
  return duration === undefined ? {} : { ends_at: new Date(Date.now() + duration).toISOString() };
}

/** Day and time. */
export function describeTime(at: string, language: Language): string {
  return new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}

interface TimeFieldProps {
  readonly label: string;
  /** As the field has it; empty: no time. */
  readonly value: string;
  readonly change: (value: string) => void;
}

/** A time in the future, in the zone of the person. */
export function TimeField({ label, value, change }: TimeFieldProps): VNode {
  const { texts } = useClient();
  return (
    <>
      <label class="time-field">
        {label}
        <input
          type="datetime-local"
          value={value}
          min={toLocal(new Date())}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      </label>
      <button type="button" class="quiet" onClick={() => change('')}>
        {texts.post.cancel}
      </button>
    </>
  );
}

const minute = 60_000;

/** A time as a field has it. */
export function toLocal(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * minute).toISOString().slice(0, 'YYYY-MM-DDTHH:mm'.length);
}

/** The full hour that is the next one tomorrow, as a field has it. */
export const tomorrow = () =>
  `${toLocal(new Date(Date.now() + day + 60 * minute)).slice(0, 'YYYY-MM-DDTHH'.length)}:00`;

/** The parameter of the API; undefined: there is no time, or it is over. */
export function toTime(local: string): string | undefined {
  const time = Date.parse(local);
  return time > Date.now() ? new Date(time).toISOString() : undefined;
}
