/** Texts about how an application authenticates. */
export const authentication = {
  keysTitle: 'Schlüssel statt Geheimnissen verwenden',
  otherKeysTitle: 'Andere Schlüssel verwenden',
  keysText:
    'Die Anwendung signiert ihre Anfragen dann mit eigenen Schlüsseln (private_key_jwt). Alle ihre Geheimnisse gelten sofort nicht mehr, und ihre Zugriffstokens enden.',
  otherKeysText: 'Die jetzigen Schlüssel gelten sofort nicht mehr, und die Zugriffstokens der Anwendung enden.',
  keys: 'Öffentliche Schlüssel',
  keysHint:
    'Eine https-Adresse, unter der sie stehen, wie https://app.example.com/jwks.json, oder ein JWK Set als JSON. ES256, PS256 oder EdDSA.',
  setKeys: 'Diese Schlüssel verwenden',
  keysUsed: 'Die Anwendung weist sich jetzt nur noch mit diesen Schlüsseln aus.',
  secretTitle: 'Ein Geheimnis statt Schlüsseln verwenden',
  secretText:
    'Die Schlüssel gelten sofort nicht mehr, und die Zugriffstokens der Anwendung enden. Das Geheimnis wird nur einmal angezeigt.',
  setSecret: 'Geheimnis erstellen',
  hasSecret: 'Die Anwendung hat bereits ein Geheimnis.',
};
