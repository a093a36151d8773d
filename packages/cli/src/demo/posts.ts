import type { Scene } from './draw.ts';

export interface DemoPost {
  readonly by: string;
  readonly text: string;
  readonly picture?: Scene;
  readonly comments?: readonly (readonly [by: string, text: string])[];
  readonly reposts?: readonly string[];
}

/** Oldest first. */
export const posts: readonly DemoPost[] = [
  { by: 'amina_haddad', text: 'Hello #Linnet. Came for the API, stayed for the birds.' },
  {
    by: 'kenji_mori',
    text: '今朝の気温は二度。電線にカワラヒワが七羽。 #野鳥 #長野',
    picture: 'mountains',
    comments: [['mara_okafor', 'Seven on one context, and the light behind them. Beautiful.']],
    reposts: ['mara_okafor', 'camille_roux'],
  },
  {
    by: 'jonas_feld',
    text: 'Der Gravensteiner trägt dieses Jahr so schwer, dass ich die Äste stützen muss. Wer Äpfel möchte: kommt vorbei. #Garten #Äpfel',
    picture: 'orchard',
    comments: [
      ['lucia_reyes', 'Envíame una caja, por favor. Bueno, o la receta del pastel.'],
      ['camille_roux', 'Je passe samedi, avec le vélo cargo 🚲'],
    ],
    reposts: ['camille_roux'],
  },
  {
    by: 'lucia_reyes',
    text: 'Hoy en el mercado: flor de calabaza, epazote y tres señoras discutiendo sobre el mole correcto. Ganó la mayor. #Oaxaca #cocina',
    comments: [['jonas_feld', 'Was sagt die Älteste: mit oder ohne Schokolade?']],
  },
  {
    by: 'rafael_costa',
    text: 'Amanhã: chuva fraca de manhã, sol depois das quinze. Mapas em https://tempo.example.org/porto #meteo #Porto',
    reposts: ['amina_haddad'],
  },
  {
    by: 'mara_okafor',
    text: 'Quay 4, ten past five. The ferry had already left and taken the noise with it. #harbour #film',
    picture: 'harbour',
    comments: [
      ['tove_lind', 'I can hear the quiet.'],
      ['rafael_costa', 'That haze is gone by nine tomorrow, I promise.'],
      ['kenji_mori', '静かな写真ですね。'],
    ],
    reposts: ['kenji_mori', 'rafael_costa', 'jonas_feld'],
  },
  {
    by: 'camille_roux',
    text: 'Montée de la Grande-Côte sous la pluie : 11 minutes 40. Merci à @mara_okafor pour la playlist. #vélo #Lyon',
    comments: [['mara_okafor', 'It was the last track, wasn’t it?']],
  },
  {
    by: 'amina_haddad',
    text: 'Small joys: cursor paging that does not skip a row when somebody posts in between. #api',
  },
  { by: 'tove_lind', text: 'Båten är i vattnet igen. Only the three of you know.', picture: 'harbour' },
  {
    by: 'kenji_mori',
    text: 'Slow train to Matsumoto. Window seat, rice ball, no signal until the tunnel ends. #各駅停車',
    comments: [['camille_roux', 'Le bonheur, en une phrase.']],
    reposts: ['jonas_feld'],
  },
  {
    by: 'rafael_costa',
    text: 'The bot in my profile posts the forecast for Porto every morning. It is forty lines; @amina_haddad reviewed thirty of them. #bots',
    comments: [['amina_haddad', 'The other ten were comments.']],
  },
  {
    by: 'lucia_reyes',
    text: 'Receta corta: tomate asado, chile, sal, paciencia. Larga: https://cocina.example.org/salsa',
    picture: 'still-life',
    reposts: ['jonas_feld', 'amina_haddad'],
  },
  {
    by: 'jonas_feld',
    text: 'Regen seit drei Tagen. Die Tonne ist voll, die Schnecken sind glücklich, ich koche nach, was @lucia_reyes aufgeschrieben hat.',
    comments: [['lucia_reyes', '¿Y la sal? ¿Pusiste sal?']],
  },
  {
    by: 'mara_okafor',
    text: 'Contact sheet from last week. Thirty-six frames, four keepers, one I took by accident. #film',
    picture: 'evening',
    comments: [['amina_haddad', 'Number 23. Obviously.']],
    reposts: ['amina_haddad'],
  },
  { by: 'camille_roux', text: 'Question du jour : pneus de 32 ou de 35 pour les pavés ? #vélo' },
  {
    by: 'amina_haddad',
    text: 'Shipped: the reading room of our library now announces new books here. Twenty minutes from “Create application” to the first post. #Linnet #libraries',
    comments: [
      ['rafael_costa', 'Which scope did you end up with?'],
      ['amina_haddad', 'Just `posts`. It needs nothing else.'],
    ],
    reposts: ['rafael_costa', 'mara_okafor'],
  },
];
