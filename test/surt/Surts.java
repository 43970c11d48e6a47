import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.netpreserve.jwarc.URIs;

/** Answers each line, a URL, with the SURT that jwarc makes of it, or with ERROR. */
class Surts {
  public static void main(String[] args) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) out.print(surt(line) + "\n");
    out.flush();
  }

  private static String surt(String url) {
    try {
      return URIs.toNormalizedSurt(url);
    } catch (RuntimeException error) {
      return "ERROR";
    }
  }
}
