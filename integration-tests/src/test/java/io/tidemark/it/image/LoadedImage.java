package io.tidemark.it.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The image under test for one architecture, as podman knows it until it is closed. */
record LoadedImage(String id) implements AutoCloseable {

  /** The image: an OCI layout, which {@code .ci/image/run} makes. */
  static Path layout() {
    String image = System.getenv("TIDEMARK_IMAGE");
    if (image == null) {
      throw new IllegalStateException(
          "TIDEMARK_IMAGE is not set; run the tests through .ci/image/run");
    }
    return Path.of(image);
  }

  /** Under a name of its own: podman pull gives the images of all architectures the same name. */
  static LoadedImage of(String architecture) throws IOException {
    String name = "localhost/tidemark-test/" + architecture + ":" + ProcessHandle.current().pid();
    output(
        "skopeo",
        "copy",
        "--quiet",
        "--override-arch=" + architecture,
        "oci:" + layout(),
        "containers-storage:" + name);
    return new LoadedImage(output("podman", "inspect", "--format={{.Id}}", name).strip());
  }

  /** The command that its containers start with. */
  List<String> entrypoint() throws IOException {
    List<String> words = new ArrayList<>();
    for (JsonNode each :
        new ObjectMapper()
            .readTree(output("podman", "inspect", "--format={{json .Config.Entrypoint}}", id))) {
      words.add(each.asText());
    }
    return words;
  }

  /** Its root file system, until it is closed. */
  Path mount() throws IOException {
    return Path.of(output("podman", "image", "mount", id).strip());
  }

  @Override
  public void close() throws IOException {
    output("podman", "image", "unmount", id);
    output("podman", "rmi", id);
  }

  /** Without what it writes to standard error, such as warnings about the platform. */
  static String output(String... command) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", command) + " failed, see above: " + text);
    }
    return text;
  }
}
