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

/** Day and time of an end. */
export function describeEnd(at: string, language: Language): string {
  return new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}
