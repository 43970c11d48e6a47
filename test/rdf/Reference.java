import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import net.trustyuri.rdf.RdfFileContent;
import net.trustyuri.rdf.RdfHasher;
import net.trustyuri.rdf.RdfPreprocessor;
import net.trustyuri.rdf.RdfUtils;
import net.trustyuri.rdf.TransformRdfSetting;
import org.eclipse.rdf4j.model.IRI;
import org.eclipse.rdf4j.model.Statement;
import org.eclipse.rdf4j.model.impl.SimpleValueFactory;
import org.eclipse.rdf4j.rio.RDFFormat;

/**
 * The trusty URI library for Java, one document a line: its format, module, base, the four characters of the settings
 * and its text in Base64, separated by blanks. Answers each with its code, or with "ERROR" and why.
 */
public class Reference {
  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setErr(new PrintStream(OutputStream.nullOutputStream())); // the library prints the stacks of what it throws
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      try {
        answers.println(codeOf(line.split(" ")));
      } catch (Exception | StackOverflowError error) {
        answers.println("ERROR " + String.valueOf(error.getMessage()).replaceAll("\\s+", " "));
      }
    }
    answers.flush();
  }

  private static String codeOf(String[] question) throws Exception {
    IRI base = SimpleValueFactory.getInstance().createIRI(question[2]);
    char[] settings = question[3].toCharArray();
    TransformRdfSetting setting = new TransformRdfSetting(settings[0], settings[1], settings[2], settings[3]);
    byte[] text = Base64.getDecoder().decode(question[4]);
    RdfFileContent content = RdfUtils.load(new ByteArrayInputStream(text), formatOf(question[0]));
    List<Statement> statements = RdfPreprocessor.run(content, base, setting).getStatements();
    return question[1].equals("RA")
        ? RdfHasher.makeArtifactCode(statements)
        : RdfHasher.makeGraphArtifactCode(statements, base, setting);
  }

  private static RDFFormat formatOf(String name) {
    switch (name) {
      case "nquads": return RDFFormat.NQUADS;
      case "ntriples": return RDFFormat.NTRIPLES;
      case "trig": return RDFFormat.TRIG;
      default: return RDFFormat.TURTLE;
    }
  }
}
