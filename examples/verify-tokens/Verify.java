import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/** Verifies an access token with Spring Security. In an application, the decoder is a bean. */
public class Verify {
  static JwtDecoder decoder(String issuer, String audience) {
    NimbusJwtDecoder decoder =
        NimbusJwtDecoder.withJwkSetUri(issuer + "/oauth/jwks")
            // Without it only RS256 is accepted; leave it out if your API has chosen that.
            .jwsAlgorithm(SignatureAlgorithm.ES256)
            // Otherwise the type must be JWT. The validator below requires at+jwt (RFC 9068 §4).
            .validateType(false)
            .build();
    decoder.setJwtValidator(JwtValidators.createAtJwtValidator().issuer(issuer).audience(audience).build());
    return decoder;
  }

  public static void main(String[] arguments) {
    Jwt token = decoder(System.getenv("ISSUER"), System.getenv("AUDIENCE")).decode(System.getenv("TOKEN"));
    System.out.println(
        token.getSubject() + " " + token.getClaimAsString("client_id") + " " + token.getClaimAsString("scope"));
  }
}
