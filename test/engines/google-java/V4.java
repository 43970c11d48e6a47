import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.safebrowsing.Safebrowsing;
import com.google.api.services.safebrowsing.model.*;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Looks URLs up by Google's Java client of version 4, which packs the body: java V4.java SERVER URL… */
public class V4 {
  public static void main(String[] args) throws Exception {
    var client = new Safebrowsing.Builder(new NetHttpTransport(), GsonFactory.getDefaultInstance(), null)
        .setRootUrl(args[0]).setApplicationName("test").build();
    var entries = Stream.of(args).skip(1).map(url -> new ThreatEntry().setUrl(url)).toList();
    var info = new ThreatInfo().setThreatTypes(List.of("MALWARE", "SOCIAL_ENGINEERING"))
        .setPlatformTypes(List.of("ANY_PLATFORM")).setThreatEntryTypes(List.of("URL")).setThreatEntries(entries);
    var named = new ClientInfo().setClientId("test").setClientVersion("1");
    var request = new FindThreatMatchesRequest().setClient(named).setThreatInfo(info);
    System.out.println(client.threatMatches().find(request).setKey("KEY").execute());
  }
}
