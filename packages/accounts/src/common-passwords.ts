/** The most common passwords of published leaks, in lower case, with at least the six characters the contract requires. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  123456 1234567 12345678 123456789 1234567890 12345678910 0123456789 0987654321 987654321 87654321 654321 012345
  111111 1111111 11111111 1111111111 000000 00000000 222222 333333 444444 555555 666666 777777 7777777 888888 88888888
  999999 101010 112233 11223344 121212 123123 123123123 123321 12341234 123654 123789 131313 147258 147258369 159357
  159753 232323 252525 741852 741852963 789456 789456123 102030 696969 abcabc aaaaaa abc123 abcd1234 abcdef abcdefg
  abcdefgh abc12345 a123456 a12345678 a123456789 a1b2c3 a1b2c3d4 123abc 123456a 123456aa 1234qwer 12345a 123qwe 123qweasd
  12qwaszx 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 q1w2e3 q1w2e3r4 qazwsx qazwsxedc zaq12wsx zaq1zaq1 zxcvbn
  zxcvbnm asdasd asdf1234 asdfgh asdfghjkl asdfjkl qweasd qweasdzxc qweqwe qwer1234 qwerty qwerty1 qwerty12 qwerty123
  qwerty1234 qwerty12345 qwertyui qwertyuiop qwertz qwertz123 qwertzuiop azerty azerty123 poiuyt password password1
  password12 password123 password1234 password! password1! passw0rd p@ssw0rd p@ssword pa55word pass1234 pass123 passwort
  passwort1 passwort123 kennwort changeme changeit letmein letmein1 welcome welcome1 welcome123 willkommen secret
  geheim geheim1 default access access14 master admin1 admin123 administrator root123 user123 test123 test1234 testtest
  testing guest123 temp123 temppass login123 hallo123 hallo1 hello123 hello1 iloveyou iloveyou1 iloveu ichliebedich
  schatz lovely loveme trustno1 superman batman spiderman pokemon starwars matrix dragon monkey tigger tiger1 shadow
  sunshine princess princess1 football football1 fussball soccer baseball basketball hockey hunter hunter2 killer
  computer internet samsung google facebook liverpool chelsea arsenal barcelona juventus ferrari mercedes porsche harley
  corvette mustang michael jordan jordan23 jennifer jessica michelle nicole ashley daniel andrew joshua thomas robert
  charlie george matthew anthony alexander maggie buster ginger pepper cookie cheese banana orange purple flower
  butterfly summer summer1 winter freedom whatever blink182 mynoob fuckyou fuckyou1 asshole biteme linnet linnet1
  linnet123
  `
    .trim()
    .split(/\s+/),
);
