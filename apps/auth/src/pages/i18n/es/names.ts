const count = new Intl.NumberFormat('es');

/** Texts about the names of people and applications, and what helps to judge them. */
export const names = {
  /** Of a text that is no name. */
  textUnprintable: 'Este texto contiene un carácter que no se puede mostrar. Elimínalo.',
  errors: {
    unprintable: 'El nombre contiene un carácter que no se puede mostrar. Elimínalo.',
    'mixed-scripts': 'El nombre mezcla escrituras que se parecen, como la latina y la cirílica. Usa solo una.',
    badge: 'Quita del nombre las marcas de verificación y otros signos parecidos.',
    reserved: 'Este nombre podría confundirse con el del servicio o sus administradores. Elige otro.',
    imitates: 'Este nombre se parece demasiado a uno verificado. Elige otro.',
    blocked: 'Este nombre contiene una palabra que este servicio no permite. Elige otro.',
  },
  changeEndsVerification:
    'Tu cuenta está verificada con tus nombres actuales. Si cambias alguno, se quitará la marca de cuenta verificada.',
  verification: 'Verificación',
  verified: 'Verificada',
  verifiedBy: (service: string) => `Verificada por ${service}`,
  notVerifiedBy: (service: string) => `No verificada por ${service}`,
  applicationChangeEndsVerification:
    'Esta aplicación está verificada. Si cambias su nombre, su logotipo o su sitio web, se quitará la marca de aplicación verificada.',
  created: 'Creación',
  createdRecently: 'En los últimos 7 días',
  usedBy: 'La usan',
  fewPeople: 'Menos de 10 personas',
  minPeople: (people: number) => `Al menos ${count.format(people)} personas`,
};
