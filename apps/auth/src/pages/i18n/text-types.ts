import type { FailureCause, TokenCause } from '@linnet/applications/failures/causes';
import type { SettingKey } from '@linnet/applications/settings/protocol-settings';
import type { SettingProblem } from '@linnet/applications/settings/setting-kinds';
import type { ComponentChildren } from 'preact';

interface LabelledText {
  readonly label: string;
  readonly text: string;
}

/** Texts of the protocol settings of an application. A language is complete only with every setting. */
export interface SettingMessages {
  /** Heading of all settings, which are folded. */
  readonly advanced: string;
  /** Added to the text of a setting whose range goes beyond what the operator allows. */
  readonly limitedTo: (seconds: number) => string;
  readonly texts: Readonly<Record<SettingKey, LabelledText>>;
  /** By value; a choice without a text is shown as its value. */
  readonly choices: Readonly<Record<string, LabelledText>>;
  readonly problems: Readonly<Record<SettingProblem, (value: string) => string>>;
  /** Values in the history of an application. */
  readonly on: string;
  readonly off: string;
  readonly standard: string;
}

/** By cause: what happened, and what the developer can do about it. */
export type FailureTexts = Readonly<
  Record<FailureCause | TokenCause, { readonly cause: string; readonly fix: string }>
>;

/** Text that may contain elements, such as an emphasized name. */
export type RichText = ComponentChildren;
