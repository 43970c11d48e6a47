import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.safebrowsing.v5.Safebrowsing;
import java.util.Arrays;

/** Searches for hashes by Google's Java client of version 5: java V5.java SERVER PREFIX… */
public class V5 {
  public static void main(String[] args) throws Exception {
    var client = new Safebrowsing.Builder(new NetHttpTransport(), GsonFactory.getDefaultInstance(), null)
        .setRootUrl(args[0]).setApplicationName("test").build();
    var prefixes = Arrays.asList(args).subList(1, args.length);
    System.out.println(client.hashes().search().setHashPrefixes(prefixes).setKey("KEY").execute());
  }
}
