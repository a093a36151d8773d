import type { FailureTexts } from '../text-types.ts';

/** Why requests of an application failed, in German. */
const causes: FailureTexts = {
  redirect_uri_missing: {
    cause: 'Der Anfrage fehlt die redirect_uri.',
    fix: 'Sende eine der eingetragenen Redirect-URIs. Die Tokenanfrage braucht dieselbe wie die Autorisierungsanfrage.',
  },
  redirect_uri_none: {
    cause: 'Die Anwendung hat keine Redirect-URI.',
    fix: 'Trage die Adresse ein, zu der die Leute zurückkehren.',
  },
  redirect_uri_unregistered: {
    cause: 'Die Redirect-URI ist nicht eingetragen.',
    fix: 'Trage diese Redirect-URI ein oder sende eine eingetragene. Jedes Zeichen zählt.',
  },
  redirect_uri_changed: {
    cause: 'Die Redirect-URI ist eine andere als in der Autorisierungsanfrage.',
    fix: 'Sende in der Tokenanfrage dieselbe redirect_uri wie in der Autorisierungsanfrage.',
  },
  logout_uri_unregistered: {
    cause: 'Die post_logout_redirect_uri ist nicht eingetragen.',
    fix: 'Trage sie ein oder sende eine eingetragene. Jedes Zeichen zählt.',
  },
  secret_missing: {
    cause: 'Der Anfrage fehlt das Client-Geheimnis.',
    fix: 'Sende Client-ID und Geheimnis mit HTTP-Basic-Authentifizierung.',
  },
  secret_wrong: {
    cause: 'Das Client-Geheimnis ist falsch.',
    fix: 'Prüfe, ob Leerzeichen darin sind oder ob es zu einer anderen Anwendung gehört. Ist es verloren, füge ein neues hinzu.',
  },
  secret_expected: {
    cause: 'Die Anfrage enthält eine Client-Assertion, aber die Anwendung weist sich mit einem Geheimnis aus.',
    fix: 'Sende das Geheimnis oder trage Schlüssel der Anwendung ein.',
  },
  secret_unexpected: {
    cause: 'Die Anfrage enthält ein Geheimnis oder eine Assertion, aber diese Art von Anwendung hat keines.',
    fix: 'Sende nur die client_id. PKCE schützt den Code.',
  },
  assertion_expected: {
    cause: 'Die Anwendung weist sich mit eigenen Schlüsseln aus, aber der Anfrage fehlt die Client-Assertion.',
    fix: 'Sende eine client_assertion, die mit einem eingetragenen Schlüssel signiert ist, oder benutze ein Geheimnis statt der Schlüssel.',
  },
  assertion_rejected: {
    cause: 'Die Client-Assertion wurde abgelehnt.',
    fix: 'Prüfe ihre Signatur, ihre Zeiten und ihre Zielgruppe (aud).',
  },
  secret_expired: {
    cause: 'Das Client-Geheimnis war richtig, ist aber abgelaufen.',
    fix: 'Füge ein Geheimnis hinzu und stelle diesen Server darauf um.',
  },
  code_unknown: {
    cause: 'Den Autorisierungscode gibt es nicht.',
    fix: 'Sende den Code genau so, wie er bei der Redirect-URI ankam. Codes werden einen Tag nach ihrem Ablauf gelöscht.',
  },
  code_expired: {
    cause: 'Der Autorisierungscode war abgelaufen.',
    fix: 'Löse den Code ein, sobald er bei der Redirect-URI ankommt.',
  },
  code_used: {
    cause: 'Der Autorisierungscode war schon eingelöst. Seine Zustimmung ist beendet, und ihre Tokens sind widerrufen.',
    fix: 'Löse jeden Code einmal ein. Das Neuladen der Redirect-URI darf die Anfrage nicht wiederholen.',
  },
  code_foreign: {
    cause: 'Der Autorisierungscode gehört einer anderen Anwendung.',
    fix: 'Benutze die client_id der Autorisierungsanfrage.',
  },
  code_grant_ended: {
    cause: 'Die Zustimmung zu diesem Code ist beendet.',
    fix: 'Die Person hat den Zugriff widerrufen, oder er wurde beendet. Bitte sie erneut um Zustimmung.',
  },
  code_rejected: {
    cause: 'Der Code wurde abgelehnt.',
    fix: 'Beginne die Autorisierung von vorn.',
  },
  device_code_unknown: {
    cause: 'Den Gerätecode gibt es nicht.',
    fix: 'Sende den device_code aus der Antwort auf die Geräteanfrage. Codes werden einen Tag nach ihrem Ablauf gelöscht.',
  },
  device_code_expired: {
    cause: 'Der Gerätecode war abgelaufen.',
    fix: 'Beginne von vorn, wenn die Person länger braucht als expires_in.',
  },
  device_code_used: {
    cause: 'Der Gerätecode war schon eingelöst.',
    fix: 'Frage nicht weiter, sobald die Tokens da sind.',
  },
  device_code_foreign: {
    cause: 'Der Gerätecode gehört einer anderen Anwendung.',
    fix: 'Benutze die client_id der Geräteanfrage.',
  },
  device_slow_down: {
    cause: 'Das Gerät hat zu oft gefragt.',
    fix: 'Warte zwischen zwei Anfragen interval Sekunden, und nach jedem slow_down fünf Sekunden länger.',
  },
  refresh_token_unknown: {
    cause: 'Das Refresh-Token gibt es nicht.',
    fix: 'Sende das Refresh-Token genau so, wie du es bekommen hast. Refresh-Tokens werden einen Tag nach ihrem Ablauf gelöscht.',
  },
  refresh_token_expired: {
    cause: 'Das Refresh-Token war abgelaufen.',
    fix: 'Bitte die Person erneut um Zustimmung.',
  },
  refresh_token_used: {
    cause: 'Das Refresh-Token war schon benutzt. Seine Zustimmung ist beendet, und ihre Tokens sind widerrufen.',
    fix: 'Speichere das neue Refresh-Token aus jeder Antwort, und lass immer nur einen Prozess erneuern.',
  },
  refresh_token_foreign: {
    cause: 'Das Refresh-Token gehört einer anderen Anwendung.',
    fix: 'Benutze die client_id, für die es ausgestellt wurde.',
  },
  refresh_token_grant_ended: {
    cause: 'Die Zustimmung zu diesem Refresh-Token ist beendet.',
    fix: 'Die Person hat den Zugriff widerrufen, oder er wurde beendet. Bitte sie erneut um Zustimmung.',
  },
  refresh_token_rejected: {
    cause: 'Das Refresh-Token wurde abgelehnt.',
    fix: 'Bitte die Person erneut um Zustimmung.',
  },
  challenge_missing: {
    cause: 'Der Autorisierungsanfrage fehlt die code_challenge.',
    fix: 'Sende eine code_challenge mit code_challenge_method=S256 (PKCE).',
  },
  challenge_method: {
    cause: 'Die code_challenge_method ist nicht S256.',
    fix: 'Sende code_challenge_method=S256 und den SHA-256 des Verifiers in base64url.',
  },
  challenge_malformed: {
    cause: 'Die code_challenge ist kein SHA-256 in base64url.',
    fix: 'Sende 43 Zeichen ohne Auffüllung.',
  },
  verifier_missing: {
    cause: 'Der Tokenanfrage fehlt der code_verifier.',
    fix: 'Sende den code_verifier, aus dem die code_challenge entstanden ist.',
  },
  verifier_wrong: {
    cause: 'Der code_verifier passt nicht zur code_challenge.',
    fix: 'Bewahre den Verifier jeder Autorisierungsanfrage auf, bis ihr Code ankommt, zum Beispiel in der Sitzung.',
  },
  verifier_unexpected: {
    cause: 'Die Tokenanfrage hat einen code_verifier, aber die Autorisierungsanfrage hatte keine code_challenge.',
    fix: 'Sende die code_challenge in der Autorisierungsanfrage.',
  },
  scope_unknown: {
    cause: 'Diesen Scope gibt es nicht.',
    fix: 'Prüfe die Schreibweise. Die Anleitung nennt alle Scopes.',
  },
  scope_unregistered: {
    cause: 'Der Scope ist für diese Anwendung nicht eingetragen.',
    fix: 'Setze das Häkchen bei der Berechtigung in den Einstellungen, oder lass sie in der Anfrage weg.',
  },
  scope_not_granted: {
    cause: 'Beim Erneuern wurde ein Scope verlangt, dem die Person nicht zugestimmt hat.',
    fix: 'Schicke die Person mit allen Scopes, die du brauchst, zum Autorisierungsendpunkt.',
  },
  scope_ignored: {
    cause: 'Die Anfrage nannte Scopes, die es nicht gibt. Sie wurden ignoriert; der Rest der Anfrage wurde bearbeitet.',
    fix: 'Lass sie in der Anfrage weg.',
  },
  person_denied: {
    cause: 'Die Person hat abgelehnt.',
    fix: 'Achte die Entscheidung, und biete einen neuen Versuch an.',
  },
  login_required: {
    cause: 'Mit prompt=none muss die Person schon angemeldet sein.',
    fix: 'Schicke die Person ohne prompt=none zum Autorisierungsendpunkt.',
  },
  consent_required: {
    cause:
      'Mit prompt=none muss die Person der Anwendung schon zugestimmt haben. Öffentliche und native Anwendungen fragen jedes Mal, außer die Redirect-URI beginnt mit https.',
    fix: 'Schicke die Person ohne prompt=none zum Autorisierungsendpunkt.',
  },
  logout_undelivered: {
    cause:
      'Deine backchannel_logout_uri hat ein Logout-Token nicht angenommen. Es wird bis zu 24 Stunden lang erneut gesendet.',
    fix: 'Antworte innerhalb weniger Sekunden mit Status 200 oder 204.',
  },
  grant_type_off: {
    cause: 'Die Anwendung darf diesen Grant-Typ nicht benutzen.',
    fix: 'Schalte ihn in den Einstellungen ein.',
  },
  grant_type_unknown: {
    cause: 'Der Dienst kennt diesen grant_type nicht.',
    fix: 'Benutze authorization_code, refresh_token, client_credentials oder den Gerätecode.',
  },
  response_type_unknown: {
    cause: 'Der Dienst kennt diesen response_type nicht.',
    fix: 'Sende response_type=code.',
  },
  pushed_request_required: {
    cause: 'Die Anwendung muss ihre Autorisierungsanfragen vorab senden.',
    fix: 'Sende die Parameter zuerst an /oauth/par, oder schalte die Einstellung aus.',
  },
  pushed_request_unknown: {
    cause: 'Die request_uri ist unbekannt, abgelaufen oder schon benutzt.',
    fix: 'Sende für jeden Versuch eine neue Anfrage voraus, und benutze ihre request_uri sofort.',
  },
  dpop_required: {
    cause: 'Der Anfrage fehlt der DPoP-Nachweis.',
    fix: 'Sende einen DPoP-Header, oder schalte die Einstellung aus.',
  },
  dpop_other_key: {
    cause: 'Das Refresh-Token ist an einen anderen Schlüssel gebunden.',
    fix: 'Signiere den DPoP-Nachweis mit dem Schlüssel, mit dem das Refresh-Token ausgestellt wurde.',
  },
  dpop_rejected: {
    cause: 'Der DPoP-Nachweis wurde abgelehnt.',
    fix: 'Erzeuge für jede Anfrage einen neuen Nachweis mit ihrer Methode und URL.',
  },
  parameter_missing: {
    cause: 'Ein Parameter fehlt.',
    fix: 'Sende die genannten Parameter im Text der Anfrage, als Formular.',
  },
  parameter_repeated: {
    cause: 'Ein Parameter wurde zweimal gesendet.',
    fix: 'Sende jeden Parameter einmal.',
  },
  body_too_large: {
    cause: 'Der Text der Anfrage ist zu groß.',
    fix: 'Sende nur die Parameter der Anfrage.',
  },
  request_rejected: {
    cause: 'Die Anfrage war ungültig.',
    fix: 'Die Meldung sagt, was falsch war.',
  },
  token_expired: {
    cause: 'Das Zugriffstoken war abgelaufen.',
    fix: 'Erneuere es kurz vor seinem Ablauf, oder nach diesem Fehler.',
  },
  token_revoked: {
    cause: 'Das Zugriffstoken war widerrufen.',
    fix: 'Fordere ein neues an. Tokens enden mit ihrer Zustimmung, ihrem Geheimnis, dem Konto oder dem Passwort.',
  },
};

const count = new Intl.NumberFormat('de');

/** Texts of the list of failed requests of an application, in German. */
export const failures = {
  title: 'Warum Anfragen fehlschlugen',
  whole: 'Ganz anzeigen',
  intro: 'Fehlgeschlagene Anfragen dieser Anwendung an den Autorisierungsserver und die API aus den letzten 7 Tagen.',
  filter: 'Filtern',
  kind: 'Ursache',
  requestId: 'Kennung der Anfrage',
  requestIdHint: 'Der Header X-Request-Id einer Antwort. Auch Fehlerseiten zeigen ihn.',
  own: 'Nur authentifizierte Anfragen',
  ownHint: 'Andere kann jeder im Namen deiner Anwendung senden.',
  show: 'Anzeigen',
  showAll: 'Alle anzeigen',
  all: 'Alle',
  none: 'Keine fehlgeschlagenen Anfragen.',
  noneFound: 'Keine fehlgeschlagene Anfrage passt dazu. Eine neue erscheint nach etwa einer Sekunde.',
  server: 'Autorisierungsserver',
  api: 'Anfragen an die API',
  kinds: {
    redirect_uri: 'Redirect-URI',
    credentials: 'Zugangsdaten',
    secret_ended: 'Abgelaufenes Geheimnis',
    code: 'Autorisierungscode',
    refresh_token: 'Refresh-Token',
    pkce: 'Nachweis zum Code (PKCE)',
    scope: 'Berechtigungen',
    ignored_scope: 'Ignorierte Scopes',
    person: 'Entscheidung der Person',
    logout: 'Abmelden',
    request: 'Anderes',
    api: 'Alle Fehler der API',
  },
  statuses: {
    400: '400 Ungültige Anfrage',
    401: '401 Zugriffstoken',
    403: '403 Nicht erlaubt',
    404: '404 Nicht gefunden',
    409: '409 Konflikt',
    422: '422 Idempotenzschlüssel oder Bild',
    429: '429 Anfragelimit',
  },
  facts: {
    issuedAt: 'Ausgestellt',
    usedAt: 'Zuerst benutzt',
    expiresAt: 'Abgelaufen',
    endedAt: 'Zustimmung beendet',
    secret: 'Geheimnis',
    scopes: 'Scope-Name',
    parameters: 'Parametername',
    grantType: 'Grant-Typ',
    limit: 'Anfragelimit',
  },
  repeats: (times: number) => `${count.format(times)}-mal, zuletzt`,
  first: (time: string) => `, zuerst ${time}`,
  message: 'Meldung',
  fix: 'So behebst du es:',
  causes,
  presented: 'Gesendet',
  registered: 'Nächste eingetragene',
  authorized: 'Autorisierungsanfrage',
  noneRegistered: 'keine',
  difference: 'Unterschied',
  missing: 'fehlt:',
  extra: 'zu viel:',
};
