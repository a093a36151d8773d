import net.example.linnet.ApiClient;
import net.example.linnet.ApiException;
import net.example.linnet.api.PostsApi;
import net.example.linnet.model.PostCreateBody;
import net.example.linnet.model.Problem;

/** Uses the client that openapi-generator wrote in Java: posts, lists the feed, and reads a problem. */
public class GeneratorClient {
  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL") + "/api/v2.0");
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + System.getenv("ACCESS_TOKEN")));
    var posts = new PostsApi(client);

    posts.postCreate(new PostCreateBody().message(System.getenv("MESSAGE")), null);
    var newest = posts.feed(1L, null, null).getItems().get(0);
    System.out.println(newest.getText() + " by " + newest.getUser().getUsername());

    try {
      posts.postShow(1L);
    } catch (ApiException missing) {
      var problem = client.getObjectMapper().readValue(missing.getResponseBody(), Problem.class);
      System.out.println(missing.getCode() + " " + problem.getCode());
    }
  }
}
