import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import type { Language } from './i18n/languages.ts';
import type { Texts } from './i18n/en.ts';
import type { Session } from './session/session.ts';
import type { Settings } from './settings.ts';

export type Dialog = 'compose' | 'keys' | 'menu';

export interface ToastAction {
  readonly label: string;
  readonly act: () => void;
}

/** What controls need that change something, in the client and on public pages. */
export interface Actor {
  readonly settings: Pick<Settings, 'issuer' | 'serviceName'>;
  readonly texts: Texts;
  readonly language: Language;
  readonly session: Session;
  /** Shows a short message. */
  readonly notify: (text: string, action?: ToastAction) => void;
  /** Says what went wrong; without access, leads to the sign-in. */
  readonly report: (error: unknown) => void;
}

/** What every view can use. */
export interface Client extends Actor {
  readonly settings: Settings;
  readonly speak: (language: Language) => void;
  readonly open: (dialog: Dialog | undefined) => void;
  /** Leads to the sign-in with another account. */
  readonly useOther: () => void;
  /** Here and at the service. */
  readonly signOut: () => void;
}

export const ActorContext = createContext<Actor | undefined>(undefined);
export const ClientContext = createContext<Client | undefined>(undefined);

/** @throws Error outside of a signed-in page */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === undefined) throw new Error('nobody is signed in');
  return client;
}

/** @throws Error if nobody is signed in */
export function useActor(): Actor {
  const actor = useContext(ActorContext);
  if (actor === undefined) throw new Error('nobody is signed in');
  return actor;
}
