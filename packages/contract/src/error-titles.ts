import { errorCatalogue } from './errors.ts';
import type { ErrorCode } from './errors.ts';

/** Languages of problem titles; English comes first: it is taken when nothing else fits (decisions D59). */
export const titleLanguages = ['en', 'de'] as const;

export type TitleLanguage = (typeof titleLanguages)[number];

const german: Readonly<Record<ErrorCode, string>> = {
  'invalid-parameter': 'Ein Parameter fehlt oder ist fehlerhaft',
  'malformed-body': 'Der Inhalt der Anfrage ist nicht lesbar',
  'token-required': 'Ein Zugriffstoken ist erforderlich',
  invalid_token: 'Das Zugriffstoken ist nicht gültig',
  insufficient_scope: 'Dem Zugriffstoken fehlt eine Berechtigung',
  'user-context-required': 'Das Zugriffstoken handelt für kein Konto',
  'wrong-password': 'Das Passwort ist falsch',
  'prefetch-refused': 'Eine Anfrage, die etwas ändert, wird nicht im Voraus beantwortet',
  'media-not-usable': 'Die Mediendatei kann hier nicht verwendet werden',
  'protected-account': 'Das Konto ist geschützt',
  'not-owner': 'Der Eintrag gehört jemand anderem',
  'not-found': 'Diesen Eintrag gibt es nicht',
  'unknown-endpoint': 'Diesen Endpunkt gibt es nicht',
  'unknown-version': 'Diese Version der API gibt es nicht',
  'method-not-allowed': 'Die Methode ist hier nicht erlaubt',
  'accept-required': 'Die Anfrage muss application/json annehmen',
  'email-taken': 'Die E-Mail-Adresse ist vergeben',
  'username-taken': 'Der Benutzername ist vergeben',
  'idempotency-in-progress': 'Derselbe Aufruf wird gerade beantwortet',
  'media-attached': 'Die Mediendatei gehört schon zu einem Beitrag',
  'body-too-large': 'Der Inhalt der Anfrage ist zu groß',
  'unsupported-media-type': 'Der Inhalt der Anfrage hat einen nicht unterstützten Typ',
  'idempotency-key-reused': 'Der Idempotenzschlüssel gehört zu einem anderen Aufruf',
  'image-refused': 'Die Datei ist kein PNG oder JPEG, das angenommen werden kann',
  'rate-limited': 'Zu viele Aufrufe',
  overloaded: 'Der Dienst ist gerade ausgelastet',
  'internal-error': 'Bei uns ist ein Fehler aufgetreten',
  unavailable: 'Der Dienst ist gerade nicht verfügbar',
  'storage-full': 'Die Datei kann gerade nicht gespeichert werden',
};

/** The title of a problem for its reader; code and detail are the same in every language. */
export function errorTitle(code: ErrorCode, language: TitleLanguage): string {
  return language === 'de' ? german[code] : errorCatalogue[code].title;
}
