import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.InflaterInputStream;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/** Verifies an access token with Spring Security, and whether it was revoked. In an application, the decoders are beans. */
public class Verify {
  private record StatusList(byte[] bits, Instant until) {}

  private final Map<String, StatusList> lists = new ConcurrentHashMap<>();
  private final Map<String, Map<String, Object>> rules = new ConcurrentHashMap<>();
  private final String issuer;
  private final JwtDecoder accessTokens;
  private final JwtDecoder events;

  Verify(String issuer, String audience) {
    this.issuer = issuer;
    this.accessTokens = decoder(JwtValidators.createAtJwtValidator().issuer(issuer).audience(audience).build());
    this.events = decoder(signedFor("secevent+jwt", new JwtClaimValidator<List<String>>("aud", aud -> aud.contains(audience))));
  }

  private JwtDecoder decoder(OAuth2TokenValidator<Jwt> validator) {
    NimbusJwtDecoder decoder =
        NimbusJwtDecoder.withJwkSetUri(issuer + "/oauth/jwks")
            // Without it only RS256 is accepted; leave it out if your API has chosen that.
            .jwsAlgorithm(SignatureAlgorithm.ES256)
            // Otherwise the type must be JWT. The validators require another one (RFC 9068 §4).
            .validateType(false)
            .build();
    decoder.setJwtValidator(validator);
    return decoder;
  }

  private OAuth2TokenValidator<Jwt> signedFor(String type, OAuth2TokenValidator<Jwt> receiver) {
    return new DelegatingOAuth2TokenValidator<>(
        new JwtTypeValidator(type), new JwtIssuerValidator(issuer), new JwtTimestampValidator(), receiver);
  }

  /** The claims of a token that is valid for this API. */
  Jwt verify(String token) {
    return accessTokens.decode(token);
  }

  /** Whether the status list says that the token is revoked. The list is fetched once in some seconds. */
  boolean isInList(Jwt token) throws Exception {
    Map<?, ?> at = (Map<?, ?>) token.getClaimAsMap("status").get("status_list");
    int index = ((Number) at.get("idx")).intValue();
    String uri = (String) at.get("uri");
    StatusList list = lists.get(uri);
    if (list == null || list.until().isBefore(Instant.now())) {
      list = fetchList(uri);
      lists.put(uri, list);
    }
    return (list.bits()[index >> 3] >> (index & 7) & 1) == 1;
  }

  private StatusList fetchList(String uri) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).build();
    String text = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    Jwt list = decoder(signedFor("statuslist+jwt", new JwtClaimValidator<String>("sub", uri::equals))).decode(text);
    byte[] compressed = Base64.getUrlDecoder().decode((String) list.getClaimAsMap("status_list").get("lst"));
    byte[] bits = new InflaterInputStream(new ByteArrayInputStream(compressed)).readAllBytes();
    long seconds = ((Number) list.getClaim("ttl")).longValue();
    return new StatusList(bits, Instant.now().plusSeconds(seconds));
  }

  /** Takes a security event token, the body of a request to your endpoint. Answer 202, or 400 if this throws. */
  @SuppressWarnings("unchecked")
  void receive(String event) {
    for (Object said : events.decode(event).getClaimAsMap("events").values()) {
      Map<String, Object> tokens = (Map<String, Object>) ((Map<String, Object>) said).get("tokens");
      // Keep it for an hour, as long as tokens live.
      if (tokens != null) rules.put(tokens.get("claim") + " " + tokens.get("value"), tokens);
    }
  }

  /** Whether an event has revoked the token. */
  boolean isRevokedByEvent(Jwt token) {
    for (String claim : List.of("acct", "client_id", "gid", "ch", "jti", "rs")) {
      Map<String, Object> rule = rules.get(claim + " " + token.getClaim(claim));
      if (rule == null) continue;
      if (rule.get("epoch") == null) return true;
      Number epoch = token.getClaim((String) rule.get("epoch"));
      if (epoch.longValue() < ((Number) rule.get("below")).longValue()) return true;
    }
    return false;
  }

  public static void main(String[] arguments) throws Exception {
    Verify api = new Verify(System.getenv("ISSUER"), System.getenv("AUDIENCE"));
    if (System.getenv("EVENT") != null) api.receive(System.getenv("EVENT"));
    Jwt token = api.verify(System.getenv("TOKEN"));
    if (api.isRevokedByEvent(token)) throw new IllegalStateException("revoked by an event");
    if (api.isInList(token)) throw new IllegalStateException("revoked in the list");
    System.out.println(
        token.getSubject() + " " + token.getClaimAsString("client_id") + " " + token.getClaimAsString("scope"));
  }
}
