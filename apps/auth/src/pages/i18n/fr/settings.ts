import type { SettingMessages } from '../setting-texts.ts';

/** Texts of protocol settings, in French. */
export const settings: SettingMessages = {
  advanced: 'Réglages avancés',
  limitedTo: (seconds) =>
    `Les administrateurs de ce service autorisent au plus ${String(seconds)} secondes. Aucun jeton ne dure plus longtemps, quelle que soit la valeur saisie ici.`,
  texts: {
    strict: {
      label: 'Mode strict (FAPI 2.0)',
      text: 'Pour les applications à haute sécurité. Exige les demandes d’autorisation poussées (PAR), PKCE, DPoP et l’authentification de l’application par clés, et désactive le code d’appareil et response_type=token. Les jetons d’identité sont signés avec ES256. Les jetons d’actualisation ne changent pas, car ils sont liés à votre clé. Tant que l’option est activée, rien de cela ne peut être modifié.',
    },
    grantTypes: {
      label: 'Types d’octroi',
      text: 'Comment l’application peut obtenir des jetons. Désactivez ce qu’elle n’utilise pas.',
    },
    requirePkce: {
      label: 'Exiger PKCE',
      text: 'Recommandé. Refuse les demandes d’autorisation sans code_challenge (S256), pour qu’un code volé soit inutile. Désactivez-le seulement pour les clients qui ne gèrent pas PKCE. Applications confidentielles uniquement ; les autres en ont toujours besoin.',
    },
    requirePushedAuthorizationRequests: {
      label: 'Exiger les demandes d’autorisation poussées (PAR)',
      text: 'Refuse les demandes d’autorisation qui n’ont pas d’abord été envoyées à /oauth/par, pour que personne ne puisse les modifier dans le navigateur.',
    },
    dpopBoundAccessTokens: {
      label: 'Exiger DPoP',
      text: 'N’émet que des jetons liés à une clé de l’application, pour qu’un jeton volé soit inutile.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Algorithme des assertions client',
      text: 'Pour les applications qui s’authentifient avec des clés (private_key_jwt). Avec un autre choix que « N’importe lequel », tous les autres algorithmes sont refusés.',
    },
    acceptEndpointAudience: {
      label: 'Accepter le point d’accès aux jetons comme audience',
      text: 'Pour les applications qui s’authentifient avec des clés (private_key_jwt) et dont la bibliothèque envoie le point d’accès aux jetons comme « aud » (Spring Security, Authlib et d’autres). L’émetteur est plus sûr : une assertion qui lui est destinée ne sert à rien ailleurs. Pas avec « Strict ».',
    },
    accessTokenLifetime: {
      label: 'Durée de vie des jetons d’accès, en secondes',
      text: 'De 60 à 3600. Laissez vide pour la valeur par défaut d’une heure.',
    },
    refreshTokenLifetime: {
      label: 'Durée de vie des jetons d’actualisation inutilisés, en secondes',
      text: 'De 300 à 31536000. Laissez vide pour la valeur par défaut de 30 jours.',
    },
    idTokenSignedResponseAlg: {
      label: 'Signature des jetons d’identité',
      text: 'Ne choisissez ES256 que si tous les clients qui vérifient les jetons d’identité le prennent en charge. Les jetons antérieurs restent valables.',
    },
    postLogoutRedirectUris: {
      label: 'Adresses après la déconnexion',
      text: 'Où les personnes sont envoyées après que votre application les a envoyées à /oauth/logout. Indiquez une URI par ligne, exactement comme votre application l’envoie, sans paramètre state.',
    },
    backchannelLogoutUri: {
      label: 'URI de déconnexion par canal arrière',
      text: 'Quand une session dans laquelle une personne s’est connectée à cette application se termine, un jeton de déconnexion est envoyé ici. Utilisez https et une adresse publique.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Exiger l’identifiant de session dans les jetons de déconnexion',
      text: 'Certaines bibliothèques le demandent. Les jetons de déconnexion contiennent toujours sid.',
    },
  },
  choices: {
    authorization_code: {
      label: 'Code d’autorisation',
      text: 'Les personnes se connectent et l’autorisent dans le navigateur.',
    },
    any: { label: 'N’importe lequel', text: 'ES256, PS256, EdDSA ou, hors mode strict, RS256.' },
    ES256: { label: 'ES256', text: 'ECDSA avec P-256.' },
    PS256: { label: 'PS256', text: 'RSA-PSS avec SHA-256.' },
    EdDSA: { label: 'EdDSA', text: 'Clés Ed25519.' },
    RS256: { label: 'RS256', text: 'RSA avec PKCS #1 v1.5 et SHA-256.' },
    refresh_token: { label: 'Jeton d’actualisation', text: 'Elle reste connectée sans redemander aux personnes.' },
    client_credentials: {
      label: 'Identifiants du client',
      text: 'Elle obtient des jetons pour elle-même. Applications confidentielles uniquement.',
    },
    'urn:ietf:params:oauth:grant-type:device_code': {
      label: 'Code d’appareil',
      text: 'Pour les téléviseurs, les consoles et les outils en ligne de commande : les personnes saisissent un code sur un autre appareil. Quiconque connaît l’ID client peut lancer ce processus : ne l’activez que si vous en avez besoin.',
    },
  },
  problems: {
    'unknown-choice': (value) => `« ${value} » n’est pas un choix valable.`,
    'not-for-type': (value) => `Les applications de ce type ne peuvent pas utiliser « ${value} ».`,
    'not-a-number': (value) => `« ${value} » n’est pas un nombre entier.`,
    'out-of-range': (value) => `${value} est hors des limites autorisées.`,
    'bad-address': (value) => `${value} n’est pas une adresse autorisée.`,
    'too-many': (value) => `Indiquez-en ${value} au plus.`,
    'not-with-strict': () =>
      'Une application stricte ne peut pas avoir cette valeur. Désactivez d’abord « Mode strict ».',
    'needs-keys': () =>
      'Les applications strictes s’authentifient avec des clés. Donnez d’abord des clés à l’application.',
  },
  on: 'activé',
  off: 'désactivé',
  standard: 'valeur par défaut',
};
