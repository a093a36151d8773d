import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;

public class Server {
  static final String ISSUER = "http://localhost:3000";
  static final String CLIENT_ID = "YOUR_CLIENT_ID";
  static final String REDIRECT_URI = "http://127.0.0.1:4000/callback";

  record Attempt(String state, String nonce, String verifier) {}

  // By session. Use your session store instead.
  static final Map<String, Attempt> attempts = new ConcurrentHashMap<>();
  static final Map<String, String> people = new ConcurrentHashMap<>();

  static final DefaultJWTProcessor<SecurityContext> idTokens = new DefaultJWTProcessor<>();

  public static void main(String[] arguments) throws Exception {
    var keys = JWKSourceBuilder.<SecurityContext>create(URI.create(ISSUER + "/oauth/jwks").toURL()).build();
    idTokens.setJWSKeySelector(new JWSVerificationKeySelector<>(JWSAlgorithm.RS256, keys));
    var required = new JWTClaimsSet.Builder().issuer(ISSUER).build();
    idTokens.setJWTClaimsSetVerifier(
        new DefaultJWTClaimsVerifier<>(CLIENT_ID, required, Set.of("sub", "nonce", "exp")));

    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 4000), 0);
    server.createContext("/", Server::handle);
    server.start();
    System.out.println("Open http://127.0.0.1:4000/");
  }

  static void handle(HttpExchange exchange) throws IOException {
    var cookies = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Cookie"), "");
    var found = Pattern.compile("\\bsession=([\\w-]+)").matcher(cookies);
    var session = found.find() ? found.group(1) : random();
    exchange.getResponseHeaders().set("Set-Cookie", "session=" + session + "; HttpOnly; SameSite=Lax; Path=/");
    try {
      var address = exchange.getRequestURI();
      if (address.getPath().equals("/callback") && attempts.containsKey(session)) {
        people.put(session, finish(parse(address.getRawQuery()), attempts.remove(session)));
        respond(exchange, 302, "/");
      } else if (people.containsKey(session)) {
        respond(exchange, 200, "Signed in as " + people.get(session));
      } else {
        attempts.put(session, new Attempt(random(), random(), random()));
        respond(exchange, 302, addressOf(attempts.get(session)));
      }
    } catch (Exception error) {
      error.printStackTrace();
      respond(exchange, 502, "Sign-in failed. Please try again.");
    }
  }

  static String addressOf(Attempt attempt) throws Exception {
    var hash = MessageDigest.getInstance("SHA-256").digest(attempt.verifier().getBytes(UTF_8));
    return ISSUER + "/oauth/authorize?" + form(Map.of(
        "response_type", "code",
        "client_id", CLIENT_ID,
        "redirect_uri", REDIRECT_URI,
        "scope", "openid profile",
        "state", attempt.state(),
        "nonce", attempt.nonce(),
        "code_challenge", Base64.getUrlEncoder().withoutPadding().encodeToString(hash),
        "code_challenge_method", "S256"));
  }

  static String finish(Map<String, String> callback, Attempt attempt) throws Exception {
    if (!attempt.state().equals(callback.get("state")) || !ISSUER.equals(callback.get("iss"))) {
      throw new IOException("not the answer to this session's request");
    }
    if (callback.containsKey("error")) throw new IOException(callback.get("error"));
    var tokens = requestTokens(Map.of(
        "grant_type", "authorization_code",
        "code", callback.get("code"),
        "redirect_uri", REDIRECT_URI,
        "code_verifier", attempt.verifier()));
    var claims = idTokens.process((String) tokens.get("id_token"), null);
    if (!attempt.nonce().equals(claims.getStringClaim("nonce"))) throw new IOException("not our ID token");
    return claims.getStringClaim("preferred_username");
  }

  // Also renews tokens, with grant_type=refresh_token and refresh_token.
  static Map<String, Object> requestTokens(Map<String, String> values) throws Exception {
    var credentials = CLIENT_ID + ":" + System.getenv("CLIENT_SECRET");
    var request = HttpRequest.newBuilder(URI.create(ISSUER + "/oauth/token"))
        .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8)))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString(form(values)))
        .build();
    var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) throw new IOException(response.body());
    return JSONObjectUtils.parse(response.body());
  }

  static void respond(HttpExchange exchange, int status, String text) throws IOException {
    if (status == 302) exchange.getResponseHeaders().set("Location", text);
    exchange.sendResponseHeaders(status, 0);
    try (var body = exchange.getResponseBody()) {
      body.write(text.getBytes(UTF_8));
    }
  }

  static String random() {
    var bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static String form(Map<String, String> values) {
    return values.entrySet().stream()
        .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), UTF_8))
        .collect(Collectors.joining("&"));
  }

  static Map<String, String> parse(String query) {
    return Set.of((query == null ? "" : query).split("&")).stream()
        .map(pair -> (pair + "=").split("=", -1))
        .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], UTF_8)));
  }
}
