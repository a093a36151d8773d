import type { SettingMessages } from '../setting-texts.ts';

/** Texts of protocol settings, in German. */
export const settings: SettingMessages = {
  advanced: 'Erweiterte Einstellungen',
  limitedTo: (seconds) =>
    `Die Administration dieses Dienstes erlaubt höchstens ${String(seconds)} Sekunden. Kein Token gilt länger, was auch immer du hier einträgst.`,
  texts: {
    strict: {
      label: 'Streng (FAPI 2.0)',
      text: 'Für Anwendungen mit hohem Schutzbedarf. Verlangt Pushed Authorization Requests, PKCE, DPoP und Anmeldung der Anwendung mit Schlüsseln und schaltet Gerätecode und response_type=token aus. ID-Tokens werden mit ES256 signiert. Refresh-Tokens wechseln nicht, weil sie an deinen Schlüssel gebunden sind. Solange es an ist, lässt sich nichts davon ändern.',
    },
    grantTypes: {
      label: 'Grant-Typen',
      text: 'Auf welchen Wegen die Anwendung Tokens bekommen darf. Lass aus, was sie nicht benutzt.',
    },
    requirePkce: {
      label: 'PKCE verlangen',
      text: 'Empfohlen. Lehnt Autorisierungsanfragen ohne code_challenge (S256) ab, damit ein gestohlener Code nichts nützt. Schalte es nur für Clients aus, die PKCE nicht können. Nur für vertrauliche Anwendungen; die anderen brauchen es immer.',
    },
    requirePushedAuthorizationRequests: {
      label: 'Pushed Authorization Requests verlangen',
      text: 'Lehnt Autorisierungsanfragen ab, die nicht zuerst an /oauth/par gesendet wurden, damit niemand sie im Browser ändern kann.',
    },
    dpopBoundAccessTokens: {
      label: 'DPoP verlangen',
      text: 'Stellt nur Tokens aus, die an einen Schlüssel der Anwendung gebunden sind, damit ein gestohlenes Token nichts nützt.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Algorithmus der Client-Assertions',
      text: 'Für Anwendungen, die sich mit Schlüsseln ausweisen (private_key_jwt). Mit einer anderen Wahl als „Beliebig“ werden alle übrigen Algorithmen abgelehnt.',
    },
    acceptEndpointAudience: {
      label: 'Token-Endpunkt als Audience annehmen',
      text: 'Für Anwendungen, die sich mit Schlüsseln ausweisen (private_key_jwt) und deren Bibliothek den Token-Endpunkt als „aud“ sendet (Spring Security, Authlib und andere). Der Issuer ist sicherer: Eine Assertion für ihn nützt anderswo nichts. Nicht mit „Streng“.',
    },
    accessTokenLifetime: {
      label: 'Gültigkeit von Zugriffstokens in Sekunden',
      text: 'Von 60 bis 3600. Leer gilt die Vorgabe von einer Stunde.',
    },
    refreshTokenLifetime: {
      label: 'Gültigkeit unbenutzter Refresh-Tokens in Sekunden',
      text: 'Von 300 bis 31536000. Leer gilt die Vorgabe von 30 Tagen.',
    },
    idTokenSignedResponseAlg: {
      label: 'Signatur von ID-Tokens',
      text: 'Wähle ES256 nur, wenn jeder Client, der die ID-Tokens prüft, es unterstützt. Frühere ID-Tokens bleiben gültig.',
    },
    postLogoutRedirectUris: {
      label: 'Adressen nach dem Abmelden',
      text: 'Wohin die Leute gelangen, nachdem deine Anwendung sie zu /oauth/logout geschickt hat. Eine URI pro Zeile, genau so, wie deine Anwendung sie sendet, ohne den Parameter state.',
    },
    backchannelLogoutUri: {
      label: 'Back-Channel-Logout-URI',
      text: 'Endet eine Sitzung, in der sich jemand bei dieser Anwendung angemeldet hat, wird ein Logout-Token hierhin gesendet. Verwende https und eine öffentliche Adresse.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Sitzungs-ID in Logout-Tokens verlangen',
      text: 'Manche Bibliotheken fragen danach. Logout-Tokens enthalten sid immer.',
    },
  },
  choices: {
    authorization_code: {
      label: 'Autorisierungscode',
      text: 'Menschen melden sich im Browser an und erlauben den Zugriff.',
    },
    any: { label: 'Beliebig', text: 'ES256, PS256, EdDSA oder, wenn nicht streng, RS256.' },
    ES256: { label: 'ES256', text: 'ECDSA mit P-256.' },
    PS256: { label: 'PS256', text: 'RSA-PSS mit SHA-256.' },
    EdDSA: { label: 'EdDSA', text: 'Schlüssel der Art Ed25519.' },
    RS256: { label: 'RS256', text: 'RSA mit PKCS #1 v1.5 und SHA-256.' },
    refresh_token: { label: 'Refresh-Token', text: 'Sie bleibt verbunden, ohne erneut zu fragen.' },
    client_credentials: {
      label: 'Client-Zugangsdaten',
      text: 'Sie bekommt Tokens für sich selbst. Nur für vertrauliche Anwendungen.',
    },
    'urn:ietf:params:oauth:grant-type:device_code': {
      label: 'Gerätecode',
      text: 'Für Fernseher, Konsolen und Programme im Terminal: Menschen geben einen Code auf einem anderen Gerät ein. Das kann jeder beginnen, der die Client-ID kennt. Schalte es also nur ein, wenn du es brauchst.',
    },
  },
  problems: {
    'unknown-choice': (value) => `„${value}“ steht nicht zur Wahl.`,
    'not-for-type': (value) => `Anwendungen dieses Typs können „${value}“ nicht verwenden.`,
    'not-a-number': (value) => `„${value}“ ist keine ganze Zahl.`,
    'out-of-range': (value) => `${value} liegt außerhalb des erlaubten Bereichs.`,
    'bad-address': (value) => `${value} ist keine erlaubte Adresse.`,
    'too-many': (value) => `Gib höchstens ${value} an.`,
    'not-with-strict': () => 'Eine strenge Anwendung kann diesen Wert nicht haben. Schalte zuerst „Streng“ aus.',
    'needs-keys': () => 'Strenge Anwendungen weisen sich mit Schlüsseln aus. Gib der Anwendung zuerst Schlüssel.',
  },
  on: 'an',
  off: 'aus',
  standard: 'Vorgabe',
};
