/** Texts about how an application authenticates. */
export const authentication = {
  keysTitle: 'Usar claves en lugar de secretos',
  otherKeysTitle: 'Usar otras claves',
  keysText:
    'La aplicación firma entonces sus solicitudes con sus propias claves (private_key_jwt). Todos sus secretos dejan de funcionar al instante y se revocan sus tokens de acceso.',
  otherKeysText:
    'Las claves actuales dejan de funcionar al instante y se revocan los tokens de acceso de la aplicación.',
  keys: 'Claves públicas',
  keysHint:
    'Una dirección https donde se encuentran, como https://app.example.com/jwks.json, o un JWK Set en JSON. ES256, PS256 o EdDSA.',
  setKeys: 'Usar estas claves',
  keysUsed: 'La aplicación ahora se identifica solo con estas claves.',
  secretTitle: 'Usar un secreto en lugar de claves',
  secretText:
    'Las claves dejan de funcionar al instante y se revocan los tokens de acceso de la aplicación. El secreto se muestra una sola vez.',
  setSecret: 'Crear un secreto',
  hasSecret: 'La aplicación ya tiene un secreto.',
};
