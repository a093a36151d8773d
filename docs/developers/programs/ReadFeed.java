import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.regex.Pattern;

public class ReadFeed {
  static final String BASE_URL = "http://localhost:3000";

  public static void main(String[] arguments) throws Exception {
    String credentials = "YOUR_CLIENT_ID" + ":" + System.getenv("CLIENT_SECRET");
    String basic = "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes());
    var tokens = send(HttpRequest.newBuilder(URI.create(BASE_URL + "/oauth/token"))
        .header("Authorization", basic)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString("grant_type=client_credentials")));
    // Java has no JSON parser. Use the one of your framework instead.
    var found = Pattern.compile("\"access_token\":\"([^\"]*)\"").matcher(tokens).results().findFirst();

    System.out.println(send(HttpRequest.newBuilder(URI.create(BASE_URL + "/api/v2.0/feed?count=1"))
        .header("Authorization", "Bearer " + found.orElseThrow().group(1))
        .header("Accept", "application/json")));
  }

  static String send(HttpRequest.Builder request) throws Exception {
    var response = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    if (response.statusCode() != 200) throw new IOException(response.body());
    return response.body();
  }
}
