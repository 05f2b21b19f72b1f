import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Prints the CycloneDX document of an image: that of the jar, with the runtime and the packages of
 * the base image. Run as a source file, with the jar as the class path:
 *
 * <p>{@code java -cp JAR Sbom.java DOCUMENT JDK RUNTIME BASE}, the document of the jar, the JDK
 * that the runtime was linked from, the runtime, and the root file system of the base image
 */
public final class Sbom {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Sbom() {}

  /** Prints it to standard output. */
  public static void main(String[] arguments) throws IOException {
    ObjectNode document = (ObjectNode) JSON.readTree(Path.of(arguments[0]).toFile());
    ArrayNode components = document.withArray("components");
    components.add(runtime(Path.of(arguments[1]), Path.of(arguments[2])));
    Path base = Path.of(arguments[3]).toRealPath();
    Map<String, String> system = assignments(base, "etc/os-release");
    List<ObjectNode> packages = packages(base, system);
    if (system.containsKey("ID") && system.containsKey("VERSION_ID")) {
      ObjectNode distribution = components.addObject().put("type", "operating-system");
      distribution.put("name", system.get("ID")).put("version", system.get("VERSION_ID"));
    }
    components.addAll(packages);
    if (packages.isEmpty()) {
      System.err.println("image: the base has no dpkg database, so the SBOM lacks its packages");
    }
    // A serial number of its own, of the content: equal documents have equal numbers.
    byte[] content = document.toString().getBytes(StandardCharsets.UTF_8);
    document.put("serialNumber", "urn:uuid:" + UUID.nameUUIDFromBytes(content));
    new PrintStream(System.out, true, StandardCharsets.UTF_8).println(document.toPrettyString());
  }

  private static ObjectNode runtime(Path jdk, Path runtime) throws IOException {
    Map<String, String> release = assignments(jdk, "release");
    String version = release.get("JAVA_VERSION");
    ObjectNode component = JSON.createObjectNode();
    component.put("type", "platform");
    if (release.containsKey("IMPLEMENTOR")) {
      component.putObject("supplier").put("name", release.get("IMPLEMENTOR"));
    }
    component.put("name", "OpenJDK");
    component.put("version", release.getOrDefault("JAVA_RUNTIME_VERSION", version));
    // A JDK under another licence lacks this file.
    if (Files.exists(runtime.resolve("legal/java.base/ASSEMBLY_EXCEPTION"))) {
      component
          .putArray("licenses")
          .addObject()
          .put("expression", "GPL-2.0-only WITH Classpath-exception-2.0");
    }
    component.put("cpe", "cpe:2.3:a:oracle:openjdk:" + version + ":*:*:*:*:*:*:*");
    ArrayNode modules = component.putArray("components");
    for (String each : assignments(runtime, "release").get("MODULES").split(" ")) {
      modules.addObject().put("type", "library").put("name", each).put("version", version);
    }
    return component;
  }

  /**
   * The packages that dpkg has installed there; images without a package manager have one file per
   * package.
   */
  private static List<ObjectNode> packages(Path root, Map<String, String> system)
      throws IOException {
    List<Path> files = new ArrayList<>(List.of(Path.of("var/lib/dpkg/status")));
    Path folder = root.resolve("var/lib/dpkg/status.d");
    if (Files.isDirectory(folder)) {
      try (Stream<Path> more = Files.list(folder)) {
        more.map(root::relativize).forEach(files::add);
      }
    }
    List<ObjectNode> packages = new ArrayList<>();
    for (Path file : files) {
      for (String paragraph : text(root, file.toString()).split("\n\n+")) {
        Map<String, String> fields = fields(paragraph, ": *");
        if (fields.keySet().containsAll(List.of("Package", "Version", "Architecture"))
            && fields.getOrDefault("Status", " installed").endsWith(" installed")) {
          packages.add(debian(fields, system));
        }
      }
    }
    packages.sort(Comparator.comparing(each -> each.get("purl").asText()));
    return packages;
  }

  /** Of a file below {@code root}; empty when there is none, or a link that leads elsewhere. */
  private static String text(Path root, String file) throws IOException {
    Path path = root.resolve(file);
    return Files.isRegularFile(path) && path.toRealPath().startsWith(root.toRealPath())
        ? new String(Files.readAllBytes(path), StandardCharsets.UTF_8)
        : "";
  }

  private static ObjectNode debian(Map<String, String> fields, Map<String, String> system) {
    String name = fields.get("Package");
    String version = fields.get("Version");
    String vendor = system.getOrDefault("ID", "debian");
    String purl =
        String.format(
            "pkg:deb/%s/%s@%s?arch=%s",
            vendor, encoded(name), encoded(version), fields.get("Architecture"));
    if (system.containsKey("VERSION_ID")) {
      purl += "&distro=" + vendor + '-' + system.get("VERSION_ID");
    }
    if (fields.containsKey("Source")) { // "NAME", or "NAME (VERSION)"; advisories are about it
      String source = fields.get("Source").replaceFirst(" *\\((.*)\\)$", "@$1");
      purl += "&upstream=" + encoded(source).replace("@", "%40");
    }
    ObjectNode component = JSON.createObjectNode();
    component.put("type", "library").put("bom-ref", purl);
    return component.put("name", name).put("version", version).put("purl", purl);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("%3A", ":").replace("%7E", "~");
  }

  private static Map<String, String> assignments(Path root, String file) throws IOException {
    Map<String, String> values = fields(text(root, file), "=");
    values.replaceAll((name, value) -> value.replaceAll("^\"|\"$", ""));
    return values;
  }

  private static Map<String, String> fields(String text, String separator) {
    Map<String, String> fields = new HashMap<>();
    for (String line : text.split("\n")) {
      String[] parts = line.split(separator, 2);
      if (parts.length == 2) {
        fields.put(parts[0], parts[1]);
      }
    }
    return fields;
  }
}
