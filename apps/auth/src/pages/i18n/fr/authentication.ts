/** Texts about how an application authenticates. */
export const authentication = {
  keysTitle: 'Utiliser des clés au lieu de secrets',
  otherKeysTitle: 'Utiliser d’autres clés',
  keysText:
    'L’application signe alors ses requêtes avec ses propres clés (private_key_jwt). Tous ses secrets cessent aussitôt de fonctionner, et ses jetons d’accès prennent fin.',
  otherKeysText:
    'Les clés actuelles cessent aussitôt de fonctionner, et les jetons d’accès de l’application prennent fin.',
  keys: 'Clés publiques',
  keysHint:
    'Une adresse https où elles se trouvent, comme https://app.example.com/jwks.json, ou un JWK Set en JSON. ES256, PS256 ou EdDSA.',
  setKeys: 'Utiliser ces clés',
  keysUsed: 'L’application prouve désormais son identité avec ces clés uniquement.',
  secretTitle: 'Utiliser un secret au lieu de clés',
  secretText:
    'Les clés cessent aussitôt de fonctionner, et les jetons d’accès de l’application prennent fin. Le secret n’est affiché qu’une seule fois.',
  setSecret: 'Créer un secret',
  hasSecret: 'L’application a déjà un secret.',
};
