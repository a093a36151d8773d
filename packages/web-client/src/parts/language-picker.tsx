import type { VNode } from 'preact';

import { languageNames, languages } from '../i18n/languages.ts';
import type { Language } from '../i18n/languages.ts';

interface LanguagePickerProps {
  readonly label: string;
  readonly language: Language;
  readonly speak: (language: Language) => void;
}

export function LanguagePicker({ label, language, speak }: LanguagePickerProps): VNode {
  return (
    <fieldset class="pills">
      <legend class="unseen">{label}</legend>
      {languages.map((one) => (
        <button key={one} type="button" lang={one} aria-pressed={one === language} onClick={() => speak(one)}>
          {languageNames[one]}
        </button>
      ))}
    </fieldset>
  );
}
