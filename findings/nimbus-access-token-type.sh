#!/bin/sh
# nimbus-jose-jwt: the default processor refuses an access token with `typ: at+jwt`; java-jwt and jjwt accept it.
#
# Version:   nimbus-jose-jwt 10.10, java-jwt 4.6.2, jjwt 0.13.0
# Date:      2026-11-28
# Behaviour: Two tokens, without `exp`, differ in `typ` only: `JWT` and `at+jwt`. A DefaultJWTProcessor accepts the
#            first and refuses the second with "JOSE header typ (type) at+jwt not allowed". java-jwt and jjwt accept
#            both.
# Guess:     Valid: `at+jwt` is the type that RFC 9068 §2.1 demands of access tokens, and the caller set no type.
# Matters:   A server that begins to follow RFC 9068 locks out resource servers in Java with Nimbus, while those with
#            other libraries notice nothing. The processor needs a DefaultJOSEObjectTypeVerifier with the type; the
#            others leave the check to the caller.
#
# Usage: sh nimbus-access-token-type.sh    (needs Maven and Java 17)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> typ: JWT
#>   nimbus-jose-jwt: valid
#>   java-jwt: valid
#>   jjwt: valid
#> typ: at+jwt
#>   nimbus-jose-jwt: JOSE header typ (type) at+jwt not allowed
#>   java-jwt: valid
#>   jjwt: valid
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

depend() { echo "<dependency><groupId>$1</groupId><artifactId>$2</artifactId><version>$3</version></dependency>"; }
{
  echo '<project><modelVersion>4.0.0</modelVersion><groupId>show</groupId><artifactId>show</artifactId>'
  echo '<version>1</version><dependencies>'
  depend com.nimbusds nimbus-jose-jwt 10.10
  depend com.auth0 java-jwt 4.6.2
  depend io.jsonwebtoken jjwt-impl 0.13.0
  depend io.jsonwebtoken jjwt-jackson 0.13.0
  echo '</dependencies></project>'
} > pom.xml
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib > log 2>&1 || { cat log >&2; exit 2; }

cat > Show.java <<'SCRIPT'
import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import com.nimbusds.jose.*;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.proc.*;
import com.nimbusds.jwt.*;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.security.Keys;

public class Show {
  static void show(String name, java.util.concurrent.Callable<?> check) {
    try {
      check.call();
      System.out.println("  " + name + ": valid");
    } catch (Exception e) {
      System.out.println("  " + name + ": " + e.getMessage());
    }
  }

  public static void main(String[] args) throws Exception {
    byte[] key = "0123456789abcdef0123456789abcdef".getBytes();
    var claims = new JWTClaimsSet.Builder().subject("alice").build();
    for (String type : new String[] {"JWT", "at+jwt"}) {
      var header = new JWSHeader.Builder(JWSAlgorithm.HS256).type(new JOSEObjectType(type));
      var signed = new SignedJWT(header.build(), claims);
      signed.sign(new MACSigner(key));
      String token = signed.serialize();
      System.out.println("typ: " + type);
      show("nimbus-jose-jwt", () -> {
        var processor = new DefaultJWTProcessor<SecurityContext>();
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(JWSAlgorithm.HS256, new ImmutableSecret<>(key)));
        return processor.process(token, null);
      });
      show("java-jwt", () -> JWT.require(Algorithm.HMAC256(key)).build().verify(token));
      show("jjwt", () -> Jwts.parser().verifyWith(Keys.hmacShaKeyFor(key)).build().parseSignedClaims(token));
    }
  }
}
SCRIPT
java -cp 'lib/*' Show.java > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
