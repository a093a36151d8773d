import com.github.scribejava.core.builder.ServiceBuilder;
import com.github.scribejava.core.builder.api.DefaultApi20;
import com.github.scribejava.core.oauth.AccessTokenRequestParams;
import com.github.scribejava.core.oauth.AuthorizationUrlBuilder;
import com.github.scribejava.core.oauth.OAuth20Service;
import com.github.scribejava.core.oauth2.clientauthentication.ClientAuthentication;
import com.github.scribejava.core.oauth2.clientauthentication.HttpBasicAuthenticationScheme;
import com.github.scribejava.core.oauth2.clientauthentication.RequestBodyAuthenticationScheme;
import com.github.scribejava.core.pkce.PKCE;
import com.google.api.client.auth.oauth2.AuthorizationCodeFlow;
import com.google.api.client.auth.oauth2.BearerToken;
import com.google.api.client.auth.oauth2.ClientCredentialsTokenRequest;
import com.google.api.client.auth.oauth2.ClientParametersAuthentication;
import com.google.api.client.auth.oauth2.RefreshTokenRequest;
import com.google.api.client.http.BasicAuthentication;
import com.google.api.client.http.GenericUrl;
import com.google.api.client.http.HttpExecuteInterceptor;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.gson.GsonFactory;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.oauth2.sdk.AccessTokenResponse;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.ClientCredentialsGrant;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * Applications that follow the quickstart of a Java library. Usage: Clients.java <library> <flow>.
 *
 * <p>The environment has ISSUER, CLIENT_ID, CLIENT_SECRET (empty for a public application) and REDIRECT_URI. The program
 * prints {"open": URL} to send its user to the authorization server, reads the callback URL from standard input, and
 * prints {"access_token": ..., "name": ...} at the end.
 */
public final class Clients {
    private static final String issuer = System.getenv("ISSUER");
    private static final String clientId = System.getenv("CLIENT_ID");
    private static final String clientSecret = System.getenv("CLIENT_SECRET");
    private static final String redirectUri = System.getenv("REDIRECT_URI");
    private static final String authorizationEndpoint = issuer + "/oauth/authorize";
    private static final String tokenEndpoint = issuer + "/oauth/token";
    private static final BufferedReader input = new BufferedReader(new InputStreamReader(System.in));

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "oauth2-oidc-sdk" -> nimbus(arguments[1]);
            case "scribejava-core" -> scribe(arguments[1]);
            case "google-oauth-client" -> google(arguments[1]);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Sends the user to the URL and returns the callback. */
    private static String visit(String url) throws Exception {
        print(Map.of("open", url));
        return input.readLine();
    }

    private static void print(Map<String, String> message) {
        System.out.println(new com.google.gson.Gson().toJson(message));
    }

    private static String codeOf(String callback) {
        for (String pair : URI.create(callback).getQuery().split("&")) {
            if (pair.startsWith("code=")) return pair.substring(5);
        }
        throw new IllegalStateException(callback);
    }

    private static void nimbus(String flow) throws Exception {
        OIDCProviderMetadata metadata = OIDCProviderMetadata.resolve(new Issuer(issuer));
        ClientID client = new ClientID(clientId);
        if (flow.equals("client credentials")) {
            AccessTokenResponse response = nimbusTokens(metadata, new ClientCredentialsGrant(), new Scope("users"));
            print(Map.of("access_token", response.getTokens().getAccessToken().getValue()));
            return;
        }
        boolean isSignIn = flow.startsWith("sign-in");
        State state = new State();
        Nonce nonce = new Nonce();
        CodeVerifier verifier = new CodeVerifier();
        Scope scope = isSignIn ? new Scope("openid", "profile", "email") : new Scope("openid", "users", "posts");
        URI request =
                new AuthenticationRequest.Builder(ResponseType.CODE, scope, client, URI.create(redirectUri))
                        .endpointURI(metadata.getAuthorizationEndpointURI())
                        .state(state)
                        .nonce(nonce)
                        .codeChallenge(verifier, CodeChallengeMethod.S256)
                        .build()
                        .toURI();
        var callback = AuthenticationResponseParser.parse(URI.create(visit(request.toString())));
        if (!callback.indicatesSuccess() || !callback.getState().equals(state)) {
            throw new IllegalStateException("unexpected callback");
        }
        AuthorizationCode code = callback.toSuccessResponse().getAuthorizationCode();
        AccessTokenResponse response =
                nimbusTokens(metadata, new AuthorizationCodeGrant(code, URI.create(redirectUri), verifier), null);
        if (flow.equals("refresh")) {
            response = nimbusTokens(metadata, new RefreshTokenGrant(response.getTokens().getRefreshToken()), null);
        }
        if (!isSignIn) {
            print(Map.of("access_token", response.getTokens().getAccessToken().getValue()));
            return;
        }
        var idToken = ((OIDCTokenResponse) response).getOIDCTokens().getIDToken();
        var validator =
                new IDTokenValidator(
                        metadata.getIssuer(), client, JWSAlgorithm.RS256, metadata.getJWKSetURI().toURL());
        validator.validate(idToken, nonce);
        String name = idToken.getJWTClaimsSet().getStringClaim("name");
        print(Map.of("access_token", response.getTokens().getAccessToken().getValue(), "name", name));
    }

    private static AccessTokenResponse nimbusTokens(OIDCProviderMetadata metadata, AuthorizationGrant grant, Scope scope)
            throws Exception {
        var authentication = new ClientSecretBasic(new ClientID(clientId), new Secret(clientSecret));
        var request = new TokenRequest(metadata.getTokenEndpointURI(), authentication, grant, scope);
        var response = OIDCTokenResponseParser.parse(request.toHTTPRequest().send());
        if (!response.indicatesSuccess()) {
            throw new IllegalStateException(response.toErrorResponse().getErrorObject().toString());
        }
        return (AccessTokenResponse) response.toSuccessResponse();
    }

    private static final class LinnetApi extends DefaultApi20 {
        @Override
        public String getAccessTokenEndpoint() {
            return tokenEndpoint;
        }

        @Override
        protected String getAuthorizationBaseUrl() {
            return authorizationEndpoint;
        }

        @Override
        public ClientAuthentication getClientAuthentication() {
            return clientSecret.isEmpty()
                    ? RequestBodyAuthenticationScheme.instance()
                    : HttpBasicAuthenticationScheme.instance();
        }
    }

    private static void scribe(String flow) throws Exception {
        var builder = new ServiceBuilder(clientId).callback(redirectUri).defaultScope("users posts");
        if (!clientSecret.isEmpty()) builder.apiSecret(clientSecret);
        OAuth20Service service = builder.build(new LinnetApi());
        if (flow.equals("client credentials")) {
            print(Map.of("access_token", service.getAccessTokenClientCredentialsGrant("users").getAccessToken()));
            return;
        }
        AuthorizationUrlBuilder url = service.createAuthorizationUrlBuilder().state("state-1").initPKCE();
        PKCE pkce = url.getPkce();
        var parameters = AccessTokenRequestParams.create(codeOf(visit(url.build())));
        var token = service.getAccessToken(parameters.pkceCodeVerifier(pkce.getCodeVerifier()));
        if (flow.equals("refresh")) token = service.refreshAccessToken(token.getRefreshToken());
        print(Map.of("access_token", token.getAccessToken()));
    }

    private static void google(String flow) throws Exception {
        var transport = new NetHttpTransport();
        var json = GsonFactory.getDefaultInstance();
        var token = new GenericUrl(tokenEndpoint);
        HttpExecuteInterceptor authentication =
                clientSecret.isEmpty()
                        ? new ClientParametersAuthentication(clientId, null)
                        : new BasicAuthentication(clientId, clientSecret);
        if (flow.equals("client credentials")) {
            var response =
                    new ClientCredentialsTokenRequest(transport, json, token)
                            .setScopes(List.of("users"))
                            .setClientAuthentication(authentication)
                            .execute();
            print(Map.of("access_token", response.getAccessToken()));
            return;
        }
        var codeFlow =
                new AuthorizationCodeFlow.Builder(
                                BearerToken.authorizationHeaderAccessMethod(),
                                transport,
                                json,
                                token,
                                authentication,
                                clientId,
                                authorizationEndpoint)
                        .setScopes(List.of("users", "posts"))
                        .enablePKCE()
                        .build();
        String url = codeFlow.newAuthorizationUrl().setRedirectUri(redirectUri).setState("state-1").build();
        var response = codeFlow.newTokenRequest(codeOf(visit(url))).setRedirectUri(redirectUri).execute();
        if (flow.equals("refresh")) {
            response =
                    new RefreshTokenRequest(transport, json, token, response.getRefreshToken())
                            .setClientAuthentication(authentication)
                            .execute();
        }
        print(Map.of("access_token", response.getAccessToken()));
    }
}
